/**
 * Stores of vector regions: those of lanes side by side under a mask, and scatters. WebAssembly has no masked memory, and a
 * branch for each lane is mispredicted half the time where masks are irregular. So
 *
 * - all lanes of the mask are asked for at once: if all take part, the vector is stored whole; if none does, nothing is;
 * - else each lane is stored without a branch: those that take no part go to sixteen bytes of the thread's own area, which nobody reads.
 *
 * What lies at the other lanes' places is never written, not even as it was: another thread may write there at the same time. Only
 * private memory is written whole.
 */
import type * as ir from '../../../ir/ir.ts';
import type { Value } from '../../../ir/ir.ts';
import type { VectorType } from '../../../ir/types.ts';
import type { FunctionCompiler } from '../kernel/function-compiler.ts';
import { intShape } from '../kernel/value-layout.ts';
import { pushMask } from '../vector/vector-conversions.ts';
import { loadPart, storePart } from './memory-access.ts';
import { laneAccess, laneAddresses, lanesOfPart } from './vector-memory.ts';

/** Whether an instruction needs the bytes for lanes that take no part. */
export function needsScratch(instruction: ir.Instruction): boolean {
  if (instruction.op === 'masked_store') return !isPrivate(instruction.operands[0]!);
  return instruction.op === 'scatter' && instruction.operands.length > 3;
}

function isPrivate(pointer: Value): boolean {
  return pointer.type.kind === 'pointer' && pointer.type.space === 'private';
}

export function emitScatter(fc: FunctionCompiler, scatter: ir.Scatter): void {
  const [pointer, offsets, value, mask] = scatter.operands as [Value, Value, Value, Value | undefined];
  const { code } = fc;
  const type = value.type as VectorType;
  fc.settle(value);
  fc.settle(offsets);
  if (mask) fc.settle(mask);
  fc.settleAddress(pointer);
  fc.flushLoads();
  const addresses = laneAddresses(fc, pointer, offsets, mask === undefined);
  const elsewhere = mask && pushScratch(fc);
  for (let part = 0; part < fc.info(value).parts; part++) {
    const { first, count, bytes } = lanesOfPart(type, part);
    const align = Math.min(scatter.align, bytes);
    const bits = mask && laneBits(fc, mask, bytes * 8, value, part);
    for (let lane = 0; lane < count; lane++) {
      let offset = addresses.push(first + lane);
      if (bits !== undefined && elsewhere !== undefined) {
        if (offset !== 0) {
          code.i32(offset);
          code.op('i32.add');
          offset = 0;
        }
        chooseAddress(fc, elsewhere, bits, lane);
      }
      fc.push(value, part);
      code.memoryLane(laneAccess('store', bytes), offset, align, lane);
    }
    if (bits !== undefined) code.release(bits);
  }
  if (elsewhere !== undefined) code.release(elsewhere);
  addresses.release();
}

/** A local with the address of the bytes that nobody reads. */
function pushScratch(fc: FunctionCompiler): number {
  const { scratch } = fc.frame;
  if (scratch === undefined) throw new Error(`codegen: ${fc.fn.name} has no scratch for masked stores`);
  fc.pushEnvironment('area');
  fc.code.i32(scratch);
  fc.code.op('i32.add');
  return fc.code.toTemporary('i32');
}

/** Keeps the address on the stack for a lane that takes part, and pushes the other one for one that does not. */
function chooseAddress(fc: FunctionCompiler, elsewhere: number, bits: number, lane: number): void {
  const { code } = fc;
  code.get(elsewhere);
  code.get(bits);
  code.i32(1 << lane);
  code.op('i32.and');
  code.op('select');
}

/** Where bits stand that nobody asks for: a part has no more lanes. */
const mostLanes = 16;

/**
 * A local with a bit for each lane of a part of the mask, and others further up that are not asked for. These come from
 * the value that is to be stored: where a value is used only behind branches V8 computes it behind each of them anew, and all that it
 * is computed from, if it is not used before them too.
 */
function laneBits(fc: FunctionCompiler, mask: Value, bits: number, value: Value, part: number): number {
  const { code } = fc;
  pushMask(fc, mask, bits, part);
  code.op(`${intShape(bits)}.bitmask`);
  fc.push(value, part);
  code.op('i8x16.bitmask');
  code.i32(mostLanes);
  code.op('i32.shl');
  code.op('i32.or');
  return code.toTemporary('i32');
}

export function emitMaskedStore(fc: FunctionCompiler, store: ir.MaskedStore): void {
  const [pointer, value, mask] = store.operands as [Value, Value, Value];
  const { code } = fc;
  const type = value.type as VectorType;
  fc.settle(value);
  fc.settle(mask);
  fc.settleAddress(pointer);
  fc.flushLoads();
  const { parts } = fc.info(value);
  const { count, bytes } = lanesOfPart(type, 0);
  const storeWhole = (part: number, pushPart: () => void): void =>
    storePart(fc, type, part, store.align, () => fc.pushAddress(pointer), pushPart);
  if (isPrivate(pointer)) {
    for (let part = 0; part < parts; part++) {
      // Nobody else sees it: what was there may be written again.
      storeWhole(part, () => {
        fc.push(value, part);
        loadPart(fc, type, part, store.align, () => fc.pushAddress(pointer));
        pushMask(fc, mask, bytes * 8, part);
        code.op('v128.bitselect');
      });
    }
    return;
  }
  const full = (1 << count) - 1;
  const bits = Array.from({ length: parts }, (_, part) => laneBits(fc, mask, bytes * 8, value, part));
  const pushCombined = (name: 'i32.and' | 'i32.or'): void => {
    for (const [part, local] of bits.entries()) {
      code.get(local);
      if (part > 0) code.op(name);
    }
    code.i32(full);
    code.op('i32.and');
  };
  pushCombined('i32.and');
  code.i32(full);
  code.op('i32.eq');
  code.open('if');
  for (let part = 0; part < parts; part++) storeWhole(part, () => fc.push(value, part));
  code.else();
  pushCombined('i32.or');
  code.open('if');
  storeLanes(fc, store, bits);
  code.end();
  code.end();
  for (const local of bits) code.release(local);
}

/** Stores the lanes one by one, the others elsewhere. */
function storeLanes(fc: FunctionCompiler, store: ir.MaskedStore, bits: readonly number[]): void {
  const [pointer, value] = store.operands as [Value, Value, Value];
  const { code } = fc;
  const elsewhere = pushScratch(fc);
  for (const [part, local] of bits.entries()) {
    const { count, bytes } = lanesOfPart(value.type as VectorType, part);
    const offset = fc.pushAddress(pointer) + part * 16;
    if (offset !== 0) {
      code.i32(offset);
      code.op('i32.add');
    }
    const start = code.toTemporary('i32');
    for (let lane = 0; lane < count; lane++) {
      code.get(start);
      chooseAddress(fc, elsewhere, local, lane);
      fc.push(value, part);
      // The bytes elsewhere are as many as those of a part.
      code.memoryLane(laneAccess('store', bytes), lane * bytes, Math.min(store.align, bytes), lane);
    }
    code.release(start);
  }
  code.release(elsewhere);
}
