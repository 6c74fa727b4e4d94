/** Splits the text form into tokens, and says where something is wrong in it. */
import type { Diagnostic } from '../../source/diagnostics.ts';
import { SourceFile } from '../../source/source-file.ts';
import type { Span } from '../../source/span.ts';

/** Text that is not the text form of a module. Its diagnostic renders like any compiler's (source/render.ts). */
export class IrSyntaxError extends Error {
  readonly diagnostic: Diagnostic;

  constructor(message: string, span: Span) {
    const { line, column } = span.file.position(span.start);
    super(`${span.file.name}:${line}:${column}: ${message}`);
    this.name = 'IrSyntaxError';
    this.diagnostic = { severity: 'error', message, span, notes: [] };
  }
}

export interface Token {
  /** `%x`, `@f`, `$s` are value, symbol and context array; their text is the name alone. */
  readonly kind: 'word' | 'value' | 'symbol' | 'contextArray' | 'number' | 'string' | 'punctuation' | 'end';
  /** Without sigil and quotes. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether it is the first on its line: an instruction ends where the line does. */
  readonly startsLine: boolean;
}

const tokenPattern =
  /(?<word>[A-Za-z_][A-Za-z0-9_.]*(?:-[A-Za-z]+)*)|%(?<value>[A-Za-z0-9_.]+)|\$(?<contextArray>[A-Za-z0-9_.]+)|@(?<symbol>[A-Za-z_][A-Za-z0-9_.]*|"(?:[^"\\\n]|\\.)*")|(?<number>-?(?:[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?|inf\b))|(?<string>"(?:[^"\\\n]|\\.)*")|(?<punctuation>->|[-+(){}[\]<>,:=])/y;
const blankPattern = /(?:[ \t\r\n]|\/\/[^\n]*)*/y;

/** A reader of tokens with one token of look-ahead. */
export class Lexer {
  readonly file: SourceFile;
  #offset = 0;
  #next: Token;
  #lastEnd = 0;

  constructor(text: string, name: string) {
    this.file = new SourceFile(name, text);
    this.#next = this.#scan();
  }

  /** The token that comes next. */
  get peek(): Token {
    return this.#next;
  }

  /** Where the token taken last ended. */
  get lastEnd(): number {
    return this.#lastEnd;
  }

  take(): Token {
    const token = this.#next;
    this.#lastEnd = token.end;
    this.#next = this.#scan();
    return token;
  }

  /** Takes the next token if it is this word or punctuation on the same line or, unless `sameLine`, any line. */
  accept(text: string, sameLine = false): boolean {
    const { kind, startsLine } = this.#next;
    if (this.#next.text !== text || (kind !== 'word' && kind !== 'punctuation')) return false;
    if (sameLine && startsLine) return false;
    this.take();
    return true;
  }

  expect(text: string): Token {
    const token = this.#next;
    if (!this.accept(text)) this.fail(`expected '${text}'`);
    return token;
  }

  expectKind(kind: Token['kind'], what: string): string {
    if (this.#next.kind !== kind) this.fail(`expected ${what}`);
    return this.take().text;
  }

  /** A whole number that is not negative. */
  expectCount(what: string): number {
    const { kind, text } = this.#next;
    if (kind !== 'number' || !/^[0-9]{1,15}$/.test(text)) this.fail(`expected ${what}`);
    return Number(this.take().text);
  }

  /** `name=number`. */
  attribute(name: string): number {
    this.expect(name);
    this.expect('=');
    return this.expectCount('a number');
  }

  /** One of these words. */
  oneOf<T extends string>(words: readonly T[], what: string): T {
    const found = words.find((word) => word === this.#next.text);
    if (found === undefined) this.fail(`expected ${what}`);
    this.take();
    return found;
  }

  /** Items between two marks, with commas between them. */
  list<T>(open: string, close: string, item: () => T): T[] {
    const items: T[] = [];
    this.expect(open);
    if (this.accept(close)) return items;
    do items.push(item());
    while (this.accept(','));
    this.expect(close);
    return items;
  }

  span(start: number, end = this.#lastEnd): Span {
    return { file: this.file, start, end };
  }

  /** Reports the next token, or the given one, as wrong. */
  fail(message: string, token: { start: number; end: number } = this.#next): never {
    throw new IrSyntaxError(message, this.span(token.start, token.end));
  }

  #scan(): Token {
    const { text } = this.file;
    const blankStart = this.#offset;
    blankPattern.lastIndex = blankStart;
    blankPattern.exec(text);
    const start = blankPattern.lastIndex;
    const startsLine = start === 0 || text.slice(blankStart, start).includes('\n');
    if (start >= text.length) return { kind: 'end', text: '', start, end: start, startsLine: true };

    tokenPattern.lastIndex = start;
    const groups = tokenPattern.exec(text)?.groups;
    if (!groups) this.fail(`stray character '${text.charAt(start)}'`, { start, end: start + 1 });
    const end = tokenPattern.lastIndex;
    this.#offset = end;
    for (const kind of [
      'word',
      'value',
      'contextArray',
      'symbol',
      'number',
      'string',
      'punctuation',
    ] as const) {
      const found = groups[kind];
      if (found === undefined) continue;
      const quoted = found.startsWith('"');
      return { kind, text: quoted ? this.#unquote(found, start, end) : found, start, end, startsLine };
    }
    return this.fail('stray text', { start, end });
  }

  #unquote(quoted: string, start: number, end: number): string {
    try {
      return JSON.parse(quoted) as string;
    } catch {
      return this.fail('malformed string', { start, end });
    }
  }
}
