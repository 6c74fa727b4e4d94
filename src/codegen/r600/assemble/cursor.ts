/** A place in the text of a listing that moves on as words are read, line by line. */
import type { Diagnostics } from '../../../source/diagnostics.ts';
import type { SourceFile } from '../../../source/source-file.ts';
import type { Span } from '../../../source/span.ts';

/** Thrown and caught inside the assembler, after the mistake was reported: the rest of the line says nothing certain. */
export class LineIsLost extends Error {}

/** How much of a word messages show. */
const longestWord = 40;

export class Cursor {
  readonly file: SourceFile;
  readonly diagnostics: Diagnostics;
  offset = 0;

  constructor(file: SourceFile, diagnostics: Diagnostics) {
    this.file = file;
    this.diagnostics = diagnostics;
  }

  get isAtEnd(): boolean {
    return this.offset >= this.file.text.length;
  }

  /** Whether nothing but blanks and a comment is left of the line. */
  get isLineDone(): boolean {
    this.read(/[ \t]+/y);
    return this.isAtEnd || /[;\r\n]/.test(this.file.text.charAt(this.offset));
  }

  /** To the beginning of the next line. */
  nextLine(): void {
    this.read(/[^\r\n]*(?:\r\n|\n|\r)?/y);
  }

  /** Reads what a sticky pattern matches here; empty if it does not match. */
  read(pattern: RegExp): string {
    pattern.lastIndex = this.offset;
    const text = pattern.exec(this.file.text)?.[0] ?? '';
    this.offset += text.length;
    return text;
  }

  /** The same behind blanks. */
  word(pattern: RegExp): string {
    this.read(/[ \t]+/y);
    return this.read(pattern);
  }

  /** Reads these characters behind blanks, if they are here. */
  accept(characters: string): boolean {
    this.read(/[ \t]+/y);
    if (!this.file.text.startsWith(characters, this.offset)) return false;
    this.offset += characters.length;
    return true;
  }

  expect(characters: string): void {
    if (!this.accept(characters)) this.lost(`expected '${characters}'`);
  }

  /** A number in decimal digits, at most `most`. */
  number(what: string, most: number): number {
    const start = this.here();
    const digits = this.word(/\d+/y);
    if (digits === '') this.lost(`expected ${what}`);
    const value = Number(digits);
    if (value > most) this.fail(start, `${what} is ${digits}, and at most ${most}`);
    return value;
  }

  /** Where the next word begins. */
  here(): number {
    this.read(/[ \t]+/y);
    return this.offset;
  }

  spanFrom(start: number): Span {
    return { file: this.file, start, end: this.offset };
  }

  /** Reports what was expected here and what is found, and gives the line up. */
  lost(message: string): never {
    const start = this.here();
    const word = this.read(/[\w.]+|[^\r\n;]/y);
    const shown = word.length > longestWord ? `${word.slice(0, longestWord)}...` : word;
    this.fail(start, `${message}, ${word === '' ? 'the line ends' : `found '${shown}'`}`);
  }

  /** Reports a mistake in what was read since `start`, and gives the line up. */
  fail(start: number, message: string): never {
    this.diagnostics.error(this.spanFrom(start), message);
    throw new LineIsLost();
  }
}
