/**
 * The parser's place among the tokens, and how it recovers from mistakes.
 *
 * The grammar itself is the functions of the other files in this folder: each takes the Parser first, has its rule in a
 * comment, consumes what belongs to it and leaves the rest. A syntax error is reported once; after it the parser is
 * panicking, which keeps everything quiet until a statement or declaration ends and {@link Parser.recover} is called.
 *
 * Nothing here throws or loops for ever: nesting is limited, and whoever loops makes sure that a token is consumed.
 */
import type { Note } from '../../source/diagnostics.ts';
import type { Span } from '../../source/span.ts';
import type { Checker } from '../check/checker.ts';
import type { Keyword } from '../dialect.ts';
import { Token, type TokenReader, tokenFlags } from '../token.ts';
import { Packing } from './packing.ts';
import { obeyPragma } from './pragmas.ts';

const maximumBrackets = 256;
/** of statements, operators and operands within one another; deep trees would exhaust the stack later */
export const maximumNesting = 1024;

/** how far ahead the head of a statement is looked at */
const headTokens = 200;

/** A hint by pragma or attribute, waiting for its loop. */
export interface UnrollHint {
  /** how often; 0 as far as possible, 1 not at all */
  readonly count: number;
  readonly span: Span;
}

export class Parser {
  readonly checker: Checker;
  readonly keywords: ReadonlyMap<string, Keyword>;
  /** The token to be read next. */
  token: Token;
  /** The token read last. */
  previous: Token;
  /** The operator of the assignment that was read last; the tree does not say where it stood. */
  assignment: Token | undefined;
  /** Set by a pragma before the current token. */
  unroll: UnrollHint | undefined;
  /** The state of the FP_CONTRACT pragma: false where operations may not be fused. */
  mayContract = true;
  /** The state of the pragma `pack`. */
  readonly packing = new Packing();
  /** How many braces of C++'s `extern "C"` are open. */
  linkages = 0;
  /** A syntax error has been reported and its end is not found yet. */
  panicking = false;
  /** Nothing more can be read; what that leaves unfinished is not reported. */
  #hasGivenUp = false;
  readonly #tokens: TokenReader;
  /** What was read ahead, pragmas among it: the token after the current one, and those behind that. */
  #following: Token | undefined;
  readonly #later: Token[] = [];
  /** What {@link keyword} answers, once it was asked about the current token. */
  #keyword: Keyword | undefined;
  #knowsKeyword = false;
  #position = 0;
  #brackets = 0;
  #nesting = 0;

  constructor(tokens: TokenReader, checker: Checker) {
    this.#tokens = tokens;
    this.checker = checker;
    this.keywords = checker.dialect.keywords;
    this.token = tokens.read();
    this.previous = this.token;
    if (this.token.kind === 'pragma') this.#skipPragmas();
  }

  /** How many tokens were taken. */
  get position(): number {
    return this.#position;
  }

  get atEnd(): boolean {
    return this.token.kind === 'end';
  }

  /** Takes the current token. The last one, `end`, is never passed. */
  next(): Token {
    const { token } = this;
    if (token.kind === 'end') return token;
    this.previous = token;
    this.#position += 1;
    this.token = this.#advance();
    this.#knowsKeyword = false;
    if (this.token.kind === 'pragma') this.#skipPragmas();
    return token;
  }

