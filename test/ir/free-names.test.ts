import { expect, it } from 'vitest';
import { FreeNames } from '../../src/ir/free-names.ts';

it('gives each of many things of one name a number, and asks no more for the last than for the first', () => {
  const taken = new Set(['x', 'x.3', 'y']);
  let questions = 0;
  const names = new FreeNames((name) => {
    questions += 1;
    return taken.has(name);
  });
  const given: string[] = [];
  for (let count = 0; count < 1000; count += 1) {
    given.push(names.find('x'));
    taken.add(given.at(-1)!);
  }
  expect(given.slice(0, 3)).toEqual(['x.2', 'x.4', 'x.5']);
  expect(given.at(-1)).toBe('x.1002');
  expect(names.find('y')).toBe('y.2');
  expect(questions).toBeLessThan(2100);
});
