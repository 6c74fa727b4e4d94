/**
 * Divisions of scalars by constants, for which machine code multiplies with reciprocals. What is expected is BigInt's; numbers are those where a reciprocal
 * that is off by one shows: multiples of the divisors, their neighbours, and the ends of the range. Needs the built dist/.
 */
import { compile, requestDevice } from 'millrace';
import { describe, expect, it } from 'vitest';

const found = await requestDevice('native').catch(({ message }: Error) => message);
const skipped = typeof found === 'string' ? ` (skipped: ${found})` : '';

const types = [
  { name: 'uint', bits: 32, signed: false },
  { name: 'int', bits: 32, signed: true },
  { name: 'ulong', bits: 64, signed: false },
  { name: 'long', bits: 64, signed: true },
] as const;

function divisorsOf(bits: number, signed: boolean): bigint[] {
  const top = 1n << BigInt(bits - 1);
  const plain = [2n, 3n, 5n, 6n, 7n, 9n, 10n, 11n, 12n, 13n, 14n, 25n, 28n, 60n, 100n, 125n, 641n, 1000n];
  const large = [65535n, 65537n, 1000000007n, top - 1n, top / 2n, top / 2n + 1n, top / 3n];
  const positive = [...plain, ...large];
  if (signed) return [...positive, ...positive.map((divisor) => -divisor), -top];
  return [...positive, top, top + 1n, 2n * top - 1n, 2n * top - 2n, (2n * top) / 3n];
}

describe.skipIf(skipped !== '')(`divisions by constants${skipped}`, () => {
  it.each(types)('of $name', async ({ name, bits, signed }) => {
    const divisors = divisorsOf(bits, signed);
    const fitted = (value: bigint): bigint =>
      signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value);
    const top = 1n << BigInt(bits - 1);
    const numbers = new Set([0n, 1n, 2n, top - 1n, top, top + 1n, 2n * top - 1n].map(fitted));
    for (const divisor of divisors) {
      for (const times of [1n, 2n, 3n, 1000n, top / divisor, (2n * top) / divisor, top / divisor - 1n]) {
        for (const off of [-1n, 0n, 1n]) numbers.add(fitted(times * divisor + off));
      }
    }
    const literal = (value: bigint): string =>
      `((${name})${BigInt.asUintN(bits, value)}${bits === 64 ? 'ul' : 'u'})`;
    const source = `
      kernel __attribute__((reqd_work_group_size(1, 1, 1)))
      void divide(global const ${name} *in, global ${name} *out, int count) {
        for (int i = 0; i < count; i++) {
          ${name} n = in[i];
          ${divisors
            .map(
              (divisor, at) =>
                `out[(i * ${divisors.length} + ${at}) * 2] = n / ${literal(divisor)};
                 out[(i * ${divisors.length} + ${at}) * 2 + 1] = n % ${literal(divisor)};`,
            )
            .join('\n')}
        }
      }`;
    const program = await compile(source, { device: 'native' });
    const input = BigInt64Array.from(numbers);
    const list = [...numbers];
    const out = new BigInt64Array(list.length * divisors.length * 2);
    const narrow = bits === 32;
    const given = narrow ? Int32Array.from(list, (value) => Number(BigInt.asIntN(32, value))) : input;
    const got = narrow ? new Int32Array(out.length) : out;
    await program.kernel('divide')({ global: [1] }, given, got, list.length);
    program.release();
    list.forEach((n, i) => {
      divisors.forEach((divisor, at) => {
        const place = (i * divisors.length + at) * 2;
        const [quotient, rest] = [fitted(BigInt(got[place]!)), fitted(BigInt(got[place + 1]!))];
        const expected = [fitted(n / divisor), n % divisor];
        if (quotient !== expected[0] || rest !== expected[1])
          expect(`${n} by ${divisor}: ${quotient}, ${rest}`).toBe(`${expected[0]}, ${expected[1]}`);
      });
    });
    expect(list.length).toBeGreaterThan(200);
  });
});
