/**
 * Cuts a C source text into preprocessing tokens (C99 6.4).
 *
 * The lexer knows nothing of macros; the preprocessor drives it line by line where a directive stands (`directive`),
 * and over whole groups that a condition leaves out (`skipToDirective`). It works on character codes over a text
 * without line splices.
 */
import type { Diagnostics } from '../source/diagnostics.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { Span } from '../source/span.ts';
import {
  asciiClasses,
  characterClass,
  characterName,
  digitValue,
  identifierPart,
  isUnicodePart,
  isUnicodeSpace,
  isUnicodeStart,
} from './characters.ts';
import { hashFactor, hashSeed, type IdentifierTable } from './identifier-table.ts';
import { punctuatorAt } from './punctuators.ts';
import { removeSplices, type SplicedText } from './splices.ts';
import { Token, type TokenKind, tokenFlags } from './token.ts';

const { identifierStart, digit, space, newline, hiding } = characterClass;

const lineFeed = 10;
const carriageReturn = 13;
const blank = 32;
const doubleQuote = 34;
const singleQuote = 39;
const star = 42;
const plus = 43;
const minus = 45;
const dot = 46;
const slash = 47;
const less = 60;
const greater = 62;
const question = 63;
const backslash = 92;

export class Lexer {
  readonly file: SourceFile;
  /** Inside a directive the end of the line is an `end` token, again and again until `endDirective`. */
  directive = false;
  /** No complaints: for text that is no program, as in #error. */
  quiet = false;

  readonly #text: string;
  readonly #splices: SplicedText | undefined;
  readonly #names: IdentifierTable;
  readonly #diagnostics: Diagnostics;
  readonly #trigraphs: boolean;
  #position = 0;
  /** the flags that the token to come gets for what stands before it */
  #spacing: number = tokenFlags.lineStart;

  constructor(file: SourceFile, names: IdentifierTable, diagnostics: Diagnostics) {
    this.file = file;
    this.#names = names;
    this.#diagnostics = diagnostics;
    this.#splices = file.text.includes('\\') ? removeSplices(file, diagnostics) : undefined;
    this.#text = this.#splices?.text ?? file.text;
    this.#trigraphs = this.#text.includes('??');
    if (this.#text.charCodeAt(0) === 0xfeff) this.#position = 1;
  }

  /** The next token; `end` at the end of the text (or, in a directive, of the line), however often it is asked for. */
  next(): Token {
    const text = this.#text;
    const { length } = text;
    let position = this.#position;
    for (;;) {
      if (position >= length) {
        this.#position = length;
        return this.#make('end', '', length, length);
      }
      const code = text.charCodeAt(position);
      const kind = code < 128 ? (asciiClasses[code] as number) : 0;
      if (kind === space) {
        this.#spacing |= tokenFlags.spaceBefore;
        position = this.#skipBlanks(position + 1);
      } else if (kind === newline) {
        if (this.directive) {
          this.#position = position;
          return this.#make('end', '', position, position);
        }
        this.#spacing = tokenFlags.lineStart;
        position += 1;
      } else if (kind === identifierStart) {
        if (code === 76 && position + 1 < length) {
          const quote = text.charCodeAt(position + 1);
          if (quote === doubleQuote || quote === singleQuote) {
            return this.#quoted(position, position + 1, quote);
          }
        }
        return this.#identifier(position);
      } else if (kind === digit) {
        return this.#number(position);
      } else if (code === doubleQuote || code === singleQuote) {
        return this.#quoted(position, position, code);
      } else if (code === slash && position + 1 < length && this.#isComment(position + 1)) {
        position = this.#skipComment(position);
        this.#spacing |= tokenFlags.spaceBefore;
      } else if (code === dot && position + 1 < length && isDigit(text.charCodeAt(position + 1))) {
        return this.#number(position);
      } else {
        const punctuator = punctuatorAt(text, position);
        if (punctuator !== undefined) {
          if (code === question && this.#trigraphs) this.#warnTrigraphs(position, position + 3);
          const end = position + punctuator.spelling.length;
          this.#position = end;
          return this.#make('punctuator', punctuator.text, position, end);
        }
        const other = this.#other(position, code);
        if (other !== undefined) return other;
        position = this.#position;
        this.#spacing |= tokenFlags.spaceBefore;
      }
    }
  }

  /** The position after the white space of a line; nearly all of it is indentation by blanks. */
  #skipBlanks(from: number): number {
    const text = this.#text;
    let position = from;
    while (position < text.length && text.charCodeAt(position) === blank) position += 1;
    return position;
  }

  /** Leaves a directive; the rest of its line, if any, is passed over. */
  endDirective(): void {
    this.#position = this.#skipLine(this.#position);
    this.directive = false;
    this.#spacing = tokenFlags.lineStart;
  }

  /**
   * The header name of an #include directive, `<x>` or `"x"` with its delimiters, as a token of kind string;
   * undefined if none stands here. It has no escapes (C99 6.4.7).
   */
  headerName(): Token | undefined {
    const text = this.#text;
    let position = this.#position;
    while (position < text.length) {
      const code = text.charCodeAt(position);
      if (code === slash && position + 1 < text.length && text.charCodeAt(position + 1) === star) {
        position = this.#skipComment(position);
      } else if (code < 128 && asciiClasses[code] === space) {
        position += 1;
      } else break;
      this.#spacing |= tokenFlags.spaceBefore;
    }
    this.#position = position;
    if (position >= text.length) return undefined;
    const open = text.charCodeAt(position);
    if (open !== less && open !== doubleQuote) return undefined;
    const close = open === less ? greater : doubleQuote;
    let end = position + 1;
    while (end < text.length && text.charCodeAt(end) !== close && !isNewline(text.charCodeAt(end))) end += 1;
    if (end >= text.length || text.charCodeAt(end) !== close) {
      if (open === doubleQuote) return undefined;
      const span = this.#span(end, end);
      this.#diagnostics.error(span, "expected '>'", [
        { message: "to match this '<'", span: this.#span(position, position + 1) },
      ]);
      this.#position = end;
      return this.#make('string', '<>', position, end);
    }
    this.#position = end + 1;
    return this.#make('string', text.slice(position, end + 1), position, end + 1);
  }

