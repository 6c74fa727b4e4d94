/**
 * What each function should give: a number where doubles are exact or a special case decides, else a real number to a
 * hundred bits and more.
 *
 * The sign of zeros and the special cases follow C99's annex F and OpenCL 1.2, 7.5.1.
 */
import * as elementary from './elementary.ts';
import { pi } from './elementary.ts';
import { add, divide, fromNumber, isLess, multiply, negate, one, type Real, sqrt } from './real.ts';
import * as special from './special.ts';

/** The exact result, for the arguments as doubles; `largest` is the largest number below 1 of the type. */
export type Reference = (x: number, y: number, z: number, largest: number) => number | Real;

/** A function whose zeros, infinities and NaNs are those of a function of doubles. */
function like(model: (x: number) => number, real: (x: Real) => Real): Reference {
  return (x) => {
    const value = model(x);
    return Number.isFinite(value) && value !== 0 ? real(fromNumber(x)) : value;
  };
}

function overPi(real: (x: Real) => Real): (x: Real) => Real {
  return (x) => divide(real(x), pi);
}

/** The whole number nearest to x, ties to even. */
export function roundEven(x: number): number {
  const below = Math.floor(x);
  const rest = x - below;
  if (!(rest > 0) || rest < 0.5) return rest > 0 && below === 0 ? 0 : below === x ? x : below;
  const up = rest > 0.5 || below % 2 !== 0;
  return up ? (below === -1 ? -0 : below + 1) : below;
}

function roundAway(x: number): number {
  const whole = Math.trunc(x);
  return Math.abs(x - whole) >= 0.5 ? whole + Math.sign(x) : whole;
}

const isOdd = (y: number): boolean => Math.abs(y % 2) === 1;

const sinpi: Reference = (x) => {
  if (!Number.isFinite(x)) return Number.NaN;
  return Number.isInteger(x) ? x * 0 : elementary.sinpi(fromNumber(x));
};

const cospi: Reference = (x) => {
  if (!Number.isFinite(x)) return Number.NaN;
  return Number.isInteger(x - 0.5) && Math.abs(x) < 2 ** 52 ? 0 : elementary.cospi(fromNumber(x));
};

const tanpi: Reference = (x) => {
  if (!Number.isFinite(x)) return Number.NaN;
  const sign = x < 0 || Object.is(x, -0) ? -1 : 1;
  const size = Math.abs(x);
  if (Number.isInteger(size)) return sign * (isOdd(size) ? -0 : 0);
  if (size % 1 === 0.5) return sign * (isOdd(size - 0.5) ? -Infinity : Infinity);
  return elementary.tanpi(fromNumber(x));
};

/** C's pow where doubles decide; a finite result is computed. */
function pow(x: number, y: number): number | Real {
  if (x === 1 || y === 0 || (x === -1 && Math.abs(y) === Infinity)) return 1;
  if (!Number.isFinite(x) || !Number.isFinite(y) || x === 0) return x ** y;
  if (x < 0 && !Number.isInteger(y)) return Number.NaN;
  const logarithm = y * Math.log2(Math.abs(x));
  const sign = x < 0 && isOdd(y) ? -1 : 1;
  if (logarithm > 1100) return sign * Infinity;
  if (logarithm < -1300) return sign * 0;
  return special.pow(fromNumber(x), fromNumber(y), isOdd(y));
}

function powr(x: number, y: number): number | Real {
  if (Number.isNaN(x) || Number.isNaN(y) || x < 0) return Number.NaN;
  if (x === 0) return y === 0 ? Number.NaN : y < 0 ? Infinity : 0;
  if (x === 1) return Math.abs(y) === Infinity ? Number.NaN : 1;
  if (x === Infinity && y === 0) return Number.NaN;
  return pow(x, y);
}

function rootn(x: number, n: number): number | Real {
  if (n === 0 || Number.isNaN(x) || (x < 0 && !isOdd(n))) return Number.NaN;
  if (x === 0 || Math.abs(x) === Infinity) {
    const size = (x === 0) === n > 0 ? 0 : Infinity;
    return isOdd(n) && (x < 0 || Object.is(x, -0)) ? -size : size;
  }
  return special.root(fromNumber(x), n);
}

