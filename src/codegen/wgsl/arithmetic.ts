/** Unary and binary operations and comparisons: a text for one lane, or for all lanes of a native vector where WGSL has that. */
import type * as ir from '../../ir/ir.ts';
import { elementOf, type Type } from '../../ir/types.ts';
import type { RuntimeName } from './runtime.ts';
import { isNativeVector, shapedAs } from './types.ts';

/** Names a function of the runtime, which the program then gets. */
export type Use = (name: RuntimeName) => string;

/** The text of an operation on operands of `type`: a scalar, or a native vector if {@link hasVectorForm}. */
export interface Operation {
  readonly type: Type;
  readonly use: Use;
}

/** Bits of narrow integers; undefined for others. */
export function narrowBits(type: Type): 8 | 16 | undefined {
  const element = elementOf(type);
  if (element.kind !== 'int') return undefined;
  return element.bits === 8 || element.bits === 16 ? element.bits : undefined;
}

/** A constant in every lane. */
function every(type: Type, value: number): string {
  const text = value > 0xffff ? `0x${value.toString(16)}u` : `${value}u`;
  return type.kind === 'vector' ? `${shapedAs(type, 'u32')}(${text})` : text;
}

/** The number that a text is; undefined for what is no constant. */
function constantOf(text: string): number | undefined {
  return /^(0x[0-9a-f]+|\d+)u$/.test(text) ? Number(text.slice(0, -1)) : undefined;
}

/** A narrow integer with its sign above, as i32. */
export function signedText(type: Type, a: string): string {
  const i = shapedAs(type, 'i32');
  const bits = narrowBits(type);
  const constant = type.kind === 'vector' ? undefined : constantOf(a);
  if (constant !== undefined && constant < 2 ** ((bits ?? 32) - 1)) return `${constant}i`;
  if (bits === undefined) return `${i}(${a})`;
  const shift = every(type, 32 - bits);
  return `(${i}(${a} << ${shift}) >> ${shift})`;
}

/** Keeps the bits that the type has. */
export function masked(type: Type, text: string): string {
  const bits = narrowBits(type);
  return bits === undefined ? text : `((${text}) & ${every(type, 2 ** bits - 1)})`;
}

const floatHelpers: ReadonlySet<string> = new Set(['fdiv', 'fmin', 'fmax', 'fcopysign', 'fsqrt']);

/** Whether whole native vectors can be operated on. */
export function hasVectorForm(fn: string, type: Type): boolean {
  if (!isNativeVector(type)) return false;
  const { element } = type;
  if (element.kind === 'float') return element.bits === 32 && !floatHelpers.has(fn);
  return fn !== 'smulhi' && fn !== 'umulhi';
}

export function unaryText({ type, use }: Operation, fn: ir.UnaryFunction, a: string): string {
  const element = elementOf(type);
  if (element.kind === 'float') return floatUnary({ type, use }, fn, a, element.bits);
  if (element.kind === 'bool') return `!${a}`;
  if (element.kind === 'int' && element.bits === 64) {
    switch (fn) {
      case 'not':
        return `~${a}`;
      case 'clz':
        return `vec2<u32>(${use('i64_clz')}(${a}), 0u)`;
      case 'ctz':
        return `vec2<u32>(${use('i64_ctz')}(${a}), 0u)`;
      default:
        return `vec2<u32>(countOneBits(${a}.x) + countOneBits(${a}.y), 0u)`;
    }
  }
  const bits = narrowBits(type);
  switch (fn) {
    case 'not':
      return masked(type, `~${a}`);
    case 'clz':
      return bits === undefined
        ? `countLeadingZeros(${a})`
        : `(countLeadingZeros(${a}) - ${every(type, 32 - bits)})`;
    case 'ctz':
      return bits === undefined
        ? `countTrailingZeros(${a})`
        : `countTrailingZeros(${a} | ${every(type, 2 ** bits)})`;
    default:
      return `countOneBits(${a})`;
  }
}

function floatUnary({ use }: Operation, fn: ir.UnaryFunction, a: string, bits: 16 | 32 | 64): string {
  if (bits === 16) {
    if (fn === 'fneg') return `(${a} ^ 0x8000u)`;
    if (fn === 'fabs') return `(${a} & 0x7fffu)`;
    const wide = `${use('f32_of_f16')}(${a})`;
    if (fn === 'fsqrt') return `${use('f16_of_f32')}(${use('f32_sqrt_exact')}(${wide}), 0u)`;
    return `${use('f16_of_f32')}(${floatUnary({ type: { kind: 'float', bits: 32 }, use }, fn, wide, 32)}, 0u)`;
  }
  if (bits === 64) return `${use(doubleUnary[fn as keyof typeof doubleUnary])}(${a})`;
  switch (fn) {
    case 'fneg':
      return `-${a}`;
    case 'fabs':
      return `abs(${a})`;
    case 'fsqrt':
      return `${use('f32_sqrt')}(${a})`;
    case 'ffloor':
      return `floor(${a})`;
    case 'fceil':
      return `ceil(${a})`;
    case 'ftrunc':
      return `trunc(${a})`;
    default:
      return `round(${a})`;
  }
}

