/** What arrays compute element by element: one method for each operation (operations.ts). */
import type { NdArray, Operand } from './nd-array.ts';
import type { NumberType } from './number-types.ts';
import type { OperationName } from './operations.ts';

export abstract class ElementwiseArray<T extends NumberType> {
  /** The array that an operation of this one and others gives. */
  protected abstract operate(name: OperationName, ...operands: readonly Operand[]): NdArray;

  #bool(name: OperationName, ...operands: readonly Operand[]): NdArray<'bool'> {
    return this.operate(name, ...operands) as NdArray<'bool'>;
  }

  #same(name: OperationName): NdArray<T> {
    return this.operate(name) as NdArray<T>;
  }

  // Two operands

  add(other: Operand): NdArray {
    return this.operate('add', other);
  }
  sub(other: Operand): NdArray {
    return this.operate('sub', other);
  }
  mul(other: Operand): NdArray {
    return this.operate('mul', other);
  }
  /** Of integers it is a float64. */
  div(other: Operand): NdArray {
    return this.operate('div', other);
  }
  /** The quotient's floor; 0 for integers divided by 0. */
  floorDiv(other: Operand): NdArray {
    return this.operate('floorDiv', other);
  }
  /** The remainder with the sign of the divisor, as % of Python. */
  mod(other: Operand): NdArray {
    return this.operate('mod', other);
  }
  /** The remainder with the sign of the dividend, as % of C and JavaScript. */
  fmod(other: Operand): NdArray {
    return this.operate('fmod', other);
  }
  pow(other: Operand): NdArray {
    return this.operate('pow', other);
  }
  /** A NaN if one of both is. */
  minimum(other: Operand): NdArray {
    return this.operate('minimum', other);
  }
  /** A NaN if one of both is. */
  maximum(other: Operand): NdArray {
    return this.operate('maximum', other);
  }
  /** The other one if one of both is a NaN. */
  fmin(other: Operand): NdArray {
    return this.operate('fmin', other);
  }
  /** The other one if one of both is a NaN. */
  fmax(other: Operand): NdArray {
    return this.operate('fmax', other);
  }
  /** Not below `low`, not above `high`; `null` for no limit. */
  clip(low: Operand | null, high: Operand | null): NdArray {
    const above = low === null ? (this as unknown as NdArray) : this.maximum(low);
    return high === null ? above : above.minimum(high);
  }
  /** The angle of the point whose y this is. */
  atan2(x: Operand): NdArray {
    return this.operate('atan2', x);
  }
  hypot(other: Operand): NdArray {
    return this.operate('hypot', other);
  }
  copySign(sign: Operand): NdArray {
    return this.operate('copySign', sign);
  }
  bitAnd(other: Operand): NdArray {
    return this.operate('bitAnd', other);
  }
  bitOr(other: Operand): NdArray {
    return this.operate('bitOr', other);
  }
  bitXor(other: Operand): NdArray {
    return this.operate('bitXor', other);
  }
  shiftLeft(by: Operand): NdArray {
    return this.operate('shiftLeft', by);
  }
  shiftRight(by: Operand): NdArray {
    return this.operate('shiftRight', by);
  }

  // Comparisons

  equal(other: Operand): NdArray<'bool'> {
    return this.#bool('equal', other);
  }
  notEqual(other: Operand): NdArray<'bool'> {
    return this.#bool('notEqual', other);
  }
  less(other: Operand): NdArray<'bool'> {
    return this.#bool('less', other);
  }
  lessEqual(other: Operand): NdArray<'bool'> {
    return this.#bool('lessEqual', other);
  }
  greater(other: Operand): NdArray<'bool'> {
    return this.#bool('greater', other);
  }
  greaterEqual(other: Operand): NdArray<'bool'> {
    return this.#bool('greaterEqual', other);
  }
  and(other: Operand): NdArray<'bool'> {
    return this.#bool('and', other);
  }
  or(other: Operand): NdArray<'bool'> {
    return this.#bool('or', other);
  }
  xor(other: Operand): NdArray<'bool'> {
    return this.#bool('xor', other);
  }
  not(): NdArray<'bool'> {
    return this.#bool('not');
  }
  isNaN(): NdArray<'bool'> {
    return this.#bool('isNaN');
  }
  isInfinite(): NdArray<'bool'> {
    return this.#bool('isInfinite');
  }
  isFinite(): NdArray<'bool'> {
    return this.#bool('isFinite');
  }

  // One operand

  neg(): NdArray<T> {
    return this.#same('neg');
  }
  abs(): NdArray<T> {
    return this.#same('abs');
  }
  sign(): NdArray<T> {
    return this.#same('sign');
  }
  square(): NdArray<T> {
    return this.#same('square');
  }
  bitNot(): NdArray<T> {
    return this.#same('bitNot');
  }
  floor(): NdArray<T> {
    return this.#same('floor');
  }
  ceil(): NdArray<T> {
    return this.#same('ceil');
  }
  trunc(): NdArray<T> {
    return this.#same('trunc');
  }
  /** To the nearest integer, halves to the even one. */
  round(): NdArray<T> {
    return this.#same('round');
  }
  reciprocal(): NdArray {
    return this.operate('reciprocal');
  }
  sqrt(): NdArray {
    return this.operate('sqrt');
  }
  cbrt(): NdArray {
    return this.operate('cbrt');
  }
  exp(): NdArray {
    return this.operate('exp');
  }
  exp2(): NdArray {
    return this.operate('exp2');
  }
  expm1(): NdArray {
    return this.operate('expm1');
  }
  log(): NdArray {
    return this.operate('log');
  }
  log2(): NdArray {
    return this.operate('log2');
  }
  log10(): NdArray {
    return this.operate('log10');
  }
  log1p(): NdArray {
    return this.operate('log1p');
  }
  sin(): NdArray {
    return this.operate('sin');
  }
  cos(): NdArray {
    return this.operate('cos');
  }
  tan(): NdArray {
    return this.operate('tan');
  }
  asin(): NdArray {
    return this.operate('asin');
  }
  acos(): NdArray {
    return this.operate('acos');
  }
  atan(): NdArray {
    return this.operate('atan');
  }
  sinh(): NdArray {
    return this.operate('sinh');
  }
  cosh(): NdArray {
    return this.operate('cosh');
  }
  tanh(): NdArray {
    return this.operate('tanh');
  }
  asinh(): NdArray {
    return this.operate('asinh');
  }
  acosh(): NdArray {
    return this.operate('acosh');
  }
  atanh(): NdArray {
    return this.operate('atanh');
  }
  erf(): NdArray {
    return this.operate('erf');
  }
}
