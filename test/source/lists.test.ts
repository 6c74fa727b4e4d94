/** Lists longer than what a call has room for as arguments. The campaign found one (opencl, seed 2277: 131,072 functions). */
import { describe, expect, it } from 'vitest';
import { keepReachable } from '../../src/ir/link.ts';
import { append, insert, replaceAll } from '../../src/source/lists.ts';
import { compileForTest } from '../support/run-kernel.ts';

const count = 1_000_000;
const many = Array.from({ length: count }, (_, index) => index);

describe('long lists', () => {
  it('are added to, and before a place', () => {
    const list = [-1, -2];
    append(list, many);
    expect([list.length, list[1], list[2], list.at(-1)]).toEqual([count + 2, -2, 0, count - 1]);
    insert(list, 1, many);
    expect([list.length, list[0], list[1], list[count], list[count + 1]]).toEqual([
      2 * count + 2,
      -1,
      0,
      count - 1,
      -2,
    ]);
  });

  it('take a place from the end, as splice does', () => {
    const ours = [1, 2, 3];
    insert(ours, -1, [7, 8]);
    const theirs = [1, 2, 3];
    theirs.splice(-1, 0, 7, 8);
    expect(ours).toEqual(theirs);
  });

  it('get other members, of their own, too', () => {
    const list = [...many];
    replaceAll(
      list,
      list.filter((one) => one % 2 === 0),
    );
    expect([list.length, list[1]]).toEqual([count / 2, 2]);
    replaceAll(list, list);
    expect(list.length).toBe(count / 2);
  });
});

it('what no kernel reaches is dropped, however much is left', () => {
  const module = compileForTest(
    'int f(int x) { return x + 1; } kernel void k(global int *p) { p[0] = f(p[1]); }',
  );
  const kernel = module.functions.find(({ name }) => name === 'k')!;
  const one = module.functions.find(({ name }) => name === 'f')!;
  const kernels = Array.from({ length: 200_000 }, (_, at) => ({ ...kernel, name: `k${at}` }));
  const all = { ...module, functions: [...kernels, one, { ...one, name: 'g' }] };
  keepReachable(all);
  expect(all.functions.length).toBe(200_001);
  expect(all.functions.at(-1)).toBe(one);
});
