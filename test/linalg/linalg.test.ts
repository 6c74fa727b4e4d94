/**
 * Factorizations and solves by the ratios of LAPACK's own tests: how far products of the factors are from the matrix, in units of the
 * precision, the size and the norm. LAPACK's threshold is 30. Products are computed here, in double precision.
 */
import {
  CblasColMajor,
  CblasConjTrans,
  CblasLower,
  CblasNoTrans,
  type CblasOrder,
  CblasRowMajor,
  CblasTrans,
  CblasUpper,
  type Linalg,
  linalg,
} from 'millrace/linalg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../support/random.ts';

let lapack: Linalg;
beforeAll(async () => {
  lapack = await linalg();
});
afterAll(() => lapack.release());

const threshold = 30;

/** Complex numbers by rows. */
class Dense {
  readonly rows: number;
  readonly columns: number;
  readonly re: Float64Array;
  readonly im: Float64Array;

  constructor(rows: number, columns: number) {
    this.rows = rows;
    this.columns = columns;
    this.re = new Float64Array(rows * columns);
    this.im = new Float64Array(rows * columns);
  }

  static of(
    rows: number,
    columns: number,
    value: (i: number, j: number) => readonly [number, number],
  ): Dense {
    const made = new Dense(rows, columns);
    for (let i = 0; i < rows; i += 1) {
      for (let j = 0; j < columns; j += 1) {
        [made.re[i * columns + j], made.im[i * columns + j]] = value(i, j);
      }
    }
    return made;
  }

  at(i: number, j: number): readonly [number, number] {
    return [this.re[i * this.columns + j]!, this.im[i * this.columns + j]!];
  }

  times(other: Dense): Dense {
    return Dense.of(this.rows, other.columns, (i, j) => {
      let [re, im] = [0, 0];
      for (let p = 0; p < this.columns; p += 1) {
        const [[a, b], [c, d]] = [this.at(i, p), other.at(p, j)];
        re += a * c - b * d;
        im += a * d + b * c;
      }
      return [re, im];
    });
  }

  transposed(conjugate: boolean): Dense {
    return Dense.of(this.columns, this.rows, (i, j) => {
      const [re, im] = this.at(j, i);
      return [re, conjugate ? -im : im];
    });
  }

  minus(other: Dense): Dense {
    return Dense.of(this.rows, this.columns, (i, j) => {
      const [[a, b], [c, d]] = [this.at(i, j), other.at(i, j)];
      return [a - c, b - d];
    });
  }

  /** The largest sum of a column. */
  norm(): number {
    let most = 0;
    for (let j = 0; j < this.columns; j += 1) {
      let sum = 0;
      for (let i = 0; i < this.rows; i += 1) sum += Math.hypot(...this.at(i, j));
      most = Math.max(most, sum);
      if (Number.isNaN(sum)) return sum;
    }
    return most;
  }
}

const identity = (n: number): Dense => Dense.of(n, n, (i, j) => [i === j ? 1 : 0, 0]);

const kinds = {
  s: { array: Float32Array, parts: 1, unit: 2 ** -24 },
  d: { array: Float64Array, parts: 1, unit: 2 ** -53 },
  c: { array: Float32Array, parts: 2, unit: 2 ** -24 },
  z: { array: Float64Array, parts: 2, unit: 2 ** -53 },
} as const;
type Letter = keyof typeof kinds;

type Numbers = Float32Array | Float64Array;

/** As a routine takes it, with a gap between lines. */
function stored(from: Dense, letter: Letter, order: CblasOrder, gap: number): { data: Numbers; ld: number } {
  const { array, parts } = kinds[letter];
  const [along, lines] = order === CblasRowMajor ? [from.columns, from.rows] : [from.rows, from.columns];
  const ld = Math.max(1, along) + gap;
  const data = new array(ld * lines * parts).fill(77);
  for (let i = 0; i < from.rows; i += 1) {
    for (let j = 0; j < from.columns; j += 1) {
      const place = parts * (order === CblasRowMajor ? i * ld + j : i + j * ld);
      const [re, im] = from.at(i, j);
      data[place] = re;
      if (parts === 2) data[place + 1] = im;
    }
  }
  return { data, ld };
}

