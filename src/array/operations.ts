/**
 * The operations on elements: for each the types that it computes in and gives, and its code in OpenCL C. What they do is what
 * NumPy's functions of these names do.
 */
import { invalid } from './errors.ts';
import { floatFor, isFloat, type NumberType, numberTypes, promote } from './number-types.ts';

export interface Operation {
  /** Of its operands once they are converted, in their order, and of the result. @throws OpenCLError for types that it has not */
  types(operands: readonly NumberType[]): { readonly of: readonly NumberType[]; readonly result: NumberType };
  /** @param type what the first operand is converted to, and `other` the last one, which is mostly the same */
  code(operands: readonly string[], type: NumberType, other: NumberType): string;
  /** Functions that the code calls, by their text. */
  helpers?(type: NumberType): string;
}

const c = (type: NumberType): string => numberTypes[type].c;
const common = (operands: readonly NumberType[]): NumberType => operands.reduce(promote);
const same = (type: NumberType, operands: readonly NumberType[], result = type) => ({
  of: operands.map(() => type),
  result,
});

type Code = (operands: readonly string[], type: NumberType) => string;
/** Two numbers of their common type give one of it; C computes small integers as ints. */
const arithmetic = (code: Code, noBool?: string, helpers?: Operation['helpers']): Operation => ({
  types(operands) {
    const type = common(operands);
    if (type === 'bool' && noBool) throw invalid(noBool);
    return same(type, operands);
  },
  code: (operands, type) => `(${c(type)})(${code(operands, type)})`,
  ...(helpers ? { helpers } : {}),
});
const integers = (name: string, code: Code): Operation => ({
  types(operands) {
    const type = common(operands);
    if (isFloat(type)) throw invalid(`${name} is for integers and bool, not for ${type}`);
    return same(type, operands);
  },
  code: (operands, type) => `(${c(type)})(${code(operands, type)})`,
});
/** No type has all values of int64 and uint64; their comparison is exact nevertheless, as in NumPy. */
const comparison = (sign: string): Operation => ({
  types(operands) {
    const isMixed = operands.includes('uint64') && operands.some(isSigned);
    if (!isMixed) return same(common(operands), operands, 'bool');
    return { of: operands.map((type) => (isSigned(type) ? 'int64' : 'uint64')), result: 'bool' };
  },
  code([a, b], type, other) {
    if (type === other) return `(uchar)(${a} ${sign} ${b})`;
    if (type === 'int64') return `(uchar)(${a} < 0 ? -1 ${sign} 0 : (ulong)${a} ${sign} ${b})`;
    return `(uchar)(${b} < 0 ? 0 ${sign} -1 : ${a} ${sign} (ulong)${b})`;
  },
});
const isSigned = (type: NumberType | undefined): boolean =>
  type !== undefined && numberTypes[type].kind === 'signed';
/** Functions of floats; integers are converted. */
const floating = (code: string | Code): Operation => ({
  types: (operands) => same(floatFor(common(operands)), operands),
  code: typeof code === 'string' ? (operands) => `${code}(${operands.join(', ')})` : code,
});
/** What leaves integers as they are. */
const rounding = (name: string): Operation => ({
  types: (operands) => same(operands[0]!, operands),
  code: ([a], type) => (isFloat(type) ? `${name}(${a})` : a!),
});
const test = (name: string, ofIntegers: string): Operation => ({
  types: ([type]) => ({ of: [type!], result: 'bool' }),
  code: ([a], type) => (isFloat(type) ? `(uchar)(${name}(${a}) != 0)` : `(uchar)${ofIntegers}`),
});
const logical = (code: Code): Operation => ({
  types: (operands) => same('bool', operands),
  code: (operands, type) => `(uchar)(${code(operands, type)})`,
});

const number = (type: NumberType, value: string): string => `(${c(type)})${value}`;

