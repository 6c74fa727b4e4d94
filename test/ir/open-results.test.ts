/** Arithmetic that may give anything is found where it is looked for, and nothing else is. */
import { describe, expect, it } from 'vitest';
import { buffer, compileForTest, runOnInterpreter } from '../support/run-kernel.ts';

function run(statement: string, checkOpenResults: boolean | 'divisions' = true): void {
  const module = compileForTest(`kernel void k(global int *a, global float *f) { ${statement} }`);
  const args = [buffer(Int32Array.of(7, 0, -1, -2147483648)), buffer(Float32Array.of(1.5, 3e9, Number.NaN))];
  runOnInterpreter(module, 'k', { global: [1], local: [1] }, args, { checkOpenResults });
}

describe('results that are left open', () => {
  it.each([
    ['a[0] = a[0] / a[1];', 'integer division by zero'],
    ['a[0] = (uint)a[0] % (uint)a[1];', 'integer division by zero'],
    ['int2 v = vload2(0, a); vstore2((int2)(1) / v, 0, a);', 'integer division by zero'],
    ['a[0] = a[3] / a[2];', 'quotient does not fit'],
    ['a[0] = (int)f[1];', 'conversion of 3000000000 to an integer of 32 bits'],
    ['a[0] = (int)f[2];', 'conversion of NaN'],
    ['a[0] = (uchar)f[1];', 'to an integer of'],
  ])('%s', (statement, expected) => {
    expect(() => run(statement)).toThrow(expected);
    run(statement, false);
  });

  it('say the numbers, and which component it is', () => {
    expect(() => run('a[0] = (uint)a[2] / (uint)a[1];')).toThrow(': 4294967295 / 0 may be anything');
    const vectors = 'vstore8((int8)(5) % (int8)(1, 2, 3, 4, 5, a[1], 7, 8), 0, a);';
    expect(() => run(vectors)).toThrow('by zero in component s5: 5 % 0 may be anything');
    expect(() => run('vstore2((long2)(LONG_MIN) / (long2)(1, -1), 0, (global long *)a);')).toThrow(
      'does not fit in component y: -9223372036854775808 / -1 may be anything',
    );
  });

  it('may be looked for in divisions alone', () => {
    run('a[0] = (int)f[1];', 'divisions');
    expect(() => run('a[0] = a[0] / a[1];', 'divisions')).toThrow('integer division by zero: 7 / 0');
  });

  it.each([
    'a[0] = a[0] / a[2] + a[3] % a[2];',
    'a[0] = (uint)a[3] / (uint)a[2];',
    'a[0] = (int)f[0] + convert_int_sat(f[1]) + convert_uchar_sat(f[2]);',
    'a[0] = (uint)f[1];',
    'a[0] = a[1] != 0 ? a[0] / a[1] : 0;',
    'f[0] = f[1] / 0.0f;',
    'a[0] = a[0] << 40;',
  ])('%s has one result', (statement) => {
    run(statement);
  });
});
