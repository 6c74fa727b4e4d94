/**
 * Every routine of BLAS against OpenBLAS, with random sizes, strides, orders and transposes; `npm run conformance -- blas` has many more.
 * Skipped where there is no OpenBLAS or no koffi.
 */
import { devices } from 'millrace';
import { type Blas, blas as openBlas } from 'millrace/blas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { caseText, checkCase, randomCase } from '../../conformance/blas/cases.ts';
import { openReference, type Reference } from '../../conformance/blas/openblas.ts';
import { allRoutines } from '../../conformance/blas/routines.ts';
import { complexRotg, rotg, rotmg } from '../../src/blas/rotations.ts';
import { Random } from '../support/random.ts';

const reference = openReference();
const runs = typeof reference !== 'string';
const casesEach = 4;

describe.skipIf(!runs)(`routines and OpenBLAS${runs ? '' : ` (SKIPPED: ${reference})`}`, () => {
  let blas: Blas;
  beforeAll(async () => {
    blas = await openBlas();
  });
  afterAll(() => blas.release());

  const outcome = async (name: string, seed: number, largest: number, on = blas) => {
    const each = randomCase(allRoutines.get(name)!, seed, largest);
    const after = each.given.map((value) =>
      ArrayBuffer.isView(value) ? (value as Float32Array).slice() : value,
    );
    const method = on[name as keyof Blas] as (...args: unknown[]) => Promise<unknown>;
    const returned = await method.apply(on, after);
    return { each, after, returned };
  };

  it.each([...allRoutines.keys()])('%s', async (name) => {
    for (let c = 0; c < casesEach; c += 1) {
      const { each, after, returned } = await outcome(name, 77_000 + c, c === 0 ? 150 : 40);
      const fault = checkCase(each, after, returned, allRoutines, reference as Reference);
      expect(fault, caseText(each)).toBeUndefined();
    }
  });

  it('the interpreter computes them, too', async () => {
    const device = devices({ drivers: false }).find(({ id }) => id === 'interpreter')!;
    const other = await openBlas({ device });
    for (const name of ['dgemm', 'zher2k', 'ctbsv', 'sgbmv', 'scnrm2', 'dtpmv', 'strsm']) {
      const { each, after, returned } = await outcome(name, 31, 12, other);
      const fault = checkCase(each, after, returned, allRoutines, reference as Reference);
      expect(fault, caseText(each)).toBeUndefined();
    }
    other.release();
  });

  it('a wrong number is seen', async () => {
    const { each, after, returned } = await outcome('zgemm', 4, 40);
    const c = after.find((value, p) => each.parameters[p]!.name === 'c' && value) as Float64Array;
    expect(checkCase(each, after, returned, allRoutines, reference as Reference)).toBeUndefined();
    c[c.length - 1] = c[c.length - 1]! + 1e-6;
    expect(checkCase(each, after, returned, allRoutines, reference as Reference)).toMatch(/^c\[\d+\] is/);
  });

  it('rotations are made as OpenBLAS makes them', async () => {
    const { createRequire } = await import('node:module');
    const library = createRequire(import.meta.url)('koffi').load('libopenblas.so.0');
    const drotg = library.func('void cblas_drotg(void *a, void *b, void *c, void *s)');
    const zrotg = library.func('void cblas_zrotg(void *a, void *b, void *c, void *s)');
    const drotmg = library.func('void cblas_drotmg(void *d1, void *d2, void *b1, double b2, void *p)');
    const random = new Random(5);
    const near = (got: readonly number[], right: readonly number[]) =>
      got.forEach((value, index) => {
        expect(value).toBeCloseTo(right[index]!, 12);
      });
    for (let round = 0; round < 50; round += 1) {
      const some = (): number => (random.next() < 0.1 ? 0 : random.next() * 2 - 1);
      const [a, b] = [some(), some()];
      const cells = [a, b, 0, 0].map((value) => Float64Array.of(value));
      drotg(...cells);
      const made = rotg(a, b, Number);
      near(
        [made.r, made.z, made.c, made.s],
        cells.map((cell) => cell[0]!),
      );

      const complex = [[some(), some()], [some(), some()], [0], [0, 0]].map((value) =>
        Float64Array.from(value),
      );
      const turned = complexRotg(
        [complex[0]![0]!, complex[0]![1]!],
        [complex[1]![0]!, complex[1]![1]!],
        Number,
      );
      zrotg(...complex);
      near([...turned.r, turned.c, ...turned.s], [...complex[0]!, ...complex[2]!, ...complex[3]!]);

      const scale = 2 ** random.pick([-40, -13, 0, 0, 0, 13, 40]);
      // Of d1 = 0 or b1 = 0 OpenBLAS makes the simplest rotation, the reference what it makes of others.
      const given = [(Math.abs(some()) || 0.5) * scale, some(), some() || 0.5, some()] as const;
      const [d1, d2, b1] = given.slice(0, 3).map((value) => Float64Array.of(value));
      const param = new Float64Array(5);
      drotmg(d1, d2, b1, given[3], param);
      const modified = rotmg(given, Float64Array, Number);
      expect(modified.param[0]).toBe(param[0]);
      // What the flag implies is not written, and may be anything.
      const read = { [-2]: [], [-1]: [1, 2, 3, 4], 0: [2, 3], 1: [1, 4] }[param[0] as -2 | -1 | 0 | 1];
      near(
        read.map((i) => modified.param[i]!),
        read.map((i) => param[i]!),
      );
      near([modified.d1, modified.d2, modified.b1], [d1![0]!, d2![0]!, b1![0]!]);
    }
  });
});
