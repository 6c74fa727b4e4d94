/** Neighbours in grids as in PolyBench, written anew: convolutions, Jacobi and ADI steps, electromagnetic waves. */
import { type BenchKernel, count, floats, int, type Launch, square } from '../../frame/bench-kernel.ts';
import { firstOf, near, sample } from '../../frame/checks.ts';
import { onMatrix } from './launches.ts';

/** Nine weights, rows from the top. */
const weights = [0.2, -0.3, 0.4, 0.5, 0.6, 0.7, -0.8, -0.9, 0.1];
const convolution2D: BenchKernel = {
  name: 'conv2d',
  source: `
kernel void convolve(int n, global const float *in, global float *out) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x == 0 || y == 0 || x == n - 1 || y == n - 1) return;
  out[y * n + x] = 0.2f * in[(y - 1) * n + x - 1] - 0.3f * in[(y - 1) * n + x] + 0.4f * in[(y - 1) * n + x + 1] +
                   0.5f * in[y * n + x - 1] + 0.6f * in[y * n + x] + 0.7f * in[y * n + x + 1] -
                   0.8f * in[(y + 1) * n + x - 1] - 0.9f * in[(y + 1) * n + x] + 0.1f * in[(y + 1) * n + x + 1];
}`,
  prepare(size) {
    const n = size === 'full' ? 4096 : 1024;
    const grid = floats(n * n, 40);
    const expected = (at: number): number => {
      const [x, y] = [at % n, Math.floor(at / n)];
      if (x === 0 || y === 0 || x === n - 1 || y === n - 1) return 0;
      return weights.reduce((sum, weight, k) => {
        return sum + weight * grid[(y - 1 + Math.floor(k / 3)) * n + x - 1 + (k % 3)]!;
      }, 0);
    };
    return {
      size: square(n),
      buffers: { grid, out: new Float32Array(n * n) },
      launches: [onMatrix('convolve', n, 'grid', 'out')],
      work: { unit: 'GB/s', amount: 8 * n * n },
      check: (result) =>
        near(result('out', Float32Array), expected, {
          tolerance: 1e-5,
          scale: 1,
          indices: sample(n * n, 5000),
        }),
    };
  },
};

const convolution3D: BenchKernel = {
  name: 'conv3d',
  source: `
kernel void convolve(int n, global const float *in, global float *out) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  if (x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1) return;
  int at = (z * n + y) * n + x;
  float sum = 0.0f;
  for (int d = -1; d <= 1; d++) {
    global const float *plane = in + at + d * n * n;
    sum += 0.2f * plane[-n - 1] - 0.3f * plane[-n] + 0.4f * plane[-n + 1] + 0.5f * plane[-1] + 0.6f * plane[0] +
           0.7f * plane[1] - 0.8f * plane[n - 1] - 0.9f * plane[n] + 0.1f * plane[n + 1];
  }
  out[at] = sum;
}`,
  prepare(size) {
    const n = size === 'full' ? 256 : 64;
    const grid = floats(n ** 3, 41);
    const expected = (at: number): number => {
      const [x, y, z] = [at % n, Math.floor(at / n) % n, Math.floor(at / (n * n))];
      if ([x, y, z].some((place) => place === 0 || place === n - 1)) return 0;
      let sum = 0;
      for (let d = -1; d <= 1; d += 1) {
        for (const [k, weight] of weights.entries()) {
          sum += weight * grid[at + d * n * n + (Math.floor(k / 3) - 1) * n + (k % 3) - 1]!;
        }
      }
      return sum;
    };
    return {
      size: `${n} x ${n} x ${n}`,
      buffers: { grid, out: new Float32Array(n ** 3) },
      launches: [
        { kernel: 'convolve', global: [n, n, n], local: [32, 4, 2], arguments: [int(n), 'grid', 'out'] },
      ],
      work: { unit: 'GB/s', amount: 8 * n ** 3 },
      check: (result) =>
        near(result('out', Float32Array), expected, {
          tolerance: 1e-5,
          scale: 1,
          indices: sample(n ** 3, 5000),
        }),
    };
  },
};

