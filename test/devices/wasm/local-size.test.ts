import { describe, expect, it } from 'vitest';
import { chooseLocalSize } from '../../../src/devices/wasm/local-size.ts';

describe('the local size that the device chooses', () => {
  it('is long in dimension 0 and divides the range', () => {
    expect(chooseLocalSize([1024, 1024, 1], 4096, 2)).toEqual([256, 1, 1]);
    expect(chooseLocalSize([60, 1000, 1], 4096, 2)).toEqual([60, 4, 1]);
    expect(chooseLocalSize([7, 11, 13], 4096, 2)).toEqual([7, 1, 1]);
  });

  it('leaves groups for all threads, and keeps to the limit', () => {
    expect(chooseLocalSize([256, 1, 1], 4096, 2)).toEqual([16, 1, 1]);
    expect(chooseLocalSize([1024, 1024, 1], 32, 2)).toEqual([32, 1, 1]);
  });

  it('leaves smaller groups at the end where that is allowed and better', () => {
    const choose = (global: readonly [number, number, number], limit = 4096) =>
      chooseLocalSize(global, limit, 2, 1, true);
    expect(choose([1024, 1024, 1])).toEqual([256, 1, 1]);
    // 1000003 and 1009 are primes; of the latter 4 groups hold 253 each, in whole packs 256, and 29 hold 35.
    expect(choose([1000003, 1, 1])).toEqual([256, 1, 1]);
    expect(choose([1009, 1000, 1])).toEqual([256, 1, 1]);
    expect(choose([7, 1009, 1])).toEqual([7, 35, 1]);
    expect(choose([600, 1000, 1])).toEqual([200, 1, 1]);
    expect(choose([1009, 1009, 1], 20)).toEqual([20, 1, 1]);
  });

  it('has the rows that run together, if they divide the range and leave room', () => {
    expect(chooseLocalSize([1024, 1024, 1], 4096, 2, 4)).toEqual([64, 4, 1]);
    expect(chooseLocalSize([16, 1024, 1], 4096, 2, 4)).toEqual([16, 16, 1]);
    expect(chooseLocalSize([1024, 1022, 1], 4096, 2, 4)).toEqual([256, 1, 1]);
    expect(chooseLocalSize([1024, 1024, 1], 8, 2, 4)).toEqual([8, 1, 1]);
    expect(chooseLocalSize([16, 4, 1], 4096, 2, 4)).toEqual([4, 1, 1]);
  });

  it('is a number of whole packs if that is no less than half as long', () => {
    const choose = (x: number) => chooseLocalSize([x, 1000, 1], 4096, 2, 1, false, 8)[0];
    // Of 1000 the largest divisor up to 256 is 250; 300 has none that is a multiple of 8.
    expect([1000, 600, 300, 240].map(choose)).toEqual([200, 200, 150, 240]);
    expect(choose(8 * 509)).toBe(8);
  });
});
