/** What the planner decides for WebAssembly, and for a machine with wider vectors, gathers and masked memory (wide-machine.ts). */
import { describe, expect, it } from 'vitest';
import { describePlan } from '../../src/build/describe-plan.ts';
import { optimise } from '../../src/passes/pipeline.ts';
import type { VectoriseDecision } from '../../src/passes/vectorize/vectorize.ts';
import type { Target } from '../../src/target/target.ts';
import { wasm } from '../../src/target/wasm.ts';
import { compileForTest } from '../support/run-kernel.ts';
import { wideMachine } from './wide-machine.ts';

function planOf(source: string, target: Target): string {
  const module = compileForTest(source);
  const decisions: VectoriseDecision[] = [];
  optimise(module, { target, vectorise: { onDecision: (one) => decisions.push(one) } });
  return `\n${describePlan(target, module.functions, decisions)}`;
}

const kernels = {
  'a random read': `
kernel void test(global const int *at, global const int *from, global int *to) {
  int i = get_global_id(0);
  to[i] = from[from[from[at[i]]]];
}`,
  'shifts of longs': `
kernel void test(global const ulong *a, global ulong *b) {
  int i = get_global_id(0);
  b[i] = (a[i] << (i & 63)) + popcount(a[i]);
}`,
  'a masked scatter': `
kernel void test(global const int *at, global const int *a, global int *b) {
  int i = get_global_id(0);
  if (a[i] > 0) b[at[i]] = a[i];
}`,
  'a product of matrices': `
kernel void test(global const float *a, global const float *b, global float *c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}`,
  'two products of matrices': `
kernel void test(global const float *a, global const float *b, global const float *c, global float *d, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0, other = 0;
  for (int k = 0; k < n; k++) {
    sum += a[y * n + k] * b[k * n + x];
    other += a[y * n + k] * c[k * n + x];
  }
  d[y * n + x] = sum / other;
}`,
};

describe('a random read', () => {
  it('wasm', () => {
    expect(planOf(kernels['a random read'], wasm)).toMatchInlineSnapshot(`
      "
      target wasm: vectors of 128 bits, 15 of 16 registers for code

      kernel test
        work-items from test.cl:3
          > scalar                     17.0 a work-item
            vector 2                   25.0              1 of 15 registers  slower than one by one
            vector 4                   21.5              1 of 15 registers  slower than one by one
            vector 8                   20.8              2 of 15 registers  8 work-items at once would take 1.22 of the time of one by one
            vector 16                  20.4              4 of 15 registers  slower than one by one
          one by one, for 8 work-items at once would take 1.22 of the time of one by one (4:21  from[at[i]])
        groups joined to whole rows
      "
    `);
  });

  it('a wide machine', () => {
    expect(planOf(kernels['a random read'], wideMachine)).toMatchInlineSnapshot(`
      "
      target wide: vectors of 256 bits, 31 of 32 registers for code

      kernel test
        work-items from test.cl:3
            scalar                     17.0 a work-item                     vectors are faster
            vector 2                    8.5              1 of 31 registers  shares less
            vector 4                    5.0              1 of 31 registers  shares less
            vector 8                    3.3              1 of 31 registers  shares less
          > vector 16                   2.9              2 of 31 registers
          the most of it: 4:21 load  from[at[i]]
      "
    `);
  });
});

describe('shifts of longs', () => {
  it('wasm', () => {
    expect(planOf(kernels['shifts of longs'], wasm)).toMatchInlineSnapshot(`
      "
      target wasm: vectors of 128 bits, 15 of 16 registers for code

      kernel test
        work-items from test.cl:3
            scalar                     13.0 a work-item                     vectors are faster
            vector 2                   12.5              2 of 15 registers  shares less
          > vector 4                   10.8              4 of 15 registers
            vector 8                   10.0              8 of 15 registers  values of 64 bits would fill more than two registers
            vector 16                   9.6             16 of 15 registers  values of 64 bits would fill more than two registers
          the most of it: 4:11 binary  a[i] << (i & 63
        groups joined to whole rows
      "
    `);
  });

  it('a wide machine', () => {
    expect(planOf(kernels['shifts of longs'], wideMachine)).toMatchInlineSnapshot(`
      "
      target wide: vectors of 256 bits, 31 of 32 registers for code

      kernel test
        work-items from test.cl:3
            scalar                     13.0 a work-item                     vectors are faster
            vector 2                    6.5              2 of 31 registers  shares less
            vector 4                    3.3              2 of 31 registers  shares less
          > vector 8                    2.4              4 of 31 registers
            vector 16                   2.0              8 of 31 registers  values of 64 bits would fill more than two registers
          the most of it: 4:11 load  a[i]
        groups joined to whole rows
      "
    `);
  });
});

