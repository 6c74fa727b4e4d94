/** Pictures, a work-item for each pixel: mean, Gaussian and Sobel on floats, median on bytes. Edges repeat. */
import {
  type BenchKernel,
  type Data,
  floats,
  int,
  type Size,
  square,
  wholes,
} from '../frame/bench-kernel.ts';
import { near, sample } from '../frame/checks.ts';

/** Reads a pixel, the nearest one where the place lies outside. */
type Pixel = (x: number, y: number) => number;

interface Filter {
  readonly name: string;
  readonly type: 'float' | 'uchar';
  /** What a work-item does with the picture around (x, y): an expression or statements that return. */
  readonly body: string;
  reference(pixel: Pixel, x: number, y: number): number;
}

function filter({ name, type, body, reference }: Filter): BenchKernel {
  const bytes = type === 'float' ? 4 : 1;
  return {
    name,
    source: `
#define AT(dx, dy) in[clamp(y + (dy), 0, height - 1) * width + clamp(x + (dx), 0, width - 1)]
kernel void filter(int width, int height, global const ${type} *in, global ${type} *out) {
  int x = get_global_id(0), y = get_global_id(1);
  ${body}
}`,
    prepare(size: Size) {
      const n = size === 'full' ? 4096 : 1024;
      const picture: Data =
        type === 'float' ? floats(n * n, 4) : new Uint8Array(wholes((n * n) / 4, 4, 2 ** 32).buffer);
      const inside = (place: number): number => Math.min(Math.max(place, 0), n - 1);
      const pixel: Pixel = (x, y) => picture[inside(y) * n + inside(x)]!;
      return {
        size: square(n),
        buffers: { picture, out: bytes * n * n },
        launches: [
          { kernel: 'filter', global: [n, n], local: [32, 8], arguments: [int(n), int(n), 'picture', 'out'] },
        ],
        work: { unit: 'M/s', amount: n * n },
        check: (result) =>
          near(
            type === 'float' ? result('out', Float32Array) : result('out', Uint8Array),
            (index) => reference(pixel, index % n, Math.floor(index / n)),
            { tolerance: type === 'float' ? 2 ** -18 : 0, scale: 1, indices: sample(n * n, 20_000) },
          ),
      };
    },
  };
}

const near3x3 = [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => [dx, dy] as const));
const binomial = [1, 4, 6, 4, 1];

const mean = filter({
  name: 'filter mean 3x3',
  type: 'float',
  body: `float sum = 0.0f;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) sum += AT(dx, dy);
  out[y * width + x] = sum * (1.0f / 9.0f);`,
  reference: (pixel, x, y) => near3x3.reduce((sum, [dx, dy]) => sum + pixel(x + dx, y + dy), 0) / 9,
});

const gaussian = filter({
  name: 'filter Gaussian 5x5',
  type: 'float',
  body: `const float weights[5] = {1.0f, 4.0f, 6.0f, 4.0f, 1.0f};
  float sum = 0.0f;
  for (int dy = -2; dy <= 2; dy++)
    for (int dx = -2; dx <= 2; dx++) sum += weights[dy + 2] * weights[dx + 2] * AT(dx, dy);
  out[y * width + x] = sum * (1.0f / 256.0f);`,
  reference(pixel, x, y) {
    let sum = 0;
    for (let dy = -2; dy <= 2; dy += 1) {
      for (let dx = -2; dx <= 2; dx += 1)
        sum += binomial[dy + 2]! * binomial[dx + 2]! * pixel(x + dx, y + dy);
    }
    return sum / 256;
  },
});

const sobel = filter({
  name: 'filter Sobel',
  type: 'float',
  body: `float across = AT(1, -1) + 2.0f * AT(1, 0) + AT(1, 1) - AT(-1, -1) - 2.0f * AT(-1, 0) - AT(-1, 1);
  float down = AT(-1, 1) + 2.0f * AT(0, 1) + AT(1, 1) - AT(-1, -1) - 2.0f * AT(0, -1) - AT(1, -1);
  out[y * width + x] = sqrt(across * across + down * down);`,
  reference(pixel, x, y) {
    const side = (dx: number): number => pixel(x + dx, y - 1) + 2 * pixel(x + dx, y) + pixel(x + dx, y + 1);
    const row = (dy: number): number => pixel(x - 1, y + dy) + 2 * pixel(x, y + dy) + pixel(x + 1, y + dy);
    return Math.hypot(side(1) - side(-1), row(1) - row(-1));
  },
});

const median = filter({
  name: 'filter median 3x3',
  type: 'uchar',
  // Sorts three columns, then takes the middle of the largest low, the middle middle and the smallest high one.
  body: `uchar low[3], mid[3], high[3];
  for (int k = 0; k < 3; k++) {
    uchar a = AT(k - 1, -1), b = AT(k - 1, 0), c = AT(k - 1, 1);
    uchar smaller = min(a, b), larger = max(a, b);
    low[k] = min(smaller, c);
    mid[k] = max(smaller, min(larger, c));
    high[k] = max(larger, c);
  }
  uchar first = max(max(low[0], low[1]), low[2]);
  uchar second = max(min(mid[0], mid[1]), min(max(mid[0], mid[1]), mid[2]));
  uchar third = min(min(high[0], high[1]), high[2]);
  out[y * width + x] = max(min(first, second), min(max(first, second), third));`,
  reference: (pixel, x, y) => near3x3.map(([dx, dy]) => pixel(x + dx, y + dy)).sort((a, b) => a - b)[4]!,
});

export const filters: readonly BenchKernel[] = [mean, gaussian, sobel, median];
