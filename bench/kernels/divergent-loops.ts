/**
 * Loops that each work-item leaves at a time of its own, far from its neighbours': is a number prime, by trial division, and how many
 * steps does it take to 1 by Collatz's rule. Vectors gain little by them, as few lanes stay until the end.
 */
import { type BenchKernel, count } from '../frame/bench-kernel.ts';
import { near, sample } from '../frame/checks.ts';

/** Whether the numbers below n are prime, by the sieve of Eratosthenes. */
function primesBelow(n: number): Uint8Array {
  const isPrime = new Uint8Array(n).fill(1);
  isPrime.fill(0, 0, 2);
  for (let factor = 2; factor * factor < n; factor += 1) {
    if (isPrime[factor] === 0) continue;
    for (let multiple = factor * factor; multiple < n; multiple += factor) isPrime[multiple] = 0;
  }
  return isPrime;
}

export const primes: BenchKernel = {
  name: 'primes by trial division',
  source: `
int isPrime(int n) {
  if (n < 2) return 0;
  for (int factor = 2; factor * factor <= n; factor++) {
    if (n % factor == 0) return 0;
  }
  return 1;
}

kernel void sift(global int *found) {
  int n = get_global_id(0);
  found[n] = isPrime(n);
}`,
  prepare(size) {
    const n = size === 'full' ? 2 ** 20 : 2 ** 16;
    const expected = primesBelow(n);
    return {
      size: count(n),
      buffers: { found: 4 * n },
      launches: [{ kernel: 'sift', global: [n], local: [64], arguments: ['found'] }],
      work: { unit: 'M/s', amount: n },
      check: (result) => near(result('found', Int32Array), (index) => expected[index]!),
    };
  },
};

function stepsToOne(start: number): number {
  let steps = 0;
  for (let n = BigInt(start); n !== 1n; steps += 1) n = n % 2n === 0n ? n / 2n : 3n * n + 1n;
  return steps;
}

export const collatz: BenchKernel = {
  name: 'Collatz steps',
  source: `
kernel void collatz(global int *steps) {
  size_t item = get_global_id(0);
  ulong n = item + 1;
  int count = 0;
  while (n != 1) {
    n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    count++;
  }
  steps[item] = count;
}`,
  prepare(size) {
    const n = size === 'full' ? 2 ** 20 : 2 ** 16;
    return {
      size: count(n),
      buffers: { steps: 4 * n },
      launches: [{ kernel: 'collatz', global: [n], local: [64], arguments: ['steps'] }],
      work: { unit: 'M/s', amount: n },
      check: (result) =>
        near(result('steps', Int32Array), (index) => stepsToOne(index + 1), { indices: sample(n) }),
    };
  },
};
