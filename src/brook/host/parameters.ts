/** Which parameters of the host's own functions are streams, and of which elements: calls are checked by it. */
import type { Token } from '../../c/token.ts';
import type { TypeTable } from '../syntax/ast.ts';
import { Reader } from '../syntax/reader.ts';
import { readType } from '../syntax/type-names.ts';
import type { BrookType } from '../types.ts';
import { splitAtCommas } from './tokens.ts';

export interface HostFunction {
  readonly name: string;
  /** The elements of parameters that are streams; undefined for all others. */
  readonly parameters: readonly (BrookType | undefined)[];
}

/** The function that a declaration of the host is about; undefined if it is about none, or one without streams. */
export function functionOf(tokens: readonly Token[], types: TypeTable): HostFunction | undefined {
  const open = tokens.findIndex((token) => token.is('('));
  const name = tokens[open - 1];
  if (open < 1 || name?.kind !== 'identifier') return undefined;
  const end = tokens[tokens.length - 1]!;
  const reader = new Reader([...tokens, end], types);
  reader.position = open;
  const inside = tokens.slice(open + 1, reader.behindBracket() - 1);
  const parameters = splitAtCommas(inside).map((parameter) => elementOf([...parameter, end], types));
  return parameters.some((one) => one) ? { name: name.text, parameters } : undefined;
}

/** The elements of `float a<>`. */
function elementOf(tokens: readonly Token[], types: TypeTable): BrookType | undefined {
  const reader = new Reader(tokens, types);
  const specifier = readType(reader);
  if (!specifier || specifier.unknownType !== undefined) return undefined;
  return reader.token.kind === 'identifier' && reader.at('<', 1) ? specifier.type : undefined;
}
