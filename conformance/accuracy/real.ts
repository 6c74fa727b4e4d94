/**
 * Real numbers to about 160 bits, for references: a BigInt times a power of two. Slow and simple; the exponent has no
 * limits, so nothing overflows or vanishes on the way.
 */

/** The number `digits` * 2^`exponent`. */
export interface Real {
  readonly digits: bigint;
  readonly exponent: number;
}

const precision = 160;

export const zero: Real = { digits: 0n, exponent: 0 };
export const one: Real = { digits: 1n, exponent: 0 };
export const two: Real = { digits: 1n, exponent: 1 };

/** The number of bits of |digits|; at most one too many. */
function bitsOf(digits: bigint): number {
  if (digits === 0n) return 0;
  const size = Number(digits < 0n ? -digits : digits);
  return size < Infinity ? Math.floor(Math.log2(size)) + 1 : digits.toString(16).length * 4;
}

function rounded(digits: bigint, exponent: number): Real {
  const surplus = bitsOf(digits) - precision;
  return surplus > 0
    ? { digits: digits >> BigInt(surplus), exponent: exponent + surplus }
    : { digits, exponent };
}

const bitView = new DataView(new ArrayBuffer(8));

/** A finite double, exactly. */
export function fromNumber(x: number): Real {
  if (x === 0) return zero;
  if (Number.isInteger(x) && Math.abs(x) < 2 ** 53) return { digits: BigInt(x), exponent: 0 };
  bitView.setFloat64(0, x);
  const high = bitView.getUint32(0);
  const field = (high >>> 20) & 2047;
  const fraction = (BigInt(high & 0xfffff) << 32n) | BigInt(bitView.getUint32(4));
  const digits = field === 0 ? fraction : fraction | (1n << 52n);
  return { digits: x < 0 ? -digits : digits, exponent: Math.max(field, 1) - 1075 };
}

/** The nearest double but for a few units of the 60th bit; for numbers that doubles reach. */
export function toNumber(x: Real): number {
  const surplus = Math.max(bitsOf(x.digits) - 60, 0);
  const scale = x.exponent + surplus;
  const top = Number(x.digits >> BigInt(surplus));
  const half = Math.trunc(scale / 2);
  return top * 2 ** half * 2 ** (scale - half);
}

/** e with 2^e <= |x| < 2^(e+1); -Infinity for zero. */
export function exponentOf(x: Real): number {
  if (x.digits === 0n) return -Infinity;
  const size = x.digits < 0n ? -x.digits : x.digits;
  const guess = bitsOf(size) - 1;
  return (guess > 0 && size >> BigInt(guess) === 0n ? guess - 1 : guess) + x.exponent;
}

export function scale(x: Real, power: number): Real {
  return { digits: x.digits, exponent: x.exponent + power };
}

export function negate(x: Real): Real {
  return { digits: -x.digits, exponent: x.exponent };
}

export function abs(x: Real): Real {
  return x.digits < 0n ? negate(x) : x;
}

export function add(a: Real, b: Real): Real {
  if (a.digits === 0n) return b;
  if (b.digits === 0n) return a;
  const [upper, lower] = a.exponent >= b.exponent ? [a, b] : [b, a];
  const shift = upper.exponent - lower.exponent;
  // So far below that it changes nothing.
  if (shift > 2 * precision && bitsOf(lower.digits) - shift + precision < 0) return upper;
  return rounded((upper.digits << BigInt(shift)) + lower.digits, lower.exponent);
}

export function subtract(a: Real, b: Real): Real {
  return add(a, negate(b));
}

export function multiply(a: Real, b: Real): Real {
  return rounded(a.digits * b.digits, a.exponent + b.exponent);
}

export function divide(a: Real, b: Real): Real {
  const shift = Math.max(precision + bitsOf(b.digits) - bitsOf(a.digits), 0);
  return rounded((a.digits << BigInt(shift)) / b.digits, a.exponent - b.exponent - shift);
}

export function divideBy(a: Real, whole: number): Real {
  return divide(a, fromNumber(whole));
}

export function times(a: Real, whole: number): Real {
  return multiply(a, fromNumber(whole));
}

export function isLess(a: Real, b: Real): boolean {
  return subtract(a, b).digits < 0n;
}

/** The nearest whole number. */
export function nearest(x: Real): bigint {
  if (x.exponent >= 0) return x.digits << BigInt(x.exponent);
  if (exponentOf(x) < -1) return 0n;
  const shift = BigInt(-x.exponent);
  return (x.digits + (1n << (shift - 1n))) >> shift;
}

export function fromBigInt(x: bigint): Real {
  return rounded(x, 0);
}

export function sqrt(x: Real): Real {
  if (x.digits === 0n) return zero;
  const lift = 2 * precision - bitsOf(x.digits);
  const shift = lift + ((x.exponent - lift) & 1);
  const digits = x.digits << BigInt(shift);
  return rounded(wholeRoot(digits), (x.exponent - shift) / 2);
}

function wholeRoot(x: bigint): bigint {
  // A double gives 50 bits; each of Newton's steps doubles them.
  const surplus = BigInt(2 * Math.floor((bitsOf(x) - 104) / 2));
  let root = BigInt(Math.floor(Math.sqrt(Number(x >> surplus)))) << (surplus / 2n);
  for (let step = 0; step < 3; step += 1) root = (root + x / root) >> 1n;
  return root;
}