function read(
  data: Numbers,
  ld: number,
  letter: Letter,
  order: CblasOrder,
  rows: number,
  columns: number,
): Dense {
  const { parts } = kinds[letter];
  return Dense.of(rows, columns, (i, j) => {
    const place = parts * (order === CblasRowMajor ? i * ld + j : i + j * ld);
    return [data[place]!, parts === 2 ? data[place + 1]! : 0];
  });
}

function randomDense(rows: number, columns: number, letter: Letter, seed: number): Dense {
  const random = new Random(seed);
  const { parts } = kinds[letter];
  const value = (): number => Math.fround(random.next() * 2 - 1);
  return Dense.of(rows, columns, () => [value(), parts === 2 ? value() : 0]);
}

function positive(n: number, letter: Letter, seed: number): Dense {
  const some = randomDense(n, n, letter, seed);
  const product = some.transposed(true).times(some);
  return Dense.of(n, n, (i, j) => {
    const [re, im] = product.at(i, j);
    return [Math.fround(re + (i === j ? 1 : 0)), i === j ? 0 : Math.fround(im)];
  });
}

/** All methods, by their names. */
const call = (name: string, ...args: unknown[]): Promise<unknown> =>
  (lapack as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>)[name]!.apply(lapack, args);

const letters = ['s', 'd', 'c', 'z'] as const;
const orders = [
  ['by rows', CblasRowMajor],
  ['by columns', CblasColMajor],
] as const;
const cases = letters.flatMap((letter) => orders.map(([words, order]) => [letter, words, order] as const));

/** Of b - A x. */
function expectSolved(a: Dense, x: Dense, b: Dense, unit: number): void {
  const residual = b.minus(a.times(x)).norm();
  expect(residual / (a.norm() * x.norm() * unit * a.columns)).toBeLessThan(threshold);
}

describe('LU', () => {
  it.each(cases)('?getrf of %s, %s', async (letter, _, order) => {
    for (const [m, n] of [
      [1, 1],
      [7, 7],
      [32, 32],
      [75, 75],
      [90, 40],
      [40, 90],
    ] as const) {
      const a = randomDense(m, n, letter, m + n);
      const { data, ld } = stored(a, letter, order, 2);
      const { info, ipiv } = (await call(`${letter}getrf`, order, m, n, data, ld)) as {
        info: number;
        ipiv: Int32Array;
      };
      expect([info, ipiv.length]).toEqual([0, Math.min(m, n)]);
      const k = Math.min(m, n);
      const factors = read(data, ld, letter, order, m, n);
      const lower = Dense.of(m, k, (i, j) => (i > j ? factors.at(i, j) : [i === j ? 1 : 0, 0]));
      const upper = Dense.of(k, n, (i, j) => (i <= j ? factors.at(i, j) : [0, 0]));
      const rows = Array.from({ length: m }, (__, i) => i);
      ipiv.forEach((p, i) => {
        [rows[i], rows[p - 1]] = [rows[p - 1]!, rows[i]!];
      });
      const exchanged = Dense.of(m, n, (i, j) => a.at(rows[i]!, j));
      const ratio = exchanged.minus(lower.times(upper)).norm() / (n * a.norm() * kinds[letter].unit);
      expect(ratio).toBeLessThan(threshold);
      // The largest of its column was the pivot.
      expect(Math.max(...lower.re.map(Math.abs))).toBeLessThanOrEqual(
        letter === 'c' || letter === 'z' ? 1.5 : 1,
      );
    }
  });

  it.each(cases)('?gesv and ?getrs of %s, %s', async (letter, _, order) => {
    const [n, nrhs] = [70, 5];
    const [a, b] = [randomDense(n, n, letter, 5), randomDense(n, nrhs, letter, 6)];
    const [{ data, ld }, right] = [stored(a, letter, order, 1), stored(b, letter, order, 3)];
    const { info, ipiv } = (await call(`${letter}gesv`, order, n, nrhs, data, ld, right.data, right.ld)) as {
      info: number;
      ipiv: Int32Array;
    };
    expect(info).toBe(0);
    expectSolved(a, read(right.data, right.ld, letter, order, n, nrhs), b, kinds[letter].unit);
    for (const [trans, of] of [
      [CblasNoTrans, a],
      [CblasTrans, a.transposed(false)],
      [CblasConjTrans, a.transposed(true)],
    ] as const) {
      const again = stored(b, letter, order, 0);
      await call(`${letter}getrs`, order, trans, n, nrhs, data, ld, ipiv, again.data, again.ld);
      expectSolved(of, read(again.data, again.ld, letter, order, n, nrhs), b, kinds[letter].unit);
    }
  });

  it('says which pivot is 0', async () => {
    const a = Float64Array.of(1, 2, 3, 2, 4, 6, 1, 0, 1);
    expect((await lapack.dgetrf(CblasRowMajor, 3, 3, a, 3)).info).toBe(3);
    const b = Float64Array.of(1, 2, 3);
    const singular = await lapack.dgesv(CblasRowMajor, 3, 1, new Float64Array(9), 3, b, 1);
    expect([singular.info, ...b]).toEqual([1, 1, 2, 3]);
    expect((await lapack.dgetrf(CblasRowMajor, 0, 0, a, 1)).ipiv.length).toBe(0);
  });
});

