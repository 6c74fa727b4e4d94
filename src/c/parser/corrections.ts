/**
 * Words that mean nothing where a declaration or a statement begins: a mistyped word of the language, or a word of another one. The
 * guess is the one message about it, and reading goes on as if it had been written.
 */
import { nearestName } from '../../source/nearest-name.ts';
import type { Span } from '../../source/span.ts';
import { laterVersionNotes } from '../check/names.ts';
import type { ForeignWord, Keyword } from '../dialect.ts';
import type { Token } from '../token.ts';
import type { Parser } from './parser.ts';

/** What became of a word: it is read as another, was passed over, or begins something that is passed over as a whole. */
export type Correction = 'read' | 'passed' | 'lost';

/** A name that nothing has declared, and no keyword. */
export function isUnknownName(parser: Parser, token: Token = parser.token): boolean {
  return parser.isIdentifier(token) && parser.checker.scopes.lookup(token.text) === undefined;
}

/** Reports a word of another language, once in a program. */
export function sayForeign(
  parser: Parser,
  word: string,
  span: Span,
  { language, advice }: ForeignWord,
): void {
  const { checker } = parser;
  if (checker.foreignWords.has(word)) return;
  checker.foreignWords.add(word);
  checker.error(span, `'${word}' is a word of ${language}; ${advice}`);
}

/** The current token as a word of another language that stands in declarations. */
function foreignSpecifier(parser: Parser): ForeignWord | undefined {
  if (!isUnknownName(parser)) return undefined;
  const foreign = parser.checker.dialect.foreignWord?.(parser.token.text);
  if (foreign === undefined || (foreign.as === undefined && !foreign.beginsOther)) return undefined;
  const following = parser.peek();
  if (following.is('=') || following.is(';') || following.is('[')) return undefined;
  // A label, but not `std::`.
  if (following.is(':') && !parser.peekSecond().is(':')) return undefined;
  if (following.is('(') || following.is('.')) return foreign.as ? undefined : foreign;
  return foreign;
}

/** Obeys a word of another language where a specifier can stand. */
export function correctForeign(parser: Parser): Correction | undefined {
  const foreign = foreignSpecifier(parser);
  if (foreign === undefined) return undefined;
  const { token, checker } = parser;
  sayForeign(parser, token.text, token, foreign);
  if (foreign.beginsOther) {
    checker.hasLostDeclarations = true;
    return 'lost';
  }
  if (foreign.as) {
    parser.correct(foreign.as);
    return 'read';
  }
  parser.next();
  if (parser.is('(')) parser.skipBalanced();
  return 'passed';
}

/** Whether a word of another language begins something that this one has nothing like; reports it then. */
export function beginsOther(parser: Parser): boolean {
  return foreignSpecifier(parser)?.beginsOther === true && correctForeign(parser) === 'lost';
}

/** Passes over a declaration of something that this language has nothing like. */
export function skipOther(parser: Parser): void {
  while (!parser.atEnd && !parser.is('}')) {
    if (parser.accept(';')) return;
    if (parser.is('{')) {
      parser.skipBalanced();
      // `buffer B {...} name;` goes on behind the brace.
      if (parser.is(';') || parser.token.lineStart) {
        parser.accept(';');
        return;
      }
    } else if (parser.is('(') || parser.is('[')) parser.skipBalanced();
    else parser.next();
  }
}

const beforeTypes: ReadonlySet<Keyword['kind']> = new Set([
  'storage',
  'qualifier',
  'space',
  'function',
  'access',
  'pipe',
]);
const signs = new Set(['unsigned', 'signed', 'long', 'short']);

/** Words that stand before a type, and, if a type may stand here, types. */
function* specifierNames(parser: Parser, withTypes: boolean): Iterable<string> {
  const { scopes, dialect } = parser.checker;
  for (const [name, keyword] of dialect.keywords) {
    if (beforeTypes.has(keyword.kind)) yield name;
    else if (keyword.kind === 'specifier' && (withTypes || signs.has(name))) yield name;
    else if (keyword.kind === 'tag' && withTypes && parser.isIdentifier(parser.peek())) yield name;
  }
  if (!withTypes) return;
  for (const binding of scopes.names()) if (binding.kind === 'typedef') yield binding.name;
}

/**
 * A mistyped word in front of what it belongs to: `kernl void`, `glbal float`, `strcut s`. A mistyped type is not corrected here,
 * since what is declared with a guessed type would only bring forth other mistakes.
 * @param hasType whether the type was read, so that only words beside it can follow
 */
