/** Loops whose exit test is at their end: what the test computes takes no place of what the next iteration gets. */
import { expect, it } from 'vitest';
import { cloneModule } from '../../../../src/ir/clone.ts';
import { buffer, compileForTest, value, wasmRunner } from '../../../support/run-kernel.ts';

const expected = [0, 1, 2, 3, 4].flatMap((count) =>
  [0, 1, 2, 3].map((item) => {
    let x = item + 1;
    for (let k = 0; k < count; k += 1) x = x * 3 + 1;
    return x;
  }),
);

it.each([
  ['a counter that the test uses first', 'max(min(i, 90), -5) < n'],
  ['a test of the counter and of much else', 'max(min(i, 90), max(min(n, 3), -7) - 50) < n'],
  ['a test by rotations', 'rotate(rotate(i, 3), 29) < n'],
])('%s', (_, test) => {
  const module = compileForTest(`kernel void test(global uint *out, int n) {
    uint item = get_global_id(0), x = item + 1;
    int i = 0;
    while (${test}) { out[i * 4 + item] = x; x = x * 3 + 1; i++; }
  }`);
  for (const way of [{}, { disabled: true }, { lanes: 4 }] as const) {
    const out = new Uint32Array(20);
    const runner = wasmRunner(cloneModule(module), way);
    runner('test', { global: [4], local: [4] }, [buffer(out), value.int(5)]);
    expect([...out], JSON.stringify(way)).toEqual(expected);
  }
});