const doubleUnary = {
  fneg: 'f64_neg',
  fabs: 'f64_abs',
  fsqrt: 'f64_sqrt',
  ffloor: 'f64_floor',
  fceil: 'f64_ceil',
  ftrunc: 'f64_trunc',
  frint: 'f64_rint',
} as const;

const doubleBinary = {
  fadd: 'f64_add',
  fsub: 'f64_sub',
  fmul: 'f64_mul',
  fdiv: 'f64_div',
  fmin: 'f64_min',
  fmax: 'f64_max',
  fcopysign: 'f64_copysign',
} as const;

const plain: Readonly<Record<string, string>> = {
  iadd: '+',
  isub: '-',
  imul: '*',
  and: '&',
  or: '|',
  xor: '^',
  fadd: '+',
  fsub: '-',
  fmul: '*',
};

const wideNames: Readonly<Record<string, RuntimeName>> = {
  iadd: 'i64_add',
  isub: 'i64_sub',
  imul: 'i64_mul',
  sdiv: 'i64_div',
  udiv: 'u64_div',
  srem: 'i64_rem',
  urem: 'u64_rem',
  smulhi: 'i64_mulhi',
  umulhi: 'u64_mulhi',
};

const wideShifts: Readonly<Record<string, RuntimeName>> = {
  shl: 'i64_shl',
  sshr: 'i64_shr',
  ushr: 'u64_shr',
  rotl: 'i64_rotl',
};

const floatNames: Readonly<Record<string, RuntimeName>> = {
  fdiv: 'f32_div',
  fmin: 'f32_min',
  fmax: 'f32_max',
  fcopysign: 'f32_copysign',
};

export function binaryText({ type, use }: Operation, fn: ir.BinaryFunction, a: string, b: string): string {
  const element = elementOf(type);
  if (element.kind === 'bool') return fn === 'xor' ? `(${a} != ${b})` : `(${a} ${plain[fn]} ${b})`;
  if (element.kind === 'float') {
    if (element.bits === 16) {
      if (fn === 'fcopysign') return `((${a} & 0x7fffu) | (${b} & 0x8000u))`;
      const [x, y] = [a, b].map((each) => `${use('f32_of_f16')}(${each})`) as [string, string];
      if (fn === 'fdiv') return `${use('f16_of_f32')}(${use('f32_div_exact')}(${x}, ${y}), 0u)`;
      return `${use('f16_of_f32')}(${binaryText({ type: { kind: 'float', bits: 32 }, use }, fn, x, y)}, 0u)`;
    }
    if (element.bits === 64) return `${use(doubleBinary[fn as keyof typeof doubleBinary])}(${a}, ${b})`;
    const name = floatNames[fn];
    return name ? `${use(name)}(${a}, ${b})` : `(${a} ${plain[fn]} ${b})`;
  }
  if (element.kind === 'int' && element.bits === 64) return wideBinary(use, fn, a, b);
  const bits = narrowBits(type);
  const u = shapedAs(type, 'u32');
  const count = (): string => {
    const constant = type.kind === 'vector' ? undefined : constantOf(b);
    const mask = (bits ?? 32) - 1;
    return constant === undefined ? `(${b} & ${every(type, mask)})` : `${constant & mask}u`;
  };
  switch (fn) {
    case 'iadd':
    case 'isub':
    case 'imul':
      return masked(type, `(${a} ${plain[fn]} ${b})`);
    case 'and':
    case 'or':
    case 'xor':
      return `(${a} ${plain[fn]} ${b})`;
    case 'sdiv':
    case 'srem':
      return masked(type, `${u}(${signedText(type, a)} ${fn === 'sdiv' ? '/' : '%'} ${signedText(type, b)})`);
    case 'udiv':
      return `(${a} / ${b})`;
    case 'urem':
      return `(${a} % ${b})`;
    case 'shl':
      return masked(type, `(${a} << ${count()})`);
    case 'ushr':
      return `(${a} >> ${count()})`;
    case 'sshr':
      return masked(type, `${u}(${signedText(type, a)} >> ${count()})`);
    case 'rotl': {
      const width = bits ?? 32;
      const back = `((${every(type, width)} - ${count()}) & ${every(type, width - 1)})`;
      return masked(type, `((${a} << ${count()}) | (${a} >> ${back}))`);
    }
    case 'smin':
    case 'smax':
      return masked(
        type,
        `${u}(${fn === 'smin' ? 'min' : 'max'}(${signedText(type, a)}, ${signedText(type, b)}))`,
      );
    case 'umin':
      return `min(${a}, ${b})`;
    case 'umax':
      return `max(${a}, ${b})`;
    case 'smulhi':
      return bits === undefined
        ? `${use('i32_mulhi')}(${a}, ${b})`
        : masked(type, `u32((${signedText(type, a)} * ${signedText(type, b)}) >> ${bits}u)`);
    default:
      return bits === undefined ? `${use('u32_mulhi')}(${a}, ${b})` : `((${a} * ${b}) >> ${bits}u)`;
  }
}

