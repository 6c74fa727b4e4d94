/** Pictures as images, a work-item for each pixel of four bytes: a convolution of neighbours, and a rotation with a filter. */
import { type BenchKernel, type Size, square, wholes } from '../frame/bench-kernel.ts';
import { near, sample } from '../frame/checks.ts';

/** A pixel's channel, by pixel coordinates. */
type Channel = (x: number, y: number) => number;

interface ImageKernel {
  readonly name: string;
  readonly source: string;
  readonly reference: (channel: Channel, x: number, y: number, n: number) => number;
}

function imageKernel({ name, source, reference }: ImageKernel): BenchKernel {
  return {
    name,
    source,
    prepare(size: Size) {
      const n = size === 'full' ? 2048 : 512;
      const picture = new Uint8Array(wholes(n * n, 6, 2 ** 32).buffer);
      const format = { order: 'RGBA', type: 'UNORM_INT8', width: n, height: n } as const;
      return {
        size: square(n),
        buffers: {},
        images: { picture: { ...format, pixels: picture }, out: { ...format, pixels: 4 * n * n } },
        launches: [{ kernel: 'filter', global: [n, n], local: [16, 16], arguments: ['picture', 'out'] }],
        work: { unit: 'M/s', amount: n * n },
        // Two steps of the format: filters need not be exact.
        check: (result) =>
          near(
            result('out', Uint8Array),
            (index) => {
              const pixel = Math.floor(index / 4);
              const channel: Channel = (x, y) => picture[4 * (y * n + x) + (index % 4)]!;
              return reference(channel, pixel % n, Math.floor(pixel / n), n);
            },
            { tolerance: 1 / 256, scale: 256, indices: sample(4 * n * n, 5000) },
          ),
      };
    },
  };
}

const weights = [1, 2, 1];

const convolution = imageKernel({
  name: 'image convolution 3x3',
  source: `
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant float weights[3] = {0.25f, 0.5f, 0.25f};
kernel void filter(read_only image2d_t in, write_only image2d_t out) {
  int x = get_global_id(0), y = get_global_id(1);
  float4 sum = 0.0f;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      sum += weights[dy + 1] * weights[dx + 1] * read_imagef(in, nearest, (int2)(x + dx, y + dy));
  write_imagef(out, (int2)(x, y), sum);
}`,
  reference(channel, x, y, n) {
    const inside = (place: number): number => Math.min(Math.max(place, 0), n - 1);
    let sum = 0;
    for (const [row, down] of weights.entries()) {
      for (const [column, across] of weights.entries()) {
        sum += down * across * channel(inside(x + column - 1), inside(y + row - 1));
      }
    }
    return sum / 16;
  },
});

/** Of the rotation, about the middle. */
const angle = { cosine: 0.8, sine: 0.6 };

const rotation = imageKernel({
  name: 'image rotation, linear',
  source: `
constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
kernel void filter(read_only image2d_t in, write_only image2d_t out) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float2 middle = convert_float2(get_image_dim(in)) * 0.5f;
  float2 d = convert_float2(p) + 0.5f - middle;
  float2 from = (float2)(${angle.cosine}f * d.x - ${angle.sine}f * d.y, ${angle.sine}f * d.x + ${angle.cosine}f * d.y);
  write_imagef(out, p, read_imagef(in, linear, from + middle));
}`,
  reference(channel, x, y, n) {
    const [dx, dy] = [x + 0.5 - n / 2, y + 0.5 - n / 2];
    const u = angle.cosine * dx - angle.sine * dy + n / 2 - 0.5;
    const v = angle.sine * dx + angle.cosine * dy + n / 2 - 0.5;
    const [left, top] = [Math.floor(u), Math.floor(v)];
    const [a, b] = [u - left, v - top];
    const at = (column: number, row: number): number => {
      const isInside = column >= 0 && column < n && row >= 0 && row < n;
      return isInside ? channel(column, row) : 0;
    };
    return (
      (1 - b) * ((1 - a) * at(left, top) + a * at(left + 1, top)) +
      b * ((1 - a) * at(left, top + 1) + a * at(left + 1, top + 1))
    );
  },
});

export const images: readonly BenchKernel[] = [convolution, rotation];
