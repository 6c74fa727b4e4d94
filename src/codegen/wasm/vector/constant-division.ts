/**
 * Division of vectors of integers of 8, 16 and 32 bits by a constant: the upper half of the product with a number that stands for its
 * reciprocal, shifted (Granlund and Montgomery, "Division by Invariant Integers using Multiplication", 1994). A power of two takes
 * shifts alone.
 */
import type { FunctionCompiler } from '../kernel/function-compiler.ts';
import type { CodeWriter } from '../module/code-writer.ts';
import type { OpName } from '../module/opcodes.ts';
import { upperProductName } from './upper-product-routine.ts';

/** A reciprocal: the quotient of n is the upper half of n * multiplier, shifted right; of one bit more than the lanes where the top one is not in `multiplier`. */
interface Reciprocal {
  readonly multiplier: bigint;
  readonly shift: number;
  readonly hasOneBitMore: boolean;
}

/** The widths of lanes, and what products of their halves are called. */
export type LaneBits = 8 | 16 | 32;

const products = {
  8: { shape: 'i8x16', wide: 'i16x8' },
  16: { shape: 'i16x8', wide: 'i32x4' },
  32: { shape: 'i32x4', wide: 'i64x2' },
} as const;

/** The least number whose power of two is no less. */
function ceilingOfLogarithm(divisor: bigint): number {
  return (divisor - 1n).toString(2).length - (divisor === 1n ? 1 : 0);
}

function unsignedReciprocal(divisor: bigint, bits: bigint): Reciprocal {
  const most = ceilingOfLogarithm(divisor);
  for (let shift = 0; shift <= most; shift += 1) {
    const power = 1n << (bits + BigInt(shift));
    const multiplier = (power + divisor - 1n) / divisor;
    if (multiplier >> bits === 0n && multiplier * divisor - power <= 1n << BigInt(shift))
      return { multiplier, shift, hasOneBitMore: false };
  }
  const multiplier = ((1n << bits) * ((1n << BigInt(most)) - divisor)) / divisor + 1n;
  return { multiplier, shift: most, hasOneBitMore: true };
}

/** Whether a divisor is one that shifts and products do it for: not 0, which has no quotient, and not -1, whose quotient may not fit. */
export function isGoodDivisor(divisor: bigint): boolean {
  return divisor > 1n || divisor < -1n;
}

/**
 * Pushes the quotients of a local's lanes.
 * @param divisor of the lanes' width: without sign for `u`
 */
export function emitQuotient(
  fc: FunctionCompiler,
  sign: 's' | 'u',
  dividend: number,
  divisor: bigint,
  bits: LaneBits,
): void {
  const size = divisor < 0n ? -divisor : divisor;
  const isPower = (size & (size - 1n)) === 0n;
  const exponent = size.toString(2).length - 1;
  const { code } = fc;
  if (sign === 'u') {
    if (isPower) {
      code.get(dividend);
      shift(code, 'u', exponent, bits);
    } else emitUnsigned(fc, dividend, unsignedReciprocal(size, BigInt(bits)), bits);
    return;
  }
  if (isPower) emitSignedPower(code, dividend, exponent, bits);
  else emitSigned(fc, dividend, size, bits);
  if (divisor < 0n) code.op(`${products[bits].shape}.neg`);
}

function emitUnsigned(fc: FunctionCompiler, dividend: number, reciprocal: Reciprocal, bits: LaneBits): void {
  const { multiplier, shift: count, hasOneBitMore } = reciprocal;
  const { code } = fc;
  const { shape } = products[bits];
  pushUpperProduct(fc, 'u', dividend, multiplier, bits);
  if (!hasOneBitMore) {
    shift(code, 'u', count, bits);
    return;
  }
  // The sum of dividend and product, which may have a bit more, halved.
  const product = code.toTemporary('v128');
  code.get(dividend);
  code.get(product);
  code.op(`${shape}.sub`);
  shift(code, 'u', 1, bits);
  code.get(product);
  code.op(`${shape}.add`);
  shift(code, 'u', count - 1, bits);
  code.release(product);
}

/** Towards zero: one more for a negative dividend. */
function emitSigned(fc: FunctionCompiler, dividend: number, size: bigint, bits: LaneBits): void {
  const { code } = fc;
  const { shape } = products[bits];
  const width = BigInt(bits);
  const count = ceilingOfLogarithm(size) - 1;
  const multiplier = (1n << (width + BigInt(count))) / size + 1n - (1n << width);
  pushUpperProduct(fc, 's', dividend, multiplier, bits);
  code.get(dividend);
  code.op(`${shape}.add`);
  shift(code, 's', count, bits);
  code.get(dividend);
  shift(code, 's', bits - 1, bits);
  code.op(`${shape}.sub`);
}

/** Towards zero: a negative dividend is shifted with all ones below. */
function emitSignedPower(code: CodeWriter, dividend: number, exponent: number, bits: LaneBits): void {
  code.get(dividend);
  shift(code, 's', bits - 1, bits);
  shift(code, 'u', bits - exponent, bits);
  code.get(dividend);
  code.op(`${products[bits].shape}.add`);
  shift(code, 's', exponent, bits);
}

function shift(code: CodeWriter, sign: 's' | 'u', count: number, bits: LaneBits): void {
  if (count === 0) return;
  code.i32(count);
  code.op(`${products[bits].shape}.shr_${sign}`);
}

/** The bytes of a vector whose lanes are all the same. */
export function bytesOfAll(value: bigint, bits: LaneBits | 64): Uint8Array {
  return Uint8Array.from({ length: 16 }, (_, at) => Number((value >> BigInt((8 * at) % bits)) & 255n));
}

function pushUpperProduct(
  { code, module }: FunctionCompiler,
  sign: 's' | 'u',
  local: number,
  factor: bigint,
  bits: LaneBits,
): void {
  const { shape, wide } = products[bits];
  const factors = bytesOfAll(factor, bits);
  const routine = upperProductName(sign);
  if (bits === 16 && module.options.ownRoutines?.has(routine)) {
    code.get(local);
    code.v128(factors);
    code.call(module.runtimeFunction(routine));
    return;
  }
  for (const half of ['low', 'high'] as const) {
    code.get(local);
    code.v128(factors);
    code.op(`${wide}.extmul_${half}_${shape}_${sign}` as OpName);
  }
  // The upper half of each product.
  const bytes = bits / 8;
  code.shuffle(Array.from({ length: 16 }, (_, at) => 2 * (at - (at % bytes)) + bytes + (at % bytes)));
}
