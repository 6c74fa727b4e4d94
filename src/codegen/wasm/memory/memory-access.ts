/**
 * Loads, stores, copies and fills. Exactly the bytes of the type are touched: a vector that does not fill its last
 * v128 is read and written in pieces.
 */
import type * as ir from '../../../ir/ir.ts';
import type { Value } from '../../../ir/ir.ts';
import type { Type } from '../../../ir/types.ts';
import type { FunctionCompiler } from '../kernel/function-compiler.ts';
import { defaultMaskBits, elementBits, wasmTypeOf } from '../kernel/value-layout.ts';
import type { OpName } from '../module/opcodes.ts';
import { pushMask } from '../vector/vector-conversions.ts';

/** Copies and fills of up to this many bytes of known size become loads and stores. */
const longestInline = 64;

export function emitLoad(fc: FunctionCompiler, load: ir.Load, part: number): void {
  const { type } = load.results[0]!;
  const pointer = load.operands[0]!;
  if (type.kind !== 'vector') {
    const offset = fc.pushAddress(pointer);
    const access = scalarAccess(type);
    fc.code.memory(access.load, offset, Math.min(load.align, access.bytes));
    return;
  }
  if (piecesOf(type, part).length === 1) {
    loadPart(fc, type, part, load.align, () => fc.pushAddress(pointer));
    return;
  }
  withAddress(fc, pointer, (push) => loadPart(fc, type, part, load.align, push));
}

/** Calls `body` with a function that pushes the address any number of times. */
function withAddress(fc: FunctionCompiler, pointer: Value, body: (push: () => number) => void): void {
  const offset = fc.pushAddress(pointer);
  const base = fc.code.toTemporary('i32');
  body(() => {
    fc.code.get(base);
    return offset;
  });
  fc.code.release(base);
}

/** How a scalar is moved between memory and its wasm value. */
export function scalarAccess(type: Type): { load: OpName; store: OpName; bytes: number } {
  const wasm = wasmTypeOf(type);
  const bits = type.kind === 'bool' ? 8 : elementBits(type);
  if (wasm === 'i32' && bits === 8) {
    return { load: type.kind === 'bool' ? 'i32.load8_u' : 'i32.load8_s', store: 'i32.store8', bytes: 1 };
  }
  if (wasm === 'i32' && bits === 16) return { load: 'i32.load16_s', store: 'i32.store16', bytes: 2 };
  if (wasm === 'v128') throw new Error('codegen: a vector is not a scalar');
  return { load: `${wasm}.load`, store: `${wasm}.store`, bytes: bits / 8 };
}

/** The bytes of one part of a vector, in runs that single instructions move. */
function piecesOf(type: Type & { kind: 'vector' }, part: number): { at: number; bytes: number }[] {
  let rest = Math.min(16, (type.lanes * elementBits(type, defaultMaskBits)) / 8 - part * 16);
  const pieces: { at: number; bytes: number }[] = [];
  let at = 0;
  for (const bytes of [16, 8, 4, 2, 1]) {
    if (rest < bytes) continue;
    pieces.push({ at, bytes });
    at += bytes;
    rest -= bytes;
  }
  return pieces;
}

const firstLoads: Readonly<Record<number, OpName>> = {
  16: 'v128.load',
  8: 'v128.load64_zero',
  4: 'v128.load32_zero',
  2: 'v128.load16_splat',
  1: 'v128.load8_splat',
};

/** Pushes one part of a vector from memory; `push` pushes the base address and gives the offset to add. */
export function loadPart(
  fc: FunctionCompiler,
  type: Type & { kind: 'vector' },
  part: number,
  align: number,
  push: () => number,
): void {
  for (const { at, bytes } of piecesOf(type, part)) {
    if (at === 0) {
      const offset = push() + part * 16;
      fc.code.memory(firstLoads[bytes]!, offset, Math.min(align, bytes));
      continue;
    }
    const vector = fc.code.toTemporary('v128');
    const offset = push() + part * 16 + at;
    fc.code.get(vector);
    fc.code.memoryLane(laneAccess('load', bytes), offset, Math.min(align, bytes), at / bytes);
    fc.code.release(vector);
  }
}

function laneAccess(kind: 'load' | 'store', bytes: number): OpName {
  return `v128.${kind}${(bytes * 8) as 8 | 16 | 32 | 64}_lane`;
}

/** Writes one part of a vector to memory; `push` as in {@link loadPart}, `pushPart` pushes the part's v128. */
export function storePart(
  fc: FunctionCompiler,
  type: Type & { kind: 'vector' },
  part: number,
  align: number,
  push: () => number,
  pushPart: () => void,
): void {
  for (const { at, bytes } of piecesOf(type, part)) {
    const offset = push() + part * 16 + at;
    pushPart();
    if (bytes === 16) fc.code.memory('v128.store', offset, Math.min(align, 16));
    else fc.code.memoryLane(laneAccess('store', bytes), offset, Math.min(align, bytes), at / bytes);
  }
}

