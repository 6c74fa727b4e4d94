/**
 * Transforms against sums of sines and cosines in double precision, and large ones against FFTW, where that is installed (else skipped). The error
 * may be some units of the precision of the root of the mean square.
 */
import { createRequire } from 'node:module';
import { devices } from 'millrace';
import { at, type Fft, fft, type PlanOptions } from 'millrace/fft';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isSmooth, radicesOf, smoothFrom, unitRoot } from '../../src/fft/factors.ts';
import { Random } from '../support/random.ts';

let lib: Fft;
beforeAll(async () => {
  lib = await fft();
});
afterAll(() => lib.release());

type Numbers = Float32Array | Float64Array;

function randomNumbers(count: number, seed: number): Float64Array {
  const random = new Random(seed);
  return new Float64Array(count).map(() => Math.fround(random.next() * 2 - 1));
}

/** The definition, along one dimension after the other, of numbers in pairs. */
function defined(x: Float64Array, shape: readonly number[], batch: number, sign: 1 | -1): Float64Array {
  let from = x.slice();
  shape.forEach((n, d) => {
    const inner = shape.slice(d + 1).reduce((product, size) => product * size, 1);
    const outer = from.length / 2 / n / inner;
    const to = new Float64Array(from.length);
    const [cos, sin] = [0, 1].map((part) =>
      Float64Array.from({ length: n }, (_, k) => (part ? Math.sin : Math.cos)((2 * Math.PI * k) / n)),
    );
    for (let o = 0; o < outer; o += 1) {
      for (let w = 0; w < inner; w += 1) {
        for (let j = 0; j < n; j += 1) {
          let [re, im] = [0, 0];
          for (let k = 0; k < n; k += 1) {
            const place = 2 * ((o * n + k) * inner + w);
            const [c, s] = [cos![(j * k) % n]!, sign * sin![(j * k) % n]!];
            re += from[place]! * c - from[place + 1]! * s;
            im += from[place]! * s + from[place + 1]! * c;
          }
          to.set([re, im], 2 * ((o * n + j) * inner + w));
        }
      }
    }
    from = to;
  });
  expect(from.length).toBe(2 * batch * shape.reduce((product, size) => product * size, 1));
  return from;
}

function expectNear(got: Numbers, right: Numbers, unit: number): void {
  expect(got.length).toBe(right.length);
  let [square, error] = [0, 0];
  for (let i = 0; i < got.length; i += 1) {
    square += right[i]! ** 2;
    error = Math.max(error, Math.abs(got[i]! - right[i]!));
  }
  const size = Math.sqrt(square / got.length);
  // The largest of many errors, of which each grows with the logarithm of the length.
  expect(error).toBeLessThan(unit * size * (4 + 3 * Math.log2(got.length)));
  expect(Number.isNaN(error)).toBe(false);
}

const precisions = [
  ['single', Float32Array, 2 ** -23],
  ['double', Float64Array, 2 ** -52],
] as const;

/** Complex numbers of which the real ones are those of `x`. */
const paired = (x: Float64Array): Float64Array => {
  const pairs = new Float64Array(2 * x.length);
  x.forEach((value, i) => {
    pairs[2 * i] = value;
  });
  return pairs;
};

/** Of each row the first half of the results. */
function halfOf(pairs: Float64Array, n: number): Float64Array {
  const half = Math.floor(n / 2) + 1;
  const rows = pairs.length / 2 / n;
  const result = new Float64Array(2 * rows * half);
  for (let row = 0; row < rows; row += 1)
    result.set(pairs.subarray(2 * row * n, 2 * (row * n + half)), 2 * row * half);
  return result;
}

async function check(on: Fft, shape: readonly number[], batch: number, only = precisions): Promise<void> {
  const size = shape.reduce((product, each) => product * each, 1);
  const x = randomNumbers(2 * size * batch, 3 * size + batch);
  const [forward, inverse] = [
    defined(x, shape, batch, -1),
    defined(x, shape, batch, 1).map((value) => value / size),
  ];
  const real = x.slice(0, size * batch);
  const half = halfOf(defined(paired(real), shape, batch, -1), shape.at(-1)!);
  for (const [precision, array, unit] of only) {
    const options: PlanOptions = { precision, batch };
    const plan = on.plan(shape, options);
    const one: Numbers = array.from(x);
    await plan.forward(one);
    expectNear(one, forward, unit);
    const other = array.from(x);
    const result = new array(plan.outputLength);
    await plan.inverse(other, result);
    expectNear(result, inverse, unit);
    expect(other).toEqual(array.from(x));

    const realPlan = on.plan(shape, { ...options, kind: 'real' });
    const spectrum = new array(realPlan.outputLength);
    await realPlan.forward(array.from(real), spectrum);
    expectNear(spectrum, half, unit);
    const back = new array(realPlan.inputLength);
    await realPlan.inverse(array.from(half), back);
    expectNear(back, real, unit * 2);
  }
}

describe('lengths', () => {
  it.each(Array.from({ length: 34 }, (_, n) => n + 1))('%i', (n) => check(lib, [n], 1));

  it.each([37, 49, 60, 64, 97, 100, 121, 128, 143, 169, 211, 256, 315, 360, 512])(
    '%i, three at a time',
    (n) => check(lib, [n], 3),
  );
});

describe('dimensions', () => {
  it.each([
    [[4, 6], 1],
    [[1, 5], 2],
    [[7, 1], 2],
    [[16, 9], 3],
    [[17, 24], 1],
    [[32, 19], 2],
    [[2, 3, 4], 1],
    [[5, 8, 7], 2],
    [[16, 12, 10], 1],
  ] as const)('%j, %i at a time', (shape, batch) => check(lib, shape, batch));
});

