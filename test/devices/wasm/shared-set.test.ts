/**
 * The set that the threads of a device share (nested/shared-set.ts), where the system holds one of them up in the middle of an
 * operation: the others' operations run between two of its atomic ones.
 */
import { afterEach, expect, it, vi } from 'vitest';
import {
  countIn,
  createSet,
  putInto,
  takeOne,
  takeSome,
} from '../../../src/devices/wasm/nested/shared-set.ts';
import { ControlMemory } from '../../../src/runtime/control-memory.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

function setOf(room: number): { words: Int32Array; base: number } {
  const control = ControlMemory.create(false);
  const base = createSet(control, room);
  for (let number = 0; number < room; number += 1) putInto(control.words, base, number);
  return { words: control.words, base };
}

/** Runs `operation`, and `others` before its atomic operation with that number. False if it has fewer. */
function interrupt(operation: () => void, at: number, others: () => void): boolean {
  let left = at;
  for (const name of ['load', 'store', 'add', 'and', 'or', 'compareExchange'] as const) {
    const original = Atomics[name] as (...operands: unknown[]) => unknown;
    vi.spyOn(Atomics, name).mockImplementation(((...operands: unknown[]) => {
      left -= 1;
      if (left === 0) others();
      return original(...operands);
    }) as never);
  }
  operation();
  vi.restoreAllMocks();
  return left <= 0;
}

it.each([
  [33, 1],
  [64, 3],
  [100, 40],
])('gives each of %i numbers to one only, and all of them, %i at a time', (room, count) => {
  const { words, base } = setOf(room);
  expect(countIn(words, base)).toBe(room);
  const taken: number[] = [];
  for (let left = room; left >= count; left -= count) {
    expect(takeSome(words, base, left + 1)).toBe(undefined);
    taken.push(...takeSome(words, base, count)!);
  }
  for (let number = takeOne(words, base); number >= 0; number = takeOne(words, base)) taken.push(number);
  expect(taken.sort((a, b) => a - b)).toEqual(Array.from({ length: room }, (_, number) => number));
  expect(countIn(words, base)).toBe(0);
  for (const number of taken) putInto(words, base, number);
  expect(countIn(words, base)).toBe(room);
});

it.each(['put', 'take'])('whoever is held up in a %s keeps one number, and nobody waits', (what) => {
  let interrupted = true;
  for (let at = 1; interrupted; at += 1) {
    const { words, base } = setOf(8);
    // Four are elsewhere, of which one is put or one more taken.
    const elsewhere = takeSome(words, base, 4)!;
    const operation = () => {
      if (what === 'put') putInto(words, base, elsewhere.pop()!);
      else elsewhere.push(takeOne(words, base));
    };
    interrupted = interrupt(operation, at, () => {
      for (let round = 0; round < 100; round += 1) {
        const some = takeSome(words, base, 3)!;
        expect(new Set([...some, ...elsewhere]).size).toBe(3 + elsewhere.length);
        for (const number of some) putInto(words, base, number);
      }
    });
    const rest = takeSome(words, base, what === 'put' ? 5 : 3)!;
    expect([...elsewhere, ...rest].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(takeOne(words, base)).toBe(-1);
  }
});
