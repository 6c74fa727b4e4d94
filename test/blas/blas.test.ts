/** What OpenBLAS is not asked: device memory, the order of calls, errors in words, other devices, what is not read. */
import { devices } from 'millrace';
import {
  at,
  type Blas,
  BlasError,
  CblasColMajor,
  CblasConjNoTrans,
  CblasLower,
  CblasNonUnit,
  CblasNoTrans,
  CblasRowMajor,
  CblasTrans,
  CblasUpper,
  blas as openBlas,
} from 'millrace/blas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let blas: Blas;
beforeAll(async () => {
  blas = await openBlas();
});
afterAll(() => blas.release());

const numbers = (count: number, seed = 1): Float64Array =>
  Float64Array.from({ length: count }, (_, i) => ((i * 37 + seed * 101) % 64) / 16 - 2);

/** By rows, in JavaScript. */
function product(m: number, n: number, k: number, a: Float64Array, b: Float64Array): Float64Array {
  const c = new Float64Array(m * n);
  for (let i = 0; i < m; i += 1) {
    for (let j = 0; j < n; j += 1) {
      for (let p = 0; p < k; p += 1) c[i * n + j]! += a[i * k + p]! * b[p * n + j]!;
    }
  }
  return c;
}

it('products are as deep as one likes: panels come in sections', async () => {
  const [m, n, k] = [21, 37, 9001];
  const [a, b] = [numbers(m * k), numbers(k * n, 2)];
  const c = numbers(m * n, 3);
  const right = product(m, n, k, a, b).map((value, i) => 2 * value - c[i]!);
  await blas.dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 2, a, k, b, n, -1, c, n);
  expect(c).toEqual(right);
});

describe('operands', () => {
  it('are device memory, from an element on where `at` says so', async () => {
    const [m, n, k] = [33, 20, 45];
    const [a, b] = [numbers(m * k), numbers(k * n, 2)];
    const memory = blas.buffer((2 + m * k + k * n) * 8);
    await memory.write(a, 2 * 8);
    await memory.write(b, (2 + m * k) * 8);
    const c = blas.shared((m * n + 1) * 8);
    const args = [m, n, k, 1, at(memory, 2), k, at(at(memory, 2), m * k), n, 0, at(c, 1), n] as const;
    await blas.dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, ...args);
    expect(c.view(Float64Array, 1)).toEqual(product(m, n, k, a, b));
    memory.release();
    c.release();
  });

  it('are complex numbers in pairs, from any number of a typed array on', async () => {
    const memory = Float32Array.of(9, 1, 2, 3, 4, 9);
    await blas.cscal(2, [0, 1], memory.subarray(1), 1);
    expect([...memory]).toEqual([9, -2, 1, -4, 3, 9]);
  });

  it('may be rows of one matrix, which lie between each other', async () => {
    const a = Float64Array.from({ length: 12 }, (_, i) => i);
    await blas.dswap(4, a.subarray(0), 3, a.subarray(2), 3);
    expect([...a]).toEqual([2, 1, 0, 5, 4, 3, 8, 7, 6, 11, 10, 9]);
  });

  it('that are written with a stride of 0 are written in the order of elements', async () => {
    const y = Float64Array.of(1, 7);
    await blas.daxpy(4, 2, Float64Array.of(1, 2, 3, 4), 1, y, 0);
    expect([...y]).toEqual([21, 7]);
    await blas.dcopy(3, Float64Array.of(5, 6, 7), -1, y, 0);
    expect([...y]).toEqual([5, 7]);
  });
});

