/** Statistics and decompositions as in PolyBench, written anew: many launches, of less and less work. */
import { type BenchKernel, floats, int, type Launch, square } from '../../frame/bench-kernel.ts';
import { near, sample } from '../../frame/checks.ts';
import { onMatrix, onRows } from './launches.ts';

/** Kernels that both statistics share: n samples of n variables, a sample a row. */
const moments = `
kernel void means(int n, global const float *data, global float *mean) {
  int column = get_global_id(0);
  float sum = 0.0f;
  for (int row = 0; row < n; row++) sum += data[row * n + column];
  mean[column] = sum / n;
}
kernel void deviations(int n, global const float *data, global const float *mean, global float *deviation) {
  int column = get_global_id(0);
  float sum = 0.0f;
  for (int row = 0; row < n; row++) {
    float off = data[row * n + column] - mean[column];
    sum += off * off;
  }
  deviation[column] = sqrt(sum / n);
}
kernel void centre(int n, global const float *data, global const float *mean, global float *centred) {
  int column = get_global_id(0), row = get_global_id(1);
  centred[row * n + column] = data[row * n + column] - mean[column];
}
kernel void standardise(int n, global const float *data, global const float *mean,
                        global const float *deviation, global float *centred) {
  int column = get_global_id(0), row = get_global_id(1);
  centred[row * n + column] = (data[row * n + column] - mean[column]) / (sqrt((float)n) * deviation[column]);
}
kernel void products(int n, float scale, global const float *centred, global float *out) {
  int i = get_global_id(0), j = get_global_id(1);
  if (i < j) return;
  float sum = 0.0f;
  for (int row = 0; row < n; row++) sum += centred[row * n + i] * centred[row * n + j];
  out[j * n + i] = sum * scale;
  out[i * n + j] = sum * scale;
}`;

/** Mean, deviation and products of columns, in double precision. */
function columnFacts(data: Float32Array, n: number) {
  const mean = (column: number): number => {
    let sum = 0;
    for (let row = 0; row < n; row += 1) sum += data[row * n + column]!;
    return sum / n;
  };
  const product = (i: number, j: number): number => {
    const [a, b] = [mean(i), mean(j)];
    let sum = 0;
    for (let row = 0; row < n; row += 1) sum += (data[row * n + i]! - a) * (data[row * n + j]! - b);
    return sum;
  };
  return { product };
}

const covariance: BenchKernel = {
  name: 'covariance',
  source: moments,
  prepare(size) {
    const n = size === 'full' ? 1024 : 256;
    const data = floats(n * n, 50);
    const { product } = columnFacts(data, n);
    return {
      size: square(n),
      buffers: { data, mean: 4 * n, centred: 4 * n * n, out: 4 * n * n },
      launches: [
        onRows('means', n, 'data', 'mean'),
        onMatrix('centre', n, 'data', 'mean', 'centred'),
        onMatrix('products', n, Float32Array.of(1 / (n - 1)), 'centred', 'out'),
      ],
      work: { unit: 'GFLOP/s', amount: n ** 3 },
      check: (result) =>
        near(result('out', Float32Array), (at) => product(at % n, Math.floor(at / n)) / (n - 1), {
          tolerance: 1e-4,
          scale: 0.1,
          indices: sample(n * n, 200),
        }),
    };
  },
};

const correlation: BenchKernel = {
  name: 'correlation',
  source: moments,
  prepare(size) {
    const n = size === 'full' ? 1024 : 256;
    const data = floats(n * n, 51);
    const { product } = columnFacts(data, n);
    const expected = (at: number): number => {
      const [i, j] = [at % n, Math.floor(at / n)];
      return product(i, j) / Math.sqrt(product(i, i) * product(j, j));
    };
    return {
      size: square(n),
      buffers: { data, mean: 4 * n, deviation: 4 * n, centred: 4 * n * n, out: 4 * n * n },
      launches: [
        onRows('means', n, 'data', 'mean'),
        onRows('deviations', n, 'data', 'mean', 'deviation'),
        onMatrix('standardise', n, 'data', 'mean', 'deviation', 'centred'),
        onMatrix('products', n, Float32Array.of(1), 'centred', 'out'),
      ],
      work: { unit: 'GFLOP/s', amount: n ** 3 },
      check: (result) =>
        near(result('out', Float32Array), expected, {
          tolerance: 1e-4,
          scale: 1,
          indices: sample(n * n, 200),
        }),
    };
  },
};

