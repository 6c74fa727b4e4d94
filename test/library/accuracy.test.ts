// Every math function within the error that the specification allows (OpenCL 1.2, 7.4), over the special values and a
// small sample; `npm run accuracy` does the same with a million arguments. The references are in conformance/accuracy.
import { describe, expect, it } from 'vitest';
import { allowedError } from '../../conformance/accuracy/accuracy.ts';
import { measuredFunctions } from '../../conformance/accuracy/functions.ts';
import { errorInUlps, measure, precisions, type RunKernel } from '../../conformance/accuracy/measure.ts';
import { fromNumber } from '../../conformance/accuracy/real.ts';
import { references } from '../../conformance/accuracy/references.ts';
import type { Module } from '../../src/ir/ir.ts';
import { libraryFunctions } from '../../src/library/contents.ts';
import { linkSingles } from '../../src/opencl/link-library.ts';
import { buffer, compileForTest, wasmRunner } from '../support/run-kernel.ts';

const runWith =
  (prepare: (source: string) => Module): RunKernel =>
  async (source, ...args) => {
    const launch = wasmRunner(prepare(source));
    launch('apply', { global: [args[0].length], local: [1] }, args.map(buffer));
  };
const run = runWith(compileForTest);

/** With the functions for devices whose doubles are slow. */
function compiledWithSingles(source: string): Module {
  const module = compileForTest(source);
  linkSingles(module);
  return module;
}

/** Most functions of half are those of float, rounded: here stand those that are not, and a few of the others. */
const ownHalves = new Set(
  'add divide fdim floor fma fmax fract maxmag pow remquo rint round rsqrt sincos sqrt tgamma'.split(' '),
);

describe.each(Object.values(precisions))('math functions of $type', (precision) => {
  const tested = measuredFunctions.filter(({ name, onlyFloat }) =>
    precision.type === 'half' ? ownHalves.has(name) : precision.type === 'float' || !onlyFloat,
  );
  it.each(tested)('$name', async (each) => {
    const { worst, where } = await measure(each, precision, 200, run);
    // A function without a bound must still be near, but for the zeros of lgamma.
    const allowed = allowedError(each, precision.type) ?? (each.name === 'lgamma' ? Infinity : 8192);
    expect(worst, where).toBeLessThanOrEqual(allowed);
  });
});

describe('math functions of float that compute in float alone', () => {
  const replaced = new Set(
    libraryFunctions('singles').map((name) => name.replace(/^__millrace_|_f32$/g, '')),
  );
  const others = new Set(['remquo_quotient', 'ldexp', 'lgamma_sign']);
  const tested = measuredFunctions.filter(({ name }) => replaced.has(name));

  it('are all measured, but for exact ones, which float-parts.test.ts looks at', () => {
    const names = new Set(tested.map(({ name }) => name));
    expect([...replaced].filter((name) => !names.has(name) && !others.has(name))).toEqual([]);
  });

  it.each(tested)('$name', async (each) => {
    const { worst, where } = await measure(each, precisions.float, 2000, runWith(compiledWithSingles));
    // lgamma has no bound, and zeros below 0.
    expect(worst, where).toBeLessThanOrEqual(allowedError(each, 'float') ?? Infinity);
  });
});

describe('the measure itself', () => {
  it('counts in units of the last place', () => {
    const { float, double } = precisions;
    expect(errorInUlps(1 + 2 ** -23, 1, float)).toBe(1);
    expect(errorInUlps(1, 1 + 2 ** -24, float)).toBe(0.5);
    expect(errorInUlps(2 ** -149, 2 ** -148, float)).toBe(1);
    expect(errorInUlps(0, 2 ** -149, float)).toBe(1);
    expect(errorInUlps(Infinity, 2 ** 128 - 2 ** 104, float)).toBe(1);
    expect(errorInUlps(3e38, 2 ** 130, float)).toBe(Infinity);
    expect(errorInUlps(Infinity, fromNumber(2 ** 130), float)).toBe(0);
    expect(errorInUlps(Number.NaN, 1, double)).toBe(Infinity);
    expect(errorInUlps(Number.NaN, Number.NaN, double)).toBe(0);
    expect(errorInUlps(1 + 2 ** -52, 1, double)).toBe(1);
  });

  // Digits of the true values from published tables.
  it.each([
    ['exp', 1, Math.E],
    ['log', 10, Math.LN10],
    ['sin', 1e22, -0.8522008497671888],
    ['cos', 1, 0.5403023058681398],
    ['atan', 1, Math.PI / 4],
    ['erf', 0.5, 0.5204998778130465],
    ['erfc', 3, 2.209049699858544e-5],
    ['tgamma', 5, 24],
    ['tgamma', 0.5, 1.772453850905516],
    ['lgamma', 100, 359.1342053695754],
    ['sinh', 1, 1.1752011936438014],
    ['asinh', 1, 0.881373587019543],
    ['expm1', 1e-10, 1.00000000005e-10],
  ])('%s(%d)', (name, x, digits) => {
    const want = references[name]!(x, 0, 0, 1);
    expect(errorInUlps(digits, want, precisions.double)).toBeLessThan(1);
  });
});
