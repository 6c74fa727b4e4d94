/**
 * The types of numbers that arrays have: those that OpenCL and the typed arrays of JavaScript have in common, by NumPy's names, and
 * what becomes of two of them in one expression (NumPy's promotion, NEP 50).
 */
import type { TypedArray, TypedArrayConstructor } from '../api/javascript/device-buffer.ts';
import { shown } from '../source/shown.ts';
import { invalid } from './errors.ts';

export type NumberType =
  | 'bool'
  | 'int8'
  | 'uint8'
  | 'int16'
  | 'uint16'
  | 'int32'
  | 'uint32'
  | 'int64'
  | 'uint64'
  | 'float32'
  | 'float64';

/** The typed array that holds numbers of a type. */
export interface ArrayOf {
  bool: Uint8Array;
  int8: Int8Array;
  uint8: Uint8Array;
  int16: Int16Array;
  uint16: Uint16Array;
  int32: Int32Array;
  uint32: Uint32Array;
  int64: BigInt64Array;
  uint64: BigUint64Array;
  float32: Float32Array;
  float64: Float64Array;
}

export interface TypeFacts {
  readonly kind: 'bool' | 'signed' | 'unsigned' | 'float';
  readonly bytes: number;
  /** In OpenCL C. */
  readonly c: string;
  readonly array: TypedArrayConstructor<TypedArray>;
  /** Of integers. */
  readonly min: bigint;
  readonly max: bigint;
}

function facts(
  kind: TypeFacts['kind'],
  bytes: number,
  c: string,
  array: TypedArrayConstructor<TypedArray>,
): TypeFacts {
  const bits = BigInt(8 * bytes);
  const isSigned = kind === 'signed';
  const max = kind === 'bool' ? 1n : 2n ** (isSigned ? bits - 1n : bits) - 1n;
  return { kind, bytes, c, array, min: isSigned ? -(2n ** (bits - 1n)) : 0n, max };
}

export const numberTypes: Readonly<Record<NumberType, TypeFacts>> = {
  bool: facts('bool', 1, 'uchar', Uint8Array),
  int8: facts('signed', 1, 'char', Int8Array),
  uint8: facts('unsigned', 1, 'uchar', Uint8Array),
  int16: facts('signed', 2, 'short', Int16Array),
  uint16: facts('unsigned', 2, 'ushort', Uint16Array),
  int32: facts('signed', 4, 'int', Int32Array),
  uint32: facts('unsigned', 4, 'uint', Uint32Array),
  int64: facts('signed', 8, 'long', BigInt64Array),
  uint64: facts('unsigned', 8, 'ulong', BigUint64Array),
  float32: facts('float', 4, 'float', Float32Array),
  float64: facts('float', 8, 'double', Float64Array),
};

/** @throws OpenCLError CL_INVALID_VALUE for what is none, with those that there are */
export function checkType(type: unknown): asserts type is NumberType {
  if (typeof type === 'string' && Object.hasOwn(numberTypes, type)) return;
  throw invalid(`there is no type ${shown(type)}; there are ${Object.keys(numberTypes).join(', ')}`);
}

export const isFloat = (type: NumberType): boolean => numberTypes[type].kind === 'float';
export const isInteger = (type: NumberType): boolean => !isFloat(type) && type !== 'bool';

/** The type of a typed array's numbers, or undefined for what is none. */
export function typeOfArray(array: unknown): NumberType | undefined {
  if (array instanceof Uint8ClampedArray) return 'uint8';
  for (const [type, { array: kind }] of Object.entries(numberTypes)) {
    if (type !== 'bool' && array instanceof kind) return type as NumberType;
  }
  return undefined;
}

/** The smallest type that has the values of both, as np.promote_types; of an integer and float32 it may be float64. */
export function promote(a: NumberType, b: NumberType): NumberType {
  if (a === b || b === 'bool') return a;
  if (a === 'bool') return b;
  const [one, other] = [numberTypes[a], numberTypes[b]];
  if (one.kind === 'float' || other.kind === 'float') {
    const isNarrow = ({ kind, bytes }: TypeFacts) => (kind === 'float' ? bytes === 4 : bytes < 4);
    return isNarrow(one) && isNarrow(other) ? 'float32' : 'float64';
  }
  if (one.kind === other.kind) return one.bytes > other.bytes ? a : b;
  const [signed, unsigned] = one.kind === 'signed' ? [one, other] : [other, one];
  if (signed.bytes > unsigned.bytes) return one.kind === 'signed' ? a : b;
  const wider: Readonly<Record<number, NumberType>> = { 1: 'int16', 2: 'int32', 4: 'int64', 8: 'float64' };
  return wider[unsigned.bytes]!;
}

/** A number of JavaScript in an expression with an array of a type: it takes the array's type where that has its kind. */
export function typeOfNumber(value: number | bigint | boolean, besides: NumberType): NumberType {
  if (typeof value === 'boolean') return 'bool';
  const isWhole = typeof value === 'bigint' || (Number.isInteger(value) && !Object.is(value, -0));
  if (isFloat(besides)) return besides;
  if (!isWhole) return 'float64';
  const type = besides === 'bool' ? 'int32' : besides;
  checkFits(value, type);
  return type;
}

/** @throws OpenCLError CL_INVALID_VALUE for an integer that the type does not have */
export function checkFits(value: number | bigint, type: NumberType): void {
  const { min, max } = numberTypes[type];
  const whole = BigInt(value);
  if (whole < min || whole > max) throw invalid(`${value} is no ${type}: those are from ${min} to ${max}`);
}

/** What functions such as sin compute in: int8 to float32, where NumPy has float16, which JavaScript has not. */
export function floatFor(type: NumberType): NumberType {
  if (isFloat(type)) return type;
  return numberTypes[type].bytes <= 2 ? 'float32' : 'float64';
}

/** What sums and products of a type are, as NumPy has it: integers in 64 bits. */
export function sumType(type: NumberType): NumberType {
  if (isFloat(type)) return type;
  return numberTypes[type].kind === 'unsigned' ? 'uint64' : 'int64';
}

/** Code that converts a value from one type to another. */
export function castCode(value: string, from: NumberType, to: NumberType): string {
  if (from === to) return value;
  if (to === 'bool') return `(uchar)((${value}) != 0)`;
  return `(${numberTypes[to].c})(${value})`;
}
