/**
 * Structures in a .br file. They are the host's, too, so their tokens stay; here they are only looked at, and those that
 * kernels can use are remembered.
 */
import type { BrookType, Field, StructType } from '../types.ts';
import { ParseFailure, type Reader } from './reader.ts';
import { readType } from './type-names.ts';

/**
 * With `struct` or `typedef` as the token: remembers the type that is declared, if a kernel can use it. The reader stays
 * where it is.
 */
export function noteStruct(reader: Reader): void {
  const start = reader.position;
  try {
    const isTypedef = reader.accept('typedef');
    if (reader.at('struct')) readStruct(reader, isTypedef);
    else if (isTypedef) readAlias(reader);
  } catch (failure) {
    // A declaration of the host's that no kernel can use.
    if (!(failure instanceof ParseFailure)) throw failure;
  }
  reader.position = start;
}

function readStruct(reader: Reader, isTypedef: boolean): void {
  reader.next();
  const tag = reader.token.kind === 'identifier' ? reader.next().text : undefined;
  if (!reader.accept('{')) {
    const known = tag === undefined ? undefined : reader.types.tags.get(tag);
    if (isTypedef && known) reader.types.names.set(reader.identifier('a name').text, known);
    return;
  }
  const fields: Field[] = [];
  while (!reader.accept('}')) {
    const specifier = readType(reader);
    if (!specifier || specifier.unknownType || specifier.type.kind === 'void') return;
    const { type } = specifier;
    do fields.push({ name: reader.identifier('a field').text, type });
    while (reader.accept(','));
    reader.expect(';');
  }
  const alias = isTypedef && reader.token.kind === 'identifier' ? reader.next().text : undefined;
  const name = tag ?? alias;
  if (name === undefined || fields.length === 0) return;
  const spelling = tag === undefined ? name : `struct ${tag}`;
  const made: StructType = { kind: 'struct', name, spelling, fields };
  if (tag !== undefined) reader.types.tags.set(tag, made);
  if (alias !== undefined) reader.types.names.set(alias, made);
}

function readAlias(reader: Reader): void {
  const specifier = readType(reader);
  if (!specifier || specifier.unknownType) return;
  const type: BrookType = specifier.type;
  const name = reader.identifier('a name').text;
  if (reader.at(';')) reader.types.names.set(name, type);
}
