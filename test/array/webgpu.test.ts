/**
 * Arrays on the graphics card that WebGPU reaches, against NumPy: of each method a case of floats, one of
 * integers, and of the others one. SwiftShader, which stands in for
 * the card, compiles for a tenth of a second and more, so that not all are tried.
 */
import '../support/webgpu.ts';
import { type Device, requestDevice } from 'millrace';
import { type Arrays, arrays } from 'millrace/array';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Case, cases, compare, compute, ulpsOf } from './numpy-cases.ts';

const found: Device | string = await requestDevice('webgpu').catch(({ message }: Error) => message);
const skipped = typeof found === 'string' ? ` (SKIPPED: ${found})` : '';

/** The kinds of inputs that are told apart. */
const kindOf = ({ inputs }: Case): string => {
  const types = inputs.map(({ type }) => type);
  if (types.every((type) => type === 'float32')) return 'floats';
  return types.every((type) => type === 'int32') ? 'integers' : 'others';
};
const chosen = [
  ...new Map(
    cases
      .filter(({ inputs }) => inputs.every(({ type }) => type !== 'float64'))
      .map((each): [string, Case] => [`${each.method} ${kindOf(each)}`, each]),
  ).values(),
];

describe.skipIf(skipped !== '')(`arrays on WebGPU${skipped}`, () => {
  let np: Arrays;
  beforeAll(async () => {
    np = await arrays({ device: found as Device });
  });
  afterAll(() => np?.release());

  it.each(chosen)('$method: $name', { timeout: 60_000 }, async (each) => {
    const result = await compute(np, each);
    expect([result.type, result.shape], each.name).toEqual([each.expected.type, each.expected.shape]);
    compare(each.name, await result.data(), each.expected, ulpsOf(each));
  });
});
