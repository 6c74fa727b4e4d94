/** Cuts a preprocessed .br file into its kernels and what lies between them, which is C for the host. */
import type { Token } from '../c/token.ts';
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
  readonly end: Token;
}

/** Reads all of a file. `tokens` end with one of kind `end`. Mistakes in the grammar of kernels are reported. */
export function readUnit(tokens: readonly Token[], report: Report): Unit {
  const types: TypeTable = { tags: new Map(), names: new Map() };
  const reader = new Reader(tokens, types);
  const parts: UnitPart[] = [];
  while (!reader.atEnd) {
    const start = reader.position;
    if (!startsKernel(reader)) {
      noteStruct(reader);
      skipDeclaration(reader);
      parts.push({ kind: 'host', tokens: tokens.slice(start, reader.position) });
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
  return { parts, types, end: reader.token };
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
