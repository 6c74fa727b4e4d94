/** SHOC's GEMM: C = alpha * A * B + beta * C by column, 16 sums a work-item. */
import { type BenchKernel, float, floats, int, square } from '../../frame/bench-kernel.ts';
import { near, sample } from '../../frame/checks.ts';
import type { ReadSource } from '../suite.ts';

/** The same with so many zeros behind it. */
function padded(data: Float32Array, more: number): Float32Array {
  const all = new Float32Array(data.length + more);
  all.set(data);
  return all;
}

export function gemm(read: ReadSource): BenchKernel[] {
  return (['NN', 'NT'] as const).map((form) => ({
    name: `SHOC GEMM ${form}`,
    source: read('level1/gemm/gemmN.cl'),
    options: '-DSINGLE_PRECISION',
    prepare(size) {
      const n = size === 'full' ? 512 : 128;
      const [a, b, c] = [floats(n * n, 1), floats(n * n, 2), floats(n * n, 3)];
      const expected = (index: number): number => {
        const [row, column] = [index % n, Math.floor(index / n)];
        let sum = 0;
        for (let k = 0; k < n; k += 1) {
          sum += a[row + k * n]! * (form === 'NN' ? b[k + column * n]! : b[column + k * n]!);
        }
        return sum - c[index]!;
      };
      const scalars = [int(n), float(1), float(-1)];
      return {
        size: square(n),
        // The kernel for the transposed matrix reads four columns past the last.
        buffers: {
          a: padded(a, 4 * n),
          b: padded(b, 4 * n),
          c,
        },
        restored: ['c'],
        launches: [
          {
            kernel: `sgemm${form}`,
            global: [n / 4, n / 4],
            local: [16, 4],
            arguments: ['a', int(n), 'b', int(n), 'c', int(n), ...scalars],
          },
        ],
        work: { unit: 'GFLOP/s', amount: 2 * n ** 3 },
        check: (result) =>
          near(result('c', Float32Array), expected, { tolerance: 1e-5, scale: 10, indices: sample(n * n) }),
      };
    },
  }));
}
