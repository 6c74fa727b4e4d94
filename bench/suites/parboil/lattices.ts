/** Parboil's lattices in three dimensions: steps of heat (stencil) and a step of a flow in a box with obstacles (lbm). */
import { createRandom } from '../../../samples/support/random.ts';
import { type BenchKernel, float, floats, int, type Launch } from '../../frame/bench-kernel.ts';
import { near, sample } from '../../frame/checks.ts';
import { inGroups, type ReadSource } from '../suite.ts';
import { kernelsOf, titleOf, type Version } from './version.ts';

function stencil(read: ReadSource, version: Version): BenchKernel {
  return {
    name: titleOf('stencil', version),
    source: kernelsOf(read, 'stencil', version),
    prepare(size) {
      const [nx, ny, nz, steps] = size === 'full' ? [512, 128, 32, 4] : [128, 32, 8, 2];
      const [own, others] = [1 / 6, 1 / 36];
      const cells = floats(nx * ny * nz, 221);
      const after = (from: ArrayLike<number>): Float64Array => {
        const to = Float64Array.from(from);
        for (let z = 1; z < nz - 1; z += 1) {
          for (let y = 1; y < ny - 1; y += 1) {
            for (let x = 1; x < nx - 1; x += 1) {
              const at = (z * ny + y) * nx + x;
              const along = (step: number): number => from[at - step]! + from[at + step]!;
              to[at] = others * (along(1) + along(nx) + along(nx * ny)) - own * from[at]!;
            }
          }
        }
        return to;
      };
      const sizes = [nx, ny, nz].map(int);
      const launch = (from: string, to: string): Launch => {
        const args = [float(own), float(others), from, to, ...sizes];
        // The tuned one: 128 x 4 cells for groups of 64 x 4, which go through all layers.
        return version === 'nvidia'
          ? {
              kernel: 'block2D_hybrid_coarsen_x',
              global: [inGroups(nx, 128) / 2, inGroups(ny, 4), 1],
              local: [64, 4, 1],
              arguments: [...args, { local: 4 * 128 * 4 }],
            }
          : {
              kernel: 'naive_kernel',
              global: [inGroups(nx - 2, 256), ny - 2, nz - 2],
              local: [256, 1, 1],
              arguments: args,
            };
      };
      return {
        size: `${nx} x ${ny} x ${nz}, ${steps} steps`,
        buffers: { one: cells, two: cells },
        restored: ['one', 'two'],
        launches: Array.from({ length: steps }, (_, step) =>
          step % 2 === 0 ? launch('one', 'two') : launch('two', 'one'),
        ),
        work: { unit: 'M/s', amount: steps * nx * ny * nz },
        check(result) {
          let expected: ArrayLike<number> = cells;
          for (let step = 0; step < steps; step += 1) expected = after(expected);
          return near(result('one', Float32Array), (at) => expected[at]!, { tolerance: 1e-6, scale: 0.1 });
        },
      };
    },
  };
}

/** Where the 19 parts of a cell go: not at all, north, south, east, west, to the top, to the bottom, or in two of these directions. */
const directions = 'C N S E W T B NE NW SE SW NT NB ST SB ET EB WT WB'.split(' ').map((name) => {
  const along = (forth: string, back: string): number =>
    Number(name.includes(forth)) - Number(name.includes(back));
  return { x: along('E', 'W'), y: along('N', 'S'), z: along('T', 'B') };
});
const opposites = directions.map(({ x, y, z }) =>
  directions.findIndex((other) => other.x === -x && other.y === -y && other.z === -z),
);
const shares = directions.map(({ x, y, z }) => [1 / 3, 1 / 18, 1 / 36][x * x + y * y + z * z]!);
const [flags, entries] = [directions.length, directions.length + 1];
const [obstacle, lid] = [1, 2];
/** What the suite's header has, but for the number of layers, of which there are 150. */
const [nx, ny, layers] = [120, 120, 20];
const pitch = nx + 8;
const layer = pitch * ny;
const allCells = layer * (layers + 4);
const omega = 1.95;