export function correctSpecifier(parser: Parser, hasType: boolean): Correction | undefined {
  const { token, checker } = parser;
  if (checker.diagnostics.isFull || laterVersionNotes(checker, token.text, token).length > 0)
    return undefined;
  const following = parser.peek();
  if (following.is('(') && parser.peekSecond().is('(') && nearestName(token.text, ['__attribute__'])) {
    return correctTo(parser, '__attribute__');
  }
  const isBeforeType = isTypeWord(parser, following);
  const near = nearestName(token.text, specifierNames(parser, !hasType && !isBeforeType));
  const keyword = near === undefined ? undefined : checker.dialect.keywords.get(near);
  if (near !== undefined && keyword !== undefined && (keyword.kind !== 'specifier' || isBeforeType)) {
    return correctTo(parser, near);
  }
  if (hasType || !isBeforeType) return undefined;
  if (!checker.hasLostDeclarations) checker.error(token, `unknown type name '${token.text}'`);
  parser.next();
  return 'passed';
}

function correctTo(parser: Parser, word: string): Correction {
  const { token, checker } = parser;
  checker.error(token, `unknown type name '${token.text}'; did you mean '${word}'?`);
  parser.correct(word);
  return 'read';
}

/** A word after which no other type can come: the type itself, or one that only stands before types. */
function isTypeWord(parser: Parser, token: Token): boolean {
  const keyword = parser.keywordOf(token);
  if (keyword === undefined) {
    return token.kind === 'identifier' && parser.checker.scopes.lookup(token.text)?.kind === 'typedef';
  }
  return ['specifier', 'tag', 'typeof', 'storage', 'thread-local', 'function', 'access', 'pipe'].includes(
    keyword.kind,
  );
}

const heads = ['for', 'while', 'if', 'switch'];
const withValue = ['return', 'goto', 'case', 'else', 'do'];

/**
 * The current token as a mistyped word of a statement, or as the beginning of something foreign; then the parser is panicking, so that
 * the statement is given up.
 */
export function correctStatement(parser: Parser): void {
  const { token, checker } = parser;
  if (!isUnknownName(parser) || checker.dialect.builtins.isBuiltinName(token.text)) return;
  if (beginsOther(parser)) {
    parser.panicking = true;
    return;
  }
  if (foreignSpecifier(parser) !== undefined || checker.diagnostics.isFull) return;
  const word = statementWord(parser, parser.peek());
  if (word === undefined || !checker.dialect.keywords.has(word)) return;
  checker.error(token, `use of undeclared identifier '${token.text}'; did you mean '${word}'?`);
  parser.correct(word);
}

function statementWord(parser: Parser, following: Token): string | undefined {
  const name = parser.token.text;
  if (following.is(';')) return nearestName(name, ['return', 'break', 'continue']);
  if (following.is('{')) return nearestName(name, ['else', 'do']);
  if (following.is('(')) {
    const near = nearestName(name, heads);
    if (near !== undefined && parser.isStatementHead()) return near;
    return nearestName(name, ['return']);
  }
  if (following.kind === 'punctuator') return undefined;
  const isStatement = parser.keywordOf(following)?.kind === 'statement' || following.kind !== 'identifier';
  const near = nearestName(name, isStatement ? withValue : [...specifierNames(parser, true), ...withValue]);
  return near !== undefined && withValue.includes(near) ? near : undefined;
}

/** `esle` behind the first part of an `if`. */
export function correctElse(parser: Parser): void {
  if (!isUnknownName(parser)) return;
  const following = parser.peek();
  if (following.kind === 'punctuator' && !following.is('{')) return;
  if (nearestName(parser.token.text, ['else']) !== undefined) correctStatement(parser);
}

/** A value of another language, as `threadIdx.x`: reports it and says so. */
export function correctValue(parser: Parser, name: Token): boolean {
  const { checker } = parser;
  const foreign = checker.dialect.foreignWord?.(name.text);
  if (foreign === undefined || foreign.as === '') return false;
  const isCalled = parser.is('(');
  if (foreign.as !== undefined && !isCalled) return false;
  if (foreign.beginsOther && !(isCalled || parser.is(':'))) return false;
  const component = parser.is('.') ? 'xyz'.indexOf(parser.peek().text) : 0;
  const advice =
    foreign.as === undefined
      ? foreign.advice.replace('(0)', `(${Math.max(0, component)})`)
      : `did you mean '(${foreign.as})(...)'?`;
  const { text } = name;
  sayForeign(parser, component > 0 ? `${text}.${parser.peek().text}` : text, name, { ...foreign, advice });
  return true;
}