describe('calls', () => {
  it('take effect in their order, awaited or not', async () => {
    const x = Float64Array.of(1, 2, 3);
    const y = new Float64Array(3);
    const calls = [
      blas.dscal(3, 2, x, 1),
      blas.daxpy(3, 1, x, 1, y, 1),
      blas.dscal(3, 10, x, 1),
      blas.daxpy(3, 1, x, 1, y, 1),
      blas.ddot(3, x, 1, y, 1),
    ] as const;
    expect(await calls[4]).toBe(20 * 22 + 40 * 44 + 60 * 66);
    await Promise.all(calls);
    expect([...y]).toEqual([22, 44, 66]);
  });

  it('go on behind one that was wrong', async () => {
    const x = Float32Array.of(1);
    const wrong = blas.sscal(2, 3, x, 1);
    const right = blas.sscal(1, 3, x, 1);
    await expect(wrong).rejects.toThrow('x has 1 elements, 2 are needed');
    await right;
    expect(x[0]).toBe(3);
  });

  it('of device memory are not waited for by the next', async () => {
    const x = blas.buffer(Float64Array.of(1, 2));
    for (let i = 0; i < 20; i += 1) void blas.dscal(2, 2, x, 1);
    expect([...(await x.read(Float64Array))]).not.toEqual([]);
    await blas.finish();
    expect([...(await x.read(Float64Array))]).toEqual([2 ** 20, 2 ** 21]);
    x.release();
  });
});

describe('what is not looked at', () => {
  const nan = (count: number) => new Float64Array(count).fill(Number.NaN);

  it('is a result with beta 0', async () => {
    const [m, n, k] = [50, 40, 30];
    const [a, b, c] = [numbers(m * k), numbers(k * n, 3), nan(m * n)];
    await blas.dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, k, b, n, 0, c, n);
    expect(c).toEqual(product(m, n, k, a, b));
    const y = nan(3);
    await blas.dgemv(CblasColMajor, CblasNoTrans, 3, 2, 1, numbers(6), 3, Float64Array.of(1, 1), 1, 0, y, 1);
    expect([...y].every(Number.isFinite)).toBe(true);
  });

  it('is a factor with alpha 0', async () => {
    const c = numbers(4);
    await blas.dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, 2, 2, 2, 0, nan(4), 2, nan(4), 2, 2, c, 2);
    expect(c).toEqual(numbers(4).map((value) => 2 * value));
    const y = numbers(2);
    await blas.dsymv(CblasColMajor, CblasUpper, 2, 0, nan(4), 2, nan(2), 1, 3, y, 1);
    expect(y).toEqual(numbers(2).map((value) => 3 * value));
  });

  it('is the other triangle, and what lies between columns', async () => {
    const n = 70;
    const lda = n + 3;
    const whole = nan(lda * n);
    const dense = new Float64Array(n * n);
    for (let j = 0; j < n; j += 1) {
      for (let i = j; i < n; i += 1) {
        whole[i + j * lda] = ((i * 7 + j * 3) % 11) - 5;
        dense[i * n + j] = whole[i + j * lda]!;
        dense[j * n + i] = whole[i + j * lda]!;
      }
    }
    const b = numbers(n * n, 5);
    const c = nan(n * n);
    // C^T = B^T A, by rows: C by columns is A B, where B by columns is B^T by rows.
    await blas.dsymm(CblasColMajor, 141, CblasLower, n, n, 1, whole, lda, b, n, 0, c, n);
    expect(c).toEqual(product(n, n, n, b, dense));
  });
});

