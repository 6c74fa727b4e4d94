/**
 * Arithmetic whose result ir.ts leaves open (any value is right): integer division by zero or with a quotient that does
 * not fit, and conversion of a number out of range to an integer. Where it is looked for, it is a fault.
 */
import type * as ir from '../ir.ts';
import { elementOf, type Type } from '../types.ts';
import type { BinaryOperation, UnaryOperation } from './arithmetic.ts';
import { Fault } from './memory.ts';
import { roundToInteger } from './rounding.ts';
import type { RuntimeValue, Scalar } from './values.ts';

/** The operation with a check before it, if its result may be open. */
export function checkedBinary(
  fn: ir.BinaryFunction,
  type: Type,
  operation: BinaryOperation,
): BinaryOperation {
  if (fn !== 'sdiv' && fn !== 'udiv' && fn !== 'srem' && fn !== 'urem') return operation;
  const element = elementOf(type);
  const bits = element.kind === 'int' ? element.bits : 32;
  const lowest = bits === 64 ? -(2n ** 63n) : -(2 ** (bits - 1));
  const isSigned = fn === 'sdiv' || fn === 'srem';
  const sign = fn === 'sdiv' || fn === 'udiv' ? '/' : '%';
  const shown = (x: Scalar): bigint => (isSigned ? BigInt(x) : BigInt.asUintN(bits, BigInt(x)));
  const check = (a: Scalar, b: Scalar, lane: number | undefined): void => {
    const isZero = Number(b) === 0;
    if (!isZero && !(fn === 'sdiv' && Number(b) === -1 && a === lowest)) return;
    const what = isZero ? 'integer division by zero' : 'integer division whose quotient does not fit';
    throw new Fault(`${what}${componentText(lane, type)}: ${shown(a)} ${sign} ${shown(b)} may be anything`);
  };
  return (a, b) => {
    eachLane(a, b, check);
    return operation(a, b);
  };
}

/** As OpenCL C names it. */
function componentText(lane: number | undefined, type: Type): string {
  if (lane === undefined || type.kind !== 'vector') return '';
  return ` in component ${type.lanes <= 4 ? 'xyzw'[lane] : `s${lane.toString(16)}`}`;
}

/** The conversion with a check before it, if its result may be open. */
export function checkedConversion(
  { fn, rounding, saturate }: ir.Convert,
  to: Type,
  operation: UnaryOperation,
): UnaryOperation {
  if ((fn !== 'ftos' && fn !== 'ftou') || saturate) return operation;
  const element = elementOf(to);
  const bits = element.kind === 'int' ? element.bits : 32;
  const [lowest, end] = fn === 'ftos' ? [-(2 ** (bits - 1)), 2 ** (bits - 1)] : [0, 2 ** bits];
  const check = (x: Scalar): void => {
    const whole = roundToInteger(x as number, rounding ?? 'rtz');
    if (whole >= lowest && whole < end) return;
    throw new Fault(`conversion of ${x} to an integer of ${bits} bits, whose result may be anything`);
  };
  return (a) => {
    eachLane(a, a, check);
    return operation(a);
  };
}

function eachLane(
  a: RuntimeValue,
  b: RuntimeValue,
  check: (a: Scalar, b: Scalar, lane: number | undefined) => void,
): void {
  if (typeof a !== 'object') {
    check(a as Scalar, b as Scalar, undefined);
    return;
  }
  for (const [index, lane] of (a as readonly Scalar[]).entries()) {
    check(lane, (b as readonly Scalar[])[index]!, index);
  }
}
