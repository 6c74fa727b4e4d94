/**
 * How long the rows of a kernel's work-groups are likely to be: vectors of this machine are so wide that rows may be shorter.
 *
 * Local memory tells: where a work-item's place in an array goes by its row, the array has rows of as many elements as the group,
 * or a few more so that columns do not share banks. Nothing but speed relies on it.
 *
 *     local float block[8][8];  block[y][x] = ...        32 bytes from row to row: 8 work-items
 */
import { findDefinitions } from '../../ir/definitions.ts';
import type * as ir from '../../ir/ir.ts';
import { sizeOf } from '../../ir/types.ts';
import { walkRegion } from '../../ir/walk.ts';

/** Shorter ones are no rows of work-items. */
const shortest = 4;
const deepest = 16;

/** Work-items of a row; infinity where nothing tells. @param body of a kernel */
export function likelyRowLength(body: ir.Region): number {
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
  const constant = (index: number): number | undefined => {
    const from = definitions.get(source.operands[index]!);
    return from?.op === 'constant' ? Number(from.value) : undefined;
  };
  if (source.op === 'query') return source.fn === 'local_id' && source.dimension === 1 ? 1 : 0;
  if (source.op === 'offset') return of(0) + of(1);
  if (source.op !== 'binary') return 0;
  switch (source.fn) {
    case 'iadd':
      return of(0) + of(1);
    case 'isub':
      return of(0) - of(1);
    case 'shl': {
      const count = constant(1);
      return count === undefined ? 0 : of(0) * 2 ** count;
    }
    case 'imul':
      return of(0) * (constant(1) ?? 0) + of(1) * (constant(0) ?? 0);
    default:
      return 0;
  }
}
