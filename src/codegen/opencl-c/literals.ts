/** Constants as OpenCL C writes them. */
import type { ScalarConstant } from '../../ir/ir.ts';
import { constantText } from '../../ir/text/constants.ts';
import type { ScalarType, Type } from '../../ir/types.ts';
import { typeText } from './c-types.ts';
import { type Expression, primary, unary } from './expression.ts';

/**
 * A constant of any type.
 * @param signed how integers are wanted
 * @param maskBits for a vector of truth values
 */
export function literal(
  type: Type,
  value: ScalarConstant | readonly ScalarConstant[],
  signed: boolean,
  maskBits?: number,
): Expression {
  if (type.kind === 'pointer') return unary(`(${typeText(type)})0`);
  if (type.kind !== 'vector') return scalarLiteral(type as ScalarType, value as ScalarConstant, signed);
  const lanes = value as readonly ScalarConstant[];
  const same = lanes.every((lane) => Object.is(lane, lanes[0]));
  const texts = (same ? lanes.slice(0, 1) : lanes).map((lane) => laneText(type.element, lane, signed));
  return unary(`(${typeText(type, signed, maskBits)})(${texts.join(', ')})`, signed);
}

/** Inside a vector literal a number is converted to the type of the lanes. */
function laneText(type: ScalarType, value: ScalarConstant, signed: boolean): string {
  if (type.kind === 'bool') return value ? '-1' : '0';
  if (type.kind === 'int' && type.bits < 32) return narrowText(type.bits, Number(value), signed);
  return scalarLiteral(type, value, signed).text;
}

export function scalarLiteral(type: ScalarType, value: ScalarConstant, signed: boolean): Expression {
  switch (type.kind) {
    case 'bool':
      return primary(value ? 'true' : 'false');
    case 'float':
      return floatLiteral(type.bits, Number(value));
    case 'int':
      if (type.bits < 32) {
        const text = narrowText(type.bits, Number(value), signed);
        return unary(`(${typeText(type, signed)})${text}`, signed);
      }
      return wideLiteral(type.bits === 64, BigInt(value as number | bigint), signed);
  }
}

function narrowText(bits: number, value: number, signed: boolean): string {
  return String(!signed && value < 0 ? value + 2 ** bits : value);
}

function wideLiteral(long: boolean, value: bigint, signed: boolean): Expression {
  const bits = long ? 64 : 32;
  if (!signed) {
    const suffix = long ? 'ul' : 'u';
    // A large one is a bit pattern more often than a number.
    const unsigned = BigInt.asUintN(bits, value);
    return primary((value < 0n ? `0x${unsigned.toString(16)}` : unsigned.toString()) + suffix);
  }
  // The lowest number has no literal: C reads a minus and a number that is too high.
  if (value === -(2n ** BigInt(bits - 1))) return primary(long ? 'LONG_MIN' : 'INT_MIN', true);
  const text = `${value}${long ? 'l' : ''}`;
  return value < 0n ? unary(text, true) : primary(text, true);
}

const floatSuffixes = { 16: 'h', 32: 'f', 64: '' } as const;

function floatLiteral(bits: 16 | 32 | 64, value: number): Expression {
  const minus = value < 0 ? '-' : '';
  const level = minus || Object.is(value, -0) ? unary : primary;
  if (Number.isFinite(value)) {
    const type = { kind: 'float', bits } as const;
    return level(constantText(value, type) + floatSuffixes[bits]);
  }
  const name = Number.isNaN(value) ? 'NAN' : `${minus}INFINITY`;
  return bits === 32 ? level(name) : unary(`(${bits === 16 ? 'half' : 'double'})${name}`);
}
