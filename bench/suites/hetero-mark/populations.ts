/** Hetero-Mark's kernels over populations: the nearest of a few means (k-means), and the fitness of creatures with 500 parameters. */
import { type BenchKernel, count, floats, int, uint } from '../../frame/bench-kernel.ts';
import { near, sample } from '../../frame/checks.ts';
import { inGroups, type ReadSource } from '../suite.ts';

const [clusters, features] = [5, 34];

function kmeans(read: ReadSource, name: string, isSwap: boolean): BenchKernel {
  return {
    name: `Hetero-Mark k-means, ${name}`,
    source: read('kmeans/cl12/kernels.cl'),
    prepare(size) {
      const points = size === 'full' ? 494_020 : 5_000;
      const values = floats(points * features, 131);
      const means = floats(clusters * features, 132);
      const nearest = (point: number): number => {
        const distances = Array.from({ length: clusters }, (_, cluster) => {
          let sum = 0;
          for (let at = 0; at < features; at += 1) {
            sum += (values[at * points + point]! - means[cluster * features + at]!) ** 2;
          }
          return sum;
        });
        return distances.indexOf(Math.min(...distances));
      };
      const shape = { global: [inGroups(points, 256)], local: [256] };
      const sizes = [points, clusters, features, 0, 0].map(int);
      return {
        size: `${points} points`,
        buffers: { values, means, nearest: 4 * points, swapped: isSwap ? 4 * points * features : 4 },
        launches: [
          isSwap
            ? {
                kernel: 'kmeans_kernel_swap',
                ...shape,
                arguments: ['values', 'swapped', int(points), int(features)],
              }
            : {
                kernel: 'kmeans_kernel_compute',
                ...shape,
                arguments: ['values', 'means', 'nearest', ...sizes],
              },
        ],
        work: isSwap
          ? { unit: 'GB/s', amount: 8 * points * features }
          : { unit: 'GFLOP/s', amount: 3 * points * clusters * features },
        check: (result) =>
          isSwap
            ? near(
                result('swapped', Float32Array),
                (index) => values[(index % points) * features + Math.floor(index / points)]!,
              )
            : near(result('nearest', Int32Array), nearest, { indices: sample(points, 5000) }),
      };
    },
  };
}

/** Sums of powers of a creature's parameters, in doubles; each power is a loop of products. */
function evolution(read: ReadSource): BenchKernel {
  return {
    name: 'Hetero-Mark evolutionary programming',
    source: read('ep/cl12/kernels.cl'),
    prepare(size) {
      const creatures = size === 'full' ? 1024 : 64;
      const variables = 500;
      const [parameters, factors] = [
        Float64Array.from(floats(creatures * (variables + 1), 133, 0.9, 1.002)),
        Float64Array.from(floats(variables, 134, -1, 1)),
      ];
      const expected = (creature: number): number => {
        let fitness = 0;
        for (let at = 0; at < variables; at += 1) {
          fitness += parameters[creature * (variables + 1) + 1 + at]! ** (at + 1) * factors[at]!;
        }
        return fitness;
      };
      return {
        size: `${count(creatures)} creatures`,
        buffers: { creatures: parameters, factors },
        restored: ['creatures'],
        launches: [
          {
            kernel: 'Evaluate_Kernel',
            global: [creatures],
            local: [64],
            arguments: ['creatures', 'factors', ...[creatures, variables].map(uint)],
          },
        ],
        work: { unit: 'GFLOP/s', amount: (creatures * variables * (variables + 3)) / 2 },
        check(result) {
          const found = result('creatures', Float64Array);
          const fitness = Float64Array.from(
            { length: creatures },
            (_, creature) => found[creature * (variables + 1)]!,
          );
          return near(fitness, expected, { tolerance: 1e-9, scale: 1 });
        },
      };
    },
  };
}

export const populations = (read: ReadSource): BenchKernel[] => [
  kmeans(read, 'distances', false),
  kmeans(read, 'rows to columns', true),
  evolution(read),
];
