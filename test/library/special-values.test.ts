// What the math functions give at zeros, infinities, NaNs, poles and whole numbers, with the signs of zeros. The
// expected values are those of OpenCL 1.2, 7.5.1, and of C99's annex F, to which it refers.
import { describe, expect, it } from 'vitest';
import { linkSingles } from '../../src/opencl/link-library.ts';
import { buffer, compileForTest, runOnInterpreter, wasmRunner } from '../support/run-kernel.ts';

const inf = Infinity;
const nan = Number.NaN;

type Case = readonly [call: string, expected: number];

const cases: readonly Case[] = [
  ['acos(1)', 0],
  ['acos(1.5)', nan],
  ['acosh(1)', 0],
  ['acosh(inf)', inf],
  ['acosh(0.5)', nan],
  ['acosh(-5)', nan],
  ['acospi(1)', 0],
  ['acospi(-1)', 1],
  ['acospi(1.5)', nan],
  ['asin(-0)', -0],
  ['asinh(-0)', -0],
  ['asinh(-inf)', -inf],
  ['asinpi(-0)', -0],
  ['asinpi(2)', nan],
  ['atan(-0)', -0],
  ['atanh(-0)', -0],
  ['atanh(1)', inf],
  ['atanh(-1)', -inf],
  ['atanh(2)', nan],
  ['atanpi(-0)', -0],
  ['atanpi(inf)', 0.5],
  ['atanpi(-inf)', -0.5],
  ['atan2(-0, 0)', -0],
  ['atan2(0, 5)', 0],
  ['atan2pi(0, -0)', 1],
  ['atan2pi(-0, -0)', -1],
  ['atan2pi(-0, 0)', -0],
  ['atan2pi(0, -3)', 1],
  ['atan2pi(-3, 0)', -0.5],
  ['atan2pi(3, -0)', 0.5],
  ['atan2pi(3, -inf)', 1],
  ['atan2pi(-3, inf)', -0],
  ['atan2pi(inf, 3)', 0.5],
  ['atan2pi(inf, inf)', 0.25],
  ['atan2pi(-inf, -inf)', -0.75],
  ['cbrt(-0)', -0],
  ['cbrt(-inf)', -inf],
  ['ceil(-0.5)', -0],
  ['cospi(0)', 1],
  ['cospi(0.5)', 0],
  ['cospi(-1.5)', 0],
  ['cospi(2.5)', 0],
  ['cospi(3)', -1],
  ['cospi(inf)', nan],
  ['erf(-0)', -0],
  ['erf(-inf)', -1],
  ['erfc(inf)', 0],
  ['erfc(-inf)', 2],
  ['exp(-inf)', 0],
  ['exp10(-inf)', 0],
  ['exp10(inf)', inf],
  ['expm1(-0)', -0],
  ['expm1(-inf)', -1],
  ['expm1(inf)', inf],
  ['fabs(-0)', 0],
  ['fdim(nan, 1)', nan],
  ['fdim(1, 2)', 0],
  ['fmax(nan, 1)', 1],
  ['fmin(1, nan)', 1],
  ['fmod(-0, 5)', -0],
  ['fmod(5, inf)', 5],
  ['fmod(5, 0)', nan],
  ['fmod(inf, 5)', nan],
  ['fract(-0, &t)', -0],
  ['fract(inf, &t)', 0],
  ['fract(-inf, &t)', -0],
  ['(fract(-2.5, &t), t)', -3],
  ['(fract(-inf, &t), t)', -inf],
  ['fract(-2.5, &t)', 0.5],
  ['fract(-3, &t)', 0],
  ['frexp(-inf, &n)', -inf],
  ['frexp(-0, &n)', -0],
  ['half_recip(4)', 0.25],
  ['half_divide(1, -inf)', -0],
  ['hypot(nan, -inf)', inf],
  ['lgamma(1)', 0],
  ['lgamma(2)', 0],
  ['lgamma(0)', inf],
  ['lgamma(-3)', inf],
  ['lgamma(-inf)', inf],
  ['(lgamma_r(-0.5, &n), n)', -1],
  ['(lgamma_r(-1.5, &n), n)', 1],
  ['(lgamma_r(3, &n), n)', 1],
  ['(lgamma_r(-0, &n), n)', -1],
  ['ldexp(-0, 3)', -0],
  ['log(-0)', -inf],
  ['log1p(-0)', -0],
  ['log1p(-1)', -inf],
  ['log1p(-2)', nan],
  ['log1p(inf)', inf],
  ['logb(0)', -inf],
  ['logb(-inf)', inf],
  ['logb(-8)', 3],
  ['logb(nan)', nan],
  ['maxmag(-3, 2)', -3],
  ['maxmag(-3, 3)', 3],
  ['maxmag(nan, 2)', 2],
  ['minmag(-3, 2)', 2],
  ['minmag(-3, 3)', -3],
  ['minmag(2, nan)', 2],
  ['modf(-inf, &t)', -0],
  ['modf(-2, &t)', -0],
  ['nextafter(-0, -0)', -0],
  ['nextafter(1, nan)', nan],
  ['nextafter(inf, inf)', inf],
  ['nextafter(0, 0)', 0],
  ['pow(0, -3)', inf],
  ['pow(-0, -3)', -inf],
  ['pow(-0, 3)', -0],
  ['pow(-0, 2)', 0],
  ['pow(-1, inf)', 1],
  ['pow(1, nan)', 1],
  ['pow(nan, 0)', 1],
  ['pow(0.5, -inf)', inf],
  ['pow(2, -inf)', 0],
  ['pow(-inf, 3)', -inf],
  ['pow(-inf, -3)', -0],
  ['pow(-2, 0.5)', nan],
  ['pown(-0, -3)', -inf],
  ['pown(-0, 3)', -0],
  ['pown(0, -2)', inf],
  ['pown(nan, 0)', 1],
  ['powr(0, -2)', inf],
  ['powr(-0, -inf)', inf],
  ['powr(-0, 2)', 0],
  ['powr(1, inf)', nan],
  ['powr(1, 5)', 1],
  ['powr(-2, 2)', nan],
  ['powr(0, 0)', nan],
  ['powr(inf, 0)', nan],
  ['powr(2, nan)', nan],
  ['powr(nan, 2)', nan],
  ['powr(3, 0)', 1],
  ['remainder(-4, 2)', -0],
  ['remainder(5, 3)', -1],
  ['remainder(2.5, 1)', 0.5],
  ['remainder(3.5, 1)', -0.5],
  ['remainder(3, inf)', 3],
  ['remainder(3, 0)', nan],
  ['remainder(inf, 3)', nan],
  ['remquo(-7, 2, &n)', 1],
  ['(remquo(-7, 2, &n), n)', -4],
  ['(remquo(1000, 3, &n), n)', 333 % 128],
  ['remquo(1, 0, &n)', nan],
  ['rint(-0.5)', -0],
  ['rint(2.5)', 2],
  ['rootn(-0, -3)', -inf],
  ['rootn(0, -2)', inf],
  ['rootn(-0, 2)', 0],
  ['rootn(-0, 3)', -0],
  ['rootn(-8, 3)', -2],
  ['rootn(-8, 2)', nan],
  ['rootn(8, 0)', nan],
  ['rootn(inf, -1)', 0],
  // A double below the normal ones, whose reciprocal is too large; 0 as a float.
  ['rootn(-7e-323, -1)', -inf],
  ['round(-0.5)', -1],
  ['round(-0.25)', -0],
  ['rsqrt(0)', inf],
  ['rsqrt(inf)', 0],
  ['sinh(-0)', -0],
  ['sinpi(-0)', -0],
  ['sinpi(1)', 0],
  ['sinpi(2)', 0],
  ['sinpi(-1)', -0],
  ['sinpi(0.5)', 1],
  ['sinpi(-2.5)', -1],
  ['sinpi(inf)', nan],
  ['tanh(-inf)', -1],
  ['tanpi(-0)', -0],
  ['tanpi(1)', -0],
  ['tanpi(2)', 0],
  ['tanpi(-1)', 0],
  ['tanpi(0.5)', inf],
  ['tanpi(1.5)', -inf],
  ['tanpi(-0.5)', -inf],
  ['tanpi(0.25)', 1],
  ['tanpi(inf)', nan],
  ['tgamma(0)', inf],
  ['tgamma(-0)', -inf],
  ['tgamma(-2)', nan],
  ['tgamma(inf)', inf],
  ['tgamma(-inf)', nan],
  ['trunc(-0.5)', -0],
  ['isnan(nan(5u))', 1],
];

