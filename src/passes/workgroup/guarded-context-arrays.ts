/**
 * Moves what is read from slots and written to them into the guards that need it:
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
import type * as ir from '../../ir/ir.ts';
import { walkRegion } from '../../ir/walk.ts';

/** Goes through all pieces of a kernel in work-group form. */
export function contextArraysIntoGuards(body: ir.Region): void {
  walkRegion(body, (instruction) => {
    if (instruction.op !== 'work_item_loop') return;
    const [piece] = instruction.regions as [ir.Region];
    for (const branch of piece.instructions.filter(({ op }) => op === 'if')) {
      writesInto(branch as ir.If, piece);
      readsInto(branch as ir.If, piece);
    }
  });
}

/** Moves writes of what the branch gives, where one side gives nothing and nobody else asks for it. */
function writesInto(branch: ir.If, piece: ir.Region): void {
  const { results, regions } = branch;
  const side = regions.findIndex((_, index) => isNothing(regions[1 - index]!));
  if (results.length === 0 || side < 0) return;
  const at = piece.instructions.indexOf(branch);
  const later = piece.instructions.slice(at + 1);
  const writes: ir.ContextWrite[] = [];
  const slots = new Set<ir.ContextArray>();
  for (const one of later) {
    const isOwn = one.op === 'context_write' && results.includes(one.operands[0]!);
    if (isOwn && one.scan === undefined && one.slot.combine === undefined && !slots.has(one.slot)) {
      writes.push(one);
      slots.add(one.slot);
    } else if (usesAny([one], results)) return;
  }
  if (accesses(later, slots) !== writes.length) return;
  const [inner, other] = [regions[side]!, regions[1 - side]!];
  const end = inner.instructions.pop()!;
  for (const write of writes) {
    const value = end.operands[results.indexOf(write.operands[0]!)]!;
    inner.instructions.push({ ...write, operands: [value] });
  }
  inner.instructions.push({ ...end, operands: [] });
  other.instructions = [{ ...other.instructions.at(-1)!, operands: [] }];
  branch.results = [];
  piece.instructions = piece.instructions.filter((one) => !writes.includes(one as ir.ContextWrite));
}

/** Moves reads of what only the branch needs, where one side does nothing. */
function readsInto(branch: ir.If, piece: ir.Region): void {
  const { results, regions } = branch;
  const side = regions.findIndex((_, index) => regions[1 - index]!.instructions[0]!.op === 'yield');
  if (results.length > 0 || side < 0) return;
  const inner = regions[side]!;
  const at = piece.instructions.indexOf(branch);
  const moved = piece.instructions.slice(0, at).filter((one, index) => {
    if (one.op !== 'context_read' || branch.operands.includes(one.results[0]!)) return false;
    const others = piece.instructions.filter((other) => other !== branch);
    const between = piece.instructions.slice(index + 1, at);
    return !usesAny(others, one.results) && !isWritten(between, one.slot);
  });
  if (moved.length === 0) return;
  piece.instructions = piece.instructions.filter((one) => !moved.includes(one));
  inner.instructions.unshift(...moved);
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

/** How often slots are read or written. */
function accesses(instructions: readonly ir.Instruction[], slots: ReadonlySet<ir.ContextArray>): number {
  let count = 0;
  walkRegion({ parameters: [], instructions: [...instructions] }, (one) => {
    if ((one.op === 'context_read' || one.op === 'context_write') && slots.has(one.slot)) count += 1;
  });
  return count;
}

function isWritten(instructions: readonly ir.Instruction[], slot: ir.ContextArray): boolean {
  let found = false;
  walkRegion({ parameters: [], instructions: [...instructions] }, (one) => {
    found ||= one.op === 'context_write' && one.slot === slot;
  });
  return found;
}
