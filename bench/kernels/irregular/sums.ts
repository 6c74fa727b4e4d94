/** Sums that want many registers, pointers that move forward, and convolutions of packed bytes. */
import {
  type BenchKernel,
  count,
  float,
  floats,
  int,
  square,
  uint,
  wholes,
} from '../../frame/bench-kernel.ts';
import { near, sample } from '../../frame/checks.ts';

const sixteenSums: BenchKernel = {
  name: '16 sums a work-item',
  source: `
kernel void multiply(global const float *a, global const float *b, global float *c, int n) {
  int column = get_global_id(0);
  int row = get_global_id(1) * 16;
  float sums[16];
  for (int i = 0; i < 16; i++) sums[i] = 0.0f;
  for (int k = 0; k < n; k++) {
    float value = b[k * n + column];
    for (int i = 0; i < 16; i++) sums[i] += a[(row + i) * n + k] * value;
  }
  for (int i = 0; i < 16; i++) c[(row + i) * n + column] = sums[i];
}`,
  prepare(size) {
    const n = size === 'full' ? 512 : 128;
    const [a, b] = [floats(n * n, 1), floats(n * n, 2)];
    const expected = (index: number): number => {
      const [row, column] = [Math.floor(index / n), index % n];
      let sum = 0;
      for (let k = 0; k < n; k += 1) sum += a[row * n + k]! * b[k * n + column]!;
      return sum;
    };
    return {
      size: square(n),
      buffers: { a, b, c: 4 * n * n },
      launches: [
        { kernel: 'multiply', global: [n, n / 16], local: [64, 1], arguments: ['a', 'b', 'c', int(n)] },
      ],
      work: { unit: 'GFLOP/s', amount: 2 * n ** 3 },
      check: (result) =>
        near(result('c', Float32Array), expected, { tolerance: 1e-5, indices: sample(n * n) }),
    };
  },
};

const movingPointers: BenchKernel = {
  name: 'moving pointers',
  source: `
kernel void fold(global const float *a, global const float *b, global float *out, int rows, int pitch, float factor) {
  int i = get_global_id(0);
  a += i;
  b += i;
  out += i;
  float before = 0.0f;
  while (rows-- > 0) {
    before = *a * factor + *b - before;
    *out = before;
    a += pitch;
    b += pitch;
    out += pitch;
  }
}`,
  prepare(size) {
    const [n, rows] = size === 'full' ? [2 ** 14, 64] : [2 ** 10, 64];
    const [a, b] = [floats(n * rows, 3), floats(n * rows, 4)];
    return {
      size: `${count(n)} x ${rows}`,
      buffers: { a, b, out: 4 * n * rows },
      launches: [
        {
          kernel: 'fold',
          global: [n],
          local: [64],
          arguments: ['a', 'b', 'out', int(rows), int(n), float(0.5)],
        },
      ],
      work: { unit: 'GB/s', amount: 12 * n * rows },
      check(result) {
        const before = new Float64Array(n);
        return near(
          result('out', Float32Array),
          (index) => (before[index % n] = 0.5 * a[index]! + b[index]! - before[index % n]!),
          { tolerance: 1e-4, scale: 10 },
        );
      },
    };
  },
};

/** 17 taps over bytes, four of which a work-item reads and writes in one word. */
const packedConvolution: BenchKernel = {
  name: 'convolution, packed bytes',
  source: `
kernel void convolve(global const uchar4 *in, constant int *taps, global uchar4 *out) {
  size_t i = get_global_id(0);
  uchar values[20];
  for (int k = 0; k < 5; k++) vstore4(in[i + k], k, values);
  int4 sum = 0;
  for (int k = 0; k < 17; k++) {
    sum += taps[k] * (int4)(values[k], values[k + 1], values[k + 2], values[k + 3]);
  }
  out[i] = convert_uchar4_sat(sum >> 8);
}`,
  prepare(size) {
    const n = size === 'full' ? 2 ** 20 : 2 ** 14;
    const data = new Uint8Array(wholes(n + 4, 5, 2 ** 32).buffer);
    const taps = Int32Array.from(wholes(17, 6, 31));
    const expected = (index: number): number => {
      const sum = taps.reduce((total, tap, at) => total + tap * data[index + at]!, 0);
      return Math.min(sum >> 8, 255);
    };
    return {
      size: `${count(4 * n)} bytes`,
      buffers: { data, taps, out: 4 * n },
      launches: [{ kernel: 'convolve', global: [n], local: [64], arguments: ['data', 'taps', 'out'] }],
      work: { unit: 'Gop/s', amount: 2 * 17 * 4 * n },
      check: (result) => near(result('out', Uint8Array), expected),
    };
  },
};

/** Nine taps over bytes, one a work-item. */
const byteConvolution: BenchKernel = {
  name: 'convolution, bytes',
  source: `
kernel void convolve(global const char *in, constant char *taps, uint length, global char *out) {
  size_t i = get_global_id(0);
  int sum = 0;
  for (uint k = 0; k < length; k++) sum += taps[k] * in[i + k];
  out[i] = (char)(sum >> 7);
}`,
  prepare(size) {
    const [n, length] = [size === 'full' ? 2 ** 22 : 2 ** 16, 9];
    const data = new Uint8Array(wholes(n / 4 + 4, 7, 2 ** 32).buffer);
    const taps = Uint8Array.from(wholes(length, 8, 256));
    const signed = (byte: number): number => (byte << 24) >> 24;
    const expected = (index: number): number => {
      const sum = taps.reduce((total, tap, at) => total + signed(tap) * signed(data[index + at]!), 0);
      return (sum >> 7) & 255;
    };
    return {
      size: `${count(n)} bytes`,
      buffers: { data, taps, out: n },
      launches: [
        { kernel: 'convolve', global: [n], local: [64], arguments: ['data', 'taps', uint(length), 'out'] },
      ],
      work: { unit: 'Gop/s', amount: 2 * length * n },
      check: (result) => near(result('out', Uint8Array), expected),
    };
  },
};

export const sums: readonly BenchKernel[] = [sixteenSums, movingPointers, packedConvolution, byteConvolution];
