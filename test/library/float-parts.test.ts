// The functions that take numbers apart and put them together are exact; the references do it in plain JavaScript.
import { describe, expect, it } from 'vitest';
import type { Module } from '../../src/ir/ir.ts';
import { linkSingles } from '../../src/opencl/link-library.ts';
import { buffer, compileForTest as compileAll, runOnInterpreter } from '../support/run-kernel.ts';

const values = [
  1,
  -1,
  0.75,
  3,
  -10.5,
  1e-3,
  12345.678,
  2 ** 100,
  2 ** -100,
  1.1754943508222875e-38,
  5.877471754111438e-39,
  1.401298464324817e-45,
  -1.401298464324817e-45,
  3.4028234663852886e38,
  0,
  -0,
  Infinity,
  -Infinity,
  Number.NaN,
];
const shifts = [
  0, 1, -1, 5, -5, 24, -24, 126, -126, 149, -149, 200, -300, 1000, -1100, 2147483647, -2147483648,
];

/** The exponent e with 2^e <= |x| < 2^(e+1). */
function exponentOf(x: number): number {
  let exponent = 0;
  let size = Math.abs(x);
  for (; size >= 2; exponent += 1) size /= 2;
  for (; size < 1; exponent -= 1) size *= 2;
  return exponent;
}

function isOrdinary(x: number): boolean {
  return Number.isFinite(x) && x !== 0;
}

/** x * 2^n, rounded once: beyond these counts every double has become zero or infinite. */
function scaled(x: number, n: number): number {
  if (!isOrdinary(x)) return x;
  const result = exponentOf(x) + n;
  if (result > 1023) return x * Infinity;
  if (result < -1075) return x < 0 ? -0 : 0;
  const unit = x / 2 ** exponentOf(x);
  return result < -1022 ? unit * 2 ** -1022 * 2 ** (result + 1022) : unit * 2 ** result;
}

const precisions = [
  { kind: 'float', type: 'float', array: (list: readonly number[]) => Float32Array.from(list) },
  {
    kind: 'float, without doubles',
    type: 'float',
    array: (list: readonly number[]) => Float32Array.from(list),
  },
  { kind: 'double', type: 'double', array: (list: readonly number[]) => Float64Array.from(list) },
] as const;

describe.each(precisions)('parts of $kind', ({ kind, type, array }) => {
  const compileForTest = (source: string): Module => {
    const module = compileAll(source);
    if (kind.includes('without')) linkSingles(module);
    return module;
  };

  it('ilogb and frexp', () => {
    const x = array(values);
    const fractions = array(values);
    const exponents = new Int32Array(2 * x.length);
    const module = compileForTest(`kernel void k(global const ${type}* x, global ${type}* f, global int* e) {
      size_t i = get_global_id(0), n = get_global_size(0);
      f[i] = frexp(x[i], e + i); e[n + i] = ilogb(x[i]);
    }`);
    runOnInterpreter(module, 'k', { global: [x.length], local: [1] }, [
      buffer(x),
      buffer(fractions),
      buffer(exponents),
    ]);
    for (const [index, value] of x.entries()) {
      const exponent = isOrdinary(value) ? exponentOf(value) + 1 : 0;
      expect(exponents[index], `frexp(${value})`).toBe(exponent);
      expect(fractions[index], `frexp(${value})`).toBe(isOrdinary(value) ? scaled(value, -exponent) : value);
      const special = value === 0 ? -2147483648 : 2147483647;
      expect(exponents[x.length + index], `ilogb(${value})`).toBe(isOrdinary(value) ? exponent - 1 : special);
    }
  });

  it('ldexp', () => {
    const x = array(values.flatMap((value) => shifts.map(() => value)));
    const n = Int32Array.from(values.flatMap(() => shifts));
    const results = array([...x]);
    const module =
      compileForTest(`kernel void k(global const ${type}* x, global const int* n, global ${type}* r) {
      size_t i = get_global_id(0);
      r[i] = ldexp(x[i], n[i]);
    }`);
    const range = { global: [x.length], local: [1] };
    runOnInterpreter(module, 'k', range, [buffer(x), buffer(n), buffer(results)]);
    for (const [index, value] of x.entries()) {
      const want = array([scaled(value, n[index]!)])[0];
      expect(results[index], `ldexp(${value}, ${n[index]})`).toBe(want);
    }
  });

  it('pown of small whole numbers', () => {
    const x = array([2, -2, 3, -3, 0.5, -0.5, 10]);
    const n = Int32Array.from([10, 3, 4, -1, -3, -4, 0]);
    const results = array([...x]);
    const module =
      compileForTest(`kernel void k(global const ${type}* x, global const int* n, global ${type}* r) {
      size_t i = get_global_id(0);
      r[i] = pown(x[i], n[i]);
    }`);
    const range = { global: [x.length], local: [1] };
    runOnInterpreter(module, 'k', range, [buffer(x), buffer(n), buffer(results)]);
    const want = array([1024, -8, 81, -1 / 3, 8, 16, 1]);
    // 16 ulp are allowed; these come out far closer.
    for (const [index, result] of results.entries()) {
      expect(Math.abs(result / want[index]! - 1), `pown(${x[index]}, ${n[index]})`).toBeLessThan(
        type === 'float' ? 1e-7 : 1e-15,
      );
    }
  });
});
