/**
 * Moves what is read from context arrays and written to them into the guards that need it:
 *
 *     %s = context_read %sum                           if %inside {
 *     %s' = if %inside { A with %s; yield %x }        %s = context_read %sum
 *     else { undefined }                     =>       A with %s
 *     context_write %sum, %s'                            context_write %sum, %x
 *                                                   } else { yield }
 *
 * Then the guard is all that a piece does, and whole rows that it keeps out are left out. Who it keeps out never reads what
 * would have been written. distribute-guards.ts leaves such pieces to form-work-item-loops.
 */

import { countUsesInRegion } from '../../ir/count-uses.ts';
import type * as ir from '../../ir/ir.ts';
import { walkRegion } from '../../ir/walk.ts';
import { insert } from '../../source/lists.ts';

/** Goes through all pieces of a kernel in work-group form. */
export function contextArraysIntoGuards(body: ir.Region): void {
  walkRegion(body, (instruction) => {
    if (instruction.op !== 'work_item_loop') return;
    const [piece] = instruction.regions as [ir.Region];
    if (!piece.instructions.some(({ op }) => op === 'if')) return;
    const reads = new ReadsOfPiece(piece);
    const gone = new Set<ir.Instruction>();
    piece.instructions.forEach((one, place) => {
      if (gone.has(one)) return;
      if (one.op === 'if') {
        const outside = reads.usesOutside(one);
        for (const write of writesInto(one, piece)) gone.add(write);
        for (const read of reads.moveInto(one, outside)) gone.add(read);
      }
      reads.pass(one, place);
    });
    if (gone.size > 0) piece.instructions = piece.instructions.filter((one) => !gone.has(one));
  });
}

/**
 * Moves writes of what the branch gives, where one side gives nothing and nobody else asks for it.
 * @returns what is no longer behind the branch
 */
function writesInto(branch: ir.If, piece: ir.Region): ir.Instruction[] {
  const { results, regions } = branch;
  const side = regions.findIndex((_, index) => isNothing(regions[1 - index]!));
  if (results.length === 0 || side < 0) return [];
  const at = piece.instructions.indexOf(branch);
  const later = piece.instructions.slice(at + 1);
  const writes: ir.ContextWrite[] = [];
  const contextArrays = new Set<ir.ContextArray>();
  for (const one of later) {
    const isOwn = one.op === 'context_write' && results.includes(one.operands[0]!);
    if (
      isOwn &&
      one.scan === undefined &&
      one.contextArray.combine === undefined &&
      !contextArrays.has(one.contextArray)
    ) {
      writes.push(one);
      contextArrays.add(one.contextArray);
    } else if (usesAny([one], results)) return [];
  }
  if (accesses(later, contextArrays) !== writes.length) return [];
  const [inner, other] = [regions[side]!, regions[1 - side]!];
  const end = inner.instructions.pop()!;
  for (const write of writes) {
    const value = end.operands[results.indexOf(write.operands[0]!)]!;
    inner.instructions.push({ ...write, operands: [value] });
  }
  inner.instructions.push({ ...end, operands: [] });
  other.instructions = [{ ...other.instructions.at(-1)!, operands: [] }];
  branch.results = [];
  return writes;
}

/** What a piece reads from context arrays, for who goes through it from first to last. */
class ReadsOfPiece {
  readonly #uses: ReadonlyMap<ir.Value, number>;
  readonly #reads = new Map<ir.Value, { readonly read: ir.ContextRead; readonly place: number }>();
  /** Where each context array was written last. */
  readonly #written = new Map<ir.ContextArray, number>();

  constructor(piece: ir.Region) {
    this.#uses = countUsesInRegion(piece);
  }

  /** What has been read so far and the branch uses, with the number of uses elsewhere. */
  usesOutside(branch: ir.If): Map<ir.Value, number> {
    const inside = countUsesInRegion({ parameters: [], instructions: [branch] });
    for (const operand of branch.operands) inside.delete(operand);
    const outside = new Map<ir.Value, number>();
    for (const [value, count] of inside) {
      if (this.#reads.has(value)) outside.set(value, this.#uses.get(value)! - count);
    }
    return outside;
  }

  /** Moves reads of what only the branch needs, where one side does nothing. @returns what is no longer in front of it */
  moveInto({ results, regions }: ir.If, outside: ReadonlyMap<ir.Value, number>): ir.Instruction[] {
    const side = regions.findIndex((_, index) => regions[1 - index]!.instructions[0]!.op === 'yield');
    if (results.length > 0 || side < 0) return [];
    const moved = [...outside].flatMap(([value, count]) => {
      const { read, place } = this.#reads.get(value)!;
      return count > 0 || (this.#written.get(read.contextArray) ?? -1) > place ? [] : [{ read, place }];
    });
    const inOrder = moved.sort((a, b) => a.place - b.place).map(({ read }) => read);
    insert(regions[side]!.instructions, 0, inOrder);
    return inOrder;
  }

  /** Takes notice of what is read and written at a place. */
  pass(one: ir.Instruction, place: number): void {
    if (one.op === 'context_read') this.#reads.set(one.results[0]!, { read: one, place });
    walkRegion({ parameters: [], instructions: [one] }, (inner) => {
      if (inner.op === 'context_write') this.#written.set(inner.contextArray, place);
    });
  }
}

/** Whether a region gives undefined values only. */
function isNothing({ instructions }: ir.Region): boolean {
  const end = instructions.at(-1)!;
  const given = new Set(instructions.slice(0, -1).flatMap(({ results }) => results));
  const isBare = instructions.every((one) => one === end || one.op === 'undefined');
  return isBare && end.op === 'yield' && end.operands.every((operand) => given.has(operand));
}

function usesAny(instructions: readonly ir.Instruction[], values: readonly ir.Value[]): boolean {
  return instructions.some(
    ({ operands, regions }) =>
      operands.some((operand) => values.includes(operand)) ||
      regions.some((region) => usesAny(region.instructions, values)),
  );
}

/** How often context arrays are read or written. */
function accesses(
  instructions: readonly ir.Instruction[],
  contextArrays: ReadonlySet<ir.ContextArray>,
): number {
  let count = 0;
  walkRegion({ parameters: [], instructions: [...instructions] }, (one) => {
    if ((one.op === 'context_read' || one.op === 'context_write') && contextArrays.has(one.contextArray))
      count += 1;
  });
  return count;
}
