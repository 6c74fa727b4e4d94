/**
 * Conversions of vectors: between integer widths, of masks, between floats and integers. What has no vector
 * instruction is done lane by lane.
 */
import type * as ir from '../../../ir/ir.ts';
import type { Value } from '../../../ir/ir.ts';
import type { FloatType, IntType, Type, VectorType } from '../../../ir/types.ts';
import type { FunctionCompiler } from '../kernel/function-compiler.ts';
import { elementBits, intShape } from '../kernel/value-layout.ts';
import type { OpName } from '../module/opcodes.ts';
import { applyConvert } from '../scalar/scalar-conversions.ts';
import { emitHalfConversion } from './vector-halves.ts';
import { pushVectorConstant, scalarise, scalarOf } from './vector-lanes.ts';

/** Pushes one part of a conversion to or from a vector. */
export function emitVectorConversion(fc: FunctionCompiler, convert: ir.Convert, part: number): void {
  const operand = convert.operands[0]!;
  const from = operand.type;
  const to = convert.results[0]!.type;
  if (convert.fn === 'bitcast') {
    emitBitcast(fc, operand, to, part);
    return;
  }
  if (emitNative(fc, convert, operand, to as VectorType, part)) return;
  scalarise(fc, convert, part, [0], () => applyConvert(fc, convert, scalarOf(from), scalarOf(to)));
}

/** Lanes lie as in memory, so only the step between scalar and vector is one. */
function emitBitcast(fc: FunctionCompiler, operand: Value, to: Type, part: number): void {
  fc.push(operand, part);
  const { code } = fc;
  if (operand.type.kind === 'vector' && to.kind === 'vector') return;
  if (to.kind !== 'vector') {
    const bits = elementBits(to);
    const isFloat = to.kind === 'float' && bits > 16;
    if (bits === 64) code.lane(isFloat ? 'f64x2.extract_lane' : 'i64x2.extract_lane', 0);
    else if (bits === 32) code.lane(isFloat ? 'f32x4.extract_lane' : 'i32x4.extract_lane', 0);
    else code.lane('i16x8.extract_lane_s', 0);
    return;
  }
  const { type } = operand;
  const bits = elementBits(type);
  const isFloat = type.kind === 'float' && bits > 16;
  code.op(`${isFloat ? (bits === 64 ? 'f64x2' : 'f32x4') : intShape(bits)}.splat`);
}

function emitNative(
  fc: FunctionCompiler,
  convert: ir.Convert,
  operand: Value,
  to: VectorType,
  part: number,
): boolean {
  const { code } = fc;
  const from = operand.type as VectorType;
  if (emitHalfConversion(fc, convert, operand, to, part)) return true;
  switch (convert.fn) {
    case 'sext':
    case 'zext':
    case 'trunc': {
      const toBits = elementBits(to);
      if (from.element.kind === 'bool') {
        pushMask(fc, operand, toBits, part);
        if (convert.fn === 'zext') {
          code.i32(toBits - 1);
          code.op(`${intShape(toBits)}.shr_u`);
        }
        return true;
      }
      const kept = convert.fn === 'trunc' ? 'low bits' : convert.fn === 'zext' ? 'u' : 's';
      pushResized(fc, operand, elementBits(from), toBits, kept, part);
      return true;
    }
    case 'stof':
    case 'utof': {
      const fromBits = elementBits(from);
      const sign = convert.fn === 'stof' ? 's' : 'u';
      const { bits } = to.element as FloatType;
      if (fromBits < 32 && bits === 32) {
        pushResized(fc, operand, fromBits, 32, sign, part);
        code.op('f32x4.convert_i32x4_s');
        return true;
      }
      if (fromBits !== 32 || (convert.rounding ?? 'rte') !== 'rte') return false;
      if (bits === 32) {
        fc.push(operand, part);
        code.op(`f32x4.convert_i32x4_${sign}`);
        return true;
      }
      if (bits !== 64) return false;
      pushHalf(fc, operand, part);
      code.op(`f64x2.convert_low_i32x4_${sign}`);
      return true;
    }
    case 'ftos':
    case 'ftou': {
      const target = to.element as IntType;
      if ((from.element as FloatType).bits !== 32 || target.bits > 32) return false;
      if (target.bits === 8 || target.bits === 16) pushNarrow(fc, convert, target.bits, part);
      else pushWhole(fc, convert, part);
      return true;
    }
    case 'fwiden':
      if ((from.element as FloatType).bits !== 32) return false;
      pushHalf(fc, operand, part);
      code.op('f64x2.promote_low_f32x4');
      return true;
    case 'fnarrow': {
      const isPlain = (convert.rounding ?? 'rte') === 'rte' && (to.element as FloatType).bits === 32;
      if (!isPlain || (from.element as FloatType).bits !== 64) return false;
      fc.push(operand, part * 2);
      code.op('f32x4.demote_f64x2_zero');
      if (part * 2 + 1 < fc.info(operand).parts) {
        fc.push(operand, part * 2 + 1);
        code.op('f32x4.demote_f64x2_zero');
        code.shuffle([0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23]);
      }
      return true;
    }
    default:
      return false;
  }
}

