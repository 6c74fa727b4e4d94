/**
 * Parboil's samples of magnetic resonance imaging on a grid (mri-gridding): they are counted by cell, put in the order of their cells, and
 * added to the points around them with a weight. What sorts them is in sorting.ts.
 */
import { createRandom } from '../../../samples/support/random.ts';
import { type BenchKernel, count, float, floats, int, uint } from '../../frame/bench-kernel.ts';
import { firstOf, near } from '../../frame/checks.ts';
import { definitions, inGroups, type ReadSource } from '../suite.ts';
import { kernelsOf, titleOf, type Version } from './version.ts';

export const side = 64;
export const cells = side ** 3;
const [cutoff, oversampling] = [2.5, 2];
/** A sample: two parts of its value, where it is, and its weight. */
const words = 6;
const perCell = 128;
const beta =
  Math.PI * Math.sqrt(((4 * (2 * cutoff) ** 2) / oversampling ** 2) * (oversampling - 0.5) ** 2 - 0.8);

/** The host rounds places down to points of the grid. Most are around its middle, as where a trajectory crosses often. */
export function samplesOf(samples: number) {
  const random = createRandom(291);
  const data = floats(words * samples, 292, -1, 1);
  const cellsOf = new Uint32Array(samples);
  for (let at = 0; at < samples; at += 1) {
    const place = [0, 1, 2].map(() => Math.min(Math.max(Math.floor(32 + 10 * random.bell()), 0), side - 1));
    data.set([...place, random.between(0.1, 1)], words * at + 2);
    cellsOf[at] = (place[2]! * side + place[1]!) * side + place[0]!;
  }
  return { data, cellsOf };
}

/** How many samples lie in the cells before each, and behind the last one all. */
export function startsOf(cellsOf: Uint32Array): Uint32Array {
  const starts = new Uint32Array(cells + 1);
  for (const cell of cellsOf) starts[cell + 1]! += 1;
  for (let cell = 0; cell < cells; cell += 1) starts[cell + 1]! += starts[cell]!;
  return starts;
}

// As the host prints them: constants with a point, which are doubles in the kernels.
const options = definitions({
  CUTOFF2_VAL: (cutoff ** 2).toFixed(6),
  CUTOFF_VAL: cutoff.toFixed(6),
  CEIL_CUTOFF_VAL: Math.ceil(cutoff).toFixed(6),
  GRIDSIZE_VAL1: side,
  GRIDSIZE_VAL2: side,
  GRIDSIZE_VAL3: side,
  SIZE_XY_VAL: side * side,
  ONE_OVER_CUTOFF2_VAL: (1 / cutoff ** 2).toFixed(6),
});

function binning(read: ReadSource, version: Version): BenchKernel {
  return {
    name: titleOf('mri-gridding, binning', version),
    source: kernelsOf(read, 'mri-gridding', version, ['GPU_kernels.cl']),
    options,
    prepare(size) {
      const samples = size === 'full' ? 2 ** 20 : 2 ** 14;
      const { data, cellsOf } = samplesOf(samples);
      const starts = startsOf(cellsOf);
      return {
        size: `${count(samples)} samples`,
        buffers: { data, keys: 4 * samples, values: 4 * samples, counts: new Uint32Array(cells + 1) },
        restored: ['counts'],
        launches: [
          {
            kernel: 'binning_kernel',
            global: [inGroups(samples, 1024)],
            local: [1024],
            arguments: [uint(samples), 'data', 'keys', 'values', 'counts', ...[perCell, cells].map(uint)],
          },
        ],
        work: { unit: 'M/s', amount: samples },
        check: (result) =>
          firstOf(
            near(result('keys', Uint32Array), (at) => cellsOf[at]!),
            near(result('values', Uint32Array), (at) => at),
            near(result('counts', Uint32Array), (at) => (at < cells ? starts[at + 1]! - starts[at]! : 0)),
          ),
      };
    },
  };
}

