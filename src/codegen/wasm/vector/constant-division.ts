/**
 * Division of vectors of 32-bit integers by a constant: the upper half of the product with a number that stands for its
 * reciprocal, shifted (Granlund and Montgomery, "Division by Invariant Integers using Multiplication", 1994). A power of two takes
 * shifts alone.
 */
import type { CodeWriter } from '../module/code-writer.ts';

/** A reciprocal: the quotient of n is the upper half of n * multiplier, shifted right; of 33 bits where the top one is not in `multiplier`. */
interface Reciprocal {
  readonly multiplier: bigint;
  readonly shift: number;
  readonly has33Bits: boolean;
}

const bits = 32n;

/** The least number whose power of two is no less. */
function ceilingOfLogarithm(divisor: bigint): number {
  return (divisor - 1n).toString(2).length - (divisor === 1n ? 1 : 0);
}

function unsignedReciprocal(divisor: bigint): Reciprocal {
  const most = ceilingOfLogarithm(divisor);
  for (let shift = 0; shift <= most; shift += 1) {
    const power = 1n << (bits + BigInt(shift));
    const multiplier = (power + divisor - 1n) / divisor;
    if (multiplier >> bits === 0n && multiplier * divisor - power <= 1n << BigInt(shift))
      return { multiplier, shift, has33Bits: false };
  }
  const multiplier = ((1n << bits) * ((1n << BigInt(most)) - divisor)) / divisor + 1n;
  return { multiplier, shift: most, has33Bits: true };
}

/** Whether a divisor is one that shifts and products do it for: not 0, which has no quotient, and not -1, whose quotient may not fit. */
export function isGoodDivisor(divisor: bigint): boolean {
  return divisor > 1n || divisor < -1n;
}

/**
 * Pushes the quotients of a local's lanes.
 * @param divisor without sign for `u`, else between -2^31 and 2^31
 */
export function emitQuotient(code: CodeWriter, sign: 's' | 'u', dividend: number, divisor: bigint): void {
  const size = divisor < 0n ? -divisor : divisor;
  const isPower = (size & (size - 1n)) === 0n;
  const exponent = size.toString(2).length - 1;
  if (sign === 'u') {
    if (isPower) {
      code.get(dividend);
      shift(code, 'u', exponent);
    } else emitUnsigned(code, dividend, unsignedReciprocal(size));
    return;
  }
  if (isPower) emitSignedPower(code, dividend, exponent);
  else emitSigned(code, dividend, size);
  if (divisor < 0n) code.op('i32x4.neg');
}

function emitUnsigned(code: CodeWriter, dividend: number, reciprocal: Reciprocal): void {
  const { multiplier, shift: count, has33Bits } = reciprocal;
  pushUpperProduct(code, 'u', dividend, multiplier);
  if (!has33Bits) {
    shift(code, 'u', count);
    return;
  }
  // The sum of dividend and product, which may have 33 bits, halved.
  const product = code.toTemporary('v128');
  code.get(dividend);
  code.get(product);
  code.op('i32x4.sub');
  shift(code, 'u', 1);
  code.get(product);
  code.op('i32x4.add');
  shift(code, 'u', count - 1);
  code.release(product);
}

/** Towards zero: one more for a negative dividend. */
function emitSigned(code: CodeWriter, dividend: number, size: bigint): void {
  const count = ceilingOfLogarithm(size) - 1;
  const multiplier = (1n << (bits + BigInt(count))) / size + 1n - (1n << bits);
  pushUpperProduct(code, 's', dividend, multiplier);
  code.get(dividend);
  code.op('i32x4.add');
  shift(code, 's', count);
  code.get(dividend);
  shift(code, 's', 31);
  code.op('i32x4.sub');
}

/** Towards zero: a negative dividend is shifted with all ones below. */
function emitSignedPower(code: CodeWriter, dividend: number, exponent: number): void {
  code.get(dividend);
  shift(code, 's', 31);
  shift(code, 'u', 32 - exponent);
  code.get(dividend);
  code.op('i32x4.add');
  shift(code, 's', exponent);
}

function shift(code: CodeWriter, sign: 's' | 'u', count: number): void {
  if (count === 0) return;
  code.i32(count);
  code.op(`i32x4.shr_${sign}`);
}

function pushUpperProduct(code: CodeWriter, sign: 's' | 'u', local: number, factor: bigint): void {
  const lane = Number(BigInt.asIntN(32, factor));
  const factors = new Uint8Array(Int32Array.of(lane, lane, lane, lane).buffer);
  for (const half of ['low', 'high'] as const) {
    code.get(local);
    code.v128(factors);
    code.op(`i64x2.extmul_${half}_i32x4_${sign}`);
  }
  code.shuffle([4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31]);
}