function gamma(x: number): number | Real {
  if (x === 0) return 1 / x;
  if (Number.isNaN(x) || x === -Infinity || (x < 0 && Number.isInteger(x))) return Number.NaN;
  if (x > 200) return Infinity;
  if (x < -250) return isOdd(Math.floor(x)) ? -0 : 0;
  return special.gamma(fromNumber(x));
}

function logGamma(x: number): number | Real {
  if (Number.isNaN(x)) return x;
  if (Math.abs(x) === Infinity || (x <= 0 && Number.isInteger(x))) return Infinity;
  if (x === 1 || x === 2) return 0;
  if (x > 1e306) return Infinity;
  return special.logGamma(fromNumber(x));
}

function errorFunction(x: number): number | Real {
  if (x === 0 || Number.isNaN(x)) return x;
  return Math.abs(x) > 30 ? Math.sign(x) : special.erf(fromNumber(x));
}

function errorComplement(x: number): number | Real {
  if (Number.isNaN(x)) return x;
  if (Math.abs(x) > 30) return x > 0 ? 0 : 2;
  return special.erfc(fromNumber(x));
}

function atan2(y: number, x: number): number | Real {
  const value = Math.atan2(y, x);
  const isPlain = Number.isFinite(x) && Number.isFinite(y) && x !== 0 && y !== 0;
  // Multiples of pi/4 are not exact as doubles.
  if (isPlain) return elementary.atan2(fromNumber(y), fromNumber(x));
  return value === 0 || Number.isNaN(value) ? value : multiply(quarters(value), pi);
}

function quarters(angle: number): Real {
  return divide(fromNumber(Math.round((angle * 4) / Math.PI)), fromNumber(4));
}

function atan2pi(y: number, x: number): number | Real {
  const angle = atan2(y, x);
  return typeof angle === 'number' ? angle : divide(angle, pi);
}

function atan(x: number): number | Real {
  return x === 0 || Number.isNaN(x) ? x : atan2(x, 1);
}

function hypot(x: number, y: number): number | Real {
  if (Math.abs(x) === Infinity || Math.abs(y) === Infinity) return Infinity;
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  return x === 0 && y === 0 ? 0 : special.hypot(fromNumber(x), fromNumber(y));
}

/** IEEE 754's remainder: the quotient is the nearest whole number. */
function divided(x: number, y: number): { quotient: bigint; rest: number } | undefined {
  if (!Number.isFinite(x) || Number.isNaN(y) || y === 0) return undefined;
  if (Math.abs(y) === Infinity) return { quotient: 0n, rest: x };
  const [a, b] = [fromNumber(x), fromNumber(y)];
  const exponent = Math.min(a.exponent, b.exponent);
  const above = a.digits << BigInt(a.exponent - exponent);
  const below = b.digits << BigInt(b.exponent - exponent);
  const size = below < 0n ? -below : below;
  let quotient = above / below;
  let rest = above % below;
  const twice = 2n * (rest < 0n ? -rest : rest);
  if (twice > size || (twice === size && quotient % 2n !== 0n)) {
    const step = above < 0n === below < 0n ? 1n : -1n;
    quotient += step;
    rest -= step * below;
  }
  // No longer than y's own digits, so a double holds it.
  const lift = exponent < -1000 ? 100 : 0;
  const value =
    rest === 0n ? (x < 0 || Object.is(x, -0) ? -0 : 0) : Number(rest) * 2 ** (exponent + lift) * 2 ** -lift;
  return { quotient, rest: value };
}

/** What remquo stores: seven bits of the quotient, with its sign. */
function lastQuotientBits(x: number, y: number): number {
  const { quotient } = divided(x, y) ?? { quotient: 0n };
  const size = quotient < 0n ? -quotient : quotient;
  return Number(quotient < 0n ? -(size & 127n) : size & 127n);
}

function fma(x: number, y: number, z: number): number | Real {
  // A product of finite numbers is finite, also where it is too large for a double.
  if (Number.isFinite(x) && Number.isFinite(y) && !Number.isFinite(z)) return z;
  if (![x, y, z].every(Number.isFinite) || x === 0 || y === 0) return x * y + z;
  if (z === 0) return multiply(fromNumber(x), fromNumber(y));
  const sum = add(multiply(fromNumber(x), fromNumber(y)), fromNumber(z));
  return sum.digits === 0n ? 0 : sum;
}

