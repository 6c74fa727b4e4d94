/**
 * Shifts and rotations of vectors. WebAssembly shifts all lanes by one count. Where each lane of 32 bits has a count n of its own, it is
 * multiplied by 2^n:
 *
 *     x << n       the lower half of x * 2^n
 *     rotate       both halves of x * 2^n, joined
 *     x >> n       x * 2^(31 - n), shifted right by 31
 *
 * Machines that have instructions for it use these (lane-shifts-routine.ts).
 */
import type { Value } from '../../../ir/ir.ts';
import type { FunctionCompiler } from '../kernel/function-compiler.ts';
import { elementBits, type IntShape } from '../kernel/value-layout.ts';
import type { CodeWriter } from '../module/code-writer.ts';
import { type LaneShift, laneShiftName } from './lane-shifts-routine.ts';
import { extractLane, scalarOf } from './vector-lanes.ts';
import { constantForAll } from './vector-products.ts';

export type Shift = 'shl' | 'sshr' | 'ushr';

const names = { shl: 'shl', sshr: 'shr_s', ushr: 'shr_u' } as const;

/** The shift instructions take one count for all lanes, modulo their width as the IR has it. */
export function emitShift(
  fc: FunctionCompiler,
  fn: Shift,
  shape: IntShape,
  a: Value,
  count: Value,
  part: number,
): boolean {
  const name = `${shape}.${names[fn]}` as const;
  const definition = fc.definition(count);
  const known = constantCount(fc, count);
  if (known !== undefined) {
    fc.push(a, part);
    fc.code.i32(known);
    fc.code.op(name);
    return true;
  }
  if (definition?.op !== 'splat') return emitShiftByLanes(fc, fn, a, count, part);
  fc.push(a, part);
  // The count itself may be gone by now; any lane of the vector has it.
  fc.push(count, part);
  extractLane(fc, scalarOf(count.type), 0, 0);
  if (elementBits(count.type) === 64) fc.code.op('i32.wrap_i64');
  fc.code.op(name);
  return true;
}

/** The count that is the same for all lanes and known, if it is. */
function constantCount(fc: FunctionCompiler, count: Value): number | undefined {
  const known = constantForAll(fc, count);
  return known === undefined ? undefined : Number(BigInt.asIntN(32, BigInt(known)));
}

/** Left by the count, and right by what is left of the width. */
export function emitRotation(
  fc: FunctionCompiler,
  shape: IntShape,
  a: Value,
  count: Value,
  part: number,
): boolean {
  const known = constantCount(fc, count);
  if (known === undefined) return emitShiftByLanes(fc, 'rotl', a, count, part);
  const bits = elementBits(a.type);
  const { code } = fc;
  fc.withLocal(a, part, (x) => {
    code.get(x);
    code.i32(known & (bits - 1));
    code.op(`${shape}.shl`);
    code.get(x);
    code.i32(-known & (bits - 1));
    code.op(`${shape}.shr_u`);
    code.op('v128.or');
  });
  return true;
}

// -------------------------------------------------------------------------------------- a count for each lane

/** @returns false, having written nothing, for lanes whose shifts are neither instructions nor products */
function emitShiftByLanes(
  fc: FunctionCompiler,
  fn: LaneShift,
  a: Value,
  count: Value,
  part: number,
): boolean {
  const { code, module } = fc;
  const bits = elementBits(a.type);
  if (bits === 16 || bits === 32 || bits === 64) {
    const routine = laneShiftName(fn, bits);
    if (module.options.ownRoutines?.has(routine)) {
      fc.push(a, part);
      fc.push(count, part);
      code.call(module.runtimeFunction(routine));
      return true;
    }
  }
  if (bits !== 32) return false;
  fc.withLocal(a, part, (x) =>
    fc.withLocal(count, part, (n) => {
      switch (fn) {
        case 'shl':
          code.get(x);
          pushPower(code, n, false);
          code.op('i32x4.mul');
          return;
        case 'ushr':
          pushRight(code, x, n);
          return;
        case 'sshr': {
          // Of a negative number the opposite is shifted, bit by bit.
          code.get(x);
          code.i32(31);
          code.op('i32x4.shr_s');
          const sign = code.toTemporary('v128');
          code.get(x);
          code.get(sign);
          code.op('v128.xor');
          const positive = code.toTemporary('v128');
          pushRight(code, positive, n);
          code.release(positive);
          code.get(sign);
          code.op('v128.xor');
          code.release(sign);
          return;
        }
        case 'rotl': {
          pushPower(code, n, false);
          const [low, high] = products(code, x, code.toTemporary('v128'));
          code.get(low);
          code.get(high);
          code.shuffle(lowerHalves);
          code.get(low);
          code.get(high);
          code.shuffle(upperHalves);
          code.op('v128.or');
          code.release(high);
          code.release(low);
        }
      }
    }),
  );
  return true;
}

/** The lower and upper 32 bits of four products of 64. */
const lowerHalves = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27];
const upperHalves = lowerHalves.map((byte) => byte + 4);

function pushRight(code: CodeWriter, x: number, count: number): void {
  pushPower(code, count, true);
  const halves = products(code, x, code.toTemporary('v128'));
  for (const half of halves) {
    code.get(half);
    code.i32(31);
    code.op('i64x2.shr_u');
  }
  code.shuffle(lowerHalves);
  for (const half of halves) code.release(half);
}

/** The products of lanes 0 and 1, and of lanes 2 and 3; releases the factor. */
function products(code: CodeWriter, x: number, factor: number): [number, number] {
  const [low, high] = (['low', 'high'] as const).map((half) => {
    code.get(x);
    code.get(factor);
    code.op(`i64x2.extmul_${half}_i32x4_u`);
    return code.toTemporary('v128');
  }) as [number, number];
  code.release(factor);
  return [low, high];
}

/** Bytes of a power of two that is less than 2^8, and nothing for what is no such exponent. */
const powers = Uint8Array.from({ length: 16 }, (_, exponent) => (exponent < 8 ? 1 << exponent : 0));
/** The byte that a lane's exponent is in, four times. */
const ownExponent = [0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12];
/** Where the bits of each byte begin in its lane. */
const firstBits = Uint8Array.from({ length: 16 }, (_, byte) => (byte % 4) * 8);

/** Pushes 2^n, or 2^(31 - n) if it `isRest`, for each lane of a local, n modulo 32: byte by byte from a table. */
function pushPower(code: CodeWriter, count: number, isRest: boolean): void {
  code.v128(powers);
  code.v128(new Uint8Array(Int32Array.of(31, 31, 31, 31).buffer));
  code.get(count);
  code.op(isRest ? 'v128.andnot' : 'v128.and');
  const exponent = code.toTemporary('v128');
  code.get(exponent);
  code.get(exponent);
  code.shuffle(ownExponent);
  code.release(exponent);
  code.v128(firstBits);
  code.op('i8x16.sub');
  code.op('i8x16.swizzle');
}
