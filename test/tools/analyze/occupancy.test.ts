/** Occupancy by work-groups, with values worked out by hand from 256 registers, 32 wavefronts and 16 KiB a SIMD engine. */
import { describe, expect, it } from 'vitest';
import { chips } from '../../../src/codegen/r600/chips.ts';
import { groupOccupancy } from '../../../src/model/group-occupancy.ts';
import { analyze } from '../../../src/tools/analyze/analysis.ts';
import { occupancyChartsSvg, occupancyOf, occupancyText } from '../../../src/tools/analyze/occupancy.ts';

const rv770 = chips.get('RV770')!;
const rv610 = chips.get('RV610')!;

describe('the occupancy of a SIMD engine', () => {
  it.each([
    // One wavefront a group, few registers: the limit is the engine's own.
    [
      { registers: 4, groupSize: 64, localBytes: 0 },
      { perGroup: 1, groups: 32, wavefronts: 32, limit: 'wavefronts' },
    ],
    // 256 / 20 = 12 wavefronts; groups of 4 make 3.
    [
      { registers: 20, groupSize: 256, localBytes: 0 },
      { perGroup: 4, groups: 3, wavefronts: 12, limit: 'registers' },
    ],
    // 256 / 18 = 14 wavefronts; groups of 4 make 3, and two places stay empty.
    [
      { registers: 18, groupSize: 256, localBytes: 0 },
      { perGroup: 4, groups: 3, wavefronts: 12, limit: 'registers' },
    ],
    // 16384 / 5000 = 3 groups of one wavefront.
    [
      { registers: 4, groupSize: 64, localBytes: 5000 },
      { perGroup: 1, groups: 3, wavefronts: 3, limit: 'local memory' },
    ],
    // A group of 65 work-items takes two wavefronts.
    [
      { registers: 4, groupSize: 65, localBytes: 0 },
      { perGroup: 2, groups: 16, wavefronts: 32, limit: 'wavefronts' },
    ],
    // 256 / 124 = 2 wavefronts, and the group has four: it never fits.
    [
      { registers: 124, groupSize: 256, localBytes: 0 },
      { perGroup: 4, groups: 0, wavefronts: 0, limit: 'registers' },
    ],
  ] as const)('of %o', (needs, expected) => {
    expect(groupOccupancy(needs, rv770)).toEqual({ ...expected, fraction: expected.wavefronts / 32 });
  });

  it('counts in the wavefronts of the chip', () => {
    expect(groupOccupancy({ registers: 4, groupSize: 64, localBytes: 0 }, rv610).perGroup).toBe(4);
  });

  it('is charted along three axes, with the place of the kernel', () => {
    const source = `kernel __attribute__((reqd_work_group_size(16, 16, 1))) void turn(global const float *in, global float *out) {
      local float tile[16][16];
      int x = get_local_id(0), y = get_local_id(1);
      tile[y][x] = in[get_global_id(1) * 256 + get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(1) * 256 + get_global_id(0)] = tile[x][y];
    }`;
    const [kernel] = analyze(source, { name: 'turn.cl' }).kernels;
    const found = occupancyOf(kernel!)!;
    // 16 x 16 work-items are 4 wavefronts; 1024 bytes fit 16 times, registers and the engine allow 8.
    expect(found.needs).toMatchObject({ groupSize: 256, localBytes: 1024 });
    expect(found.own).toMatchObject({ perGroup: 4, groups: 8, wavefronts: 32 });
    expect(found.along.localBytes.find(({ at }) => at === 16384)!.occupancy).toMatchObject({
      groups: 1,
      wavefronts: 4,
    });
    const text = occupancyText(found);
    expect(text).toMatch(
      /^occupancy of turn on RV770: 32 of 32 wavefronts a SIMD engine \(100%\), 8 groups of 4/,
    );
    expect(text.match(/^>/gm)).toHaveLength(3);
    const svg = occupancyChartsSvg(found);
    expect(svg.match(/<polyline/g)).toHaveLength(3);
    expect(svg).not.toMatch(/NaN|undefined/);
  });
});