/** Never 1, though that may be nearer. */
function fract(x: number, _y: number, _z: number, largest: number): number | Real {
  if (Number.isNaN(x)) return x;
  if (Number.isInteger(x) || Math.abs(x) === Infinity) return 0;
  const below = fromNumber(-Math.floor(x));
  const exact = add(fromNumber(x), below);
  return isLess(fromNumber(largest), exact) ? largest : exact;
}

function quotient(x: number, y: number): number | Real {
  const value = x / y;
  const isPlain = Number.isFinite(x) && Number.isFinite(y) && x !== 0 && y !== 0;
  return isPlain ? divide(fromNumber(x), fromNumber(y)) : value;
}

function exactly(operation: (a: Real, b: Real) => Real, model: (a: number, b: number) => number): Reference {
  return (x, y) => {
    const value = model(x, y);
    if (!Number.isFinite(x) || !Number.isFinite(y) || value === 0) return value;
    return operation(fromNumber(x), fromNumber(y));
  };
}

const difference = exactly(
  (a, b) => add(a, negate(b)),
  (x, y) => x - y,
);

function byMagnitude(larger: boolean): Reference {
  return (x, y) => {
    const [a, b] = [Math.abs(x), Math.abs(y)];
    if (a > b) return larger ? x : y;
    if (b > a) return larger ? y : x;
    return larger ? maximum(x, y) : minimum(x, y);
  };
}

function maximum(x: number, y: number): number {
  return Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.max(x, y);
}

function minimum(x: number, y: number): number {
  return Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.min(x, y);
}

/** Zeros are exact; JavaScript's own functions overflow and underflow at the same places. */
function exponential(base: (x: Real) => Real): Reference {
  return (x) => {
    if (Number.isNaN(x)) return x;
    if (x > 1100) return Infinity;
    return x < -1100 ? 0 : base(fromNumber(x));
  };
}

const isPositive = (x: number): boolean => x > 0 && x < Infinity;

function logarithm(real: (x: Real) => Real): Reference {
  return (x) => (isPositive(x) && x !== 1 ? real(fromNumber(x)) : Math.log(x));
}

export const references: Readonly<Record<string, Reference>> = {
  acos: (x) => (x === 1 || !(Math.abs(x) <= 1) ? Math.acos(x) : elementary.acos(fromNumber(x))),
  acosh: like(Math.acosh, special.acosh),
  acospi: (x) => (x === 1 || !(Math.abs(x) <= 1) ? Math.acos(x) : overPi(elementary.acos)(fromNumber(x))),
  add: exactly(add, (x, y) => x + y),
  asin: like(Math.asin, elementary.asin),
  asinh: like(Math.asinh, special.asinh),
  asinpi: like(Math.asin, overPi(elementary.asin)),
  atan,
  atan2,
  atan2pi,
  atanh: like(Math.atanh, special.atanh),
  atanpi: (x) => (x === 0 || Number.isNaN(x) ? x : atan2pi(x, 1)),
  cbrt: like(Math.cbrt, (x) => special.root(x, 3)),
  ceil: Math.ceil,
  copysign: (x, y) => (y < 0 || Object.is(y, -0) ? -Math.abs(x) : Math.abs(x)),
  cos: like(Math.cos, elementary.cos),
  cosh: (x) => (Math.abs(x) < 1100 ? special.cosh(fromNumber(x)) : Math.cosh(x)),
  cospi,
  divide: quotient,
  erf: errorFunction,
  erfc: errorComplement,
  exp: exponential(elementary.exp),
  exp10: exponential((x) => elementary.exp(multiply(x, elementary.ln10))),
  exp2: exponential((x) => elementary.exp(multiply(x, elementary.ln2))),
  expm1: (x) => (x !== 0 && x < 1100 && x > -1100 ? elementary.expm1(fromNumber(x)) : Math.expm1(x)),
  fabs: Math.abs,
  fdim: (x, y) => (x <= y ? 0 : difference(x, y, 0, 0)),
  floor: Math.floor,
  fma,
  fmax: maximum,
  fmin: minimum,
  fmod: (x, y) => x % y,
  fract,
  hypot,
  lgamma: logGamma,
  log: logarithm(elementary.log),
  log10: logarithm((x) => divide(elementary.log(x), elementary.ln10)),
  log1p: (x) => (x !== 0 && x > -1 && x < Infinity ? elementary.log1p(fromNumber(x)) : Math.log1p(x)),
  log2: logarithm((x) => divide(elementary.log(x), elementary.ln2)),
  maxmag: byMagnitude(true),
  minmag: byMagnitude(false),
  multiply: exactly(multiply, (x, y) => x * y),
  pow,
  pown: pow,
  powr,
  recip: (x) => quotient(1, x),
  remainder: (x, y) => divided(x, y)?.rest ?? Number.NaN,
  remquo_quotient: lastQuotientBits,
  rint: roundEven,
  rootn,
  round: roundAway,
  rsqrt: (x) => (isPositive(x) ? divide(one, sqrt(fromNumber(x))) : 1 / Math.sqrt(x)),
  sin: like(Math.sin, elementary.sin),
  sinh: (x) => (x !== 0 && Math.abs(x) < 1100 ? special.sinh(fromNumber(x)) : Math.sinh(x)),
  sinpi,
  sqrt: (x) => (isPositive(x) ? sqrt(fromNumber(x)) : Math.sqrt(x)),
  subtract: difference,
  tan: like(Math.tan, elementary.tan),
  tanh: (x) => (x !== 0 && Math.abs(x) < 1100 ? special.tanh(fromNumber(x)) : Math.tanh(x)),
  tanpi,
  tgamma: gamma,
  trunc: Math.trunc,
};

