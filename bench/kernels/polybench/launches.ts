/** What the PolyBench kernels share: launches over n x n matrices and their rows, and sums for their references. */
import { int, type Launch } from '../../frame/bench-kernel.ts';

/** A work-item for each element of an n x n matrix; the kernel's first argument is n. */
export const onMatrix = (kernel: string, n: number, ...given: Launch['arguments']): Launch => ({
  kernel,
  global: [n, n],
  local: [32, 8],
  arguments: [int(n), ...given],
});
/** A work-item for each row or column. */
export const onRows = (kernel: string, n: number, ...given: Launch['arguments']): Launch => ({
  kernel,
  global: [n],
  local: [64],
  arguments: [int(n), ...given],
});

/** The sum of products of a row or column of a matrix and a vector. */
export function dot(length: number, a: (k: number) => number, b: (k: number) => number): number {
  let sum = 0;
  for (let k = 0; k < length; k += 1) sum += a(k) * b(k);
  return sum;
}
