/**
 * Reads floating constants, decimal and hexadecimal (C99 6.4.4.2; suffix `h` of OpenCL C for half).
 *
 * The value is the constant's exact value rounded once to the precision it is used in. Rounding to double first and to
 * single then would be wrong in the rare case that the double is just half way between two singles, so that case is
 * decided by comparing exact values.
 */
import type { Diagnostics } from '../source/diagnostics.ts';
import { digitValue } from './characters.ts';
import { within } from './integer-literal.ts';
import type { Token } from './token.ts';

export interface FloatLiteral {
  /** the constant rounded to double, whatever its suffix */
  readonly value: number;
  /** the constant rounded to single */
  readonly single: number;
  /** the constant rounded to half */
  readonly half: number;
  readonly suffix: '' | 'f' | 'h' | 'l';
}

/** A positive number as `digits * base ** exponent`, with digits cut off that cannot decide a rounding. */
interface Exact {
  readonly digits: bigint;
  readonly base: 2n | 10n;
  readonly exponent: number;
}

interface Format {
  readonly name: string;
  /** bits of a significand, the hidden one among them */
  readonly precision: number;
  /** the exponent of the least bit of a subnormal number */
  readonly least: number;
  readonly maximum: number;
}

const double: Format = { name: 'double', precision: 53, least: -1074, maximum: Number.MAX_VALUE };
const single: Format = { name: 'float', precision: 24, least: -149, maximum: (2 - 2 ** -23) * 2 ** 127 };
const half: Format = { name: 'half', precision: 11, least: -24, maximum: 65504 };

/** more digits than this cannot be exactly half way between two numbers, so one digit stands for all the rest */
const decidingDigits = 800;

/** no text is long enough to make up for an exponent beyond this */
const exponentLimit = 1e15;

/** Reads a token of kind `float`. A bad one is reported and still has a value. */
export function readFloat(token: Token, diagnostics: Diagnostics): FloatLiteral {
  const { text } = token;
  const isHex = text.charCodeAt(0) === 48 && (text.charCodeAt(1) | 32) === 120;
  const base = isHex ? 16 : 10;
  let end = isHex ? 2 : 0;
  const start = end;
  let point = -1;
  for (; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code === 46 && point < 0) point = end;
    else if (digitValue(code) < 0 || digitValue(code) >= base) break;
  }
  const mantissaEnd = end;
  let exponent = 0;
  let hasExponent = false;
  const marker = text.charCodeAt(end) | 32;
  if (end < text.length && marker === (isHex ? 112 : 101)) {
    hasExponent = true;
    let digits = end + 1;
    const sign = text.charCodeAt(digits);
    if (sign === 43 || sign === 45) digits += 1;
    const first = digits;
    while (digits < text.length && isDecimal(text.charCodeAt(digits))) digits += 1;
    if (digits === first) diagnostics.error(within(token, end, end + 1), 'exponent has no digits');
    else {
      const magnitude = Math.min(Number(text.slice(first, digits)), exponentLimit);
      exponent = sign === 45 ? -magnitude : magnitude;
    }
    end = digits;
  }
  const hasDigits = mantissaEnd - start > (point < 0 ? 0 : 1);
  if (isHex && !hasDigits) {
    diagnostics.error(token, 'hexadecimal floating constant requires a significand');
  } else if (isHex && !hasExponent) {
    diagnostics.error(token, 'hexadecimal floating constant requires an exponent');
  }
  const suffix = suffixOf(text.slice(end));
  if (suffix === undefined) {
    const wrong = text.slice(end);
    diagnostics.error(within(token, end, text.length), `invalid suffix '${wrong}' on floating constant`);
  }
  const value = round(text, start, point, mantissaEnd, exponent, isHex);
  const result = { ...value, suffix: suffix ?? '' };
  warnRange(token, result, diagnostics);
  return result;
}

function suffixOf(text: string): FloatLiteral['suffix'] | undefined {
  const lower = text.toLowerCase();
  return lower === '' || lower === 'f' || lower === 'h' || lower === 'l' ? lower : undefined;
}

function round(
  text: string,
  start: number,
  point: number,
  end: number,
  exponent: number,
  isHex: boolean,
): { value: number; single: number; half: number } {
  if (!isHex) {
    const mantissa = text.slice(start, end);
    const value = Number(`${mantissa === '.' ? '0' : mantissa}e${exponent}`);
    const isPlain = Number.isFinite(value) && value !== 0;
    const exact = (): Exact => exactValue(text, start, point, end, exponent, isHex);
    return {
      value,
      single: isPlain ? narrowed(value, single, exact) : value,
      half: isPlain ? narrowed(value, half, exact) : value,
    };
  }
  const exact = exactValue(text, start, point, end, exponent, isHex);
  return { value: nearest(exact, double), single: nearest(exact, single), half: nearest(exact, half) };
}

