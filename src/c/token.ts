/**
 * The tokens that the lexer makes and the preprocessor hands to a parser.
 *
 * A token is its own span while it is being read: millions are made, and one object each is what we can afford. What is
 * kept, as in the tree, is its `span`: the token itself can go.
 */
import type { SourceFile } from '../source/source-file.ts';
import { type Expansion, type Span, spanOf } from '../source/span.ts';

/**
 * What a token is. Keywords are identifiers here, since each dialect has its own. Digraphs have the text of the
 * punctuator they stand for. A `pragma` is a whole directive; its text is what follows `#pragma`, not macro-expanded,
 * comments made spaces. `end` closes the list.
 */
export type TokenKind =
  | 'identifier'
  | 'integer'
  | 'float'
  | 'character'
  | 'string'
  | 'punctuator'
  | 'pragma'
  | 'end';

/** Marks of tokens, kept in one field so that the many tokens of a program stay small. */
export const tokenFlags = {
  spaceBefore: 1,
  lineStart: 2,
  /** an identifier that was met inside the expansion of the macro it names: it is never expanded again */
  painted: 4,
  /** a character that begins no token of C; an error if it reaches the parser, but welcome as text to `#` */
  stray: 8,
} as const;

const spacingFlags = tokenFlags.spaceBefore | tokenFlags.lineStart;

/** The flags of a token that say what stands before it. */
export function spacing(spaceBefore: boolean, lineStart: boolean): number {
  return (spaceBefore ? tokenFlags.spaceBefore : 0) | (lineStart ? tokenFlags.lineStart : 0);
}

export class Token implements Span {
  readonly kind: TokenKind;
  /** the spelling, line splices removed; identifiers are interned, equal ones are the same string */
  readonly text: string;
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
  readonly expansion: Expansion | undefined;
  /** see tokenFlags */
  readonly flags: number;

  constructor(
    kind: TokenKind,
    text: string,
    file: SourceFile,
    start: number,
    end: number,
    expansion: Expansion | undefined,
    flags: number,
  ) {
    this.kind = kind;
    this.text = text;
    this.file = file;
    this.start = start;
    this.end = end;
    this.expansion = expansion;
    this.flags = flags;
  }

  /** white space or a comment stands before it */
  get spaceBefore(): boolean {
    return (this.flags & tokenFlags.spaceBefore) !== 0;
  }

  /** it is the first of its line */
  get lineStart(): boolean {
    return (this.flags & tokenFlags.lineStart) !== 0;
  }

  /** where it is spelled, for those who keep it longer than the token */
  get span(): Span {
    return spanOf(this);
  }

  /** The same token with other white space before it. */
  spaced(spaceBefore: boolean, lineStart: boolean): Token {
    if (this.spaceBefore === spaceBefore && this.lineStart === lineStart) return this;
    return this.#copy(this.expansion, spacing(spaceBefore, lineStart) | (this.flags & ~spacingFlags));
  }

  /** The same token as it comes out of a macro's definition. */
  expanded(expansion: Expansion, spaceBefore: boolean, lineStart: boolean): Token {
    return this.#copy(expansion, spacing(spaceBefore, lineStart) | (this.flags & ~spacingFlags));
  }

  /** The same identifier, never to be expanded again. */
  painted(): Token {
    return this.#copy(this.expansion, this.flags | tokenFlags.painted);
  }

  #copy(expansion: Expansion | undefined, flags: number): Token {
    return new Token(this.kind, this.text, this.file, this.start, this.end, expansion, flags);
  }

  /** True for the punctuator of this text. */
  is(punctuator: string): boolean {
    return this.kind === 'punctuator' && this.text === punctuator;
  }
}

/** Where a parser gets its tokens from, one at a time. */
export interface TokenReader {
  /** The next token; `end` after the last one, however often it is asked for. */
  read(): Token;
}

/**
 * The spelling of a token as `#` and the printers want it: a digraph keeps its own spelling, since C99 6.4.6 makes
 * that the only difference.
 */
export function spelling(token: Token): string {
  if (token.kind !== 'punctuator' || token.expansion !== undefined) return token.text;
  const { start, end, text } = token;
  if (end - start === text.length || end - start !== digraphLength(text)) return text;
  const written = token.file.text.slice(start, end);
  return digraphs.has(written) ? written : text;
}

const digraphs = new Set(['<:', ':>', '<%', '%>', '%:', '%:%:']);

function digraphLength(text: string): number {
  return text === '##' ? 4 : 2;
}
