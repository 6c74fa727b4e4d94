/** Results that a built-in function leaves behind a pointer argument. */

import type * as ir from '../../ir/ir.ts';
import { elementOf, type Type } from '../../ir/types.ts';
import { argument, type LoweredCall } from './builtin-handler.ts';

/** Stores a result through the pointer argument at `index`. */
export function storeThrough(call: LoweredCall, index: number, value: ir.Value): void {
  const type = call.types[index];
  if (type?.kind !== 'pointer') throw new Error(`argument ${index} of ${call.name} is no pointer`);
  call.builder.store(argument(call, index), value, call.fn.module.alignOf(type.pointee.type));
}

/** The width of an integer or float element in bits. */
export function elementBits(type: Type): number {
  const element = elementOf(type);
  return element.kind === 'int' || element.kind === 'float' ? element.bits : 0;
}
