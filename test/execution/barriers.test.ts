/** Every kernel of barriers.cl gives the same result as WebAssembly as on the interpreter, in groups of 1D to 3D. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Random } from '../support/random.ts';
import {
  buffer,
  compileForTest,
  runOnInterpreter,
  type TestRange,
  value,
  wasmRunner,
} from '../support/run-kernel.ts';

const source = readFileSync(new URL('./barriers.cl', import.meta.url), 'utf8');
const kernels = [...source.matchAll(/^kernel void (\w+)/gm)].map((match) => match[1]!);

const ranges: readonly TestRange[] = [
  { global: [24], local: [8] },
  { global: [5], local: [1] },
  { global: [64], local: [64], offset: [3] },
  { global: [12, 4], local: [4, 2] },
  { global: [4, 6, 4], local: [2, 3, 2], offset: [1, 2, 3] },
];

const onWasm = wasmRunner(compileForTest(source));
const lowered = compileForTest(source);

describe('barriers', () => {
  it('has at least thirty kernels', () => {
    expect(kernels.length).toBeGreaterThanOrEqual(30);
  });

  for (const kernel of kernels) {
    it(`${kernel} equals the interpreter's result`, () => {
      for (const range of ranges) {
        for (const n of [0, 1, 4, 7]) {
          const count = range.global.reduce((product, size) => product * size, 1);
          const items = range.local.reduce((product, size) => product * size, 1);
          const random = new Random(n + count);
          const input = Int32Array.from({ length: count }, () => random.below(1000) - 200);
          const expected = new Int32Array(count).fill(-1);
          const actual = new Int32Array(count).fill(-1);
          const args = (out: Int32Array) => [buffer(input), buffer(out), { local: items * 8 }, value.int(n)];
          runOnInterpreter(lowered, kernel, range, args(expected));
          onWasm(kernel, range, args(actual));
          expect(actual, `${JSON.stringify(range)} n=${n}`).toEqual(expected);
        }
      }
    });
  }
});