describe('a masked scatter', () => {
  it('wasm', () => {
    expect(planOf(kernels['a masked scatter'], wasm)).toMatchInlineSnapshot(`
      "
      target wasm: vectors of 128 bits, 15 of 16 registers for code

      kernel test
        work-items from test.cl:3
            scalar                     13.0 a work-item                     vectors are faster
            vector 2                   11.0              2 of 15 registers  shares less
            vector 4                    7.3              2 of 15 registers  shares less
          > vector 8                    6.0              4 of 15 registers
            vector 16                   5.4              8 of 15 registers  values of 32 bits would fill more than two registers
          the most of it: 4:17 store  b[at[i]] = a[i]
          4:3      if      masked                   if (a[i] > 0) b[at[i]] = a[i];
      "
    `);
  });

  it('a wide machine', () => {
    expect(planOf(kernels['a masked scatter'], wideMachine)).toMatchInlineSnapshot(`
      "
      target wide: vectors of 256 bits, 31 of 32 registers for code

      kernel test
        work-items from test.cl:3
            scalar                     13.0 a work-item                     vectors are faster
            vector 2                    7.0              2 of 31 registers  shares less
            vector 4                    3.8              2 of 31 registers  shares less
            vector 8                    2.1              2 of 31 registers  shares less
          > vector 16                   1.6              4 of 31 registers
          the most of it: 4:17 store  b[at[i]] = a[i]
          4:3      if      masked                   if (a[i] > 0) b[at[i]] = a[i];
      "
    `);
  });
});

describe('a product of matrices', () => {
  it('wasm', () => {
    expect(planOf(kernels['a product of matrices'], wasm)).toMatchInlineSnapshot(`
      "
      target wasm: vectors of 128 bits, 15 of 16 registers for code

      kernel test
        work-items
            scalar                      3.0 a work-item                     vectors are faster
            vector 2                    1.5              0 of 15 registers  shares less
            vector 4                    0.8              0 of 15 registers  shares less
          > vector 8                    0.5              0 of 15 registers
            vector 16                   0.4              0 of 15 registers  values of 32 bits would fill more than two registers
        work-items from test.cl:3
            scalar                    108.0 a work-item                     vectors are faster
            vector 2                   54.0              2 of 15 registers  shares less
            vector 4                   27.0              2 of 15 registers  shares less
            vector 8                   16.8              4 of 15 registers  4 rows share more
            vector 16                  11.6              8 of 15 registers  values of 32 bits would fill more than two registers
          > vector 8, coarse 4          9.4             12 of 15 registers
          the most of it: 5:53 load  b[k * n + x]
          5:12     loop    uniform                  k
        work-items from test.cl:3
            scalar                     11.0 a work-item                     vectors are faster
            vector 2                    5.5              1 of 15 registers  shares less
            vector 4                    2.8              1 of 15 registers  shares less
          > vector 8                    1.6              2 of 15 registers
            vector 16                   1.1              4 of 15 registers  values of 32 bits would fill more than two registers
        groups in strips of rows, several together through loops
      "
    `);
  });

  it('a wide machine', () => {
    expect(planOf(kernels['a product of matrices'], wideMachine)).toMatchInlineSnapshot(`
      "
      target wide: vectors of 256 bits, 31 of 32 registers for code

      kernel test
        work-items
            scalar                      3.0 a work-item                     vectors are faster
            vector 2                    1.5              0 of 31 registers  shares less
            vector 4                    0.8              0 of 31 registers  shares less
            vector 8                    0.4              0 of 31 registers  shares less
          > vector 16                   0.3              0 of 31 registers
        work-items from test.cl:3
            scalar                    108.0 a work-item                     vectors are faster
            vector 2                   54.0              2 of 31 registers  shares less
            vector 4                   27.0              2 of 31 registers  shares less
            vector 8                   13.5              2 of 31 registers  shares less
            vector 16                   8.4              4 of 31 registers  4 rows share more
          > vector 16, coarse 4         4.7             12 of 31 registers
          the most of it: 5:53 load  b[k * n + x]
          5:12     loop    uniform                  k
        work-items from test.cl:3
            scalar                     11.0 a work-item                     vectors are faster
            vector 2                    5.5              1 of 31 registers  shares less
            vector 4                    2.8              1 of 31 registers  shares less
            vector 8                    1.4              1 of 31 registers  shares less
          > vector 16                   0.8              2 of 31 registers
        groups in strips of rows, several together through loops
      "
    `);
  });
});