describe('Cholesky', () => {
  const triangles = [
    ['upper', CblasUpper],
    ['lower', CblasLower],
  ] as const;
  it.each(cases.flatMap((each) => triangles.map((triangle) => [...each, ...triangle] as const)))(
    '?potrf, ?potrs and ?posv of %s, %s (%i), %s',
    async (letter, _, order, __, uplo) => {
      for (const n of [1, 9, 32, 77]) {
        const [a, b] = [positive(n, letter, n), randomDense(n, 3, letter, n + 1)];
        const { data, ld } = stored(a, letter, order, 1);
        expect(await call(`${letter}potrf`, order, uplo, n, data, ld)).toBe(0);
        const factor = read(data, ld, letter, order, n, n);
        const isUpper = uplo === CblasUpper;
        const used = Dense.of(n, n, (i, j) => ((isUpper ? i <= j : i >= j) ? factor.at(i, j) : [0, 0]));
        const product = isUpper ? used.transposed(true).times(used) : used.times(used.transposed(true));
        expect(product.minus(a).norm() / (n * a.norm() * kinds[letter].unit)).toBeLessThan(threshold);
        // The other triangle is as it was.
        const [i, j] = isUpper ? [n - 1, 0] : [0, n - 1];
        if (n > 1) expect(factor.at(i, j)).toEqual(a.at(i, j));
        const right = stored(b, letter, order, 0);
        await call(`${letter}potrs`, order, uplo, n, 3, data, ld, right.data, right.ld);
        expectSolved(a, read(right.data, right.ld, letter, order, n, 3), b, kinds[letter].unit);
        const [again, other] = [stored(a, letter, order, 0), stored(b, letter, order, 2)];
        expect(
          await call(`${letter}posv`, order, uplo, n, 3, again.data, again.ld, other.data, other.ld),
        ).toBe(0);
        expectSolved(a, read(other.data, other.ld, letter, order, n, 3), b, kinds[letter].unit);
      }
    },
  );

  it('says where a matrix is not positive definite', async () => {
    const n = 50;
    const a = Float64Array.from({ length: n * n }, (_, at) =>
      at % (n + 1) === 0 ? (at === 40 * (n + 1) ? -1 : 2) : 0,
    );
    expect(await lapack.dpotrf(CblasRowMajor, CblasLower, n, a, n)).toBe(41);
  });
});

