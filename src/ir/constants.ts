/** The values of constants as the IR writes them (see ScalarConstant), for all who write constants of a type they are given. */
import type * as ir from './ir.ts';
import { elementOf, type Type } from './types.ts';

/** An integer as a constant of an int type, or one lane of a vector of them, has it: wrapped around, the signed reading. */
export function integerOf(type: Type, value: number | bigint): number | bigint {
  const element = elementOf(type);
  const bits = element.kind === 'int' ? element.bits : 32;
  const wrapped = BigInt.asIntN(bits, BigInt(value));
  return bits === 64 ? wrapped : Number(wrapped);
}

/** Zero, false or a null pointer, as a constant of the type, or one lane of it, has it. */
export function zeroOf(type: Type): ir.ScalarConstant {
  const element = elementOf(type);
  if (element.kind === 'bool') return false;
  return element.kind === 'int' && element.bits === 64 ? 0n : 0;
}

/** The value of a constant that has the same scalar in every lane, if its type has lanes. */
export function splatOf(type: Type, scalar: ir.ScalarConstant): ir.Constant['value'] {
  return type.kind === 'vector' ? new Array<ir.ScalarConstant>(type.lanes).fill(scalar) : scalar;
}
