/**
 * Doubles and transcendental functions on the simulator of the R600 family, against the host's mathematics: correctly rounded for what
 * IEEE 754 asks for. The chips' own instructions for the rest are right to about twenty bits of their range.
 */
import { describe, expect, it } from 'vitest';
import { validate } from '../../../src/codegen/r600/validate.ts';
import { chip, compileR600, kernelOf, runOnR600 } from '../../support/r600.ts';
import { buffer } from '../../support/run-kernel.ts';

/** What a function of one or two numbers gives for each pair. */
function results<T extends Float32Array | Float64Array>(
  type: 'float' | 'double',
  expression: string,
  pairs: readonly (readonly [number, number])[],
  array: new (from: readonly number[] | number) => T,
): T {
  const kernel = kernelOf(`kernel void k(global const ${type} *in, global ${type} *out) {
    int i = get_global_id(0);
    ${type} x = in[2 * i], y = in[2 * i + 1];
    out[i] = ${expression};
  }`);
  const program = compileR600(kernel, chip('RV770'));
  expect(validate(program)).toEqual([]);
  const out = new array(pairs.length);
  const range = { global: [pairs.length], local: [pairs.length] };
  runOnR600(kernel, program, range, [buffer(new array(pairs.flat())), buffer(out)]);
  return out;
}

const doubles = [
  [1.5, 2.25],
  [-1e300, 1e10],
  [3, 7],
  [2 ** 53 + 2, -1],
  [0.1, 0.2],
  [123456789.125, 1e-3],
] as const;

describe('doubles', () => {
  const exact: readonly (readonly [string, (x: number, y: number) => number])[] = [
    ['x + y', (x, y) => x + y],
    ['x - y', (x, y) => x - y],
    ['x * y', (x, y) => x * y],
    ['x < y ? x : y', Math.min],
    ['fabs(x)', Math.abs],
    ['(double)(float)y', (_, y) => Math.fround(y)],
    ['(double)(int)(x * 1e-290)', (x) => Math.trunc(x * 1e-290)],
    ['x / y', (x, y) => x / y],
  ];
  it('have no instructions for roots', () => {
    const kernel = kernelOf('kernel void k(global double *p) { *p = sqrt(*p); }');
    expect(() => compileR600(kernel, chip('RV770'))).toThrow('sqrt of doubles');
  });
  it.each(exact)('%s', (expression, reference) => {
    const found = results('double', expression, doubles, Float64Array);
    expect([...found]).toEqual(doubles.map(([x, y]) => reference(x, y)));
  });
});

const floats = [
  [0.5, 2],
  [1, 3],
  [2.75, -1.5],
  [0.001, 0.25],
  [10, 1.125],
] as const;

describe('transcendental functions of floats', () => {
  const functions: readonly (readonly [string, (x: number, y: number) => number])[] = [
    ['sin(x)', Math.sin],
    ['cos(x)', Math.cos],
    ['tan(x)', Math.tan],
    ['exp(x)', Math.exp],
    ['log(x)', Math.log],
    ['exp2(y)', (_, y) => 2 ** y],
    ['log2(x)', Math.log2],
    ['pow(x, y)', (x, y) => x ** y],
    ...(['sin', 'cos', 'tan', 'exp', 'exp2', 'log', 'log2', 'log10'] as const).flatMap((name) => {
      const reference = name === 'exp2' ? (x: number) => 2 ** x : Math[name];
      return ['native_', 'half_'].map((prefix): [string, (x: number) => number] => [
        `${prefix}${name}(x)`,
        reference,
      ]);
    }),
    ['native_exp10(x * 0.25f)', (x) => 10 ** (x * 0.25)],
    ['native_powr(x, y)', (x, y) => x ** y],
    ['sqrt(x)', Math.sqrt],
    ['rsqrt(x)', (x) => 1 / Math.sqrt(x)],
    ['x / y', (x, y) => x / y],
  ];
  it.each(functions)('%s', (expression, reference) => {
    const found = results('float', expression, floats, Float32Array);
    floats.forEach(([x, y], index) => {
      const expected = reference(Math.fround(x), Math.fround(y));
      const error = Math.abs(found[index]! - expected) / Math.max(1, Math.abs(expected));
      expect(error, `${expression} of ${x} and ${y}`).toBeLessThan(2 ** -20);
    });
  });
});
