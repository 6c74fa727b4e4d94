/** Quotients and remainders of vectors of 32-bit integers by constants, next to where they change. */
import { describe, expect, it } from 'vitest';
import { Random } from '../../../support/random.ts';
import { buffer, compileForTest, wasmRunner } from '../../../support/run-kernel.ts';

const small = [
  2n,
  3n,
  4n,
  5n,
  6n,
  7n,
  9n,
  10n,
  11n,
  12n,
  13n,
  14n,
  19n,
  25n,
  28n,
  60n,
  64n,
  100n,
  125n,
  255n,
  256n,
  641n,
  1000n,
];
const large = [65535n, 65536n, 65537n, 715827883n, 998244353n, 1000000007n, 2n ** 30n, 2n ** 31n - 1n];
const positive = [...small, ...large];
const random = new Random(3);
const any = Array.from({ length: 24 }, () =>
  BigInt(Math.floor(2 + random.next() * (2 ** (2 + random.next() * 29) - 2))),
);

const kinds = {
  int: {
    array: Int32Array,
    least: -(2n ** 31n),
    most: 2n ** 31n - 1n,
    divisors: [...positive, ...any, ...positive.map((divisor) => -divisor), -(2n ** 31n)],
  },
  uint: {
    array: Uint32Array,
    least: 0n,
    most: 2n ** 32n - 1n,
    divisors: [...positive, ...any, 2n ** 31n, 2n ** 31n + 1n, 2n ** 32n - 3n, 2n ** 32n - 1n],
  },
} as const;

/** Around multiples of the divisor, and the ends of the range. */
function dividends(divisor: bigint, least: bigint, most: bigint): bigint[] {
  const found = [least, least + 1n, most, most - 1n, 0n, 1n, divisor, divisor - 1n, divisor + 1n];
  while (found.length < 64) {
    const multiple = divisor * (BigInt(Math.floor(random.next() * 2 ** 32)) / divisor);
    const signed = least < 0n && random.next() < 0.5 ? -multiple : multiple;
    found.push(signed + BigInt(Math.floor(random.next() * 3) - 1));
  }
  return found.map((one) => (one < least ? least : one > most ? most : one));
}

describe.each(['int', 'uint'] as const)('%s', (type) => {
  const { array, least, most, divisors } = kinds[type];

  it.each([4, 8] as const)(
    'by %s lanes',
    (lanes) => {
      for (const divisor of divisors) {
        const literal =
          type === 'uint' ? `${divisor}u` : divisor === least ? '(-2147483647 - 1)' : `(${divisor})`;
        const module =
          compileForTest(`kernel void test(global const ${type} *in, global ${type} *quotients, global ${type} *rests) {
        int i = get_global_id(0);
        quotients[i] = in[i] / ${literal};
        rests[i] = in[i] % ${literal};
      }`);
        const input = dividends(divisor, least, most);
        const [quotients, rests] = [new array(64), new array(64)];
        const args = [array.from(input.map(Number)), quotients, rests].map(buffer);
        wasmRunner(module, { lanes, verify: false })('test', { global: [64], local: [64] }, args);
        expect([...quotients], `/ ${divisor}`).toEqual(input.map((one) => Number(one / divisor)));
        expect([...rests], `% ${divisor}`).toEqual(input.map((one) => Number(one % divisor)));
      }
    },
    120_000,
  );
});

it('vectors of the program by several constants and by 1 and -1', () => {
  const module = compileForTest(`kernel void test(global const int *in, global int *out) {
    int4 v = vload4(0, in);
    vstore4(v / (int4)(7), 0, out);
    vstore4(v / (int4)(7, 2, -3, 1), 1, out);
    vstore4(v % (int4)(-1), 2, out);
    vstore3(v.xyz % (int3)(10), 4, out);
  }`);
  const input = Int32Array.of(-2147483648, 2147483647, -100, 99);
  const out = new Int32Array(15);
  wasmRunner(module)('test', { global: [1], local: [1] }, [buffer(input), buffer(out)]);
  const quotient = (at: number, divisor: number): number => Math.trunc(input[at]! / divisor);
  expect([...out]).toEqual([
    ...[0, 1, 2, 3].map((at) => quotient(at, 7)),
    ...[7, 2, -3, 1].map((divisor, at) => quotient(at, divisor)),
    ...[0, 0, 0, 0],
    ...[0, 1, 2].map((at) => (input[at]! % 10) | 0),
  ]);
});
