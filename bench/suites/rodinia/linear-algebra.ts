/** Rodinia's Gaussian elimination and LU decomposition: chains of short launches, two or three for each column or block of columns. */
import { type BenchKernel, floats, int, type Launch, square } from '../../frame/bench-kernel.ts';
import { firstOf, near } from '../../frame/checks.ts';
import { inGroups, type ReadSource } from '../suite.ts';

/** A matrix whose diagonal outweighs its rows, so that elimination needs no exchange of rows. */
function matrixOf(n: number, seed: number): Float32Array {
  const matrix = floats(n * n, seed);
  for (let at = 0; at < n; at += 1) matrix[at * n + at]! += n;
  return matrix;
}

function gaussian(read: ReadSource): BenchKernel {
  return {
    name: 'Rodinia gaussian',
    source: read('gaussian/gaussianElim_kernels.cl'),
    prepare(size) {
      const n = size === 'full' ? 512 : 64;
      const [a, b] = [matrixOf(n, 1), floats(n, 2)];
      const launches = Array.from({ length: n - 1 }, (_, t): Launch[] => {
        const args = ['m', 'a', 'b', int(n), int(t)];
        return [
          { kernel: 'Fan1', global: [inGroups(n, 64)], local: [64], arguments: args },
          { kernel: 'Fan2', global: [inGroups(n, 16), inGroups(n, 16)], local: [16, 16], arguments: args },
        ];
      }).flat();
      return {
        size: square(n),
        buffers: { a, b, m: new Float32Array(n * n) },
        restored: ['a', 'b'],
        launches,
        work: { unit: 'GFLOP/s', amount: (2 / 3) * n ** 3 },
        check(result) {
          const [u, y] = [Float64Array.from(a), Float64Array.from(b)];
          for (let t = 0; t < n - 1; t += 1) {
            for (let row = t + 1; row < n; row += 1) {
              const factor = u[row * n + t]! / u[t * n + t]!;
              for (let column = t; column < n; column += 1)
                u[row * n + column]! -= factor * u[t * n + column]!;
              y[row]! -= factor * y[t]!;
            }
          }
          return firstOf(
            near(result('a', Float32Array), (index) => u[index]!, { tolerance: 1e-4, scale: 1 }),
            near(result('b', Float32Array), (index) => y[index]!, { tolerance: 1e-4, scale: 1 }),
          );
        },
      };
    },
  };
}

const block = 16;

function luDecomposition(read: ReadSource): BenchKernel {
  return {
    name: 'Rodinia lud',
    source: read('lud/lud_kernel.cl'),
    options: `-DBLOCK_SIZE=${block}`,
    prepare(size) {
      const n = size === 'full' ? 512 : 64;
      const m = matrixOf(n, 3);
      const tile = { local: 4 * block * block };
      const launches: Launch[] = [];
      for (let offset = 0; offset < n; offset += block) {
        const place = [int(n), int(offset)];
        launches.push({
          kernel: 'lud_diagonal',
          global: [block],
          local: [block],
          arguments: ['m', tile, ...place],
        });
        const rest = (n - offset) / block - 1;
        if (rest === 0) break;
        launches.push(
          {
            kernel: 'lud_perimeter',
            global: [2 * block * rest],
            local: [2 * block],
            arguments: ['m', tile, tile, tile, ...place],
          },
          {
            kernel: 'lud_internal',
            global: [block * rest, block * rest],
            local: [block, block],
            arguments: ['m', tile, tile, ...place],
          },
        );
      }
      return {
        size: square(n),
        buffers: { m },
        restored: ['m'],
        launches,
        work: { unit: 'GFLOP/s', amount: (2 / 3) * n ** 3 },
        check(result) {
          const lu = Float64Array.from(m);
          for (let t = 0; t < n - 1; t += 1) {
            for (let row = t + 1; row < n; row += 1) {
              lu[row * n + t]! /= lu[t * n + t]!;
              for (let column = t + 1; column < n; column += 1) {
                lu[row * n + column]! -= lu[row * n + t]! * lu[t * n + column]!;
              }
            }
          }
          return near(result('m', Float32Array), (index) => lu[index]!, { tolerance: 1e-4, scale: 0.1 });
        },
      };
    },
  };
}

export function linearAlgebra(read: ReadSource): BenchKernel[] {
  return [gaussian(read), luDecomposition(read)];
}
