/** Loops that do several iterations at once: ways out between the iterations that nobody takes, where registers are short. */
import { setFlagsFromString } from 'node:v8';
import { expect, it } from 'vitest';
import { compileModule } from '../../../../src/codegen/wasm/module/compile-module.ts';
import { listModule } from '../../../../src/codegen/wasm/module/listing.ts';
import { cloneModule } from '../../../../src/ir/clone.ts';
import { optimise } from '../../../../src/passes/pipeline.ts';
import { wasm } from '../../../../src/target/wasm.ts';
import { buffer, compileForTest, runOnInterpreter, value, wasmRunner } from '../../../support/run-kernel.ts';

/** Products of the rows of a matrix: lanes walk along rows of their own, four iterations at a time. */
const products = `
kernel void test(int n, global const float *a, global float *c) {
  int column = get_global_id(0), row = get_global_id(1);
  float sum = c[row * get_global_size(0) + column];
  for (int k = 0; k < n; k++) sum += a[row * n + k] * a[column * n + k];
  c[row * get_global_size(0) + column] = sum;
}`;

/** How often it is asked whether there is an impossible number of work-items. */
function waysOut(lanes: 4 | 8, rows: number): number {
  const module = compileForTest(products);
  optimise(module, { target: wasm, vectorise: { lanes, rows } });
  const text = listModule(compileModule(module, { shared: false }).bytes);
  return text.match(/i32\.const -\d\s+i32\.eq\n/g)?.length ?? 0;
}

it('are behind all iterations but the last, where loads and sums are more than the registers', () => {
  expect(waysOut(8, 4)).toBe(3);
  // One row of four lanes: a sum, four vectors, four numbers.
  expect(waysOut(4, 1)).toBe(0);
});

it.each([
  [8, 4],
  [8, 2],
  [4, 4],
] as const)('change nothing, with %i lanes and %i rows', (lanes, rows) => {
  const module = compileForTest(products);
  for (const n of [3, 13]) {
    const a = Float32Array.from({ length: 24 * n }, (_, at) => Math.sin(at));
    const [expected, found] = [new Float32Array(24 * 12).fill(1), new Float32Array(24 * 12).fill(1)];
    const range = { global: [24, 12], local: [12, 6] };
    runOnInterpreter(module, 'test', range, [value.int(n), buffer(a), buffer(expected)]);
    wasmRunner(cloneModule(module), { lanes, rows })('test', range, [value.int(n), buffer(a), buffer(found)]);
    expect(found).toEqual(expected);
  }
});

/** Each iteration multiplies what the one before left, so that the product is no sum: Horner's rule. */
const polynomials = `
kernel void test(int n, global const float *a, global float *c) {
  int column = get_global_id(0), row = get_global_id(1);
  float sum = 1;
  for (int k = 0; k < n; k++) sum = sum * a[column * n + k] + a[row * n + k];
  c[row * get_global_size(0) + column] = sum;
}`;

it.each([
  [8, 4],
  [4, 2],
  ['chosen', 1],
] as const)('are behind no product that is fused with a sum, with %s lanes and %i rows', (lanes, rows) => {
  // Node 20 has relaxed SIMD behind a flag.
  // Later versions have it without a flag, and do not know the flag.
  if (Number.parseInt(process.versions.node, 10) < 22) setFlagsFromString('--experimental-wasm-relaxed-simd');
  const module = compileForTest(polynomials);
  const n = 13;
  // Whole numbers, so that it is all the same how often is rounded.
  const a = Float32Array.from({ length: 24 * n }, (_, at) => ((at * 7) % 3) - 1);
  const [expected, found] = [new Float32Array(24 * 12), new Float32Array(24 * 12)];
  const range = { global: [24, 12], local: [12, 6] };
  runOnInterpreter(module, 'test', range, [value.int(n), buffer(a), buffer(expected)]);
  wasmRunner(cloneModule(module), { lanes, rows, fuses: true })('test', range, [
    value.int(n),
    buffer(a),
    buffer(found),
  ]);
  expect(new Set(expected).size).toBeGreaterThan(4);
  expect(found).toEqual(expected);
});
