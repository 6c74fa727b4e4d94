/** The chunks of a launch: every work-group is in one of them, and the last are small. */
import { describe, expect, it } from 'vitest';
import {
  type Chunks,
  divideGroups,
  joinChunks,
  startOfChunk,
} from '../../../src/devices/wasm/launch-chunks.ts';

/** The work-groups of each chunk. */
function sizes(groups: number, items: number, threads: number, together = 1): number[] {
  return sizesOf(divideGroups(groups, items, threads, together));
}

function sizesOf(shape: Chunks): number[] {
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

  it('are fewer in a short launch, and those at its end are whole numbers of what they were', () => {
    const asked = divideGroups(4096, 32, 2);
    expect(sizesOf(joinChunks(asked, 2, 96_000))).toEqual([...Array(6).fill(512), ...Array(8).fill(128)]);
    expect(joinChunks(asked, 2, 100e6)).toBe(asked);
    expect(joinChunks(divideGroups(7, 256, 2, 8), 2, 30_000)).toEqual(divideGroups(7, 256, 2, 8));
  });

  it.each([1, 2, 3, 8, 100])('have every group once in a short launch, too, with %i threads', (threads) => {
    for (const groups of [1, 2, 63, 64, 65, 255, 256, 257, 449, 1000, 4099, 100_003]) {
      for (const nanoseconds of [0, 20_000, 200_000, 2e6]) {
        const all = sizesOf(joinChunks(divideGroups(groups, 64, threads, 4), threads, nanoseconds));
        const what = `${groups} groups, ${nanoseconds} ns`;
        expect(
          all.reduce((sum, one) => sum + one, 0),
          what,
        ).toBe(groups);
        expect(Math.min(...all), what).toBeGreaterThan(0);
      }
    }
  });
});
