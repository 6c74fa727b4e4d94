/** The chunks of a launch: every work-group is in one of them, and the last are small. */
import { describe, expect, it } from 'vitest';
import { divideGroups, startOfChunk } from '../../../src/devices/wasm/launch-chunks.ts';

/** The work-groups of each chunk. */
function sizes(groups: number, items: number, threads: number, together = 1): number[] {
  const shape = divideGroups(groups, items, threads, together);
  return Array.from(
    { length: shape.chunks },
    (_, chunk) => startOfChunk(chunk + 1, shape) - startOfChunk(chunk, shape),
  );
}

describe('the chunks of a launch', () => {
  it('are whole but for the last, of which there are four a thread', () => {
    expect(sizes(4096, 256, 2)).toEqual([...Array(62).fill(64), ...Array(8).fill(16)]);
  });

  it('are all alike where they have few work-items, and where one thread runs all', () => {
    expect(sizes(4096, 32, 2)).toEqual(Array(64).fill(64));
    expect(sizes(4096, 256, 1)).toEqual(Array(64).fill(64));
    expect(sizes(5, 1024, 8)).toEqual([1, 1, 1, 1, 1]);
  });

  it('hold as many groups as run together, but for less than four chunks a thread', () => {
    expect(sizes(64, 256, 2, 8)).toEqual(Array(8).fill(8));
    expect(sizes(64, 256, 4, 8)).toEqual(Array(16).fill(4));
    expect(sizes(7, 256, 2, 8)).toEqual(Array(7).fill(1));
    expect(sizes(4096, 256, 2, 8)).toEqual([...Array(62).fill(64), ...Array(8).fill(16)]);
  });

  it.each([1, 2, 3, 8, 100])('have every group once, and none is empty, with %i threads', (threads) => {
    for (const groups of [1, 2, 63, 64, 65, 255, 256, 257, 449, 1000, 4099, 100_003]) {
      const all = sizes(groups, 1024, threads);
      expect(
        all.reduce((sum, one) => sum + one, 0),
        `${groups} groups`,
      ).toBe(groups);
      expect(Math.min(...all), `${groups} groups`).toBeGreaterThan(0);
    }
  });
});
