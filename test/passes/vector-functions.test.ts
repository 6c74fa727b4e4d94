import { expect, it } from 'vitest';
import { inspect } from '../../src/build/inspect.ts';
import { isComputation } from '../../src/ir/computation.ts';
import { compileOpenCL } from '../../src/opencl/compile.ts';
import {
  buffer,
  compileForTest,
  preparedForVectors,
  runOnInterpreter,
  vectorRunner,
  wasmRunner,
} from '../support/run-kernel.ts';

const cold = (body: string, result = 'float', attribute = 'cold') =>
  `__attribute__((${attribute})) ${result} far(float x) { ${body} }`;

it('says which functions only compute, from their bodies', () => {
  const ask = (source: string) => {
    const module = compileOpenCL(`${source}
kernel void k(global float *a) { int i = get_global_id(0); a[i] = far(a[i]); }`).module!;
    return isComputation(module.functions.find(({ name }) => name === 'far')!);
  };
  expect(ask(cold('return x * x + 1.0f;'))).toBe(true);
  expect(ask(cold('float y[4]; for (int i = 0; i < 4; i++) y[i] = x; return y[(int)x & 3];'))).toBe(true);
  expect(ask(`constant float table[2] = {1, 2}; ${cold('return table[x > 0.0f];')}`)).toBe(true);
  expect(ask(cold('return x;', 'float', 'noinline'))).toBe(true);
  // Who else writes to what a number leads to is not known.
  expect(ask(cold('return *(float *)(size_t)x;'))).toBe(false);
  expect(ask(cold('float y[2]; return (float)(size_t)y + x;'))).toBe(false);
  // What is inlined is not asked.
  expect(ask('float far(float x) { return x; }')).toBe(false);
  expect(ask(cold('return get_global_id(0);', 'float', 'cold, const'))).toBe(false);
  expect(ask(cold('printf("x"); return x;'))).toBe(false);
});

// A divergent branch that is cold: the other work-items of a vector go on with what they have.
const source = `
constant float table[4] = {1.0f, 2.0f, 4.0f, 8.0f};
__attribute__((cold)) float far(float x) { return x / table[(int)x & 3]; }
__attribute__((cold)) int count(float x) { return (int)x + 1; }
kernel void k(global const float *in, global float *out, global int *counts, float same) {
  int i = get_global_id(0);
  float x = in[i], y = x + 1.0f;
  int n = -1;
  if (fabs(x) >= 100.0f) { y = far(x); n = count(x); }
  if (same > 2.0f) y += far(same);
  out[i] = y;
  counts[i] = n;
}`;

it('calls a function over vectors where a branch is cold', () => {
  expect(inspect(source, { name: 'far.cl', emit: 'vectors' }).output).toMatchInlineSnapshot(`
    "kernel k
      work-items from far.cl:6: 8 at once
        7:13     load    consecutive              in[i]
        9:3      if      masked                   if (fabs(x) >= 100.0f) { y = far(x); n = ...
        9:32     call    as a call, masked        far(x)
        9:44     call    as a call, masked        count(x)
        10:3     if      uniform                  if (same > 2.0f) y += far(same);
        11:3     store   consecutive              out[i] = y
        12:3     store   consecutive              counts[i] = n
    "
  `);
});

it.each([2, 4, 8, 16] as const)('computes the same with %d lanes', async (lanes) => {
  const count = 37;
  const input = Float32Array.from({ length: count }, (_, i) => (i % 3 === 0 ? 100 + i * 7.5 : i - 20));
  const prepared = preparedForVectors(compileForTest(source));
  const out = new Float32Array(count);
  const counts = new Int32Array(count);
  const same = Float32Array.of(6);
  vectorRunner(prepared, { lanes })('k', { global: [count], local: [count] }, [
    buffer(input),
    buffer(out),
    buffer(counts),
    { bytes: new Uint8Array(same.buffer) },
  ]);
  const table = [1, 2, 4, 8];
  const far = (x: number) => x / table[Math.trunc(x) & 3]!;
  expect([...out]).toEqual([
    ...input.map((x) => Math.fround((Math.abs(x) >= 100 ? Math.fround(far(x)) : x + 1) + 1.5)),
  ]);
  expect([...counts]).toEqual([...input].map((x) => (Math.abs(x) >= 100 ? Math.trunc(x) + 1 : -1)));
});

it('reduces large angles in vectors with others', () => {
  const angles = Float32Array.of(
    1,
    1e6,
    -3e30,
    0.5,
    Infinity,
    8000,
    -8000,
    1e-3,
    NaN,
    12345.678,
    7999.9,
    2e9,
  );
  const sines = new Float32Array(angles.length);
  const cosines = new Float32Array(angles.length);
  const text = `kernel void k(global const float *x, global float *s, global float *c) {
  int i = get_global_id(0);
  s[i] = sin(x[i]);
  c[i] = cos(x[i]);
}`;
  const range = { global: [angles.length], local: [angles.length] };
  const args = () => [buffer(angles), buffer(sines), buffer(cosines)];
  const check = () => {
    angles.forEach((x, i) => {
      if (Number.isFinite(x)) {
        expect(Math.abs(sines[i]! - Math.sin(x))).toBeLessThan(3e-7);
        expect(Math.abs(cosines[i]! - Math.cos(x))).toBeLessThan(3e-7);
      } else expect([sines[i], cosines[i]]).toEqual([NaN, NaN]);
    });
  };
  vectorRunner(preparedForVectors(compileForTest(text)), { lanes: 4 })('k', range, args());
  check();
  sines.fill(9);
  runOnInterpreter(compileForTest(text), 'k', range, args());
  check();
});

it('loads what is used behind a branch on every way to there, though the branch calls', () => {
  const text = `
__attribute__((cold)) float far(float x) { return x * 2.0f; }
kernel void k(global float *a, float x) {
  int i = get_global_id(0);
  float old = a[i];
  float y = x;
  if (x > 9.0f) y = far(x);
  a[i] = old + y;
}`;
  const run = wasmRunner(compileForTest(text));
  for (const [x, added] of [
    [1, 1],
    [10, 20],
  ] as const) {
    // Too few for a vector.
    const a = Float32Array.of(1, 2, 3);
    run('k', { global: [3], local: [3] }, [buffer(a), { bytes: new Uint8Array(Float32Array.of(x).buffer) }]);
    expect([...a]).toEqual([1 + added, 2 + added, 3 + added]);
  }
});
