/** Conversions of one lane, and the words that a value is made of: for bit casts and for memory. */
import type * as ir from '../../ir/ir.ts';
import {
  elementOf,
  f32,
  f64,
  i32,
  i64,
  lanesOf,
  type ScalarType,
  sizeOf,
  type Type,
} from '../../ir/types.ts';
import { masked, narrowBits, signedText, type Use, unaryText } from './arithmetic.ts';
import { WgslError } from './error.ts';
import { built, laneText } from './types.ts';

/** As the functions of the runtime take them. */
const modes: Readonly<Record<ir.RoundingMode, string>> = { rte: '0u', rtz: '1u', rtp: '2u', rtn: '3u' };

/** One lane of `from` as one of `to`. Bit casts are not among them: see {@link wordsOf}. */
export function convertText(use: Use, instruction: ir.Convert, a: string, from: Type, to: Type): string {
  const source = elementOf(from) as ScalarType;
  const target = elementOf(to) as ScalarType;
  const { fn, rounding, saturate = false } = instruction;
  switch (fn) {
    case 'sext':
    case 'zext':
      return extended(a, source, target, fn === 'sext', use);
    case 'trunc':
      return masked(target, source.kind === 'int' && source.bits === 64 ? `${a}.x` : a);
    case 'stof':
    case 'utof':
      return toFloat(use, a, source, target, fn === 'stof', rounding ?? 'rte');
    case 'ftos':
    case 'ftou': {
      const isDouble = isDoubleType(source);
      const float = isDouble ? a : asF32(use, a, source);
      const whole = rounded(use, float, rounding ?? 'rtz', isDouble);
      if (isDouble) return doubleToInteger(use, whole, target, fn === 'ftos');
      return toInteger(use, whole, target, fn === 'ftos', saturate);
    }
    case 'fwiden':
      return isDoubleType(target) ? `${use('f64_of_f32')}(${asF32(use, a, source)})` : asF32(use, a, source);
    case 'fnarrow': {
      const mode = modes[rounding ?? 'rte'];
      if (!isDoubleType(source)) return `${use('f16_of_f32')}(${a}, ${mode})`;
      if (target.kind === 'float' && target.bits === 16) return `${use('f16_of_f64')}(${a}, ${mode})`;
      return mode === modes.rte ? `${use('f32_near_f64')}(${a})` : `${use('f32_of_f64')}(${a}, ${mode})`;
    }
    default:
      throw new WgslError(`a conversion '${fn}' of numbers`, instruction.span);
  }
}

function extended(a: string, source: ScalarType, target: ScalarType, signed: boolean, use: Use): string {
  const isWide = target.kind === 'int' && target.bits === 64;
  if (source.kind === 'bool') {
    const word = signed ? masked(target, `select(0u, 0xffffffffu, ${a})`) : `select(0u, 1u, ${a})`;
    if (!isWide) return word;
    return signed ? `vec2<u32>(select(0u, 0xffffffffu, ${a}))` : `vec2<u32>(${word}, 0u)`;
  }
  if (!signed) return isWide ? `vec2<u32>(${a}, 0u)` : a;
  const word = narrowBits(source) === undefined ? a : `u32(${signedText(source, a)})`;
  return isWide ? `${use('i64_of_i32')}(${word})` : masked(target, word);
}

function asF32(use: Use, a: string, source: ScalarType): string {
  return source.kind === 'float' && source.bits === 16 ? `${use('f32_of_f16')}(${a})` : a;
}

function toFloat(
  use: Use,
  a: string,
  source: ScalarType,
  target: ScalarType,
  signed: boolean,
  rounding: ir.RoundingMode,
): string {
  if (isDoubleType(target)) {
    // Words are exact in doubles.
    if (signed && source.kind === 'int' && source.bits < 64) {
      return `${use('f64_of_i32')}(${extended(a, source, i32, true, use)})`;
    }
    const wide = source.kind === 'int' && source.bits === 64 ? a : extended(a, source, i64, signed, use);
    return signed
      ? `${use('f64_of_i64')}(${wide}, ${modes[rounding]})`
      : `${use('f64_of_u64')}(0u, ${wide}, ${modes[rounding]})`;
  }
  const toHalf = target.kind === 'float' && target.bits === 16;
  if (source.kind === 'bool') {
    const one = signed ? '-1.0f' : '1.0f';
    const float = `select(0.0f, ${one}, ${a})`;
    return toHalf ? `${use('f16_of_f32')}(${float}, 0u)` : float;
  }
  const mode = modes[rounding];
  if (toHalf) {
    // Whatever does not fit a half is beyond what a float has exactly.
    const wide = extended(a, source, i64, signed, use);
    const pair = source.kind === 'int' && source.bits === 64 ? a : wide;
    const exact = signed ? `${use('f32_of_i64')}(${pair}, 1u)` : `${use('f32_of_u64')}(0u, ${pair}, 1u)`;
    return `${use('f16_of_f32')}(${exact}, ${mode})`;
  }
  if (source.kind === 'int' && source.bits === 64) {
    return signed ? `${use('f32_of_i64')}(${a}, ${mode})` : `${use('f32_of_u64')}(0u, ${a}, ${mode})`;
  }
  if (narrowBits(source) !== undefined) return signed ? `f32(${signedText(source, a)})` : `f32(${a})`;
  if (rounding !== 'rte') {
    return signed
      ? `${use('f32_of_i64')}(${use('i64_of_i32')}(${a}), ${mode})`
      : `${use('f32_of_u64')}(0u, vec2<u32>(${a}, 0u), ${mode})`;
  }
  return `${use(signed ? 'f32_of_i32' : 'f32_of_u32')}(${a})`;
}

