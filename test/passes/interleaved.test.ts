/** Loads of every second element, which vectors pick from whole vectors where lanes fill registers. */
import { expect, it } from 'vitest';
import { cloneModule } from '../../src/ir/clone.ts';
import { printModule } from '../../src/ir/print.ts';
import { optimise } from '../../src/passes/pipeline.ts';
import { wasm } from '../../src/target/wasm.ts';
import { buffer, compileForTest, wasmRunner } from '../support/run-kernel.ts';

const arrays = {
  char: Int8Array,
  ushort: Uint16Array,
  int: Int32Array,
  float: Float32Array,
  double: Float64Array,
};
type Element = keyof typeof arrays;

const source = (type: string): string => `kernel void test(global const ${type} *in, global ${type} *out) {
  int i = get_global_id(0);
  out[i] = in[2 * i + 1];
  out[i + 48] = in[94 - 2 * i];
}`;

it.each(
  (Object.keys(arrays) as Element[]).flatMap((type) =>
    ([2, 4, 8, 16] as const).map((lanes) => [type, lanes] as const),
  ),
)('%s, %s lanes', (type, lanes) => {
  const input = new arrays[type](96).map((_: number, at: number) => (at * 37) % 101);
  const output = new arrays[type](96);
  const range = { global: [48], local: [24] };
  wasmRunner(compileForTest(source(type)), { lanes })('test', range, [buffer(input), buffer(output)]);
  const expected = Array.from({ length: 96 }, (_, at) => input[at < 48 ? 2 * at + 1 : 94 - 2 * (at - 48)]!);
  expect([...output]).toEqual(expected);
});

it.each<[Element, 4 | 8 | 16, boolean]>([
  ['int', 4, true],
  ['float', 8, true],
  ['ushort', 8, true],
  ['char', 16, true],
  ['ushort', 4, false],
  ['char', 8, false],
  ['double', 4, false],
])('%s by %s lanes: from whole vectors is %s', (type, lanes, expected) => {
  const module = cloneModule(
    compileForTest(`kernel void test(global const ${type} *in, global ${type} *out) {
    int i = get_global_id(0); out[i] = in[2 * i]; }`),
  );
  optimise(module, { target: wasm, vectorise: { lanes } });
  const text = printModule(module);
  expect(text.includes('shuffle')).toBe(expected);
  expect(text.includes('gather')).toBe(!expected);
});
