/** What the IR computes as ALU operations, lane by lane. */
import type * as ir from '../../ir/ir.ts';
import { elementOf, f32, type Type } from '../../ir/types.ts';
import { bitsOfFloat } from './bits.ts';
import { allOnes, type Emitter, literal, magnitude, negated, zero } from './emitter.ts';
import { R600Error } from './error.ts';
import type { Source } from './operations.ts';

/** A lane: one word, of doubles two, the low one first. */
export type Lane = readonly Source[];

const isDouble = (type: Type): boolean => {
  const element = elementOf(type);
  return element.kind === 'float' && element.bits === 64;
};

/** Bits of integers that are shorter than a word; they are kept with their sign extended. */
function shortBits(type: Type): number | undefined {
  const element = elementOf(type);
  return element.kind === 'int' && element.bits < 32 ? element.bits : undefined;
}

/** @throws R600Error for types that the chips do not compute with */
export function requireType(type: Type, hasDoubles: boolean, span: ir.Instruction['span']): void {
  const element = elementOf(type);
  if (element.kind === 'int' && element.bits === 64)
    throw new R600Error('integers of 64 bits: the R600 family computes with 32', span);
  if (element.kind === 'float' && element.bits === 16)
    throw new R600Error('half: the R600 family computes with float', span);
  if (element.kind === 'float' && element.bits === 64 && !hasDoubles)
    throw new R600Error('double: this chip computes with float only', span);
}

function signExtended(emitter: Emitter, value: Source, type: Type): Source {
  const bits = shortBits(type);
  if (bits === undefined) return value;
  const shift = literal(32 - bits);
  return emitter.emit('ASHR_INT', emitter.emit('LSHL_INT', value, shift), shift);
}

function zeroExtended(emitter: Emitter, value: Source, type: Type): Source {
  const bits = shortBits(type);
  return bits === undefined ? value : emitter.emit('AND_INT', value, literal(2 ** bits - 1));
}

const floatUnary: Readonly<Record<string, string>> = {
  fsqrt: 'SQRT_e',
  ffloor: 'FLOOR',
  fceil: 'CEIL',
  ftrunc: 'TRUNC',
  frint: 'RNDNE',
};

export function unaryLane(emitter: Emitter, { fn }: ir.Unary, type: Type, [low, high]: Lane): Lane {
  if (isDouble(type)) {
    const other = [low!, registerOf(emitter, high!)];
    if (fn === 'fneg') return [other[0]!, emitter.emit('XOR_INT', other[1]!, literal(-0x80000000))];
    if (fn === 'fabs') return [other[0]!, emitter.emit('AND_INT', other[1]!, literal(0x7fffffff))];
    throw new R600Error(`${fn.slice(1)} of doubles: the chips add, multiply and compare them`, emitter.span);
  }
  const value = low!;
  switch (fn) {
    case 'not':
      return [emitter.emit('NOT_INT', value)];
    case 'fneg':
      return [negated(value)];
    case 'fabs':
      return [magnitude(value)];
    case 'popcount':
      return [ones(emitter, zeroExtended(emitter, value, type))];
    case 'clz': {
      const bits = shortBits(type) ?? 32;
      const count = leadingZeros(emitter, zeroExtended(emitter, value, type));
      return [emitter.emit('SUB_INT', count, literal(32 - bits))];
    }
    case 'ctz': {
      // Ones below the lowest one.
      const below = emitter.emit(
        'AND_INT',
        emitter.emit('NOT_INT', value),
        emitter.emit('ADD_INT', value, allOnes),
      );
      return [emitter.emit('MIN_INT', ones(emitter, below), literal(shortBits(type) ?? 32))];
    }
    default:
      return [emitter.emit(floatUnary[fn]!, value)];
  }
}