const jacobi1D: BenchKernel = {
  name: 'jacobi1d',
  source: `
kernel void step_of(int n, global const float *from, global float *to) {
  int i = get_global_id(0);
  to[i] = i == 0 || i == n - 1 ? from[i] : 0.33333f * (from[i - 1] + from[i] + from[i + 1]);
}`,
  prepare(size) {
    const n = size === 'full' ? 2 ** 22 : 2 ** 18;
    const steps = 20;
    const a = floats(n, 42);
    const step = (from: string, to: string): Launch => ({
      kernel: 'step_of',
      global: [n],
      local: [256],
      arguments: [int(n), from, to],
    });
    return {
      size: `${count(n)}, ${steps} steps`,
      buffers: { a, b: 4 * n },
      restored: ['a'],
      launches: Array.from({ length: steps }, (_, index) =>
        index % 2 === 0 ? step('a', 'b') : step('b', 'a'),
      ),
      work: { unit: 'GB/s', amount: 8 * n * steps },
      check(result) {
        // What lies within so many steps of a place decides it.
        const expected = (at: number): number => {
          let row = Array.from({ length: 2 * steps + 1 }, (_, k) => a[at - steps + k]!);
          for (let done = 0; done < steps; done += 1) {
            row = row.slice(1, -1).map((value, k) => 0.33333 * (row[k]! + value + row[k + 2]!));
          }
          return row[0]!;
        };
        const inner = sample(n, 500).filter((at) => at >= 2 * steps && at < n - 2 * steps);
        return near(result('a', Float32Array), expected, { tolerance: 1e-4, scale: 0.1, indices: inner });
      },
    };
  },
};

const jacobi2D: BenchKernel = {
  name: 'jacobi2d',
  source: `
kernel void step_of(int n, global const float *from, global float *to) {
  int x = get_global_id(0), y = get_global_id(1), at = y * n + x;
  if (x == 0 || y == 0 || x == n - 1 || y == n - 1) {
    to[at] = from[at];
    return;
  }
  to[at] = 0.2f * (from[at] + from[at - 1] + from[at + 1] + from[at - n] + from[at + n]);
}`,
  prepare(size) {
    const n = size === 'full' ? 2048 : 512;
    const steps = 10;
    const a = floats(n * n, 43);
    return {
      size: `${square(n)}, ${steps} steps`,
      buffers: { a, b: 4 * n * n },
      restored: ['a'],
      launches: Array.from({ length: steps }, (_, index) =>
        index % 2 === 0 ? onMatrix('step_of', n, 'a', 'b') : onMatrix('step_of', n, 'b', 'a'),
      ),
      work: { unit: 'GB/s', amount: 8 * n * n * steps },
      check(result) {
        let [from, to] = [Float64Array.from(a), new Float64Array(n * n)];
        for (let done = 0; done < steps; done += 1) {
          to.set(from);
          for (let y = 1; y < n - 1; y += 1) {
            for (let at = y * n + 1; at < y * n + n - 1; at += 1) {
              to[at] = 0.2 * (from[at]! + from[at - 1]! + from[at + 1]! + from[at - n]! + from[at + n]!);
            }
          }
          [from, to] = [to, from];
        }
        return near(result('a', Float32Array), (at) => from[at]!, { tolerance: 1e-5, scale: 1 });
      },
    };
  },
};

