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

it("memory of a work-item's own is its alone, with accesses of all lengths and types that overlap", () => {
  const seeds = Array.from({ length: 1000 }, (_, seed) => seed);
  const idioms = seeds
    .map((seed) => generateIdiom(seed))
    .filter(({ source }) => /\bown\[|= own/.test(source));
  const all = idioms.map(({ source }) => source).join('\n');
  for (const type of 'char uchar short ushort int uint long ulong float double'.split(' ')) {
    expect(all).toMatch(new RegExp(`global ${type} \\*own`));
  }
  for (const lanes of [2, 3, 4, 8, 16]) {
    expect(all).toMatch(new RegExp(` = vload${lanes}\\(`));
    expect(all).toMatch(new RegExp(` vstore${lanes}\\(`));
  }
  // Elements of sixteen are named by one digit each.
  expect(all).not.toMatch(/\.s\d\d\b/);
  const some = idioms.slice(0, 12);
  const meaning = some.flatMap(({ source, buildOptions, launches }) =>
    outcomesOf(compileForTest(source, buildOptions), launches),
  );
  expect(meaning.length).toBeGreaterThan(some.length * 2);
});

it('products may be fused with sums where none is rounded, and nowhere else', () => {
  const idioms = Array.from({ length: 100 }, (_, seed) => generateIdiom(seed));
  expect(new Set(idioms.map(({ isExact }) => isExact)).size).toBe(2);
  for (const { source, isExact, known } of idioms) {
    expect(source).toContain(`FP_CONTRACT ${isExact ? 'ON' : 'OFF'}`);
    if (isExact) expect(known).toBeUndefined();
  }
});
