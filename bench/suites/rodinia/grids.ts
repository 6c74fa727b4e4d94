/** Rodinia's kernels on grids: heat of a chip in two and three dimensions, the cheapest path through a grid, and speckles (SRAD). */
import {
  type BenchKernel,
  float,
  floats,
  int,
  type Launch,
  square,
  wholes,
} from '../../frame/bench-kernel.ts';
import { firstOf, near, sample } from '../../frame/checks.ts';
import { long, type ReadSource } from '../suite.ts';

const block = 16;

function hotspot(read: ReadSource): BenchKernel {
  return {
    name: 'Rodinia hotspot',
    source: read('hotspot/hotspot_kernel.cl'),
    options: `-DBLOCK_SIZE=${block}`,
    prepare(size) {
      const n = size === 'full' ? 1024 : 128;
      const steps = 2;
      const [power, temperature] = [floats(n * n, 41), floats(n * n, 42, 70, 90)];
      const [cap, rx, ry, rz, step] = [0.5, 10, 10, 100, 0.1];
      const blocks = Math.ceil(n / (block - 2 * steps));
      const once = (from: ArrayLike<number>): Float64Array => {
        const to = new Float64Array(n * n);
        for (let y = 0; y < n; y += 1) {
          for (let x = 0; x < n; x += 1) {
            const at = (row: number, column: number): number =>
              from[Math.min(Math.max(row, 0), n - 1) * n + Math.min(Math.max(column, 0), n - 1)]!;
            const own = at(y, x);
            const change =
              power[y * n + x]! +
              (at(y + 1, x) + at(y - 1, x) - 2 * own) / ry +
              (at(y, x + 1) + at(y, x - 1) - 2 * own) / rx +
              (80 - own) / rz;
            to[y * n + x] = own + (step / cap) * change;
          }
        }
        return to;
      };
      const scalars = [cap, rx, ry, rz, step].map(float);
      return {
        size: square(n),
        buffers: { power, temperature, out: 4 * n * n },
        launches: [
          {
            kernel: 'hotspot',
            global: [blocks * block, blocks * block],
            local: [block, block],
            arguments: [
              int(steps),
              'power',
              'temperature',
              'out',
              int(n),
              int(n),
              int(steps),
              int(steps),
              ...scalars,
            ],
          },
        ],
        work: { unit: 'M/s', amount: steps * n * n },
        check(result) {
          let expected: ArrayLike<number> = temperature;
          for (let at = 0; at < steps; at += 1) expected = once(expected);
          return near(result('out', Float32Array), (index) => expected[index]!, { tolerance: 1e-5 });
        },
      };
    },
  };
}

function hotspot3d(read: ReadSource): BenchKernel {
  return {
    name: 'Rodinia hotspot3D',
    source: read('hotspot3D/hotspotKernel.cl'),
    prepare(size) {
      const [n, layers] = size === 'full' ? [512, 8] : [64, 8];
      const cells = n * n * layers;
      const [power, temperature] = [floats(cells, 43), floats(cells, 44, 70, 90)];
      const [ce, cw, cn, cs, ct, cb, cc, sdc] = [0.03, 0.03, 0.04, 0.04, 0.05, 0.05, 0.76, 0.1];
      const expected = (index: number): number => {
        const [x, y, z] = [index % n, Math.floor(index / n) % n, Math.floor(index / n / n)];
        const at = (dx: number, dy: number, dz: number): number => {
          const [i, j, k] = [x + dx, y + dy, z + dz];
          return i < 0 || i >= n || j < 0 || j >= n || k < 0 || k >= layers
            ? temperature[index]!
            : temperature[(k * n + j) * n + i]!;
        };
        return (
          cc * at(0, 0, 0) +
          cw * at(-1, 0, 0) +
          ce * at(1, 0, 0) +
          cs * at(0, 1, 0) +
          cn * at(0, -1, 0) +
          cb * at(0, 0, -1) +
          ct * at(0, 0, 1) +
          sdc * power[index]! +
          ct * 80
        );
      };
      const scalars = [ce, cw, cn, cs, ct, cb, cc].map(float);
      return {
        size: `${n} x ${n} x ${layers}`,
        // The last layer is read past its end, in a sum that does not use it.
        buffers: { power, temperature, out: 4 * cells },
        launches: [
          {
            kernel: 'hotspotOpt1',
            global: [n, n],
            local: [64, 4],
            arguments: ['power', 'temperature', 'out', float(sdc), int(n), int(n), int(layers), ...scalars],
          },
        ],
        work: { unit: 'M/s', amount: cells },
        check: (result) =>
          near(result('out', Float32Array), expected, { tolerance: 1e-5, indices: sample(cells, 20000) }),
      };
    },
  };
}

