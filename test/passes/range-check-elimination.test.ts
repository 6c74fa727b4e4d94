/** Clamps that a test at the kernel's start finds to change nothing: which kernels are written twice, and that nothing else changes. */
import { describe, expect, it } from 'vitest';
import type * as ir from '../../src/ir/ir.ts';
import { assertValid } from '../../src/ir/verify.ts';
import { walkRegion } from '../../src/ir/walk.ts';
import { eliminateRangeChecks } from '../../src/passes/ndrange/range-check-elimination.ts';
import { optimise } from '../../src/passes/pipeline.ts';
import { openclC } from '../../src/target/opencl-c.ts';
import { buffer, compileForTest, runOnInterpreter, value, wasmRunner } from '../support/run-kernel.ts';
import { numbers } from './run-stages.ts';

const kernel = (
  body: string,
): string => `kernel void test(global const int *a, global int *b, int n, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  ${body}
}`;
/** Goes along row y of a matrix of w columns and h rows, for n columns, wherever they lie. */
const row = (head: string, column: string): string =>
  `int s = 0; for (${head}) s += a[clamp(y, 0, h - 1) * w + ${column}] * (k + 1); b[y * 6 + x] = s;`;

/** The clamps that something is computed from in each of the two copies; undefined if there is one copy. */
function clampsOf(body: string): number[] | undefined {
  const module = compileForTest(kernel(body));
  optimise(module, { target: openclC });
  const fn = module.functions[0]!;
  const before = fn.body;
  eliminateRangeChecks(fn, 32);
  assertValid(module, 'range-check-elimination');
  if (fn.body === before) return undefined;
  const choice = fn.body!.instructions.find((one): one is ir.If => one.op === 'if')!;
  return choice.regions.map((region) => {
    let clamps = 0;
    const used = new Set<ir.Value>();
    walkRegion(region, ({ operands }) => {
      for (const operand of operands) used.add(operand);
    });
    walkRegion(region, (one) => {
      if (one.op === 'binary' && /^[su]m(in|ax)$/.test(one.fn) && used.has(one.results[0]!)) clamps += 1;
    });
    return clamps;
  });
}

describe('kernels written twice', () => {
  it('have no clamps in the copy for launches that stay inside', () => {
    expect(clampsOf(row('int k = 0; k < n; k++', 'min(k, w - 1)'))).toEqual([0, 3]);
    expect(clampsOf(row('int k = 0; k < n; k++', 'clamp(2 * k + x - 3, 0, w - 1)'))).toEqual([0, 4]);
    expect(clampsOf(row('uint k = 0; k < (uint)n; k += 3', 'min(k + 5, (uint)w)'))).toEqual([0, 3]);
    expect(clampsOf(row('int k = 0; k <= n; k++', 'min(k, w - 1)'))).toEqual([0, 3]);
    expect(clampsOf(`if (x > n) return; ${row('int k = 0; k < n; k++', 'min(k, w - 1)')}`)).toEqual([0, 3]);
  });
  it('are those with clamps of what a loop counts, that may change nothing', () => {
    expect(clampsOf('b[x] = a[min(x, w - 1)];')).toBeUndefined();
    expect(clampsOf(row('int k = 0; k < n; k++', 'k'))).toBeUndefined();
    expect(clampsOf(row('int k = 0; k < w; k++', 'min(k + 1, w - 1)'))).toBeUndefined();
    expect(clampsOf(row('int k = 0; k < w; k++', 'max(k - 1, 0)'))).toBeUndefined();
    expect(clampsOf(row('int k = 0; k != n; k++', 'min(k, w - 1)'))).toBeUndefined();
    expect(
      clampsOf(`if (h > 4) for (;;) if (a[x += 1]) return; ${row('int k = 0; k < n; k++', 'min(k, w - 1)')}`),
    ).toBeUndefined();
  });
});

const loops = [
  row('int k = 0; k < n; k++', 'clamp(k, 0, w - 1)'),
  row('int k = n - 7; k < n; k++', 'clamp(2 * k + x - 3, 0, w - 1)'),
  row('uint k = 0; k < (uint)n; k += 3', 'min(k + x, (uint)w - 1)'),
  // counters near the largest number, and a bound from which the last step would wrap around
  row('int k = 0x7fffffff - n; k < 0x7fffffff - 1; k += 2', 'min(max(k - 0x7ffffff0, 0), w - 1)'),
  row('int k = 0x7ffffff0; k <= 0x7ffffffd - n; k += 3', 'min(max(k - 0x7ffffff0, 0), w - 1)'),
  row('int k = 0, j = x; k <= n; k++, j += 2', 'clamp(j - 3, 0, w - 1)'),
  row('int k = x + 0x7ffffffd, j = 0; k < n - 0x7fffffff - 1; k++, j++', 'min(j, w - 1)'),
  `if (x >= w) return; if (y >= h) { b[y * 6 + x] = 3; return; } ${row('uint k = 1; k <= (uint)n; k++', 'min(k - 1, (uint)w - 1)')}`,
  row('int k = 0; k < n; k++', 'min(max((int)(k * 0x40000000u), 0), w - 1)'),
  `if (x < w) { ${row('int k = 0; k < n; k++', 'min(k, w - 1)')} }`,
];

it.each(loops)('%s gives the same inside and outside', (body) => {
  const source = kernel(body);
  const input = numbers(64);
  const range = { global: [6, 4], local: [3, 2] };
  const run = wasmRunner(compileForTest(source), { lanes: 4 });
  for (const [n, w, h] of [
    [0, 8, 8],
    [5, 8, 8],
    [8, 8, 4],
    [9, 8, 4],
    [6, 8, 3],
    [20, 8, 2],
    [5, 3, 3],
  ] as const) {
    const [expected, actual] = [new Int32Array(24), new Int32Array(24)];
    const given = (out: Int32Array) => [buffer(input), buffer(out), value.int(n), value.int(w), value.int(h)];
    runOnInterpreter(compileForTest(source), 'test', range, given(expected));
    run('test', range, given(actual));
    expect(actual, `${n} of ${w}`).toEqual(expected);
  }
});