/** The window of Kaiser and Bessel with the rounded factors that the kernels have. */
function weightOf(v: number): number {
  const z = v * v;
  const factors = [
    ...[0.2105e-22, 0.3807e-19, 0.4799e-16, 0.4351e-13, 0.3009e-10, 0.1602e-7, 0.6548e-5],
    ...[0.2025e-2, 0.463, 0.7543e2, 0.8307e4, 0.5716e6, 0.2164e8, 0.3566e9, 0.144e10],
  ];
  const above = factors.reduce((sum, factor) => sum * z + factor, 0);
  return -above / (z * (z * (z - 0.307646912682801e4) + 0.347626332405882e7) - 0.144e10);
}

/** What each point of the grid gets: two parts of the sum, the sizes of what is added up to it, and the number of samples. */
function spread(data: Float32Array) {
  const [sums, sizes, counts] = [2 * cells, 2 * cells, cells].map((length) => new Float64Array(length)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const reach = Math.floor(cutoff);
  for (let at = 0; at < data.length; at += words) {
    const [re, im, x, y, z, own] = data.subarray(at, at + words) as unknown as number[];
    for (let dz = -reach; dz <= reach; dz += 1) {
      for (let dy = -reach; dy <= reach; dy += 1) {
        for (let dx = -reach; dx <= reach; dx += 1) {
          const square = dx * dx + dy * dy + dz * dz;
          const isInside = [x! + dx, y! + dy, z! + dz].every((part) => part >= 0 && part < side);
          if (square >= cutoff ** 2 || !isInside) continue;
          const cell = ((z! + dz) * side + y! + dy) * side + x! + dx;
          const weight = weightOf(beta * Math.sqrt(1 - square / cutoff ** 2)) * own!;
          for (const [part, value] of [re!, im!].entries()) {
            sums[2 * cell + part]! += weight * value;
            sizes[2 * cell + part]! += weight * Math.abs(value);
          }
          counts[cell]! += 1;
        }
      }
    }
  }
  return { sums, sizes, counts };
}

function gridding(read: ReadSource, version: Version): BenchKernel {
  return {
    name: titleOf('mri-gridding', version),
    source: kernelsOf(read, 'mri-gridding', version, ['GPU_kernels.cl']),
    options,
    prepare(size) {
      const samples = size === 'full' ? 2 ** 13 : 2 ** 10;
      const { data, cellsOf } = samplesOf(samples);
      const order = Uint32Array.from(cellsOf.keys()).sort((a, b) => cellsOf[a]! - cellsOf[b]! || a - b);
      const isTuned = version === 'nvidia';
      return {
        size: `${count(samples)} samples`,
        buffers: {
          ...{ data, order, sorted: 4 * words * samples, starts: startsOf(cellsOf) },
          ...{ sums: 8 * cells, counts: 4 * cells },
        },
        launches: [
          {
            kernel: 'reorder_kernel',
            global: [inGroups(samples, 1024)],
            local: [1024],
            // The tuned one puts values and places apart.
            arguments: [int(samples), 'order', 'data', 'sorted', ...(isTuned ? [uint(samples)] : [])],
          },
          {
            kernel: 'gridding_GPU',
            global: [side, (side * side) / 2 / (isTuned ? 4 : 1), 2],
            local: [8, 4, 2],
            arguments: [
              ...['sorted', ...(isTuned ? [uint(samples)] : [])],
              ...['starts', 'sums', 'counts', float(beta)],
            ],
          },
        ],
        work: { unit: 'M/s', amount: samples },
        check(result) {
          const { sums, sizes, counts } = spread(data);
          const found = result('sums', Float32Array);
          const relative = (of: ArrayLike<number>) => (at: number) => of[at]! / (sizes[at]! || 1);
          return firstOf(
            near(result('counts', Float32Array), (at) => counts[at]!),
            // Parts that differ in their signs almost cancel out: what is left is measured against their sizes.
            near(Float64Array.from(found.keys(), relative(found)), relative(sums), {
              tolerance: 1e-5,
              scale: 1,
            }),
          );
        },
      };
    },
  };
}

export const griddings = (read: ReadSource): BenchKernel[] => [
  binning(read, 'base'),
  gridding(read, 'base'),
  gridding(read, 'nvidia'),
];
