/** A cursor over the tokens of a .br file, which the parsers of this folder and the translator of the host part share. */
import type { Token } from '../../c/token.ts';
import { nearestName } from '../../source/nearest-name.ts';
import { joinSpans, type Span } from '../../source/span.ts';
import type { TypeTable } from './ast.ts';

/** A mistake in the grammar: reading goes on after the kernel that has it. */
export class ParseFailure extends Error {
  readonly span: Span;

  constructor(span: Span, message: string) {
    super(message);
    this.span = span;
  }
}

/** Nesting of brackets, statements and operators that a kernel may have; deeper trees would exhaust the stack. */
const deepest = 200;

/** The words that a mistyped one may have been. */
const words: readonly string[] = [
  ...'kernel reduce out void const struct unsigned signed iter if else for while do return break continue'.split(
    ' ',
  ),
  ...['char', 'uchar', 'short', 'ushort', 'int', 'uint', 'float', 'double'].flatMap((type) =>
    ['', '2', '3', '4'].map((width) => `${type}${width}`),
  ),
];

export class Reader {
  readonly tokens: readonly Token[];
  readonly types: TypeTable;
  position = 0;
  #depth = 0;

  /** `tokens` end with one of kind `end`. */
  constructor(tokens: readonly Token[], types: TypeTable) {
    this.tokens = tokens;
    this.types = types;
  }

  get token(): Token {
    return this.peek(0);
  }

  get atEnd(): boolean {
    return this.token.kind === 'end';
  }

  peek(distance: number): Token {
    const { tokens } = this;
    return tokens[Math.min(this.position + distance, tokens.length - 1)]!;
  }

  next(): Token {
    const { token } = this;
    if (token.kind !== 'end') this.position += 1;
    return token;
  }

  /** Whether the token is this punctuator or word. */
  at(text: string, distance = 0): boolean {
    const token = this.peek(distance);
    return token.text === text && (token.kind === 'punctuator' || token.kind === 'identifier');
  }

  accept(text: string): boolean {
    if (!this.at(text)) return false;
    this.next();
    return true;
  }

  expect(text: string): Token {
    if (this.at(text)) return this.next();
    throw this.failure(`expected '${text}'`);
  }

  identifier(what: string): Token {
    if (this.token.kind === 'identifier') return this.next();
    throw this.failure(`expected ${what}`);
  }

  failure(message: string): ParseFailure {
    const { token } = this;
    const before = token.kind === 'end' ? 'at the end of the file' : `before '${token.text}'`;
    const near = token.kind === 'identifier' ? nearestName(token.text, words) : undefined;
    const hint = near === undefined ? '' : `; did you mean '${near}'?`;
    return new ParseFailure(token.span, `parse error: ${message} ${before}${hint}`);
  }

  /** The span from a token to the one read last. */
  spanFrom(start: Span): Span {
    const last = this.tokens[Math.max(this.position - 1, 0)]!;
    return joinSpans(start, last.span);
  }

  /** Runs a step of a recursive rule. */
  nested<Result>(rule: () => Result): Result {
    if (this.#depth >= deepest) throw new ParseFailure(this.token.span, 'parse error: nested too deeply');
    this.#depth += 1;
    try {
      return rule();
    } finally {
      this.#depth -= 1;
    }
  }

  /** With an opening bracket as the token: the position behind the one that closes it, or of the end. */
  behindBracket(from = this.position): number {
    let depth = 0;
    for (let at = from; at < this.tokens.length; at += 1) {
      const { kind, text } = this.tokens[at]!;
      if (kind === 'end') return at;
      if (kind !== 'punctuator') continue;
      if (text === '(' || text === '[' || text === '{') depth += 1;
      else if (text === ')' || text === ']' || text === '}') {
        depth -= 1;
        if (depth <= 0) return at + 1;
      }
    }
    return this.tokens.length - 1;
  }
}
