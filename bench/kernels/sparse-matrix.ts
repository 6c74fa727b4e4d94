/** A sparse matrix times a vector, rows compressed (CSR): a work-item for each row, gathered reads. */

import { createRandom } from '../../samples/support/random.ts';
import { type BenchKernel, count, floats } from '../frame/bench-kernel.ts';
import { near } from '../frame/checks.ts';
import { productOfRows } from './csr-rows.ts';

export const sparseMatrix: BenchKernel = {
  name: 'sparse matrix (CSR)',
  source: `
kernel void multiply(global const uint *starts, global const uint *columns, global const float *values,
                     global const float *x, global float *y) {
  size_t row = get_global_id(0);
  float sum = 0.0f;
  for (uint at = starts[row]; at < starts[row + 1]; at++) sum += values[at] * x[columns[at]];
  y[row] = sum;
}`,
  prepare(size) {
    const rows = size === 'full' ? 2 ** 18 : 2 ** 15;
    const random = createRandom(11);
    const starts = new Uint32Array(rows + 1);
    // From none to 31 entries a row, so that neighbours have different amounts of work.
    for (let row = 0; row < rows; row += 1) starts[row + 1] = starts[row]! + random.below(32);
    const entries = starts[rows]!;
    const columns = new Uint32Array(entries);
    // Half of them near the diagonal, as in matrices from meshes.
    for (let row = 0; row < rows; row += 1) {
      for (let at = starts[row]!; at < starts[row + 1]!; at += 1) {
        const near = Math.min(Math.max(row + random.below(64) - 32, 0), rows - 1);
        columns[at] = random.below(2) === 0 ? near : random.below(rows);
      }
    }
    const [values, x] = [floats(entries, 12), floats(rows, 13)];
    const expected = productOfRows({ starts, columns, values }, x);
    return {
      size: `${count(rows)} rows`,
      buffers: { starts, columns, values, x, y: 4 * rows },
      launches: [
        {
          kernel: 'multiply',
          global: [rows],
          local: [64],
          arguments: ['starts', 'columns', 'values', 'x', 'y'],
        },
      ],
      work: { unit: 'GFLOP/s', amount: 2 * entries },
      check: (result) => near(result('y', Float32Array), expected, { tolerance: 2 ** -19, scale: 1 }),
    };
  },
};
