/** Products of vectors of 64-bit integers by constants, which few shifts and sums make up, or not so few. */
import { expect, it } from 'vitest';
import { Random } from '../../../support/random.ts';
import { buffer, compileForTest, wasmRunner } from '../../../support/run-kernel.ts';

const factors = [
  3n,
  5n,
  6n,
  7n,
  9n,
  11n,
  12n,
  13n,
  21n,
  43n,
  60n,
  85n,
  127n,
  1000n,
  -1n,
  -3n,
  -7n,
  -100n,
  2n ** 31n - 1n,
  2n ** 32n + 1n,
  2n ** 33n - 2n,
  2n ** 62n + 1n,
  2n ** 63n - 1n,
  -(2n ** 63n),
  -(2n ** 63n) + 1n,
  6364136223846793005n,
];

it.each([2, 4, 8, 16] as const)('by %s lanes', (lanes) => {
  const random = new Random(11);
  const some = (): bigint =>
    BigInt.asIntN(
      64,
      BigInt(Math.floor(random.next() * 2 ** 48)) * BigInt(Math.floor(random.next() * 2 ** 48)),
    );
  const input = BigInt64Array.from({ length: 64 }, (_, at) => (at < 8 ? BigInt(at) - 4n : some()));
  const lines = factors.map(
    (factor, at) => `out[${at} * 64 + i] = in[i] * (long)${BigInt.asUintN(64, factor)}UL;`,
  );
  const module = compileForTest(`kernel void test(global const long *in, global long *out) {
    size_t i = get_global_id(0);
    ${lines.join('\n')}
  }`);
  const out = new BigInt64Array(64 * factors.length);
  wasmRunner(module, { lanes })('test', { global: [64], local: [64] }, [buffer(input), buffer(out)]);
  const expected = factors.flatMap((factor) => [...input].map((x) => BigInt.asIntN(64, x * factor)));
  expect([...out]).toEqual(expected);
});

it('vectors of the program, next to lanes that are not asked for', () => {
  const module = compileForTest(`kernel void test(global const ulong *in, global ulong *out) {
    vstore3(vload3(0, in) * 7UL, 0, out);
    vstore3(vload3(0, in) * (ulong3)(5, 5, 6), 1, out);
  }`);
  const input = BigUint64Array.of(1n, 2n ** 63n + 9n, 2n ** 64n - 1n);
  const out = new BigUint64Array(6);
  wasmRunner(module)('test', { global: [1], local: [1] }, [buffer(input), buffer(out)]);
  const products = [7n, 7n, 7n, 5n, 5n, 6n].map((factor, at) => BigInt.asUintN(64, input[at % 3]! * factor));
  expect([...out]).toEqual(products);
});
