/** Constant expressions: expected values follow from C99 6.6 and two's complement, worked out by hand. */
import { describe, expect, it } from 'vitest';
import { type ConstantValue, evaluateConstant } from '../../src/c/constant.ts';
import { openclDialect } from '../../src/opencl/dialect/index.ts';
import { compile } from './diagnose.ts';

const dialect = openclDialect();

/** The value of the initializer of `v`, the last variable of a program. */
function value(program: string): ConstantValue | undefined {
  const { unit, lines } = compile(program, dialect);
  expect(lines).toEqual([]);
  const last = unit.declarations[unit.declarations.length - 1];
  if (last?.kind !== 'variable' || !last.initializer) throw new Error('no variable');
  return evaluateConstant(last.initializer);
}

const integers: readonly (readonly [type: string, expression: string, value: bigint])[] = [
  ['int', '2147483647 + 1', -2147483648n],
  ['uint', '0u - 1u', 4294967295n],
  ['int', '-7 / 2', -3n],
  ['int', '-7 % 2', -1n],
  ['int', '-8 >> 1', -4n],
  ['uint', '0xfffffff8u >> 1', 0x7ffffffcn],
  ['int', '1 << 33', 2n],
  ['long', '1L << 40', 1n << 40n],
  ['ulong', '~0UL', (1n << 64n) - 1n],
  ['int', '-1 < 0u', 0n],
  ['int', '(uchar)300', 44n],
  ['int', '(char)200', -56n],
  ['int', '3 ? 4 : 5', 4n],
  ['int', '0 && 5', 0n],
  ['int', '!3.5f', 0n],
  ['int', '(int)-3.9f', -3n],
  ['int', 'sizeof(float3)', 16n],
  ['int', "'a'", 97n],
  ['int', 'as_int(1.0f)', 0x3f800000n],
  ['int', '(bool)7', 1n],
];

describe('constants', () => {
  it.each(integers)('%s v = %s', (type, expression, expected) => {
    expect(value(`constant ${type} v = ${expression};`)).toEqual({ kind: 'integer', value: expected });
  });

  it('floats are rounded at every step', () => {
    expect(value('constant float v = 0.1f + 0.2f;')).toEqual({
      kind: 'floating',
      value: Math.fround(0.30000001192092896),
    });
    expect(value('constant float v = (float)16777217;')).toEqual({ kind: 'floating', value: 16777216 });
    expect(value('constant double v = 0.1 + 0.2;')).toEqual({ kind: 'floating', value: 0.1 + 0.2 });
    expect(value('constant float v = as_float(0x40490fdb);')).toEqual({
      kind: 'floating',
      value: 3.1415927410125732,
    });
  });

  it('an integer becomes a float with one rounding', () => {
    // 2**60 + 2**36 + 1 lies just above the middle of two floats; through double it would become the middle itself.
    expect(value('constant float v = (float)1152921573326323713L;')).toEqual({
      kind: 'floating',
      value: 2 ** 60 + 2 ** 37,
    });
  });

  it('vectors', () => {
    expect(value('constant int4 v = (int4)(1, (int2)(2, 3), 4) + 1;')).toEqual({
      kind: 'vector',
      lanes: [2n, 3n, 4n, 5n],
    });
    expect(value('constant int2 v = (int2)(1, 2) < (int2)(2, 2);')).toEqual({
      kind: 'vector',
      lanes: [-1n, 0n],
    });
    expect(value('constant int2 v = ((int4)(1, 2, 3, 4)).yw;')).toEqual({ kind: 'vector', lanes: [2n, 4n] });
    expect(value('constant int2 v = (int2)(bool)5;')).toEqual({ kind: 'vector', lanes: [-1n, -1n] });
  });

  it('const variables are read', () => {
    expect(value('constant int n = 4; constant int v = n * n;')).toEqual({ kind: 'integer', value: 16n });
  });

  it('addresses', () => {
    const second = value('constant int t[4] = {1, 2, 3, 4}; constant int *constant v = &t[2] - 1;');
    expect(second).toMatchObject({ kind: 'address', base: { name: 't' }, offset: 4n });
    const field = value(
      'struct S { int a; float b[2]; }; constant struct S s = {1}; constant float *constant v = s.b + 1;',
    );
    expect(field).toMatchObject({ kind: 'address', base: { name: 's' }, offset: 8n });
    expect(value('constant int *constant v = 0;')).toEqual({ kind: 'address', base: undefined, offset: 0n });
  });
});
