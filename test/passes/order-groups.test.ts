/** How the groups of a kernel are to follow each other (order-groups). */
import { expect, it } from 'vitest';
import type { GroupPlan } from '../../src/ir/ir.ts';
import { optimise } from '../../src/passes/pipeline.ts';
import { wasm } from '../../src/target/wasm.ts';
import { compileForTest } from '../support/run-kernel.ts';

function planOf(source: string): GroupPlan | undefined {
  const module = compileForTest(source);
  optimise(module, { target: wasm });
  return module.functions.find(({ kind }) => kind === 'kernel')!.groups;
}

const product = (before: string): string => `
kernel void test(global const float *a, global const float *b, global float *c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; k++) sum += ${before};
  c[y * n + x] = sum;
}`;

it('a product of matrices: groups share rows and columns', () => {
  expect(planOf(product('a[y * n + k] * b[k * n + x]'))).toEqual({
    inStrips: true,
    isFused: true,
    isJoined: false,
  });
});

it('columns alone, or rows alone, are no reason for strips', () => {
  expect(planOf(product('b[k * n + x]'))).toBeUndefined();
  expect(planOf(product('a[y * n + k]'))).toBeUndefined();
});

it('what each work-item does for itself joins rows of groups', () => {
  const joined = { inStrips: false, isFused: false, isJoined: true };
  const scale = (value: string, parameters = ''): string => `
kernel void test(global const float *a, global float *b${parameters}) {
  int x = get_global_id(0);
  b[x] = a[x] * ${value};
}`;
  expect(planOf(scale('2'))).toEqual(joined);
  expect(planOf(scale('get_global_size(0)'))).toEqual(joined);
  expect(planOf(scale('get_group_id(0)'))).toBeUndefined();
  expect(planOf(scale('get_local_id(0)'))).toBeUndefined();
  expect(planOf(scale('get_local_size(1)'))).toBeUndefined();
  // Neighbours far apart, loops, and what groups have for themselves.
  expect(planOf(scale('a[(int)a[x]]'))).toBeUndefined();
  expect(planOf(scale('2; for (int k = 0; k < a[x]; k++) b[x] += k'))).toBeUndefined();
  expect(planOf(scale('2; t[0] = 1', ', local float *t'))).toBeUndefined();
});

it('steps as long as the range: groups go through the loop together', () => {
  const plan = planOf(`
kernel void test(global const float *in, global float *out, int count) {
  float sum = 0;
  for (int i = get_global_id(0); i < count; i += get_global_size(0)) sum += in[i];
  out[get_global_id(0)] = sum;
}`);
  expect(plan).toEqual({ inStrips: false, isFused: true, isJoined: false });
});
