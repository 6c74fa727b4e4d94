/** The functions whose accuracy is measured: how to call them, what is allowed, where arguments matter. */

export type Range = readonly [low: number, high: number];

export interface MeasuredFunction {
  /** The name in the table and of the reference. */
  readonly name: string;
  /** The expression in OpenCL C, of x, y and z; an int `n` is the second argument as an integer. */
  readonly call: string;
  readonly arguments: 1 | 2 | 3;
  /** Allowed error in units in the last place for float and double (OpenCL 1.2, 7.4); undefined for none. */
  readonly float: number | undefined;
  readonly double: number | undefined;
  /** Where arguments are sampled, besides all bit patterns. */
  readonly ranges: readonly Range[];
  /** The second argument is a whole number from this range. */
  readonly whole?: Range;
  /** Not for double. */
  readonly onlyFloat?: true;
  readonly reference?: string;
}

const near: readonly Range[] = [
  [-1, 1],
  [-10, 10],
  [-1000, 1000],
];
const unit: readonly Range[] = [
  [-1, 1],
  [-0.01, 0.01],
  [0.99, 1],
];
const positive: readonly Range[] = [
  [0, 1],
  [0.9, 1.1],
  [0, 1000],
];
const powers: readonly Range[] = [
  [-3, 3],
  [-110, 100],
  [-750, 720],
];
const angles: readonly Range[] = [
  [-4, 4],
  [-1000, 1000],
  [-1e7, 1e7],
];

/**
 * Allowed error for half in units in the last place (cl_khr_fp16, table 9.x of the OpenCL 1.2 extensions), where that
 * is not 2. What is exact or correctly rounded for float is so for half.
 */
const halfBounds: Readonly<Record<string, number>> = {
  divide: 1,
  recip: 1,
  rsqrt: 1,
  erf: 4,
  erfc: 4,
  pow: 4,
  pown: 4,
  powr: 4,
  rootn: 4,
  tgamma: 4,
  sqrt: 0.5,
};

/** Allowed error of a function for half; undefined for none. */
export function halfBound({ name, float }: MeasuredFunction): number | undefined {
  if (float === undefined || float <= 0.5) return float;
  return halfBounds[name] ?? 2;
}

function unary(
  name: string,
  float: number | undefined,
  double: number | undefined,
  ranges: readonly Range[] = near,
): MeasuredFunction {
  return { name, call: `${name}(x)`, arguments: 1, float, double, ranges };
}

function binary(
  name: string,
  float: number | undefined,
  double: number | undefined,
  ranges: readonly Range[] = near,
): MeasuredFunction {
  return { name, call: `${name}(x, y)`, arguments: 2, float, double, ranges };
}

/** half_ and native_ functions, whose reference is the full one. */
function approximate(name: string, ranges: readonly Range[], float: number | undefined): MeasuredFunction {
  const call = /divide|powr/.test(name) ? `${name}(x, y)` : `${name}(x)`;
  const count = call.includes('y') ? 2 : 1;
  const reference = name.replace(/^(half|native)_/, '');
  return { name, call, arguments: count, float, double: undefined, ranges, onlyFloat: true, reference };
}

const fastRanges: Readonly<Record<string, readonly Range[]>> = {
  cos: [[-65536, 65536]],
  divide: near,
  exp: powers,
  exp2: powers,
  exp10: powers,
  log: positive,
  log2: positive,
  log10: positive,
  powr: positive,
  recip: near,
  rsqrt: positive,
  sin: [[-65536, 65536]],
  sqrt: positive,
  tan: [[-65536, 65536]],
};