it('the interpreter computes the same', async () => {
  const device = devices({ drivers: false }).find(({ id }) => id === 'interpreter')!;
  const other = await fft({ device });
  await check(other, [30], 2, precisions.slice(1) as unknown as typeof precisions);
  await check(other, [17, 4], 1, precisions.slice(0, 1) as unknown as typeof precisions);
  other.release();
});

describe('plans', () => {
  it('are kept, and have the lengths of arrays', () => {
    expect(lib.plan(12)).toBe(lib.plan([12], { batch: 1 }));
    expect(lib.plan(12)).not.toBe(lib.plan(12, { precision: 'double' }));
    const { inputLength, outputLength } = lib.plan([3, 5], { kind: 'real', batch: 2 });
    expect([inputLength, outputLength]).toEqual([30, 36]);
  });

  it('may have other scales', async () => {
    const plan = lib.plan(8, { scale: { forward: 0.5, inverse: 2 } });
    const x = new Float32Array(16);
    x[0] = 1;
    await plan.forward(x);
    expect([...x]).toEqual(Array.from({ length: 16 }, (_, i) => (i % 2 ? 0 : 0.5)));
    await plan.inverse(x);
    expect([...x]).toEqual([8, ...new Array(15).fill(0)]);
  });

  it('take memory of the device, from an element on', async () => {
    const x = randomNumbers(40, 5);
    const memory = lib.buffer(8 * 44);
    await memory.write(x, 8 * 4);
    const plan = lib.plan(20, { precision: 'double' });
    void plan.forward(at(memory, 4));
    await plan.inverse(at(memory, 4));
    expectNear(await memory.read(Float64Array, 4, 40), x, 2 ** -51);
    memory.release();
  });

  it('say what is wrong', async () => {
    expect(() => lib.plan(0)).toThrow('one to three lengths from 1 on, not 0');
    expect(() => lib.plan([2, 2, 2, 2])).toThrow('one to three lengths');
    expect(() => lib.plan(4, { precision: 'half' as 'single' })).toThrow("'single' or 'double', not 'half'");
    const plan = lib.plan(4);
    await expect(plan.forward(new Float32Array(7))).rejects.toThrow('the input has 7 numbers, 8 are needed');
    await expect(plan.forward(new Float64Array(8))).rejects.toThrow('the input: it is a Float32Array');
    await expect(lib.plan(4, { kind: 'real' }).forward(new Float32Array(4))).rejects.toThrow('not in place');
  });
});

describe('factors', () => {
  it('radices have the length as their product, and smooth lengths are the next', () => {
    for (let n = 1; n < 3000; n += 1) {
      if (isSmooth(n)) expect(radicesOf(n).reduce((product, radix) => product * radix, 1)).toBe(n);
      const next = smoothFrom(n);
      expect(next).toBeGreaterThanOrEqual(n);
      expect(isSmooth(next)).toBe(true);
    }
    expect([1, 2, 17, 34, 289].map(isSmooth)).toEqual([true, true, false, false, false]);
  });

  it('roots are exact where they can be', () => {
    for (const [k, n, right] of [
      [0, 7, [1, 0]],
      [1, 4, [0, 1]],
      [6, 12, [-1, 0]],
      [9, 12, [0, -1]],
      [-1, 4, [0, -1]],
    ] as const) {
      expect(unitRoot(k, n).map((value) => value + 0)).toEqual(right);
    }
    const [c, s] = unitRoot(5, 8);
    expect(c).toBe(s);
    for (let k = 0; k < 360; k += 1) {
      expect(unitRoot(k, 360)[0]).toBeCloseTo(Math.cos((Math.PI * k) / 180), 14);
      expect(unitRoot(k, 360)[1]).toBeCloseTo(Math.sin((Math.PI * k) / 180), 14);
    }
  });
});

interface Library {
  func(declaration: string): (...args: unknown[]) => unknown;
}

function openFftw(): Library | string {
  try {
    return createRequire(import.meta.url)('koffi').load('libfftw3.so.3') as Library;
  } catch (error) {
    return (error as Error).message.split('\n')[0]!;
  }
}

const fftw = openFftw();

describe.skipIf(typeof fftw === 'string')(
  `FFTW${typeof fftw === 'string' ? ` (SKIPPED: ${fftw})` : ''}`,
  () => {
    it.each([
      [[4096], 1],
      [[10_007], 1],
      [[30_030], 2],
      [[65_536], 1],
      [[300, 256], 1],
      [[24, 70, 64], 2],
    ] as const)('computes the same of %j, %i at a time', async (shape, batch) => {
      const library = fftw as Library;
      const planMany = library.func(
        'void *fftw_plan_many_dft(int rank, void *n, int howmany, void *in, void *inembed, int istride, int idist, void *out, void *onembed, int ostride, int odist, int sign, uint32_t flags)',
      );
      const execute = library.func('void fftw_execute_dft(void *plan, void *in, void *out)');
      const destroy = library.func('void fftw_destroy_plan(void *plan)');
      const size = shape.reduce((product: number, each) => product * each, 1);
      const x = randomNumbers(2 * size * batch, size);
      const expected = new Float64Array(x.length);
      const estimate = 64;
      const n = Int32Array.from(shape);
      const plan = planMany(
        shape.length,
        n,
        batch,
        x,
        null,
        1,
        size,
        expected,
        null,
        1,
        size,
        -1,
        estimate | 2,
      );
      execute(plan, x, expected);
      destroy(plan);
      for (const [precision, array, unit] of precisions) {
        const result = array.from(x);
        await lib.plan(shape, { precision, batch }).forward(result);
        expectNear(result, expected, unit);
      }
    });
  },
);
