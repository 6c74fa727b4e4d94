/** Exponential, logarithm, trigonometric functions and their inverses of real numbers, to some 140 bits. */
import {
  abs,
  add,
  divide,
  divideBy,
  exponentOf,
  fromBigInt,
  fromNumber,
  multiply,
  nearest,
  negate,
  one,
  type Real,
  scale,
  sqrt,
  subtract,
  times,
  toNumber,
  two,
  zero,
} from './real.ts';

/** A power series with ratios term(k) / term(k-1), summed until it no longer changes. */
function series(first: Real, ratio: (term: Real, k: number) => Real): Real {
  let sum = first;
  let term = first;
  for (let k = 1; k < 2000; k += 1) {
    term = ratio(term, k);
    if (term.digits === 0n || exponentOf(term) < exponentOf(sum) - 170) break;
    sum = add(sum, term);
  }
  return sum;
}

/** atan(1/n) for Machin's formula. */
function inverseArctangent(n: number): bigint {
  let term = (1n << 1600n) / BigInt(n);
  let sum = term;
  for (let k = 3; term !== 0n; k += 2) {
    term = -term / BigInt(n * n);
    sum += term / BigInt(k);
  }
  return sum;
}

/** pi to 1,500 bits, which the largest doubles need. */
const piDigits = (inverseArctangent(5) * 16n - inverseArctangent(239) * 4n) >> 60n;
const piPlaces = 1540;

export const pi: Real = { digits: piDigits >> 1350n, exponent: 1350 - piPlaces };

/** ln 2 = 2 atanh(1/3). */
export const ln2: Real = (() => {
  const third = divideBy(one, 3);
  let power = third;
  let sum = third;
  for (let k = 3; k < 220; k += 2) {
    power = divideBy(power, 9);
    sum = add(sum, divideBy(power, k));
  }
  return scale(sum, 1);
})();

export function exp(x: Real): Real {
  const n = nearest(divide(x, ln2));
  const rest = scale(subtract(x, multiply(fromBigInt(n), ln2)), -6);
  let result = series(one, (term, k) => divideBy(multiply(term, rest), k));
  for (let doubling = 0; doubling < 6; doubling += 1) result = multiply(result, result);
  return scale(result, Number(n));
}

/** e^x - 1. */
export function expm1(x: Real): Real {
  if (exponentOf(x) > -20) return subtract(exp(x), one);
  return series(x, (term, k) => divideBy(multiply(term, x), k + 1));
}

/** log(x) for x > 0: the double's logarithm, improved twice as exp shows the rest. */
export function log(x: Real): Real {
  const exponent = exponentOf(x);
  const unit = scale(x, -exponent);
  if (exponent === 0 || exponent === -1) {
    const distance = subtract(x, one);
    if (exponentOf(distance) < -20) return log1p(distance);
  }
  let y = fromNumber(Math.log(toNumber(unit)));
  const e = exp(y);
  y = add(y, scale(divide(subtract(unit, e), add(unit, e)), 1));
  return add(y, times(ln2, exponent));
}

/** log(1 + x). */
export function log1p(x: Real): Real {
  if (exponentOf(x) > -20) return log(add(one, x));
  // 2 atanh(x / (2 + x))
  const s = divide(x, add(two, x));
  const square = multiply(s, s);
  let power = s;
  return scale(
    series(s, (_, k) => {
      power = multiply(power, square);
      return divideBy(power, 2 * k + 1);
    }),
    1,
  );
}

function sineSeries(x: Real): Real {
  const square = negate(multiply(x, x));
  return series(x, (term, k) => divideBy(multiply(term, square), 2 * k * (2 * k + 1)));
}

function cosineSeries(x: Real): Real {
  const square = negate(multiply(x, x));
  return series(one, (term, k) => divideBy(multiply(term, square), 2 * k * (2 * k - 1)));
}

