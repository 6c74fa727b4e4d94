/** How many work-items run together in machine code, where that has reasons of its own. */
import { expect, it } from 'vitest';
import { optimise } from '../../src/passes/pipeline.ts';
import type { VectoriseDecision } from '../../src/passes/vectorize/vectorize.ts';
import type { Target } from '../../src/target/target.ts';
import { x64, x64Avx512 } from '../../src/target/x64.ts';
import { compileForTest } from '../support/run-kernel.ts';

/** The lanes of a kernel's work-item loops. */
function lanesOf(source: string, target: Target): (number | undefined)[] {
  const decisions: VectoriseDecision[] = [];
  optimise(compileForTest(source), { target, vectorise: { onDecision: (one) => decisions.push(one) } });
  return decisions.map(({ outcome }) => ('lanes' in outcome ? outcome.lanes : undefined));
}

/** Why a kernel's work-item loop has not so many lanes. */
function reasonAgainst(lanes: number, source: string): string | undefined {
  const decisions: VectoriseDecision[] = [];
  optimise(compileForTest(source), { target: x64, vectorise: { onDecision: (one) => decisions.push(one) } });
  return decisions[0]!.candidates.find((one) => one.lanes === lanes)!.rejected;
}

const counting = `kernel void test(global const uint *a, global uint *counts) {
  uint x = a[get_global_id(0)];
  atomic_inc(counts + (x * x * 31 & 255));
}`;

it.each(['', '__attribute__((reqd_work_group_size(256, 1, 1))) '])(
  'eight where atomic operations go lane by lane, whether or not the size of groups is known%s',
  (attribute) => expect(lanesOf(attribute + counting, x64)).toEqual([8]),
);

it('says why there are not more', () => {
  expect(reasonAgainst(16, counting)).toBe('atomic operations go lane by lane');
  const copy = (size: number): string => `__attribute__((reqd_work_group_size(${size}, 64, 1)))
    kernel void test(global const float *a, global float *b) {
      int i = get_global_id(0);
      b[i] = a[i] * 2.0f;
    }`;
  expect(reasonAgainst(16, copy(8))).toBe('a row has only 8 work-items');
});

it.each([
  ['block[y][x]', '[8][8]', 8],
  ['block[(y << 3) + x]', '[64]', 8],
  // Of a shift that nobody knows nothing can be told.
  ['block[(y << n) + x]', '[256]', 16],
])('as many as rows of local memory have elements: %s', (element, array, lanes) => {
  const kernel = `kernel void test(global const float *a, global float *b, int n) {
    local float block${array};
    int x = get_local_id(0), y = get_local_id(1);
    int at = get_global_id(1) * n + get_global_id(0);
    ${element} = a[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    b[at] = ${element} * 2.0f;
  }`;
  expect(new Set(lanesOf(kernel, x64))).toEqual(new Set([lanes]));
});

/** A product of matrices with so many sums in each work-item. */
const sums = (count: number): string => `
kernel void test(global const float *a, global const float *b, global float *c, int n) {
  int x = get_global_id(0), y = get_global_id(1) * ${count};
  float sums[${count}];
  for (int i = 0; i < ${count}; i++) sums[i] = 0.0f;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < ${count}; i++) sums[i] += a[(y + i) * n + k] * b[k * n + x];
  for (int i = 0; i < ${count}; i++) c[(y + i) * n + x] = sums[i];
}`;

it.each([
  [4, 16, 16],
  // Two registers for each of sixteen would be 32 of 16 registers.
  [16, 8, 16],
  [20, 8, 16],
  [24, 8, 8],
])('%d sums: %d with AVX2, %d with AVX-512', (count, lanes, wide) => {
  // In front of the loop over n and behind it there are no sums to be carried.
  const most = (target: Target): number[] => [16, target === x64 ? lanes : wide, 16];
  expect(lanesOf(sums(count), x64)).toEqual(most(x64));
  expect(lanesOf(sums(count), x64Avx512)).toEqual(most(x64Avx512));
});