const lu: BenchKernel = {
  name: 'lu',
  source: `
kernel void row_of(int n, global float *a, int k) {
  int column = get_global_id(0);
  if (column > k) a[k * n + column] /= a[k * n + k];
}
kernel void rest(int n, global float *a, int k) {
  int column = get_global_id(0), row = get_global_id(1);
  if (column > k && row > k) a[row * n + column] -= a[row * n + k] * a[k * n + column];
}`,
  prepare(size) {
    const n = size === 'full' ? 512 : 128;
    const a = floats(n * n, 52);
    // A large diagonal: no pivots are needed.
    for (let at = 0; at < n * n; at += n + 1) a[at]! += n;
    return {
      size: square(n),
      buffers: { a },
      restored: ['a'],
      launches: Array.from({ length: n - 1 }, (_, k): Launch[] => [
        onRows('row_of', n, 'a', int(k)),
        onMatrix('rest', n, 'a', int(k)),
      ]).flat(),
      work: { unit: 'GFLOP/s', amount: (2 * n ** 3) / 3 },
      check(result) {
        const right = Float64Array.from(a);
        for (let k = 0; k < n - 1; k += 1) {
          for (let column = k + 1; column < n; column += 1) right[k * n + column]! /= right[k * n + k]!;
          for (let row = k + 1; row < n; row += 1) {
            const factor = right[row * n + k]!;
            for (let column = k + 1; column < n; column += 1) {
              right[row * n + column]! -= factor * right[k * n + column]!;
            }
          }
        }
        return near(result('a', Float32Array), (at) => right[at]!, { tolerance: 1e-4, scale: 0.1 });
      },
    };
  },
};

const gramSchmidt: BenchKernel = {
  name: 'gramschmidt',
  source: `
// The norm of column k, by one work-group.
kernel void norm(int n, global const float *a, global float *r, int k) {
  local float part[64];
  int l = get_local_id(0);
  float sum = 0.0f;
  for (int row = l; row < n; row += 64) sum += a[row * n + k] * a[row * n + k];
  part[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 32; step > 0; step /= 2) {
    if (l < step) part[l] += part[l + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) r[k * n + k] = sqrt(part[0]);
}
kernel void direction(int n, global const float *a, global const float *r, global float *q, int k) {
  int row = get_global_id(0);
  q[row * n + k] = a[row * n + k] / r[k * n + k];
}
kernel void project(int n, global float *a, global float *r, global const float *q, int k) {
  int column = get_global_id(0);
  if (column <= k) return;
  float sum = 0.0f;
  for (int row = 0; row < n; row++) sum += q[row * n + k] * a[row * n + column];
  r[k * n + column] = sum;
  for (int row = 0; row < n; row++) a[row * n + column] -= q[row * n + k] * sum;
}`,
  prepare(size) {
    const n = size === 'full' ? 512 : 128;
    const a = floats(n * n, 53);
    for (let at = 0; at < n * n; at += n + 1) a[at]! += 8;
    return {
      size: square(n),
      buffers: { a, r: new Float32Array(n * n), q: new Float32Array(n * n) },
      restored: ['a', 'r', 'q'],
      launches: Array.from({ length: n }, (_, k): Launch[] => [
        { kernel: 'norm', global: [64], local: [64], arguments: [int(n), 'a', 'r', int(k)] },
        onRows('direction', n, 'a', 'r', 'q', int(k)),
        onRows('project', n, 'a', 'r', 'q', int(k)),
      ]).flat(),
      work: { unit: 'GFLOP/s', amount: 2 * n ** 3 },
      check(result) {
        // Q R gives the matrix back, whatever was rounded on the way.
        const [q, r] = [result('q', Float32Array), result('r', Float32Array)];
        const product = (at: number): number => {
          const [row, column] = [Math.floor(at / n), at % n];
          let sum = 0;
          for (let k = 0; k <= column; k += 1) sum += q[row * n + k]! * r[k * n + column]!;
          return sum;
        };
        const found = Float64Array.from({ length: n * n }, (_, at) => product(at));
        const lengthOf = (column: number): number => {
          let sum = 0;
          for (let row = 0; row < n; row += 1) sum += q[row * n + column]! ** 2;
          return sum;
        };
        return (
          near(found, (at) => a[at]!, { tolerance: 1e-3, scale: 1 }) ??
          near(
            Float64Array.from({ length: n }, (_, column) => lengthOf(column)),
            () => 1,
            { tolerance: 1e-3 },
          )
        );
      },
    };
  },
};

export const decompositions: readonly BenchKernel[] = [correlation, covariance, gramSchmidt, lu];
