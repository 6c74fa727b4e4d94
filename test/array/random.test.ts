/**
 * MRG32k3a against what RngStreams prints (L'Ecuyer and others, tests/test2RngStream.res), and the distributions of both generators against their
 * distribution functions, with fixed seeds. Philox's words are in arrays.test.ts.
 */
import { devices } from 'millrace';
import { type Arrays, arrays, type RandomNumbers } from 'millrace/array';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkContinuous, checkDiscrete, size, sum } from './distribution-checks.ts';

let np: Arrays;
beforeAll(async () => {
  np = await arrays();
});
afterAll(() => np.release());

const numbers = async (random: RandomNumbers, count: number): Promise<number[]> => [
  ...(await random.uniform(count, { type: 'float64' }).data()),
];

describe('MRG32k3a', () => {
  it('gives the first numbers of the seed 12345', async () => {
    const first = await numbers(np.mrg32k3a(12345), 3);
    // As SSJ prints them.
    expect(first).toEqual([0.12701112204657714, 0.3185275653967945, 0.3091860155832701]);
    expect(await numbers(np.mrg32k3a(), 3)).toEqual(first);
  });

  it('is where RngStreams is after 35 numbers', async () => {
    expect((await numbers(np.mrg32k3a(), 36))[35]!.toFixed(14)).toBe('0.07941673614985');
    expect((await numbers(np.mrg32k3a(12345, { counter: 35 }), 1))[0]!.toFixed(14)).toBe('0.07941673614985');
    const state = [1040577685, 3747037609, 277208355, 1712706441, 627445683, 2408037141];
    expect((await numbers(np.mrg32k3a(state), 1))[0]!.toFixed(14)).toBe('0.07941673614985');
  });

  it('has the streams and substreams of RngStreams', async () => {
    const second = [3692455944, 1366884236, 2968912127, 335948734, 4161675175, 475798818];
    expect(await numbers(np.mrg32k3a(12345, { stream: 1 }), 50)).toEqual(
      await numbers(np.mrg32k3a(second), 50),
    );
    const third = await numbers(np.mrg32k3a(12345, { stream: 2 }), 101);
    // One was taken before.
    expect(sum(third.slice(1)).toFixed(11)).toBe('53.98590159232');
    expect(third.slice(0, 5).map((value) => value.toPrecision(13))).toEqual([
      '0.7285097861965',
      '0.9655872822837',
      '0.9961841304801',
      '0.1149884161813',
      '0.9731454191297',
    ]);
    const fourth = await numbers(np.mrg32k3a(12345, { stream: 2, substream: 4 }), 5);
    expect(fourth.map((value) => Number(value.toPrecision(13)))).toEqual([
      0.1734545396358, 0.03286351608942, 0.2643169129682, 0.3059403602117, 0.5476303035177,
    ]);
    const ones = await numbers(np.mrg32k3a(1, { stream: 3 }), 5);
    const cantor = [3276123839, 3170955788, 1470482105, 884064067, 1017894425, 16401881];
    expect(ones).toEqual(await numbers(np.mrg32k3a(cantor), 5));
  });

  it('gives what a loop of its two recurrences gives, however many there are, and goes on', async () => {
    const count = 70_001;
    const [m1, m2] = [4294967087, 4294944443];
    const s = [7, 8, 9, 10, 11, 12];
    // The products are below 2^53.
    const expected = Array.from({ length: count }, () => {
      let p = (1403580 * s[1]! - 810728 * s[0]!) % m1;
      if (p < 0) p += m1;
      let q = (527612 * s[5]! - 1370589 * s[3]!) % m2;
      if (q < 0) q += m2;
      s.splice(0, 6, s[1]!, s[2]!, p, s[4]!, s[5]!, q);
      return p > q ? p - q : p - q + m1;
    });
    const random = np.mrg32k3a([7, 8, 9, 10, 11, 12]);
    const parts = [
      await random.bits(24).data(),
      await random.bits([2, 4]).data(),
      await random.bits(count - 32).data(),
    ];
    expect(parts.flatMap((part) => [...part])).toEqual(expected);
    expect(random.counter).toBe(70_004n);
  });

  it('refuses what is no seed', () => {
    for (const seed of [0, 2 ** 32, -1, 1.5, [1, 2, 3], [0, 0, 0, 1, 1, 1], [1, 1, 1, 4294944443, 1, 1]])
      expect(() => np.mrg32k3a(seed)).toThrow(/seed/);
    expect(() => np.mrg32k3a(1, { stream: -1 })).toThrow('a stream is a whole number');
  });
});