/** Pushes one part of a float vector as 32-bit integers, rounded as the conversion says. */
function pushWhole(fc: FunctionCompiler, convert: ir.Convert, part: number): void {
  const { code } = fc;
  fc.push(convert.operands[0]!, part);
  pushRounded(fc, convert.rounding ?? 'rtz');
  code.op(`i32x4.trunc_sat_f32x4_${convert.fn === 'ftos' ? 's' : 'u'}`);
}

function pushRounded({ code }: FunctionCompiler, rounding: ir.RoundingMode): void {
  if (rounding === 'rte') code.op('f32x4.nearest');
  else if (rounding === 'rtp') code.op('f32x4.ceil');
  else if (rounding === 'rtn') code.op('f32x4.floor');
}

/**
 * Half of 2^24 and half of that again: a float of the same size has its whole part in the low bits, so that adding it to a
 * small one rounds that to the nearest even.
 */
const roundingFloat = 12582912;

/**
 * Pushes one part of a float vector as 32-bit integers that fit into so many bits. Engines take many instructions for a
 * conversion that saturates: floats that have been brought into range need none.
 */
function pushInRange(fc: FunctionCompiler, convert: ir.Convert, bits: 8 | 16, part: number): void {
  const { code } = fc;
  const isSigned = convert.fn === 'ftos';
  const [least, most] = boundsOf(isSigned, bits);
  fc.push(convert.operands[0]!, part);
  const rounding = convert.rounding ?? 'rtz';
  if (rounding === 'rtz') code.op('f32x4.trunc');
  else if (rounding !== 'rte') pushRounded(fc, rounding);
  if (isSigned) {
    // A NaN becomes 0.
    const value = code.toTemporary('v128');
    code.get(value);
    code.get(value);
    code.get(value);
    code.op('f32x4.eq');
    code.op('v128.and');
    code.release(value);
  }
  const value = code.toTemporary('v128');
  pushFloats(fc, least);
  code.get(value);
  // The first operand where the second is a NaN: f32x4.pmax(a, b) is a < b ? b : a.
  code.op('f32x4.pmax');
  code.release(value);
  const raised = code.toTemporary('v128');
  pushFloats(fc, most);
  code.get(raised);
  code.op('f32x4.pmin');
  code.release(raised);
  pushFloats(fc, roundingFloat);
  code.op('f32x4.add');
  pushFloats(fc, roundingFloat);
  code.op('i32x4.sub');
}

function boundsOf(isSigned: boolean, bits: number): [least: number, most: number] {
  return isSigned ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
}

/** The vector constants that a conversion takes. */
export function conversionConstants(convert: ir.Convert): Uint8Array[] {
  const from = convert.operands[0]!.type;
  const to = convert.results[0]!.type;
  if (from.kind !== 'vector' || to.kind !== 'vector') return [];
  const bits = elementBits(to);
  const isFromFloat = convert.fn === 'ftos' || convert.fn === 'ftou';
  if (isFromFloat && elementBits(from) === 32 && bits < 32) {
    return [...boundsOf(convert.fn === 'ftos', bits), roundingFloat].map(floats);
  }
  const isCut = convert.fn === 'trunc' && elementBits(from) <= 32 && from.element.kind === 'int';
  return isCut ? [lowBitsOf(elementBits(from), bits)] : [];
}

function pushFloats(fc: FunctionCompiler, value: number): void {
  pushVectorConstant(fc, floats(value));
}

function floats(value: number): Uint8Array {
  return new Uint8Array(new Float32Array(4).fill(value).buffer);
}

/** Pushes one part of a conversion to narrower integers: narrowing saturates, which is right where it is not asked for too. */
function pushNarrow(fc: FunctionCompiler, convert: ir.Convert, bits: 8 | 16, part: number): void {
  const { code } = fc;
  const { parts } = fc.info(convert.operands[0]!);
  const sign = convert.fn === 'ftos' ? 's' : 'u';
  const pushShorts = (first: number, shortSign: 's' | 'u'): void => {
    pushInRange(fc, convert, bits, first);
    if (first + 1 < parts) pushInRange(fc, convert, bits, first + 1);
    else duplicate(fc);
    code.op(`i16x8.narrow_i32x4_${shortSign}`);
  };
  if (bits === 16) {
    pushShorts(part * 2, sign);
    return;
  }
  pushShorts(part * 4, 's');
  if (part * 4 + 2 < parts) pushShorts(part * 4 + 2, 's');
  else duplicate(fc);
  code.op(`i8x16.narrow_i16x8_${sign}`);
}

