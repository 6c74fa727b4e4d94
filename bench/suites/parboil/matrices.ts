/** Parboil's products of matrices: a dense one times the transpose of another (sgemm), and a sparse one times a vector (spmv). */
import { createRandom } from '../../../samples/support/random.ts';
import { type BenchKernel, float, floats, int } from '../../frame/bench-kernel.ts';
import { near, sample } from '../../frame/checks.ts';
import { productOfRows } from '../../kernels/csr-rows.ts';
import { inGroups, type ReadSource } from '../suite.ts';
import { kernelsOf, titleOf, type Version } from './version.ts';

/** The tuned one: tiles of 512 rows and 32 columns, by groups of 32 x 16. */
const tile = { rows: 512, columns: 32, height: 16 };

function dense(read: ReadSource, version: Version): BenchKernel {
  return {
    name: titleOf('sgemm', version),
    source: kernelsOf(read, 'sgemm', version),
    ...(version === 'nvidia'
      ? { options: `-D TILE_N=${tile.columns} -D TILE_TB_HEIGHT=${tile.height} -D TILE_M=${tile.rows}` }
      : {}),
    prepare(size) {
      const [m, n, k] = size === 'full' ? [512, 384, 512] : [512, 32, 64];
      const [a, b] = [floats(m * k, 201), floats(n * k, 202)];
      const expected = (index: number): number => {
        const [row, column] = [index % m, Math.floor(index / m)];
        let sum = 0;
        for (let at = 0; at < k; at += 1) sum += a[row + at * m]! * b[column + at * n]!;
        return sum;
      };
      const shape =
        version === 'nvidia'
          ? {
              global: [(m * tile.columns) / tile.rows, (n * tile.height) / tile.columns],
              local: [tile.columns, tile.height],
            }
          : { global: [m, n], local: [32, 32] };
      return {
        size: `${m} x ${k} x ${n}`,
        buffers: { a, b, c: new Float32Array(m * n) },
        launches: [
          {
            kernel: 'mysgemmNT',
            ...shape,
            arguments: ['a', int(m), 'b', int(n), 'c', int(m), int(k), float(1), float(0)],
          },
        ],
        work: { unit: 'GFLOP/s', amount: 2 * m * n * k },
        check: (result) =>
          near(result('c', Float32Array), expected, { tolerance: 1e-5, indices: sample(m * n, 2000) }),
      };
    },
  };
}

const warp = 32;

/**
 * A square matrix by jagged diagonals: rows in the order of their lengths, 32 of them padded to one length, and in memory first the first
 * entries of all rows, then the second ones of those that have any.
 */
function jagged(rows: number) {
  const random = createRandom(211);
  const lengths = Array.from({ length: rows }, () => 1 + Math.floor(40 * random.between(0, 1) ** 3));
  const order = Int32Array.from(lengths.keys()).sort((a, b) => lengths[b]! - lengths[a]! || a - b);
  const warps = Math.ceil(rows / warp);
  const longest = Int32Array.from({ length: warps }, (_, at) => lengths[order[at * warp]!]!);
  const depth = longest[0]!;
  const diagonals = new Int32Array(depth);
  let total = 0;
  for (let at = 0; at < depth; at += 1) {
    diagonals[at] = total;
    total += warp * longest.filter((length) => length > at).length;
  }
  const starts = new Int32Array(rows + 1);
  for (let row = 0; row < rows; row += 1) starts[row + 1] = starts[row]! + lengths[row]!;
  const entries = starts[rows]!;
  const columns = Int32Array.from({ length: entries }, () => random.below(rows));
  const values = floats(entries, 212, -1, 1);
  const [data, indices] = [new Float32Array(total), new Int32Array(total)];
  for (const [place, row] of order.entries()) {
    for (let at = 0; at < lengths[row]!; at += 1) {
      data[diagonals[at]! + place] = values[starts[row]! + at]!;
      indices[diagonals[at]! + place] = columns[starts[row]! + at]!;
    }
  }
  return { csr: { starts, columns, values }, entries, order, longest, diagonals, data, indices };
}

function sparse(read: ReadSource, version: Version): BenchKernel {
  return {
    name: titleOf('spmv', version),
    source: kernelsOf(read, 'spmv', version),
    prepare(size) {
      // The host launches it 50 times.
      const [rows, times] = size === 'full' ? [11948, 50] : [1003, 5];
      const { csr, entries, order, longest, diagonals, data, indices } = jagged(rows);
      const x = floats(rows, 213, -1, 1);
      const group = rows > 2 * 1536 ? 192 : warp;
      return {
        size: `${rows} rows, ${times} times`,
        buffers: { product: 4 * rows, data, indices, order, x, diagonals, longest },
        launches: Array.from({ length: times }, () => ({
          kernel: version === 'nvidia' ? 'spmv_jds' : 'spmv_jds_naive',
          global: [inGroups(rows, group)],
          local: [group],
          arguments: ['product', 'data', 'indices', 'order', 'x', int(rows), 'diagonals', 'longest'],
        })),
        work: { unit: 'GFLOP/s', amount: 2 * entries * times },
        check: (result) =>
          near(result('product', Float32Array), productOfRows(csr, x), { tolerance: 1e-5, scale: 1 }),
      };
    },
  };
}

export const matrices = (read: ReadSource): BenchKernel[] => [
  dense(read, 'base'),
  dense(read, 'nvidia'),
  sparse(read, 'base'),
  sparse(read, 'nvidia'),
];