  /** The text from the start of one token of this file to the end of another, as one line. */
  textBetween(first: Token, last: Token): string {
    const written = this.file.text.slice(first.start, last.end);
    return written.replace(/\\[ \t\v\f]*(?:\r\n|\n|\r)/g, '').replace(/\r\n|\n|\r/g, ' ');
  }

  /**
   * Passes over lines until one that begins with `#` and answers that token, or `end`. Only comments and quotes are
   * understood on the way, and nothing is complained about but a comment without end.
   */
  skipToDirective(): Token {
    const text = this.#text;
    const { length } = text;
    let position = this.#position;
    for (;;) {
      let first = position;
      while (first < length) {
        const code = text.charCodeAt(first);
        if (code === slash && first + 1 < length && text.charCodeAt(first + 1) === star) {
          first = this.#skipComment(first);
        } else if (code < 128 && ((asciiClasses[code] as number) & (space | newline)) !== 0) {
          first += 1;
        } else break;
      }
      if (first >= length) {
        this.#position = length;
        this.#spacing = tokenFlags.lineStart;
        return this.#make('end', '', length, length);
      }
      const punctuator = punctuatorAt(text, first);
      if (punctuator?.text === '#') {
        const end = first + punctuator.spelling.length;
        this.#position = end;
        this.#spacing = tokenFlags.lineStart;
        return this.#make('punctuator', '#', first, end);
      }
      position = this.#skipLine(first);
    }
  }