const plain: Readonly<Record<string, string>> = {
  and: 'AND_INT',
  or: 'OR_INT',
  xor: 'XOR_INT',
  smin: 'MIN_INT',
  smax: 'MAX_INT',
  umin: 'MIN_UINT',
  umax: 'MAX_UINT',
  fadd: 'ADD',
  fmul: 'MUL_e',
  fmin: 'MIN_DX10',
  fmax: 'MAX_DX10',
};

/** Those that may leave more bits than a short integer has. */
const growing: Readonly<Record<string, string>> = {
  iadd: 'ADD_INT',
  isub: 'SUB_INT',
  imul: 'MULLO_INT',
  shl: 'LSHL_INT',
};

export function binaryLane(emitter: Emitter, { fn }: ir.Binary, type: Type, a: Lane, b: Lane): Lane {
  if (isDouble(type)) return doubleBinary(emitter, fn, a, b);
  const [x, y] = [a[0]!, b[0]!];
  const bits = shortBits(type);
  const count = (): Source => (bits === undefined ? y : emitter.emit('AND_INT', y, literal(bits - 1)));
  if (growing[fn]) {
    const second = fn === 'shl' ? count() : y;
    return [signExtended(emitter, emitter.emit(growing[fn], x, second), type)];
  }
  if (plain[fn]) return [emitter.emit(plain[fn], x, y)];
  const unsigned = (value: Source): Source => zeroExtended(emitter, value, type);
  switch (fn) {
    case 'fsub':
      return [emitter.emit('ADD', x, negated(y))];
    case 'fdiv':
      if (x.kind === 'literal' && x.bits === bitsOfFloat(1)) return [emitter.emit('RCP_e', y)];
      return [emitter.emit('MUL_e', x, emitter.emit('RCP_e', y))];
    case 'fcopysign':
      return [
        emitter.emit(
          'OR_INT',
          emitter.emit('AND_INT', x, literal(0x7fffffff)),
          emitter.emit('AND_INT', y, literal(-0x80000000)),
        ),
      ];
    case 'sshr':
      return [emitter.emit('ASHR_INT', x, count())];
    case 'ushr':
      return [signExtended(emitter, emitter.emit('LSHR_INT', unsigned(x), count()), type)];
    case 'rotl': {
      const width = bits ?? 32;
      const left = emitter.emit('AND_INT', y, literal(width - 1));
      const right = emitter.emit(
        'AND_INT',
        emitter.emit('SUB_INT', literal(width), left),
        literal(width - 1),
      );
      const wide = unsigned(x);
      const turned = emitter.emit(
        'OR_INT',
        emitter.emit('LSHL_INT', wide, left),
        emitter.emit('LSHR_INT', wide, right),
      );
      return [signExtended(emitter, turned, type)];
    }
    case 'smulhi':
    case 'umulhi': {
      const isSigned = fn === 'smulhi';
      if (bits === undefined) return [emitter.emit(isSigned ? 'MULHI_INT' : 'MULHI_UINT', x, y)];
      const product = emitter.emit('MULLO_INT', isSigned ? x : unsigned(x), isSigned ? y : unsigned(y));
      return [signExtended(emitter, emitter.emit('LSHR_INT', product, literal(bits)), type)];
    }
    case 'udiv':
    case 'urem': {
      const [quotient, rest] = divide(emitter, unsigned(x), unsigned(y));
      return [signExtended(emitter, fn === 'udiv' ? quotient : rest, type)];
    }
    case 'sdiv':
    case 'srem': {
      const signX = emitter.emit('ASHR_INT', x, literal(31));
      const signY = emitter.emit('ASHR_INT', y, literal(31));
      const positive = (value: Source, sign: Source): Source =>
        emitter.emit('XOR_INT', emitter.emit('ADD_INT', value, sign), sign);
      const [quotient, rest] = divide(emitter, positive(x, signX), positive(y, signY));
      const sign = fn === 'sdiv' ? emitter.emit('XOR_INT', signX, signY) : signX;
      const given = fn === 'sdiv' ? quotient : rest;
      const signed = emitter.emit('SUB_INT', emitter.emit('XOR_INT', given, sign), sign);
      return [signExtended(emitter, signed, type)];
    }
  }
  throw new R600Error(`'${fn}' has no instructions`, emitter.span);
}

