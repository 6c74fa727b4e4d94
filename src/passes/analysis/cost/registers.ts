/** How many vector registers of a target values take. */
import { elementOf, lanesOf, type Type } from '../../../ir/types.ts';
import type { Vectors } from '../../../target/target.ts';

/** Bits of a lane. Pointers have 32, and so are truth values counted, which are as wide as what they decide about. */
export function bitsOf(type: Type): number {
  const element = elementOf(type);
  return element.kind === 'int' || element.kind === 'float' ? element.bits : 32;
}

/** Vector registers that a vector of so many lanes holds a value in: some for each component of a user's vector. */
export function registersOf(type: Type, lanes: number, { bits }: Vectors): number {
  return Math.ceil((lanes * bitsOf(type)) / bits) * lanesOf(type);
}

/** Vector registers that a value of vectorised code takes, as it is. */
export function registersOfVector(type: Type, { bits }: Vectors): number {
  return Math.ceil((lanesOf(type) * bitsOf(type)) / bits);
}
