// Arithmetic in double between floats that becomes arithmetic of floats: on the numbers at which rounding twice might differ, against JavaScript, which
// rounds as it is told; and what may not become that.
import { describe, expect, it } from 'vitest';
import { printModule } from '../../../src/ir/print.ts';
import { optimise } from '../../../src/passes/pipeline.ts';
import { Random } from '../../support/random.ts';
import { buffer, compileForTest, wasmRunner } from '../../support/run-kernel.ts';

const special = [
  0,
  -0,
  1,
  -1,
  3,
  0.1,
  2 ** -149,
  3 * 2 ** -149,
  2 ** -126,
  1 + 2 ** -23,
  2 ** 127,
  Infinity,
  Number.NaN,
];
const random = new Random(7);
const any = new Float32Array(Uint32Array.from({ length: 3000 }, () => random.bits()).buffer);
const pairs = special.flatMap((x) => special.map((y) => [x, y] as const));
const xs = Float32Array.from([...pairs.map(([x]) => x), ...any]);
const ys = Float32Array.from([...pairs.map(([, y]) => y), ...any.toReversed()]);

function source(expression: string): string {
  return `kernel void k(global const float *xs, global const float *ys, global float *out) {
    int i = get_global_id(0);
    float x = xs[i], y = ys[i];
    out[i] = ${expression};
  }`;
}

/** The IR after all passes, for work-items one by one. */
function passed(expression: string): string {
  const module = compileForTest(source(expression));
  optimise(module, { vectorise: false });
  return printModule(module);
}

const narrowed: readonly [string, (x: number, y: number) => number][] = [
  ['(double)x + y', (x, y) => x + y],
  ['(double)x - y', (x, y) => x - y],
  ['(double)x * y', (x, y) => x * y],
  ['(double)x / y', (x, y) => x / y],
  ['2.5 * x', (x) => 2.5 * x],
  ['1.0 / x', (x) => 1 / x],
  ['sqrt((double)x)', (x) => Math.sqrt(x)],
  ['x > 0.5 ? x : y', (x, y) => (x > 0.5 ? x : y)],
  ['(double)x <= y ? x : y', (x, y) => (x <= y ? x : y)],
];

describe('what becomes arithmetic of floats', () => {
  it.each(narrowed)('%s', (expression, exact) => {
    expect(passed(expression)).not.toMatch(/f64/);
    const out = new Float32Array(xs.length);
    const range = { global: [xs.length], local: [1] };
    wasmRunner(compileForTest(source(expression)))('k', range, [buffer(xs), buffer(ys), buffer(out)]);
    expect([...out]).toEqual(Array.from(xs, (x, at) => Math.fround(exact(x, ys[at]!))));
  });
});

describe('what stays in double', () => {
  it.each([
    ['a constant that is no float', '0.1 * x'],
    ['what is computed with twice', '(double)x * y + 1.0'],
    ['a comparison with what is no float', 'x > 0.1 ? x : y'],
    ['a conversion that rounds another way', 'convert_float_rtz((double)x * y)'],
  ])('%s', (_, expression) => {
    expect(passed(expression)).toMatch(/f64/);
  });
});
