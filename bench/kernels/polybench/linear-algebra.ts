/**
 * Dense linear algebra as in PolyBench, written anew: chains of matrix products, products with vectors, and updates of
 * symmetric matrices. Matrices are n x n, rows one after another.
 */
import {
  type BenchKernel,
  type Data,
  float,
  floats,
  int,
  type Launch,
  type Size,
  square,
} from '../../frame/bench-kernel.ts';
import { firstOf, near, sample } from '../../frame/checks.ts';
import { productElement, sumTolerance } from '../matrix-multiplication.ts';

const [alpha, beta] = [1.25, 0.75];
const product = `
kernel void product(int n, global const float *a, global const float *b, global float *c) {
  int column = get_global_id(0), row = get_global_id(1);
  float sum = 0.0f;
  for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}`;

const matrixSize = (size: Size): number => (size === 'full' ? 1024 : 256);
const vectorSize = (size: Size): number => (size === 'full' ? 4096 : 1024);
const onMatrix = (kernel: string, n: number, ...given: Launch['arguments']): Launch => ({
  kernel,
  global: [n, n],
  local: [32, 8],
  arguments: [int(n), ...given],
});
const onRows = (kernel: string, n: number, ...given: Launch['arguments']): Launch => ({
  kernel,
  global: [n],
  local: [64],
  arguments: [int(n), ...given],
});

/** A row of the product of two matrices, in double precision. */
function productRow(a: ArrayLike<number>, b: Float32Array, n: number, row: number): Float64Array {
  const sums = new Float64Array(n);
  for (let k = 0; k < n; k += 1) {
    const factor = a[row * n + k]!;
    for (let column = 0; column < n; column += 1) sums[column]! += factor * b[k * n + column]!;
  }
  return sums;
}

