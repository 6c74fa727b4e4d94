/** Products of matrices and vectors as in PolyBench, written anew: memory bound, along rows and along columns. */
import { type BenchKernel, type Data, float, floats, type Size, square } from '../../frame/bench-kernel.ts';
import { firstOf, near, sample } from '../../frame/checks.ts';
import { sumTolerance } from '../matrix-multiplication.ts';
import { dot, onMatrix, onRows } from './launches.ts';

const [alpha, beta] = [1.25, 0.75];
const vectorSize = (size: Size): number => (size === 'full' ? 4096 : 1024);

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

export const vectorProducts: readonly BenchKernel[] = [atax, bicg, gemver, gesummv, mvt];
