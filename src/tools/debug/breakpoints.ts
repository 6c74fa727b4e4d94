/** Where a launch is to stop: at statements, for some work-items, under conditions; and when memory is touched. */
import type { Allocation } from '../../ir/interpreter/memory.ts';
import type { MemoryObserver } from '../../ir/interpreter/observer.ts';
import type { WorkItem } from '../../ir/interpreter/state.ts';
import type { SourcePlace, Statement } from './source-map.ts';

export interface BreakpointRequest {
  /** From 1 on. Where nothing is on the line, the next that has something counts. */
  readonly line?: number | undefined;
  /** The name, or its end; default any file. */
  readonly file?: string | undefined;
  /** Instead of a line: where the function begins. With neither, the kernel's beginning. */
  readonly function?: string | undefined;
  /** An expression of OpenCL C over what can be named there; it stops where that is not zero. */
  readonly condition?: string | undefined;
  /** Only the work-item with this global id. */
  readonly item?: readonly number[] | undefined;
  /** Passes so many times before it stops. */
  readonly ignore?: number | undefined;
  /** Is gone once it has stopped. */
  readonly isOnce?: boolean | undefined;
}

export interface Breakpoint extends Omit<BreakpointRequest, 'ignore'> {
  readonly id: number;
  /** Where it really is; undefined if nothing is there, so that it never stops. */
  readonly place: SourcePlace | undefined;
  readonly statements: ReadonlySet<Statement>;
  isEnabled: boolean;
  /** How often it was reached with its condition true. */
  hits: number;
  /** So many of its hits are passed. */
  ignore: number;
}

export type WatchKind = 'write' | 'read' | 'access';

/** Bytes of memory, and what stops when it happens to them. */
export interface Watch {
  readonly id: number;
  /** The expression it was made of. */
  readonly text: string;
  readonly kind: WatchKind;
  readonly address: number;
  readonly bytes: number;
  /** The object's name and space, which must still be there. */
  readonly object: Pick<Allocation, 'name' | 'space'>;
  /** Of private memory: whose. */
  readonly item: readonly number[] | undefined;
}

/** What a work-item did to watched bytes. */
export interface Touch {
  readonly watch: Watch;
  readonly wrote: boolean;
  /** The watched bytes before, and which of them had been written, where that is known. */
  readonly before: Uint8Array;
  readonly writtenBefore: Uint8Array | undefined;
}

/** Notes which watched bytes a step touches. */
export class WatchObserver implements MemoryObserver {
  readonly watches: readonly Watch[];
  #touches: Touch[] = [];

  constructor(watches: readonly Watch[]) {
    this.watches = watches;
  }

  /** What was noted since this was asked last. */
  take(): readonly Touch[] {
    if (this.#touches.length === 0) return none;
    const touches = this.#touches;
    this.#touches = [];
    return touches;
  }

  read(allocation: Allocation, offset: number, size: number, item: WorkItem): void {
    this.#look(allocation, offset, size, item, false);
  }

  write(allocation: Allocation, offset: number, bytes: Uint8Array, item: WorkItem): void {
    this.#look(allocation, offset, bytes.length, item, true);
  }

  atomic(allocation: Allocation, offset: number, size: number, item: WorkItem): void {
    this.#look(allocation, offset, size, item, true);
  }

  #look(allocation: Allocation, offset: number, size: number, item: WorkItem, wrote: boolean): void {
    const start = allocation.start + offset;
    for (const watch of this.watches) {
      const { address, bytes, object, kind } = watch;
      if (start + size <= address || start >= address + bytes) continue;
      if (kind !== 'access' && wrote !== (kind === 'write')) continue;
      if (object.name !== allocation.name || object.space !== allocation.space) continue;
      if (watch.item && !isItem(item, watch.item)) continue;
      const from = address - allocation.start;
      const before = allocation.bytes.slice(from, from + bytes);
      const writtenBefore = allocation.written?.slice(from, from + bytes);
      this.#touches.push({ watch, wrote, before, writtenBefore });
    }
  }
}

const none: readonly Touch[] = [];

/** Whether a work-item has a global id; dimensions that are left out are 0. */
export function isItem({ globalId }: WorkItem, id: readonly number[]): boolean {
  return globalId.every((at, dimension) => at === (id[dimension] ?? 0));
}