describe('two products of matrices', () => {
  it('wasm', () => {
    expect(planOf(kernels['two products of matrices'], wasm)).toMatchInlineSnapshot(`
      "
      target wasm: vectors of 128 bits, 15 of 16 registers for code

      kernel test
        work-items
            scalar                      4.0 a work-item                     vectors are faster
            vector 2                    2.0              0 of 15 registers  shares less
            vector 4                    1.0              0 of 15 registers  shares less
          > vector 8                    0.8              0 of 15 registers
            vector 16                   0.6              0 of 15 registers  values of 32 bits would fill more than two registers
        work-items from test.cl:3
            scalar                    143.0 a work-item                     vectors are faster
            vector 2                   71.5              3 of 15 registers  shares less
            vector 4                   35.8              3 of 15 registers  shares less
            vector 8                   24.4              6 of 15 registers  2 rows share more
            vector 16                  18.7             12 of 15 registers  values of 32 bits would fill more than two registers
            vector 8, coarse 4         14.7             22 of 15 registers  wants 22 of 15 registers
          > vector 8, coarse 2         17.9             14 of 15 registers
          the most of it: 6:27 load  b[k * n + x]
          5:12     loop    uniform                  k
        work-items from test.cl:3
            scalar                     20.0 a work-item                     vectors are faster
            vector 2                   10.0              2 of 15 registers  shares less
            vector 4                    5.0              2 of 15 registers  shares less
          > vector 8                    3.9              4 of 15 registers
            vector 16                   3.3              8 of 15 registers  values of 32 bits would fill more than two registers
          the most of it: 9:18 binary  sum / other
        groups in strips of rows, several together through loops
      "
    `);
  });

  it('a wide machine', () => {
    expect(planOf(kernels['two products of matrices'], wideMachine)).toMatchInlineSnapshot(`
      "
      target wide: vectors of 256 bits, 31 of 32 registers for code

      kernel test
        work-items
            scalar                      4.0 a work-item                     vectors are faster
            vector 2                    2.0              0 of 31 registers  shares less
            vector 4                    1.0              0 of 31 registers  shares less
            vector 8                    0.5              0 of 31 registers  shares less
          > vector 16                   0.4              0 of 31 registers
        work-items from test.cl:3
            scalar                    143.0 a work-item                     vectors are faster
            vector 2                   71.5              3 of 31 registers  shares less
            vector 4                   35.8              3 of 31 registers  shares less
            vector 8                   17.9              3 of 31 registers  shares less
            vector 16                  12.2              6 of 31 registers  4 rows share more
          > vector 16, coarse 4         7.4             22 of 31 registers
          the most of it: 6:27 load  b[k * n + x]
          5:12     loop    uniform                  k
        work-items from test.cl:3
            scalar                     20.0 a work-item                     vectors are faster
            vector 2                   10.0              2 of 31 registers  shares less
            vector 4                    5.0              2 of 31 registers  shares less
            vector 8                    2.5              2 of 31 registers  shares less
          > vector 16                   1.9              4 of 31 registers
          the most of it: 9:18 binary  sum / other
        groups in strips of rows, several together through loops
      "
    `);
  });
});

describe('rows that lie a power of two apart', () => {
  /** A sum over the rows that is too much for registers alone to decide. */
  const rowsOf = (count: number): string => {
    const terms = Array.from({ length: count }, (_, row) => `f[${row} * 16384 + i] / 3.0f`);
    return `kernel void test(global const float *f, global float *to) {
      int i = get_global_id(0);
      to[i] = ${terms.join(' + ')};
    }`;
  };
  const chosen = (source: string, target: Target): string | undefined =>
    /> (.*?\d+|scalar) /.exec(planOf(source, target))?.[1];

  it('takes a line of the cache at once where more are touched than the cache has ways', () => {
    expect(chosen(rowsOf(7), wasm)).toBe('vector 8');
    expect(chosen(rowsOf(8), wasm)).toBe('vector 16');
  });

  it('leaves vectors alone that fill a line anyway', () => {
    expect(chosen(rowsOf(8), wideMachine)).toBe(chosen(rowsOf(7), wideMachine));
  });
});