export const measuredFunctions: readonly MeasuredFunction[] = [
  { name: 'add', call: 'x + y', arguments: 2, float: 0.5, double: 0.5, ranges: near },
  { name: 'subtract', call: 'x - y', arguments: 2, float: 0.5, double: 0.5, ranges: near },
  { name: 'multiply', call: 'x * y', arguments: 2, float: 0.5, double: 0.5, ranges: near },
  { name: 'divide', call: 'x / y', arguments: 2, float: 2.5, double: 0.5, ranges: near },
  { name: 'recip', call: '1 / x', arguments: 1, float: 2.5, double: 0.5, ranges: near },
  unary('acos', 4, 4, unit),
  unary('acosh', 4, 4, [
    [1, 1.01],
    [1, 1000],
  ]),
  unary('acospi', 5, 5, unit),
  unary('asin', 4, 4, unit),
  unary('asinh', 4, 4),
  unary('asinpi', 5, 5, unit),
  unary('atan', 5, 5),
  binary('atan2', 6, 6),
  unary('atanh', 5, 5, unit),
  unary('atanpi', 5, 5),
  binary('atan2pi', 6, 6),
  unary('cbrt', 2, 2),
  unary('ceil', 0, 0),
  binary('copysign', 0, 0),
  unary('cos', 4, 4, angles),
  unary('cosh', 4, 4, powers),
  unary('cospi', 4, 4, near),
  unary('erfc', 16, 16, [
    [-6, 6],
    [0, 28],
  ]),
  unary('erf', 16, 16, [
    [-1, 1],
    [-6, 6],
  ]),
  unary('exp', 3, 3, powers),
  unary('exp2', 3, 3, powers),
  unary('exp10', 3, 3, [
    [-3, 3],
    [-46, 39],
    [-326, 310],
  ]),
  unary('expm1', 3, 3, powers),
  unary('fabs', 0, 0),
  binary('fdim', 0.5, 0.5),
  unary('floor', 0, 0),
  { name: 'fma', call: 'fma(x, y, z)', arguments: 3, float: 0.5, double: 0.5, ranges: near },
  binary('fmax', 0, 0),
  binary('fmin', 0, 0),
  binary('fmod', 0, 0),
  { name: 'fract', call: 'fract(x, &t)', arguments: 1, float: 0.5, double: 0.5, ranges: near },
  binary('hypot', 4, 4),
  unary('lgamma', undefined, undefined, [
    [-10, 10],
    [0, 200],
  ]),
  unary('log', 3, 3, positive),
  unary('log2', 3, 3, positive),
  unary('log10', 3, 3, positive),
  unary('log1p', 2, 2, [
    [-1, 1],
    [-0.01, 0.01],
    [0, 1000],
  ]),
  binary('maxmag', 0, 0),
  binary('minmag', 0, 0),
  binary('pow', 16, 16, positive),
  { ...binary('pown', 16, 16, near), call: 'pown(x, n)', whole: [-40, 40] },
  binary('powr', 16, 16, positive),
  binary('remainder', 0, 0),
  {
    name: 'remquo',
    call: 'remquo(x, y, &n)',
    arguments: 2,
    float: 0,
    double: 0,
    ranges: near,
    reference: 'remainder',
  },
  { name: 'remquo_quotient', call: '(remquo(x, y, &n), n)', arguments: 2, float: 0, double: 0, ranges: near },
  unary('rint', 0, 0),
  { ...binary('rootn', 16, 16, near), call: 'rootn(x, n)', whole: [-40, 40] },
  unary('round', 0, 0),
  unary('rsqrt', 2, 2, positive),
  unary('sin', 4, 4, angles),
  {
    name: 'sincos',
    call: 'sincos(x, &t)',
    arguments: 1,
    float: 4,
    double: 4,
    ranges: angles,
    reference: 'sin',
  },
  unary('sinh', 4, 4, powers),
  unary('sinpi', 4, 4, near),
  unary('sqrt', 3, 0.5, positive),
  unary('tan', 5, 5, angles),
  unary('tanh', 5, 5, [
    [-3, 3],
    [-30, 30],
  ]),
  unary('tanpi', 6, 6, near),
  unary('tgamma', 16, 16, [
    [-5, 5],
    [-45, 36],
    [-185, 172],
  ]),
  unary('trunc', 0, 0),
  ...Object.entries(fastRanges).map(([name, ranges]) => approximate(`half_${name}`, ranges, 8192)),
  ...Object.entries(fastRanges).map(([name, ranges]) => approximate(`native_${name}`, ranges, undefined)),
];
