/**
 * Reads integer constants (C99 6.4.4.1; binary ones as an extension). Which type a constant has is the dialect's
 * affair; here are its value and what was written.
 */
import type { Diagnostics } from '../source/diagnostics.ts';
import type { Span } from '../source/span.ts';
import { digitValue } from './characters.ts';
import type { Token } from './token.ts';

export interface IntegerLiteral {
  /** 0 to 2**64 - 1 */
  readonly value: bigint;
  /** it has a `u` suffix, or only an unsigned type can hold its value */
  readonly unsigned: boolean;
  /** it has one `l` suffix */
  readonly long: boolean;
  /** it has the suffix `ll` */
  readonly longLong: boolean;
  /** it is written in base ten, so that C99 gives it an unsigned type only where it asks for one */
  readonly decimal: boolean;
}

const signedMaximum = (1n << 63n) - 1n;
const unsignedMaximum = (1n << 64n) - 1n;
const baseNames: Readonly<Record<number, string>> = {
  2: 'binary',
  8: 'octal',
  10: 'decimal',
  16: 'hexadecimal',
};

/** Reads a token of kind `integer`. A bad one is reported and still has a value, of the digits that are good. */
export function readInteger(token: Token, diagnostics: Diagnostics): IntegerLiteral {
  const { text } = token;
  const { base, start } = prefixOf(text);
  let end = start;
  while (end < text.length && isDigitOf(text.charCodeAt(end), base)) end += 1;
  const suffix = text.slice(end);
  const isWrongDigit = end < text.length && isDigitOf(text.charCodeAt(end), 10);
  const kind = suffix === '' ? plainSuffix : suffixes.get(suffix);
  if (isWrongDigit) {
    const place = within(token, end, end + 1);
    diagnostics.error(place, `invalid digit '${text.charAt(end)}' in ${baseNames[base] ?? ''} constant`);
  } else if (kind === undefined || end === start) {
    const wrong = end === start ? text.slice(1) : suffix;
    diagnostics.error(
      within(token, text.length - wrong.length, text.length),
      `invalid suffix '${wrong}' on integer constant`,
    );
  }
  const { unsigned, long, longLong } = kind ?? plainSuffix;
  const value = digitsValue(text, start, end, base);
  const decimal = base === 10;
  if (value === undefined) {
    diagnostics.error(token, 'integer literal is too large to be represented in any integer type');
    return { value: unsignedMaximum, unsigned: true, long, longLong, decimal };
  }
  if (value > signedMaximum && decimal && !unsigned) {
    diagnostics.warning(
      token,
      'implicitly-unsigned-literal',
      'integer literal is too large to be represented in a signed integer type, interpreting as unsigned',
    );
  }
  return { value, unsigned: unsigned || value > signedMaximum, long, longLong, decimal };
}

interface Suffix {
  readonly unsigned: boolean;
  readonly long: boolean;
  readonly longLong: boolean;
}

const plainSuffix: Suffix = { unsigned: false, long: false, longLong: false };
const suffixes = new Map<string, Suffix>();
for (const length of ['', 'l', 'L', 'll', 'LL']) {
  const long = length.length === 1;
  const longLong = length.length === 2;
  suffixes.set(length, { unsigned: false, long, longLong });
  for (const u of ['u', 'U']) {
    suffixes.set(u + length, { unsigned: true, long, longLong });
    suffixes.set(length + u, { unsigned: true, long, longLong });
  }
}

function prefixOf(text: string): { base: number; start: number } {
  if (text.charCodeAt(0) !== 48 || text.length === 1) return { base: 10, start: 0 };
  const second = text.charCodeAt(1) | 32;
  // 0x with no digit behind is the octal constant 0 with a bad suffix
  if (second === 120)
    return isDigitOf(text.charCodeAt(2), 16) ? { base: 16, start: 2 } : { base: 8, start: 0 };
  if (second === 98) return isDigitOf(text.charCodeAt(2), 10) ? { base: 2, start: 2 } : { base: 8, start: 0 };
  return { base: 8, start: 0 };
}

function isDigitOf(code: number, base: number): boolean {
  const value = digitValue(code);
  return value >= 0 && value < base;
}

/** The value of the digits, or undefined if it needs more than 64 bits. */
function digitsValue(text: string, start: number, end: number, base: number): bigint | undefined {
  let small = 0;
  let index = start;
  while (index < end && small < 2 ** 48) {
    small = small * base + digitValue(text.charCodeAt(index));
    index += 1;
  }
  let value = BigInt(small);
  for (; index < end; index += 1) {
    value = value * BigInt(base) + BigInt(digitValue(text.charCodeAt(index)));
    if (value > unsignedMaximum) return undefined;
  }
  return value;
}

/** The place of some characters of a token, or the whole token where its spelling is not plainly in the text. */
export function within(token: Token, start: number, end: number): Span {
  if (token.end - token.start !== token.text.length) return token;
  const { file, expansion } = token;
  return { file, start: token.start + start, end: token.start + end, expansion };
}
