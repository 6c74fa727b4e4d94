/**
 * The accesses of vector regions but for stores (masked-stores.ts). WebAssembly has neither gather nor masked memory, so gathers go lane by
 * lane with the instructions that load one lane.
 *
 * **Loads for lanes that take no part.** At least one lane does (ir.ts). What lies next to it within a vector's
 * length can be read, because device memory begins and ends with some bytes that are nobody's (abi.ts); so a `masked_load` is a plain load. A gather reads address 0 in place of addresses that may be no addresses.
 */
import type * as ir from '../../../ir/ir.ts';
import type { Value } from '../../../ir/ir.ts';
import { i8, type VectorType, vectorType } from '../../../ir/types.ts';
import type { FunctionCompiler } from '../kernel/function-compiler.ts';
import { cellMaskBits, elementBits, intShape } from '../kernel/value-layout.ts';
import type { OpName } from '../module/opcodes.ts';
import { pushMask } from '../vector/vector-conversions.ts';
import { largestFolded } from './address-folding.ts';
import { emitContextAddress } from './context-arrays.ts';
import { loadPart, storePart } from './memory-access.ts';

/** Offsets this small may be added to address 0: no memory is smaller. */
const harmlessOffset = 4096;

/**
 * Pushes the address from which the lanes' own are counted, and gives the constant that memory instructions add. The sum of the address
 * and a lane's distance is computed, so the constant must be one that may be folded behind anything (address-folding.ts). Pushes
 * nothing for the null pointer.
 * @param most the largest constant to give; undefined for what may be folded
 */
function pushOrigin(
  fc: FunctionCompiler,
  pointer: Value,
  most = Number.POSITIVE_INFINITY,
): { offset: number; isPushed: boolean } {
  const { code } = fc;
  const isNull = isNullPointer(fc, pointer);
  const offset = isNull ? fc.address(pointer).offset : fc.pushAddress(pointer);
  if (offset <= Math.min(most, largestFolded(pointer, fc.plan.folding))) return { offset, isPushed: !isNull };
  code.i32(offset);
  if (!isNull) code.op('i32.add');
  return { offset: 0, isPushed: true };
}

/** What a scalar load of so many bytes into a fresh vector is. */
const firstLoads: Readonly<Record<number, OpName>> = {
  8: 'v128.load64_zero',
  4: 'v128.load32_zero',
  2: 'v128.load16_splat',
  1: 'v128.load8_splat',
};

export function laneAccess(kind: 'load' | 'store', bytes: number): OpName {
  return `v128.${kind}${(bytes * 8) as 8 | 16 | 32 | 64}_lane`;
}

export function emitMaskedLoad(fc: FunctionCompiler, load: ir.MaskedLoad, part: number): void {
  const type = load.results[0]!.type as VectorType;
  const pointer = load.operands[0]!;
  fc.settleAddress(pointer);
  loadPart(fc, type, part, load.align, () => fc.pushAddress(pointer));
}

/** The lanes of a part of a vector. */
export function lanesOfPart(type: VectorType, part: number): { first: number; count: number; bytes: number } {
  const bits = elementBits(type);
  const perPart = 128 / bits;
  const first = part * perPart;
  return { first, count: Math.min(perPart, type.lanes - first), bytes: bits / 8 };
}

/** Offsets that are known. */
function constantOffsets(fc: FunctionCompiler, offsets: Value): readonly number[] | undefined {
  const definition = fc.definition(offsets);
  if (definition?.op !== 'constant' || !Array.isArray(definition.value)) return undefined;
  return (definition.value as readonly ir.ScalarConstant[]).map(Number);
}

// ------------------------------------------------------------------------------------------------- gather

export function emitGather(fc: FunctionCompiler, gather: ir.Gather, part: number): void {
  const [pointer, offsets, mask] = gather.operands as [Value, Value, Value | undefined];
  const type = gather.results[0]!.type as VectorType;
  const { first, count, bytes } = lanesOfPart(type, part);
  const align = Math.min(gather.align, bytes);
  fc.settleAddress(pointer);
  const addresses = mask
    ? gatherAddresses(fc, gather, mask, part)
    : laneAddresses(fc, pointer, offsets, true);
  for (let lane = 0; lane < count; lane++) {
    if (lane === 0) {
      const offset = addresses.push(first);
      fc.code.memory(firstLoads[bytes]!, offset, align);
      continue;
    }
    const vector = fc.code.toTemporary('v128');
    const offset = addresses.push(first + lane);
    fc.code.get(vector);
    fc.code.memoryLane(laneAccess('load', bytes), offset, align, lane);
    fc.code.release(vector);
  }
  addresses.release();
}

