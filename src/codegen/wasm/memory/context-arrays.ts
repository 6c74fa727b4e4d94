/**
 * Cells of context arrays, in which work-items keep what lives from one region to the next. A work-item's cell is at its array's
 * base plus stride times linear id; for each stride in use one counter goes up by it, so that an access costs one addition.
 */
import type * as ir from '../../../ir/ir.ts';
import type { VectorType } from '../../../ir/types.ts';
import type { FunctionCompiler } from '../kernel/function-compiler.ts';
import { defaultMaskBits } from '../kernel/value-layout.ts';
import { pushMask } from '../vector/vector-conversions.ts';
import { loadPart, scalarAccess, storePart } from './memory-access.ts';

/** Pushes the address of the current work-item's cell of a context array, or of the cell so many rows further on. */
export function emitContextAddress(fc: FunctionCompiler, array: ir.Instruction, row = 0): void {
  const place = fc.frame.arrays.get(array);
  const base = fc.arrayBases.get(array);
  const counter = place && fc.counters.get(place.stride);
  if (!place || base === undefined || counter === undefined) {
    throw new Error(`codegen: a context array of ${fc.fn.name} is used outside items`);
  }
  fc.code.get(base);
  fc.code.get(counter);
  fc.code.op('i32.add');
  if (row === 0) return;
  fc.pushEnvironment('local_size.0');
  fc.code.i32(row * place.stride);
  fc.code.op('i32.mul');
  fc.code.op('i32.add');
}

export function emitContextRead(fc: FunctionCompiler, read: ir.ContextRead, part: number): void {
  const { type } = read.contextArray;
  if (type.kind === 'vector') {
    loadPart(fc, type, part, vectorAlign(type), () => {
      emitContextAddress(fc, read.contextArray, read.row);
      return 0;
    });
    return;
  }
  emitContextAddress(fc, read.contextArray, read.row);
  const access = scalarAccess(type);
  fc.code.memory(access.load, 0, access.bytes);
}

export function emitContextWrite(fc: FunctionCompiler, write: ir.ContextWrite): void {
  const value = write.operands[0]!;
  const { type } = write.contextArray;
  if (type.kind !== 'vector') {
    emitContextAddress(fc, write.contextArray, write.row);
    fc.push(value);
    fc.flushLoads();
    const access = scalarAccess(type);
    fc.code.memory(access.store, 0, access.bytes);
    return;
  }
  fc.settle(value);
  fc.flushLoads();
  const parts = fc.info(value).parts;
  const isMask = type.element.kind === 'bool';
  const count = isMask ? Math.ceil((type.lanes * defaultMaskBits) / 128) : parts;
  const address = (): number => {
    emitContextAddress(fc, write.contextArray, write.row);
    return 0;
  };
  for (let part = 0; part < count; part++) {
    storePart(fc, type, part, vectorAlign(type), address, () => {
      if (isMask) pushMask(fc, value, defaultMaskBits, part);
      else fc.push(value, part);
    });
  }
}

/** Cells are as aligned as their size divides; the element's alignment is always safe. */
function vectorAlign(type: VectorType): number {
  return type.element.kind === 'bool' ? defaultMaskBits / 8 : type.element.bits / 8;
}
