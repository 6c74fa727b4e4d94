/** The interpreter tells of arithmetic on denormal floats, and of no other. */
import { describe, expect, it } from 'vitest';
import { tellingDenormals } from '../../src/ir/interpreter/denormals.ts';
import { buffer, compileForTest, runOnInterpreter } from '../support/run-kernel.ts';

function count(statement: string): number {
  const module = compileForTest(
    `kernel void k(global float *f, global double *d, global int *i) { ${statement} }`,
  );
  let told = 0;
  const args = [
    buffer(Float32Array.of(1e-40, 1e-30, 3, 0)),
    buffer(Float64Array.of(1e-40, 1e-310)),
    buffer(Int32Array.of(1, 2)),
  ];
  runOnInterpreter(module, 'k', { global: [1], local: [1] }, args, {
    around: tellingDenormals(() => {
      told += 1;
    }),
  });
  return told;
}

describe('denormal floats', () => {
  it.each([
    ['an operand', 'f[3] = f[0] + f[2];'],
    ['a result', 'f[3] = f[1] * 1e-10f;'],
    ['a component', 'vstore2(vload2(0, f) * (float2)(2, 2), 1, f);'],
    ['what is compared', 'i[0] = f[0] > 0.0f;'],
    ['what is converted', 'f[3] = (float)d[0];'],
  ])('%s', (_, statement) => expect(count(statement)).toBeGreaterThan(0));

  it.each([
    ['normal numbers and zeros', 'f[2] = f[1] * f[2] + f[3];'],
    ['what is only moved', 'f[3] = f[0];'],
    ['doubles', 'd[0] = d[1] * d[0];'],
    ['bits', 'i[1] = as_int(f[0]) + 1;'],
  ])('not %s', (_, statement) => expect(count(statement)).toBe(0));
});