function isDoubleType(type: ScalarType): boolean {
  return type.kind === 'float' && type.bits === 64;
}

/** Clamped, whether that is asked for or not. */
function doubleToInteger(use: Use, a: string, target: ScalarType, signed: boolean): string {
  const wide = `${use(signed ? 'i64_of_f64' : 'u64_of_f64')}(${a})`;
  if (target.kind === 'int' && target.bits === 64) return wide;
  const bits = narrowBits(target) ?? 32;
  if (!signed) return `${use('u32_of_u64')}(${wide}, ${highest(bits)})`;
  return masked(target, `${use('i32_of_i64')}(${wide}, ${limitsOf(bits)})`);
}

function highest(bits: number): string {
  return bits === 32 ? '0xffffffffu' : `${2 ** bits - 1}u`;
}

function limitsOf(bits: number): string {
  return bits === 32 ? '-0x7fffffff - 1, 0x7fffffff' : `${-(2 ** (bits - 1))}, ${2 ** (bits - 1) - 1}`;
}

function rounded(use: Use, a: string, rounding: ir.RoundingMode, isDouble: boolean): string {
  const fn = { rte: 'frint', rtz: undefined, rtp: 'fceil', rtn: 'ffloor' } as const;
  const name = fn[rounding];
  return name ? unaryText({ type: isDouble ? f64 : f32, use }, name, a) : a;
}

function toInteger(use: Use, a: string, target: ScalarType, signed: boolean, saturate: boolean): string {
  if (target.kind === 'int' && target.bits === 64)
    return `${use(signed ? 'i64_of_f32' : 'u64_of_f32')}(${a})`;
  const bits = narrowBits(target) ?? 32;
  if (!saturate) return masked(target, signed ? `u32(i32(${a}))` : `u32(${a})`);
  if (!signed) return `${use('u32_of_f32')}(${a}, ${highest(bits)})`;
  return masked(target, `${use('i32_of_f32')}(${a}, ${limitsOf(bits)})`);
}

// --------------------------------------------------------------------------------------------------- words

/** The bytes of a value as words, the lowest first; in the last one of fewer bytes those above are 0. `name` is an atom. */
export function wordsOf(name: string, type: Type): string[] {
  const element = elementOf(type);
  const lanes = Array.from({ length: lanesOf(type) }, (_, lane) => laneText(name, type, lane));
  const bytes = sizeOf(element);
  if (bytes === 8) return lanes.flatMap((lane) => [`${lane}.x`, `${lane}.y`]);
  if (bytes === 4) return lanes.map((lane) => (element.kind === 'float' ? `bitcast<u32>(${lane})` : lane));
  if (element.kind === 'bool') return lanes.map((lane) => `select(0u, 1u, ${lane})`);
  const each = 4 / bytes;
  const words: string[] = [];
  for (let at = 0; at < lanes.length; at += each) {
    const parts = lanes.slice(at, at + each);
    words.push(
      parts.map((part, index) => (index === 0 ? part : `(${part} << ${index * bytes * 8}u)`)).join(' | '),
    );
  }
  return words.map((word) => (word.includes('|') ? `(${word})` : word));
}

/** The value whose bytes these words are; each is an atom. */
export function fromWords(type: Type, words: readonly string[]): string {
  const element = elementOf(type);
  const bytes = sizeOf(element);
  const lanes = Array.from({ length: lanesOf(type) }, (_, lane) => {
    if (bytes === 8) return `vec2<u32>(${words[2 * lane]}, ${words[2 * lane + 1]})`;
    if (bytes === 4) return element.kind === 'float' ? `bitcast<f32>(${words[lane]})` : words[lane]!;
    const bit = (lane * bytes * 8) % 32;
    const word = words[Math.floor((lane * bytes) / 4)]!;
    const mask = bytes === 1 ? '0xffu' : '0xffffu';
    const shifted = bit === 0 ? word : `(${word} >> ${bit}u)`;
    return bit + bytes * 8 === 32 ? shifted : `(${shifted} & ${mask})`;
  });
  return built(type, lanes);
}
