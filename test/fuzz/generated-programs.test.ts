/**
 * Random OpenCL C kernels of middle and large size must leave the same bytes however they are run
 * (conformance/fuzz/check-program.ts); small-programs.test.ts has the small ones. For more, or for one that failed:
 *
 *     npm run fuzz -- --kind medium --seed 4711 --count 1
 */
import { expect, it } from 'vitest';
import { generateKernel } from '../../conformance/generator/generate.ts';
import { expectAgreement } from './expect-agreement.ts';

const timeout = 600_000;

it('medium programs mean the same everywhere', { timeout }, () => expectAgreement('medium', 0, 70));

it('large programs mean the same everywhere', { timeout }, () => expectAgreement('large', 0, 10));

it('the same seed gives the same program', () => {
  expect(generateKernel(7).source).toBe(generateKernel(7).source);
  expect(generateKernel(7).source).not.toBe(generateKernel(8).source);
});
