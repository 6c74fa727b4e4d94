/** SHOC's products of a sparse matrix and a vector: rows compressed, a work-item or 32 a row, and columns of padded rows (ELLPACK-R). */
import { createRandom } from '../../../samples/support/random.ts';
import { type BenchKernel, count, floats, int } from '../../frame/bench-kernel.ts';
import { near } from '../../frame/checks.ts';
import type { ReadSource } from '../suite.ts';

/** A square matrix in which every hundredth element is set, at random. */
function matrix(rows: number) {
  const random = createRandom(21);
  const starts = new Int32Array(rows + 1);
  const columns: number[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < rows; column += 1) if (random.below(100) === 0) columns.push(column);
    starts[row + 1] = columns.length;
  }
  return { starts, columns: Int32Array.from(columns), values: floats(columns.length, 22, 0, 10) };
}

export function sparseProducts(read: ReadSource): BenchKernel[] {
  const kernel = (
    name: string,
    launch: (rows: number) => { kernel: string; global: number[]; arguments: (string | Int32Array)[] },
  ): BenchKernel => ({
    name: `SHOC SpMV ${name}`,
    source: read('level1/spmv/spmv.cl'),
    options: '-DSINGLE_PRECISION',
    prepare(size) {
      const rows = size === 'full' ? 8192 : 1024;
      const { starts, columns, values } = matrix(rows);
      const x = floats(rows, 23, 0, 10);
      const lengths = Int32Array.from({ length: rows }, (_, row) => starts[row + 1]! - starts[row]!);
      const longest = lengths.reduce((a, b) => Math.max(a, b));
      const [paddedColumns, paddedValues] = [
        new Int32Array(longest * rows),
        new Float32Array(longest * rows),
      ];
      for (let row = 0; row < rows; row += 1) {
        for (let at = 0; at < lengths[row]!; at += 1) {
          paddedColumns[at * rows + row] = columns[starts[row]! + at]!;
          paddedValues[at * rows + row] = values[starts[row]! + at]!;
        }
      }
      const expected = (row: number): number => {
        let sum = 0;
        for (let at = starts[row]!; at < starts[row + 1]!; at += 1) sum += values[at]! * x[columns[at]!]!;
        return sum;
      };
      return {
        size: `${count(rows)} rows`,
        buffers: { starts, columns, values, x, lengths, paddedColumns, paddedValues, out: 4 * rows },
        launches: [{ local: [128], ...launch(rows) }],
        work: { unit: 'GFLOP/s', amount: 2 * columns.length },
        check: (result) => near(result('out', Float32Array), expected, { tolerance: 1e-5, scale: 1 }),
      };
    },
  });
  return [
    kernel('CSR scalar', (rows) => ({
      kernel: 'spmv_csr_scalar_kernel',
      global: [rows],
      arguments: ['values', 'x', 'columns', 'starts', int(rows), 'out'],
    })),
    kernel('CSR vector', (rows) => ({
      kernel: 'spmv_csr_vector_kernel',
      global: [rows * 32],
      arguments: ['values', 'x', 'columns', 'starts', int(rows), int(32), 'out'],
    })),
    kernel('ELLPACK-R', (rows) => ({
      kernel: 'spmv_ellpackr_kernel',
      global: [rows],
      arguments: ['paddedValues', 'x', 'paddedColumns', 'lengths', int(rows), 'out'],
    })),
  ];
}
