/**
 * A set of small numbers in control memory that any thread may put into and take from, without locks: a bit for each, and a count.
 * Who takes lowers the count first, which promises it a bit; who puts sets the bit first. So a thread that the system holds up
 * in between holds up one number and nobody else, and the set is never found empty while more are in it than threads are at it.
 *
 * What holds, and conformance/models (`set`) looks for in every order of steps: the count is never above the number of bits; nobody takes a number that
 * another holds; none is lost.
 */
import type { ControlMemory } from '../../../runtime/control-memory.ts';

/** Word offsets; those that change often lie on cache lines of their own. `near` is where to look first. */
const set = { length: 0, count: 32, near: 64, bits: 96 } as const;

/** Makes an empty set for numbers below `room`; its word index. Host thread only. */
export function createSet(control: ControlMemory, room: number): number {
  const length = Math.ceil(room / 32);
  const base = control.allocate((set.bits + length) * 4);
  control.words[base + set.length] = length;
  return base;
}

/** Puts a number that is not in the set into it. */
export function putInto(words: Int32Array, base: number, number: number): void {
  const at = number >>> 5;
  Atomics.or(words, base + set.bits + at, 1 << (number & 31));
  Atomics.store(words, base + set.near, at);
  Atomics.add(words, base + set.count, 1);
}

/** Takes so many numbers, or none: undefined if there are fewer. */
export function takeSome(words: Int32Array, base: number, count: number): number[] | undefined {
  if (!reserve(words, base, count)) return undefined;
  return Array.from({ length: count }, () => takeReserved(words, base));
}

/** Takes a number; -1 if there is none. */
export function takeOne(words: Int32Array, base: number): number {
  return reserve(words, base, 1) ? takeReserved(words, base) : -1;
}

/** How many numbers there are; nobody is still putting or taking one of them. */
export function countIn(words: Int32Array, base: number): number {
  return Atomics.load(words, base + set.count);
}

function reserve(words: Int32Array, base: number, count: number): boolean {
  for (;;) {
    const there = Atomics.load(words, base + set.count);
    if (there < count) return false;
    if (Atomics.compareExchange(words, base + set.count, there, there - count) === there) return true;
  }
}

/** There is always a bit for each that is reserved, though it may move while one looks. */
function takeReserved(words: Int32Array, base: number): number {
  const length = words[base + set.length]!;
  for (let at = Atomics.load(words, base + set.near); ; at = at + 1 < length ? at + 1 : 0) {
    const place = base + set.bits + at;
    for (let bits = Atomics.load(words, place); bits !== 0; bits = Atomics.load(words, place)) {
      const lowest = bits & -bits;
      if ((Atomics.and(words, place, ~lowest) & lowest) === 0) continue;
      Atomics.store(words, base + set.near, at);
      return at * 32 + 31 - Math.clz32(lowest);
    }
  }
}
