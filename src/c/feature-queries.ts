/**
 * What `#if` may ask of the compiler in GNU C: `__has_include(<name>)`, `__has_attribute(name)`, `__has_builtin(name)` and their like.
 * A dialect that knows answers has them; in others these names are ordinary ones.
 */
import { joinSpans, type Span } from '../source/span.ts';
import { headerToRead } from './include-directive.ts';
import type { MacroExpander } from './macro-expander.ts';
import type { Preprocessor } from './preprocessor.ts';
import { spelling, type Token } from './token.ts';

/** What a dialect answers. */
export interface FeatureQueries {
  attribute(name: string): boolean;
  builtin(name: string): boolean;
}

export const queryNames: ReadonlySet<string> = new Set([
  '__has_include',
  '__has_include_next',
  '__has_attribute',
  '__has_builtin',
  '__has_feature',
  '__has_extension',
]);

export interface QueryAnswer {
  readonly holds: boolean;
  readonly span: Span;
}

/** Reads what stands behind the name of a query, and answers it; undefined if it is wrong, which has been reported. */
export function answerQuery(
  name: Token,
  preprocessor: Preprocessor,
  queries: FeatureQueries,
): QueryAnswer | undefined {
  const { expander, diagnostics } = preprocessor;
  const open = expander.nextUnexpanded(false);
  const wrong = (token: Token, message: string): undefined => {
    if (!expander.isStopped) diagnostics.error(token, message);
    return undefined;
  };
  if (!open.is('(')) return wrong(open, `missing '(' after '${name.text}'`);
  if (name.text === '__has_include' || name.text === '__has_include_next') {
    const header = readHeaderName(expander);
    if (header.name === undefined) return wrong(header.last, 'expected "FILENAME" or <FILENAME>');
    const close = expander.nextUnexpanded(false);
    if (!close.is(')')) return wrong(close, `missing ')' after '${name.text}'`);
    const isNext = name.text === '__has_include_next';
    const found = headerToRead(preprocessor, header.name, header.isQuoted, isNext);
    return { holds: found !== undefined && !('refused' in found), span: joinSpans(name, close) };
  }
  const asked = expander.nextUnexpanded(false);
  if (asked.kind !== 'identifier') return wrong(asked, `'${name.text}' takes a name`);
  const close = expander.nextUnexpanded(false);
  if (!close.is(')')) return wrong(close, `missing ')' after '${name.text}'`);
  return { holds: holds(name.text, plainName(asked.text), queries), span: joinSpans(name, close) };
}

function holds(query: string, name: string, queries: FeatureQueries): boolean {
  if (query === '__has_attribute') return queries.attribute(name);
  if (query === '__has_builtin') return queries.builtin(name);
  return query === '__has_feature' || query === '__has_extension' ? languageFeatures.has(name) : false;
}

/** What of C11 is there, by clang's names. */
const languageFeatures: ReadonlySet<string> = new Set([
  'c_alignas',
  'c_alignof',
  'c_atomic',
  'c_generic_selections',
  'c_static_assert',
  'c_thread_local',
]);

/** `__aligned__` is `aligned`. */
export function plainName(name: string): string {
  return name.length > 4 && name.startsWith('__') && name.endsWith('__') ? name.slice(2, -2) : name;
}

interface WrittenHeader {
  readonly name: string | undefined;
  readonly isQuoted: boolean;
  readonly last: Token;
}

function readHeaderName(expander: MacroExpander): WrittenHeader {
  const first = expander.next();
  if (first.kind === 'string' && first.text.startsWith('"'))
    return { name: first.text.slice(1, -1), isQuoted: true, last: first };
  let name = '';
  if (!first.is('<')) return { name: undefined, isQuoted: false, last: first };
  for (;;) {
    const token = expander.nextUnexpanded(false);
    if (token.kind === 'end') return { name: undefined, isQuoted: false, last: token };
    if (token.is('>')) return { name, isQuoted: false, last: token };
    if (name !== '' && token.spaceBefore) name += ' ';
    name += spelling(token);
  }
}

export function isQuery(name: string, queries: FeatureQueries | undefined): queries is FeatureQueries {
  return queries !== undefined && queryNames.has(name);
}

/** Whether `#ifdef` and `defined` find the name. */
export function isDefinedName(name: string, { expander, options }: Preprocessor): boolean {
  return expander.macros.has(name) || isQuery(name, options.queries);
}
