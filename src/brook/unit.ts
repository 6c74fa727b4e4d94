/** Cuts a preprocessed .br file into its kernels and what lies between them, which is C for the host. */
import type { Token } from '../c/token.ts';
import { nearestName } from '../source/nearest-name.ts';
import type { Report } from './check/report.ts';
import type { Kernel, TypeTable } from './syntax/ast.ts';
import { parseKernel, startsKernel } from './syntax/kernels.ts';
import { ParseFailure, Reader } from './syntax/reader.ts';
import { noteStruct } from './syntax/structs.ts';

export type UnitPart =
  | {
      readonly kind: 'kernel';
      readonly kernel: Kernel;
      readonly at: Token;
      readonly tokens: readonly Token[];
    }
  /** One declaration or function of the host. */
  | { readonly kind: 'host'; readonly tokens: readonly Token[] };

export interface Unit {
  readonly parts: readonly UnitPart[];
  readonly types: TypeTable;
  /** Names of the functions that are the host's. */
  readonly hostFunctions: ReadonlySet<string>;
  /** Names of the variables and streams outside of functions. */
  readonly hostVariables: ReadonlySet<string>;
  readonly end: Token;
}

/** Reads all of a file. `tokens` end with one of kind `end`. Mistakes in the grammar of kernels are reported. */
export function readUnit(tokens: readonly Token[], report: Report): Unit {
  const types: TypeTable = { tags: new Map(), names: new Map() };
  const reader = new Reader(tokens, types);
  const parts: UnitPart[] = [];
  const hostFunctions = new Set<string>();
  const hostVariables = new Set<string>();
  while (!reader.atEnd) {
    const start = reader.position;
    if (!startsKernel(reader)) {
      const near = mistypedKernel(reader);
      if (near !== undefined) {
        const { text, span } = reader.token;
        report.error(span, '', `parse error: unknown word '${text}'; did you mean '${near}'?`);
        skipDeclaration(reader);
        continue;
      }
      noteStruct(reader);
      skipDeclaration(reader);
      const own = tokens.slice(start, reader.position);
      const name = functionNameIn(own);
      if (name !== undefined) hostFunctions.add(name);
      else for (const variable of variablesIn(own)) hostVariables.add(variable);
      parts.push({ kind: 'host', tokens: own });
      continue;
    }
    const at = reader.token;
    try {
      const kernel = parseKernel(reader);
      parts.push({ kind: 'kernel', kernel, at, tokens: tokens.slice(start, reader.position) });
    } catch (failure) {
      if (!(failure instanceof ParseFailure)) throw failure;
      report.error(failure.span, '', failure.message);
      reader.position = start;
      skipDeclaration(reader);
    }
  }
  return { parts, types, hostFunctions, hostVariables, end: reader.token };
}

/** `kernl void`, which can begin nothing of the host. */
function mistypedKernel(reader: Reader): string | undefined {
  const { token } = reader;
  if (token.kind !== 'identifier' || !reader.at('void', 1) || reader.types.names.has(token.text))
    return undefined;
  return cWords.has(token.text) ? undefined : nearestName(token.text, ['kernel', 'reduce']);
}

const cWords = new Set(['const', 'extern', 'inline', 'static', 'volatile']);

/** The name of the function that a declaration of the host has a body for. */
function functionNameIn(tokens: readonly Token[]): string | undefined {
  const body = tokens.findIndex((token, index) => token.is('{') && tokens[index - 1]?.is(')'));
  const name = tokens.findIndex((token) => token.is('(')) - 1;
  return body > 0 && tokens[name]?.kind === 'identifier' ? tokens[name]!.text : undefined;
}

/** The names that a declaration of the host gives to variables: each stands before its end, its value, or its sizes. */
function variablesIn(tokens: readonly Token[]): readonly string[] {
  if (tokens[0]?.text === 'typedef' || !tokens[tokens.length - 1]?.is(';')) return [];
  const names: string[] = [];
  let depth = 0;
  let isBeforeName = true;
  for (const [index, token] of tokens.entries()) {
    if (token.is('(') || token.is('[') || token.is('{')) depth += 1;
    else if (token.is(')') || token.is(']') || token.is('}')) depth -= 1;
    else if (depth === 0 && token.is(',') && !isInAngles(tokens, index)) isBeforeName = true;
    if (depth > 0 || !isBeforeName || token.kind !== 'identifier') continue;
    const next = tokens[index + 1];
    if (!next || !['=', ',', ';', '[', '<'].some((end) => next.is(end))) continue;
    // The tag of a structure that is only declared is no variable.
    if (index > 0 && !/^(?:struct|union|enum)$/.test(tokens[index - 1]!.text)) names.push(token.text);
    isBeforeName = false;
  }
  return names;
}

/** Whether a token stands between the sizes of a stream. */
function isInAngles(tokens: readonly Token[], index: number): boolean {
  for (let at = index - 1; at >= 0; at -= 1) {
    if (tokens[at]!.is('>')) return false;
    if (tokens[at]!.is('<')) return true;
  }
  return false;
}

/** Goes behind the next declaration of the file: a semicolon, or the body of a function. */
function skipDeclaration(reader: Reader): void {
  let previous: string | undefined;
  for (;;) {
    const { token } = reader;
    if (token.kind === 'end') return;
    if (token.kind === 'pragma') {
      reader.next();
      return;
    }
    if (reader.at('(') || reader.at('[') || reader.at('{')) {
      const isBody = reader.at('{') && previous === ')';
      reader.position = reader.behindBracket();
      if (isBody) return;
      previous = token.text === '(' ? ')' : ']';
      continue;
    }
    reader.next();
    if (token.is(';') || token.is('}')) return;
    previous = token.text;
  }
}