describe('Philox', () => {
  it('has streams of 2^64 blocks', async () => {
    const [a, b] = [np.random(3, { stream: 2 }), np.random(3, { counter: 2n ** 65n })];
    expect([...(await a.bits(12).data())]).toEqual([...(await b.bits(12).data())]);
  });
});

const generators: readonly (readonly [string, () => RandomNumbers])[] = [
  ['Philox', () => np.random(20_260)],
  ['MRG32k3a', () => np.mrg32k3a([20_260, 1, 2, 3, 4, 5])],
];
describe.each(generators)('distributions of %s', (_, random) => {
  it.each(['float32', 'float64'] as const)('continuous ones, of %s', async (type) => {
    await checkContinuous(random(), type);
  });

  it('discrete ones', async () => {
    await checkDiscrete(random());
  });

  it('neighbours do not depend on each other', async () => {
    const values = await numbers(random(), size);
    for (const distance of [1, 2, 63, 64, 128, 256]) {
      const products = values.slice(distance).map((value, i) => (value - 0.5) * (values[i]! - 0.5));
      // The deviation of a product is 1/12.
      expect(Math.abs(sum(products))).toBeLessThan((4.5 / 12) * Math.sqrt(size));
    }
  });

  it('the ends of ranges: nothing to be expected, and all', async () => {
    const from = random();
    expect(new Set(await from.poisson(0, 100).data())).toEqual(new Set([0]));
    expect(new Set(await from.binomial(9, 0, 100).data())).toEqual(new Set([0]));
    expect(new Set(await from.binomial(9, 1, 100).data())).toEqual(new Set([9]));
    expect(new Set(await from.binomial(0, 0.5, 100).data())).toEqual(new Set([0]));
    expect(new Set(await from.bernoulli(1, 100).data())).toEqual(new Set([1]));
    const all = [...(await from.integers(-(2n ** 63n), 2n ** 63n, 4000, 'int64').data())];
    expect(Math.abs(all.filter((value) => value < 0n).length - 2000)).toBeLessThan(4.5 * 32);
    const [low, high] = [all.reduce((a, b) => (a < b ? a : b)), all.reduce((a, b) => (a > b ? a : b))];
    expect(Number(high - low)).toBeGreaterThan(0.99 * 2 ** 64);
    expect((await from.gamma(2, 0).data()).length).toBe(0);
  });

  it('are the same on the interpreter, and go on in the same way', async () => {
    const device = devices({ drivers: false }).find(({ id }) => id === 'interpreter')!;
    const other = await arrays({ device });
    const of = async (from: Arrays) => {
      const own =
        random === generators[0]![1] ? from.random(9, { counter: 77 }) : from.mrg32k3a(9, { substream: 3 });
      const values: unknown[] = [];
      for (const made of [
        own.uniform(37),
        own.uniform(300, { type: 'float64' }),
        own.poisson(30, 40),
        own.binomial(100, 0.4, 9),
        own.integers(-9, 9, 11, 'int8'),
        own.bernoulli(0.2, 33),
        own.gamma(0.5, 35, { type: 'float64' }),
        own.normal(5),
        own.exponential(3, { type: 'float64' }),
      ])
        values.push(...(await made.data()));
      return [...values, own.counter];
    };
    expect(await of(other)).toEqual(await of(np));
    other.release();
  });

  it('refuse what is no parameter', () => {
    const from = random();
    expect(() => from.gamma(0, 1)).toThrow('the shape of a gamma distribution');
    expect(() => from.poisson(-1, 1)).toThrow('a mean is from 0');
    expect(() => from.binomial(1.5, 0.5, 1)).toThrow('a count is a whole number');
    expect(() => from.bernoulli(1.01, 1)).toThrow('a probability is from 0 to 1');
    expect(() => from.exponential(1, { scale: -1 })).toThrow('a scale is not below 0');
  });
});
