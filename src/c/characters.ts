/**
 * The classes of characters that the lexer and the literal readers tell apart, as a table by character code.
 */

/** Bits of a character's class. */
export const characterClass = {
  /** may begin an identifier: letters, `_`, and `$` as an extension that clang has on */
  identifierStart: 1,
  digit: 2,
  /** white space within a line */
  space: 4,
  newline: 8,
  /** may begin a comment or a literal, in which the end of a line is not seen */
  hiding: 16,
} as const;

const table = new Uint8Array(128);
for (let code = 0; code < 26; code += 1) {
  table[65 + code] = characterClass.identifierStart;
  table[97 + code] = characterClass.identifierStart;
}
table[95] = characterClass.identifierStart;
table[36] = characterClass.identifierStart;
for (let code = 48; code < 58; code += 1) table[code] = characterClass.digit;
for (const code of [9, 11, 12, 32]) table[code] = characterClass.space;
for (const code of [34, 39, 47]) table[code] = characterClass.hiding;
table[10] = characterClass.newline;
table[13] = characterClass.newline;

/** The class bits of ASCII characters by code. */
export const asciiClasses: Readonly<Uint8Array> = table;

/** What may stand inside an identifier or a preprocessing number. */
export const identifierPart = characterClass.identifierStart | characterClass.digit;

/** The value of a digit in bases up to 16, or -1. */
export function digitValue(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  if (code >= 97 && code <= 102) return code - 87;
  if (code >= 65 && code <= 70) return code - 55;
  return -1;
}

const unicodeStart = /^\p{ID_Start}$/u;
const unicodePart = /^\p{ID_Continue}$/u;
const unicodeSpace = /^\p{White_Space}$/u;

/** True for a character outside ASCII that may begin an identifier. */
export function isUnicodeStart(codePoint: number): boolean {
  return codePoint >= 128 && unicodeStart.test(String.fromCodePoint(codePoint));
}

/** True for a character outside ASCII that may continue an identifier. */
export function isUnicodePart(codePoint: number): boolean {
  return codePoint >= 128 && unicodePart.test(String.fromCodePoint(codePoint));
}

/** True for white space and byte order marks outside ASCII. */
export function isUnicodeSpace(codePoint: number): boolean {
  return codePoint === 0xfeff || (codePoint >= 128 && unicodeSpace.test(String.fromCodePoint(codePoint)));
}

/** A character as a message names it: `'@'`, or `<U+00A0>` where it would not show. */
export function characterName(codePoint: number): string {
  if (codePoint > 32 && codePoint < 127) return `'${String.fromCodePoint(codePoint)}'`;
  return `<U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}>`;
}