function wideBinary(use: Use, fn: ir.BinaryFunction, a: string, b: string): string {
  const name = wideNames[fn];
  if (name) return `${use(name)}(${a}, ${b})`;
  const shift = wideShifts[fn];
  if (shift) return `${use(shift)}(${a}, ${b}.x)`;
  switch (fn) {
    case 'smin':
      return `select(${b}, ${a}, ${use('i64_lt')}(${a}, ${b}))`;
    case 'smax':
      return `select(${a}, ${b}, ${use('i64_lt')}(${a}, ${b}))`;
    case 'umin':
      return `select(${b}, ${a}, ${use('u64_lt')}(${a}, ${b}))`;
    case 'umax':
      return `select(${a}, ${b}, ${use('u64_lt')}(${a}, ${b}))`;
    default:
      return `(${a} ${plain[fn]} ${b})`;
  }
}

const comparisons: Readonly<Record<ir.CompareFunction, string>> = {
  eq: '==',
  ne: '!=',
  slt: '<',
  sle: '<=',
  sgt: '>',
  sge: '>=',
  ult: '<',
  ule: '<=',
  ugt: '>',
  uge: '>=',
  feq: '==',
  fne: '!=',
  flt: '<',
  fle: '<=',
  fgt: '>',
  fge: '>=',
};

/** The text of a comparison of operands of `type`, which is a bool for each lane. */
export function compareText({ type, use }: Operation, fn: ir.CompareFunction, a: string, b: string): string {
  const element = elementOf(type);
  const operator = comparisons[fn];
  if (element.kind === 'float') {
    if (element.bits === 16) {
      const wide = `${use('f32_of_f16')}(${a}) ${fn === 'fne' ? '==' : operator} ${use('f32_of_f16')}(${b})`;
      return fn === 'fne' ? `!(${wide})` : `(${wide})`;
    }
    if (element.bits === 64) {
      if (fn === 'feq' || fn === 'fne') return `${fn === 'fne' ? '!' : ''}${use('f64_eq')}(${a}, ${b})`;
      const [x, y] = fn === 'fgt' || fn === 'fge' ? [b, a] : [a, b];
      return `${use(fn === 'flt' || fn === 'fgt' ? 'f64_lt' : 'f64_le')}(${x}, ${y})`;
    }
    // Tests for NaN are written so; WGSL may take them for never true.
    if (a === b && type.kind !== 'vector') {
      if (fn === 'fne') return `${use('f32_is_nan')}(${a})`;
      if (fn === 'feq' || fn === 'fle' || fn === 'fge') return `!${use('f32_is_nan')}(${a})`;
    }
    // WGSL's own != is false with NaN on some machines.
    return fn === 'fne' ? `!(${a} == ${b})` : `(${a} ${operator} ${b})`;
  }
  if (element.kind === 'int' && element.bits === 64) {
    if (fn === 'eq') return `${use('i64_eq')}(${a}, ${b})`;
    if (fn === 'ne') return `!${use('i64_eq')}(${a}, ${b})`;
    const less = use(fn.startsWith('s') ? 'i64_lt' : 'u64_lt');
    if (fn === 'slt' || fn === 'ult') return `${less}(${a}, ${b})`;
    if (fn === 'sgt' || fn === 'ugt') return `${less}(${b}, ${a})`;
    return fn === 'sle' || fn === 'ule' ? `!${less}(${b}, ${a})` : `!${less}(${a}, ${b})`;
  }
  if (fn.startsWith('s')) return `(${signedText(type, a)} ${operator} ${signedText(type, b)})`;
  return `(${a} ${operator} ${b})`;
}