/** Pushes the address of a lane, and gives the constant that the memory instruction adds. */
export interface LaneAddresses {
  push(lane: number): number;
  release(): void;
}

/** @param takesAll whether all lanes take part */
export function laneAddresses(
  fc: FunctionCompiler,
  pointer: Value,
  offsets: Value,
  takesAll: boolean,
): LaneAddresses {
  const { code } = fc;
  const known = constantOffsets(fc, offsets);
  if (known) return knownAddresses(fc, pointer, known, takesAll);
  fc.settle(offsets);
  const { offset, isPushed } = pushOrigin(fc, pointer);
  const base = isPushed ? code.toTemporary('i32') : undefined;
  return {
    push: (lane) => {
      fc.push(offsets, lane >> 2);
      code.lane('i32x4.extract_lane', lane & 3);
      if (base !== undefined) {
        code.get(base);
        code.op('i32.add');
      }
      return offset;
    },
    release: () => {
      if (base !== undefined) code.release(base);
    },
  };
}

/**
 * Lanes that are constants apart. If all of them take part, so does the lowest, and where its constant may be folded the base has
 * not wrapped for the others either. Else each one's constant must be small enough, or it is added by itself.
 */
function knownAddresses(
  fc: FunctionCompiler,
  pointer: Value,
  known: readonly number[],
  takesAll: boolean,
): LaneAddresses {
  const { code } = fc;
  const largest = largestFolded(pointer, fc.plan.folding);
  let start = fc.pushAddress(pointer);
  const lowest = Math.min(...known);
  if (start + lowest < 0 || start + (takesAll ? lowest : Math.max(...known)) > largest) {
    if (start + lowest !== 0) {
      code.i32(start + lowest);
      code.op('i32.add');
    }
    start = -lowest;
  }
  const base = code.toTemporary('i32');
  return {
    push: (lane) => {
      const offset = start + known[lane]!;
      code.get(base);
      if (takesAll || offset <= largest) return offset;
      code.i32(offset);
      code.op('i32.add');
      return 0;
    },
    release: () => code.release(base),
  };
}

function isNullPointer(fc: FunctionCompiler, pointer: Value): boolean {
  const definition = fc.definition(fc.address(pointer).base);
  return definition?.op === 'constant' && definition.value === 0;
}

/**
 * Addresses of the lanes of a part, 0 where the mask says no. Where parts become halves of registers they are computed for all parts before the first
 * is loaded, so that nothing is between them.
 */
function gatherAddresses(fc: FunctionCompiler, gather: ir.Gather, mask: Value, part: number): LaneAddresses {
  const [pointer, offsets] = gather.operands as [Value, Value];
  const type = gather.results[0]!.type as VectorType;
  const { first, count } = lanesOfPart(type, part);
  if (!fc.module.options.joinsParts) return maskedAddresses(fc, pointer, offsets, mask, first, count);
  let all = fc.gatherAddresses.get(gather);
  if (!all) {
    all = maskedAddresses(fc, pointer, offsets, mask, 0, type.lanes);
    fc.gatherAddresses.set(gather, all);
  }
  const { push, release } = all;
  return {
    push,
    release: () => {
      if (first + count < type.lanes) return;
      fc.gatherAddresses.delete(gather);
      release();
    },
  };
}

/** Addresses of the lanes from `first` on, 0 where the mask says no. */
function maskedAddresses(
  fc: FunctionCompiler,
  pointer: Value,
  offsets: Value,
  mask: Value,
  first: number,
  count: number,
): LaneAddresses {
  const { code } = fc;
  fc.settle(offsets);
  fc.settle(mask);
  const locals = new Map<number, number>();
  let offset = 0;
  for (let at = first >> 2; at <= (first + count - 1) >> 2; at++) {
    const origin = pushOrigin(fc, pointer, harmlessOffset);
    offset = origin.offset;
    if (origin.isPushed) code.op('i32x4.splat');
    fc.push(offsets, at);
    if (origin.isPushed) code.op('i32x4.add');
    pushMask(fc, mask, 32, at);
    code.op('v128.and');
    locals.set(at, code.toTemporary('v128'));
  }
  return {
    push: (lane) => {
      code.get(locals.get(lane >> 2)!);
      code.lane('i32x4.extract_lane', lane & 3);
      return offset;
    },
    release: () => {
      for (const local of locals.values()) code.release(local);
    },
  };
}