/** The sum of products of a row or column of a matrix and a vector. */
function dot(length: number, a: (k: number) => number, b: (k: number) => number): number {
  let sum = 0;
  for (let k = 0; k < length; k += 1) sum += a(k) * b(k);
  return sum;
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

const atax: BenchKernel = {
  name: 'atax',
  source: `
kernel void times(int n, global const float *a, global const float *x, global float *y) {
  int row = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; k++) sum += a[row * n + k] * x[k];
  y[row] = sum;
}
kernel void transposed_times(int n, global const float *a, global const float *x, global float *y) {
  int column = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; k++) sum += a[k * n + column] * x[k];
  y[column] = sum;
}`,
  prepare(size) {
    const n = vectorSize(size);
    const [a, x] = [floats(n * n, 12), floats(n, 13)];
    return {
      size: square(n),
      buffers: { a, x, between: 4 * n, y: 4 * n },
      launches: [onRows('times', n, 'a', 'x', 'between'), onRows('transposed_times', n, 'a', 'between', 'y')],
      work: { unit: 'GB/s', amount: 8 * n * n },
      check(result) {
        const between = Float64Array.from({ length: n }, (_, row) =>
          dot(
            n,
            (k) => a[row * n + k]!,
            (k) => x[k]!,
          ),
        );
        return near(
          result('y', Float32Array),
          (column) =>
            dot(
              n,
              (k) => a[k * n + column]!,
              (k) => between[k]!,
            ),
          {
            tolerance: sumTolerance(n),
            indices: sample(n, 200),
          },
        );
      },
    };
  },
};

const bicg: BenchKernel = {
  name: 'bicg',
  source: atax.source,
  prepare(size) {
    const n = vectorSize(size);
    const [a, p, r] = [floats(n * n, 14), floats(n, 15), floats(n, 16)];
    const how = { tolerance: sumTolerance(n), indices: sample(n, 200) };
    return {
      size: square(n),
      buffers: { a, p, r, q: 4 * n, s: 4 * n },
      launches: [onRows('times', n, 'a', 'p', 'q'), onRows('transposed_times', n, 'a', 'r', 's')],
      work: { unit: 'GB/s', amount: 8 * n * n },
      check: (result) =>
        firstOf(
          near(
            result('q', Float32Array),
            (row) =>
              dot(
                n,
                (k) => a[row * n + k]!,
                (k) => p[k]!,
              ),
            how,
          ),
          near(
            result('s', Float32Array),
            (column) =>
              dot(
                n,
                (k) => a[k * n + column]!,
                (k) => r[k]!,
              ),
            how,
          ),
        ),
    };
  },
};

const mvt: BenchKernel = {
  name: 'mvt',
  source: `
kernel void add_times(int n, global const float *a, global const float *y, global float *x) {
  int row = get_global_id(0);
  for (int k = 0; k < n; k++) x[row] += a[row * n + k] * y[k];
}
kernel void add_transposed_times(int n, global const float *a, global const float *y, global float *x) {
  int column = get_global_id(0);
  for (int k = 0; k < n; k++) x[column] += a[k * n + column] * y[k];
}`,
  prepare(size) {
    const n = vectorSize(size);
    const [a, y1, y2, x1, x2] = [n * n, n, n, n, n].map((length, seed) => floats(length, 17 + seed)) as [
      Float32Array,
      Float32Array,
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    const how = { tolerance: sumTolerance(n), indices: sample(n, 200) };
    return {
      size: square(n),
      buffers: { a, y1, y2, x1, x2 },
      restored: ['x1', 'x2'],
      launches: [onRows('add_times', n, 'a', 'y1', 'x1'), onRows('add_transposed_times', n, 'a', 'y2', 'x2')],
      work: { unit: 'GB/s', amount: 8 * n * n },
      check: (result) =>
        firstOf(
          near(
            result('x1', Float32Array),
            (row) =>
              x1[row]! +
              dot(
                n,
                (k) => a[row * n + k]!,
                (k) => y1[k]!,
              ),
            how,
          ),
          near(
            result('x2', Float32Array),
            (at) =>
              x2[at]! +
              dot(
                n,
                (k) => a[k * n + at]!,
                (k) => y2[k]!,
              ),
            how,
          ),
        ),
    };
  },
};

const gesummv: BenchKernel = {
  name: 'gesummv',
  source: `
kernel void gesummv(int n, float alpha, float beta, global const float *a, global const float *b,
                    global const float *x, global float *y) {
  int row = get_global_id(0);
  float first = 0.0f, second = 0.0f;
  for (int k = 0; k < n; k++) {
    first += a[row * n + k] * x[k];
    second += b[row * n + k] * x[k];
  }
  y[row] = alpha * first + beta * second;
}`,
  prepare(size) {
    const n = vectorSize(size);
    const [a, b, x] = [floats(n * n, 22), floats(n * n, 23), floats(n, 24)];
    const times = (matrix: Data, row: number) =>
      dot(
        n,
        (k) => matrix[row * n + k]!,
        (k) => x[k]!,
      );
    return {
      size: square(n),
      buffers: { a, b, x, y: 4 * n },
      launches: [onRows('gesummv', n, float(alpha), float(beta), 'a', 'b', 'x', 'y')],
      work: { unit: 'GB/s', amount: 8 * n * n },
      check: (result) =>
        near(result('y', Float32Array), (row) => alpha * times(a, row) + beta * times(b, row), {
          tolerance: sumTolerance(n),
          indices: sample(n, 200),
        }),
    };
  },
};

const gemver: BenchKernel = {
  name: 'gemver',
  source: `
kernel void add_outer(int n, global float *a, global const float *u1, global const float *v1,
                      global const float *u2, global const float *v2) {
  int column = get_global_id(0), row = get_global_id(1);
  a[row * n + column] += u1[row] * v1[column] + u2[row] * v2[column];
}
kernel void first(int n, float beta, global const float *a, global const float *y, global const float *z,
                  global float *x) {
  int column = get_global_id(0);
  float sum = z[column];
  for (int k = 0; k < n; k++) sum += beta * a[k * n + column] * y[k];
  x[column] = sum;
}
kernel void second(int n, float alpha, global const float *a, global const float *x, global float *w) {
  int row = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; k++) sum += alpha * a[row * n + k] * x[k];
  w[row] = sum;
}`,
  prepare(size) {
    const n = size === 'full' ? 2048 : 512;
    const a = floats(n * n, 25);
    const [u1, v1, u2, v2, y, z] = [26, 27, 28, 29, 30, 31].map((seed) => floats(n, seed)) as [
      Float32Array,
      Float32Array,
      Float32Array,
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    const at = (row: number, column: number) =>
      a[row * n + column]! + u1[row]! * v1[column]! + u2[row]! * v2[column]!;
    return {
      size: square(n),
      buffers: { a, u1, v1, u2, v2, y, z, x: 4 * n, w: 4 * n },
      restored: ['a'],
      launches: [
        onMatrix('add_outer', n, 'a', 'u1', 'v1', 'u2', 'v2'),
        onRows('first', n, float(beta), 'a', 'y', 'z', 'x'),
        onRows('second', n, float(alpha), 'a', 'x', 'w'),
      ],
      work: { unit: 'GB/s', amount: 16 * n * n },
      check(result) {
        const x = Float64Array.from(
          { length: n },
          (_, column) =>
            z[column]! +
            beta *
              dot(
                n,
                (k) => at(k, column),
                (k) => y[k]!,
              ),
        );
        return near(
          result('w', Float32Array),
          (row) =>
            alpha *
            dot(
              n,
              (k) => at(row, k),
              (k) => x[k]!,
            ),
          {
            tolerance: sumTolerance(2 * n),
            indices: sample(n, 200),
          },
        );
      },
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

export const linearAlgebra: readonly BenchKernel[] = [
  twoProducts,
  threeProducts,
  atax,
  bicg,
  doitgen,
  gemm,
  gemver,
  gesummv,
  mvt,
  syr2k,
  syrk,
];
