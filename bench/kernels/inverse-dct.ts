/** From the coefficients of a JPEG picture to its pixels: dequantisation and an inverse cosine transform of 8 x 8 blocks. */
import { createRandom } from '../../samples/support/random.ts';
import { type BenchKernel, int, square } from '../frame/bench-kernel.ts';
import { near, sample } from '../frame/checks.ts';

/** cosines[u][x]: what frequency u adds to place x, with the transform's factors. */
const cosines = Float32Array.from({ length: 64 }, (_, index) => {
  const [u, x] = [index >> 3, index & 7];
  return (u === 0 ? Math.SQRT1_2 : 1) * 0.5 * Math.cos(((2 * x + 1) * u * Math.PI) / 16);
});

export const inverseDct: BenchKernel = {
  name: 'JPEG inverse DCT',
  source: `
kernel void inverse_dct(int width, global const short *coefficients, constant ushort *steps,
                        constant float *cosines, global uchar *pixels) {
  local float block[8][8], rows[8][8];
  int x = get_local_id(0), y = get_local_id(1);
  size_t at = get_global_id(1) * width + get_global_id(0);
  block[y][x] = coefficients[at] * steps[y * 8 + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0.0f;
  for (int u = 0; u < 8; u++) sum += block[y][u] * cosines[u * 8 + x];
  rows[y][x] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  sum = 128.0f;
  for (int v = 0; v < 8; v++) sum += rows[v][x] * cosines[v * 8 + y];
  pixels[at] = convert_uchar_sat_rte(sum);
}`,
  prepare(size) {
    const n = size === 'full' ? 2048 : 512;
    const random = createRandom(16);
    // High frequencies are rare and small, as in pictures.
    const coefficients = new Int16Array(n * n);
    for (let index = 0; index < n * n; index += 1) {
      const frequency = (index % 8) + (Math.floor(index / n) % 8);
      if (random.below(frequency + 1) === 0)
        coefficients[index] = Math.round(random.bell() * (30 / (frequency + 1)));
    }
    const steps = Int16Array.from({ length: 64 }, (_, index) => 8 + 2 * ((index >> 3) + (index & 7)));
    const pixel = (index: number): number => {
      const [column, row] = [index % n, Math.floor(index / n)];
      const [left, top] = [column & ~7, row & ~7];
      let sum = 128;
      for (let v = 0; v < 8; v += 1) {
        for (let u = 0; u < 8; u += 1) {
          const value = coefficients[(top + v) * n + left + u]! * steps[v * 8 + u]!;
          sum += value * cosines[u * 8 + (column & 7)]! * cosines[v * 8 + (row & 7)]!;
        }
      }
      return Math.min(Math.max(Math.round(sum), 0), 255);
    };
    return {
      size: square(n),
      buffers: { coefficients, steps, cosines, pixels: n * n },
      launches: [
        {
          kernel: 'inverse_dct',
          global: [n, n],
          local: [8, 8],
          arguments: [int(n), 'coefficients', 'steps', 'cosines', 'pixels'],
        },
      ],
      work: { unit: 'M/s', amount: n * n },
      // What lies in the middle between two values may be rounded either way.
      check: (result) =>
        near(result('pixels', Uint8Array), pixel, { tolerance: 1, scale: 1, indices: sample(n * n, 5000) }) ??
        tooManyOff(result('pixels', Uint8Array), pixel, sample(n * n, 5000)),
    };
  },
};

function tooManyOff(
  found: Uint8Array,
  expected: (index: number) => number,
  indices: readonly number[],
): string | undefined {
  const off = indices.filter((index) => Math.abs(found[index]! - expected(index)) > 0);
  const wrong = off.filter((index) => Math.abs(found[index]! - expected(index)) > 1);
  if (wrong.length > 0) return `pixel ${wrong[0]} is ${found[wrong[0]!]}, not ${expected(wrong[0]!)}`;
  return off.length > indices.length / 100
    ? `${off.length} of ${indices.length} pixels are one off`
    : undefined;
}
