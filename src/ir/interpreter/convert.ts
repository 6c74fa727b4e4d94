/** The conversions, with every rounding mode and saturation. */
import type * as ir from '../ir.ts';
import { elementOf, type IntType, type Type } from '../types.ts';
import { lanewise, type UnaryOperation } from './arithmetic.ts';
import { unsignedOf, wrapTo } from './integers.ts';
import { roundDouble, roundExact, roundToInteger } from './rounding.ts';
import { readerOf, type Scalar, writerOf } from './values.ts';

/** @param addressBits the width of pointers */
export function convertOperation(
  instruction: ir.Convert,
  from: Type,
  to: Type,
  addressBits: 32 | 64,
): UnaryOperation {
  if (instruction.fn !== 'bitcast') {
    return lanewise(from, convertScalar(instruction, elementOf(from), elementOf(to)));
  }
  const scratch = new DataView(new ArrayBuffer(128));
  const write = writerOf(from, addressBits);
  const read = readerOf(to, addressBits);
  return (value) => {
    write(scratch, 0, value);
    return read(scratch, 0);
  };
}

function convertScalar({ fn, rounding }: ir.Convert, from: Type, to: Type): (x: Scalar) => Scalar {
  switch (fn) {
    case 'sext':
      if (from.kind === 'bool') return integerMaker(to, (x) => (x ? -1 : 0));
      return integerMaker(to, (x) => x);
    case 'zext':
      if (from.kind === 'bool') return integerMaker(to, (x) => (x ? 1 : 0));
      return integerMaker(to, unsignedReading(from));
    case 'trunc':
    case 'ptoi':
      return integerMaker(to, (x) => x);
    case 'itop':
      // Pointers of 64 bits are kept in the signed reading, in which small ones below zero stay exact.
      return (x) => (typeof x === 'bigint' ? Number(x) : (x as number) >>> 0);
    case 'space':
    case 'fwiden':
      return (x) => x;
    case 'stof':
    case 'utof': {
      const bits = to.kind === 'float' ? to.bits : 64;
      const read = fn === 'stof' ? (x: Scalar) => x : unsignedReading(from);
      return (x) => {
        const whole = read(x);
        if (typeof whole === 'bigint') return roundExact(whole, 0, bits, rounding ?? 'rte');
        return roundDouble(whole as number, bits, rounding ?? 'rte');
      };
    }
    case 'fnarrow': {
      const bits = to.kind === 'float' ? to.bits : 32;
      return (x) => roundDouble(x as number, bits, rounding ?? 'rte');
    }
    case 'ftos':
    case 'ftou':
      return floatToInteger(fn === 'ftos', to as IntType, rounding ?? 'rtz');
    case 'bitcast':
      return (x) => x;
  }
}

function unsignedReading(type: Type): (x: Scalar) => Scalar {
  const bits = type.kind === 'int' ? type.bits : 32;
  return bits === 64 ? (x) => BigInt.asUintN(64, x as bigint) : (unsignedOf(bits) as (x: Scalar) => Scalar);
}

/** Makes what `read` gives an integer of the type, in the signed reading. */
function integerMaker(type: Type, read: (x: Scalar) => Scalar): (x: Scalar) => Scalar {
  const bits = type.kind === 'int' ? type.bits : 32;
  if (bits === 64) return (x) => BigInt.asIntN(64, BigInt(read(x)));
  const wrap = wrapTo(bits);
  return (x) => {
    const whole = read(x);
    return typeof whole === 'bigint' ? Number(BigInt.asIntN(bits, whole)) : wrap(whole as number);
  };
}

/** Out of range, any value is right: this gives the nearest one, and zero for NaN, so saturation changes nothing. */
function floatToInteger(signed: boolean, to: IntType, mode: ir.RoundingMode): (x: Scalar) => Scalar {
  const { bits } = to;
  const lowest = signed ? -(2n ** BigInt(bits - 1)) : 0n;
  const highest = signed ? 2n ** BigInt(bits - 1) - 1n : 2n ** BigInt(bits) - 1n;
  const whole = (x: number): bigint => {
    if (Number.isNaN(x)) return 0n;
    const rounded = roundToInteger(x, mode);
    if (rounded <= Number(lowest)) return lowest;
    // The highest of 64 bits is no double; its successor is.
    return rounded >= Number(highest + 1n) ? highest : BigInt(rounded);
  };
  if (bits === 64) return (x) => BigInt.asIntN(64, whole(x as number));
  const low = Number(lowest);
  const high = Number(highest);
  const wrap = wrapTo(bits);
  return (x) => {
    const rounded = roundToInteger(x as number, mode);
    if (Number.isNaN(rounded)) return 0;
    return wrap(Math.min(Math.max(rounded, low), high));
  };
}
