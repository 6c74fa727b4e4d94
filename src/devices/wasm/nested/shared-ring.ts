/**
 * A queue of numbers in control memory that any thread may push to and take from, without locks: D. Vyukov's bounded queue.
 * Each cell has a sequence number that says in which round it is full or empty, so that a place is never taken for the
 * same place a round later.
 *
 * A thread that the system holds up in the middle of a push hides what was pushed later, and one in the middle of a take keeps its
 * cell from those who come round to it. So a ring is for numbers that somebody asks for again later, of which it has room for all,
 * and not for what must be had at once (shared-set.ts).
 *
 * What holds, and conformance/models (`ring`) looks for in every order of steps: each number that is pushed is taken once, and as it was pushed.
 */
import type { ControlMemory } from '../../../runtime/control-memory.ts';

/** Word offsets; the ends lie on cache lines of their own. */
const ring = { mask: 0, head: 32, tail: 64, cells: 96 } as const;

/** Makes a ring with room for so many numbers; its word index. Host thread only. */
export function createRing(control: ControlMemory, atLeast: number): number {
  let capacity = 2;
  while (capacity < atLeast) capacity *= 2;
  const base = control.allocate((ring.cells + 2 * capacity) * 4);
  control.words[base + ring.mask] = capacity - 1;
  for (let cell = 0; cell < capacity; cell += 1) control.words[base + ring.cells + 2 * cell] = cell;
  return base;
}

/** Milliseconds for which a thread sleeps that waits for one in the middle of a take. */
const takeTime = 0.1;

/** There must be room. Not for the host thread, which may not sleep everywhere. */
export function pushTo(words: Int32Array, base: number, value: number): void {
  const mask = words[base + ring.mask]!;
  for (;;) {
    const place = Atomics.load(words, base + ring.tail);
    const cell = base + ring.cells + 2 * (place & mask);
    const seen = Atomics.load(words, cell);
    const ahead = (seen - place) | 0;
    // The number of the last round is being taken.
    if (ahead < 0) Atomics.wait(words, cell, seen, takeTime);
    if (ahead !== 0) continue;
    if (Atomics.compareExchange(words, base + ring.tail, place, (place + 1) | 0) !== place) continue;
    words[cell + 1] = value;
    Atomics.store(words, cell, (place + 1) | 0);
    return;
  }
}

/** -1 if the ring is empty, or the next number is still being pushed. */
export function takeFrom(words: Int32Array, base: number): number {
  const mask = words[base + ring.mask]!;
  for (;;) {
    const place = Atomics.load(words, base + ring.head);
    const cell = base + ring.cells + 2 * (place & mask);
    const ahead = (Atomics.load(words, cell) - place - 1) | 0;
    if (ahead < 0) return -1;
    if (ahead > 0) continue;
    if (Atomics.compareExchange(words, base + ring.head, place, (place + 1) | 0) !== place) continue;
    const value = words[cell + 1]!;
    Atomics.store(words, cell, (place + mask + 1) | 0);
    return value;
  }
}