/** Smaller or larger; a NaN if there is one. */
const extreme =
  (sign: string): Code =>
  ([a, b], type) =>
    isFloat(type) ? `(${a} ${sign} ${b} || isnan(${a})) ? ${a} : ${b}` : `${a} ${sign} ${b} ? ${a} : ${b}`;

const floorDivide = (type: NumberType): string => {
  const t = c(type);
  const name = `floor_divide_${t}`;
  if (!isFloat(type)) {
    const adjust = isSigned(type) ? ' - ((a % b != 0) && ((a < 0) != (b < 0)))' : '';
    const overflow = isSigned(type) ? `if (b == -1) return (${t})(0 - a); ` : '';
    return `static ${t} ${name}(${t} a, ${t} b) { if (b == 0) return 0; ${overflow}return (${t})(a / b${adjust}); }\n`;
  }
  return `static ${t} ${name}(${t} a, ${t} b) {
  if (b == 0) return a / b;
  ${t} m = fmod(a, b);
  ${t} d = (a - m) / b;
  if (m != 0 && ((b < 0) != (m < 0))) d -= 1;
  if (d == 0) return copysign((${t})0, a / b);
  ${t} f = floor(d);
  return d - f > (${t})0.5 ? f + 1 : f;
}\n`;
};
const remainder = (type: NumberType): string => {
  const t = c(type);
  const name = `remainder_${t}`;
  if (!isFloat(type)) {
    const overflow = isSigned(type) ? 'if (b == -1) return 0; ' : '';
    const adjust = isSigned(type) ? `if (m != 0 && ((m < 0) != (b < 0))) m = (${t})(m + b); ` : '';
    return `static ${t} ${name}(${t} a, ${t} b) { if (b == 0) return 0; ${overflow}${t} m = (${t})(a % b); ${adjust}return m; }\n`;
  }
  return `static ${t} ${name}(${t} a, ${t} b) {
  ${t} m = fmod(a, b);
  if (b == 0) return m;
  if (m == 0) return copysign((${t})0, b);
  return (b < 0) != (m < 0) ? m + b : m;
}\n`;
};
const integerPower = (type: NumberType): string => {
  if (isFloat(type)) return '';
  const t = c(type);
  const negative = isSigned(type)
    ? 'if (n < 0) return a == 1 ? 1 : a == -1 ? ((n & 1) ? -1 : 1) : 0;\n  '
    : '';
  return `static ${t} power_${t}(${t} a, ${t} n) {
  ${negative}${t} result = 1;
  while (n != 0) { if (n & 1) result = (${t})(result * a); a = (${t})(a * a); n = (${t})(n >> 1); }
  return result;
}\n`;
};

/** A shift by the width or more takes all bits. */
const shift =
  (sign: string): Code =>
  ([a, b], type) => {
    const bits = 8 * numberTypes[type].bytes;
    const all = sign === '>>' && isSigned(type) ? `${a} < 0 ? -1 : 0` : '0';
    const fits = `(ulong)${b} < ${bits}`;
    return `${fits} ? ${a} ${sign} (${b} & ${bits - 1}) : (${all})`;
  };

