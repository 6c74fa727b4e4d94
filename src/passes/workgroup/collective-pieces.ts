/**
 * What work-items do at a collective, in the pieces that form-work-item-loops cuts: they bring their values, in a context array that combines
 * them or each in a cell of its own, and take results out of their cells. What happens to the cells in between is done once
 * for the group, by collectives.ts.
 */
import { newValue } from '../../ir/builder.ts';
import { subGroupSize } from '../../ir/collectives.ts';
import type * as ir from '../../ir/ir.ts';
import { pointerType, sizeOf, type Type } from '../../ir/types.ts';
import type { PieceWriter } from './piece-writer.ts';

export class CollectivePieces {
  readonly #pieces: PieceWriter;
  /** The cells that are used again, by the size of one. */
  readonly #ownCells = new Map<number, ir.Value>();

  constructor(pieces: PieceWriter) {
    this.#pieces = pieces;
  }

  /**
   * A cell of a type for each work-item, which the group reaches by `copies_address`. Where work-items read their own
   * cells only, one collective's may serve the next: each reads its cell before it writes it again.
   */
  declareCells(type: Type, isOwn: boolean): ir.Value {
    const size = sizeOf(type);
    const known = isOwn ? this.#ownCells.get(size) : undefined;
    if (known) return known;
    const result = newValue(pointerType('private'), 'cells');
    this.#pieces.addVariable({
      op: 'variable',
      space: 'private',
      size,
      align: size,
      name: 'cells',
      perItem: true,
      elementSize: size,
      operands: [],
      results: [result],
      regions: [],
    });
    if (isOwn) this.#ownCells.set(size, result);
    return result;
  }

  /** Whether values can come together in one context array: all work-items take part, and machines have vectors for it. */
  mayCombine(combine: ir.CombineFunction, type: Type): boolean {
    if (this.#pieces.pending.size > 0) return false;
    if (type.kind === 'float') return type.bits !== 16;
    return type.kind === 'int' && (type.bits === 32 || ['iadd', 'and', 'or'].includes(combine));
  }

  /** Ends the piece with what all work-items bring, combined; at group level it is the value `result`. */
  combineInto(value: ir.Value, combine: ir.CombineFunction, result: ir.Value): void {
    const pieces = this.#pieces;
    pieces.openPiece();
    const contextArray = pieces.newContextArray(value.type, combine, combine);
    pieces.writeContextArray(contextArray, pieces.resolve(value));
    pieces.closePiece();
    pieces.group.append({ op: 'context_read', contextArray, operands: [], results: [result], regions: [] });
  }

  /** Ends the piece with each work-item's cell holding what came up to it. */
  scanInto(
    cells: ir.Value,
    value: ir.Value,
    combine: ir.CombineFunction,
    scan: 'exclusive' | 'inclusive',
  ): void {
    const pieces = this.#pieces;
    pieces.openPiece();
    const contextArray = pieces.newContextArray(value.type, combine, combine);
    const sum = newValue(value.type);
    const operands = [pieces.resolve(value)];
    pieces.item.append({ op: 'context_write', contextArray, scan, operands, results: [sum], regions: [] });
    pieces.item.store(this.#ownCell(cells), sum, sizeOf(value.type));
    pieces.closePiece();
  }

  /** Every work-item leaves a value in its cell, those that do not take part the `identity`; then the piece ends. */
  handOver(value: ir.Value, cells: ir.Value, identity: ir.ScalarConstant): void {
    const pieces = this.#pieces;
    const { item } = pieces;
    const align = sizeOf(value.type);
    if (pieces.pending.size > 0) {
      pieces.openForAll();
      item.store(this.#ownCell(cells), item.constant(value.type, identity), align);
    }
    pieces.openPiece();
    const given = pieces.resolve(value);
    item.store(this.#ownCell(cells), given, align);
    pieces.closePiece();
  }

  /** A value comes out of the work-item's own cell. */
  takeOwn(result: ir.Value, cells: ir.Value): void {
    this.#pieces.openPiece();
    this.#takeFrom(result, this.#ownCell(cells));
  }

  /** A value comes out of the cell of one of the sub-group, given by its id there. */
  takeOther(result: ir.Value, first: ir.Value, id: ir.Value): void {
    const pieces = this.#pieces;
    const { item } = pieces;
    pieces.openPiece();
    const { type } = id;
    const own = item.query('linear_local_id');
    const begin = item.binary('and', own, item.integer(type, -subGroupSize));
    const index = item.binary('iadd', begin, pieces.resolve(id));
    const bytes = item.binary('imul', index, item.integer(type, sizeOf(result.type)));
    this.#takeFrom(result, item.offset(first, bytes));
  }

  #takeFrom(result: ir.Value, address: ir.Value): void {
    const align = sizeOf(result.type);
    this.#pieces.item.append({ op: 'load', align, operands: [address], results: [result], regions: [] });
    this.#pieces.define(result);
  }

  #ownCell(cells: ir.Value): ir.Value {
    const address = newValue(cells.type);
    this.#pieces.item.append({ op: 'item_address', operands: [cells], results: [address], regions: [] });
    return address;
  }
}
