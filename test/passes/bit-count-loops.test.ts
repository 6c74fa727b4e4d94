/** Loops that take away bits one by one, as numbers of bits. */
import { describe, expect, it } from 'vitest';
import { cloneModule } from '../../src/ir/clone.ts';
import { printModule } from '../../src/ir/print.ts';
import { prepareForVectorising } from '../../src/passes/pipeline.ts';
import { buffer, compileForTest, runOnInterpreter, wasmRunner } from '../support/run-kernel.ts';

const kernel = (body: string, type = 'uint'): string => `
kernel void test(global const ${type} *in, global int *out) {
  int i = get_global_id(0);
  ${type} x = in[i];
  int y = 3, z = i;
  ${body}
  out[i] = y + z + (int)x;
}`;

const counting = [
  ['uint', 'while (x) { x &= x - 1; y++; }'],
  ['uint', 'for (; x != 0; x &= x - 1) { y += 5; z -= i; }'],
  ['ulong', 'while (x) { y++; x = (x - 1) & x; }'],
  ['uchar', 'uint w = x; while (w) { w &= w - 1; y++; }'],
] as const;

const others = [
  ['uint', 'while (x) { x &= x - 1; y *= 3; }'],
  ['uint', 'while (x) { x &= x - 2; if (x & 1) break; y++; }'],
  ['uint', 'while (x > 1) { x &= x - 1; y++; }'],
  ['uint', 'while (x) { x &= x - 1; y += x; }'],
] as const;

const loopsOf = (type: string, body: string): [loops: number, counts: number] => {
  const module = compileForTest(kernel(body, type));
  prepareForVectorising(module);
  const text = printModule(module);
  return [text.match(/ = loop @|^\s+loop @/gm)?.length ?? 0, text.match(/popcount/g)?.length ?? 0];
};

describe('loops', () => {
  it.each(counting)('%s: %s', (type, body) => expect(loopsOf(type, body)).toEqual([0, 1]));
  it.each(others)('%s, left alone: %s', (type, body) => expect(loopsOf(type, body)).toEqual([1, 0]));
});

it.each([...counting, ...others])('%s: %s has the results of the interpreter', (type, body) => {
  const module = compileForTest(kernel(body, type));
  const bytes = new Uint8Array(64 * 8).map((_, at) => (at < 16 ? 0 : at < 32 ? 255 : (at * 37) ^ (at >> 2)));
  const [expected, found] = [new Int32Array(64), new Int32Array(64)];
  const range = { global: [64], local: [64] };
  runOnInterpreter(module, 'test', range, [buffer(bytes), buffer(expected)]);
  wasmRunner(cloneModule(module), { lanes: 4 })('test', range, [buffer(bytes), buffer(found)]);
  expect([...found]).toEqual([...expected]);
});
