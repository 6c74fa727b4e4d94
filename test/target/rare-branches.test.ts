/** A value that differs between work-items is hardly ever the same as a given one: what only happens then counts little (cost-model.ts). */
import { inspect } from 'millrace';
import { expect, it } from 'vitest';

const visit = (condition: string): string => `
kernel void visit(global const uint *starts, global const uint *edges, global int *levels, int level) {
  size_t vertex = get_global_id(0);
  if (${condition}) return;
  for (uint at = starts[vertex]; at < starts[vertex + 1]; at++) {
    uint next = edges[at];
    if (levels[next] < 0) levels[next] = level + 1;
  }
}`;

const isVectorised = (source: string): boolean =>
  /> vector \d+/.test(String(inspect(source, { emit: 'plan' }).output));

it('vectors look for the few vertices of a level', () => {
  expect(isVectorised(visit('levels[vertex] != level'))).toBe(true);
});

it('a flag, an order and the id itself are no rare equalities', () => {
  expect(isVectorised(visit('levels[vertex] == 0'))).toBe(false);
  expect(isVectorised(visit('levels[vertex] > level'))).toBe(false);
  expect(isVectorised(visit('levels[vertex] == level'))).toBe(false);
});
