/** Bit-fields (C99, 6.7.2.1): some bits of a unit, which is an integer of the field's type in memory, or of bytes. */
import type * as ir from '../../ir/ir.ts';
import { i8, type Type } from '../../ir/types.ts';
import { arithmeticOf } from '../type-facts.ts';
import type { Bits } from '../types.ts';
import type { FunctionLowering } from './function-lowering.ts';
import type { MemoryPlace } from './place.ts';

/** A bit-field in memory. */
export interface BitsPlace {
  readonly kind: 'bits';
  /** The unit that holds it, of the field's type; of a packed one, where its first byte is. */
  readonly unit: MemoryPlace;
  readonly bits: Bits;
}

/** The value of the field, in its declared type. */
export function readBits(fn: FunctionLowering, { unit, bits }: BitsPlace): ir.Value {
  const { builder } = fn;
  const type = fn.typeOf(unit.type.type);
  const size = 8 * fn.module.sizeOf(unit.type.type);
  const isSigned = arithmeticOf(unit.type.type)?.signed === true;
  const shiftDown = isSigned ? 'sshr' : 'ushr';
  let raised: ir.Value;
  if (bits.isPacked) {
    raised = shift(fn, 'shl', joinBytes(fn, unit, bits, type), size - bits.width);
  } else {
    const whole = builder.load(type, unit.pointer, unit.align, unit.type.isVolatile);
    raised = shift(fn, 'shl', whole, size - bits.shift - bits.width);
  }
  return shift(fn, shiftDown, raised, size - bits.width);
}

/** Stores the low bits of a value of the field's declared type; the other bits around it stay. */
export function writeBits(fn: FunctionLowering, { unit, bits }: BitsPlace, stored: ir.Value): void {
  const { builder } = fn;
  if (bits.isPacked) {
    writeBytes(fn, unit, bits, stored);
    return;
  }
  const type = fn.typeOf(unit.type.type);
  const mask = (1n << BigInt(bits.width)) - 1n;
  const whole = builder.load(type, unit.pointer, unit.align, unit.type.isVolatile);
  const others = builder.binary('and', whole, builder.integer(type, ~(mask << BigInt(bits.shift))));
  const own = shift(fn, 'shl', builder.binary('and', stored, builder.integer(type, mask)), bits.shift);
  builder.store(unit.pointer, builder.binary('or', others, own), unit.align, unit.type.isVolatile);
}

/** The bytes that hold a packed bit-field, each with the field's bit that its lowest bit is (negative in the first). */
function bytesOf(fn: FunctionLowering, { pointer }: MemoryPlace, { width, shift }: Bits) {
  const { builder } = fn;
  return Array.from({ length: Math.ceil((shift + width) / 8) }, (_, index) => ({
    place: index === 0 ? pointer : builder.offset(pointer, builder.integer(builder.addressType, index)),
    bit: index * 8 - shift,
  }));
}

/** The field's bits from bit 0 on, with others of its last byte above them. */
function joinBytes(fn: FunctionLowering, unit: MemoryPlace, bits: Bits, type: Type): ir.Value {
  const { builder } = fn;
  let joined: ir.Value | undefined;
  for (const { place, bit } of bytesOf(fn, unit, bits)) {
    const byte = resize(fn, builder.load(i8, place, 1, unit.type.isVolatile), type);
    const part = bit < 0 ? shift(fn, 'ushr', byte, -bit) : shift(fn, 'shl', byte, bit);
    joined = joined ? builder.binary('or', joined, part) : part;
  }
  return joined!;
}

function writeBytes(fn: FunctionLowering, unit: MemoryPlace, bits: Bits, stored: ir.Value): void {
  const { builder } = fn;
  for (const { place, bit } of bytesOf(fn, unit, bits)) {
    // Which bits of the byte are the field's.
    const first = Math.max(0, -bit);
    const end = Math.min(8, bits.width - bit);
    const mask = ((1 << end) - 1) & ~((1 << first) - 1);
    const part = bit < 0 ? shift(fn, 'shl', stored, -bit) : shift(fn, 'ushr', stored, bit);
    let byte = resize(fn, part, i8);
    if (mask !== 0xff) {
      const old = builder.load(i8, place, 1, unit.type.isVolatile);
      const others = builder.binary('and', old, builder.integer(i8, ~mask & 0xff));
      byte = builder.binary('or', others, builder.binary('and', byte, builder.integer(i8, mask)));
    }
    builder.store(place, byte, 1, unit.type.isVolatile);
  }
}

function resize(fn: FunctionLowering, value: ir.Value, type: Type): ir.Value {
  const [from, to] = [bitsOf(value.type), bitsOf(type)];
  return from === to ? value : fn.builder.convert(from < to ? 'zext' : 'trunc', value, type);
}

function bitsOf(type: Type): number {
  if (type.kind !== 'int') throw new Error('a bit-field that is no integer');
  return type.bits;
}

function shift(fn: FunctionLowering, kind: 'shl' | 'sshr' | 'ushr', value: ir.Value, by: number): ir.Value {
  return by === 0 ? value : fn.builder.binary(kind, value, fn.builder.integer(value.type, by));
}
