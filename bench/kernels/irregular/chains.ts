/** Long chains of short launches: elimination and decomposition of small matrices, a sorting network. */
import {
  type BenchKernel,
  count,
  floats,
  int,
  type Launch,
  square,
  uint,
  wholes,
} from '../../frame/bench-kernel.ts';
import { near } from '../../frame/checks.ts';

function matrixOf(n: number, seed: number): Float32Array {
  const matrix = floats(n * n, seed);
  for (let at = 0; at < n; at += 1) matrix[at * n + at]! += n;
  return matrix;
}

const elimination: BenchKernel = {
  name: 'Gaussian elimination',
  source: `
kernel void factors(global const float *a, global float *m, int n, int step) {
  int row = get_global_id(0);
  if (row > step) m[row] = a[row * n + step] / a[step * n + step];
}
kernel void eliminate(global float *a, global const float *m, int n, int step) {
  int column = get_global_id(0), row = get_global_id(1);
  if (row > step && column >= step) a[row * n + column] -= m[row] * a[step * n + column];
}`,
  prepare(size) {
    const n = size === 'full' ? 256 : 64;
    const a = matrixOf(n, 1);
    return {
      size: square(n),
      buffers: { a, m: new Float32Array(n) },
      restored: ['a'],
      launches: Array.from({ length: n - 1 }, (_, step): Launch[] => [
        { kernel: 'factors', global: [n], local: [64], arguments: ['a', 'm', int(n), int(step)] },
        { kernel: 'eliminate', global: [n, n], local: [16, 16], arguments: ['a', 'm', int(n), int(step)] },
      ]).flat(),
      work: { unit: 'GFLOP/s', amount: (2 / 3) * n ** 3 },
      check(result) {
        const u = Float64Array.from(a);
        for (let step = 0; step < n - 1; step += 1) {
          for (let row = step + 1; row < n; row += 1) {
            const factor = u[row * n + step]! / u[step * n + step]!;
            for (let column = step; column < n; column += 1)
              u[row * n + column]! -= factor * u[step * n + column]!;
          }
        }
        return near(result('a', Float32Array), (index) => u[index]!, { tolerance: 1e-4, scale: 1 });
      },
    };
  },
};

const decomposition: BenchKernel = {
  name: 'LU, a launch a column',
  source: `
kernel void scale(global float *a, int n, int step) {
  int row = get_global_id(0);
  if (row > step && row < n) a[row * n + step] /= a[step * n + step];
}
kernel void update(global float *a, int n, int step) {
  int row = get_global_id(0);
  if (row <= step || row >= n) return;
  float factor = a[row * n + step];
  for (int column = step + 1; column < n; column++) a[row * n + column] -= factor * a[step * n + column];
}`,
  prepare(size) {
    const n = size === 'full' ? 256 : 64;
    const a = matrixOf(n, 2);
    return {
      size: square(n),
      buffers: { a },
      restored: ['a'],
      launches: Array.from({ length: n - 1 }, (_, step): Launch[] => [
        { kernel: 'scale', global: [n], local: [64], arguments: ['a', int(n), int(step)] },
        { kernel: 'update', global: [n], local: [64], arguments: ['a', int(n), int(step)] },
      ]).flat(),
      work: { unit: 'GFLOP/s', amount: (2 / 3) * n ** 3 },
      check(result) {
        const lu = Float64Array.from(a);
        for (let step = 0; step < n - 1; step += 1) {
          for (let row = step + 1; row < n; row += 1) {
            lu[row * n + step]! /= lu[step * n + step]!;
            const factor = lu[row * n + step]!;
            for (let column = step + 1; column < n; column += 1)
              lu[row * n + column]! -= factor * lu[step * n + column]!;
          }
        }
        return near(result('a', Float32Array), (index) => lu[index]!, { tolerance: 1e-4, scale: 0.1 });
      },
    };
  },
};

const mergeSort: BenchKernel = {
  name: 'odd-even merge sort',
  source: `
kernel void merge(global uint *keys, uint size, uint stride) {
  uint i = get_global_id(0);
  uint at = 2 * i - (i & (stride - 1));
  if (stride < size / 2) {
    uint offset = i & (size / 2 - 1);
    if (offset < stride) return;
    uint left = at - stride;
    uint a = keys[left], b = keys[left + stride];
    if (a > b) {
      keys[left] = b;
      keys[left + stride] = a;
    }
  } else {
    uint a = keys[at], b = keys[at + stride];
    if (a > b) {
      keys[at] = b;
      keys[at + stride] = a;
    }
  }
}`,
  prepare(size) {
    const n = size === 'full' ? 2 ** 16 : 2 ** 11;
    const keys = wholes(n, 3, 2 ** 32);
    const launches: Launch[] = [];
    for (let merged = 2; merged <= n; merged *= 2) {
      for (let stride = merged / 2; stride > 0; stride /= 2) {
        launches.push({
          kernel: 'merge',
          global: [n / 2],
          local: [64],
          arguments: ['keys', uint(merged), uint(stride)],
        });
      }
    }
    return {
      size: `${count(n)} keys`,
      buffers: { keys },
      restored: ['keys'],
      launches,
      work: { unit: 'M/s', amount: n },
      check(result) {
        const expected = keys.slice().sort();
        return near(result('keys', Uint32Array), (index) => expected[index]!);
      },
    };
  },
};

export const chains: readonly BenchKernel[] = [elimination, decomposition, mergeSort];
