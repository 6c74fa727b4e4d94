/** Ranges cut into parts and pieces: together they are the range, each group once. */
import { describe, expect, test } from 'vitest';
import { Cost, learn, wantedTime } from '../../../src/devices/webgpu/launch-costs.ts';
import { cutPart, groupsIn, type Part, partsOf } from '../../../src/devices/webgpu/launch-parts.ts';

/** Every group of the parts, sorted. */
function groupsOf(parts: readonly Part[]): string[] {
  return parts
    .flatMap(({ firstGroup: [x0, y0, z0], groups: [x1, y1, z1], local, row }) => {
      const all: string[] = [];
      for (let z = 0; z < z1!; z += 1) {
        for (let y = 0; y < y1!; y += 1) {
          const [along, down] = row > 0 ? [y * row, 0] : [0, y];
          for (let x = 0; x < x1!; x += 1) {
            all.push(`${x0! + x + along} ${y0! + down} ${z0! + z} of ${local.join(' ')}`);
          }
        }
      }
      return all;
    })
    .sort();
}

describe('parts', () => {
  test('groups that are cut off at the end are parts of their own', () => {
    expect(partsOf([10, 1, 1], [4, 1, 1])).toEqual([
      { firstGroup: [0, 0, 0], groups: [2, 1, 1], local: [4, 1, 1], row: 0 },
      { firstGroup: [2, 0, 0], groups: [1, 1, 1], local: [2, 1, 1], row: 0 },
    ]);
  });

  test('no dimension has more groups than WebGPU takes', () => {
    const parts = partsOf([200_000, 2, 1], [1, 1, 1]);
    expect(parts.map(({ groups }) => groups[0])).toEqual([65535, 65535, 65535, 3395]);
  });

  test.each([
    [65_536 * 2, 2],
    [100_000 * 2, 2],
    [100_001 * 2 + 1, 2],
  ])('a line of %i work-items in groups of %i lies in rows', (size, local) => {
    const parts = partsOf([size, 1, 1], [local, 1, 1]);
    expect(parts.every(({ groups }) => groups.every((count) => count <= 65535))).toBe(true);
    expect(parts.length).toBeLessThanOrEqual(3);
    const all = parts.flatMap((part) => {
      const pieces: Part[] = [];
      const left = [part];
      while (left.length > 0) {
        const [first, ...rest] = cutPart(left.shift()!, 40_000);
        pieces.push(first);
        left.unshift(...rest);
      }
      return pieces;
    });
    const whole = Math.floor(size / local);
    const expected = Array.from({ length: whole }, (_, group) => `${group} 0 0 of ${local} 1 1`);
    if (size % local > 0) expected.push(`${whole} 0 0 of ${size % local} 1 1`);
    expect(groupsOf(all)).toEqual(expected.sort());
  });

  test.each([
    [[7, 5, 3], 1],
    [[7, 5, 3], 4],
    [[7, 5, 3], 20],
    [[7, 5, 3], 70],
    [[7, 5, 3], 1000],
    [[1, 1, 9], 2],
    [[100, 1, 1], 33],
  ])('a range of %j groups in pieces of at most %i', (groups, most) => {
    const part: Part = { firstGroup: [3, 2, 1], groups, local: [1, 1, 1], row: 0 };
    const pieces: Part[] = [];
    const left = [part];
    while (left.length > 0) {
      const [first, ...rest] = cutPart(left.shift()!, most);
      expect(groupsIn(first)).toBeLessThanOrEqual(most);
      pieces.push(first);
      left.unshift(...rest);
    }
    expect(groupsOf(pieces)).toEqual(groupsOf([part]));
  });
});

describe('costs', () => {
  test('a kernel that has not run is tried with a piece, and then with more', () => {
    const cost = new Cost();
    const first = cost.mostGroups;
    expect(first).toBeLessThan(10_000);
    learn([{ cost, groups: first }], 1e5);
    expect(cost.mostGroups).toBeGreaterThan(first);
  });

  test('pieces take about as long as is wanted, whatever a group costs', () => {
    for (const perGroup of [1e3, 1e6, 5e8]) {
      const cost = new Cost();
      for (let round = 0; round < 12; round += 1) {
        const groups = cost.mostGroups;
        learn([{ cost, groups }], groups * perGroup);
      }
      const time = cost.mostGroups * perGroup;
      expect(time).toBeLessThanOrEqual(Math.max(perGroup, wantedTime * 1.1));
      expect(time).toBeGreaterThan(Math.min(perGroup, wantedTime) / 4);
    }
  });

  test('what others of the submission cost is taken off', () => {
    const [known, unknown] = [new Cost(), new Cost()];
    learn([{ cost: known, groups: 100 }], 1e6);
    learn(
      [
        { cost: known, groups: 100 },
        { cost: unknown, groups: 10 },
      ],
      3e6,
    );
    expect(unknown.perGroup).toBe(2e5);
  });
});
