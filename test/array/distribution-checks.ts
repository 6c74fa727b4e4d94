/** Random numbers against the distribution functions that they should have: chi-squared sums, with bounds that one in 10^5 seeds is beyond. */
import type { RandomNumbers } from 'millrace/array';
import { expect } from 'vitest';

export const size = 100_000;

/** What a chi-squared sum of so many degrees of freedom is above once in 10^5 times (Wilson and Hilferty). */
const bound = (degrees: number): number =>
  degrees * (1 - 2 / (9 * degrees) + 4.265 * Math.sqrt(2 / (9 * degrees))) ** 3;

function chiSquared(counts: readonly number[], probabilities: readonly number[]): void {
  expect(sum([...counts])).toBe(size);
  expect(sum([...probabilities])).toBeCloseTo(1, 6);
  const squares = counts.map(
    (count, c) => (count - size * probabilities[c]!) ** 2 / (size * probabilities[c]!),
  );
  expect(sum(squares)).toBeLessThan(bound(counts.length - 1));
}

/** Values against a distribution function, in 50 bins of equal probability: each value's probability is uniform. */
function continuous(values: Iterable<number>, distribution: (x: number) => number): void {
  const counts = new Array<number>(50).fill(0);
  for (const value of values) counts[Math.min(Math.floor(distribution(value) * 50), 49)]! += 1;
  chiSquared(
    counts,
    counts.map(() => 1 / 50),
  );
}

/** Whole numbers against their probabilities; rare ones, of which fewer than 10 are expected, are one bin at each end. */
function discrete(values: Iterable<number>, probability: (k: number) => number, most: number): void {
  const all = Array.from({ length: most + 1 }, (_, k) => probability(k));
  const common = all.map((p, k) => [p, k] as const).filter(([p]) => p * size >= 10);
  const [first, last] = [common[0]![1], common.at(-1)![1]];
  const bins = last - first + 1;
  const counts = new Array<number>(bins + 2).fill(0);
  const expected = new Array<number>(bins + 2).fill(0);
  const bin = (k: number): number => Math.min(Math.max(k - first, -1), bins) + 1;
  for (const value of values) counts[bin(value)]! += 1;
  for (const [k, p] of all.entries()) expected[bin(k)]! += p;
  // What is hardly to be expected goes to its neighbours.
  for (const [end, next] of [
    [0, 1],
    [bins + 1, bins],
  ] as const) {
    counts[next]! += counts[end]!;
    expected[next]! += expected[end]!;
  }
  chiSquared(counts.slice(1, -1), expected.slice(1, -1));
}

/** ln(gamma(x)) by Stirling's series. */
function logGamma(x: number): number {
  if (x < 20) return logGamma(x + 1) - Math.log(x);
  return (
    (x - 0.5) * Math.log(x) -
    x +
    0.5 * Math.log(2 * Math.PI) +
    1 / (12 * x) -
    1 / (360 * x ** 3) +
    1 / (1260 * x ** 5)
  );
}

/** The gamma distribution's function, by its series. */
function gammaBelow(shape: number, x: number): number {
  if (x <= 0) return 0;
  let term = 1 / shape;
  let total = term;
  for (let k = 1; k < 5000 && term > total * 1e-16; k += 1) {
    term *= x / (shape + k);
    total += term;
  }
  return Math.min(Math.exp(shape * Math.log(x) - x - logGamma(shape)) * total, 1);
}

/** The normal distribution's function, by the gamma distribution of shape 1/2. */
const normalBelow = (x: number): number => 0.5 + (Math.sign(x) * gammaBelow(0.5, (x * x) / 2)) / 2;

const poisson = (mean: number) => (k: number) => Math.exp(k * Math.log(mean) - mean - logGamma(k + 1));
const binomial = (n: number, p: number) => (k: number) =>
  Math.exp(
    logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1) + k * Math.log(p) + (n - k) * Math.log1p(-p),
  );

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export async function checkContinuous(from: RandomNumbers, type: 'float32' | 'float64'): Promise<void> {
  continuous(await from.uniform(size, { type }).data(), (x) => x);
  continuous(await from.uniform(size, { low: -3, high: 5, type }).data(), (x) => (x + 3) / 8);
  continuous(await from.normal(size, { mean: 2, deviation: 3, type }).data(), (x) =>
    normalBelow((x - 2) / 3),
  );
  continuous(await from.logNormal(size, { mean: 0.5, deviation: 0.25, type }).data(), (x) =>
    normalBelow((Math.log(x) - 0.5) / 0.25),
  );
  continuous(await from.exponential(size, { scale: 4, type }).data(), (x) => 1 - Math.exp(-x / 4));
  for (const shape of [0.3, 1, 7.5])
    continuous(await from.gamma(shape, size, { scale: 2, type }).data(), (x) => gammaBelow(shape, x / 2));
}

export async function checkDiscrete(from: RandomNumbers): Promise<void> {
  for (const mean of [0.2, 4, 9.9, 10, 150])
    discrete(await from.poisson(mean, size).data(), poisson(mean), 2 * mean + 60);
  for (const [n, p] of [
    [1, 0.5],
    [12, 0.25],
    [60, 0.95],
    [40, 0.5],
    [1000, 0.3],
    [500, 0.9],
  ] as const)
    discrete(await from.binomial(n, p, size).data(), binomial(n, p), n);
  discrete(await from.integers(0, 37, size).data(), () => 1 / 37, 36);
  const heads = Number(await from.bernoulli(0.3, size).sum().item());
  expect(Math.abs(heads - 0.3 * size)).toBeLessThan(4.5 * Math.sqrt(size * 0.21));
}
