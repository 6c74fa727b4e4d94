/** How many of the registers of a vector machine values take, by the numbers of `cost-table.ts`. */
import { elementOf, lanesOf, type Type } from '../../../ir/types.ts';
import { costs } from './cost-table.ts';

/** Bits of a lane. Pointers have 32, and so are truth values counted, which are as wide as what they decide about. */
export function bitsOf(type: Type): number {
  const element = elementOf(type);
  return element.kind === 'int' || element.kind === 'float' ? element.bits : 32;
}

/** Vector registers that a pack of so many lanes holds a value in: some for each component of a user's vector. */
export function registersOf(type: Type, lanes: number): number {
  return Math.ceil((lanes * bitsOf(type)) / costs.vectorBits) * lanesOf(type);
}