/** Numbers in a call become elements of an array that the compiler cannot see through. */
function source(type: 'float' | 'double'): { text: string; constants: number[] } {
  const constants: number[] = [];
  const calls = cases.map(([call], index) => {
    const isInteger = (name: string) => /^(ldexp|pown|rootn)$/.test(name);
    const code = call.replace(
      /-?(?:\binf\b|\bnan\b(?!\()|\b\d+(?:\.\d+)?(?:e-?\d+)?\b(?!u))/g,
      (word, at: number) => {
        const name = /(\w+)\([^(]*$/.exec(call.slice(0, at))?.[1] ?? '';
        if (isInteger(name) && call.slice(0, at).includes(',')) return word;
        constants.push(word === '-0' ? -0 : Number(word.replace('inf', 'Infinity').replace('nan', 'NaN')));
        return `c[${constants.length - 1}]`;
      },
    );
    return `o[${index}] = ${type === 'double' ? code.replace('5u', '5ul') : code};`;
  });
  const text = `kernel void k(global const ${type}* c, global ${type}* o) { ${type} t; int n; ${calls.join('\n')} }`;
  return { text, constants };
}

describe.each([
  ['float', 'float'],
  ['double', 'double'],
  ['float alone, without doubles', 'float'],
] as const)('special values of %s', (kind, type) => {
  const { text, constants } = source(type);
  const array = (list: readonly number[] | number) =>
    type === 'float' ? new Float32Array(list as number[]) : new Float64Array(list as number[]);
  const range = { global: [1], local: [1] };
  const module = compileForTest(text);
  if (kind.includes('alone')) linkSingles(module);
  const results = array(cases.length);
  runOnInterpreter(module, 'k', range, [buffer(array(constants)), buffer(results)]);
  const compiled = array(cases.length);
  wasmRunner(module)('k', range, [buffer(array(constants)), buffer(compiled)]);

  it.each(cases.map(([call, expected], index) => ({ call, expected, index })))(
    '$call',
    ({ expected, index }) => {
      expect(results[index]).toBe(expected);
      expect(compiled[index]).toBe(expected);
    },
  );
});
