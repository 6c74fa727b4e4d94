/** Shifts and rotations of vectors of 32-bit integers, each lane by a count of its own. */
import { expect, it } from 'vitest';
import { Random } from '../../../support/random.ts';
import { buffer, compileForTest, wasmRunner } from '../../../support/run-kernel.ts';

const random = new Random(5);
const edges = [0, 1, -1, 2, 0x7fffffff, -0x80000000, -0x7fffffff, 0x55555555, -0x55555556];
const numbers = Int32Array.from(
  { length: 2048 },
  (_, at) => edges[at % 12] ?? Math.floor(random.next() * 2 ** 32),
);
/** All from 0 to 31, and what counts modulo 32. */
const counts = Int32Array.from({ length: 2048 }, (_, at) => (at % 5 === 4 ? -7 * at : at >> 3));

it.each([2, 4, 8, 16] as const)('by %s lanes', (lanes) => {
  const module = compileForTest(`kernel void test(global const int *x, global const int *n, global int *out) {
    int i = get_global_id(0), size = get_global_size(0);
    out[i] = x[i] << n[i];
    out[i + size] = x[i] >> n[i];
    out[i + 2 * size] = (uint)x[i] >> n[i];
    out[i + 3 * size] = rotate(x[i], n[i]);
    out[i + 4 * size] = 110 >> (i & 7) & 1;
  }`);
  const out = new Int32Array(5 * 2048);
  wasmRunner(module, { lanes })('test', { global: [2048], local: [64] }, [numbers, counts, out].map(buffer));
  const each = (of: (x: number, n: number, at: number) => number): number[] =>
    [...numbers].map((x, at) => of(x, counts[at]! & 31, at) | 0);
  expect([...out]).toEqual([
    ...each((x, n) => x << n),
    ...each((x, n) => x >> n),
    ...each((x, n) => x >>> n),
    ...each((x, n) => (x << n) | (n === 0 ? 0 : x >>> (32 - n))),
    ...each((_x, _n, at) => (110 >> (at & 7)) & 1),
  ]);
});

it('vectors of the program, by known counts too', () => {
  const module = compileForTest(`kernel void test(global const int *x, global const int *n, global int *out) {
    int4 v = vload4(0, x), c = vload4(0, n);
    vstore4(v << c, 0, out);
    vstore4(v >> (int4)(0, 1, 31, 33), 1, out);
    vstore4(as_int4(as_uint4(v) >> as_uint4(c)), 2, out);
    vstore3(rotate(v.xyz, (int3)(4, 0, 31)), 4, out);
  }`);
  const [x, n] = [Int32Array.of(-5, 0x12345678, -0x80000000, 99), Int32Array.of(3, 0, 31, 36)];
  const out = new Int32Array(15);
  wasmRunner(module)('test', { global: [1], local: [1] }, [x, n, out].map(buffer));
  expect([...out]).toEqual([
    ...[-40, 0x12345678, 0, 1584],
    ...[-5, 0x091a2b3c, -1, 49],
    ...[0x1fffffff, 0x12345678, 1, 6],
    ...[-65, 0x12345678, 0x40000000],
  ]);
});
