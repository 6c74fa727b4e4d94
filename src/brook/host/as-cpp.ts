/**
 * The host part of a .br file as C++, token by token. With the classes of include/brook nearly all of it is C++ already: what is left
 * are declarations of streams.
 *
 *     float a<10, 20>;         ::brook::Stream<float> a(...)
 *     void f(float a<>)        void f(::brook::Stream<float> a)
 */
import { Token } from '../../c/token.ts';
import { append } from '../../source/lists.ts';
import type { TypeTable } from '../syntax/ast.ts';
import { Reader } from '../syntax/reader.ts';
import { readType, startsType } from '../syntax/type-names.ts';
import { typeName } from '../types.ts';
import { tokensOf as lexed, splitAtCommas } from './tokens.ts';
import { typeOfStreamBehind } from './variables.ts';

/** The tokens of one declaration or function, rewritten. */
export function hostAsCpp(tokens: readonly Token[], types: TypeTable): Token[] {
  const last = tokens[tokens.length - 1];
  if (!last) return [];
  const reader = new Reader([...tokens, endAfter(last)], types);
  const out: Token[] = [];
  let brackets = 0;
  while (!reader.atEnd) {
    const { token } = reader;
    const before = reader.position > 0 ? reader.peek(-1) : undefined;
    const isMember = before?.is('.') || before?.is('->') || before?.is('<');
    const behind = brackets === 0 && token.is(',') ? streamsBehind(reader) : undefined;
    const made = !isMember && startsType(reader) ? declaration(reader, brackets > 0) : behind;
    if (made) {
      append(out, made);
      continue;
    }
    if (token.is('(')) brackets += 1;
    else if (token.is(')')) brackets -= 1;
    else if (token.is('{')) brackets = 0;
    out.push(reader.next());
  }
  return out;
}

/** Tokens of a text, on the line that they come to. */
function tokensOf(text: string, at: Token): Token[] {
  return lexed(text, at).map((token) => token.spaced(token.spaceBefore, false));
}

function endAfter(token: Token): Token {
  return new Token('end', '', token.file, token.end, token.end, token.expansion, 0);
}

/** With a type as the token; undefined if it is none of a stream. The reader stays where it was then. */
function declaration(reader: Reader, isParameter: boolean): Token[] | undefined {
  const start = reader.position;
  const at = reader.token;
  const specifier = readType(reader);
  const isStream = specifier && reader.token.kind === 'identifier' && reader.at('<', 1);
  if (!isStream || specifier.type.kind === 'void') {
    reader.position = start;
    return undefined;
  }
  const { type } = specifier;
  const written = reader.tokens.slice(start, reader.position);
  const name = type.kind === 'struct' ? type.spelling : typeName(type);
  const out = placed(tokensOf(`::brook::Stream<${name}>`, at), at);
  for (;;) {
    const declared = reader.next();
    reader.next();
    const from = reader.position;
    while (!reader.atEnd && !reader.at('>')) {
      if (reader.at('(') || reader.at('[')) reader.position = reader.behindBracket();
      else reader.next();
    }
    const sizes = splitAtCommas(reader.tokens.slice(from, reader.position));
    reader.accept('>');
    out.push(declared);
    if (isParameter) return out;
    const list = sizes.flatMap((size, index) => [...(index > 0 ? tokensOf(',', declared) : []), ...size]);
    const sized = [
      ...tokensOf('::brook::runtime::DeclaredSizes(', declared),
      ...list,
      ...tokensOf(')', declared),
    ];
    out.push(...tokensOf('(', declared), ...sized, ...tokensOf(')', declared));
    if (!reader.at(',')) return out;
    const comma = reader.next();
    const isStreams = reader.token.kind === 'identifier' && reader.at('<', 1);
    if (!isStreams) return [...out, ...tokensOf(';', comma), ...written];
    out.push(comma);
  }
}

/** With a comma as the token: streams of a declaration behind what is none, as in `float a[10], b<10>;`. */
function streamsBehind(reader: Reader): Token[] | undefined {
  const words = typeOfStreamBehind(reader)?.words;
  if (!words) return undefined;
  const comma = reader.next();
  const rest = new Reader([...words, ...reader.tokens.slice(reader.position)], reader.types);
  const made = declaration(rest, false);
  reader.position += rest.position - words.length;
  return [...tokensOf(';', comma), ...(made ?? [])];
}

/** The first of the tokens begins a line if `at` does. */
function placed([first, ...rest]: readonly Token[], at: Token): Token[] {
  return first ? [first.spaced(at.spaceBefore, at.lineStart), ...rest] : [];
}