function doubleBinary(emitter: Emitter, fn: string, a: Lane, b: Lane): Lane {
  if (fn === 'fadd') return emitter.emitWide('ADD_64', [...a, ...b], true);
  if (fn === 'fmul') return emitter.emitWide('MUL_64', [...a, ...b], true);
  if (fn === 'fsub') {
    const high = registerOf(emitter, b[1]!);
    return emitter.emitWide('ADD_64', [...a, b[0]!, negated(high)], true);
  }
  if (fn === 'fmin' || fn === 'fmax') {
    const isFirst = doubleTruth(emitter, 'PREDGT_64', fn === 'fmax' ? a : b, fn === 'fmax' ? b : a);
    return a.map((word, index) => emitter.emit('CNDE_INT', isFirst, b[index]!, word));
  }
  if (fn === 'fdiv') return divideDoubles(emitter, a, b);
  throw new R600Error(`${fn.slice(1)} of doubles: the chips add, multiply and compare them`, emitter.span);
}

/** The quotient of doubles: a reciprocal in floats, made exact enough by three steps of Newton's method. */
function divideDoubles(emitter: Emitter, a: Lane, b: Lane): Lane {
  const one = [zero, literal(0x3ff00000)];
  const minus = [b[0]!, negated(registerOf(emitter, b[1]!))];
  const narrow = emitter.emitWide('FLT64_TO_FLT32', b, false);
  let guess: Lane = emitter.emitWide('FLT32_TO_FLT64', [emitter.emit('RCP_e', narrow[0]!)], true);
  for (let step = 0; step < 3; step += 1) {
    const error = emitter.emitWide('MULADD_64', [...minus, ...guess, ...one], true);
    guess = emitter.emitWide('MULADD_64', [...error, ...guess, ...guess], true);
  }
  const quotient = emitter.emitWide('MUL_64', [...a, ...guess], true);
  const rest = emitter.emitWide('MULADD_64', [...minus, ...quotient, ...a], true);
  return emitter.emitWide('MULADD_64', [...rest, ...guess, ...quotient], true);
}

/** A word whose sign may be changed: literals have no modifiers. */
function registerOf(emitter: Emitter, word: Source): Source {
  return word.kind === 'literal' ? { kind: 'register', register: emitter.register(word) } : word;
}

/** Unsigned quotient and remainder: a reciprocal, its error taken off once, and one step up or down. */
function divide(emitter: Emitter, a: Source, b: Source): readonly [Source, Source] {
  const guess = emitter.emit('RCP_UINT', b);
  const low = emitter.emit('MULLO_INT', guess, b);
  const high = emitter.emit('MULHI_UINT', guess, b);
  const error = emitter.emit('CNDE_INT', high, emitter.emit('SUB_INT', zero, low), low);
  const change = emitter.emit('MULHI_UINT', error, guess);
  const better = emitter.emit(
    'CNDE_INT',
    high,
    emitter.emit('ADD_INT', guess, change),
    emitter.emit('SUB_INT', guess, change),
  );
  const quotient = emitter.emit('MULHI_UINT', better, a);
  const product = emitter.emit('MULLO_INT', quotient, b);
  const rest = emitter.emit('SUB_INT', a, product);
  const isEnough = emitter.emit('SETGE_UINT', a, product);
  const isMore = emitter.emit('AND_INT', emitter.emit('SETGE_UINT', rest, b), isEnough);
  const up = (value: Source, isPlus: boolean, by: Source): Source =>
    emitter.emit(isPlus ? 'ADD_INT' : 'SUB_INT', value, by);
  const raised = emitter.emit('SUB_INT', quotient, isMore);
  const settled = emitter.emit('CNDE_INT', isEnough, up(quotient, false, literal(1)), raised);
  const lowered = emitter.emit('SUB_INT', rest, emitter.emit('AND_INT', isMore, b));
  return [settled, emitter.emit('CNDE_INT', isEnough, up(rest, true, b), lowered)];
}

