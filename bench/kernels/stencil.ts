/** A step of heat in a solid: each cell of a 3D grid and its six neighbours. The border stays. */
import { type BenchKernel, floats, int } from '../frame/bench-kernel.ts';
import { near, sample } from '../frame/checks.ts';

export const stencil: BenchKernel = {
  name: 'stencil 3D',
  source: `
kernel void heat(int n, global const float *in, global float *out) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  int at = (z * n + y) * n + x;
  if (x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1) {
    out[at] = in[at];
    return;
  }
  out[at] = 0.4f * in[at] +
            0.1f * (in[at - 1] + in[at + 1] + in[at - n] + in[at + n] + in[at - n * n] + in[at + n * n]);
}`,
  prepare(size) {
    const n = size === 'full' ? 256 : 96;
    const grid = floats(n ** 3, 17);
    const expected = (at: number): number => {
      const place = [at % n, Math.floor(at / n) % n, Math.floor(at / (n * n))];
      if (place.some((axis) => axis === 0 || axis === n - 1)) return grid[at]!;
      const around = [1, n, n * n].reduce((sum, step) => sum + grid[at - step]! + grid[at + step]!, 0);
      return 0.4 * grid[at]! + 0.1 * around;
    };
    return {
      size: `${n} x ${n} x ${n}`,
      buffers: { grid, out: 4 * n ** 3 },
      launches: [
        { kernel: 'heat', global: [n, n, n], local: [32, 4, 2], arguments: [int(n), 'grid', 'out'] },
      ],
      work: { unit: 'GB/s', amount: 8 * n ** 3 },
      check: (result) =>
        near(result('out', Float32Array), expected, {
          tolerance: 1e-6,
          scale: 1,
          indices: sample(n ** 3, 20_000),
        }),
    };
  },
};
