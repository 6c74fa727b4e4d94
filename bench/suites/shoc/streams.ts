/** SHOC's Triad, whose kernel stands as strings in its host program, and its stencil of nine points on rows in local memory. */
import { type BenchKernel, count, float, floats, int, square } from '../../frame/bench-kernel.ts';
import { near, sample } from '../../frame/checks.ts';
import type { ReadSource } from '../suite.ts';

function triadSource(read: ReadSource): string {
  const strings = /mTriadCLSource\[\] = \{([\s\S]*?)\};/.exec(read('level1/triad/Triad.cpp'))?.[1];
  if (strings === undefined) throw new Error("Triad.cpp has no 'mTriadCLSource'");
  return [...strings.matchAll(/"(.*)"/g)].map(([, line]) => line).join('\n');
}

function triad(read: ReadSource): BenchKernel {
  return {
    name: 'SHOC Triad',
    source: triadSource(read),
    prepare(size) {
      const n = size === 'full' ? 2 ** 22 : 2 ** 16;
      const [a, b] = [floats(n, 71, 0, 10), floats(n, 72, 0, 10)];
      return {
        size: `${count(n)} floats`,
        buffers: { a, b, c: 4 * n },
        launches: [{ kernel: 'Triad', global: [n], local: [128], arguments: ['a', 'b', 'c', float(1.75)] }],
        work: { unit: 'GB/s', amount: 12 * n },
        check: (result) =>
          near(result('c', Float32Array), (index) => a[index]! + 1.75 * b[index]!, { tolerance: 1e-6 }),
      };
    },
  };
}

const [rowsOfGroup, columnsOfGroup] = [8, 256];
const [centre, cardinal, diagonal] = [0.25, 0.15, 0.05];

function stencil(read: ReadSource): BenchKernel {
  return {
    name: 'SHOC Stencil2D',
    source: read('level1/stencil2d/stencil2d.cl'),
    options: `-DSINGLE_PRECISION -DLROWS=${rowsOfGroup}`,
    prepare(size) {
      const n = size === 'full' ? 2048 : 512;
      const alignment = 16;
      const pitch = Math.ceil((n + 2) / alignment) * alignment;
      const data = floats(pitch * (n + 2), 73);
      const expected = (index: number): number => {
        const [row, column] = [Math.floor(index / n) + 1, (index % n) + 1];
        const at = (dy: number, dx: number): number => data[(row + dy) * pitch + column + dx]!;
        return (
          centre * at(0, 0) +
          cardinal * (at(-1, 0) + at(1, 0) + at(0, 1) + at(0, -1)) +
          diagonal * (at(-1, 1) + at(1, 1) + at(-1, -1) + at(1, -1))
        );
      };
      return {
        size: square(n),
        buffers: { data, out: 4 * pitch * (n + 2) },
        launches: [
          {
            kernel: 'StencilKernel',
            global: [n / rowsOfGroup, n],
            local: [1, columnsOfGroup],
            arguments: [
              'data',
              'out',
              int(alignment),
              ...[centre, cardinal, diagonal].map(float),
              { local: 4 * (rowsOfGroup + 2) * (columnsOfGroup + 2) },
            ],
          },
        ],
        work: { unit: 'GB/s', amount: 8 * n * n },
        check(result) {
          const out = result('out', Float32Array);
          const found = (index: number): number =>
            out[(Math.floor(index / n) + 1) * pitch + (index % n) + 1]!;
          const indices = sample(n * n, 2000);
          return near(indices.map(found), (at) => expected(indices[at]!), { tolerance: 1e-5 });
        },
      };
    },
  };
}

export function streams(read: ReadSource): BenchKernel[] {
  return [triad(read), stencil(read)];
}