/** How many bits are set. */
function ones(emitter: Emitter, value: Source): Source {
  const masked = (from: Source, mask: number): Source => emitter.emit('AND_INT', from, literal(mask));
  const shifted = (from: Source, by: number): Source => emitter.emit('LSHR_INT', from, literal(by));
  const pairs = emitter.emit('SUB_INT', value, masked(shifted(value, 1), 0x55555555));
  const fours = emitter.emit('ADD_INT', masked(pairs, 0x33333333), masked(shifted(pairs, 2), 0x33333333));
  const bytes = masked(emitter.emit('ADD_INT', fours, shifted(fours, 4)), 0x0f0f0f0f);
  return shifted(emitter.emit('MULLO_INT', bytes, literal(0x01010101)), 24);
}

function leadingZeros(emitter: Emitter, value: Source): Source {
  let smeared = value;
  for (const by of [1, 2, 4, 8, 16]) {
    smeared = emitter.emit('OR_INT', smeared, emitter.emit('LSHR_INT', smeared, literal(by)));
  }
  return ones(emitter, emitter.emit('NOT_INT', smeared));
}

interface Comparison {
  /** What is behind SET or PRED. */
  readonly name: string;
  readonly isSwapped: boolean;
}

const comparisons: Readonly<Record<ir.CompareFunction, Comparison>> = {
  eq: { name: 'E_INT', isSwapped: false },
  ne: { name: 'NE_INT', isSwapped: false },
  slt: { name: 'GT_INT', isSwapped: true },
  sle: { name: 'GE_INT', isSwapped: true },
  sgt: { name: 'GT_INT', isSwapped: false },
  sge: { name: 'GE_INT', isSwapped: false },
  ult: { name: 'GT_UINT', isSwapped: true },
  ule: { name: 'GE_UINT', isSwapped: true },
  ugt: { name: 'GT_UINT', isSwapped: false },
  uge: { name: 'GE_UINT', isSwapped: false },
  feq: { name: 'E', isSwapped: false },
  fne: { name: 'NE', isSwapped: false },
  flt: { name: 'GT', isSwapped: true },
  fle: { name: 'GE', isSwapped: true },
  fgt: { name: 'GT', isSwapped: false },
  fge: { name: 'GE', isSwapped: false },
};

/** A truth value: all ones or zero. */
export function compareLane(emitter: Emitter, { fn }: ir.Compare, type: Type, a: Lane, b: Lane): Source {
  const { name, isSwapped } = comparisons[fn];
  const [first, second] = isSwapped ? [b, a] : [a, b];
  if (isDouble(type)) {
    if (name === 'NE') return emitter.emit('NOT_INT', doubleTruth(emitter, 'PREDE_64', a, b));
    return doubleTruth(emitter, `PRED${name}_64`, first, second);
  }
  const isFloat = fn.startsWith('f');
  return emitter.emit(`SET${name}${isFloat ? '_DX10' : ''}`, first[0]!, second[0]!);
}

/** Predicates are 0.0 where they hold. */
function doubleTruth(emitter: Emitter, name: string, a: Lane, b: Lane): Source {
  const [value] = emitter.emitWide(name, [...a, ...b], false);
  return emitter.emit('SETE_DX10', value!, zero);
}

