/**
 * Lets reads of a copy read what was copied, across blocks: copy propagation. Loop-invariant code motion puts what several blocks compute alike side by side,
 * and value numbering (value-numbering.ts) makes copies of all but the first; each would want a register of its own.
 *
 *     lea v2, [v1+4]                       lea v2, [v1+4]
 *     mov v3, v2                           L1:
 *     L1:                                  mov [v2], v5
 *     mov [v3], v5
 *
 * A copy goes if it is all that writes its register, and what it copies is complete there: all that writes that lies in one block, and before the
 * copy. Then wherever the copy can be read, what was copied has the same value still.
 */

import { liveBlocks } from '../allocate/liveness.ts';
import type { MachineFunction } from './function.ts';
import { firstVirtual, isCopy, type MachineOperation, numberShift, reads, writes } from './operation.ts';
import { renamed } from './rename.ts';

export function propagateCopies(fn: MachineFunction): void {
  const copied = findCopied(fn);
  if (copied.size === 0) return;
  /** What is read in the place of a register. */
  const origin = (number: number): number => {
    let found = number;
    for (let next = copied.get(found); next !== undefined; next = copied.get(found)) found = next;
    return found;
  };
  fn.items = fn.items.filter((item) => {
    if (item.kind === 'label') return true;
    if (isCopy(item.instruction) && copied.has(numberOf(item, 0))) return false;
    item.instruction = renamed(item.instruction, origin);
    return true;
  });
}

/** Where a register is written. */
interface Written {
  count: number;
  /** The block of all writes; `several` if there is more than one. */
  block: number;
  /** The place of the last one. */
  last: number;
}

const several = -1;

/** What each copy that goes was copied from, by the registers' numbers. */
function findCopied(fn: MachineFunction): Map<number, number> {
  const { blocks, operations, liveIn } = liveBlocks(fn);
  const written = new Map<number, Written>();
  const copies: { readonly at: number; readonly block: number }[] = [];
  blocks.forEach(({ first, end }, block) => {
    for (let at = first; at < end; at += 1) {
      const operation = operations[at]!;
      for (const access of operation.accesses) {
        const number = access >> numberShift;
        if ((access & writes) === 0 || number < firstVirtual) continue;
        const known = written.get(number);
        if (!known) written.set(number, { count: 1, block, last: at });
        else {
          known.count += 1;
          known.last = at;
          if (known.block !== block) known.block = several;
        }
      }
      if (isCopy(operation.instruction) && isOfWholeRegisters(fn, operation)) copies.push({ at, block });
    }
  });
  /** Registers that are read where nothing was written to them: zeros, which copies are not. */
  const unset = new Set<number>();
  if (blocks.length > 0) liveIn.forEach(0, (index) => unset.add(firstVirtual + index));
  const copied = new Map<number, number>();
  for (const { at, block } of copies) {
    const [to, from] = [numberOf(operations[at]!, 0), numberOf(operations[at]!, 1)];
    const source = written.get(from);
    if (!source || source.block === several || unset.has(from) || unset.has(to)) continue;
    if (written.get(to)!.count > 1 || (source.block === block && source.last > at)) continue;
    copied.set(to, from);
  }
  return copied;
}

function numberOf({ instruction: { operands } }: MachineOperation, index: number): number {
  return (operands[index] as { readonly number: number }).number;
}

/** Whether a copy gives all of a virtual register, and takes all of another one, or of a vector's first lane as much as readers look at. */
function isOfWholeRegisters(fn: MachineFunction, { accesses, instruction }: MachineOperation): boolean {
  const isPlain = accesses.length === 2 && accesses.every((access) => (access & (reads | writes)) !== 3);
  const [to, from] = instruction.operands.map((operand) => {
    const { number, bits } = operand as { readonly number: number; readonly bits: number };
    return { bits, register: fn.registers[number - firstVirtual] };
  });
  if (!isPlain || !to?.register || !from?.register) return false;
  // Of a scalar in a vector register all is copied.
  if (to.register.kind === 'vector')
    return to.bits >= to.register.bits && from.register.bits >= to.register.bits;
  return to.bits === to.register.bits && from.bits === from.register.bits && to.bits === from.bits;
}
