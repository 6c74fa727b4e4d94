/**
 * `#include` (C99 6.10.2): reads the header's name, finds its text and begins to read it.
 */
import { SourceFile } from '../source/source-file.ts';
import { joinSpans, type Span } from '../source/span.ts';
import { expectLineEnd, readLine } from './directive-line.ts';
import { findHeader } from './header-search.ts';
import type { Preprocessor } from './preprocessor.ts';
import { spelling, type Token } from './token.ts';

/** how deep inclusions may nest */
const nestingLimit = 200;
/** how many inclusions and characters of included text one compilation may have */
const inclusionLimit = 20_000;
const characterLimit = 64 * 1024 * 1024;

interface HeaderName {
  readonly name: string;
  /** written in quotes */
  readonly quoted: boolean;
  readonly span: Span;
}

export function obeyInclude(preprocessor: Preprocessor, directive: Token): void {
  const { diagnostics, current, options } = preprocessor;
  const written = current.lexer.headerName();
  const line = readLine(preprocessor);
  let header: HeaderName | undefined;
  if (written === undefined) {
    header = expandedName(preprocessor, line);
  } else {
    header = nameOf(written);
    expectLineEnd(preprocessor, line, 0, 'include');
  }
  if (header === undefined) {
    const place = written ?? (line[0] as Token);
    diagnostics.error(place.kind === 'end' ? directive : place, 'expected "FILENAME" or <FILENAME>');
    return;
  }
  if (header.name === '') {
    if (written === undefined || written.end - written.start === 2)
      diagnostics.error(header.span, 'empty filename');
    return;
  }
  if (preprocessor.openFiles.length > nestingLimit) {
    diagnostics.error(header.span, '#include nested too deeply');
    return;
  }
  const found = headerToRead(preprocessor, header.name, header.quoted, directive.text === 'include_next');
  if (found === undefined) {
    const why = options.absentHeaders?.get(header.name);
    diagnostics.error(header.span, `'${header.name}' file not found${why === undefined ? '' : `: ${why}`}`);
    return;
  }
  if ('refused' in found) {
    diagnostics.error(header.span, `'${header.name}' cannot be included: ${found.refused}`);
    return;
  }
  options.observer?.included(header.span, found.path);
  if (preprocessor.onceOnly.has(found.path)) return;
  preprocessor.inclusions += 1;
  preprocessor.includedCharacters += found.text.length;
  if (preprocessor.inclusions > inclusionLimit || preprocessor.includedCharacters > characterLimit) {
    diagnostics.error(header.span, 'too much text included');
    return;
  }
  preprocessor.open(new SourceFile(found.path, found.text, directive));
}

/** The header that an inclusion at this place reads; `isNext` for that which comes behind the one being read (GNU). */
export function headerToRead(
  { current, options }: Preprocessor,
  name: string,
  isQuoted: boolean,
  isNext: boolean,
): ReturnType<typeof findHeader> {
  const { includePaths = [], files, headers, localFirst } = options;
  const reader = current.lexer.file.name;
  if (isNext && options.queries) {
    const at = pathOf(reader, includePaths);
    return findHeader(name, undefined, includePaths.slice(at + 1), files, headers, true);
  }
  return findHeader(
    name,
    isQuoted ? reader : undefined,
    includePaths,
    files,
    headers,
    isQuoted && localFirst,
  );
}

/** Which of the include paths a file was found on; -1 if none. */
function pathOf(file: string, paths: readonly string[]): number {
  let longest = -1;
  for (const [index, path] of paths.entries()) {
    const folder = path === '' || path.endsWith('/') ? path : `${path}/`;
    if (file.startsWith(folder) && (longest < 0 || path.length > paths[longest]!.length)) longest = index;
  }
  return longest;
}

function nameOf(token: Token): HeaderName {
  return { name: token.text.slice(1, -1), quoted: token.text.charCodeAt(0) === 34, span: token };
}

/** The third form of #include: the line is expanded and must then look like one of the others. */
function expandedName(preprocessor: Preprocessor, line: readonly Token[]): HeaderName | undefined {
  const tokens = preprocessor.expander.expandAll(line.slice(0, -1), line[line.length - 1] as Token);
  const first = tokens[0];
  if (first === undefined) return undefined;
  if (first.kind === 'string' && first.text.startsWith('"')) {
    expectLineEnd(preprocessor, tokens, 1, 'include');
    return nameOf(first);
  }
  if (!first.is('<')) return undefined;
  let name = '';
  for (let index = 1; index < tokens.length; index += 1) {
    const token = tokens[index] as Token;
    if (token.is('>')) {
      expectLineEnd(preprocessor, tokens, index + 1, 'include');
      return { name, quoted: false, span: joinSpans(first, token) };
    }
    if (index > 1 && token.spaceBefore) name += ' ';
    name += spelling(token);
  }
  return undefined;
}
