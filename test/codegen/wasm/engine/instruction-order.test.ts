/** Long straight code in vectors: results are stored on the way to keep the parts of vectors together, and stay right. */
import { expect, it } from 'vitest';
import { compileModule } from '../../../../src/codegen/wasm/module/compile-module.ts';
import { listModule } from '../../../../src/codegen/wasm/module/listing.ts';
import { cloneModule } from '../../../../src/ir/clone.ts';
import { optimise } from '../../../../src/passes/pipeline.ts';
import { wasm } from '../../../../src/target/wasm.ts';
import { buffer, compileForTest, runOnInterpreter, wasmRunner } from '../../../support/run-kernel.ts';

/** Each step takes three instructions, and the next one needs it. */
function digest(steps: number): string {
  const lines = Array.from(
    { length: steps },
    (_, at) => `x = rotate(x ^ ${at * 7919}u, ${(at % 31) + 1}u) + y;`,
  );
  return `kernel void test(global const uint *in, global uint *out) {
    size_t i = get_global_id(0);
    uint x = in[i], y = x * 3u;
    ${lines.join('\n')}
    out[i] = x;
  }`;
}

/** A sum over so many rows of an array; rows are 64 numbers long. */
function sumOfRows(rows: number): string {
  const terms = Array.from({ length: rows }, (_, row) => `in[${row * 64} + i]`);
  return `kernel void test(global const float *in, global float *out) {
    size_t i = get_global_id(0);
    out[i] = ${terms.join(' + ')};
  }`;
}

/** The vector stores of a kernel, one of whose stores is its result's. */
function stores(source: string, lanes: 4 | 8 | 16): number {
  const module = compileForTest(source);
  optimise(module, { target: wasm, vectorise: { lanes } });
  const text = listModule(compileModule(module, { shared: false }).bytes);
  return text.match(/v128\.store/g)?.length ?? 0;
}

it('stores results on the way, where vectors have parts', () => {
  expect(stores(digest(200), 8)).toBeGreaterThan(2);
  expect(stores(digest(200), 4)).toBe(1);
  expect(stores(digest(40), 8)).toBe(2);
});

it('stores sums of many loads on the way, each time that the loads would fill the registers', () => {
  expect(stores(sumOfRows(15), 4)).toBe(1);
  expect(stores(sumOfRows(80), 8)).toBe(2 * (1 + 9));
});

it('leaves code that is written part by part alone, as long as one part finds room', () => {
  // 25 rows are 100 registers of 16 lanes, but 25 of one part.
  expect(stores(sumOfRows(25), 16)).toBe(4);
  expect(stores(sumOfRows(40), 16)).toBeGreaterThan(4);
});

it.each([
  ['a digest', digest(200), (at: number) => at * 0x9e3779b9],
  // Sums of small whole floats, whatever the order.
  ['a sum of rows', sumOfRows(80), (at: number) => [0, 0x3f800000, 0x40000000][at % 3]!],
])('computes what the interpreter does: %s', (_, source, bitsAt) => {
  const module = compileForTest(source);
  const input = Uint32Array.from({ length: 80 * 64 }, (_, at) => bitsAt(at));
  const [expected, found] = [new Uint32Array(48), new Uint32Array(48)];
  const range = { global: [48], local: [24] };
  runOnInterpreter(cloneModule(module), 'test', range, [buffer(input), buffer(expected)]);
  wasmRunner(module, { lanes: 8 })('test', range, [buffer(input), buffer(found)]);
  expect(found).toEqual(expected);
});
