/**
 * Reads character constants and string literals (C99 6.4.4.4, 6.4.5). The execution character set is UTF-8; a plain
 * char is a signed byte.
 */
import type { Diagnostics } from '../source/diagnostics.ts';
import { digitValue } from './characters.ts';
import { within } from './integer-literal.ts';
import type { Token } from './token.ts';

const backslash = 92;

/** escapes of one letter: those of C99, and GNU's \e */
const simpleEscapes: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  e: 27,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  '\\': 92,
  "'": 39,
  '"': 34,
  '?': 63,
};

/** One element of a literal. */
interface Unit {
  /** a code point, or the byte that an octal or hexadecimal escape says */
  readonly value: number;
  readonly isByte: boolean;
  /** where the next element begins */
  readonly next: number;
}

/**
 * The value of a token of kind `character`, of type int. Several characters make one number, first to last, as clang
 * makes them. A bad literal is reported and still has a value.
 */
export function readCharacter(token: Token, diagnostics: Diagnostics): number {
  const { text } = token;
  const isWide = text.charCodeAt(0) === 76;
  const end = text.length - 1;
  let position = isWide ? 2 : 1;
  if (position >= end) {
    diagnostics.error(token, 'empty character constant');
    return 0;
  }
  let value = 0;
  let count = 0;
  while (position < end) {
    const unit = readUnit(token, position, end, isWide ? 32 : 8, diagnostics);
    position = unit.next;
    count += 1;
    if (isWide) {
      value = unit.value | 0;
      continue;
    }
    if (unit.value > 127 && !unit.isByte) {
      diagnostics.error(token, 'character too large for enclosing character literal type');
      return 0;
    }
    value = count === 1 && position >= end ? (unit.value << 24) >> 24 : (value << 8) | unit.value;
  }
  if (isWide && count > 1) {
    diagnostics.error(token, 'wide character literals may not contain multiple characters');
  } else if (count > 4) {
    diagnostics.warning(token, 'four-char-constants', 'character constant too long for its type');
  } else if (count > 1) {
    diagnostics.warning(token, 'multichar', 'multi-character character constant');
  }
  return value;
}

/** The bytes of a token of kind `string`, without a terminating null. A bad literal is reported and still has bytes. */
export function readString(token: Token, diagnostics: Diagnostics): Uint8Array {
  const { text } = token;
  let position = 1;
  if (text.charCodeAt(0) === 76) {
    diagnostics.error(token, 'wide string literals are not supported');
    position = 2;
  }
  const end = text.length - 1;
  const bytes: number[] = [];
  while (position < end) {
    const unit = readUnit(token, position, end, 8, diagnostics);
    position = unit.next;
    if (unit.isByte) bytes.push(unit.value);
    else pushUtf8(bytes, unit.value);
  }
  return Uint8Array.from(bytes);
}

/** Reads one element, not beyond `end`; `bits` is what an escape of digits may fill. */
function readUnit(token: Token, start: number, end: number, bits: 8 | 32, diagnostics: Diagnostics): Unit {
  const { text } = token;
  if (text.charCodeAt(start) !== backslash) {
    const value = text.codePointAt(start) ?? 0;
    const isHalf = value >= 0xd800 && value <= 0xdfff;
    return { value: isHalf ? 0xfffd : value, isByte: false, next: start + (value > 0xffff ? 2 : 1) };
  }
  const letter = text.charAt(start + 1);
  if (start + 1 >= end) return { value: backslash, isByte: false, next: end };
  const simple = simpleEscapes[letter];
  if (simple !== undefined) return { value: simple, isByte: false, next: start + 2 };
  if (letter === 'x') return readHex(token, start, end, bits, diagnostics);
  if (letter === 'u' || letter === 'U') return readUniversal(token, start, end, diagnostics);
  const code = letter.charCodeAt(0);
  if (code >= 48 && code <= 55) return readOctal(token, start, end, bits, diagnostics);
  const value = text.codePointAt(start + 1) ?? 0;
  const next = start + (value > 0xffff ? 3 : 2);
  diagnostics.warning(
    within(token, start, next),
    'unknown-escape-sequence',
    `unknown escape sequence '\\${String.fromCodePoint(value)}'`,
  );
  return { value, isByte: false, next };
}

function readHex(token: Token, start: number, end: number, bits: 8 | 32, diagnostics: Diagnostics): Unit {
  const { text } = token;
  let next = start + 2;
  let value = 0;
  while (next < end && digitValue(text.charCodeAt(next)) >= 0) {
    // one past the range is as wrong as any more
    value = Math.min(value * 16 + digitValue(text.charCodeAt(next)), 2 ** 32);
    next += 1;
  }
  if (next === start + 2) {
    diagnostics.error(within(token, start, next), '\\x used with no following hex digits');
  } else if (value >= 2 ** bits) {
    diagnostics.error(within(token, start, next), 'hex escape sequence out of range');
  }
  return { value: bits === 8 ? value & 255 : value | 0, isByte: true, next };
}

function readOctal(token: Token, start: number, end: number, bits: 8 | 32, diagnostics: Diagnostics): Unit {
  const { text } = token;
  let next = start + 1;
  let value = 0;
  while (next < end && next < start + 4) {
    const digit = digitValue(text.charCodeAt(next));
    if (digit < 0 || digit > 7) break;
    value = value * 8 + digit;
    next += 1;
  }
  if (value >= 2 ** bits) {
    diagnostics.error(within(token, start, next), 'octal escape sequence out of range');
    value &= 255;
  }
  return { value, isByte: true, next };
}

/** \uXXXX or \UXXXXXXXX (C99 6.4.3). */
function readUniversal(token: Token, start: number, end: number, diagnostics: Diagnostics): Unit {
  const { text } = token;
  const count = text.charAt(start + 1) === 'u' ? 4 : 8;
  let next = start + 2;
  let value = 0;
  while (next < end && next < start + 2 + count && digitValue(text.charCodeAt(next)) >= 0) {
    value = value * 16 + digitValue(text.charCodeAt(next));
    next += 1;
  }
  const place = within(token, start, next);
  if (next < start + 2 + count) {
    diagnostics.error(place, 'incomplete universal character name');
    return { value: 0xfffd, isByte: false, next };
  }
  // below U+00A0 only what is not in the basic character set may be named, and never half a pair
  const isBasic = value < 0xa0 && value !== 0x24 && value !== 0x40 && value !== 0x60;
  if (isBasic || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) {
    diagnostics.error(place, 'invalid universal character');
    return { value: 0xfffd, isByte: false, next };
  }
  return { value, isByte: false, next };
}

function pushUtf8(bytes: number[], codePoint: number): void {
  if (codePoint < 0x80) {
    bytes.push(codePoint);
  } else if (codePoint < 0x800) {
    bytes.push(0xc0 | (codePoint >> 6), 0x80 | (codePoint & 63));
  } else if (codePoint < 0x10000) {
    bytes.push(0xe0 | (codePoint >> 12), 0x80 | ((codePoint >> 6) & 63), 0x80 | (codePoint & 63));
  } else {
    bytes.push(
      0xf0 | (codePoint >> 18),
      0x80 | ((codePoint >> 12) & 63),
      0x80 | ((codePoint >> 6) & 63),
      0x80 | (codePoint & 63),
    );
  }
}
