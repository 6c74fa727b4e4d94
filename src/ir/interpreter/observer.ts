/** Who wants to know of the accesses to memory that a launch makes (race detector, debuggers), and of its instructions. */
import type * as ir from '../ir.ts';
import type { Allocation } from './memory.ts';
import type { WorkItem } from './state.ts';

export interface MemoryObserver {
  /** @throws Fault for what the program may not do */
  read(allocation: Allocation, offset: number, size: number, item: WorkItem): void;
  /** Called before the bytes are stored; `bytes` are the new ones. */
  write(allocation: Allocation, offset: number, bytes: Uint8Array, item: WorkItem): void;
  /** Called before an atomic operation; `isObserved` if the program can see in which order such operations came. */
  atomic(allocation: Allocation, offset: number, size: number, item: WorkItem, isObserved: boolean): void;
}

/**
 * Asked once about each instruction that computes or touches memory (not control flow, calls, barriers), when its function is
 * compiled. The answer, if there is one, is called each time that a work-item is about to run the instruction.
 */
export type Counter = (instruction: ir.Instruction) => (() => void) | undefined;
