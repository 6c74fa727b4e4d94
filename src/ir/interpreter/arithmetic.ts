/** Unary and binary operations, comparisons and fma on values of any type, lane by lane on vectors. */
import type * as ir from '../ir.ts';
import { elementOf, type Type } from '../types.ts';
import { integerBinary, integerCompare, integerUnary, unsignedOf } from './integers.ts';
import { fusedMultiplyAdd, isNegative, roundDouble, roundEven } from './rounding.ts';
import type { RuntimeValue, Scalar } from './values.ts';

export type UnaryOperation = (a: RuntimeValue) => RuntimeValue;
export type BinaryOperation = (a: RuntimeValue, b: RuntimeValue) => RuntimeValue;

/** A function of scalars made one of values of the type. */
export function lanewise(type: Type, scalar: (a: Scalar) => Scalar): UnaryOperation {
  if (type.kind !== 'vector') return scalar as UnaryOperation;
  return (a) => (a as readonly Scalar[]).map((lane) => scalar(lane));
}

function lanewise2(type: Type, scalar: (a: Scalar, b: Scalar) => Scalar): BinaryOperation {
  if (type.kind !== 'vector') return scalar as BinaryOperation;
  return (a, b) => (a as readonly Scalar[]).map((x, lane) => scalar(x, (b as readonly Scalar[])[lane]!));
}

/** @param type of the operand */
export function unaryOperation(fn: ir.UnaryFunction, type: Type): UnaryOperation {
  return lanewise(type, unaryScalar(fn, elementOf(type)));
}

function unaryScalar(fn: ir.UnaryFunction, type: Type): (a: Scalar) => Scalar {
  switch (fn) {
    case 'not':
    case 'clz':
    case 'ctz':
    case 'popcount':
      if (type.kind !== 'int') return (a) => !a;
      return integerUnary(fn, type.bits);
    default:
      return floatUnary(fn, floatBits(type)) as (a: Scalar) => Scalar;
  }
}

function floatUnary(fn: Extract<ir.UnaryFunction, `f${string}`>, bits: 16 | 32 | 64): (x: number) => number {
  switch (fn) {
    case 'fneg':
      return (x) => -x;
    case 'fabs':
      return Math.abs;
    case 'fsqrt':
      // A double has more than twice the bits of the other formats, so rounding twice is rounding once.
      return (x) => roundDouble(Math.sqrt(x), bits, 'rte');
    case 'ffloor':
      return Math.floor;
    case 'fceil':
      return Math.ceil;
    case 'ftrunc':
      return Math.trunc;
    case 'frint':
      return roundEven;
  }
}

function floatBits(type: Type): 16 | 32 | 64 {
  return type.kind === 'float' ? type.bits : 64;
}

/** @param type of both operands */
export function binaryOperation(fn: ir.BinaryFunction, type: Type): BinaryOperation {
  return lanewise2(type, binaryScalar(fn, elementOf(type)));
}

function binaryScalar(fn: ir.BinaryFunction, type: Type): (a: Scalar, b: Scalar) => Scalar {
  switch (fn) {
    case 'fadd':
    case 'fsub':
    case 'fmul':
    case 'fdiv':
    case 'fmin':
    case 'fmax':
    case 'fcopysign':
      return floatBinary(fn, floatBits(type)) as (a: Scalar, b: Scalar) => Scalar;
    case 'and':
    case 'or':
    case 'xor':
      if (type.kind === 'int') return integerBinary(fn, type.bits);
      if (fn === 'and') return (a, b) => Boolean(a) && Boolean(b);
      return fn === 'or' ? (a, b) => Boolean(a) || Boolean(b) : (a, b) => a !== b;
    default:
      return integerBinary(fn, type.kind === 'int' ? type.bits : 32);
  }
}

type FloatFunction = Extract<ir.BinaryFunction, `f${string}`>;

/** Computed in double and rounded: correct for the narrower formats, whose double results never round twice visibly. */
function floatBinary(fn: FloatFunction, bits: 16 | 32 | 64): (a: number, b: number) => number {
  const round: (x: number) => number =
    bits === 64 ? (x) => x : bits === 32 ? Math.fround : (x) => roundDouble(x, 16, 'rte');
  switch (fn) {
    case 'fadd':
      return (a, b) => round(a + b);
    case 'fsub':
      return (a, b) => round(a - b);
    case 'fmul':
      return (a, b) => round(a * b);
    case 'fdiv':
      return (a, b) => round(a / b);
    case 'fmin':
      return (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b));
    case 'fmax':
      return (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b));
    case 'fcopysign':
      return (a, b) => (isNegative(b) ? -Math.abs(a) : Math.abs(a));
  }
}

/** @param type of the operands */
export function fmaOperation(
  type: Type,
): (a: RuntimeValue, b: RuntimeValue, c: RuntimeValue) => RuntimeValue {
  const bits = floatBits(elementOf(type));
  if (type.kind !== 'vector') {
    return (a, b, c) => fusedMultiplyAdd(a as number, b as number, c as number, bits);
  }
  return (a, b, c) => {
    const [x, y, z] = [a, b, c] as [number[], number[], number[]];
    return x.map((lane, index) => fusedMultiplyAdd(lane, y[index]!, z[index]!, bits));
  };
}

/** @param type of the operands */
export function compareOperation(fn: ir.CompareFunction, type: Type): BinaryOperation {
  return lanewise2(type, compareScalar(fn, elementOf(type)));
}

function compareScalar(fn: ir.CompareFunction, type: Type): (a: Scalar, b: Scalar) => boolean {
  switch (fn) {
    case 'feq':
      return (a, b) => a === b;
    case 'fne':
      return (a, b) => a !== b;
    case 'flt':
      return (a, b) => a < b;
    case 'fle':
      return (a, b) => a <= b;
    case 'fgt':
      return (a, b) => a > b;
    case 'fge':
      return (a, b) => a >= b;
    default:
      return integerCompare(fn, unsignedReading(type));
  }
}

function unsignedReading(type: Type): (x: Scalar) => Scalar {
  if (type.kind === 'pointer') return (x) => BigInt.asUintN(64, BigInt(x));
  if (type.kind !== 'int') return (x) => x;
  const { bits } = type;
  return bits === 64 ? (x) => BigInt.asUintN(64, x as bigint) : (unsignedOf(bits) as (x: Scalar) => Scalar);
}

/** Picks whole values by a truth value, or lanes by a vector of them. */
export function selectValue(condition: RuntimeValue, a: RuntimeValue, b: RuntimeValue): RuntimeValue {
  if (typeof condition !== 'object') return condition ? a : b;
  const [x, y] = [a, b] as [readonly Scalar[], readonly Scalar[]];
  return condition.map((lane, index) => (lane ? x[index]! : y[index]!));
}