describe('sizes beyond a panel', () => {
  it('products of a depth of several blocks, and triangular ones in place', async () => {
    const [m, n, k] = [37, 41, 700];
    const [a, b] = [numbers(m * k), numbers(k * n, 2)];
    const c = new Float64Array(m * n);
    await blas.dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, k, b, n, 0, c, n);
    expect(c).toEqual(product(m, n, k, a, b));

    const size = 600;
    for (const [uplo, isThere] of [
      [CblasUpper, (i: number, j: number) => i <= j],
      [CblasLower, (i: number, j: number) => i >= j],
    ] as const) {
      const full = numbers(size * size, 4);
      const triangle = full.map((value, at) => (isThere(Math.floor(at / size), at % size) ? value : 0));
      const right = numbers(size * 5, 6);
      const result = right.slice();
      await blas.dtrmm(
        CblasRowMajor,
        141,
        uplo,
        CblasNoTrans,
        CblasNonUnit,
        size,
        5,
        1,
        full,
        size,
        result,
        5,
      );
      expect(result).toEqual(product(size, 5, size, triangle, right));
    }
  });

  it('a batch of which all are multiplied', async () => {
    const [n, count] = [24, 9];
    const [a, b] = [numbers(n * n * count), numbers(n * n, 8)];
    const c = new Float64Array(n * n * count);
    const transposes = [CblasTrans, CblasConjNoTrans] as const;
    await blas.dgemm_batch_strided(
      CblasColMajor,
      ...transposes,
      n,
      n,
      n,
      1,
      a,
      n,
      n * n,
      b,
      n,
      0,
      0,
      c,
      n,
      n * n,
      count,
    );
    for (let z = 0; z < count; z += 1) {
      // By columns A^T B is by rows B^T A, whose left matrix lies by columns.
      const part = a.slice(z * n * n, (z + 1) * n * n);
      const transposed = part.map((_, at) => part[(at % n) * n + Math.floor(at / n)]!);
      expect(c.slice(z * n * n, (z + 1) * n * n)).toEqual(product(n, n, n, b, transposed));
    }
  });
});

describe('a batch of groups', () => {
  it('multiplies what lies anywhere, in device memory too, with each group its own sizes', async () => {
    const shapes = [
      { m: 5, n: 7, k: 9, alpha: 2 },
      { m: 65, n: 33, k: 300, alpha: -1 },
      { m: 1, n: 1, k: 2, alpha: 1 },
    ];
    const sizes = [3, 2, 0];
    const products = shapes.flatMap((shape, group) =>
      Array.from({ length: sizes[group]! }, (_, z) => ({
        ...shape,
        a: numbers(shape.m * shape.k, 3 * group + z),
        b: numbers(shape.k * shape.n, 50 + 3 * group + z),
        c: new Float64Array(shape.m * shape.n).fill(1),
      })),
    );
    const memory = blas.buffer(products[1]!.a);
    await blas.dgemm_batch(
      CblasRowMajor,
      [CblasNoTrans, CblasNoTrans, CblasNoTrans],
      [CblasNoTrans, CblasNoTrans, CblasNoTrans],
      shapes.map(({ m }) => m),
      shapes.map(({ n }) => n),
      shapes.map(({ k }) => k),
      shapes.map(({ alpha }) => alpha),
      products.map(({ a }, at) => (at === 1 ? memory : a)),
      shapes.map(({ k }) => k),
      products.map(({ b }) => b),
      shapes.map(({ n }) => n),
      [1, 0, 0],
      products.map(({ c }) => c),
      shapes.map(({ n }) => n),
      3,
      sizes,
    );
    memory.release();
    for (const [at, { m, n, k, alpha, a, b, c }] of products.entries())
      expect(c).toEqual(product(m, n, k, a, b).map((value) => alpha * value + (at < 3 ? 1 : 0)));
  });

  it('is refused for lists that are too short', async () => {
    const one = [1];
    const call = blas.sgemm_batch(
      CblasRowMajor,
      [CblasNoTrans],
      [CblasNoTrans],
      one,
      one,
      one,
      one,
      [new Float32Array(1)],
      one,
      [new Float32Array(1), new Float32Array(1)],
      one,
      one,
      [new Float32Array(1), new Float32Array(1)],
      one,
      1,
      [2],
    );
    await expect(call).rejects.toThrow(
      'Parameter 8 to routine cblas_sgemm_batch was incorrect: a is an array of 1, not a list of 2',
    );
  });
});