/** Pushes the part of a vector of 32-bit lanes that holds the lanes of part `part` of one of 64-bit lanes, as low lanes. */
function pushHalf(fc: FunctionCompiler, operand: Value, part: number): void {
  fc.push(operand, part >> 1);
  if (part % 2 === 0) return;
  duplicate(fc);
  fc.code.shuffle([8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15]);
}

function duplicate(fc: FunctionCompiler): void {
  const vector = fc.code.toTemporary('v128');
  fc.code.get(vector);
  fc.code.get(vector);
  fc.code.release(vector);
}

/** Pushes a mask with its lanes brought to a width. */
export function pushMask(fc: FunctionCompiler, value: Value, bits: number, part: number): void {
  pushResized(fc, value, fc.info(value).maskBits, bits, 's', part);
}

/**
 * Pushes one part of an integer vector with its lanes widened, or cut to their low bits or to what is nearest. Masks
 * survive as masks: all ones and all zeros widen (signed) and cut to themselves.
 */
function pushResized(
  fc: FunctionCompiler,
  value: Value,
  fromBits: number,
  toBits: number,
  sign: 's' | 'u' | 'low bits',
  part: number,
): void {
  const { code } = fc;
  if (fromBits === toBits) {
    fc.push(value, part);
    return;
  }
  if (fromBits < toBits) {
    // One source part holds the lanes of `ratio` parts of the result; each step down takes its low or high half.
    const ratio = toBits / fromBits;
    fc.push(value, Math.floor(part / ratio));
    let rest = part % ratio;
    for (let bits = fromBits; bits < toBits; bits *= 2) {
      const steps = toBits / bits / 2;
      const half = rest >= steps ? 'high' : 'low';
      rest %= steps;
      code.op(`${intShape(bits * 2)}.extend_${half}_${intShape(bits)}_${sign}` as OpName);
    }
    return;
  }
  if (fromBits <= 32) {
    pushNarrowed(fc, value, fromBits, toBits, sign, part);
    return;
  }
  pushLowBytes(fc, value, fromBits / 8, toBits / 8, part);
}

/** Picks the low bytes of the lanes of several registers into one: two registers at a time, then two of what they became. */
function pushLowBytes(
  fc: FunctionCompiler,
  value: Value,
  fromBytes: number,
  toBytes: number,
  part: number,
): void {
  const { code } = fc;
  const ratio = fromBytes / toBytes;
  const first = part * ratio;
  const last = Math.min(first + ratio, fc.info(value).parts);
  /** Leaves the low bytes of `count` registers from `source` on, one lane's behind the other's. */
  const pick = (source: number, count: number): void => {
    if (count === 1) {
      fc.push(value, source);
      return;
    }
    const half = count / 2;
    pick(source, half);
    const hasUpper = source + half < last;
    if (hasUpper) pick(source + half, half);
    else duplicate(fc);
    // A register itself has lanes with gaps; what was picked has none.
    const step = half === 1 ? fromBytes : toBytes;
    const lanes = (16 / fromBytes) * half;
    const picked: number[] = [];
    for (const base of [0, 16]) {
      for (let lane = 0; lane < lanes; lane++) {
        for (let byte = 0; byte < toBytes; byte++) picked.push(base + lane * step + byte);
      }
    }
    code.shuffle(Array.from({ length: 16 }, (_, byte) => picked[byte % picked.length]!));
  };
  pick(first, ratio);
}

/** The low bits in each lane. */
function lowBitsOf(laneBits: number, bits: number): Uint8Array {
  return new Uint8Array(16).map((_, byte) => (byte % (laneBits / 8) < bits / 8 ? 0xff : 0));
}

/** Cuts lanes by half and half again: two vectors become one, in which what does not fit is the nearest that does. */
function pushNarrowed(
  fc: FunctionCompiler,
  value: Value,
  fromBits: number,
  toBits: number,
  sign: 's' | 'u' | 'low bits',
  part: number,
): void {
  const { code } = fc;
  const { parts } = fc.info(value);
  const pushAt = (bits: number, at: number): void => {
    if (bits === fromBits) {
      fc.push(value, at);
      if (sign !== 'low bits') return;
      pushVectorConstant(fc, lowBitsOf(fromBits, toBits));
      code.op('v128.and');
      return;
    }
    pushAt(bits * 2, at * 2);
    if (((at * 2 + 1) * fromBits) / (bits * 2) < parts) pushAt(bits * 2, at * 2 + 1);
    else duplicate(fc);
    const isUnsigned = sign === 'low bits' && bits === toBits;
    if (bits === 16) code.op(`i16x8.narrow_i32x4_${isUnsigned ? 'u' : 's'}`);
    else code.op(`i8x16.narrow_i16x8_${isUnsigned ? 'u' : 's'}`);
  };
  pushAt(toBits, part);
}