// --------------------------------------------------------------------------------------------------- masks

/** Pushes whether any or all lanes of a mask are true, or how many. */
export function emitTest(fc: FunctionCompiler, test: ir.Test): void {
  const { code } = fc;
  const mask = test.operands[0]!;
  const { maskBits, parts } = fc.info(mask);
  if (test.fn === 'count') {
    emitCount(fc, mask);
    return;
  }
  const { lanes } = mask.type as VectorType;
  const shape = intShape(maskBits);
  const isWhole = (lanes * maskBits) % 128 === 0;
  const joined = test.fn === 'any' ? 'v128.or' : 'v128.and';
  // Parts that become two halves of one register go the same way, as far as there are two ways.
  const ways = fc.module.options.joinsParts && parts % 2 === 0 ? 2 : 1;
  for (let way = 0; way < ways; way++) {
    for (let part = way; part < parts; part += ways) {
      fc.push(mask, part);
      if (part > way) code.op(joined);
    }
    if (way > 0) code.op(joined);
  }
  if (isWhole) {
    code.op(test.fn === 'any' ? 'v128.any_true' : `${shape}.all_true`);
    return;
  }
  const full = (1 << lanes) - 1;
  code.op(`${shape}.bitmask`);
  code.i32(full);
  code.op('i32.and');
  if (test.fn === 'all') {
    code.i32(full);
    code.op('i32.eq');
  } else {
    code.i32(0);
    code.op('i32.ne');
  }
}

function emitCount(fc: FunctionCompiler, mask: Value): void {
  const { code } = fc;
  const { maskBits, parts } = fc.info(mask);
  const { lanes } = mask.type as VectorType;
  for (let part = 0; part < parts; part++) {
    fc.push(mask, part);
    code.op(`${intShape(maskBits)}.bitmask`);
    if (lanes * maskBits < 128) {
      code.i32((1 << lanes) - 1);
      code.op('i32.and');
    }
    code.op('i32.popcnt');
    if (part > 0) code.op('i32.add');
  }
}

// ---------------------------------------------------------------------------------------------- context arrays

/** The cells of a vector, one after another; truth values are a byte each there. */
export function emitCellsRead(fc: FunctionCompiler, read: ir.ContextRead, part: number): void {
  const type = read.results[0]!.type as VectorType;
  const address = (): number => {
    emitContextAddress(fc, read.contextArray, read.row);
    return 0;
  };
  if (type.element.kind !== 'bool') {
    loadPart(fc, type, part, elementBits(type) / 8, address);
    return;
  }
  loadPart(fc, vectorType(i8, type.lanes), part, 1, address);
  fc.code.v128(new Uint8Array(16));
  fc.code.op('i8x16.ne');
}

export function emitCellsWrite(fc: FunctionCompiler, write: ir.ContextWrite): void {
  const value = write.operands[0]!;
  const type = value.type as VectorType;
  const isMask = type.element.kind === 'bool';
  const cells: VectorType = isMask ? vectorType(i8, type.lanes) : type;
  fc.settle(value);
  fc.flushLoads();
  const parts = Math.ceil((type.lanes * elementBits(cells)) / 128);
  for (let part = 0; part < parts; part++) {
    storePart(
      fc,
      cells,
      part,
      elementBits(cells) / 8,
      () => {
        emitContextAddress(fc, write.contextArray, write.row);
        return 0;
      },
      () => {
        if (!isMask) {
          fc.push(value, part);
          return;
        }
        pushMask(fc, value, cellMaskBits, part);
        fc.code.v128(new Uint8Array(16).fill(1));
        fc.code.op('v128.and');
      },
    );
  }
}

/** The addresses of the vector's copies of a variable. */
export function emitCellAddresses(fc: FunctionCompiler, address: ir.ItemAddress, part: number): void {
  const variable = fc.definition(address.operands[0]!)!;
  const stride = fc.frame.arrays.get(variable)?.stride ?? 0;
  emitContextAddress(fc, variable, address.row);
  fc.code.op('i32x4.splat');
  const steps = new Int32Array(4).map((_, lane) => (part * 4 + lane) * stride);
  fc.code.v128(new Uint8Array(steps.buffer));
  fc.code.op('i32x4.add');
}
