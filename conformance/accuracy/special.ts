/** Functions made of the elementary ones, for the references: hyperbolic, powers, error function, gamma. */
import { exp, expm1, log, log1p, pi, sinpi } from './elementary.ts';
import {
  abs,
  add,
  divide,
  divideBy,
  exponentOf,
  fromNumber,
  isLess,
  multiply,
  negate,
  one,
  type Real,
  scale,
  sqrt,
  subtract,
  toNumber,
  two,
} from './real.ts';

export function sinh(x: Real): Real {
  // (m + m / (m + 1)) / 2 with m = e^x - 1 does not cancel.
  const size = expm1(abs(x));
  const result = scale(add(size, divide(size, add(size, one))), -1);
  return x.digits < 0n ? negate(result) : result;
}

export function cosh(x: Real): Real {
  const e = exp(abs(x));
  return scale(add(e, divide(one, e)), -1);
}

export function tanh(x: Real): Real {
  const m = expm1(scale(abs(x), 1));
  const result = divide(m, add(m, two));
  return x.digits < 0n ? negate(result) : result;
}

export function asinh(x: Real): Real {
  const size = abs(x);
  const square = multiply(size, size);
  const result = log1p(add(size, divide(square, add(one, sqrt(add(one, square))))));
  return x.digits < 0n ? negate(result) : result;
}

export function acosh(x: Real): Real {
  const t = subtract(x, one);
  return log1p(add(t, sqrt(multiply(t, add(t, two)))));
}

export function atanh(x: Real): Real {
  return scale(log1p(divide(scale(x, 1), subtract(one, x))), -1);
}

/** |x|^y for a real y, with the sign that an odd whole y gives. */
export function pow(x: Real, y: Real, isOdd: boolean): Real {
  const size = exp(multiply(y, log(abs(x))));
  return x.digits < 0n && isOdd ? negate(size) : size;
}

export function root(x: Real, n: number): Real {
  const size = exp(divideBy(log(abs(x)), n));
  return x.digits < 0n ? negate(size) : size;
}

export function hypot(x: Real, y: Real): Real {
  return sqrt(add(multiply(x, x), multiply(y, y)));
}

/** erf(x) = 2/sqrt(pi) e^(-x*x) (x + 2 x^3/3 + 4 x^5/15 + ...), all of one sign. */
function errorSeries(x: Real): Real {
  const square = scale(multiply(x, x), 1);
  let sum = x;
  let term = x;
  for (let k = 1; k < 4000; k += 1) {
    term = divideBy(multiply(term, square), 2 * k + 1);
    if (exponentOf(term) < exponentOf(sum) - 150) break;
    sum = add(sum, term);
  }
  return multiply(multiply(sum, exp(negate(multiply(x, x)))), divide(two, sqrt(pi)));
}

/** erfc(x) for x of at least 2, by its continued fraction. */
function errorFraction(x: Real): Real {
  const square = multiply(x, x);
  const size = toNumber(x);
  const steps = Math.ceil(30 + 1400 / (size * size));
  // x + (1/2)/(x + 1/(x + (3/2)/(x + ...)))
  let value = x;
  for (let k = steps; k > 0; k -= 1) value = add(x, divide(scale(fromNumber(k), -1), value));
  return divide(exp(negate(square)), multiply(value, sqrt(pi)));
}

export function erf(x: Real): Real {
  if (toNumber(abs(x)) < 2) return errorSeries(x);
  const result = subtract(one, errorFraction(abs(x)));
  return x.digits < 0n ? negate(result) : result;
}

export function erfc(x: Real): Real {
  if (toNumber(x) < 2) return subtract(one, erf(x));
  return errorFraction(x);
}

/** B(2k) / (2k (2k - 1)) as fractions. */
const stirling: readonly (readonly [bigint, bigint])[] = [
  [1n, 12n],
  [-1n, 360n],
  [1n, 1260n],
  [-1n, 1680n],
  [1n, 1188n],
  [-691n, 360360n],
  [1n, 156n],
  [-3617n, 122400n],
  [43867n, 244188n],
  [-174611n, 125400n],
  [77683n, 5796n],
  [-236364091n, 1506960n],
];

/** log(gamma(x)) by Stirling's series, for x of at least 60. */
function largeLogGamma(x: Real): Real {
  const logarithm = log(x);
  let sum = subtract(multiply(subtract(x, scale(one, -1)), logarithm), x);
  sum = add(sum, scale(log(scale(pi, 1)), -1));
  const inverse = divide(one, x);
  const square = multiply(inverse, inverse);
  let power = inverse;
  for (const [above, below] of stirling) {
    sum = add(sum, divide(multiply(power, { digits: above, exponent: 0 }), { digits: below, exponent: 0 }));
    power = multiply(power, square);
  }
  return sum;
}

const far = fromNumber(60);

/** x (x + 1) ... up to 60, and the argument that is reached. */
function raised(x: Real): { product: Real; argument: Real } {
  let product = one;
  let argument = x;
  while (isLess(argument, far)) {
    product = multiply(product, argument);
    argument = add(argument, one);
  }
  return { product, argument };
}

/** gamma(x) where x is no whole number below 1. */
export function gamma(x: Real): Real {
  if (x.digits < 0n) {
    // gamma(x) gamma(-x) = -pi / (x sin(pi x))
    const size = negate(x);
    return negate(divide(pi, multiply(multiply(size, sinpi(size)), gamma(size))));
  }
  const { product, argument } = raised(x);
  return divide(exp(largeLogGamma(argument)), product);
}

/** log|gamma(x)| */
export function logGamma(x: Real): Real {
  if (x.digits < 0n) {
    const size = negate(x);
    return subtract(log(divide(pi, abs(multiply(size, sinpi(size))))), logGamma(size));
  }
  const { product, argument } = raised(x);
  return subtract(largeLogGamma(argument), log(product));
}
