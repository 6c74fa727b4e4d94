/** Arrays against NumPy. */
import { type Arrays, arrays } from 'millrace/array';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cases, compare, compute, ulpsOf } from './numpy-cases.ts';

let np: Arrays;
beforeAll(async () => {
  np = await arrays();
});
afterAll(() => np.release());

const methods = [...new Set(cases.map(({ method }) => method))];
describe.each(methods)('%s', (method) => {
  it.each(cases.filter((each) => each.method === method))('$name', async (each) => {
    const result = await compute(np, each);
    expect([result.type, result.shape], each.name).toEqual([each.expected.type, each.expected.shape]);
    compare(each.name, await result.data(), each.expected, ulpsOf(each));
  });
});