/** The distance from the nearest quarter turn, and which of the four it is. */
function reduceAngle(x: Real): { rest: Real; quarter: number } {
  if (exponentOf(x) < -1) return { rest: x, quarter: 0 };
  // The whole of pi, so that no digits of a large angle are lost.
  const up = Math.max(x.exponent, 0);
  const down = Math.max(-x.exponent, 0);
  const angle = x.digits << BigInt(piPlaces + up);
  const halfPi = piDigits << BigInt(down);
  const quarters = (2n * angle + (angle < 0n ? -halfPi : halfPi) / 2n) / halfPi;
  const rest = 2n * angle - quarters * halfPi;
  const surplus = BigInt(Math.max(rest.toString(2).length - 200, 0));
  return {
    rest: { digits: rest >> surplus, exponent: Number(surplus) - piPlaces - 1 - down },
    quarter: Number(((quarters % 4n) + 4n) % 4n),
  };
}

function sineOf(rest: Real, quarter: number): Real {
  const value = quarter & 1 ? cosineSeries(rest) : sineSeries(rest);
  return quarter & 2 ? negate(value) : value;
}

export function sin(x: Real): Real {
  const { rest, quarter } = reduceAngle(x);
  return sineOf(rest, quarter);
}

export function cos(x: Real): Real {
  const { rest, quarter } = reduceAngle(x);
  return sineOf(rest, quarter + 1);
}

export function tan(x: Real): Real {
  const { rest, quarter } = reduceAngle(x);
  return divide(sineOf(rest, quarter), sineOf(rest, quarter + 1));
}

/** The distance from the nearest half of a whole number, as an angle, and which half it is. */
function reduceHalfTurns(x: Real): { rest: Real; quarter: number } {
  const quarters = nearest(scale(x, 1));
  return {
    rest: multiply(subtract(x, scale({ digits: quarters, exponent: 0 }, -1)), pi),
    quarter: Number(((quarters % 4n) + 4n) % 4n),
  };
}

export function sinpi(x: Real): Real {
  const { rest, quarter } = reduceHalfTurns(x);
  return sineOf(rest, quarter);
}

export function cospi(x: Real): Real {
  const { rest, quarter } = reduceHalfTurns(x);
  return sineOf(rest, quarter + 1);
}

export function tanpi(x: Real): Real {
  const { rest, quarter } = reduceHalfTurns(x);
  return divide(sineOf(rest, quarter), sineOf(rest, quarter + 1));
}

/** The double's arctangent, improved by that of the small rest. */
export function atan(x: Real): Real {
  if (exponentOf(x) >= 1) {
    const half = scale(x.digits < 0n ? negate(pi) : pi, -1);
    return subtract(half, atan(divide(one, x)));
  }
  if (exponentOf(x) < -30) return arctangentSeries(x);
  const y = fromNumber(Math.atan(toNumber(x)));
  const tangent = divide(sineSeries(y), cosineSeries(y));
  const rest = divide(subtract(x, tangent), add(one, multiply(x, tangent)));
  return add(y, arctangentSeries(rest));
}

function arctangentSeries(x: Real): Real {
  if (x.digits === 0n) return zero;
  const square = negate(multiply(x, x));
  let power = x;
  return series(x, (_, k) => {
    power = multiply(power, square);
    return divideBy(power, 2 * k + 1);
  });
}

/** The angle of the point (x, y), neither of which need be positive. */
export function atan2(y: Real, x: Real): Real {
  const angle = x.digits === 0n ? scale(pi, -1) : atan(abs(divide(y, x)));
  const turned = x.digits < 0n ? subtract(pi, angle) : angle;
  return y.digits < 0n ? negate(turned) : turned;
}

export function asin(x: Real): Real {
  return atan2(x, sqrt(multiply(subtract(one, x), add(one, x))));
}

export function acos(x: Real): Real {
  return atan2(sqrt(multiply(subtract(one, x), add(one, x))), x);
}

export const ln10: Real = log(fromNumber(10));
