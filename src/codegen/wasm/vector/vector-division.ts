/**
 * Integer division of vectors, which WebAssembly does not have. A double holds every 32-bit integer, and the quotient of two, rounded to a double, never
 * reaches the next integer above the true one (that is at least 2^-33 of it away), so cutting it off gives the quotient of integers:
 *
 *     f64x2.convert_low_i32x4_s   f64x2.div   i32x4.trunc_sat_f64x2_s_zero       two lanes at a time
 *
 * The remainder is what is left of the dividend, in doubles, too: there the quotient of the lowest integer and -1 has room, and
 * what follows from it is right. For divisors of zero any result will do, and nothing traps. Constants are divided by with products
 * (constant-division.ts).
 */
import type * as ir from '../../../ir/ir.ts';
import type { Value } from '../../../ir/ir.ts';
import type { FunctionCompiler } from '../kernel/function-compiler.ts';
import { bytesOfAll, emitQuotient, isGoodDivisor, type LaneBits } from './constant-division.ts';
import { constantForAll, multiplyBytes } from './vector-products.ts';

export type Division = 'sdiv' | 'udiv' | 'srem' | 'urem';

export function isDivision(fn: ir.BinaryFunction): fn is Division {
  return fn === 'sdiv' || fn === 'udiv' || fn === 'srem' || fn === 'urem';
}

/** Lanes 2 and 3 in the places of 0 and 1. */
const upperHalf = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15];
/** Lanes 0 and 1 of two vectors. */
const lowerHalves = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];

/**
 * Pushes quotients or remainders of a part of two vectors of integers of at most 32 bits.
 * @returns false, having written nothing, for narrow lanes whose divisor is not known
 */
export function emitDivision(
  fc: FunctionCompiler,
  fn: Division,
  a: Value,
  b: Value,
  bits: LaneBits,
  part: number,
): boolean {
  const { code } = fc;
  const sign = fn === 'sdiv' || fn === 'srem' ? 's' : 'u';
  const known = constantForAll(fc, b);
  const divisor = known === undefined ? 0n : BigInt[sign === 's' ? 'asIntN' : 'asUintN'](bits, BigInt(known));
  if (isGoodDivisor(divisor)) {
    emitByConstant(fc, fn, sign, a, divisor, bits, part);
    return true;
  }
  if (bits !== 32) return false;
  fc.withLocal(a, part, (dividend) =>
    fc.withLocal(b, part, (divisor) => {
      for (const isUpper of [false, true]) {
        const pushDoubles = (local: number): void => {
          code.get(local);
          if (isUpper) {
            code.get(local);
            code.shuffle(upperHalf);
          }
          code.op(`f64x2.convert_low_i32x4_${sign}`);
        };
        if (fn === 'sdiv' || fn === 'udiv') {
          pushDoubles(dividend);
          pushDoubles(divisor);
          code.op('f64x2.div');
        } else {
          pushDoubles(dividend);
          const x = code.toTemporary('v128');
          pushDoubles(divisor);
          const y = code.toTemporary('v128');
          code.get(x);
          code.get(x);
          code.get(y);
          code.op('f64x2.div');
          code.op('f64x2.trunc');
          code.get(y);
          code.op('f64x2.mul');
          code.op('f64x2.sub');
          code.release(y);
          code.release(x);
        }
        code.op(`i32x4.trunc_sat_f64x2_${sign}_zero`);
      }
      code.shuffle(lowerHalves);
    }),
  );
  return true;
}

function emitByConstant(
  fc: FunctionCompiler,
  fn: Division,
  sign: 's' | 'u',
  a: Value,
  divisor: bigint,
  bits: LaneBits,
  part: number,
): void {
  const { code } = fc;
  fc.withLocal(a, part, (dividend) => {
    if (fn === 'sdiv' || fn === 'udiv') {
      emitQuotient(code, sign, dividend, divisor, bits);
      return;
    }
    code.get(dividend);
    emitQuotient(code, sign, dividend, divisor, bits);
    code.v128(bytesOfAll(divisor, bits));
    if (bits === 8) {
      const factor = code.toTemporary('v128');
      const quotient = code.toTemporary('v128');
      multiplyBytes(code, quotient, factor);
      code.release(quotient);
      code.release(factor);
    } else code.op(bits === 16 ? 'i16x8.mul' : 'i32x4.mul');
    code.op(bits === 8 ? 'i8x16.sub' : bits === 16 ? 'i16x8.sub' : 'i32x4.sub');
  });
}