/** The digits from `start` to `end` as an integer with an exponent; a few too many are cut to one that is not zero. */
function exactValue(
  text: string,
  start: number,
  point: number,
  end: number,
  exponent: number,
  isHex: boolean,
): Exact {
  const fraction = point < 0 ? 0 : end - point - 1;
  let digits = point < 0 ? text.slice(start, end) : text.slice(start, point) + text.slice(point + 1, end);
  let first = 0;
  while (first < digits.length && digits.charCodeAt(first) === 48) first += 1;
  digits = digits.slice(first);
  let dropped = 0;
  if (digits.length > decidingDigits) {
    dropped = digits.length - decidingDigits - 1;
    let isZero = true;
    for (let index = decidingDigits; index < digits.length && isZero; index += 1) {
      isZero = digits.charCodeAt(index) === 48;
    }
    digits = digits.slice(0, decidingDigits) + (isZero ? '0' : '1');
  }
  if (isHex) {
    return {
      digits: BigInt(`0x0${digits}`),
      base: 2n,
      exponent: exponent + 4 * (dropped - fraction),
    };
  }
  return { digits: BigInt(digits === '' ? '0' : digits), base: 10n, exponent: exponent + dropped - fraction };
}

/** The number of `format` nearest to an exact value in base two, ties to even. */
function nearest(exact: Exact, format: Format): number {
  const { digits, exponent } = exact;
  if (digits === 0n) return 0;
  const bits = digits.toString(2).length;
  // where the leading bit is; beyond these bounds there is nothing to compute
  const top = exponent + bits;
  if (top > 1100) return Number.POSITIVE_INFINITY;
  if (top < -1200) return 0;
  const least = Math.max(top - format.precision, format.least);
  const shift = least - exponent;
  let kept = shift <= 0 ? digits << BigInt(-shift) : digits >> BigInt(shift);
  if (shift > 0) {
    const rest = digits - (kept << BigInt(shift));
    const middle = 1n << BigInt(shift - 1);
    if (rest > middle || (rest === middle && (kept & 1n) === 1n)) kept += 1n;
  }
  // in two steps, because 2 ** least alone may be less than any double
  const value = least < -1000 ? Number(kept) * 2 ** (least + 200) * 2 ** -200 : Number(kept) * 2 ** least;
  return value > format.maximum ? Number.POSITIVE_INFINITY : value;
}

/** A finite double, not zero, rounded to a narrower format as the exact value behind it would be. */
function narrowed(value: number, format: Format, exact: () => Exact): number {
  const ulp = 2 ** Math.max(exponentOf(value) - format.precision + 1, format.least);
  // both exact: a division by a power of two, and a part of the double's own bits
  const scaled = value / ulp;
  const below = Math.floor(scaled);
  const rest = scaled - below;
  let up = rest > 0.5;
  if (rest === 0.5) {
    const order = compare(exact(), value);
    up = order > 0 || (order === 0 && below % 2 === 1);
  }
  const result = (up ? below + 1 : below) * ulp;
  return result > format.maximum ? Number.POSITIVE_INFINITY : result;
}

/** floor(log2(value)) of a positive double. */
function exponentOf(value: number): number {
  let exponent = Math.floor(Math.log2(value));
  if (2 ** exponent > value) exponent -= 1;
  else if (exponent < 1023 && 2 ** (exponent + 1) <= value) exponent += 1;
  return exponent;
}

/** The sign of `exact - value`, for a value within the range of half or single numbers. */
function compare(exact: Exact, value: number): number {
  let left = exact.digits;
  let exponent = exponentOf(value) - 52;
  let right = BigInt(value * 2 ** -exponent);
  const power = exact.base ** BigInt(Math.abs(exact.exponent));
  if (exact.exponent >= 0) left *= power;
  else right *= power;
  if (exponent < 0) {
    left <<= BigInt(-exponent);
    exponent = 0;
  }
  right <<= BigInt(exponent);
  return left > right ? 1 : left < right ? -1 : 0;
}

function warnRange(token: Token, literal: FloatLiteral, diagnostics: Diagnostics): void {
  const { suffix } = literal;
  const format = suffix === 'f' ? single : suffix === 'h' ? half : double;
  const value = suffix === 'f' ? literal.single : suffix === 'h' ? literal.half : literal.value;
  if (value === Number.POSITIVE_INFINITY) {
    diagnostics.warning(
      token,
      'literal-range',
      `magnitude of floating-point constant too large for type '${format.name}'; maximum is ${format.maximum}`,
    );
  } else if (value === 0 && isNotZero(token.text)) {
    diagnostics.warning(
      token,
      'literal-range',
      `magnitude of floating-point constant too small for type '${format.name}'; minimum is ${2 ** format.least}`,
    );
  }
}

/** Whether the significand of a floating constant has a digit other than 0. */
function isNotZero(text: string): boolean {
  const isHex = text.charCodeAt(0) === 48 && (text.charCodeAt(1) | 32) === 120;
  for (let index = isHex ? 2 : 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 46 || code === 48) continue;
    const digit = digitValue(code);
    return digit > 0 && digit < (isHex ? 16 : 10);
  }
  return false;
}

function isDecimal(code: number): boolean {
  return code >= 48 && code <= 57;
}
