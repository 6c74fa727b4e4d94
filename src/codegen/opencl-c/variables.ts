/** The declarations of private and local variables. */
import type * as ir from '../../ir/ir.ts';
import { i8, i16, i32, i64, sizeOf, type Type } from '../../ir/types.ts';
import type { TypedObject } from './addresses.ts';
import { declaration, typeText } from './c-types.ts';

/** Elements of which whole multiples make the size, the alignment too where there is such an integer. */
export function wordOf(size: number, align: number): Type {
  for (const type of [i64, i32, i16]) {
    const bytes = sizeOf(type);
    if (align % bytes === 0 && size % bytes === 0) return type;
  }
  return i8;
}

/** A variable's name, and the type of its elements. */
export interface ArrayObject extends TypedObject {
  readonly element: Type;
}

/** @param element the type of all accesses, if they have one */
export function arrayObject(
  name: string,
  { size, align }: ir.Variable,
  element: Type | undefined,
  addressBits: 32 | 64,
): ArrayObject {
  const fits = element && size % sizeOf(element, addressBits / 8) === 0;
  return { name, element: fits ? element : wordOf(size, align), signed: false };
}

/**
 * The declaration of a variable.
 * @param plain the type of the one value that it holds, if it is no array
 */
export function declareVariable(
  { space, size, align }: ir.Variable,
  { name, element }: ArrayObject,
  plain: Type | undefined,
): string {
  const prefix = space === 'local' ? 'local ' : '';
  if (plain) return `${prefix}${declaration(typeText(plain), name)};`;
  const bytes = sizeOf(element, 8);
  const count = Math.max(1, Math.ceil(size / bytes));
  const aligned = align > bytes ? ` __attribute__((aligned(${align})))` : '';
  return `${prefix}${declaration(typeText(element), name)}[${count}]${aligned};`;
}
