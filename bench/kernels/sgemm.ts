/** C = alpha A B + beta C, tiles of both in local memory and four columns of the result for each work-item. */
import { type BenchKernel, float, floats, square, uint } from '../frame/bench-kernel.ts';
import { near, sample } from '../frame/checks.ts';
import { productElement, sumTolerance } from './matrix-multiplication.ts';

const [alpha, beta] = [1.5, 0.5];

const source = `
#define TILE 32
#define PART 4
#define ROWS (TILE / PART)
kernel void sgemm(uint n, float alpha, global const float *a, global const float *b, float beta, global float *c) {
  local float tile_a[TILE][TILE], tile_b[TILE][TILE];
  size_t x = get_local_id(0), y = get_local_id(1);
  size_t column = get_group_id(0) * TILE + x, row = get_group_id(1) * TILE + y;
  float sums[PART] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (uint first = 0; first < n; first += TILE) {
    for (uint part = 0; part < PART; part++) {
      tile_a[y + part * ROWS][x] = a[(row + part * ROWS) * n + first + x];
      tile_b[y + part * ROWS][x] = b[(first + y + part * ROWS) * n + column];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < TILE; k++) {
      float factor = tile_b[k][x];
      for (uint part = 0; part < PART; part++) sums[part] += tile_a[y + part * ROWS][k] * factor;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (uint part = 0; part < PART; part++) {
    size_t at = (row + part * ROWS) * n + column;
    c[at] = alpha * sums[part] + beta * c[at];
  }
}`;

/** @param fullSize rows of the matrices at full size */
function sgemmOf(name: string, fullSize: number): BenchKernel {
  return {
    name,
    source,
    prepare(size) {
      const n = size === 'full' ? fullSize : 256;
      const [a, b, c] = [floats(n * n, 1), floats(n * n, 2), floats(n * n, 3)];
      return {
        size: square(n),
        buffers: { a, b, c },
        restored: ['c'],
        launches: [
          {
            kernel: 'sgemm',
            global: [n, n / 4],
            local: [32, 8],
            arguments: [uint(n), float(alpha), 'a', 'b', float(beta), 'c'],
          },
        ],
        work: { unit: 'GFLOP/s', amount: 2 * n ** 3 },
        check: (result) =>
          near(result('c', Float32Array), (i) => alpha * productElement(a, b, n, i) + beta * c[i]!, {
            tolerance: sumTolerance(n),
            indices: sample(n * n),
          }),
      };
    },
  };
}

export const sgemm = sgemmOf('sgemm tiled', 1024);

/** At the size that libraries are measured at. */
export const largeSgemm = sgemmOf('sgemm tiled, 2048', 2048);