  #advance(): Token {
    const token = this.#following;
    if (token === undefined) return this.#tokens.read();
    this.#following = this.#later.length > 0 ? this.#later.shift() : undefined;
    return token;
  }

  #skipPragmas(): void {
    while (this.token.kind === 'pragma') {
      obeyPragma(this, this.token);
      this.token = this.#advance();
    }
  }

  /** Takes the current token for another word, which is what was meant. */
  correct(word: string): void {
    const { file, start, end, expansion, flags } = this.token;
    this.token = new Token('identifier', word, file, start, end, expansion, flags);
    this.#knowsKeyword = false;
  }

  /**
   * Whether a bracket follows that is the head of a statement and not the arguments of a call: a semicolon stands in it, or no
   * operator behind it. Looks ahead only so far.
   */
  isStatementHead(): boolean {
    this.#following ??= this.#tokens.read();
    let depth = 1;
    for (let count = 0; count < headTokens; count += 1) {
      const token = this.#peekBehind(count);
      if (token.kind === 'end') return false;
      if (depth === 0) return token.is('{') || token.kind !== 'punctuator';
      if (token.is(';')) return true;
      if (token.is('(')) depth += 1;
      else if (token.is(')')) depth -= 1;
    }
    return false;
  }

  /** The token after the current one. */
  peek(): Token {
    this.#following ??= this.#tokens.read();
    return this.#following.kind === 'pragma' ? this.#peekBehind(0) : this.#following;
  }

  /** The token after that. */
  peekSecond(): Token {
    this.#following ??= this.#tokens.read();
    return this.#peekBehind(this.#following.kind === 'pragma' ? 1 : 0);
  }

  peekThird(): Token {
    this.#following ??= this.#tokens.read();
    return this.#peekBehind(this.#following.kind === 'pragma' ? 2 : 1);
  }

  /** Of what comes after the following token the one that has `count` others before it, pragmas aside. */
  #peekBehind(count: number): Token {
    let left = count;
    for (let index = 0; ; index += 1) {
      const token = this.#later[index] ?? this.#tokens.read();
      if (index === this.#later.length) this.#later.push(token);
      if (token.kind === 'end') return token;
      if (token.kind === 'pragma') continue;
      if (left === 0) return token;
      left -= 1;
    }
  }

  is(punctuator: string): boolean {
    return this.token.kind === 'punctuator' && this.token.text === punctuator;
  }

  /** Takes the current token if it is this punctuator. */
  accept(punctuator: string): Token | undefined {
    return this.is(punctuator) ? this.next() : undefined;
  }

  /** What the current token means as a word of the dialect. */
  keyword(): Keyword | undefined {
    if (this.token.kind !== 'identifier') return undefined;
    if (!this.#knowsKeyword) {
      this.#keyword = this.keywords.get(this.token.text);
      this.#knowsKeyword = true;
    }
    return this.#keyword;
  }

  keywordOf(token: Token): Keyword | undefined {
    return token.kind === 'identifier' ? this.keywords.get(token.text) : undefined;
  }

  /** A name that is no keyword. */
  isIdentifier(token: Token = this.token): boolean {
    if (token.kind !== 'identifier') return false;
    return token === this.token ? this.keyword() === undefined : !this.keywords.has(token.text);
  }

  isStatementWord(word: string): boolean {
    const keyword = this.keyword();
    return keyword?.kind === 'statement' && keyword.word === word;
  }

  /** Reports a syntax error, once until recovery. */
  syntaxError(span: Span, message: string, notes?: readonly Note[]): void {
    if (this.panicking) return;
    this.panicking = true;
    this.checker.error(span, message, notes);
  }

  /** Takes this punctuator or reports that it is missing. `opening` is the bracket that a closing one matches. */
  expect(punctuator: string, context = '', opening?: Token): Token | undefined {
    const token = this.accept(punctuator);
    if (token !== undefined) return token;
    const message = context === '' ? `expected '${punctuator}'` : `expected '${punctuator}' ${context}`;
    const notes = opening && [{ message: `to match this '${opening.text}'`, span: opening }];
    this.syntaxError(punctuator === ';' ? this.afterPrevious() : this.token, message, notes);
    return undefined;
  }

  /** The place right after the token read last, where something is missing. */
  afterPrevious(): Span {
    const { previous } = this;
    return { file: previous.file, start: previous.end, end: previous.end, expansion: previous.expansion };
  }

  /** Ends a panic: skips to the end of the statement or declaration, and over its semicolon. */
  recover(): void {
    if (!this.panicking || this.#hasGivenUp) return;
    this.panicking = false;
    // What follows on a line of its own is a new beginning, if it can begin something.
    const start = this.#position;
    while (!this.atEnd) {
      if (this.accept(';')) return;
      if (this.is('}')) return;
      if (this.token.lineStart && this.#position >= start && this.#beginsSomething()) return;
      if (this.is('{')) {
        this.skipBalanced();
        if (this.token.lineStart || this.is('}')) return;
      } else if (this.is('(') || this.is('[')) this.skipBalanced();
      else this.next();
    }
  }

  #beginsSomething(): boolean {
    const keyword = this.keyword();
    if (keyword === undefined) return false;
    return keyword.kind !== 'operator' && keyword.kind !== 'attribute' && keyword.kind !== 'reserved';
  }

  /** Skips a bracket and everything to the one that closes it; stops before a brace that closes something around. */
  skipBalanced(): void {
    let depth = 0;
    do {
      if (this.is('(') || this.is('[') || this.is('{')) depth += 1;
      else if (this.is(')') || this.is(']') || this.is('}')) depth -= 1;
      if (depth >= 0) this.next();
    } while (depth > 0 && !this.atEnd);
  }

  /**
   * Runs a rule one level deeper, between brackets or not. Where it is too deep, an error is reported and the rest of
   * the source is given up.
   */
  enter(inBrackets: boolean): boolean {
    this.#nesting += 1;
    if (inBrackets) this.#brackets += 1;
    if (this.#brackets > maximumBrackets) {
      this.giveUp(`bracket nesting level exceeded maximum of ${maximumBrackets}`);
    } else if (this.#nesting > maximumNesting) {
      this.giveUp(`nesting level exceeded maximum of ${maximumNesting}`);
    } else return true;
    return false;
  }

  leave(inBrackets: boolean): void {
    this.#nesting -= 1;
    if (inBrackets) this.#brackets -= 1;
  }

  /** Reports an error after which nothing more can be read. */
  giveUp(message: string): void {
    this.syntaxError(this.token, message);
    this.token = endAt(this.token);
    this.panicking = true;
    this.#hasGivenUp = true;
  }
}

function endAt({ file, start, expansion }: Token): Token {
  return new Token('end', '', file, start, start, expansion, tokenFlags.lineStart);
}