function pathfinder(read: ReadSource): BenchKernel {
  return {
    name: 'Rodinia pathfinder',
    source: read('pathfinder/kernels.cl'),
    prepare(size) {
      const [columns, rows] = size === 'full' ? [2 ** 17, 100] : [2 ** 12, 20];
      const [group, height] = [256, 20];
      const wall = Int32Array.from(wholes(columns * rows, 45, 10));
      const first = wall.slice(0, columns);
      const rest = wall.slice(columns);
      const launches: Launch[] = [];
      for (let start = 0, pass = 0; start < rows - 1; start += height, pass += 1) {
        const steps = Math.min(height, rows - 1 - start);
        const blocks = Math.ceil(columns / (group - 2 * height));
        const [from, to] = pass % 2 === 0 ? ['one', 'two'] : ['two', 'one'];
        const places = [int(columns), int(rows), int(start), int(height), int(1)];
        launches.push({
          kernel: 'dynproc_kernel',
          global: [blocks * group],
          local: [group],
          arguments: [
            int(steps),
            'wall',
            from!,
            to!,
            ...places,
            { local: 4 * group },
            { local: 4 * group },
            'debug',
          ],
        });
      }
      const last = launches.length % 2 === 0 ? 'one' : 'two';
      return {
        size: `${columns} x ${rows}`,
        buffers: { wall: rest, one: first, two: 4 * columns, debug: 4 * 4096 },
        restored: ['one'],
        launches,
        work: { unit: 'M/s', amount: columns * rows },
        check(result) {
          let costs = first;
          for (let row = 0; row < rows - 1; row += 1) {
            costs = costs.map((cost, column) => {
              const least = Math.min(cost, costs[column - 1] ?? cost, costs[column + 1] ?? cost);
              return least + rest[row * columns + column]!;
            });
          }
          return near(result(last, Int32Array), (index) => costs[index]!);
        },
      };
    },
  };
}

