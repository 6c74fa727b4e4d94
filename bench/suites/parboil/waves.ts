/** Parboil's sums of waves: Fourier transforms of 256 complex numbers (fft), and a matrix of magnetic resonance imaging (mri-q). */
import { type BenchKernel, count, floats, int } from '../../frame/bench-kernel.ts';
import { firstOf, near, sample } from '../../frame/checks.ts';
import { inGroups, type ReadSource } from '../suite.ts';
import { kernelsOf, titleOf, type Version } from './version.ts';

const points = 256;

/** The transform by its definition. */
function transform(data: Float32Array): Float64Array {
  const result = new Float64Array(2 * points);
  for (let out = 0; out < points; out += 1) {
    for (let at = 0; at < points; at += 1) {
      const angle = (-2 * Math.PI * ((out * at) % points)) / points;
      const [re, im] = [data[2 * at]!, data[2 * at + 1]!];
      result[2 * out]! += re * Math.cos(angle) - im * Math.sin(angle);
      result[2 * out + 1]! += re * Math.sin(angle) + im * Math.cos(angle);
    }
  }
  return result;
}

/** The tuned one has local memory in an inner block, which OpenCL does not allow: it is moved to the begin of the kernel. */
function fourierSource(read: ReadSource, version: Version): string {
  const source = kernelsOf(read, 'fft', version, ['fft_kernel.cl']);
  if (version === 'base') return source;
  const [before, kernel] = source.split('__kernel ') as [string, string];
  const local = '__local float work[T*R*2];';
  return `${before}__kernel ${kernel.replace(local, '').replace('{', `{ ${local}`)}`;
}

function fourierTransforms(read: ReadSource, version: Version): BenchKernel {
  return {
    name: titleOf('fft', version),
    source: fourierSource(read, version),
    prepare(size) {
      const batches = size === 'full' ? 1024 : 32;
      const data = floats(2 * points * batches, 231, -1, 1);
      const shape = { global: [(batches * points) / 2], local: [points / 2] };
      return {
        size: `${count(batches)} of ${points}`,
        buffers: { data, other: data.byteLength },
        restored: ['data'],
        // A launch for each of the eight factors of two; the tuned one does all in local memory.
        launches:
          version === 'nvidia'
            ? [{ kernel: 'GPU_FftShMem', ...shape, arguments: ['data'] }]
            : Array.from({ length: Math.log2(points) }, (_, pass) => ({
                kernel: 'GPU_FFT_Global',
                ...shape,
                arguments: [
                  int(2 ** pass),
                  ...(pass % 2 === 0 ? ['data', 'other'] : ['other', 'data']),
                  int(points),
                ],
              })),
        work: { unit: 'GFLOP/s', amount: batches * points * Math.log2(points) * 5 },
        check(result) {
          const found = result('data', Float32Array);
          return firstOf(
            ...[0, 7, batches - 1].map((batch) => {
              const part = [2 * points * batch, 2 * points * (batch + 1)];
              const expected = transform(data.subarray(...part));
              return near(found.subarray(...part), (at) => expected[at]!, { tolerance: 1e-5, scale: 10 });
            }),
          );
        },
      };
    },
  };
}

/** So many points of the trajectory are summed by one launch. */
const tile = 1024;

function resonance(read: ReadSource, version: Version): BenchKernel {
  return {
    name: titleOf('mri-q', version),
    source: kernelsOf(read, 'mri-q', version, ['kernels.cl']),
    prepare(size) {
      const [pixels, samples] = size === 'full' ? [8192, 1920] : [512, 1100];
      const [x, y, z] = [241, 242, 243].map((seed) => floats(pixels, seed, -0.5, 0.5)) as Float32Array[];
      const [kx, ky, kz] = [244, 245, 246].map((seed) => floats(samples, seed, -8, 8)) as Float32Array[];
      const [re, im] = [floats(samples, 247, -1, 1), floats(samples, 248, -1, 1)];
      const magnitudes = re.map((part, at) => part * part + im[at]! * im[at]!);
      // The host packs trajectory and magnitudes between its two kernels, and copies a tile of them before each launch.
      const tiles = Array.from({ length: Math.ceil(samples / tile) }, (_, number) => {
        const packed = new Float32Array(4 * tile);
        for (let at = 0; at < Math.min(tile, samples - number * tile); at += 1) {
          const from = number * tile + at;
          packed.set([kx![from]!, ky![from]!, kz![from]!, magnitudes[from]!], 4 * at);
        }
        return packed;
      });
      const zeros = new Float32Array(pixels);
      const sum = (wave: (angle: number) => number) => (pixel: number) => {
        let total = 0;
        for (let at = 0; at < samples; at += 1) {
          const product = kx![at]! * x![pixel]! + ky![at]! * y![pixel]! + kz![at]! * z![pixel]!;
          total += magnitudes[at]! * wave(2 * Math.PI * product);
        }
        return total;
      };
      const group = version === 'nvidia' ? 512 : 256;
      return {
        size: `${pixels} pixels, ${samples} samples`,
        buffers: {
          ...{ x: x!, y: y!, z: z!, re, im, magnitudes: 4 * samples, sumRe: zeros, sumIm: zeros },
          ...Object.fromEntries(tiles.map((packed, number) => [`tile${number}`, packed])),
        },
        restored: ['sumRe', 'sumIm'],
        launches: [
          {
            kernel: 'ComputePhiMag_GPU',
            global: [inGroups(samples, group)],
            local: [group],
            arguments: ['re', 'im', 'magnitudes', int(samples)],
          },
          ...tiles.map((_, number) => ({
            kernel: 'ComputeQ_GPU',
            global: [pixels],
            local: [256],
            arguments: [
              ...[samples, number * tile].map(int),
              ...['x', 'y', 'z', 'sumRe', 'sumIm', `tile${number}`],
            ],
          })),
        ],
        work: { unit: 'M/s', amount: pixels * samples },
        check: (result) =>
          firstOf(
            near(result('magnitudes', Float32Array), (at) => magnitudes[at]!, { tolerance: 1e-6 }),
            ...(
              [
                ['sumRe', Math.cos],
                ['sumIm', Math.sin],
              ] as const
            ).map(([name, wave]) =>
              near(result(name, Float32Array), sum(wave), {
                tolerance: 1e-4,
                scale: 100,
                indices: sample(pixels, 300),
              }),
            ),
          ),
      };
    },
  };
}

export const waves = (read: ReadSource): BenchKernel[] => [
  fourierTransforms(read, 'base'),
  fourierTransforms(read, 'nvidia'),
  resonance(read, 'base'),
  resonance(read, 'nvidia'),
];