/** Ends the block with the predicate that a comparison of words holds, or fails; undefined where that cannot be said so. */
export function comparePredicate(
  emitter: Emitter,
  { fn }: ir.Compare,
  [a, b]: readonly [Source, Source],
  holds: boolean,
): boolean {
  let { name, isSwapped } = comparisons[fn];
  if (!holds) {
    const opposite = opposites[name];
    // That a float is not greater does not say that it is at most as great.
    if (opposite === undefined) return false;
    name = opposite;
    if (name.startsWith('G')) isSwapped = !isSwapped;
  }
  emitter.predicate(`PRED${name}`, isSwapped ? [b, a] : [a, b]);
  return true;
}

const opposites: Readonly<Record<string, string>> = {
  E: 'NE',
  NE: 'E',
  E_INT: 'NE_INT',
  NE_INT: 'E_INT',
  GT_INT: 'GE_INT',
  GE_INT: 'GT_INT',
  GT_UINT: 'GE_UINT',
  GE_UINT: 'GT_UINT',
};

export interface Conversion {
  readonly fn: ir.ConvertFunction;
  readonly rounding: ir.RoundingMode | undefined;
  readonly isSaturating: boolean;
}

/** A float rounded as asked; conversions to integers cut off what is behind the point. */
function whole(emitter: Emitter, { rounding }: Conversion, value: Source): Source {
  if (rounding === 'rte') return emitter.emit('RNDNE', value);
  if (rounding === 'rtp') return emitter.emit('CEIL', value);
  return rounding === 'rtn' ? emitter.emit('FLOOR', value) : value;
}

export function convertLane(
  emitter: Emitter,
  conversion: Conversion,
  from: Type,
  to: Type,
  [word, high]: Lane,
): Lane {
  const { fn, isSaturating } = conversion;
  const value = word!;
  if (isDouble(from) && fn !== 'bitcast') {
    const [narrow] = emitter.emitWide('FLT64_TO_FLT32', [value, high!], false);
    if (fn === 'fnarrow') return [narrow!];
    return convertLane(emitter, conversion, f32, to, [narrow!]);
  }
  switch (fn) {
    case 'sext':
      return [value];
    case 'zext':
      if (elementOf(from).kind === 'bool') return [emitter.emit('AND_INT', value, literal(1))];
      return [zeroExtended(emitter, value, from)];
    case 'trunc':
      if (elementOf(to).kind === 'bool') return [emitter.emit('SETNE_INT', value, zero)];
      return [signExtended(emitter, value, to)];
    case 'stof':
    case 'utof': {
      const number =
        fn === 'stof'
          ? emitter.emit('INT_TO_FLT', value)
          : emitter.emit('UINT_TO_FLT', zeroExtended(emitter, value, from));
      return isDouble(to) ? emitter.emitWide('FLT32_TO_FLT64', [number], true) : [number];
    }
    case 'ftos':
      return [
        signExtended(
          emitter,
          clamped(
            emitter,
            emitter.emit('FLT_TO_INT', whole(emitter, conversion, value)),
            to,
            isSaturating,
            true,
          ),
          to,
        ),
      ];
    case 'ftou':
      return [
        signExtended(
          emitter,
          clamped(
            emitter,
            emitter.emit('FLT_TO_UINT', whole(emitter, conversion, value)),
            to,
            isSaturating,
            false,
          ),
          to,
        ),
      ];
    case 'fwiden':
      return emitter.emitWide('FLT32_TO_FLT64', [value], true);
    default:
      throw new R600Error(`the conversion '${fn}' has no instructions`, emitter.span);
  }
}

/** The instructions saturate to 32 bits by themselves. */
function clamped(
  emitter: Emitter,
  value: Source,
  to: Type,
  isSaturating: boolean,
  isSigned: boolean,
): Source {
  const bits = shortBits(to);
  if (bits === undefined || !isSaturating) return value;
  if (!isSigned) return emitter.emit('MIN_UINT', value, literal(2 ** bits - 1));
  const most = 2 ** (bits - 1) - 1;
  return emitter.emit('MAX_INT', emitter.emit('MIN_INT', value, literal(most)), literal(-most - 1));
}
