/** z = a x + y: nothing but memory. */
import { type BenchKernel, count, float, floats } from '../frame/bench-kernel.ts';
import { near } from '../frame/checks.ts';

/** @param fullSize elements at full size */
export const saxpyOf = (name: string, fullSize: number): BenchKernel => ({
  name,
  source: `
kernel void saxpy(float a, global const float *x, global const float *y, global float *z) {
  size_t i = get_global_id(0);
  z[i] = a * x[i] + y[i];
}`,
  prepare(size) {
    const n = size === 'full' ? fullSize : 2 ** 20;
    const [x, y] = [floats(n, 1), floats(n, 2)];
    return {
      size: count(n),
      buffers: { x, y, z: 4 * n },
      launches: [{ kernel: 'saxpy', global: [n], local: [256], arguments: [float(1.5), 'x', 'y', 'z'] }],
      work: { unit: 'GB/s', amount: 12 * n },
      check: (result) =>
        near(result('z', Float32Array), (i) => 1.5 * x[i]! + y[i]!, { tolerance: 2 ** -22, scale: 1 }),
    };
  },
});

export const saxpy: BenchKernel = saxpyOf('saxpy', 2 ** 24);
