/** What is done lane by lane takes lanes of constants as scalar constants: engines divide by those with a multiplication. */
import { inspect } from 'millrace';
import { expect, it } from 'vitest';
import { buffer, compileForTest, wasmRunner } from '../../../support/run-kernel.ts';

const values = [0n, 1n, 6n, 7n, 999n, 1000n, 2n ** 32n, 2n ** 63n - 1n, -1n, -7n, -1001n, -(2n ** 63n)];

it('quotients of 64 bits by constants that differ from lane to lane', () => {
  const module = compileForTest(`kernel void test(global const long *in, global long *out) {
    int i = get_global_id(0);
    long4 v = (long4)(in[i]);
    vstore4(v / (long4)(7, -1000, 1, 4294967297), 2 * i, out);
    vstore4(v % (long4)(7, -1000, 3, 4294967297), 2 * i + 1, out);
  }`);
  const divisors = [7n, -1000n, 1n, 4294967297n];
  const moduli = [7n, -1000n, 3n, 4294967297n];
  const input = BigInt64Array.from(values);
  const out = new BigInt64Array(8 * values.length);
  const size = { global: [values.length], local: [values.length] };
  wasmRunner(module)('test', size, [buffer(input), buffer(out)]);
  expect([...out]).toEqual(
    values.flatMap((value) => [
      ...divisors.map((divisor) => BigInt.asIntN(64, value / divisor)),
      ...moduli.map((modulus) => value % modulus),
    ]),
  );
});

it.each([2, 4, 8] as const)('work-items in vectors of %s lanes divide by one constant', (lanes) => {
  const module = compileForTest(`kernel void test(global const ulong *in, global ulong *out) {
    int i = get_global_id(0);
    out[i] = in[i] / 1000 + in[i] % 0xfffffffffffffffful;
  }`);
  const input = BigUint64Array.from([...values, ...values, ...values, ...values]);
  const out = new BigUint64Array(input.length);
  wasmRunner(module, { lanes })('test', { global: [48], local: [48] }, [buffer(input), buffer(out)]);
  expect([...out]).toEqual(
    [...input].map((value) => BigInt.asUintN(64, value / 1000n + (value % (2n ** 64n - 1n)))),
  );
});

it('the divisor is a constant to the engine', () => {
  const source = `kernel void test(global const ulong *in, global uint *out) {
    int i = get_global_id(0);
    out[i] = in[i] / 1000;
  }`;
  const text = String(inspect(source, { emit: 'wat' }).output);
  expect(text).toContain('i64x2.extract_lane');
  const [divisions, byConstant] = [/i64\.div_u/g, /i64\.const 1000\s+i64\.div_u/g].map(
    (pattern) => text.match(pattern)!.length,
  );
  expect(byConstant).toBe(divisions);
});
