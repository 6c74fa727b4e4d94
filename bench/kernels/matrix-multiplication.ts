/**
 * C = A B in six ways, from a work-item for each element to tiles in local memory; the two that were written by hand as
 * WebAssembly before Millrace began also at the smaller size that they were measured at.
 */
import type { BenchKernel, Launch, Size } from '../frame/bench-kernel.ts';
import { floats, square, uint } from '../frame/bench-kernel.ts';
import { near, sample } from '../frame/checks.ts';

/** An element of the product of two n x n matrices, in double precision. */
export function productElement(a: Float32Array, b: Float32Array, n: number, index: number): number {
  const row = Math.floor(index / n);
  const column = index % n;
  let sum = 0;
  for (let k = 0; k < n; k += 1) sum += a[row * n + k]! * b[k * n + column]!;
  return sum;
}

/** How far sums of n products may be from each other, rounded in different orders. */
export function sumTolerance(n: number): number {
  return n * 2 ** -23;
}

/** @param fullSize rows of the matrices at full size */
function multiplication(
  name: string,
  source: string,
  launch: (n: number) => Pick<Launch, 'global' | 'local'> & { readonly localBytes?: number },
  fullSize = 1024,
): BenchKernel {
  return {
    name,
    source,
    prepare(size: Size) {
      const n = size === 'full' ? fullSize : 256;
      const [a, b] = [floats(n * n, 1), floats(n * n, 2)];
      const { localBytes, ...range } = launch(n);
      const local = localBytes === undefined ? [] : [{ local: localBytes }];
      return {
        size: square(n),
        buffers: { a, b, c: 4 * n * n },
        launches: [{ kernel: 'multiply', ...range, arguments: [uint(n), 'a', 'b', 'c', ...local] }],
        work: { unit: 'GFLOP/s', amount: 2 * n ** 3 },
        check: (result) =>
          near(result('c', Float32Array), (index) => productElement(a, b, n, index), {
            tolerance: sumTolerance(n),
            indices: sample(n * n),
          }),
      };
    },
  };
}

const itemPerElement = `
kernel void multiply(uint n, global const float *a, global const float *b, global float *c) {
  size_t column = get_global_id(0), row = get_global_id(1);
  float sum = 0.0f;
  for (uint k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}`;

const rowPerItem = multiplication(
  'matmul row a work-item',
  `
kernel void multiply(uint n, global const float *a, global const float *b, global float *c) {
  size_t row = get_global_id(0);
  for (uint column = 0; column < n; column++) {
    float sum = 0.0f;
    for (uint k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
  }
}`,
  (n) => ({ global: [n], local: [n / 16] }),
);

const privateRow = multiplication(
  'matmul private row',
  `
kernel void multiply(uint n, global const float *a, global const float *b, global float *c) {
  size_t row = get_global_id(0);
  float own[1024];
  for (uint k = 0; k < n; k++) own[k] = a[row * n + k];
  for (uint column = 0; column < n; column++) {
    float sum = 0.0f;
    for (uint k = 0; k < n; k++) sum += own[k] * b[k * n + column];
    c[row * n + column] = sum;
  }
}`,
  (n) => ({ global: [n], local: [n / 16] }),
);

const localColumn = multiplication(
  'matmul local column',
  `
kernel void multiply(uint n, global const float *a, global const float *b, global float *c, local float *column_of_b) {
  size_t row = get_global_id(0);
  float own[1024];
  for (uint k = 0; k < n; k++) own[k] = a[row * n + k];
  for (uint column = 0; column < n; column++) {
    for (uint k = get_local_id(0); k < n; k += get_local_size(0)) column_of_b[k] = b[k * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
    for (uint k = 0; k < n; k++) sum += own[k] * column_of_b[k];
    c[row * n + column] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}`,
  (n) => ({ global: [n], local: [n / 16], localBytes: 4 * n }),
);

const tiles = `
#define TILE 16
kernel void multiply(uint n, global const float *a, global const float *b, global float *c) {
  local float tile_a[TILE][TILE], tile_b[TILE][TILE];
  size_t x = get_local_id(0), y = get_local_id(1);
  size_t column = get_global_id(0), row = get_global_id(1);
  float sum = 0.0f;
  for (uint first = 0; first < n; first += TILE) {
    tile_a[y][x] = a[row * n + first + x];
    tile_b[y][x] = b[(first + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < TILE; k++) sum += tile_a[y][k] * tile_b[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}`;

const elements = (n: number) => ({ global: [n, n], local: [16, 16] });

export const matrixMultiplications: readonly BenchKernel[] = [
  multiplication('matmul naive', itemPerElement, elements),
  multiplication('matmul naive, 512', itemPerElement, elements, 512),
  // As many tutorials have it.
  multiplication(
    'matmul rows first',
    itemPerElement.replace(
      'column = get_global_id(0), row = get_global_id(1)',
      'row = get_global_id(0), column = get_global_id(1)',
    ),
    elements,
  ),
  rowPerItem,
  privateRow,
  localColumn,
  multiplication('matmul tiled', tiles, elements),
  multiplication('matmul tiled, 512', tiles, elements, 512),
];

/** For graphics cards. */
export const largeMultiplications: readonly BenchKernel[] = [2048, 4096].flatMap((n) => [
  multiplication(`matmul naive, ${n}`, itemPerElement, elements, n),
  multiplication(`matmul tiled, ${n}`, tiles, elements, n),
]);
