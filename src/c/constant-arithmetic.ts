/**
 * Arithmetic on constants as the target does it: integers wrap to their width, floats are rounded to their precision.
 */
import { bitsOfHalf, halfFromBits } from '../ir/half.ts';
import type { ArithmeticOperator, ComparisonOperator } from './ast.ts';
import type { ArithmeticType } from './types.ts';

/** The value of the low bits of an integer in a type (C99, 6.3.1.3; signed wraps). */
export function wrapInteger(value: bigint, type: ArithmeticType): bigint {
  if (type.name === 'bool') return value === 0n ? 0n : 1n;
  const bits = type.size * 8;
  return type.signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value);
}

/** A number rounded to the precision of a floating type. */
function roundFloat(value: number, type: ArithmeticType): number {
  if (type.name === 'float') return Math.fround(value);
  return type.name === 'half' ? roundToHalf(value) : value;
}

function roundToHalf(value: number): number {
  if (!Number.isFinite(value) || value === 0) return value;
  const magnitude = Math.abs(value);
  const exponent = Math.max(-14, Math.floor(Math.log2(magnitude)));
  const unit = 2 ** (exponent - 10);
  const scaled = magnitude / unit;
  const floor = Math.floor(scaled);
  const rest = scaled - floor;
  const up = rest > 0.5 || (rest === 0.5 && floor % 2 === 1);
  const rounded = (up ? floor + 1 : floor) * unit;
  return Math.sign(value) * (rounded > 65504 ? Number.POSITIVE_INFINITY : rounded);
}

/** Two integers of one type; undefined where C defines no result (division by zero). */
export function integerOperation(
  operator: ArithmeticOperator,
  a: bigint,
  b: bigint,
  type: ArithmeticType,
): bigint | undefined {
  switch (operator) {
    case '+':
      return wrapInteger(a + b, type);
    case '-':
      return wrapInteger(a - b, type);
    case '*':
      return wrapInteger(a * b, type);
    case '/':
      return b === 0n ? undefined : wrapInteger(a / b, type);
    case '%':
      return b === 0n ? undefined : wrapInteger(a % b, type);
    case '<<':
      return wrapInteger(a << shiftCount(b, type), type);
    case '>>':
      return wrapInteger(a >> shiftCount(b, type), type);
    case '&':
      return wrapInteger(a & b, type);
    case '|':
      return wrapInteger(a | b, type);
    case '^':
      return wrapInteger(a ^ b, type);
  }
}

/** OpenCL takes a shift count modulo the width (OpenCL 1.2, 6.3 j); C leaves larger ones undefined. */
function shiftCount(count: bigint, type: ArithmeticType): bigint {
  return BigInt.asUintN(64, count) & BigInt(type.size * 8 - 1);
}

export function floatOperation(
  operator: ArithmeticOperator,
  a: number,
  b: number,
  type: ArithmeticType,
): number | undefined {
  switch (operator) {
    case '+':
      return roundFloat(a + b, type);
    case '-':
      return roundFloat(a - b, type);
    case '*':
      return roundFloat(a * b, type);
    case '/':
      return roundFloat(a / b, type);
    default:
      return undefined;
  }
}

export function compareConstants(
  operator: ComparisonOperator,
  a: bigint | number,
  b: bigint | number,
): boolean {
  switch (operator) {
    case '<':
      return a < b;
    case '>':
      return a > b;
    case '<=':
      return a <= b;
    case '>=':
      return a >= b;
    case '==':
      return a === b;
    case '!=':
      return a !== b;
  }
}

export function isComparison(operator: string): operator is ComparisonOperator {
  switch (operator) {
    case '<':
    case '>':
    case '<=':
    case '>=':
    case '==':
    case '!=':
      return true;
    default:
      return false;
  }
}

/** A lane in another arithmetic type; undefined where C defines no result. */
export function convertLane(
  value: bigint | number,
  from: ArithmeticType,
  to: ArithmeticType,
): bigint | number | undefined {
  if (from === to) return value;
  if (to.name === 'bool') return Number(value) === 0 ? 0n : 1n;
  if (typeof value === 'bigint') return to.floating ? integerToFloat(value, to) : wrapInteger(value, to);
  if (to.floating) return roundFloat(value, to);
  if (!Number.isFinite(value)) return 0n;
  return wrapInteger(BigInt(Math.trunc(value)), to);
}

/** An integer rounded once: going through double first would round large ones twice. */
function integerToFloat(value: bigint, to: ArithmeticType): number {
  if (to.name !== 'float') return roundFloat(Number(value), to);
  const magnitude = value < 0n ? -value : value;
  const bits = magnitude.toString(2).length;
  if (bits <= 53) return Math.fround(Number(value));
  // Keep 53 bits, with every lost one gathered in the last, so that the second rounding sees them.
  const cut = BigInt(bits - 53);
  let kept = magnitude >> cut;
  if (kept << cut !== magnitude) kept |= 1n;
  const rounded = Math.fround(Number(kept << cut));
  return value < 0n ? -rounded : rounded;
}

/** Writes a lane as memory holds it. */
export function storeLane(
  bytes: DataView,
  offset: number,
  value: bigint | number,
  type: ArithmeticType,
): void {
  if (type.floating) {
    if (type.size === 2) bytes.setUint16(offset, bitsOfHalf(Number(value)), true);
    else if (type.size === 4) bytes.setFloat32(offset, Number(value), true);
    else bytes.setFloat64(offset, Number(value), true);
  } else {
    const integer = typeof value === 'bigint' ? value : BigInt(Math.trunc(value));
    if (type.size === 8) bytes.setBigUint64(offset, BigInt.asUintN(64, integer), true);
    else if (type.size === 4) bytes.setUint32(offset, Number(BigInt.asUintN(32, integer)), true);
    else if (type.size === 2) bytes.setUint16(offset, Number(BigInt.asUintN(16, integer)), true);
    else bytes.setUint8(offset, Number(BigInt.asUintN(8, integer)));
  }
}

/** Reads a lane as memory holds it. A NaN comes back as a NaN, not with its bits. */
export function loadLane(bytes: DataView, offset: number, type: ArithmeticType): bigint | number {
  if (type.floating) {
    if (type.size === 2) return halfFromBits(bytes.getUint16(offset, true));
    return type.size === 4 ? bytes.getFloat32(offset, true) : bytes.getFloat64(offset, true);
  }
  if (type.size === 8) return wrapInteger(bytes.getBigUint64(offset, true), type);
  if (type.size === 4) return wrapInteger(BigInt(bytes.getUint32(offset, true)), type);
  if (type.size === 2) return wrapInteger(BigInt(bytes.getUint16(offset, true)), type);
  return wrapInteger(BigInt(bytes.getUint8(offset)), type);
}
