/**
 * A place in a text that is read line by line, as assembler languages are: it moves on as words are read, and where a mistake
 * makes the rest of a line uncertain, gives up that line alone.
 */
import type { Diagnostics } from './diagnostics.ts';
import type { SourceFile } from './source-file.ts';
import type { Span } from './span.ts';

/** Thrown and caught inside a parser, after the mistake was reported: the rest of the line says nothing certain. */
export class LineIsLost extends Error {}

/** How much of a word messages show. */
const longestWord = 40;

const lineEnd = /[\r\n]/;

/** A word of the program in quotes, as messages have it. */
export function quoted(word: string): string {
  return word.length > longestWord ? `'${word.slice(0, longestWord)}...'` : `'${word}'`;
}

export class LineCursor {
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

  /** Whether what comes next ends the line. */
  get isLineEnd(): boolean {
    return lineEnd.test(this.next);
  }

  skipBlanks(): void {
    while (this.next === ' ' || this.next === '\t') this.offset += 1;
  }

  /** Whether nothing but blanks and a comment is left of the line. */
  get isLineDone(): boolean {
    this.skipBlanks();
    return this.isAtEnd || this.next === ';' || this.isLineEnd;
  }

  /** Reads what a sticky pattern matches here; empty if it does not match. */
  read(pattern: RegExp): string {
    pattern.lastIndex = this.offset;
    const text = pattern.exec(this.file.text)?.[0] ?? '';
    this.offset += text.length;
    return text;
  }

  /** Reads these characters behind blanks, if they are here. */
  accept(characters: string): boolean {
    this.skipBlanks();
    if (!this.file.text.startsWith(characters, this.offset)) return false;
    this.offset += characters.length;
    return true;
  }

  /** @param where what the message says of the place, as 'before the operand' */
  expect(characters: string, where?: string): void {
    if (!this.accept(characters)) this.lost(`expected '${characters}'${where ? ` ${where}` : ''}`);
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
    this.fail(start, `${message}, ${found}`);
  }

  /** Reports a mistake in what was read since `start`, and gives the line up. */
  fail(start: number, message: string): never {
    this.wrong(start, message);
    throw new LineIsLost();
  }

  /** Reports a mistake in what was read since `start`; reading goes on. */
  wrong(start: number, message: string): void {
    this.diagnostics.error(this.spanFrom(start), message);
  }
}