function flow(read: ReadSource, version: Version): BenchKernel {
  const indexOf = (cell: number, entry: number): number =>
    version === 'nvidia' ? allCells * entry + cell : entries * cell + entry;
  // Two layers that are not computed lie below the first.
  const cellAt = (x: number, y: number, z: number): number => (z + 2) * layer + y * pitch + x;
  return {
    name: titleOf('lbm', version),
    source: kernelsOf(read, 'lbm', version).replace('#define SIZE_Z (150)', `#define SIZE_Z (${layers})`),
    prepare(size) {
      const computed = size === 'full' ? layers : 2;
      const random = createRandom(222);
      const cells = floats(allCells * entries, 223, 0.9, 1.1);
      const marks = new Uint32Array(cells.buffer);
      for (let cell = 0; cell < allCells; cell += 1) {
        for (const [entry, share] of shares.entries()) cells[indexOf(cell, entry)]! *= share;
        marks[indexOf(cell, flags)] = random.below(30) === 0 ? obstacle : 0;
      }
      for (let z = 0; z < layers; z += 1) {
        for (let y = 0; y < ny; y += 1) {
          for (let x = 0; x < nx; x += 1) {
            const isAtWall = [x, y, z].some((at, axis) => at === 0 || at === [nx, ny, layers][axis]! - 1);
            const at = indexOf(cellAt(x, y, z), flags);
            if (isAtWall) marks[at] = obstacle;
            else if (z === 1 && marks[at] === 0) marks[at] = lid;
          }
        }
      }
      const expected = (cell: number, entry: number): number => {
        const part = (of: number): number => {
          const { x, y, z } = directions[of]!;
          return cells[indexOf(cell - x - y * pitch - z * layer, of)]!;
        };
        const mark = marks[indexOf(cell, flags)]!;
        if (mark === obstacle) return part(opposites[entry]!);
        const parts = directions.map((_, of) => part(of));
        const density = parts.reduce((sum, value) => sum + value);
        const speed = (axis: 'x' | 'y' | 'z'): number =>
          directions.reduce((sum, direction, of) => sum + direction[axis] * parts[of]!, 0) / density;
        const [ux, uy, uz] = mark === lid ? [0.005, 0.002, 0] : [speed('x'), speed('y'), speed('z')];
        const { x, y, z } = directions[entry]!;
        const along = x * ux + y * uy + z * uz;
        const target = 1 + 3 * along + 4.5 * along ** 2 - 1.5 * (ux * ux + uy * uy + uz * uz);
        return (1 - omega) * parts[entry]! + omega * shares[entry]! * density * target;
      };
      return {
        size: `${nx} x ${ny} x ${computed}`,
        buffers: { cells, next: 4 * cells.length },
        launches: [
          {
            kernel: 'performStreamCollide_kernel',
            global: [nx * ny, computed, 1],
            local: [nx, 1, 1],
            arguments: ['cells', 'next'],
          },
        ],
        work: { unit: 'M/s', amount: nx * ny * computed },
        check(result) {
          const found = result('next', Float32Array);
          for (const at of sample(nx * ny * computed * flags, 20000)) {
            const [entry, place] = [at % flags, Math.floor(at / flags)];
            const cell = cellAt(place % nx, Math.floor(place / nx) % ny, Math.floor(place / nx / ny));
            const wrong = near(found, () => expected(cell, entry), {
              tolerance: 1e-5,
              scale: 0.1,
              indices: [indexOf(cell, entry)],
            });
            if (wrong !== undefined) return wrong;
          }
          return undefined;
        },
      };
    },
  };
}

export const lattices = (read: ReadSource): BenchKernel[] => [
  stencil(read, 'base'),
  stencil(read, 'nvidia'),
  flow(read, 'base'),
  flow(read, 'nvidia'),
];