  /** The position after the line's end, seeing comments and quotes that may hide it. */
  #skipLine(from: number): number {
    const text = this.#text;
    const { length } = text;
    let position = from;
    while (position < length) {
      const code = text.charCodeAt(position);
      if (code >= 128 || ((asciiClasses[code] as number) & (newline | hiding)) === 0) {
        position += 1;
        continue;
      }
      if (code === lineFeed) return position + 1;
      if (code === carriageReturn)
        return text.charCodeAt(position + 1) === lineFeed ? position + 2 : position + 1;
      if (code === slash && position + 1 < length && this.#isComment(position + 1)) {
        position = this.#skipComment(position);
      } else if (code === doubleQuote || code === singleQuote) {
        position = this.#quoteEnd(position, code);
      } else position += 1;
    }
    return length;
  }

  /** The position after the closing quote; at the end of the line or text if there is none. */
  #quoteEnd(open: number, quote: number): number {
    const text = this.#text;
    let position = open + 1;
    while (position < text.length) {
      const code = text.charCodeAt(position);
      if (code === quote) return position + 1;
      if (isNewline(code)) return position;
      position +=
        code === backslash && position + 1 < text.length && !isNewline(text.charCodeAt(position + 1)) ? 2 : 1;
    }
    return position;
  }

  #isComment(second: number): boolean {
    const code = this.#text.charCodeAt(second);
    return code === slash || code === star;
  }

  #skipComment(open: number): number {
    const text = this.#text;
    if (text.charCodeAt(open + 1) === star) {
      const close = text.indexOf('*/', open + 2);
      if (close !== -1) return close + 2;
      this.#diagnostics.error(this.#span(open, open + 2), 'unterminated /* comment');
      return text.length;
    }
    let position = open + 2;
    while (position < text.length && !isNewline(text.charCodeAt(position))) position += 1;
    return position;
  }

  #identifier(start: number): Token {
    const text = this.#text;
    const { length } = text;
    let end = start;
    let hash = hashSeed;
    while (end < length) {
      const code = text.charCodeAt(end);
      if (code < 128 ? ((asciiClasses[code] as number) & identifierPart) === 0 : !this.#isPart(end)) break;
      hash = Math.imul(hash ^ code, hashFactor);
      end += 1;
    }
    if (end < length && text.charCodeAt(end) === backslash && this.#universalName(end) !== undefined) {
      return this.#identifierWithNames(start);
    }
    this.#position = end;
    return this.#make('identifier', this.#names.intern(text, start, end, hash), start, end);
  }

  /** An identifier with universal character names in it (C99 6.4.3); its text has the characters they name. */
  #identifierWithNames(start: number): Token {
    const text = this.#text;
    let name = '';
    let end = start;
    while (end < text.length) {
      const code = text.charCodeAt(end);
      const universal = code === backslash ? this.#universalName(end) : undefined;
      if (universal !== undefined) {
        name += universal.character;
        end = universal.end;
      } else if (code < 128 ? ((asciiClasses[code] as number) & identifierPart) !== 0 : this.#isPart(end)) {
        name += text.charAt(end);
        end += 1;
      } else break;
    }
    this.#position = end;
    return this.#make('identifier', this.#names.internSlice(name, 0, name.length), start, end);
  }

  /** The character of an identifier that `\uXXXX` or `\UXXXXXXXX` at `position` names. */
  #universalName(position: number): { character: string; end: number } | undefined {
    const letter = this.#text.charAt(position + 1);
    if (letter !== 'u' && letter !== 'U') return undefined;
    const end = position + (letter === 'u' ? 6 : 10);
    if (end > this.#text.length) return undefined;
    let codePoint = 0;
    for (let index = position + 2; index < end; index += 1) {
      const value = digitValue(this.#text.charCodeAt(index));
      if (value < 0) return undefined;
      codePoint = codePoint * 16 + value;
    }
    if (codePoint > 0x10ffff || !isUnicodePart(codePoint)) return undefined;
    return { character: String.fromCodePoint(codePoint), end };
  }

  /** Whether the character outside ASCII at `position` (or the pair it is the second half of) goes on an identifier. */
  #isPart(position: number): boolean {
    const code = this.#text.charCodeAt(position);
    const isLowHalf = code >= 0xdc00 && code <= 0xdfff && position > 0;
    const codePoint = this.#text.codePointAt(isLowHalf ? position - 1 : position) ?? 0;
    return isUnicodePart(codePoint);
  }

  /** A preprocessing number (C99 6.4.8); whether it is a good one is found out when its value is read. */
  #number(start: number): Token {
    const text = this.#text;
    const { length } = text;
    const first = text.charCodeAt(start);
    let end = start + 1;
    let hash = Math.imul(hashSeed ^ first, hashFactor);
    let isFloat = first === dot;
    const second = (end < length ? text.charCodeAt(end) : 0) | 32;
    const isHex = second === 120 && first === 48;
    let mayBeSign = false;
    while (end < length) {
      const code = text.charCodeAt(end);
      const kind = code < 128 ? (asciiClasses[code] as number) : 0;
      const isSign = mayBeSign && (code === plus || code === minus);
      mayBeSign = false;
      if (kind === identifierStart) {
        const letter = code | 32;
        mayBeSign = letter === 112 || letter === 101;
        if (letter === 112 ? isHex : letter === 101 && !isHex) isFloat = true;
      } else if (code === dot) {
        isFloat = true;
      } else if (kind !== digit && !isSign && !(code >= 128 && this.#isPart(end))) break;
      hash = Math.imul(hash ^ code, hashFactor);
      end += 1;
    }
    this.#position = end;
    const digits = this.#names.intern(text, start, end, hash);
    return this.#make(isFloat ? 'float' : 'integer', digits, start, end);
  }

  #quoted(start: number, open: number, quote: number): Token {
    const text = this.#text;
    const end = this.#quoteEnd(open, quote);
    this.#position = end;
    let written = text.slice(start, end);
    if (end - open < 2 || text.charCodeAt(end - 1) !== quote || this.#isEscapedEnd(open, end - 1)) {
      const name = String.fromCharCode(quote);
      if (!this.quiet) {
        this.#diagnostics.error(
          this.#span(start, end),
          `missing terminating ${quote === doubleQuote ? `'"'` : name} character`,
        );
      }
      written = `${this.#isEscapedEnd(open, end) ? written.slice(0, -1) : written}${name}`;
    }
    if (this.#trigraphs) this.#warnTrigraphs(start, end);
    return this.#make(quote === doubleQuote ? 'string' : 'character', written, start, end);
  }

  /** Whether an odd number of backslashes stands right before `end`. */
  #isEscapedEnd(open: number, end: number): boolean {
    let count = 0;
    while (end - 1 - count > open && this.#text.charCodeAt(end - 1 - count) === backslash) count += 1;
    return count % 2 === 1;
  }

  /** What begins no token: a token of its own that the preprocessor lets pass as text only, or odd white space. */
  #other(position: number, code: number): Token | undefined {
    const codePoint = this.#text.codePointAt(position) ?? code;
    const end = position + (codePoint > 0xffff ? 2 : 1);
    if (isUnicodeStart(codePoint)) return this.#identifier(position);
    if (code === backslash) {
      const named = this.#universalName(position)?.character.codePointAt(0);
      if (named !== undefined && isUnicodeStart(named)) return this.#identifierWithNames(position);
    }
    this.#position = end;
    if (code === 0 || isUnicodeSpace(codePoint)) {
      if (!this.quiet) {
        const message = code === 0 ? 'null character ignored' : 'treating Unicode character as whitespace';
        const option = code === 0 ? 'null-character' : 'unicode-whitespace';
        this.#diagnostics.warning(this.#span(position, end), option, message);
      }
      return undefined;
    }
    return this.#make('punctuator', this.#text.slice(position, end), position, end, tokenFlags.stray);
  }

  #warnTrigraphs(start: number, end: number): void {
    if (this.quiet) return;
    const text = this.#text.slice(start, end);
    for (let at = text.indexOf('??'); at !== -1; at = text.indexOf('??', at + 2)) {
      if (at + 2 < text.length && "=/'()!<>-".includes(text.charAt(at + 2))) {
        this.#diagnostics.warning(this.#span(start + at, start + at + 3), 'trigraphs', 'trigraph ignored');
      }
    }
  }

  #span(start: number, end: number): Span {
    const { file } = this;
    if (this.#splices === undefined) return { file, start, end };
    return { file, start: this.#splices.startOf(start), end: this.#splices.endOf(end) };
  }

  #make(kind: TokenKind, text: string, start: number, end: number, marks: number = 0): Token {
    const flags = this.#spacing | marks;
    this.#spacing = 0;
    if (this.#splices === undefined) return new Token(kind, text, this.file, start, end, undefined, flags);
    const from = this.#splices.startOf(start);
    const to = Math.max(from, this.#splices.endOf(end));
    return new Token(kind, text, this.file, from, to, undefined, flags);
  }
}

/** Names an unexpected character of a stray token for a message. */
export function strayName(token: Token): string {
  return characterName(token.text.codePointAt(0) ?? 0);
}

function isNewline(code: number): boolean {
  return code === lineFeed || code === carriageReturn;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
