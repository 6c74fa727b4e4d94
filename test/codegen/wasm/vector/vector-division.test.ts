/** Quotients and remainders of vectors of 32-bit integers, next to where they change. */
import { expect, it } from 'vitest';
import { Random } from '../../../support/random.ts';
import { buffer, compileForTest, wasmRunner } from '../../../support/run-kernel.ts';

const source = (type: string): string => `
kernel void test(global const ${type} *a, global const ${type} *b, global ${type} *quotient, global ${type} *rest) {
  size_t i = get_global_id(0);
  quotient[i] = a[i] / b[i];
  rest[i] = a[i] % b[i];
}`;

const ranges = { int: [-(2n ** 31n), 2n ** 31n - 1n], uint: [0n, 2n ** 32n - 1n] } as const;
const count = 4096;

/** Pairs around multiples of divisors of every size, and around the ends of the range. */
function pairs(type: keyof typeof ranges): [bigint, bigint][] {
  const [least, most] = ranges[type];
  const random = new Random(7);
  const clamp = (x: bigint): bigint => (x < least ? least : x > most ? most : x);
  const any = (): bigint => {
    const size = BigInt(Math.floor(random.next() * 33));
    const bits = BigInt(Math.floor(random.next() * 2 ** 32)) & (2n ** size - 1n);
    return clamp(least < 0n && random.next() < 0.5 ? -bits : bits);
  };
  const found: [bigint, bigint][] = [
    [least, 1n],
    [most, 1n],
    [least, most],
    [most, most],
    [most - 1n, most],
    [least, 3n],
    [most, 3n],
  ];
  if (least < 0n) found.push([most, -1n], [most, least], [least, least], [-1n, least], [least, -2n]);
  while (found.length < count) {
    const divisor = any() || 1n;
    const multiple = divisor * (any() / divisor);
    const dividend = clamp(multiple + BigInt(Math.floor(random.next() * 3) - 1));
    // The quotient of these does not fit.
    if (dividend !== least || divisor !== -1n) found.push([dividend, divisor]);
  }
  return found;
}

it.each(['int', 'uint'] as const)('%s', (type) => {
  const all = pairs(type);
  const column = (pick: (a: bigint, b: bigint) => bigint): number[] =>
    all.map(([a, b]) => Number(pick(a, b)));
  const array = type === 'int' ? Int32Array : Uint32Array;
  const [quotients, rests] = [new array(count), new array(count)];
  const args = [array.from(column((a) => a)), array.from(column((_, b) => b)), quotients, rests];
  const run = wasmRunner(compileForTest(source(type)), { lanes: 4 });
  run('test', { global: [count], local: [64] }, args.map(buffer));
  expect([...quotients]).toEqual(column((a, b) => a / b));
  expect([...rests]).toEqual(column((a, b) => a % b));
});

it('the remainder of the lowest integer and -1 is zero', () => {
  const [a, b] = [new Int32Array(16).fill(-(2 ** 31)), new Int32Array(16).fill(-1)];
  const rests = new Int32Array(16).fill(9);
  const run = wasmRunner(compileForTest(source('int')), { lanes: 4 });
  run('test', { global: [16], local: [16] }, [a, b, new Int32Array(16), rests].map(buffer));
  expect([...rests]).toEqual(new Array(16).fill(0));
});

it.each(['int', 'uint'] as const)('%s by what all lanes have in common', (type) => {
  const uniform = `
kernel void test(global const ${type} *a, global const ${type} *b, global ${type} *quotient, global ${type} *rest) {
  size_t i = get_global_id(0);
  ${type} divisor = b[get_group_id(0)];
  quotient[i] = a[i] / divisor;
  rest[i] = a[i] % divisor;
}`;
  const [least, most] = ranges[type];
  // Each divisor with its own dividends: the ends of the range and of its multiples, where a rounding would show.
  const size = 32;
  const divisors = pairs(type)
    .map(([, divisor]) => divisor)
    .filter((divisor) => divisor !== -1n)
    .slice(0, 600);
  const dividends = divisors.map((divisor) => {
    const largest = (most / divisor) * divisor;
    const lowest = (least / divisor) * divisor;
    const near = [largest, lowest, largest / 2n - ((largest / 2n) % divisor), divisor, 0n, most, least];
    const all = near.flatMap((one) => [one, one - 1n, one + 1n, one - divisor, one + divisor]);
    const inside = all.filter((one) => one >= least && one <= most);
    return Array.from({ length: size }, (_, at) => inside[at % inside.length]!);
  });
  const array = type === 'int' ? Int32Array : Uint32Array;
  const flat = dividends.flat();
  const [quotients, rests] = [new array(flat.length), new array(flat.length)];
  const run = wasmRunner(compileForTest(uniform), { lanes: 8 });
  run(
    'test',
    { global: [flat.length], local: [size] },
    [array.from(flat.map(Number)), array.from(divisors.map(Number)), quotients, rests].map(buffer),
  );
  const divisorOf = (at: number): bigint => divisors[Math.floor(at / size)]!;
  expect([...quotients]).toEqual(flat.map((one, at) => Number(one / divisorOf(at))));
  expect([...rests]).toEqual(flat.map((one, at) => Number(one % divisorOf(at))));
});
