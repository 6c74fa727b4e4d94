/**
 * Products of matrices as in PolyBench, written anew: chains of them, and updates of symmetric matrices. Matrices are
 * n x n, rows one after another.
 */
import { type BenchKernel, float, floats, int, type Size, square } from '../../frame/bench-kernel.ts';
import { firstOf, near, sample } from '../../frame/checks.ts';
import { productElement, sumTolerance } from '../matrix-multiplication.ts';
import { dot, onMatrix } from './launches.ts';

const [alpha, beta] = [1.25, 0.75];
const product = `
kernel void product(int n, global const float *a, global const float *b, global float *c) {
  int column = get_global_id(0), row = get_global_id(1);
  float sum = 0.0f;
  for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}`;

const matrixSize = (size: Size): number => (size === 'full' ? 1024 : 256);
/** A row of the product of two matrices, in double precision. */
function productRow(a: ArrayLike<number>, b: Float32Array, n: number, row: number): Float64Array {
  const sums = new Float64Array(n);
  for (let k = 0; k < n; k += 1) {
    const factor = a[row * n + k]!;
    for (let column = 0; column < n; column += 1) sums[column]! += factor * b[k * n + column]!;
  }
  return sums;
}

const twoProducts: BenchKernel = {
  name: '2mm',
  source: `${product}
kernel void last(int n, float beta, global const float *a, global const float *b, global float *c) {
  int column = get_global_id(0), row = get_global_id(1);
  float sum = c[row * n + column] * beta;
  for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}`,
  prepare(size) {
    const n = matrixSize(size);
    const [a, b, c, d] = [1, 2, 3, 4].map((seed) => floats(n * n, seed)) as [
      Float32Array,
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    const rows = [0, 1, n >> 1, n - 1];
    return {
      size: square(n),
      buffers: { a, b, c, d, between: 4 * n * n },
      restored: ['d'],
      launches: [
        onMatrix('product', n, 'a', 'b', 'between'),
        onMatrix('last', n, float(beta), 'between', 'c', 'd'),
      ],
      work: { unit: 'GFLOP/s', amount: 4 * n ** 3 },
      check(result) {
        const found = result('d', Float32Array);
        return firstOf(
          ...rows.map((row) => {
            const expected = productRow(productRow(a, b, n, row), c, n, 0);
            return near(
              found.subarray(row * n, row * n + n),
              (at) => expected[at]! + beta * d[row * n + at]!,
              {
                tolerance: sumTolerance(2 * n),
              },
            );
          }),
        );
      },
    };
  },
};

const threeProducts: BenchKernel = {
  name: '3mm',
  source: product,
  prepare(size) {
    const n = matrixSize(size);
    const [a, b, c, d] = [5, 6, 7, 8].map((seed) => floats(n * n, seed)) as [
      Float32Array,
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    // (A B)(C D) = ((A B) C) D: a row of it needs no whole matrix.
    const rows = [0, 1, n >> 1, n - 1];
    return {
      size: square(n),
      buffers: { a, b, c, d, e: 4 * n * n, f: 4 * n * n, g: 4 * n * n },
      launches: [
        onMatrix('product', n, 'a', 'b', 'e'),
        onMatrix('product', n, 'c', 'd', 'f'),
        onMatrix('product', n, 'e', 'f', 'g'),
      ],
      work: { unit: 'GFLOP/s', amount: 6 * n ** 3 },
      check(result) {
        const found = result('g', Float32Array);
        return firstOf(
          ...rows.map((row) => {
            const expected = productRow(productRow(productRow(a, b, n, row), c, n, 0), d, n, 0);
            return near(found.subarray(row * n, row * n + n), (at) => expected[at]!, {
              tolerance: sumTolerance(3 * n),
            });
          }),
        );
      },
    };
  },
};

const gemm: BenchKernel = {
  name: 'gemm',
  source: `
kernel void gemm(int n, float alpha, float beta, global const float *a, global const float *b, global float *c) {
  int column = get_global_id(0), row = get_global_id(1);
  float sum = c[row * n + column] * beta;
  for (int k = 0; k < n; k++) sum += alpha * a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}`,
  prepare(size) {
    const n = matrixSize(size);
    const [a, b, c] = [floats(n * n, 9), floats(n * n, 10), floats(n * n, 11)];
    return {
      size: square(n),
      buffers: { a, b, c },
      restored: ['c'],
      launches: [onMatrix('gemm', n, float(alpha), float(beta), 'a', 'b', 'c')],
      work: { unit: 'GFLOP/s', amount: 3 * n ** 3 },
      check: (result) =>
        near(result('c', Float32Array), (at) => alpha * productElement(a, b, n, at) + beta * c[at]!, {
          tolerance: sumTolerance(n),
          indices: sample(n * n),
        }),
    };
  },
};

const syrk: BenchKernel = {
  name: 'syrk',
  source: `
kernel void syrk(int n, float alpha, float beta, global const float *a, global float *c) {
  int column = get_global_id(0), row = get_global_id(1);
  float sum = c[row * n + column] * beta;
  for (int k = 0; k < n; k++) sum += alpha * a[row * n + k] * a[column * n + k];
  c[row * n + column] = sum;
}`,
  prepare(size) {
    const n = matrixSize(size);
    const [a, c] = [floats(n * n, 32), floats(n * n, 33)];
    const rows = (i: number, j: number) =>
      dot(
        n,
        (k) => a[i * n + k]!,
        (k) => a[j * n + k]!,
      );
    return {
      size: square(n),
      buffers: { a, c },
      restored: ['c'],
      launches: [onMatrix('syrk', n, float(alpha), float(beta), 'a', 'c')],
      work: { unit: 'GFLOP/s', amount: 3 * n ** 3 },
      check: (result) =>
        near(result('c', Float32Array), (at) => beta * c[at]! + alpha * rows(Math.floor(at / n), at % n), {
          tolerance: sumTolerance(n),
          indices: sample(n * n),
        }),
    };
  },
};

const syr2k: BenchKernel = {
  name: 'syr2k',
  source: `
kernel void syr2k(int n, float alpha, float beta, global const float *a, global const float *b, global float *c) {
  int column = get_global_id(0), row = get_global_id(1);
  float sum = c[row * n + column] * beta;
  for (int k = 0; k < n; k++) {
    sum += alpha * a[row * n + k] * b[column * n + k];
    sum += alpha * b[row * n + k] * a[column * n + k];
  }
  c[row * n + column] = sum;
}`,
  prepare(size) {
    const n = matrixSize(size);
    const [a, b, c] = [floats(n * n, 34), floats(n * n, 35), floats(n * n, 36)];
    const rows = (x: Float32Array, i: number, y: Float32Array, j: number) =>
      dot(
        n,
        (k) => x[i * n + k]!,
        (k) => y[j * n + k]!,
      );
    const expected = (at: number): number => {
      const [i, j] = [Math.floor(at / n), at % n];
      return beta * c[at]! + alpha * (rows(a, i, b, j) + rows(b, i, a, j));
    };
    return {
      size: square(n),
      buffers: { a, b, c },
      restored: ['c'],
      launches: [onMatrix('syr2k', n, float(alpha), float(beta), 'a', 'b', 'c')],
      work: { unit: 'GFLOP/s', amount: 6 * n ** 3 },
      check: (result) =>
        near(result('c', Float32Array), expected, { tolerance: sumTolerance(2 * n), indices: sample(n * n) }),
    };
  },
};

const doitgen: BenchKernel = {
  name: 'doitgen',
  source: `
kernel void doitgen(int n, global const float *a, global const float *c4, global float *sums) {
  int p = get_global_id(0), q = get_global_id(1), r = get_global_id(2);
  float sum = 0.0f;
  for (int s = 0; s < n; s++) sum += a[(r * n + q) * n + s] * c4[s * n + p];
  sums[(r * n + q) * n + p] = sum;
}`,
  prepare(size) {
    const n = size === 'full' ? 192 : 64;
    const [a, c4] = [floats(n ** 3, 37), floats(n * n, 38)];
    return {
      size: `${n} x ${n} x ${n}`,
      buffers: { a, c4, sums: 4 * n ** 3 },
      launches: [
        { kernel: 'doitgen', global: [n, n, n], local: [32, 4, 1], arguments: [int(n), 'a', 'c4', 'sums'] },
      ],
      work: { unit: 'GFLOP/s', amount: 2 * n ** 4 },
      check: (result) =>
        near(
          result('sums', Float32Array),
          (at) =>
            dot(
              n,
              (s) => a[Math.floor(at / n) * n + s]!,
              (s) => c4[s * n + (at % n)]!,
            ),
          { tolerance: sumTolerance(n), indices: sample(n ** 3) },
        ),
    };
  },
};

export const matrixProducts: readonly BenchKernel[] = [
  twoProducts,
  threeProducts,
  doitgen,
  gemm,
  syr2k,
  syrk,
];
