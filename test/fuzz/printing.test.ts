/** Generated kernels that print: what they print is compared as what they leave is (conformance/fuzz). */
import { describe, expect, it } from 'vitest';
import { fuzzCase } from '../../conformance/fuzz/fuzz-case.ts';
import { differenceOfTexts } from '../support/compare-runs.ts';
import { compileForTest, preparedForVectors, runOnInterpreter, vectorRunner } from '../support/run-kernel.ts';

describe('texts of two runs', () => {
  it('may come in any order of work-items', () => {
    expect(differenceOfTexts(['1 a', '2 a', '1 b'], ['2 a', '1 a', '1 b'])).toBeUndefined();
  });

  it('differ in the order of one, or where one is missing, more or another', () => {
    const differs = (actual: readonly string[]): boolean =>
      differenceOfTexts(['1 a', '1 b', '2 a'], actual) !== undefined;
    expect(differs(['1 b', '1 a', '2 a'])).toBe(true);
    expect(differs(['1 a', '2 a'])).toBe(true);
    expect(differs(['1 a', '1 b', '2 a', '2 a'])).toBe(true);
    expect(differs(['1 a', '1 b', '2 c'])).toBe(true);
    expect(differs(['1 a', '1 b'])).toBe(true);
  });
});

it('what a kernel prints comes from the interpreter and from WebAssembly', () => {
  const module = compileForTest(
    'kernel void k() { int x = get_global_id(0); if (x % 3 == 1) printf("%d %s %v2d\\n", x, "of", (int2)(x, 7)); }',
  );
  const expected = ['1 of 1,7\n', '4 of 4,7\n'];
  const range = { global: [6], local: [6] };
  const texts: string[] = [];
  runOnInterpreter(module, 'k', range, [], {}, (text) => texts.push(text));
  expect(texts).toEqual(expected);
  for (const way of [{}, { lanes: 4 }] as const) {
    texts.length = 0;
    vectorRunner(preparedForVectors(module), way)('k', range, [], (text) => texts.push(text));
    expect(texts).toEqual(expected);
  }
});

it.each(['idioms', 'medium'] as const)(
  'of %s every fourth may print, and does so under conditions',
  (kind) => {
    const sourcesOf = (seeds: readonly number[]): string =>
      seeds.map((seed) => fuzzCase(kind, seed).source).join('');
    expect(sourcesOf([0, 2, 3, 4, 6, 7])).not.toContain('printf');
    expect(sourcesOf([1, 5, 9, 13, 17, 21])).toMatch(/if \(.*\) printf\(/);
  },
);
