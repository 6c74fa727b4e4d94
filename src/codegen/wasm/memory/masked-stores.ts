/**
 * Stores of vector regions: those of lanes side by side under a mask, and scatters. WebAssembly has no masked memory, and a
 * branch for each lane is mispredicted half the time where masks are irregular. So
 *
 * - all lanes of the mask are asked for at once: if all take part, the vector is stored whole; if none does, nothing is;
 * - else each register of it is asked for: guards at the ends of rows leave most of them full, and trees of sums most of them empty;
 * - of the others each lane is stored without a branch: lanes that take no part go to sixteen bytes of the thread's own area, which
 *   nobody reads.
 *
 * A machine that has an instruction for it (codegen/x64 with AVX-512) stores each register with its mask in place of the last two. It is slow where no lane
 * takes part, so all lanes are asked for first there, too.
 *
 * What lies at the other lanes' places is never written, not even as it was: another thread may write there at the same time. Only
 * private memory is written whole.
 */
import type * as ir from '../../../ir/ir.ts';
import type { Value } from '../../../ir/ir.ts';
import type { VectorType } from '../../../ir/types.ts';
import type { FunctionCompiler } from '../kernel/function-compiler.ts';
import { intShape } from '../kernel/value-layout.ts';
import type { CodeWriter } from '../module/code-writer.ts';
import { pushMask } from '../vector/vector-conversions.ts';
import { maskedStoreName } from './masked-store-routine.ts';
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
    const bits = mask && laneBits(fc, mask, bytes * 8, part);
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

/** Where the bits are that nobody asks for: a part has no more lanes. */
const mostLanes = 16;

/** A local with a bit for each lane of a part of the mask. */
function laneBits(fc: FunctionCompiler, mask: Value, bits: number, part: number): number {
  pushMask(fc, mask, bits, part);
  fc.code.op(`${intShape(bits)}.bitmask`);
  return fc.code.toTemporary('i32');
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
  const pushMasks = (name: 'v128.and' | 'v128.or'): void => {
    for (let part = 0; part < parts; part++) {
      pushMask(fc, mask, bytes * 8, part);
      if (part > 0) code.op(name);
    }
  };
  pushMasks('v128.and');
  code.op(`${intShape(bytes * 8)}.bitmask`);
  pushUnreadBits(fc, value);
  code.op('i32.or');
  openIfFull(code, full);
  for (let part = 0; part < parts; part++) storeWhole(part, () => fc.push(value, part));
  code.else();
  pushMasks('v128.or');
  code.op(`${intShape(bytes * 8)}.bitmask`);
  code.i32(full);
  code.op('i32.and');
  code.open('if');
  const routine = maskedStoreName(bytes * 8);
  if (fc.module.options.ownRoutines?.has(routine)) storeByInstruction(fc, store, routine);
  else storeRegisters(fc, store, storeWhole);
  code.end();
  code.end();
}

/** Pushes where a register of what is at the pointer lies. */
function pushPartAddress(fc: FunctionCompiler, pointer: Value, part: number): void {
  const offset = fc.pushAddress(pointer) + part * 16;
  if (offset === 0) return;
  fc.code.i32(offset);
  fc.code.op('i32.add');
}

/** Stores each register with its mask, by a machine that has an instruction for it. */
function storeByInstruction(fc: FunctionCompiler, store: ir.MaskedStore, routine: string): void {
  const [pointer, value, mask] = store.operands as [Value, Value, Value];
  const { code } = fc;
  for (let part = 0; part < fc.info(value).parts; part++) {
    const { count, bytes } = lanesOfPart(value.type as VectorType, part);
    pushPartAddress(fc, pointer, part);
    fc.push(value, part);
    pushMask(fc, mask, bytes * 8, part);
    if (count * bytes < 16) {
      // A short vector's register has more lanes, of which nobody knows what the mask says.
      code.v128(new Uint8Array(16).fill(0xff, 0, count * bytes));
      code.op('v128.and');
    }
    code.call(fc.module.runtimeFunction(routine));
  }
}

/** Opens what is for bits on the stack that are all set, among those of `full`. */
function openIfFull(code: CodeWriter, full: number): void {
  code.i32(full);
  code.op('i32.and');
  code.i32(full);
  code.op('i32.eq');
  code.open('if');
}

/** Stores register by register where some lanes take part and others do not: whole ones, those of which a part does, or nothing. */
function storeRegisters(
  fc: FunctionCompiler,
  store: ir.MaskedStore,
  storeWhole: (part: number, pushPart: () => void) => void,
): void {
  const [, value, mask] = store.operands as [Value, Value, Value];
  const { code } = fc;
  const { parts } = fc.info(value);
  const { count, bytes } = lanesOfPart(value.type as VectorType, 0);
  const full = (1 << count) - 1;
  const elsewhere = pushScratch(fc);
  for (let part = 0; part < parts; part++) {
    const bits = laneBits(fc, mask, bytes * 8, part);
    if (parts > 1) {
      code.get(bits);
      openIfFull(code, full);
      storeWhole(part, () => fc.push(value, part));
      code.else();
      code.get(bits);
      code.i32(full);
      code.op('i32.and');
      code.open('if');
    }
    storeLanes(fc, store, part, bits, elsewhere);
    if (parts > 1) {
      code.end();
      code.end();
    }
    code.release(bits);
  }
  code.release(elsewhere);
}

/**
 * Pushes bits that come from all registers of the value, above those of any lane. Nobody asks for them: where a value is used only
 * behind branches V8 computes it behind each of them anew, and all that it is computed from, if it is not used before them too.
 */
function pushUnreadBits(fc: FunctionCompiler, value: Value): void {
  const { code } = fc;
  for (let part = 0; part < fc.info(value).parts; part++) {
    fc.push(value, part);
    if (part > 0) code.op('v128.xor');
  }
  code.op('i8x16.bitmask');
  code.i32(mostLanes);
  code.op('i32.shl');
}

/** Stores the lanes of one register that take part; the others go elsewhere. */
function storeLanes(
  fc: FunctionCompiler,
  store: ir.MaskedStore,
  part: number,
  bits: number,
  elsewhere: number,
): void {
  const [pointer, value] = store.operands as [Value, Value, Value];
  const { code } = fc;
  const { count, bytes } = lanesOfPart(value.type as VectorType, part);
  pushPartAddress(fc, pointer, part);
  const start = code.toTemporary('i32');
  for (let lane = 0; lane < count; lane++) {
    code.get(start);
    chooseAddress(fc, elsewhere, bits, lane);
    fc.push(value, part);
    // The bytes elsewhere are as many as those of a part.
    code.memoryLane(laneAccess('store', bytes), lane * bytes, Math.min(store.align, bytes), lane);
  }
  code.release(start);
}
