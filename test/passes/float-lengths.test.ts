/** Lengths of vectors of floats without doubles: what they are, at all sizes that floats have, and what keeps its doubles. */
import { expect, it } from 'vitest';
import type * as ir from '../../src/ir/ir.ts';
import { elementOf, f64 } from '../../src/ir/types.ts';
import { assertValid } from '../../src/ir/verify.ts';
import { walkFunction } from '../../src/ir/walk.ts';
import { optimiseForShaders } from '../../src/passes/scalar/shader-passes.ts';
import { wgsl } from '../../src/target/wgsl.ts';
import { buffer, compileForTest, runOnInterpreter } from '../support/run-kernel.ts';

function optimised(source: string, disabled = false): ir.Module {
  const module = compileForTest(source);
  optimiseForShaders(module, { target: wgsl, disabled, verify: assertValid });
  return module;
}

function hasDoubles(module: ir.Module): boolean {
  let found = false;
  for (const fn of module.functions) {
    walkFunction(fn, ({ results }) => {
      if (results.some(({ type }) => elementOf(type) === f64)) found = true;
    });
  }
  return found;
}

const kernel = (body: string): string => `
kernel void test(global const float4 *v, global float *out) {
  int i = get_global_id(0);
  ${body}
}`;

it.each([
  'out[i] = length(v[i]);',
  'out[i] = length(v[i].xyz) + length(v[i].xy);',
  'out[i] = distance(v[i], v[i + 1]);',
  'vstore4(normalize(v[i]), i, out);',
  'vstore3(normalize(v[i].xyz), i, out);',
])('%s has no doubles', (body) => {
  expect(hasDoubles(optimised(kernel(body)))).toBe(false);
});

it.each([
  'double4 d = convert_double4(v[i]); out[i] = (float)sqrt(dot(d, d));',
  'double x = v[i].x, y = v[i].y; out[i] = (float)sqrt(x * x + y * y);',
  'double4 d = convert_double4(v[i]); out[i] = (float)length(d);',
])('%s keeps what the program asks for', (body) => {
  expect(hasDoubles(optimised(kernel(body)))).toBe(true);
});

it('divides by nothing else than the length', () => {
  // Sums are free in their order here: of what the program itself has written, too.
  const source = kernel(`double4 d = convert_double4(v[i]);
    double r = sqrt(dot(d, d)), s = r == 0 ? 2 : r;
    vstore4(convert_float4(convert_double4(v[i + 1]) / s), i, out);`);
  const module = compileForTest(source, '-cl-unsafe-math-optimizations');
  optimiseForShaders(module, { target: wgsl, verify: assertValid });
  const out = new Float32Array(4);
  const given = Float32Array.of(3, 4, 0, 0, 10, 20, 30, 40);
  runOnInterpreter(module, 'test', { global: [1], local: [1] }, [buffer(given), buffer(out)]);
  expect([...out]).toEqual([2, 4, 6, 8]);
});

/** Vectors whose lanes are of all sizes, alike and far apart. */
const vectors = (() => {
  const exponents = [-149, -127, -126, -100, -64, -41, -40, -39, -1, 0, 1, 30, 59, 60, 61, 64, 100, 126, 127];
  const lanes: number[] = [];
  let state = 7;
  const digits = (): number => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return 1 + (state % 8388593) / 8388608;
  };
  for (const one of exponents) {
    for (const other of exponents) {
      const [a, b] = [digits() * 2 ** one, -digits() * 2 ** other];
      lanes.push(a, b, a / 3, b / 5);
    }
  }
  const special = [0, -0, Infinity, -Infinity, Number.NaN, 1];
  for (const a of special) for (const b of special) lanes.push(a, b, 0, 1);
  lanes.push(0, 0, 0, 0, -0, 0, -0, 0);
  return Float32Array.from(lanes);
})();
const count = vectors.length / 4;

/** Rounding errors between a float and what it is to be. */
function errorOf(given: number, exact: number): number {
  const rounded = Math.fround(exact);
  if (Number.isNaN(exact)) return Number.isNaN(given) ? 0 : Number.POSITIVE_INFINITY;
  if (!Number.isFinite(rounded)) {
    // Just below the largest float either is near.
    return given === rounded || Math.abs(exact) < 2 ** 128 * (1 + 2 ** -22) ? 0 : Number.POSITIVE_INFINITY;
  }
  const unit = 2 ** Math.max(Math.floor(Math.log2(Math.abs(exact) || 2 ** -200)) - 23, -149);
  return Math.abs(given - exact) / unit;
}

it.each([false, true])('is as near as OpenCL C asks (-cl-opt-disable: %s)', (disabled) => {
  const source = kernel(`
    out[6 * i] = length(v[i]);
    out[6 * i + 1] = distance(v[i], (float4)(0.0f));
    vstore4(normalize(v[i]), 0, out + 6 * i + 2);`);
  const out = new Float32Array(6 * count);
  runOnInterpreter(optimised(source, disabled), 'test', { global: [count], local: [1] }, [
    buffer(vectors),
    buffer(out),
  ]);
  for (let at = 0; at < count; at += 1) {
    const lanes = [...vectors.subarray(4 * at, 4 * at + 4)];
    const [length, distance, ...unit] = out.subarray(6 * at, 6 * at + 6);
    // In double nothing of this overflows.
    const exact = Math.sqrt(lanes.reduce((sum, lane) => sum + lane * lane, 0));
    // OpenCL C 3.0, 7.4: length 2.75 + 0.5 n, distance 2.5 + 2 n, normalize 2 + n.
    expect(errorOf(length!, exact), `length ${lanes}`).toBeLessThanOrEqual(4.75);
    expect(errorOf(distance!, exact), `distance ${lanes}`).toBeLessThanOrEqual(10.5);
    for (const [lane, part] of unit.entries()) {
      const wanted = exact === 0 ? lanes[lane]! : lanes[lane]! / exact;
      expect(errorOf(part, wanted), `normalize ${lanes}`).toBeLessThanOrEqual(6);
    }
  }
});
