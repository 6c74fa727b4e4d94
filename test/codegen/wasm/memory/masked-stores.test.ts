/** Stores under masks of every kind: full, empty, mixed; what lies at the other lanes' places is not written, and nothing beside it. */
import { expect, it } from 'vitest';
import { cloneModule } from '../../../../src/ir/clone.ts';
import { Random } from '../../../support/random.ts';
import { buffer, compileForTest, wasmRunner } from '../../../support/run-kernel.ts';

const items = 256;

it.each([
  ['char', Int8Array],
  ['short', Int16Array],
  ['int', Int32Array],
  ['float', Float32Array],
  ['double', Float64Array],
] as const)('%s, side by side and scattered', (type, array) => {
  const module = compileForTest(`
kernel void test(global const int *flags, global const ${type} *in, global const int *places, global ${type} *near, global ${type} *far) {
  int i = get_global_id(0);
  if (flags[i]) {
    near[i + 3] = in[i];
    far[places[i]] = in[i];
  }
}`);
  const random = new Random(11);
  // A run of all, one of none, then whatever comes.
  const flags = Int32Array.from({ length: items }, (_, at) =>
    at < 64 ? 1 : at < 128 ? 0 : random.next() < 0.5 ? 1 : 0,
  );
  const places = Int32Array.from({ length: items }, (_, at) => (at * 37) % items);
  const input = array.from(Array.from({ length: items }, (_, at) => (at % 100) + 1));
  const [near, far] = [new array(items + 8).fill(120), new array(items).fill(120)];
  for (let at = 0; at < items; at += 1) {
    if (flags[at] === 0) continue;
    near[at + 3] = input[at]!;
    far[places[at]!] = input[at]!;
  }
  for (const lanes of [2, 4, 8, 16] as const) {
    const found = [new array(items + 8).fill(120), new array(items).fill(120)] as const;
    wasmRunner(cloneModule(module), { lanes, verify: false })('test', { global: [items], local: [64] }, [
      buffer(flags),
      buffer(input),
      buffer(places),
      buffer(found[0]),
      buffer(found[1]),
    ]);
    expect([...found[0]], `${lanes} lanes`).toEqual([...near]);
    expect([...found[1]], `${lanes} lanes`).toEqual([...far]);
  }
});