describe('QR', () => {
  it.each(cases)('?geqrf and Q of %s, %s', async (letter, _, order) => {
    const { unit } = kinds[letter];
    for (const [m, n] of [
      [1, 1],
      [8, 8],
      [33, 33],
      [80, 45],
      [30, 60],
    ] as const) {
      const a = randomDense(m, n, letter, m * n);
      const { data, ld } = stored(a, letter, order, 1);
      const tau = await call(`${letter}geqrf`, order, m, n, data, ld);
      const k = Math.min(m, n);
      const factors = read(data, ld, letter, order, m, n);
      const upper = Dense.of(k, n, (i, j) => (i <= j ? factors.at(i, j) : [0, 0]));
      await call(
        `${letter}${letter === 'c' || letter === 'z' ? 'un' : 'or'}gqr`,
        order,
        m,
        k,
        k,
        data,
        ld,
        tau,
      );
      const q = read(data, ld, letter, order, m, k);
      expect(a.minus(q.times(upper)).norm() / (m * a.norm() * unit)).toBeLessThan(threshold);
      expect(identity(k).minus(q.transposed(true).times(q)).norm() / (m * unit)).toBeLessThan(threshold);
    }
  });

  it.each(cases)('?gels of %s, %s', async (letter, _, order) => {
    const nrhs = 4;
    for (const [m, n] of [
      [90, 40],
      [40, 90],
      [33, 33],
      [5, 64],
      [64, 5],
    ] as const)
      for (const trans of [CblasNoTrans, CblasConjTrans]) {
        const given = randomDense(m, n, letter, m + n);
        const a = trans === CblasNoTrans ? given : given.transposed(true);
        const b = randomDense(a.rows, nrhs, letter, 9);
        // There is room for what is longer of the right sides and the solutions.
        const room = Dense.of(Math.max(m, n), nrhs, (i, j) => (i < a.rows ? b.at(i, j) : [99, 99]));
        const [{ data, ld }, right] = [stored(given, letter, order, 0), stored(room, letter, order, 1)];
        expect(await call(`${letter}gels`, order, trans, m, n, nrhs, data, ld, right.data, right.ld)).toBe(0);
        const x = read(right.data, right.ld, letter, order, a.columns, nrhs);
        const { unit } = kinds[letter];
        expect(x.norm()).toBeGreaterThan(0.01);
        if (a.rows >= a.columns) {
          // What is left over is orthogonal to the columns.
          const left = b.minus(a.times(x));
          const ratio = a.transposed(true).times(left).norm() / (a.norm() ** 2 * b.norm() * unit * a.rows);
          expect(ratio).toBeLessThan(threshold);
        } else {
          expectSolved(a, x, b, unit);
          // The shortest solution has no part that A makes 0 of: it is A^H y, for the y with A A^H y = b.
          const adjoint = a.transposed(true);
          const gram = stored(a.times(adjoint), 'z', CblasRowMajor, 0);
          const y = stored(b, 'z', CblasRowMajor, 0);
          await lapack.zgesv(
            CblasRowMajor,
            a.rows,
            nrhs,
            gram.data as Float64Array,
            gram.ld,
            y.data as Float64Array,
            y.ld,
          );
          const shortest = adjoint.times(read(y.data, y.ld, 'z', CblasRowMajor, a.rows, nrhs));
          expect(x.minus(shortest).norm() / (shortest.norm() * unit)).toBeLessThan(1e4);
        }
      }
  });

  it('?gels of a matrix that has no full rank, of no columns, and of a transposed complex one', async () => {
    const [a, b] = [Float64Array.of(0, 1, 0, 2, 0, 3), Float64Array.of(1, 2, 3)];
    expect(await lapack.dgels(CblasRowMajor, CblasNoTrans, 3, 2, 1, a, 2, b, 1)).toBe(1);
    expect([...b]).toEqual([1, 2, 3]);
    expect(await lapack.dgels(CblasRowMajor, CblasNoTrans, 3, 0, 1, a, 1, b, 1)).toBe(0);
    expect([...b]).toEqual([0, 0, 0]);
    // [1 2] x = 5: the shortest x is (1, 2).
    const [one, right] = [Float64Array.of(1, 2), Float64Array.of(5, 0)];
    await lapack.dgels(CblasColMajor, CblasTrans, 2, 1, 1, one, 2, right, 2);
    expect(right[0]).toBeCloseTo(1, 14);
    expect(right[1]).toBeCloseTo(2, 14);
    await expect(lapack.zgels(CblasRowMajor, CblasTrans, 1, 1, 1, a, 1, b, 1)).rejects.toThrow(
      'Illegal Trans',
    );
  });

  it('of numbers whose squares overflow', async () => {
    const a = Float64Array.of(3e200, 4e200);
    await lapack.dgeqrf(CblasRowMajor, 2, 1, a, 1);
    expect(Math.abs(a[0]! / 5e200 + 1)).toBeLessThan(1e-15);
  });
});

it('errors have the names of LAPACKE', async () => {
  const x = new Float64Array(9);
  await expect(lapack.dgetrf(CblasColMajor, 4, 2, x, 3)).rejects.toThrow(
    'Parameter 5 to routine LAPACKE_dgetrf was incorrect: lda is 3, at least 4 is needed',
  );
  await expect(lapack.dgels(CblasRowMajor, CblasNoTrans, 1, 2, 1, x, 1, x, 1)).rejects.toThrow(
    'Parameter 7 to routine LAPACKE_dgels was incorrect: lda is 1, at least 2 is needed',
  );
});