const turned = (x: number): number => x - 2 * Math.round(x / 2);

/**
 * Functions of doubles that come within 2^-45 of the exact result: enough to see which results of float are worth the
 * exact reference.
 */
export const approximations: Readonly<Record<string, (x: number, y: number) => number>> = {
  acos: Math.acos,
  acosh: Math.acosh,
  acospi: (x) => Math.acos(x) / Math.PI,
  add: (x, y) => x + y,
  asin: Math.asin,
  asinh: Math.asinh,
  asinpi: (x) => Math.asin(x) / Math.PI,
  atan: Math.atan,
  atan2: Math.atan2,
  atan2pi: (y, x) => Math.atan2(y, x) / Math.PI,
  atanh: Math.atanh,
  atanpi: (x) => Math.atan(x) / Math.PI,
  cbrt: Math.cbrt,
  cos: Math.cos,
  cosh: Math.cosh,
  cospi: (x) => Math.sin(Math.PI * (0.5 - Math.abs(turned(x)))),
  divide: (x, y) => x / y,
  exp: Math.exp,
  exp10: (x) => 10 ** x,
  exp2: (x) => 2 ** x,
  expm1: Math.expm1,
  hypot: (x, y) => Math.sqrt(x * x + y * y),
  log: Math.log,
  log10: Math.log10,
  log1p: Math.log1p,
  log2: Math.log2,
  multiply: (x, y) => x * y,
  pow: (x, y) => x ** y,
  pown: (x, y) => x ** y,
  powr: (x, y) => x ** y,
  recip: (x) => 1 / x,
  rootn: (x, n) => Math.abs(x) ** (1 / n) * (x < 0 && !isOdd(n) ? Number.NaN : Math.sign(x)),
  rsqrt: (x) => 1 / Math.sqrt(x),
  sin: Math.sin,
  sinh: Math.sinh,
  sinpi: (x) => (Math.abs(turned(x)) < 0.75 ? Math.sin(Math.PI * turned(x)) : Number.NaN),
  sqrt: Math.sqrt,
  subtract: (x, y) => x - y,
  tan: Math.tan,
  tanh: Math.tanh,
  tanpi: (x) => {
    const rest = x - Math.round(x);
    const size = Math.abs(rest);
    const value = size <= 0.25 ? Math.tan(Math.PI * size) : 1 / Math.tan(Math.PI * (0.5 - size));
    return Math.sign(rest) * value;
  },
};
