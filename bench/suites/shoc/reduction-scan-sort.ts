/** SHOC's sum, prefix sums and radix sort, which share their shape: 64 groups of 256 work-items, each on a block of its own. */
import { createRandom } from '../../../samples/support/random.ts';
import { type BenchKernel, count, int, type Launch, uint, wholes } from '../../frame/bench-kernel.ts';
import { near } from '../../frame/checks.ts';
import type { ReadSource } from '../suite.ts';

const [groups, group] = [64, 256];
const shape = { global: [groups * group], local: [group] };
const options = '-DSINGLE_PRECISION';

/** Whole numbers as floats, so small that all sums are exact, in whatever order. */
function smallWholes(length: number): Float32Array {
  const random = createRandom(61);
  return Float32Array.from({ length }, () => (random.below(16) === 0 ? 1 : 0));
}

function reduction(read: ReadSource): BenchKernel {
  return {
    name: 'SHOC Reduction',
    source: read('level1/reduction/reduction.cl'),
    options,
    prepare(size) {
      const n = size === 'full' ? 2 ** 24 : 2 ** 18;
      const data = smallWholes(n);
      const expected = data.reduce((sum, value) => sum + value, 0);
      return {
        size: `${count(n)} floats`,
        buffers: { data, sums: 4 * groups },
        launches: [
          { kernel: 'reduce', ...shape, arguments: ['data', 'sums', { local: 4 * group }, uint(n)] },
        ],
        work: { unit: 'GB/s', amount: 4 * n },
        check: (result) =>
          near([result('sums', Float32Array).reduce((sum, value) => sum + value, 0)], () => expected),
      };
    },
  };
}

function scan(read: ReadSource): BenchKernel {
  return {
    name: 'SHOC Scan',
    source: read('level1/scan/scan.cl'),
    options,
    prepare(size) {
      const n = size === 'full' ? 2 ** 22 : 2 ** 17;
      const data = smallWholes(n);
      return {
        size: `${count(n)} floats`,
        buffers: { data, sums: 4 * groups, out: 4 * n },
        launches: [
          { kernel: 'reduce', ...shape, arguments: ['data', 'sums', int(n), { local: 4 * group }] },
          {
            kernel: 'top_scan',
            global: [group],
            local: [group],
            arguments: ['sums', int(groups), { local: 8 * group }],
          },
          {
            kernel: 'bottom_scan',
            ...shape,
            arguments: ['data', 'sums', 'out', int(n), { local: 8 * group }],
          },
        ],
        work: { unit: 'GB/s', amount: 12 * n },
        check(result) {
          let sum = 0;
          return near(result('out', Float32Array), (index) => (sum += data[index]!));
        },
      };
    },
  };
}

function sort(read: ReadSource): BenchKernel {
  return {
    name: 'SHOC Sort',
    source: read('level1/sort/sort.cl'),
    prepare(size) {
      const n = size === 'full' ? 2 ** 20 : 2 ** 15;
      const keys = wholes(n, 62, 2 ** 32);
      const launches = (from: string, to: string, shift: number): Launch[] => [
        { kernel: 'reduce', ...shape, arguments: [from, 'sums', int(n), { local: 4 * group }, int(shift)] },
        {
          kernel: 'top_scan',
          global: [group],
          local: [group],
          arguments: ['sums', int(groups), { local: 8 * group }],
        },
        {
          kernel: 'bottom_scan',
          ...shape,
          arguments: [from, 'sums', to, int(n), { local: 8 * group }, int(shift)],
        },
      ];
      return {
        size: `${count(n)} keys`,
        buffers: { keys, other: 4 * n, sums: 4 * 16 * groups },
        restored: ['keys'],
        launches: Array.from({ length: 8 }, (_, pass) =>
          launches(pass % 2 === 0 ? 'keys' : 'other', pass % 2 === 0 ? 'other' : 'keys', 4 * pass),
        ).flat(),
        work: { unit: 'M/s', amount: n },
        check(result) {
          const expected = keys.slice().sort();
          return near(result('keys', Uint32Array), (index) => expected[index]!);
        },
      };
    },
  };
}

export function blockwise(read: ReadSource): BenchKernel[] {
  return [reduction(read), scan(read), sort(read)];
}
