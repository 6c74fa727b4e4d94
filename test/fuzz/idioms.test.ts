/**
 * Random kernels in the forms that people write, each launched several times (conformance/generator/idioms.ts), must leave the same
 * bytes however they are run (conformance/fuzz/check-idiom.ts). For more, or for one that failed:
 *
 *     npm run fuzz -- --kind idioms --seed 4711 --count 1
 */
import { expect, it } from 'vitest';
import { outcomesOf } from '../../conformance/fuzz/check-idiom.ts';
import { generateIdiom } from '../../conformance/generator/idioms.ts';
import { compileForTest } from '../support/run-kernel.ts';
import { expectAgreement } from './expect-agreement.ts';

it('idioms mean the same everywhere', { timeout: 600_000 }, () => expectAgreement('idioms', 0, 8));

it('the same seed gives the same idiom, most of which mean something', () => {
  expect(generateIdiom(7).source).toBe(generateIdiom(7).source);
  const launches = [1, 2, 3, 4].flatMap((seed) => {
    const { source, buildOptions, launches } = generateIdiom(seed);
    return outcomesOf(compileForTest(source, buildOptions), launches);
  });
  expect(launches.length).toBeGreaterThan(6);
});
