import { describe, it } from 'vitest';
import { cloneModule } from '../../src/ir/clone.ts';
import { walkRegionsInsideOut } from '../../src/ir/walk.ts';
import { randomKernel } from './random-kernel.ts';
import { expectSameThroughout, numbers, outputOf, type Range } from './run-stages.ts';

const ranges: readonly Range[] = [
  { global: [8], local: [4] },
  { global: [4, 2], local: [2, 2] },
  { global: [2, 2, 4], local: [1, 2, 2] },
];

/** MILLRACE_SEEDS=from-to runs others than the usual ones. */
const { MILLRACE_SEEDS: seeds = '1-150' } = process.env;
const [from, to] = seeds.split('-').map(Number) as [number, number];

describe('random kernels leave the same in memory after every pass', () => {
  for (let seed = from; seed <= to; seed += 1) {
    it(`seed ${seed}`, () => {
      const range = ranges[seed % ranges.length]!;
      expectSameThroughout(randomKernel(seed), range, { input: numbers(128, seed), n: seed % 7 });
    });
  }
});

describe('the same where loops are unrolled, wholly and partly', () => {
  for (let seed = from; seed <= to; seed += 1) {
    it(`seed ${seed}`, () => {
      const range = ranges[seed % ranges.length]!;
      const module = randomKernel(seed, { unrolledLoops: true });
      expectSameThroughout(module, range, { input: numbers(128, seed), n: seed % 7 });
    });
  }
});

describe('where work-items part at barriers, each does what it would without them', () => {
  for (let seed = from; seed <= to; seed += 1) {
    it(`seed ${seed}`, () => {
      const range = ranges[seed % ranges.length]!;
      const args = { input: numbers(128, seed), n: seed % 7 };
      const module = randomKernel(seed, { divergentBarriers: true });
      const withoutBarriers = cloneModule(module);
      walkRegionsInsideOut(withoutBarriers.functions[0]!.body!, (region) => {
        region.instructions = region.instructions.filter(({ op }) => op !== 'barrier');
      });
      expectSameThroughout(module, range, args, outputOf(withoutBarriers, range, args));
    });
  }
});
