/** Products of matrices over several devices: parts of the default one, and machine code next to WebAssembly where there is any. */
import { devices, requestDevice } from 'millrace';
import { type Blas, blas, CblasColMajor, CblasNoTrans, CblasRowMajor, CblasTrans } from 'millrace/blas';
import { CL, getPlatforms } from 'millrace/opencl';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let lib: Blas;
beforeAll(async () => {
  const device = getPlatforms()[0]!.getDevices()[0]!;
  const units = Number(device.getInfo(CL.DEVICE_MAX_COMPUTE_UNITS));
  const parts =
    units < 2 ? [device, device] : device.createSubDevices([CL.DEVICE_PARTITION_BY_COUNTS, 1, 1, 0, 0]);
  lib = await blas({ devices: parts });
});
afterAll(() => lib.release());

function numbers(count: number, seed: number): Float64Array {
  const result = new Float64Array(count);
  for (let i = 0; i < Math.min(64, count); i += 1) result[i] = ((i * 37 + seed * 101) % 64) / 16 - 2;
  for (let done = 64; done < count; done *= 2) result.copyWithin(done, 0, done);
  return result;
}

/** Small whole multiples of a power of two: every order of the sums gives the same. */
function expected(
  m: number,
  n: number,
  k: number,
  a: (i: number, p: number) => number,
  b: (p: number, j: number) => number,
) {
  return (i: number, j: number): number => {
    let sum = 0;
    for (let p = 0; p < k; p += 1) sum += a(i, p) * b(p, j);
    return i < m && j < n ? sum : Number.NaN;
  };
}

describe('a product over two devices', () => {
  it.each([
    ['by rows', CblasRowMajor, CblasNoTrans, CblasNoTrans],
    ['by rows, transposed', CblasRowMajor, CblasTrans, CblasTrans],
    ['by columns', CblasColMajor, CblasNoTrans, CblasTrans],
    ['by columns, transposed', CblasColMajor, CblasTrans, CblasNoTrans],
  ] as const)('%s is right, twice', async (_, order, transA, transB) => {
    const [m, n, k] = [430, 390, 420];
    const byRows = order === CblasRowMajor;
    const sizes = (rows: number, columns: number, trans: number): [number, number] =>
      trans === CblasTrans ? [columns, rows] : [rows, columns];
    const [[ra, ca], [rb, cb]] = [sizes(m, k, transA), sizes(k, n, transB)];
    const [lda, ldb, ldc] = [(byRows ? ca : ra) + 3, byRows ? cb : rb, (byRows ? n : m) + 1];
    const [a, b] = [numbers(lda * (byRows ? ra : ca), 1), numbers(ldb * (byRows ? rb : cb), 2)];
    const before = numbers(ldc * (byRows ? m : n), 3);
    const element = (x: Float64Array, ld: number, trans: number) => (i: number, j: number) => {
      const [row, column] = trans === CblasTrans ? [j, i] : [i, j];
      return byRows ? x[row * ld + column]! : x[row + column * ld]!;
    };
    const right = expected(m, n, k, element(a, lda, transA), element(b, ldb, transB));
    for (let round = 0; round < 2; round += 1) {
      const c = before.slice();
      const product = lib.dgemm(order, transA, transB, m, n, k, 2, a, lda, b, ldb, 1, c, ldc);
      // Behind it, not awaited before.
      const scaled = lib.dscal(c.length, 2, c, 1);
      await Promise.all([product, scaled]);
      for (let at = 0; at < 2000; at += 1) {
        const [i, j] = [(at * 7919) % m, (at * 104_729) % n];
        const place = byRows ? i * ldc + j : i + j * ldc;
        expect(c[place]).toBe(2 * (2 * right(i, j) + before[place]!));
      }
      // What lies between lines is only scaled.
      const gap = byRows ? n : m;
      expect(c[gap]).toBe(2 * before[gap]!);
    }
    const { shares, routine, milliseconds } = lib.report!;
    expect(routine).toBe('cblas_dgemm');
    expect(milliseconds).toBeGreaterThan(0);
    expect(shares.reduce((sum, { lines }) => sum + lines, 0)).toBe(byRows ? m : n);
    for (const share of shares) {
      expect(share.lines).toBeGreaterThan(0);
      expect(share.bytes).toBeGreaterThan(8 * share.lines * k);
      expect(share.gflops).toBeGreaterThan(0);
    }
  });

  it('of a great depth, and of one row by columns, is right', async () => {
    for (const [order, m, n, k] of [
      [CblasRowMajor, 140, 120, 5000],
      [CblasColMajor, 1, 9000, 8000],
    ] as const) {
      const byRows = order === CblasRowMajor;
      const [a, b, c] = [numbers(m * k, 1), numbers(k * n, 2), new Float64Array(m * n)];
      const [lda, ldb, ldc] = byRows ? [k, n, n] : [m, k, m];
      await lib.dgemm(order, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, lda, b, ldb, 0, c, ldc);
      const right = expected(
        m,
        n,
        k,
        (i, p) => a[byRows ? i * k + p : i + p * m]!,
        (p, j) => b[byRows ? p * n + j : p + j * k]!,
      );
      for (let at = 0; at < 200; at += 1) {
        const [i, j] = [(at * 7) % m, (at * 179) % n];
        expect(c[byRows ? i * n + j : i + j * m]).toBe(right(i, j));
      }
      expect(lib.report!.k).toBe(k);
    }
  });

  it('is the first device: where it is small', async () => {
    const other = await blas({ devices: devices({ drivers: false }).slice(0, 2) });
    const x = new Float32Array(4);
    await other.sgemm(
      CblasRowMajor,
      CblasNoTrans,
      CblasNoTrans,
      2,
      2,
      2,
      1,
      x,
      2,
      x.slice(),
      2,
      0,
      x.slice(),
      2,
    );
    expect(other.report).toBeUndefined();
    other.release();
  });

  it('of which one is wrong is an error', async () => {
    const [a, c] = [new Float32Array(600 * 600), new Float32Array(10)];
    const call = lib.sgemm(
      CblasRowMajor,
      CblasNoTrans,
      CblasNoTrans,
      600,
      600,
      600,
      1,
      a,
      600,
      a,
      600,
      0,
      c,
      600,
    );
    await expect(call).rejects.toThrow('c has 10 elements, 360000 are needed');
    await expect(blas({ devices: [] })).rejects.toThrow('one or more devices');
    const wrong = { devices: ['wasm', 5] } as never;
    await expect(blas(wrong)).rejects.toThrow("a device is one of a list of devices, not 'wasm'");
  });
});

it('machine code and WebAssembly share a product (skipped where there is no machine code)', async (context) => {
  const native = await requestDevice('native').catch(() => undefined);
  if (!native) return context.skip();
  const both = await blas({ devices: [native, devices({ drivers: false })[0]!] });
  const n = 450;
  const [a, b, c] = [
    Float32Array.from(numbers(n * n, 4)),
    Float32Array.from(numbers(n * n, 5)),
    new Float32Array(n * n),
  ];
  await both.sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 0, c, n);
  const right = expected(
    n,
    n,
    n,
    (i, p) => a[i * n + p]!,
    (p, j) => b[p * n + j]!,
  );
  for (let at = 0; at < 1000; at += 1)
    expect(c[at * 181]).toBe(right(Math.floor((at * 181) / n), (at * 181) % n));
  expect(both.report!.shares.map(({ lines }) => lines).reduce((x, y) => x + y)).toBe(n);
  both.release();
});
