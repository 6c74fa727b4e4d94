/** Computing with as many bits as are kept: what becomes narrow, and that results stay as the interpreter has them. */
import { describe, expect, it } from 'vitest';
import { cloneModule } from '../../src/ir/clone.ts';
import { printModule } from '../../src/ir/print.ts';
import { prepareForVectorising } from '../../src/passes/pipeline.ts';
import { buffer, compileForTest, runOnInterpreter, wasmRunner } from '../support/run-kernel.ts';

const kernel = (from: string, to: string, expression: string): string => `
kernel void test(global const ${from} *in, global ${to} *out) {
  int i = get_global_id(0);
  ${from} x = in[i], y = in[255 - i];
  out[i] = ${expression};
}`;

/** The operations on integers of so many bits that the passes leave. */
function operations(source: string, bits: number): string[] {
  const module = compileForTest(source);
  prepareForVectorising(module);
  const found = printModule(module).matchAll(/= (\w+) [^\n]*: i(\d+)\b/g);
  return [...found].filter(([, , width]) => Number(width) === bits).map(([, name]) => name!);
}

describe('narrow', () => {
  it.each([
    ['char', 'char', 'x / 3', 8, 'sdiv'],
    ['uchar', 'uchar', 'x / 3', 8, 'udiv'],
    ['uchar', 'uchar', '(x + y) * 5 ^ 3', 8, 'imul'],
    ['ushort', 'ushort', 'x % 10', 16, 'urem'],
    ['short', 'short', 'x >> 3', 16, 'sshr'],
  ])('%s to %s: %s', (from, to, expression, bits, name) => {
    expect(operations(kernel(from, to, expression), bits)).toContain(name);
  });

  it.each([
    // The upper bits of the sum matter to what follows.
    ['uchar', 'uchar', '(x + y) / 2', 'udiv'],
    ['uchar', 'uchar', '(x * y) >> 8', 'ushr'],
    // By what may be -1, or 0.
    ['char', 'char', 'x / (y | 1)', 'sdiv'],
  ])('not %s to %s: %s', (from, to, expression, name) => {
    expect(operations(kernel(from, to, expression), 8)).not.toContain(name);
  });
});

it.each([
  ['char', 'char', Int8Array],
  ['uchar', 'uchar', Uint8Array],
  ['short', 'short', Int16Array],
  ['ushort', 'ushort', Uint16Array],
] as const)('%s: results are those of the interpreter', (from, to, array) => {
  const expressions = [
    'x / 3',
    'x % 7',
    '(x + y) / 2',
    '(x - y) >> 1',
    'x * y + 3',
    '~x & y',
    'x << 3',
    'max(x, y) - min(x, y)',
    'x / 5 * 5 + x % 5',
  ];
  for (const expression of expressions) {
    const module = compileForTest(kernel(from, to, expression));
    const input = array.from(Array.from({ length: 256 }, (_, at) => at * 259 - 300));
    const [expected, found] = [new array(256), new array(256)];
    const range = { global: [256], local: [64] };
    runOnInterpreter(module, 'test', range, [buffer(input), buffer(expected)]);
    for (const lanes of [4, 16] as const) {
      wasmRunner(cloneModule(module), { lanes })('test', range, [buffer(input), buffer(found)]);
      expect([...found], `${expression}, ${lanes} lanes`).toEqual([...expected]);
    }
  }
});
