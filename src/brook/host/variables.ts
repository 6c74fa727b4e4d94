/** Finds the names that host code gives to variables, since they may be those of streams further out. */
import type { Token } from '../../c/token.ts';
import { Reader } from '../syntax/reader.ts';
import { readType, startsType, type TypeSpecifier } from '../syntax/type-names.ts';
import { valueTypeNamed } from '../types.ts';

/** A variable that is no stream. */
export interface HostVariable {
  /** Components of a short vector; 1 of all else. */
  readonly width: number;
}

/** Words before a name that declare nothing. */
const otherWords = /^(?:return|else|do|case|goto|sizeof|struct|union|enum|typedef)$/;

/** The variable that the token is the name of where it is declared; undefined if it is not. */
export function declaredAt(reader: Reader): HostVariable | undefined {
  const { tokens, position, token } = reader;
  if (token.kind !== 'identifier' || reader.at('(', 1) || reader.at('<', 1)) return undefined;
  let before = position - 1;
  while (tokens[before]?.is('*')) before -= 1;
  const isPointer = before < position - 1;
  const last = tokens[before];
  const widthOf = (name: string): number => (isPointer ? 1 : (valueTypeNamed(name)?.width ?? 1));
  if (last?.kind === 'identifier')
    return otherWords.test(last.text) ? undefined : { width: widthOf(last.text) };
  if (!last?.is(',')) return undefined;
  const start = statementStart(reader, before);
  if (start === undefined) return undefined;
  const [first, second] = [tokens[start]!, tokens[start + 1]!];
  const begins = new Reader(tokens, reader.types);
  begins.position = start;
  const isType = first.kind === 'identifier' && !otherWords.test(first.text);
  if (!startsType(begins) && !(isType && second.kind === 'identifier')) return undefined;
  const type = tokens.slice(start, before).find(({ text }) => valueTypeNamed(text));
  return { width: type ? widthOf(type.text) : 1 };
}

/** The type of a declaration, and its words. */
export interface DeclaredType {
  readonly specifier: TypeSpecifier;
  readonly words: readonly Token[];
}

/** With a comma as the token, behind which a stream stands in a declaration that began with what is none, `float a[10], b<10>;`: its type. */
export function typeOfStreamBehind(reader: Reader): DeclaredType | undefined {
  if (reader.peek(1).kind !== 'identifier' || !reader.at('<', 2)) return undefined;
  const start = statementStart(reader, reader.position);
  if (start === undefined) return undefined;
  const beginning = new Reader(reader.tokens, reader.types);
  beginning.position = start;
  const specifier = readType(beginning);
  return specifier && { specifier, words: reader.tokens.slice(start, beginning.position) };
}

/** Where the statement begins that a token stands in, outside of brackets; undefined within some. */
function statementStart({ tokens }: Reader, position: number): number | undefined {
  let depth = 0;
  for (let at = position - 1; at >= 0; at -= 1) {
    const token = tokens[at]!;
    // Braces before a comma are around initial values.
    const isBlock = token.is('}') && !tokens[at + 1]?.is(',');
    if (depth === 0 && (token.is(';') || token.is('{') || isBlock)) return at + 1;
    if (token.is(')') || token.is(']') || token.is('}')) depth += 1;
    else if (token.is('(') || token.is('[') || token.is('{')) {
      if (depth === 0) return undefined;
      depth -= 1;
    }
  }
  return 0;
}
