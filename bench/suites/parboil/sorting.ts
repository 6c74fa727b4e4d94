/** How Parboil's mri-gridding sorts samples: by four bits at a time, with prefix sums over the counts of all groups, which are also measured alone. */
import { type BenchKernel, count, int, type Launch, uint, wholes } from '../../frame/bench-kernel.ts';
import { firstOf, near } from '../../frame/checks.ts';
import { inGroups, type ReadSource } from '../suite.ts';
import { cells, samplesOf } from './gridding.ts';
import { kernelsOf } from './version.ts';

const block = 1024;

/** Sizes of the sums of whole blocks: of the choices of the suite's host the one with the least memory, and of these the last. */
function sumsOf(elements: number): { group: number; length: number } {
  const blocks = Math.ceil(elements / block);
  let best = { group: block, length: blocks * block };
  for (let group = 128; group <= block; group *= 2) {
    let length = group;
    while (length < blocks) length *= group;
    if (length <= best.length) best = { group, length };
  }
  return best;
}

/** Between two kernels the host sets a sum to zero. A launch stands for that here. */
const clear = '__kernel void set_to_zero(__global uint *words, uint at) { words[at] = 0; }';

/** Prefix sums of `data`; `sums` must be zeros. */
function scanOf(data: string, elements: number, sums: string): Launch[] {
  const { group, length } = sumsOf(elements);
  const isOfBlocks = { global: [inGroups(elements, block) / 2], local: [block / 2] };
  const onBlocks = [uint(elements), data, uint(0), sums, uint(0)];
  const up: Launch[] = [];
  for (let left = length, stride = 1; left > 1; left /= group, stride *= group) {
    up.push({
      kernel: 'scan_inter1_kernel',
      global: [left / 2],
      local: [group / 2],
      arguments: [sums, uint(stride)],
    });
  }
  return [
    { kernel: 'scan_L1_kernel', ...isOfBlocks, arguments: onBlocks },
    ...up,
    { kernel: 'set_to_zero', global: [1], local: [1], arguments: [sums, uint(length - 1)] },
    ...up.toReversed().map((launch) => ({ ...launch, kernel: 'scan_inter2_kernel' })),
    { kernel: 'uniformAdd', ...isOfBlocks, arguments: onBlocks },
  ];
}

/** In words, four times what is needed, as the host has it. */
const options = `-D DYN_LOCAL_MEM_SIZE=${4 * (block + block / 16 + block / 256)}`;

function scan(read: ReadSource): BenchKernel {
  return {
    name: 'Parboil mri-gridding, prefix sums',
    source: `${kernelsOf(read, 'mri-gridding', 'base', ['scanLargeArray.cl'])}\n${clear}`,
    options,
    prepare(size) {
      const n = (size === 'full' ? 2 ** 22 : 2 ** 16) + 1;
      const data = wholes(n, 301, 100);
      return {
        size: `${n} words`,
        buffers: { data, sums: new Uint32Array(sumsOf(n).length) },
        restored: ['data', 'sums'],
        launches: scanOf('data', n, 'sums'),
        work: { unit: 'GB/s', amount: 16 * n },
        check(result) {
          let sum = 0;
          return near(result('data', Uint32Array), (at) => {
            const before = sum;
            sum += data[at]!;
            return before;
          });
        },
      };
    },
  };
}

const bits = 4;

function sort(read: ReadSource): BenchKernel {
  return {
    name: 'Parboil mri-gridding, sort',
    source: `${kernelsOf(read, 'mri-gridding', 'base', ['sort.cl', 'scanLargeArray.cl'])}\n${clear}`,
    options,
    prepare(size) {
      const n = size === 'full' ? 2 ** 17 : 2 ** 13;
      const passes = Math.ceil((Math.floor(Math.log2(cells + 1)) + 1) / bits);
      const keys = samplesOf(n).cellsOf;
      const values = Uint32Array.from(keys.keys());
      const order = values.slice().sort((a, b) => keys[a]! - keys[b]! || a - b);
      const groups = n / block;
      const elements = groups * 2 ** bits;
      const shape = { global: [n / 4], local: [block / 4] };
      const launches = Array.from({ length: passes }, (_, pass): Launch[] => {
        const [from, to] = pass % 2 === 0 ? ['', 'Sorted'] : ['Sorted', ''];
        return [
          {
            kernel: 'splitSort',
            ...shape,
            arguments: [int(n), int(pass), `keys${from}`, `values${from}`, 'counts'],
          },
          ...scanOf('counts', elements, `sums${pass}`),
          {
            kernel: 'splitRearrange',
            ...shape,
            arguments: [
              ...[int(n), int(pass), `keys${from}`, `keys${to}`],
              ...[`values${from}`, `values${to}`, 'counts'],
            ],
          },
        ];
      }).flat();
      // The host makes new sums for each of the scans.
      const sums = Array.from({ length: passes }, (_, pass) => [
        `sums${pass}`,
        new Uint32Array(sumsOf(elements).length),
      ]);
      const last = passes % 2 === 0 ? '' : 'Sorted';
      return {
        size: `${count(n)} keys`,
        buffers: {
          ...{ keys, values, keysSorted: 4 * n, valuesSorted: 4 * n, counts: 4 * elements },
          ...(Object.fromEntries(sums) as Record<string, Uint32Array>),
        },
        restored: ['keys', 'values', ...sums.map(([name]) => name as string)],
        launches,
        work: { unit: 'M/s', amount: n },
        check: (result) =>
          firstOf(
            near(result(`keys${last}`, Uint32Array), (at) => keys[order[at]!]!),
            near(result(`values${last}`, Uint32Array), (at) => order[at]!),
          ),
      };
    },
  };
}

export const sorting = (read: ReadSource): BenchKernel[] => [sort(read), scan(read)];
