/** Parboil's search for motion in films (sad): sums of absolute differences of blocks of seven shapes, at 33 x 33 places in the frame before. */
import { createRandom } from '../../../samples/support/random.ts';
import { type BenchKernel, int } from '../../frame/bench-kernel.ts';
import { near, sample } from '../../frame/checks.ts';
import { definitions, type ReadSource } from '../suite.ts';
import { kernelsOf, titleOf, type Version } from './version.ts';

const [range, perItem] = [16, 18];
const side = 2 * range + 1;
const places = side * side;
const padded = 1096;
const items = Math.ceil(places / perItem);

/** Shapes of blocks in the order of their sums in memory; a macroblock has 16 x 16 pixels. */
const shapes = [
  { width: 16, height: 16 },
  { width: 16, height: 8 },
  { width: 8, height: 16 },
  { width: 8, height: 8 },
  { width: 8, height: 4 },
  { width: 4, height: 8 },
  { width: 4, height: 4 },
].map((shape) => ({ ...shape, blocks: 256 / shape.width / shape.height }));

/** Two frames with grey levels that are smooth over some pixels; the second is the first, moved, with noise. */
function frames(width: number, height: number): Int16Array[] {
  const random = createRandom(271);
  const waves = Array.from({ length: 12 }, () =>
    [0.5, 0.5, Math.PI].map((most) => random.between(-most, most)),
  );
  const grey = (x: number, y: number): number =>
    waves.reduce((sum, [dx, dy, phase]) => sum + 9 * Math.sin(dx! * x + dy! * y + phase!), 128);
  return [0, 1].map((time) =>
    Int16Array.from(
      { length: width * height },
      (_, at) => grey((at % width) + 3 * time, Math.floor(at / width) - 5 * time) + 10 * random.bell() * time,
    ).map((value) => Math.min(Math.max(value, 0), 255)),
  );
}

function differences(read: ReadSource, version: Version): BenchKernel {
  const macros = {
    ...(version === 'nvidia' ? { SAD_LOC_SIZE_BYTES: 2 * padded } : {}),
    ...{ MAX_POS: places, CEIL_POS: items, POS_PER_THREAD: perItem, MAX_POS_PADDED: padded },
    ...{ THREADS_W: 1, THREADS_H: 1, SEARCH_RANGE: range, SEARCH_DIMENSION: side },
  };
  return {
    name: titleOf('sad', version),
    source: kernelsOf(read, 'sad', version),
    options: definitions(macros),
    prepare(size) {
      const [columns, rows] = size === 'full' ? [11, 9] : [3, 2];
      const [width, height, macroblocks] = [16 * columns, 16 * rows, columns * rows];
      const [before, now] = frames(width, height) as [Int16Array, Int16Array];
      const sizes = [columns, rows].map(int);
      const pixel = (x: number, y: number): number =>
        before[Math.min(Math.max(y, 0), height - 1) * width + Math.min(Math.max(x, 0), width - 1)]!;
      /** The sum for a block of a macroblock at a place. */
      const expected = (shape: (typeof shapes)[number], macroblock: number, block: number, place: number) => {
        const across = 16 / shape.width;
        const left = 16 * (macroblock % columns) + shape.width * (block % across);
        const top = 16 * Math.floor(macroblock / columns) + shape.height * Math.floor(block / across);
        const [dx, dy] = [(place % side) - range, Math.floor(place / side) - range];
        let sum = 0;
        for (let y = top; y < top + shape.height; y += 1) {
          for (let x = left; x < left + shape.width; x += 1)
            sum += Math.abs(pixel(x + dx, y + dy) - now[y * width + x]!);
        }
        return sum;
      };
      const sums = 2 * padded * macroblocks * shapes.reduce((total, { blocks }) => total + blocks, 0);
      return {
        size: `${width} x ${height}`,
        buffers: { sums, now, before },
        launches: [
          {
            kernel: 'mb_sad_calc',
            global: [(items * width) / 4, height / 4],
            local: [items, 1],
            arguments: ['sums', 'now', ...sizes, 'before'],
          },
          {
            kernel: 'larger_sad_calc_8',
            global: [32 * columns, 4 * rows],
            local: [32, 4],
            arguments: ['sums', ...sizes],
          },
          {
            kernel: 'larger_sad_calc_16',
            global: [32 * columns, rows],
            local: [32, 1],
            arguments: ['sums', ...sizes],
          },
        ],
        work: { unit: 'M/s', amount: width * height * places },
        check(result) {
          const found = result('sums', Int16Array);
          const unsigned = new Uint16Array(found.buffer);
          let first = 0;
          for (const shape of shapes) {
            const { blocks } = shape;
            for (const at of sample(macroblocks * blocks * places, 2000)) {
              const [place, block] = [at % places, Math.floor(at / places)];
              const right = expected(shape, Math.floor(block / blocks), block % blocks, place);
              const wrong = near(unsigned, () => right, { indices: [first + block * padded + place] });
              if (wrong !== undefined) return wrong;
            }
            first += macroblocks * blocks * padded;
          }
          return undefined;
        },
      };
    },
  };
}

export const motion = (read: ReadSource): BenchKernel[] => [
  differences(read, 'base'),
  differences(read, 'nvidia'),
];
