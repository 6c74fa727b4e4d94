/**
 * The lanes of vectors in memory, where a lane is found by a number that only the run knows: to split vectors and put
 * them together again lane by lane (`scalar-tail.ts`). They lie one after another; those of a mask as integers.
 */
import { zeroOf } from '../../../ir/constants.ts';
import type * as ir from '../../../ir/ir.ts';
import { bool, i32, sizeOf, type VectorType, withElement } from '../../../ir/types.ts';
import type { VectorWriter } from '../emit/vector-writer.ts';

/** Where the lanes of a vector lie. */
export interface Cells {
  readonly pointer: ir.Value;
  readonly type: VectorType;
  readonly stored: VectorType;
}

function newCells(writer: VectorWriter, type: VectorType): Cells {
  const stored = type.element === bool ? (withElement(type, i32) as VectorType) : type;
  const pointer = writer.atStart(() => writer.variable('private', sizeOf(stored), 16, 'lanes'));
  return { pointer, type, stored };
}

/** Cells that lanes write one by one, and some perhaps never. */
export function emptyCells(writer: VectorWriter, type: VectorType): Cells {
  const cells = newCells(writer, type);
  writer.store(cells.pointer, writer.once(cells.stored, zeroOf(cells.stored)), 16);
  return cells;
}

export function cellsOf(writer: VectorWriter, vector: ir.Value): Cells {
  const cells = newCells(writer, vector.type as VectorType);
  const isMask = cells.stored !== cells.type;
  writer.store(cells.pointer, isMask ? writer.convert('sext', vector, cells.stored) : vector, 16);
  return cells;
}

export function loadCells(writer: VectorWriter, { pointer, type, stored }: Cells): ir.Value {
  const vector = writer.load(stored, pointer, 16);
  return stored === type ? vector : writer.compare('ne', vector, writer.once(stored, 0));
}

export function loadCell(writer: VectorWriter, cells: Cells, lane: ir.Value): ir.Value {
  const { element } = cells.stored;
  const scalar = writer.load(element, addressOf(writer, cells, lane), sizeOf(element));
  return cells.stored === cells.type ? scalar : writer.compare('ne', scalar, writer.int(element, 0));
}

export function storeCell(writer: VectorWriter, cells: Cells, lane: ir.Value, scalar: ir.Value): void {
  const { element } = cells.stored;
  const stored = cells.stored === cells.type ? scalar : writer.convert('zext', scalar, element);
  writer.store(addressOf(writer, cells, lane), stored, sizeOf(element));
}

function addressOf(writer: VectorWriter, { pointer, stored }: Cells, lane: ir.Value): ir.Value {
  const size = writer.int(writer.addressType, sizeOf(stored.element));
  return writer.offset(pointer, writer.binary('imul', lane, size));
}
