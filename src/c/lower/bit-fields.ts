/** Bit-fields (C99, 6.7.2.1): some bits of a unit, which is an integer of the field's type in memory. */
import type * as ir from '../../ir/ir.ts';
import { arithmeticOf } from '../type-facts.ts';
import type { Field } from '../types.ts';
import type { FunctionLowering } from './function-lowering.ts';
import type { MemoryPlace } from './place.ts';

/** A bit-field in memory. */
export interface BitsPlace {
  readonly kind: 'bits';
  /** The unit that holds it, of the field's type. */
  readonly unit: MemoryPlace;
  readonly bits: NonNullable<Field['bits']>;
}

/** The value of the field, in its declared type. */
export function readBits(fn: FunctionLowering, { unit, bits }: BitsPlace): ir.Value {
  const { builder } = fn;
  const type = fn.typeOf(unit.type.type);
  const whole = builder.load(type, unit.pointer, unit.align, unit.type.isVolatile);
  const size = 8 * fn.module.sizeOf(unit.type.type);
  const raised = shift(fn, 'shl', whole, size - bits.shift - bits.width);
  const isSigned = arithmeticOf(unit.type.type)?.signed === true;
  return shift(fn, isSigned ? 'sshr' : 'ushr', raised, size - bits.width);
}

/** Stores the low bits of a value of the field's declared type; the other bits of the unit stay. */
export function writeBits(fn: FunctionLowering, { unit, bits }: BitsPlace, stored: ir.Value): void {
  const { builder } = fn;
  const type = fn.typeOf(unit.type.type);
  const mask = (1n << BigInt(bits.width)) - 1n;
  const whole = builder.load(type, unit.pointer, unit.align, unit.type.isVolatile);
  const others = builder.binary('and', whole, builder.integer(type, ~(mask << BigInt(bits.shift))));
  const own = shift(fn, 'shl', builder.binary('and', stored, builder.integer(type, mask)), bits.shift);
  builder.store(unit.pointer, builder.binary('or', others, own), unit.align, unit.type.isVolatile);
}

function shift(fn: FunctionLowering, kind: 'shl' | 'sshr' | 'ushr', value: ir.Value, by: number): ir.Value {
  return by === 0 ? value : fn.builder.binary(kind, value, fn.builder.integer(value.type, by));
}
