/**
 * How many work-items should run together at most, for reasons that only this back end has: its vectors are so wide that rows of work-groups may be
 * shorter, and what is done lane by lane gains nothing from more lanes.
 *
 * Rows are told by local memory: where a work-item's place in an array goes by its row, the array has rows of as many elements as the group,
 * or a few more so that columns do not share banks. Nothing but speed relies on it.
 *
 *     local float block[8][8];  block[y][x] = ...        32 bytes from row to row: 8 work-items
 */
import { findDefinitions } from '../../ir/definitions.ts';
import type * as ir from '../../ir/ir.ts';
import { sizeOf } from '../../ir/types.ts';
import { walkRegion } from '../../ir/walk.ts';

/** Lanes of 32 bits of a register. */
const ofRegister = 8;
/** Shorter ones are no rows of work-items. */
const shortest = 4;
const deepest = 16;

/** @param region of the kernel, which is to be done by vectors */
export function mostLanes(kernel: ir.Function, region: ir.Region): number {
  const row = kernel.body ? likelyRowLength(kernel.body) : Number.POSITIVE_INFINITY;
  let hasAtomics = false;
  walkRegion(region, ({ op }) => {
    hasAtomics ||= op === 'atomic';
  });
  return hasAtomics ? Math.min(row, ofRegister) : row;
}

/** Work-items of a row; infinity where nothing tells. */
function likelyRowLength(body: ir.Region): number {
  const definitions = findDefinitions(body);
  let least = Number.POSITIVE_INFINITY;
  walkRegion(body, ({ op, operands, results }) => {
    if (op !== 'load' && op !== 'store') return;
    const pointer = operands[0]!;
    if (pointer.type.kind !== 'pointer' || pointer.type.space !== 'local') return;
    const { type } = op === 'load' ? results[0]! : operands[1]!;
    const elements = Math.floor(Math.abs(rowsIn(pointer, definitions, 0)) / sizeOf(type));
    if (elements >= shortest) least = Math.min(least, elements);
  });
  return least;
}

/** How often the row of the work-item is in a sum. */
function rowsIn(value: ir.Value, definitions: ReadonlyMap<ir.Value, ir.Instruction>, depth: number): number {
  const source = definitions.get(value);
  if (!source || depth > deepest) return 0;
  const of = (index: number): number => rowsIn(source.operands[index]!, definitions, depth + 1);
  const constant = (index: number): number => {
    const from = definitions.get(source.operands[index]!);
    return from?.op === 'constant' ? Number(from.value) : 0;
  };
  if (source.op === 'query') return source.fn === 'local_id' && source.dimension === 1 ? 1 : 0;
  if (source.op === 'offset') return of(0) + of(1);
  if (source.op !== 'binary') return 0;
  switch (source.fn) {
    case 'iadd':
      return of(0) + of(1);
    case 'isub':
      return of(0) - of(1);
    case 'shl':
      return of(0) * 2 ** constant(1);
    case 'imul':
      return of(0) * constant(1) + of(1) * constant(0);
    default:
      return 0;
  }
}
