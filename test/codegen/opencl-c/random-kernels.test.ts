/** Random kernels do the same after a way through OpenCL C, with and without the passes. */
import { describe, expect, it } from 'vitest';
import { randomKernel } from '../../passes/random-kernel.ts';
import { numbers, outputOf } from '../../passes/run-stages.ts';
import { roundTrip, written } from './round-trip.ts';

const ranges = [
  { global: [8], local: [4] },
  { global: [4, 2], local: [2, 2] },
  { global: [2, 2, 4], local: [1, 2, 2] },
];

/** MILLRACE_SEEDS=from-to runs others than the usual ones. */
const { MILLRACE_SEEDS: seeds = '1-150' } = process.env;
const [from, to] = seeds.split('-').map(Number) as [number, number];

describe('random kernels do the same after a way through OpenCL C', () => {
  for (let seed = from; seed <= to; seed += 1) {
    it(`seed ${seed}`, () => {
      const range = ranges[seed % ranges.length]!;
      const args = { input: numbers(128, seed), n: seed % 7 };
      const module = randomKernel(seed);
      const expected = outputOf(module, range, args);
      for (const optimised of [false, true]) {
        const actual = outputOf(roundTrip(module, optimised), range, args);
        if (!actual.every((value, index) => value === expected[index])) {
          expect(actual, written(module, optimised)).toEqual(expected);
        }
      }
    });
  }
});
