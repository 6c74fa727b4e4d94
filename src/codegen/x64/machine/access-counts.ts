/** How many operands of a function read and write each register. */
import type { MachineFunction } from './function.ts';
import { firstVirtual, numberShift, reads, writes } from './operation.ts';

/** By the number of a register, of the machine or virtual. What is modified is both. */
export interface AccessCounts {
  readonly readers: Int32Array;
  readonly writers: Int32Array;
}

export function countAccesses({ items, registers }: MachineFunction): AccessCounts {
  const readers = new Int32Array(firstVirtual + registers.length);
  const writers = new Int32Array(firstVirtual + registers.length);
  for (const item of items) {
    if (item.kind === 'label') continue;
    for (const access of item.accesses) {
      if ((access & reads) !== 0) readers[access >> numberShift]! += 1;
      if ((access & writes) !== 0) writers[access >> numberShift]! += 1;
    }
  }
  return { readers, writers };
}
