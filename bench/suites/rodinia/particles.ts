/** Rodinia's particles: forces between those of neighbouring boxes (lavaMD), and a particle filter in double and single precision. */
import { type BenchKernel, count, type Data, floats, int } from '../../frame/bench-kernel.ts';
import { near, sample } from '../../frame/checks.ts';
import { agreement, inGroups, type ReadSource } from '../suite.ts';

const perBox = 100;
const neighbourWords = 6;
/** Words of a box: place, number, offset as a long, how many neighbours, padding, and 26 neighbours. */
const boxWords = 8 + 26 * neighbourWords;

function lavaMd(read: ReadSource): BenchKernel {
  return {
    name: 'Rodinia lavaMD',
    source: read('lavaMD/kernel/kernel_gpu_opencl.cl'),
    prepare(size) {
      const side = size === 'full' ? 5 : 2;
      const boxes = side ** 3;
      const alpha = 0.5;
      const words = new Int32Array(boxes * boxWords);
      const neighboursOf: number[][] = [];
      for (let box = 0; box < boxes; box += 1) {
        const [x, y, z] = [box % side, Math.floor(box / side) % side, Math.floor(box / side / side)];
        const found: number[] = [];
        for (let k = -1; k <= 1; k += 1) {
          for (let j = -1; j <= 1; j += 1) {
            for (let i = -1; i <= 1; i += 1) {
              const inside = [x + i, y + j, z + k].every((part) => part >= 0 && part < side);
              if (inside && (i !== 0 || j !== 0 || k !== 0))
                found.push(((z + k) * side + y + j) * side + x + i);
            }
          }
        }
        neighboursOf.push(found);
        words.set([x, y, z, box, box * perBox, 0, found.length], box * boxWords);
        for (const [at, number] of found.entries()) {
          words.set([number, number * perBox], box * boxWords + 8 + at * neighbourWords + 3);
        }
      }
      const particles = boxes * perBox;
      const [places, charges] = [floats(4 * particles, 61, 0.1, 1), floats(particles, 62, 0.1, 1)];
      const expected = (index: number): number => {
        const [own, part] = [index >> 2, index & 3];
        const box = Math.floor(own / perBox);
        let sum = 0;
        for (const other of [box, ...neighboursOf[box]!]) {
          for (let at = other * perBox; at < (other + 1) * perBox; at += 1) {
            const [a, b] = [4 * own, 4 * at];
            const dot =
              places[a + 1]! * places[b + 1]! +
              places[a + 2]! * places[b + 2]! +
              places[a + 3]! * places[b + 3]!;
            const v = Math.exp(-2 * alpha * alpha * (places[a]! + places[b]! - dot));
            sum += charges[at]! * (part === 0 ? v : 2 * v * (places[a + part]! - places[b + part]!));
          }
        }
        return sum;
      };
      const header = new Int32Array(14);
      header.set([0, 0, 0, side, boxes], 0);
      return {
        size: `${boxes} boxes`,
        buffers: { words, places, charges, forces: new Float32Array(4 * particles) },
        restored: ['forces'],
        launches: [
          {
            kernel: 'kernel_gpu_opencl',
            global: [boxes * 128],
            local: [128],
            arguments: [Float32Array.of(alpha), header, 'words', 'places', 'charges', 'forces'],
          },
        ],
        work: {
          unit: 'M/s',
          amount: neighboursOf.reduce((sum, found) => sum + found.length + 1, 0) * perBox * perBox,
        },
        check: (result) =>
          near(result('forces', Float32Array), expected, {
            tolerance: 1e-4,
            scale: 100,
            indices: sample(4 * particles, 300),
          }),
      };
    },
  };
}

/** For each of `particles` numbers that go up, the first sum of a distribution that reaches it. */
function particleFilterIndex(read: ReadSource): BenchKernel {
  return {
    name: 'Rodinia particlefilter naive',
    source: read('particlefilter/particle_naive.cl'),
    prepare(size) {
      const particles = size === 'full' ? 2 ** 13 : 2 ** 9;
      const weights = floats(particles, 63);
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      const sums = new Float64Array(particles);
      for (let at = 0, sum = 0; at < particles; at += 1) sums[at] = sum += weights[at]! / total;
      const [x, y, u] = [64, 65, 66].map((seed) => Float64Array.from(floats(particles, seed))) as [
        Float64Array,
        Float64Array,
        Float64Array,
      ];
      for (let at = 0; at < particles; at += 1) u[at] = (at + u[at]!) / particles;
      const chosen = Array.from(u, (value) => {
        const found = sums.findIndex((sum) => sum >= value);
        return found < 0 ? particles - 1 : found;
      });
      return {
        size: `${count(particles)} particles`,
        buffers: { x, y, sums, u, xj: 8 * particles, yj: 8 * particles },
        launches: [
          {
            kernel: 'particle_kernel',
            global: [particles],
            local: [128],
            arguments: ['x', 'y', 'sums', 'u', 'xj', 'yj', int(particles)],
          },
        ],
        work: { unit: 'M/s', amount: chosen.reduce((sum, index) => sum + index + 1, 0) },
        check: (result) => near(result('xj', Float64Array), (index) => x[chosen[index]!]!),
      };
    },
  };
}

/** Moves particles by random numbers and weighs each by the pixels around it. */
function particleFilterLikelihood(read: ReadSource): BenchKernel {
  return {
    name: 'Rodinia particlefilter single',
    source: read('particlefilter/particle_single.cl'),
    prepare(size) {
      const particles = size === 'full' ? 2 ** 15 : 2 ** 10;
      const [width, height, frames, frame] = [128, 128, 10, 3];
      const offsets: number[] = [];
      for (let row = -4; row <= 4; row += 1) {
        for (let column = -4; column <= 4; column += 1)
          if (row * row + column * column <= 20) offsets.push(row, column);
      }
      const ones = offsets.length / 2;
      const pixels = Uint8Array.from(floats(width * height * frames, 67, 0, 255));
      const buffers: Record<string, Data | number> = {
        x: 4 * particles,
        y: 4 * particles,
        cdf: 4 * particles,
        ind: 4 * particles * ones,
        objxy: Int32Array.from(offsets),
        likelihood: 4 * particles,
        pixels,
        u: 4 * particles,
        weights: 4 * particles,
        partial: 4 * (particles / 128),
        xj: floats(particles, 68, 40, 80),
        yj: floats(particles, 69, 40, 80),
        seed: Int32Array.from({ length: particles }, (_, at) => 1000003 * (at + 1)),
      };
      return {
        size: `${count(particles)} particles`,
        buffers,
        restored: ['seed'],
        launches: [
          {
            kernel: 'likelihood_kernel',
            global: [inGroups(particles, 128)],
            local: [128],
            arguments: [
              'x',
              'y',
              'xj',
              'yj',
              'cdf',
              'ind',
              'objxy',
              'likelihood',
              'pixels',
              'u',
              'weights',
              int(particles),
              int(ones),
              int(width * height * frames),
              int(frame),
              int(height),
              int(frames),
              'seed',
              'partial',
              { local: 4 * 128 },
            ],
          },
        ],
        work: { unit: 'M/s', amount: particles * ones },
        check: agreement(['x', 'y'], Float32Array, 1e-4),
      };
    },
  };
}

export function particles(read: ReadSource): BenchKernel[] {
  return [lavaMd(read), particleFilterIndex(read), particleFilterLikelihood(read)];
}
