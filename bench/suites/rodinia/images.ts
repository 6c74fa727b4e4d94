/** Rodinia's kernels on pictures: the search for white blood cells (leukocyte), and a wavelet transform (dwt2d). */
import { type BenchKernel, count, floats, int, square, wholes } from '../../frame/bench-kernel.ts';
import { near, sample } from '../../frame/checks.ts';
import { agreement, inGroups, type ReadSource } from '../suite.ts';

const [points, circles, reach] = [150, 7, 20];

function ellipses(read: ReadSource): BenchKernel {
  return {
    name: 'Rodinia leukocyte GICOV',
    source: read('leukocyte/OpenCL/find_ellipse_kernel.cl'),
    prepare(size) {
      const [height, width] = size === 'full' ? [219, 640] : [100, 160];
      const pitch = height;
      const [gx, gy] = [floats(width * height, 71, -1, 1), floats(width * height, 72, -1, 1)];
      const angles = Array.from({ length: points }, (_, at) => (2 * Math.PI * at) / points);
      const [sines, cosines] = [Float32Array.from(angles, Math.sin), Float32Array.from(angles, Math.cos)];
      const [tx, ty] = [new Int32Array(circles * points), new Int32Array(circles * points)];
      for (let circle = 0; circle < circles; circle += 1) {
        const radius = 8 + 2 * circle;
        for (let at = 0; at < points; at += 1) {
          tx[circle * points + at] = Math.trunc(Math.cos(angles[at]!) * radius);
          ty[circle * points + at] = Math.trunc(Math.sin(angles[at]!) * radius);
        }
      }
      // The kernel's width is what is left of a column of pixels beside the margins.
      const [across, down] = [height - 2 * reach - 4, width - 2 * reach - 4];
      const expected = (index: number): number => {
        const [i, j] = [Math.floor(index / across) + reach + 2, (index % across) + reach + 2];
        let best = 0;
        for (let circle = 0; circle < circles; circle += 1) {
          let [sum, squares] = [0, 0];
          for (let at = 0; at < points; at += 1) {
            const place = (i + tx[circle * points + at]!) * pitch + j + ty[circle * points + at]!;
            const value = gx[place]! * cosines[at]! + gy[place]! * sines[at]!;
            sum += value;
            squares += value * value;
          }
          const mean = sum / points;
          best = Math.max(best, mean ** 2 / ((squares - points * mean ** 2) / (points - 1)));
        }
        return best;
      };
      return {
        size: `${width} x ${height}`,
        buffers: { gx, gy, sines, cosines, tx, ty, gicov: 4 * width * height },
        launches: [
          {
            kernel: 'GICOV_kernel',
            global: [inGroups(across * down, 256)],
            local: [256],
            arguments: [
              int(pitch),
              'gx',
              'gy',
              'sines',
              'cosines',
              'tx',
              'ty',
              'gicov',
              int(across),
              int(down),
            ],
          },
        ],
        work: { unit: 'M/s', amount: across * down * circles * points },
        check(result) {
          const found = result('gicov', Float32Array);
          const place = (index: number): number =>
            (Math.floor(index / across) + reach + 2) * pitch + (index % across) + reach + 2;
          const indices = sample(across * down, 400);
          return near(
            indices.map((index) => found[place(index)]!),
            (at) => expected(indices[at]!),
            { tolerance: 1e-3, scale: 1e-3 },
          );
        },
      };
    },
  };
}

const element = 25;

function dilation(read: ReadSource): BenchKernel {
  return {
    name: 'Rodinia leukocyte dilate',
    source: read('leukocyte/OpenCL/find_ellipse_kernel.cl'),
    prepare(size) {
      const n = size === 'full' ? 256 : 64;
      const image = floats(n * n, 73);
      const disc = Float32Array.from({ length: element * element }, (_, at) => {
        const [row, column] = [Math.floor(at / element) - 12, (at % element) - 12];
        return row * row + column * column <= 144 ? 1 : 0;
      });
      const expected = (index: number): number => {
        const [i, j] = [Math.floor(index / n), index % n];
        let most = 0;
        for (let row = 0; row < element; row += 1) {
          for (let column = 0; column < element; column += 1) {
            const [y, x] = [i - 12 + row, j - 12 + column];
            if (y >= 0 && y < n && x >= 0 && x < n && disc[row * element + column] !== 0)
              most = Math.max(most, image[x * n + y]!);
          }
        }
        return most;
      };
      return {
        size: square(n),
        buffers: { image, disc, dilated: 4 * n * n },
        launches: [
          {
            kernel: 'dilate_kernel',
            global: [inGroups(n * n, 176)],
            local: [176],
            arguments: [int(n), int(n), int(element), int(element), 'disc', 'image', 'dilated'],
          },
        ],
        work: { unit: 'M/s', amount: n * n * element * element },
        check: (result) => near(result('dilated', Float32Array), expected, { indices: sample(n * n, 1000) }),
      };
    },
  };
}

function wavelets(read: ReadSource): BenchKernel[] {
  const source = read('dwt2d/com_dwt.cl');
  return [
    {
      name: 'Rodinia dwt2d components',
      source,
      prepare(size) {
        const pixels = size === 'full' ? 2 ** 20 : 2 ** 14;
        const bytes = Uint8Array.from(wholes(3 * pixels, 74, 256));
        return {
          size: `${count(pixels)} pixels`,
          buffers: { red: 4 * pixels, green: 4 * pixels, blue: 4 * pixels, bytes },
          launches: [
            {
              kernel: 'c_CopySrcToComponents',
              global: [pixels],
              local: [256],
              arguments: ['red', 'green', 'blue', 'bytes', int(pixels)],
            },
          ],
          work: { unit: 'GB/s', amount: 15 * pixels },
          check: (result) => near(result('green', Int32Array), (at) => bytes[3 * at + 1]! - 128),
        };
      },
    },
    {
      name: 'Rodinia dwt2d 5/3',
      source,
      prepare(size) {
        const n = size === 'full' ? 1024 : 256;
        const [across, down] = [64, 8];
        const steps = Math.ceil(n / (15 * down));
        const image = Int32Array.from(wholes(n * n, 75, 256), (value) => value - 128);
        return {
          size: square(n),
          buffers: { image, out: new Int32Array(n * n) },
          launches: [
            {
              kernel: 'cl_fdwt53Kernel',
              global: [n, Math.ceil(n / (down * steps))],
              local: [across, 1],
              arguments: ['image', 'out', int(n), int(n), int(steps), int(across), int(down)],
            },
          ],
          work: { unit: 'M/s', amount: n * n },
          check: agreement(['out'], Int32Array, 0, 0),
        };
      },
    },
  ];
}

export function images(read: ReadSource): BenchKernel[] {
  return [ellipses(read), dilation(read), ...wavelets(read)];
}