const fdtd2D: BenchKernel = {
  name: 'fdtd2d',
  source: `
kernel void electric(int n, float source, global float *ex, global float *ey, global const float *hz) {
  int x = get_global_id(0), y = get_global_id(1), at = y * n + x;
  if (y == 0) ey[at] = source;
  else ey[at] -= 0.5f * (hz[at] - hz[at - n]);
  if (x > 0) ex[at] -= 0.5f * (hz[at] - hz[at - 1]);
}
kernel void magnetic(int n, global const float *ex, global const float *ey, global float *hz) {
  int x = get_global_id(0), y = get_global_id(1), at = y * n + x;
  if (x < n - 1 && y < n - 1) hz[at] -= 0.7f * (ex[at + 1] - ex[at] + ey[at + n] - ey[at]);
}`,
  prepare(size) {
    const n = size === 'full' ? 2048 : 512;
    const steps = 5;
    const [ex, ey, hz] = [floats(n * n, 44), floats(n * n, 45), floats(n * n, 46)];
    return {
      size: `${square(n)}, ${steps} steps`,
      buffers: { ex, ey, hz },
      restored: ['ex', 'ey', 'hz'],
      launches: Array.from({ length: steps }, (_, step): Launch[] => [
        onMatrix('electric', n, Float32Array.of(step), 'ex', 'ey', 'hz'),
        onMatrix('magnetic', n, 'ex', 'ey', 'hz'),
      ]).flat(),
      work: { unit: 'GB/s', amount: 32 * n * n * steps },
      check(result) {
        const [x, y, z] = [Float64Array.from(ex), Float64Array.from(ey), Float64Array.from(hz)];
        for (let step = 0; step < steps; step += 1) {
          for (let at = 0; at < n * n; at += 1) {
            y[at] = at < n ? step : y[at]! - 0.5 * (z[at]! - z[at - n]!);
            if (at % n > 0) x[at]! -= 0.5 * (z[at]! - z[at - 1]!);
          }
          for (let at = 0; at < n * (n - 1); at += 1) {
            if (at % n < n - 1) z[at]! -= 0.7 * (x[at + 1]! - x[at]! + y[at + n]! - y[at]!);
          }
        }
        const how = { tolerance: 1e-4, scale: 1 };
        return firstOf(
          near(result('hz', Float32Array), (at) => z[at]!, how),
          near(result('ex', Float32Array), (at) => x[at]!, how),
          near(result('ey', Float32Array), (at) => y[at]!, how),
        );
      },
    };
  },
};

const adi: BenchKernel = {
  name: 'adi',
  source: `
// Solves a tridiagonal system along each row, then along each column: one work-item for each.
kernel void rows(int n, global float *x, global const float *a, global float *b) {
  int first = get_global_id(0) * n;
  for (int at = first + 1; at < first + n; at++) {
    x[at] -= x[at - 1] * a[at] / b[at - 1];
    b[at] -= a[at] * a[at] / b[at - 1];
  }
  x[first + n - 1] /= b[first + n - 1];
  for (int at = first + n - 2; at > first; at--) x[at] = (x[at] - x[at - 1] * a[at - 1]) / b[at - 1];
}
kernel void columns(int n, global float *x, global const float *a, global float *b) {
  int column = get_global_id(0);
  for (int at = column + n; at < n * n; at += n) {
    x[at] -= x[at - n] * a[at] / b[at - n];
    b[at] -= a[at] * a[at] / b[at - n];
  }
  x[column + (n - 1) * n] /= b[column + (n - 1) * n];
  for (int at = column + (n - 2) * n; at > column; at -= n) x[at] = (x[at] - x[at - n] * a[at - n]) / b[at - n];
}`,
  prepare(size) {
    const n = size === 'full' ? 1024 : 256;
    // Large diagonals, so that the systems stay far from singular.
    const [x, a, b] = [floats(n * n, 47), floats(n * n, 48), floats(n * n, 49, 4, 5)];
    const line = (kernel: string): Launch => ({
      kernel,
      global: [n],
      local: [32],
      arguments: [int(n), 'x', 'a', 'b'],
    });
    return {
      size: square(n),
      buffers: { x, a, b },
      restored: ['x', 'b'],
      launches: [line('rows'), line('columns')],
      work: { unit: 'GB/s', amount: 32 * n * n },
      check(result) {
        const [u, v] = [Float64Array.from(x), Float64Array.from(b)];
        const solve = (first: number, step: number): void => {
          const end = first + n * step;
          for (let at = first + step; at < end; at += step) {
            u[at]! -= (u[at - step]! * a[at]!) / v[at - step]!;
            v[at]! -= a[at]! ** 2 / v[at - step]!;
          }
          u[end - step]! /= v[end - step]!;
          for (let at = end - 2 * step; at > first; at -= step) {
            u[at] = (u[at]! - u[at - step]! * a[at - step]!) / v[at - step]!;
          }
        };
        for (let row = 0; row < n; row += 1) solve(row * n, 1);
        for (let column = 0; column < n; column += 1) solve(column, n);
        return near(result('x', Float32Array), (at) => u[at]!, { tolerance: 1e-4, scale: 0.1 });
      },
    };
  },
};

export const stencils: readonly BenchKernel[] = [
  adi,
  convolution2D,
  convolution3D,
  fdtd2D,
  jacobi1D,
  jacobi2D,
];
