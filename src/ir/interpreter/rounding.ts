/** Rounding to the float formats, in every mode, from doubles and from exact binary numbers; and the exact fma. */
import type { RoundingMode } from '../ir.ts';

type FloatBits = 16 | 32 | 64;

interface Format {
  /** Significant bits, the hidden one among them. */
  readonly precision: number;
  /** The exponent of the smallest normal number. */
  readonly smallest: number;
  readonly largest: number;
}

const formats: Readonly<Record<FloatBits, Format>> = {
  16: { precision: 11, smallest: -14, largest: 65504 },
  32: { precision: 24, smallest: -126, largest: (2 - 2 ** -23) * 2 ** 127 },
  64: { precision: 53, smallest: -1022, largest: Number.MAX_VALUE },
};

const scratch = new DataView(new ArrayBuffer(8));

/** The double nearest to 2 ** 52 below which doubles may have fractions. */
const wholeFrom = 2 ** 52;

/** To the nearest integer, ties to even; the sign of zero is kept. */
export function roundEven(x: number): number {
  if (!(Math.abs(x) < wholeFrom)) return x;
  const rounded = Math.abs(x) + wholeFrom - wholeFrom;
  return isNegative(x) ? -rounded : rounded;
}

/** To an integer in a rounding mode. */
export function roundToInteger(x: number, mode: RoundingMode): number {
  switch (mode) {
    case 'rte':
      return roundEven(x);
    case 'rtz':
      return Math.trunc(x);
    case 'rtp':
      return Math.ceil(x);
    case 'rtn':
      return Math.floor(x);
  }
}

/** Whether the sign bit is set, on zeros and NaN too. */
export function isNegative(x: number): boolean {
  scratch.setFloat64(0, x);
  return scratch.getUint8(0) >= 128;
}

/** A double rounded to a float format. */
export function roundDouble(x: number, bits: FloatBits, mode: RoundingMode): number {
  if (bits === 64 || x === 0 || !Number.isFinite(x)) return x;
  if (bits === 32 && mode === 'rte') return Math.fround(x);
  const { precision, smallest, largest } = formats[bits];
  const step = 2 ** (Math.max(exponentOf(x), smallest) - precision + 1);
  const rounded = roundToInteger(x / step, mode) * step;
  return Math.abs(rounded) > largest ? overflow(x < 0, bits, mode) : rounded;
}

/** The exponent of a double's leading bit; anything below every format's range for subnormal doubles. */
function exponentOf(x: number): number {
  scratch.setFloat64(0, x);
  return ((scratch.getUint16(0) >> 4) & 0x7ff) - 1023;
}

/** What a number beyond the largest finite one rounds to. */
function overflow(negative: boolean, bits: FloatBits, mode: RoundingMode): number {
  const { largest } = formats[bits];
  if (mode === 'rtz' || (mode === 'rtp' && negative) || (mode === 'rtn' && !negative)) {
    return negative ? -largest : largest;
  }
  return negative ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** The exact number `value * 2 ** exponent` rounded to a float format. */
export function roundExact(value: bigint, exponent: number, bits: FloatBits, mode: RoundingMode): number {
  if (value === 0n) return 0;
  const { precision, smallest, largest } = formats[bits];
  const negative = value < 0n;
  const magnitude = negative ? -value : value;
  const leading = magnitude.toString(2).length - 1 + exponent;
  const lastPlace = Math.max(leading, smallest) - precision + 1;
  const drop = lastPlace - exponent;
  let kept: bigint;
  if (drop <= 0) {
    kept = magnitude << BigInt(-drop);
  } else {
    kept = magnitude >> BigInt(drop);
    const rest = magnitude - (kept << BigInt(drop));
    if (roundsUp(rest, 1n << BigInt(drop - 1), (kept & 1n) === 1n, negative, mode)) kept += 1n;
  }
  const rounded = Number(kept) * 2 ** lastPlace;
  if (rounded > largest) return overflow(negative, bits, mode);
  return negative ? -rounded : rounded;
}

function roundsUp(rest: bigint, half: bigint, odd: boolean, negative: boolean, mode: RoundingMode): boolean {
  switch (mode) {
    case 'rte':
      return rest > half || (rest === half && odd);
    case 'rtz':
      return false;
    case 'rtp':
      return rest > 0n && !negative;
    case 'rtn':
      return rest > 0n && negative;
  }
}

/** `a * b + c` rounded once, for operands of the given format. */
export function fusedMultiplyAdd(a: number, b: number, c: number, bits: FloatBits): number {
  if (!Number.isFinite(a) || !Number.isFinite(b)) return a * b + c;
  if (!Number.isFinite(c)) return c;
  if (a === 0 || b === 0) return a * b + c;
  return bits === 64 ? exactFma(a, b, c) : smallFma(a, b, c, bits);
}

/**
 * For the narrower formats the product is exact in a double. The sum is rounded to odd there, which the second
 * rounding cannot tell from the exact sum (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums").
 */
function smallFma(a: number, b: number, c: number, bits: 16 | 32): number {
  const product = a * b;
  const sum = product + c;
  const part = sum - product;
  const error = product - (sum - part) + (c - part);
  if (error === 0) return roundDouble(sum, bits, 'rte');
  scratch.setFloat64(0, sum);
  const pattern = scratch.getBigUint64(0);
  if ((pattern & 1n) === 0n) {
    scratch.setBigUint64(0, error > 0 === sum > 0 ? pattern + 1n : pattern - 1n);
  }
  return roundDouble(scratch.getFloat64(0), bits, 'rte');
}

function exactFma(a: number, b: number, c: number): number {
  if (c === 0) return a * b;
  const x = exactly(a);
  const y = exactly(b);
  const z = exactly(c);
  const product = x.value * y.value;
  const productExponent = x.exponent + y.exponent;
  const exponent = Math.min(productExponent, z.exponent);
  const sum = (product << BigInt(productExponent - exponent)) + (z.value << BigInt(z.exponent - exponent));
  return roundExact(sum, exponent, 64, 'rte');
}

/** A finite double as `value * 2 ** exponent`. */
function exactly(x: number): { value: bigint; exponent: number } {
  scratch.setFloat64(0, x);
  const pattern = scratch.getBigUint64(0);
  const biased = Number((pattern >> 52n) & 0x7ffn);
  const fraction = pattern & 0xfffffffffffffn;
  const magnitude = biased === 0 ? fraction : fraction | 0x10000000000000n;
  return { value: x < 0 ? -magnitude : magnitude, exponent: Math.max(biased, 1) - 1075 };
}