export function emitStore(fc: FunctionCompiler, store: ir.Store): void {
  const [pointer, value] = store.operands as [Value, Value];
  const { type } = value;
  if (type.kind !== 'vector') {
    const offset = fc.pushAddress(pointer);
    const access = scalarAccess(type);
    pushLowBits(fc, value);
    fc.flushLoads();
    fc.code.memory(access.store, offset, Math.min(store.align, access.bytes));
    return;
  }
  storeVector(fc, pointer, value, store.align);
}

function storeVector(fc: FunctionCompiler, pointer: Value, value: Value, align: number): void {
  const type = value.type as Type & { kind: 'vector' };
  const bytes = (type.lanes * elementBits(type)) / 8;
  const isMask = type.element.kind === 'bool';
  if (bytes === 16 && !isMask) {
    const offset = fc.pushAddress(pointer);
    fc.push(value);
    fc.flushLoads();
    fc.code.memory('v128.store', offset, Math.min(align, 16));
    return;
  }
  fc.settle(value);
  fc.settleAddress(pointer);
  fc.flushLoads();
  for (let part = 0; part * 16 < bytes; part++) {
    storePart(
      fc,
      type,
      part,
      align,
      () => fc.pushAddress(pointer),
      () => {
        if (isMask) pushMask(fc, value, defaultMaskBits, part);
        else fc.push(value, part);
      },
    );
  }
}

/** Stores one part of a vector that fills its parts. */
export function emitStoreOfPart(fc: FunctionCompiler, store: ir.Store, part: number): void {
  const [pointer, value] = store.operands as [Value, Value];
  const type = value.type as Type & { kind: 'vector' };
  storePart(
    fc,
    type,
    part,
    store.align,
    () => fc.pushAddress(pointer),
    () => fc.push(value, part),
  );
}

/** Pushes an integer whose upper bits do not matter: a deferred truncation is skipped. */
function pushLowBits(fc: FunctionCompiler, value: Value): void {
  const definition = fc.pendingDefinition(value);
  const inner =
    definition?.op === 'convert' && definition.fn === 'trunc' ? definition.operands[0]! : undefined;
  if (!definition || !inner || wasmTypeOf(inner.type) !== 'i32') {
    fc.push(value);
    return;
  }
  fc.takePending(fc.info(value));
  pushLowBits(fc, inner);
  fc.releaseOperands(definition);
}

function constantBytes(fc: FunctionCompiler, value: Value): number | undefined {
  const definition = fc.definition(value);
  return definition?.op === 'constant' && typeof definition.value === 'number' ? definition.value : undefined;
}

export function emitCopy(fc: FunctionCompiler, copy: ir.Copy): void {
  const [destination, source, bytes] = copy.operands as [Value, Value, Value];
  const size = constantBytes(fc, bytes);
  if (size === undefined || size > longestInline || size < 0) {
    fc.push(destination);
    fc.push(source);
    fc.push(bytes);
    fc.flushLoads();
    fc.code.memoryCopy();
    return;
  }
  fc.push(destination);
  const to = fc.code.toTemporary('i32');
  fc.push(source);
  const from = fc.code.toTemporary('i32');
  fc.flushLoads();
  for (const { at, bytes: count } of runs(size)) {
    const access = runAccess[count]!;
    const align = Math.min(copy.align, count);
    fc.code.get(to);
    fc.code.get(from);
    fc.code.memory(access[0], at, align);
    fc.code.memory(access[1], at, align);
  }
  fc.code.release(to);
  fc.code.release(from);
}

export function emitFill(fc: FunctionCompiler, fill: ir.Fill): void {
  const [destination, bytes] = fill.operands as [Value, Value];
  const size = constantBytes(fc, bytes);
  if (size === undefined || size > longestInline || size < 0) {
    fc.push(destination);
    fc.code.i32(fill.byte);
    fc.push(bytes);
    fc.flushLoads();
    fc.code.memoryFill();
    return;
  }
  fc.push(destination);
  const to = fc.code.toTemporary('i32');
  fc.flushLoads();
  for (const { at, bytes: count } of runs(size)) {
    fc.code.get(to);
    if (count === 16) fc.code.v128(new Uint8Array(16).fill(fill.byte));
    else if (count === 8) fc.code.i64(BigInt(fill.byte) * 0x0101010101010101n);
    else fc.code.i32(Math.imul(fill.byte, 0x01010101));
    fc.code.memory(runAccess[count]![1], at, Math.min(fill.align, count));
  }
  fc.code.release(to);
}

const runAccess: Readonly<Record<number, readonly [OpName, OpName]>> = {
  16: ['v128.load', 'v128.store'],
  8: ['i64.load', 'i64.store'],
  4: ['i32.load', 'i32.store'],
  2: ['i32.load16_u', 'i32.store16'],
  1: ['i32.load8_u', 'i32.store8'],
};

function* runs(size: number): Generator<{ at: number; bytes: number }> {
  let at = 0;
  for (const bytes of [16, 8, 4, 2, 1]) {
    for (; size - at >= bytes; at += bytes) yield { at, bytes };
  }
}
