/** Who wants to know of the accesses to memory that a launch makes: the race detector, and debuggers. */
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
