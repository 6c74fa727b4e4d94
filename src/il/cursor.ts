/** A place in the text of a program that moves on as words are read. Nothing here crosses the end of a line but `nextLine`. */
import type { Diagnostics } from '../source/diagnostics.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { Span } from '../source/span.ts';

/** Thrown and caught inside the parser, after the mistake was reported: the rest of the line says nothing certain. */
export class LineIsLost extends Error {}

const lineEnd = /[\r\n]/;

/** how much of a word messages show */
const longestWord = 40;

/** A word of the program in quotes, as messages have it. */
export function quoted(word: string): string {
  return word.length > longestWord ? `'${word.slice(0, longestWord)}...'` : `'${word}'`;
}

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

  /** The next character; empty at the end of the text. */
  get next(): string {
    return this.file.text.charAt(this.offset);
  }

  skipBlanks(): void {
    while (this.next === ' ' || this.next === '\t') this.offset += 1;
  }

  /** Whether nothing but blanks and a comment is left of the line. */
  get isLineDone(): boolean {
    this.skipBlanks();
    return this.isAtEnd || this.next === ';' || lineEnd.test(this.next);
  }

  restOfLine(): string {
    const start = this.offset;
    while (!this.isAtEnd && !lineEnd.test(this.next)) this.offset += 1;
    return this.file.text.slice(start, this.offset);
  }

  /** Over what ends a line. */
  nextLine(): void {
    while (lineEnd.test(this.next)) this.offset += 1;
  }

  /** Reads what a sticky pattern matches here; empty if it does not match. */
  read(pattern: RegExp): string {
    pattern.lastIndex = this.offset;
    const text = pattern.exec(this.file.text)?.[0] ?? '';
    this.offset += text.length;
    return text;
  }

  /** Reads one character after blanks, if it is this one. */
  accept(character: string): boolean {
    this.skipBlanks();
    if (this.next !== character) return false;
    this.offset += 1;
    return true;
  }

  expect(character: string, where: string): void {
    if (!this.accept(character)) this.lost(`expected '${character}' ${where}`);
  }

  spanFrom(start: number): Span {
    return { file: this.file, start, end: this.offset };
  }

  /** Reports what was expected here and what is found, and gives the line up. */
  lost(message: string): never {
    this.skipBlanks();
    const start = this.offset;
    const word = this.read(/[\w.]+|[^\r\n]/y);
    const found = word === '' || word === ';' ? 'the line ends' : `found ${quoted(word)}`;
    this.diagnostics.error(
      { file: this.file, start, end: Math.max(this.offset, start) },
      `${message}, ${found}`,
    );
    throw new LineIsLost();
  }

  /** Reports a mistake in what was read; reading goes on. */
  wrong(start: number, message: string): void {
    this.diagnostics.error(this.spanFrom(start), message);
  }
}
