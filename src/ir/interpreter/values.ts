/**
 * What IR values are while the interpreter runs, and how they lie in memory (little-endian).
 *
 * Bools are booleans; i8 to i32 are numbers in the signed reading, i64 are bigints in it; floats are numbers already
 * rounded to their type; pointers are numbers; vectors are arrays of their lanes. A NaN's sign and payload are not kept.
 */
import { bitsOfHalf, halfFromBits } from '../half.ts';
import type { Type } from '../types.ts';
import { sizeOf } from '../types.ts';

export type Scalar = number | bigint | boolean;
export type RuntimeValue = Scalar | readonly Scalar[];

/** The value that stands for any-value: zero in every lane. */
export function zeroOf(type: Type): RuntimeValue {
  switch (type.kind) {
    case 'bool':
      return false;
    case 'int':
      return type.bits === 64 ? 0n : 0;
    case 'vector':
      return new Array<Scalar>(type.lanes).fill(zeroOf(type.element) as Scalar);
    default:
      return 0;
  }
}

/** Reads a value of one type at an offset of some bytes. */
export type Reader = (view: DataView, offset: number) => RuntimeValue;
/** Writes a value of one type at an offset of some bytes. */
export type Writer = (view: DataView, offset: number, value: RuntimeValue) => void;

/** @param addressBits the width of pointers */
export function readerOf(type: Type, addressBits: 32 | 64): Reader {
  switch (type.kind) {
    case 'bool':
      return (view, offset) => view.getUint8(offset) !== 0;
    case 'int':
      switch (type.bits) {
        case 8:
          return (view, offset) => view.getInt8(offset);
        case 16:
          return (view, offset) => view.getInt16(offset, true);
        case 32:
          return (view, offset) => view.getInt32(offset, true);
        case 64:
          return (view, offset) => view.getBigInt64(offset, true);
      }
      break;
    case 'float':
      switch (type.bits) {
        case 16:
          return (view, offset) => halfFromBits(view.getUint16(offset, true));
        case 32:
          return (view, offset) => view.getFloat32(offset, true);
        case 64:
          return (view, offset) => view.getFloat64(offset, true);
      }
      break;
    case 'vector': {
      const { element, lanes } = type;
      const read = readerOf(element, addressBits);
      const size = sizeOf(element);
      return (view, offset) => {
        const values: Scalar[] = [];
        for (let lane = 0; lane < lanes; lane += 1) values.push(read(view, offset + lane * size) as Scalar);
        return values;
      };
    }
    case 'pointer':
    case 'opaque':
      if (addressBits === 32) return (view, offset) => view.getUint32(offset, true);
      return (view, offset) => Number(view.getBigInt64(offset, true));
  }
}

/** @param addressBits the width of pointers */
export function writerOf(type: Type, addressBits: 32 | 64): Writer {
  switch (type.kind) {
    case 'bool':
      return (view, offset, value) => view.setUint8(offset, value ? 1 : 0);
    case 'int':
      switch (type.bits) {
        case 8:
          return (view, offset, value) => view.setInt8(offset, value as number);
        case 16:
          return (view, offset, value) => view.setInt16(offset, value as number, true);
        case 32:
          return (view, offset, value) => view.setInt32(offset, value as number, true);
        case 64:
          return (view, offset, value) => view.setBigInt64(offset, value as bigint, true);
      }
      break;
    case 'float':
      switch (type.bits) {
        case 16:
          return (view, offset, value) => view.setUint16(offset, bitsOfHalf(value as number), true);
        case 32:
          return (view, offset, value) => view.setFloat32(offset, value as number, true);
        case 64:
          return (view, offset, value) => view.setFloat64(offset, value as number, true);
      }
      break;
    case 'vector': {
      const { element } = type;
      const write = writerOf(element, addressBits);
      const size = sizeOf(element);
      return (view, offset, value) => {
        (value as readonly Scalar[]).forEach((scalar, lane) => {
          write(view, offset + lane * size, scalar);
        });
      };
    }
    case 'pointer':
    case 'opaque':
      if (addressBits === 32) return (view, offset, value) => view.setUint32(offset, value as number, true);
      return (view, offset, value) => view.setBigInt64(offset, BigInt(value as number), true);
  }
}
