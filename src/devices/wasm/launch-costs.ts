/**
 * What a work-group of each kernel has cost, by which the processor knows launches that are over sooner than another thread
 * wakes: those are one chunk, for one thread. Other short ones have few chunks. Threads add up their time in the launch's slot;
 * the processor looks at it when it uses the slot again.
 *
 * A kernel that nobody has seen is divided among all threads, and so is one whose groups may wait for each other. One that
 * seemed cheap and is not, for its arguments have changed, runs on one thread once; after that it counts as expensive for some
 * launches, however cheap those are.
 */

import { type Chunks, joinChunks } from './launch-chunks.ts';

/** Nanoseconds that one thread may be left alone with. */
const smallLaunch = 20_000;
/** What was expensive costs half as much after each launch that was cheaper. */
const forgotten = 1 / 2;
/** Kernels to remember; with more, all are forgotten. */
const mostKernels = 1024;

/** A kernel: its module's number, and which of that module's it is. */
export interface KernelNumber {
  readonly moduleId: number;
  readonly kernel: number;
}

export class LaunchCosts {
  /** Nanoseconds of a work-group: by what was expensive, and in the last launch. */
  readonly #costs = new Map<string, { readonly most: number; readonly last: number }>();

  /** Notes a launch. @param nanoseconds what all threads together spent on it */
  note(kernel: KernelNumber, groups: number, nanoseconds: number): void {
    const key = keyOf(kernel);
    const before = this.#costs.get(key);
    if (before === undefined && this.#costs.size >= mostKernels) this.#costs.clear();
    const last = nanoseconds / groups;
    this.#costs.set(key, { most: Math.max(last, (before?.most ?? 0) * forgotten), last });
  }

  /** How a launch is divided, by what is known of its kernel: not at all if it is too short for that. */
  divide(kernel: KernelNumber, division: Chunks, threads: number): Chunks {
    const { groups } = division;
    const cost = this.#costs.get(keyOf(kernel));
    if (cost === undefined) return division;
    if (cost.most * groups >= smallLaunch) return joinChunks(division, threads, cost.last * groups);
    const chunks = Math.min(division.chunks, 1);
    return { groups, groupsPerChunk: groups, chunks, wholeChunks: chunks };
  }
}

function keyOf({ moduleId, kernel }: KernelNumber): string {
  return `${moduleId} ${kernel}`;
}