describe('norms', () => {
  it('of numbers whose squares overflow or vanish are right', async () => {
    for (const scale of [2 ** 1000, 2 ** 600, 1, 2 ** -600, 2 ** -1060]) {
      const x = Float64Array.of(3 * scale, -4 * scale);
      expect(await blas.dnrm2(2, x, 1)).toBe(5 * scale);
    }
    expect(await blas.snrm2(2, Float32Array.of(3e38, 1), 1)).toBe(Math.fround(3e38));
    expect(await blas.dnrm2(2, Float64Array.of(Number.NaN, 1), 1)).toBeNaN();
    expect(await blas.dnrm2(2, Float64Array.of(Number.POSITIVE_INFINITY, 1), 1)).toBe(
      Number.POSITIVE_INFINITY,
    );
  });

  it('the largest element is the first of equals', async () => {
    const x = new Float32Array(5000);
    x.set([-3, 3], 1234);
    x.set([3], 4321);
    expect(await blas.isamax(5000, x, 1)).toBe(1234);
    expect(await blas.isamax(0, x, 1)).toBe(0);
    expect(await blas.isamax(3, Float32Array.of(1, Number.NaN, 2), 1)).toBe(2);
  });
});

describe('errors', () => {
  const x = new Float64Array(9);
  it.each([
    [
      'cblas_dgemm',
      1,
      'Illegal Order setting, 7',
      () => blas.dgemm(7 as 101, 111, 111, 1, 1, 1, 1, x, 1, x, 1, 0, x, 1),
    ],
    [
      'cblas_dgemm',
      3,
      'Illegal Trans setting, 0',
      () => blas.dgemm(101, 111, 0 as 111, 1, 1, 1, 1, x, 1, x, 1, 0, x, 1),
    ],
    ['cblas_dgemm', 4, 'm is -1', () => blas.dgemm(101, 111, 111, -1, 1, 1, 1, x, 1, x, 1, 0, x, 1)],
    [
      'cblas_dgemm',
      9,
      'lda is 2, at least 3 is needed',
      () => blas.dgemm(102, 111, 111, 3, 1, 2, 1, x, 2, x, 2, 0, x, 3),
    ],
    [
      'cblas_dgemm',
      13,
      'c has 9 elements, 10 are needed',
      () => blas.dgemm(101, 111, 111, 2, 5, 1, 1, x, 1, x, 5, 0, x, 5),
    ],
    ['cblas_dgemv', 9, 'incx is 0', () => blas.dgemv(101, 111, 2, 2, 1, x, 2, x, 0, 0, x, 1)],
    ['cblas_zherk', 3, 'Illegal Trans setting, 112', () => blas.zherk(101, 121, 112, 1, 1, 1, x, 1, 0, x, 1)],
    [
      'cblas_sdot',
      2,
      'x: it is a Float32Array or memory of the device, not a typed array of 72 bytes',
      () => blas.sdot(1, x as unknown as Float32Array, 1, new Float32Array(1), 1),
    ],
    [
      'cblas_zscal',
      2,
      'alpha is a number or its real and imaginary part, not an array of 1',
      () => blas.zscal(1, [1] as unknown as [number, number], x, 1),
    ],
  ] as const)('%s parameter %i: %s', async (routine, parameter, why, call) => {
    const error = await (call() as Promise<unknown>).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(BlasError);
    const { message, code } = error as BlasError;
    expect(message).toContain(`Parameter ${parameter} to routine ${routine} was incorrect: ${why}`);
    expect(code).toBe(-30);
    expect(error).toMatchObject({ routine, parameter });
  });

  it('a call without all arguments, and one of what has been released', async () => {
    const call = blas.dscal as unknown as (n: number) => Promise<void>;
    await expect(call.call(blas, 1)).rejects.toThrow(
      'it takes 4 arguments (n, alpha, x, incx); 1 were given',
    );
    const other = await openBlas();
    other.release();
    await expect(other.dscal(1, 2, x, 1)).rejects.toThrow('millrace/blas has been released');
  });
});

it('the interpreter computes the same', async () => {
  const device = devices({ drivers: false }).find(({ id }) => id === 'interpreter')!;
  const other = await openBlas({ device });
  expect(other.device.id).toBe('interpreter');
  const [m, n, k] = [19, 23, 31];
  const [a, b, c] = [numbers(m * k), numbers(k * n, 3), new Float64Array(m * n)];
  await other.dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, k, b, n, 0, c, n);
  expect(c).toEqual(product(m, n, k, a, b));
  other.release();
});