export const operations = {
  add: arithmetic(([a, b], type) => (type === 'bool' ? `${a} | ${b}` : `${a} + ${b}`)),
  sub: arithmetic(([a, b]) => `${a} - ${b}`, 'sub is not defined for bool; use notEqual'),
  mul: arithmetic(([a, b]) => `${a} * ${b}`),
  div: {
    types: (operands) => {
      const type = common(operands);
      return same(isFloat(type) ? type : 'float64', operands);
    },
    code: ([a, b]) => `(${a} / ${b})`,
  },
  floorDiv: arithmetic(
    (operands, type) => `floor_divide_${c(type)}(${operands.join(', ')})`,
    'floorDiv is not defined for bool',
    floorDivide,
  ),
  mod: arithmetic(
    (operands, type) => `remainder_${c(type)}(${operands.join(', ')})`,
    'mod is not defined for bool',
    remainder,
  ),
  pow: arithmetic(
    (operands, type) => `${isFloat(type) ? 'pow' : `power_${c(type)}`}(${operands.join(', ')})`,
    'pow is not defined for bool',
    integerPower,
  ),
  minimum: arithmetic(extreme('<')),
  maximum: arithmetic(extreme('>')),
  fmin: arithmetic((operands, type) => `${isFloat(type) ? 'fmin' : 'min'}(${operands.join(', ')})`),
  fmax: arithmetic((operands, type) => `${isFloat(type) ? 'fmax' : 'max'}(${operands.join(', ')})`),
  bitAnd: integers('bitAnd', ([a, b]) => `${a} & ${b}`),
  bitOr: integers('bitOr', ([a, b]) => `${a} | ${b}`),
  bitXor: integers('bitXor', ([a, b]) => `${a} ^ ${b}`),
  shiftLeft: integers('shiftLeft', shift('<<')),
  shiftRight: integers('shiftRight', shift('>>')),
  bitNot: integers('bitNot', ([a], type) => (type === 'bool' ? `!${a}` : `~${a}`)),
  equal: comparison('=='),
  notEqual: comparison('!='),
  less: comparison('<'),
  lessEqual: comparison('<='),
  greater: comparison('>'),
  greaterEqual: comparison('>='),
  and: logical(([a, b]) => `${a} && ${b}`),
  or: logical(([a, b]) => `${a} || ${b}`),
  xor: logical(([a, b]) => `${a} != ${b}`),
  not: logical(([a]) => `!${a}`),
  neg: arithmetic(
    ([a], type) => (isFloat(type) ? `-${a}` : `0 - ${a}`),
    'neg is not defined for bool; use not',
  ),
  abs: arithmetic(([a], type) => {
    if (isFloat(type)) return `fabs(${a})`;
    return isSigned(type) ? `${a} < 0 ? 0 - ${a} : ${a}` : a!;
  }),
  sign: arithmetic(
    ([a], type) =>
      isFloat(type)
        ? `isnan(${a}) ? ${a} : ${number(type, '1')} * ((${a} > 0) - (${a} < 0))`
        : isSigned(type)
          ? `(${a} > 0) - (${a} < 0)`
          : `${a} > 0`,
    'sign is not defined for bool',
  ),
  square: arithmetic(([a]) => `${a} * ${a}`),
  reciprocal: floating(([a], type) => `(${number(type, '1')} / ${a})`),
  floor: rounding('floor'),
  ceil: rounding('ceil'),
  trunc: rounding('trunc'),
  round: rounding('rint'),
  sqrt: floating('sqrt'),
  cbrt: floating('cbrt'),
  exp: floating('exp'),
  exp2: floating('exp2'),
  expm1: floating('expm1'),
  log: floating('log'),
  log2: floating('log2'),
  log10: floating('log10'),
  log1p: floating('log1p'),
  sin: floating('sin'),
  cos: floating('cos'),
  tan: floating('tan'),
  asin: floating('asin'),
  acos: floating('acos'),
  atan: floating('atan'),
  sinh: floating('sinh'),
  cosh: floating('cosh'),
  tanh: floating('tanh'),
  asinh: floating('asinh'),
  acosh: floating('acosh'),
  atanh: floating('atanh'),
  erf: floating('erf'),
  atan2: floating('atan2'),
  hypot: floating('hypot'),
  copySign: floating('copysign'),
  fmod: floating('fmod'),
  isNaN: test('isnan', '0'),
  isInfinite: test('isinf', '0'),
  isFinite: test('isfinite', '1'),
  where: {
    types: ([, ...values]) => {
      const type = common(values);
      return { of: ['bool', type, type], result: type };
    },
    code: ([condition, a, b]) => `(${condition} ? ${a} : ${b})`,
  },
} satisfies Readonly<Record<string, Operation>>;

export type OperationName = keyof typeof operations;
