import { describe, expect, it } from 'vitest';
import { chooseLocalSize, type SizeFacts } from '../../../src/devices/wasm/local-size.ts';
import type { Triple } from '../../../src/runtime/command.ts';

describe('the local size that the device chooses', () => {
  it('is long in dimension 0 and divides the range', () => {
    expect(chooseLocalSize([1024, 1024, 1], { limit: 4096, threads: 2 })).toEqual([256, 1, 1]);
    expect(chooseLocalSize([60, 1000, 1], { limit: 4096, threads: 2 })).toEqual([60, 4, 1]);
    expect(chooseLocalSize([7, 11, 13], { limit: 4096, threads: 2 })).toEqual([7, 1, 1]);
  });

  it('leaves groups for all threads, and keeps to the limit', () => {
    expect(chooseLocalSize([256, 1, 1], { limit: 4096, threads: 2 })).toEqual([16, 1, 1]);
    expect(chooseLocalSize([1024, 1024, 1], { limit: 32, threads: 2 })).toEqual([32, 1, 1]);
  });

  it('leaves smaller groups at the end where that is allowed and better', () => {
    const choose = (global: readonly [number, number, number], limit = 4096) =>
      chooseLocalSize(global, { limit, threads: 2, mayCut: true });
    expect(choose([1024, 1024, 1])).toEqual([256, 1, 1]);
    // 1000003 and 1009 are primes; of the latter 4 groups hold 253 each, in whole vectors 256, and 29 hold 35.
    expect(choose([1000003, 1, 1])).toEqual([256, 1, 1]);
    expect(choose([1009, 1000, 1])).toEqual([256, 1, 1]);
    expect(choose([7, 1009, 1])).toEqual([7, 35, 1]);
    expect(choose([600, 1000, 1])).toEqual([200, 1, 1]);
    expect(choose([1009, 1009, 1], 20)).toEqual([20, 1, 1]);
  });

  const choose = (global: Triple, facts: Partial<SizeFacts> = {}) =>
    chooseLocalSize(global, { limit: 4096, threads: 2, ...facts });

  it('is all of a range of no more than a vector', () => {
    for (const global of [
      [1, 1, 1],
      [10, 1, 1],
      [16, 1, 1],
      [5, 3, 1],
      [2, 2, 4],
    ] as const) {
      expect(choose(global)).toEqual(global);
      expect(choose(global, { threads: 64, mayCut: true })).toEqual(global);
    }
    // Unless a group may not have so many.
    expect(choose([10, 1, 1], { limit: 5 })).toEqual([5, 1, 1]);
  });

  it('is no less than a whole vector', () => {
    expect(choose([64, 1, 1])).toEqual([16, 1, 1]);
    expect(choose([1024, 1, 1], { threads: 64 })).toEqual([16, 1, 1]);
    expect(choose([32, 32, 1], { threads: 16 })).toEqual([16, 1, 1]);
  });

  it('is what threads are done with first where the range has no good divisor', () => {
    // Two groups of three vectors and two work-items each; 5 of 20 are three for one of the threads.
    expect(choose([100, 1, 1])).toEqual([50, 1, 1]);
    // Primes: one group for one thread, in vectors, is quicker than groups of one for all of them.
    expect(choose([17, 1, 1])).toEqual([17, 1, 1]);
    expect(choose([1009, 1, 1])).toEqual([1009, 1, 1]);
    expect(choose([2018, 1, 1])).toEqual([1009, 1, 1]);
    expect(choose([1009, 1000, 1])).toEqual([1009, 1, 1]);
    // With so many threads, and nothing vectorised, it is not.
    expect(choose([1009, 1, 1], { threads: 16, lanes: 1 })).toEqual([1, 1, 1]);
    // No group has so many.
    expect(choose([1000003, 1, 1])).toEqual([1, 1, 1]);
    expect(choose([1009, 1, 1], { limit: 1000 })).toEqual([1, 1, 1]);
    // Groups that run as one need not be large.
    expect(choose([1009, 1, 1], { joins: true })).toEqual([1, 1, 1]);
    expect(choose([1009, 1, 1], { mayCut: true })).toEqual([60, 1, 1]);
    expect(choose([100, 1, 1], { mayCut: true })).toEqual([16, 1, 1]);
  });

  it('always divides the range and keeps to the limit', () => {
    for (let range = 1; range <= 5000; range += 1) {
      for (const limit of [1, 7, 256, 4096]) {
        const [x, y, z] = choose([range, 1, 1], {
          limit,
          threads: 1 + (range % 9),
          lanes: [1, 4, 8, 16][range % 4]!,
        });
        expect([range % x, y, z]).toEqual([0, 1, 1]);
        expect(x).toBeLessThanOrEqual(limit);
      }
    }
  });

  it('has the rows that run together, if they divide the range and leave room', () => {
    expect(chooseLocalSize([1024, 1024, 1], { limit: 4096, threads: 2, rows: 4 })).toEqual([64, 4, 1]);
    expect(chooseLocalSize([16, 1024, 1], { limit: 4096, threads: 2, rows: 4 })).toEqual([16, 16, 1]);
    expect(chooseLocalSize([1024, 1022, 1], { limit: 4096, threads: 2, rows: 4 })).toEqual([256, 1, 1]);
    expect(chooseLocalSize([1024, 1024, 1], { limit: 8, threads: 2, rows: 4 })).toEqual([8, 1, 1]);
    // Not for a vector that is not whole.
    expect(chooseLocalSize([16, 4, 1], { limit: 4096, threads: 2, rows: 4 })).toEqual([16, 1, 1]);
  });

  it('is a number of whole multipleOf if that is no less than half as long', () => {
    const choose = (x: number) =>
      chooseLocalSize([x, 1000, 1], { limit: 4096, threads: 2, multipleOf: 8, lanes: 8 })[0];
    // Of 1000 the largest divisor up to 256 is 250; 300 has none that is a multiple of 8.
    expect([1000, 600, 300, 240].map(choose)).toEqual([200, 200, 150, 240]);
    expect(choose(8 * 509)).toBe(8);
  });
});