function speckles(read: ReadSource): BenchKernel {
  return {
    name: 'Rodinia srad',
    source: read('srad/kernel/kernel_gpu_opencl.cl').replace(
      '#include "./main.h"',
      '#define fp float\n#define NUMBER_THREADS 256',
    ),
    prepare(size) {
      const n = size === 'full' ? 512 : 128;
      const cells = n * n;
      const image = floats(cells, 46, 1, 2.7);
      const before = Int32Array.from({ length: n }, (_, at) => Math.max(at - 1, 0));
      const after = Int32Array.from({ length: n }, (_, at) => Math.min(at + 1, n - 1));
      const [lambda, q0] = [0.5, 0.05];
      const head = [
        float(lambda),
        int(n),
        int(n),
        long(cells),
        'iN',
        'iS',
        'jE',
        'jW',
        'dN',
        'dS',
        'dE',
        'dW',
      ];
      const shape = { global: [cells], local: [256] };
      return {
        size: square(n),
        buffers: {
          iN: before,
          iS: after,
          jE: after,
          jW: before,
          dN: 4 * cells,
          dS: 4 * cells,
          dE: 4 * cells,
          dW: 4 * cells,
          c: 4 * cells,
          image,
        },
        restored: ['image'],
        launches: [
          { kernel: 'srad_kernel', ...shape, arguments: [...head, float(q0), 'c', 'image'] },
          { kernel: 'srad2_kernel', ...shape, arguments: [...head, 'c', 'image'] },
        ],
        work: { unit: 'M/s', amount: cells },
        check(result) {
          const [dn, ds, de, dw, c] = Array.from(
            { length: 5 },
            () => new Float64Array(cells),
          ) as Float64Array[];
          for (let at = 0; at < cells; at += 1) {
            const [row, column, own] = [at % n, Math.floor(at / n), image[at]!];
            const value = (r: number, k: number): number =>
              image[Math.min(Math.max(r, 0), n - 1) + n * Math.min(Math.max(k, 0), n - 1)]!;
            dn![at] = value(row - 1, column) - own;
            ds![at] = value(row + 1, column) - own;
            dw![at] = value(row, column - 1) - own;
            de![at] = value(row, column + 1) - own;
            const g2 = (dn![at]! ** 2 + ds![at]! ** 2 + dw![at]! ** 2 + de![at]! ** 2) / own ** 2;
            const l = (dn![at]! + ds![at]! + dw![at]! + de![at]!) / own;
            const q = (0.5 * g2 - (1 / 16) * l * l) / (1 + 0.25 * l) ** 2;
            c![at] = Math.min(Math.max(1 / (1 + (q - q0) / (q0 * (1 + q0))), 0), 1);
          }
          const expected = (at: number): number => {
            const [row, column] = [at % n, Math.floor(at / n)];
            const south = c![Math.min(row + 1, n - 1) + n * column]!;
            const east = c![row + n * Math.min(column + 1, n - 1)]!;
            const sum = c![at]! * (dn![at]! + dw![at]!) + south * ds![at]! + east * de![at]!;
            return image[at]! + 0.25 * lambda * sum;
          };
          return firstOf(near(result('image', Float32Array), expected, { tolerance: 1e-4 }));
        },
      };
    },
  };
}

/** Needleman-Wunsch: the alignment of two sequences, a launch for each diagonal of blocks. */
function needlemanWunsch(read: ReadSource): BenchKernel {
  return {
    name: 'Rodinia nw',
    source: read('nw/nw.cl'),
    options: `-DBLOCK_SIZE=${block}`,
    prepare(size) {
      const n = size === 'full' ? 1024 : 128;
      const columns = n + 1;
      const penalty = 10;
      const similarity = Int32Array.from(wholes(columns * columns, 47, 21), (value) => value - 10);
      const scores = new Int32Array(columns * columns);
      for (let at = 1; at < columns; at += 1) {
        scores[at] = -at * penalty;
        scores[at * columns] = -at * penalty;
      }
      const blocks = n / block;
      const launch = (kernel: string, groups: number, diagonal: number): Launch => ({
        kernel,
        global: [groups * block],
        local: [block],
        arguments: [
          'similarity',
          'scores',
          'unused',
          { local: 4 * (block + 1) ** 2 },
          { local: 4 * block ** 2 },
          int(columns),
          int(penalty),
          int(diagonal),
          int(blocks),
          int(n),
          int(0),
          int(0),
        ],
      });
      const launches: Launch[] = [];
      for (let diagonal = 1; diagonal <= blocks; diagonal += 1)
        launches.push(launch('nw_kernel1', diagonal, diagonal));
      for (let diagonal = blocks - 1; diagonal >= 1; diagonal -= 1)
        launches.push(launch('nw_kernel2', diagonal, diagonal));
      return {
        size: square(n),
        buffers: { similarity, scores, unused: 4 },
        restored: ['scores'],
        launches,
        work: { unit: 'M/s', amount: n * n },
        check(result) {
          const expected = scores.slice();
          for (let row = 1; row < columns; row += 1) {
            for (let column = 1; column < columns; column += 1) {
              const at = row * columns + column;
              expected[at] = Math.max(
                expected[at - columns - 1]! + similarity[at]!,
                expected[at - 1]! - penalty,
                expected[at - columns]! - penalty,
              );
            }
          }
          return near(result('scores', Int32Array), (index) => expected[index]!);
        },
      };
    },
  };
}

export function grids(read: ReadSource): BenchKernel[] {
  return [hotspot(read), hotspot3d(read), pathfinder(read), speckles(read), needlemanWunsch(read)];
}
