/**
 * Random kernels that move pointers and lead back with their indices (conformance/generator/pointers.ts) must leave the same bytes however
 * they are run and wherever their memory lies (conformance/fuzz/check-pointers.ts). For more, or for one that failed:
 *
 *     npm run fuzz -- --kind pointers --seed 4711 --count 1
 */
import { expect, it } from 'vitest';
import { generatePointers } from '../../conformance/generator/pointers.ts';
import { expectAgreement } from './expect-agreement.ts';

it('moved pointers mean the same everywhere', { timeout: 600_000 }, () => expectAgreement('pointers', 0, 20));

it('the same seed gives the same kernel, with pointers of every space', () => {
  expect(generatePointers(7).source).toBe(generatePointers(7).source);
  const all = Array.from({ length: 200 }, (_, seed) => generatePointers(seed));
  const text = all.map(({ source }) => source).join('\n');
  for (const form of [/global \w+ \*p\d+ = a/, /local \w+ \*p\d+ = tile/, /constant \w+ \*p\d+ = table/]) {
    expect(text).toMatch(form);
  }
  for (const form of [/\n\s+\w+ \*p\d+ = own/, /helper\d+\(/, /atomic_\w+\(/, /vload\d\(/, / \*t\d+\[2\]/]) {
    expect(text).toMatch(form);
  }
  // The first buffer in memory, others, and parts of buffers.
  expect(text).toMatch(/kernel void k\(global \w+ \*a/);
  expect(text).toMatch(/kernel void k\(global int \*pad/);
  expect(all.some(({ arguments: args }) => args.some((one) => 'within' in one))).toBe(true);
  expect(all.some(({ arguments: args }) => args.some((one) => 'local' in one))).toBe(true);
});
