/** SHOC's Fourier transforms of 512 complex numbers, 64 work-items each, forward and back. */
import { type BenchKernel, count, floats } from '../../frame/bench-kernel.ts';
import { firstOf, near } from '../../frame/checks.ts';
import type { ReadSource } from '../suite.ts';

/** The transform of 512 numbers by its definition; `sign` -1 is forward. */
function transform(data: Float32Array, first: number, sign: 1 | -1): Float64Array {
  const result = new Float64Array(1024);
  for (let out = 0; out < 512; out += 1) {
    for (let at = 0; at < 512; at += 1) {
      const angle = (sign * 2 * Math.PI * ((out * at) % 512)) / 512;
      const [re, im] = [data[first + 2 * at]!, data[first + 2 * at + 1]!];
      result[2 * out]! += re * Math.cos(angle) - im * Math.sin(angle);
      result[2 * out + 1]! += re * Math.sin(angle) + im * Math.cos(angle);
    }
  }
  return sign === 1 ? result.map((value) => value / 512) : result;
}

export function fourierTransforms(read: ReadSource): BenchKernel[] {
  return ([-1, 1] as const).map((sign) => ({
    name: sign === -1 ? 'SHOC FFT' : 'SHOC FFT, inverse',
    source: read('level1/fft/fft.cl'),
    options: '-DSINGLE_PRECISION',
    prepare(size) {
      const batches = size === 'full' ? 4096 : 256;
      const work = floats(1024 * batches, 51);
      return {
        size: `${count(batches)} of 512`,
        buffers: { work },
        restored: ['work'],
        launches: [
          {
            kernel: sign === -1 ? 'fft1D_512' : 'ifft1D_512',
            global: [64 * batches],
            local: [64],
            arguments: ['work'],
          },
        ],
        work: { unit: 'GFLOP/s', amount: batches * 512 * 9 * 5 },
        check(result) {
          const found = result('work', Float32Array);
          return firstOf(
            ...[0, 7, batches - 1].map((batch) => {
              const expected = transform(work, 1024 * batch, sign);
              const part = found.subarray(1024 * batch, 1024 * (batch + 1));
              return near(part, (index) => expected[index]!, {
                tolerance: 1e-5,
                scale: sign === -1 ? 20 : 1,
              });
            }),
          );
        },
      };
    },
  }));
}
