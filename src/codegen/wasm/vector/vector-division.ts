/**
 * Integer division of vectors, which WebAssembly does not have. A double holds every 32-bit integer, and the quotient of two, rounded to a double, never
 * reaches the next integer above the true one (that is at least 2^-33 of it away), so cutting it off gives the quotient of integers:
 *
 *     f64x2.convert_low_i32x4_s   f64x2.div   f64x2.trunc   f64x2.add 2^52 + 2^51      two lanes at a time
 *
 * The sum's lower word is the quotient modulo 2^32, with or without a sign: a double between 2^52 and 2^53 counts in ones. So both halves are put together
 * by one shuffle of words, where WebAssembly's own conversion looks for NaN and for what is too large. The remainder is what the product of quotient and
 * divisor leaves of the dividend, all modulo 2^32: that of the lowest integer and -1 is right, too. For divisors of zero any result will do, and nothing
 * traps. Constants are divided by with products (constant-division.ts).
 *
 * Where all lanes have the same divisor, there is one division, and a product for each two lanes:
 *
 *     f64.div (1 + 2^-50, divisor)   f64x2.splat        once
 *     f64x2.convert_low_i32x4_s   f64x2.mul   f64x2.trunc   f64x2.add 2^52 + 2^51
 *
 * Without the 2^-50 rounding could take a quotient that is an integer below it. The two roundings are off by at most 2^-53 of it each, so the product is never
 * below the true quotient, and above it by less than 2^-49 of it: that is less than 2^-17 of what one more in the dividend adds. So the next integer is not reached.
 */
import type * as ir from '../../../ir/ir.ts';
import type { Value } from '../../../ir/ir.ts';
import type { FunctionCompiler } from '../kernel/function-compiler.ts';
import type { CodeWriter } from '../module/code-writer.ts';
import { bytesOfAll, emitQuotient, isGoodDivisor, type LaneBits } from './constant-division.ts';
import { constantForAll, multiplyBytes } from './vector-products.ts';
import { inOnes, lowerWords, wholeDoublesName } from './whole-doubles-routine.ts';

export type Division = 'sdiv' | 'udiv' | 'srem' | 'urem';

export function isDivision(fn: ir.BinaryFunction): fn is Division {
  return fn === 'sdiv' || fn === 'udiv' || fn === 'srem' || fn === 'urem';
}

/** Lanes 2 and 3 in the places of 0 and 1. */
const upperHalf = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15];
/** Two doubles, by their bytes. */
const bothInOnes = new Uint8Array(Float64Array.of(inOnes, inOnes).buffer);

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
  const isRemainder = fn === 'srem' || fn === 'urem';
  if (fc.definition(b)?.op === 'splat') {
    emitByUniform(fc, isRemainder, sign, a, b, part);
    return true;
  }
  fc.withLocal(a, part, (dividend) =>
    fc.withLocal(b, part, (divisor) => {
      if (isRemainder) code.get(dividend);
      pushCutOff(fc, sign, (isUpper) => {
        for (const local of [dividend, divisor]) pushDoubles(code, sign, local, isUpper);
        code.op('f64x2.div');
      });
      if (isRemainder) subtractProduct(code, divisor);
    }),
  );
  return true;
}

/** Pushes two lanes of a local as doubles. */
function pushDoubles(code: CodeWriter, sign: 's' | 'u', local: number, isUpper: boolean): void {
  code.get(local);
  if (isUpper) {
    code.get(local);
    code.shuffle(upperHalf);
  }
  code.op(`f64x2.convert_low_i32x4_${sign}`);
}

/**
 * Pushes the integers of four doubles, cut off.
 * @param pushHalf pushes two of the doubles
 */
function pushCutOff(
  { code, module }: FunctionCompiler,
  sign: 's' | 'u',
  pushHalf: (isUpper: boolean) => void,
): void {
  const routine = wholeDoublesName(sign);
  const isOwn = module.options.ownRoutines?.has(routine) ?? false;
  for (const isUpper of [false, true]) {
    pushHalf(isUpper);
    if (isOwn) continue;
    code.op('f64x2.trunc');
    code.v128(bothInOnes);
    code.op('f64x2.add');
  }
  if (isOwn) code.call(module.runtimeFunction(routine));
  else code.shuffle(lowerWords);
}

/** Makes remainders of dividends and quotients. */
function subtractProduct(code: CodeWriter, divisor: number): void {
  code.get(divisor);
  code.op('i32x4.mul');
  code.op('i32x4.sub');
}

function emitByUniform(
  fc: FunctionCompiler,
  isRemainder: boolean,
  sign: 's' | 'u',
  a: Value,
  b: Value,
  part: number,
): void {
  const { code } = fc;
  fc.withLocal(a, part, (dividend) =>
    fc.withLocal(b, part, (divisor) => {
      code.f64(1 + 2 ** -50);
      code.get(divisor);
      code.lane('i32x4.extract_lane', 0);
      code.op(`f64.convert_i32_${sign}`);
      code.op('f64.div');
      code.op('f64x2.splat');
      const reciprocal = code.toTemporary('v128');
      if (isRemainder) code.get(dividend);
      pushCutOff(fc, sign, (isUpper) => {
        pushDoubles(code, sign, dividend, isUpper);
        code.get(reciprocal);
        code.op('f64x2.mul');
      });
      code.release(reciprocal);
      if (isRemainder) subtractProduct(code, divisor);
    }),
  );
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
      emitQuotient(fc, sign, dividend, divisor, bits);
      return;
    }
    code.get(dividend);
    emitQuotient(fc, sign, dividend, divisor, bits);
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
