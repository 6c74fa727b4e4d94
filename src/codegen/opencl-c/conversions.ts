/** Conversions between types, with their rounding and saturation (OpenCL 1.2, 6.2.3). */
import type * as ir from '../../ir/ir.ts';
import { elementOf, type Type } from '../../ir/types.ts';
import { maskName, typeText } from './c-types.ts';
import { OpenCLCError } from './error.ts';
import { call, cast, type Expression, precedence, unary, within } from './expression.ts';
import type { ValueWriter } from './value-writer.ts';

/** The conversion of x to the type. */
export function conversion(writer: ValueWriter, instruction: ir.Convert, x: ir.Value, to: Type): Expression {
  const { fn, rounding, saturate } = instruction;
  switch (fn) {
    case 'sext':
      if (elementOf(x.type).kind === 'bool') return truthToInteger(writer, x, to, true);
      return converted(to, writer.signed(x), true);
    case 'zext':
      if (elementOf(x.type).kind === 'bool') return truthToInteger(writer, x, to, false);
      return converted(to, writer.unsigned(x), false);
    case 'trunc':
      return converted(to, writer.unsigned(x), false);
    case 'stof':
    case 'utof':
      return converted(
        to,
        fn === 'stof' ? writer.signed(x) : writer.unsigned(x),
        false,
        rounding === 'rte' ? undefined : rounding,
      );
    case 'ftos':
    case 'ftou': {
      const mode = rounding === 'rtz' ? undefined : rounding;
      return converted(to, writer.value(x), fn === 'ftos', mode, saturate);
    }
    case 'fwiden':
      return converted(to, writer.value(x), false);
    case 'fnarrow':
      return converted(to, writer.value(x), false, rounding === 'rte' ? undefined : rounding);
    case 'bitcast':
      return x.type === to ? writer.value(x) : call(`as_${typeText(to)}`, [writer.unsigned(x)]);
    case 'ptoi':
      return cast(typeText(to), writer.value(x));
    case 'itop':
      return cast(typeText(to), writer.unsigned(x));
    case 'space':
      return intoSpace(writer, x, to);
  }
}

/** A cast, or the function with a rounding mode or for vectors. */
function converted(
  to: Type,
  x: Expression,
  signed: boolean,
  rounding?: ir.RoundingMode,
  saturate?: boolean,
): Expression {
  const name = typeText(to, signed);
  if (to.kind !== 'vector' && !rounding && !saturate) return cast(name, x, signed);
  return call(`convert_${name}${saturate ? '_sat' : ''}${rounding ? `_${rounding}` : ''}`, [x], signed);
}

/** 1 for true, or all ones if `signed`. */
function truthToInteger(writer: ValueWriter, x: ir.Value, to: Type, signed: boolean): Expression {
  if (to.kind !== 'vector') {
    const number = cast(typeText(to, signed), writer.value(x), signed);
    if (!signed) return number;
    const minus = unary(`-${number.text}`, true);
    // The minus makes an int of what is narrower.
    return to.kind === 'int' && to.bits < 32 ? cast(typeText(to, true), minus, true) : minus;
  }
  const bits = to.element.kind === 'int' ? to.element.bits : 32;
  const mask = writer.mask(x, bits);
  if (signed) return mask;
  return unary(`-${within(call(`as_${typeText(to)}`, [mask]), precedence.primary)}`);
}

/** Casts between named address spaces are errors in OpenCL C; constant memory is read like global memory. */
function intoSpace(writer: ValueWriter, x: ir.Value, to: Type): Expression {
  if (x.type === to) return writer.value(x);
  const spaces = [x.type, to].map((type) => (type.kind === 'pointer' ? type.space : ''));
  if (!spaces.every((space) => space === 'global' || space === 'constant')) {
    throw new OpenCLCError(`a pointer to ${spaces[0]} memory cannot become one to ${spaces[1]} memory`);
  }
  const word = writer.addressBits === 64 ? 'ulong' : 'uint';
  return cast(typeText(to), cast(word, writer.value(x)));
}

/** A mask with lanes of another width. */
export function resizedMask(mask: Expression, from: number, to: number, lanes: number): Expression {
  return from === to ? mask : call(`convert_${maskName(to, lanes)}`, [mask], true);
}

/** A scalar truth value as a lane of a mask. */
export function maskLane(writer: ValueWriter, value: ir.Value): Expression {
  return unary(`-${within(cast('int', writer.value(value)), precedence.unary)}`, true);
}
