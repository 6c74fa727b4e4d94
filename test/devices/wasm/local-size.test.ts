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

  it('has the rows that run together, if they divide the range and leave room', () => {
    expect(chooseLocalSize([1024, 1024, 1], 4096, 2, 4)).toEqual([64, 4, 1]);
    expect(chooseLocalSize([16, 1024, 1], 4096, 2, 4)).toEqual([16, 16, 1]);
    expect(chooseLocalSize([1024, 1022, 1], 4096, 2, 4)).toEqual([256, 1, 1]);
    expect(chooseLocalSize([1024, 1024, 1], 8, 2, 4)).toEqual([8, 1, 1]);
    expect(chooseLocalSize([16, 4, 1], 4096, 2, 4)).toEqual([4, 1, 1]);
  });
});
