/** Comparisons that C makes integers and joins: they are joined as truth values. */
import { expect, it } from 'vitest';
import { walkFunction } from '../../../src/ir/walk.ts';
import { optimise } from '../../../src/passes/pipeline.ts';
import { buffer, compileForTest, wasmRunner } from '../../support/run-kernel.ts';

const operations = {
  '&': (a: number, b: number) => a & b,
  '|': (a: number, b: number) => a | b,
  '^': (a: number, b: number) => a ^ b,
} as const;

it.each(Object.entries(operations))('(a < 5) %s (a > 2)', (operator, join) => {
  const source = `kernel void k(global const int *in, global int *out) {
    int i = get_global_id(0), a = in[i];
    if ((a < 5) ${operator} (a > 2)) out[i] = 7;
  }`;
  const input = Int32Array.of(-1, 2, 3, 4, 5, 6, 100, -(2 ** 31));
  const expected = [...input].map((a) => (join(a < 5 ? 1 : 0, a > 2 ? 1 : 0) ? 7 : 0));
  for (const forced of [{}, { lanes: 8 as const }]) {
    const out = new Int32Array(8);
    wasmRunner(compileForTest(source), forced)('k', { global: [8], local: [8] }, [
      buffer(input),
      buffer(out),
    ]);
    expect([...out]).toEqual(expected);
  }
  const module = compileForTest(source);
  optimise(module);
  const made: string[] = [];
  walkFunction(module.functions[0]!, (one) => {
    if (one.op === 'convert') made.push(one.fn);
  });
  expect(made).not.toContain('zext');
});
