/**
 * BLAS, the products in tiles that users write, and Fourier transforms against OpenBLAS and FFTW with as many threads, on the same numbers in one
 * process, in turn; and a product over two devices of one thread each against each alone. What is not installed is left out, and said.
 */
import { createRequire } from 'node:module';
import { devices, requestDevice } from 'millrace';
import { type Blas, blas, CblasNoTrans, CblasRowMajor } from 'millrace/blas';
import { fft } from 'millrace/fft';
import { CL, getPlatforms } from 'millrace/opencl';
import { benchDevices } from './frame/bench-device.ts';
import { largeMultiplications } from './kernels/matrix-multiplication.ts';
import { largeSgemm } from './kernels/sgemm.ts';
import { alternate, type Row, timed } from './measure.ts';

const side = 2048;
const length = 2 ** 20;
const rounds = 5;

interface Library {
  func(declaration: string): (...args: unknown[]) => unknown;
}

/** Kept: a library that is collected is unloaded, and has threads. */
const loaded = new Map<string, Library>();

function load(path: string): Library {
  const library = loaded.get(path) ?? (createRequire(import.meta.url)('koffi').load(path) as Library);
  loaded.set(path, library);
  return library;
}

type Numbers = Float32Array | Float64Array;
const precisions = [
  ['s', 'single', Float32Array],
  ['d', 'double', Float64Array],
] as const;

const random = (array: typeof Float32Array | typeof Float64Array, count: number): Numbers =>
  new array(count).map(() => Math.random() - 0.5);

/** @throws Error if the results of both sides differ by more than their rounding can */
function compare(what: string, ours: Numbers, theirs: Numbers, tolerance: number): void {
  for (let i = 0; i < ours.length; i += 1) {
    if (!(Math.abs(ours[i]! - theirs[i]!) <= tolerance))
      throw new Error(`${what}: ${ours[i]} and ${theirs[i]} at ${i}`);
  }
}

/** Rows for each device; sentences of what was left out. */
export async function measureLibraries(): Promise<Row[] | string> {
  const own = devices({ drivers: false })[0]!;
  const native = await requestDevice('native').catch(() => undefined);
  const used = native ? [own, native] : [own];
  // First: so many contexts keep their threads, of those below each device has some.
  const rows = await balanced();
  const missing: string[] = [];
  for (const measure of [products, tiles, transforms]) {
    try {
      for (const device of used) rows.push(...(await measure(device, own.info.maxComputeUnits)));
    } catch (error) {
      if (!/\.so/.test((error as Error).message)) throw error;
      missing.push((error as Error).message.split('\n')[0]!);
    }
  }
  return rows.length > 0 ? rows : missing.join('; ');
}

type Device = ReturnType<typeof devices>[number];

async function products(device: Device, threads: number): Promise<Row[]> {
  const library = load('libopenblas.so.0');
  library.func('void openblas_set_num_threads(int)')(threads);
  const lib = await blas({ device });
  const rows: Row[] = [];
  for (const [letter, , array] of precisions) {
    const real = letter === 's' ? 'float' : 'double';
    const theirs = library.func(
      `void cblas_${letter}gemm(int, int, int, int, int, int, ${real}, void *, int, void *, int, ${real}, void *, int)`,
    );
    const [a, b, c] = [0, 1, 2].map(() => random(array, side * side)) as [Numbers, Numbers, Numbers];
    const [da, db, dc] = [a, b, c].map((each) => lib.buffer(each)) as [never, never, never];
    const sizes = [CblasRowMajor, CblasNoTrans, CblasNoTrans, side, side, side, 1] as const;
    const ours = () => lib[`${letter}gemm`](...sizes, da, side, db, side, 0, dc, side);
    const other = () => theirs(...sizes, a, side, b, side, 0, c, side);
    await ours();
    other();
    const result = await (dc as { read(kind: unknown): Promise<Numbers> }).read(array);
    compare(`${letter}gemm`, result, c, side * (letter === 's' ? 2 ** -22 : 2 ** -50));
    rows.push(await row(`${letter}gemm ${side}, ${device.id}`, 'OpenBLAS', ours, other, 2 * side ** 3));
  }
  lib.release();
  return rows;
}

/** The products that users write, in tiles of local memory, against the library's. */
async function tiles({ id }: Device, threads: number): Promise<Row[]> {
  const library = load('libopenblas.so.0');
  library.func('void openblas_set_num_threads(int)')(threads);
  const theirs = library.func(
    'void cblas_sgemm(int, int, int, int, int, int, float, void *, int, void *, int, float, void *, int)',
  );
  const device = benchDevices([id])[0]!;
  const kernels = [largeMultiplications.find(({ name }) => name === `matmul tiled, ${side}`)!, largeSgemm];
  const rows: Row[] = [];
  for (const kernel of kernels) {
    const benchCase = kernel.prepare('full');
    const prepared = device.prepare(kernel, benchCase, '');
    const { a, b } = benchCase.buffers as Record<string, Float32Array>;
    const c = new Float32Array(side * side);
    const sizes = [CblasRowMajor, CblasNoTrans, CblasNoTrans, side, side, side, 1] as const;
    const other = () => theirs(...sizes, a, side, b, side, 0, c, side);
    prepared.run();
    const wrong = prepared.check();
    if (wrong !== undefined) throw new Error(`${kernel.name}: ${wrong}`);
    other();
    for (let warm = 0; warm < 3; warm += 1) prepared.run();
    // What its result was is put back before a run, which is not counted.
    const [value, against] = (await alternate(
      rounds,
      () => prepared.run().wall,
      () => timed(other),
    )) as [number, number];
    rows.push(rowOf(`${kernel.name}, ${id}`, 'OpenBLAS', value, against, 2 * side ** 3));
    prepared.release();
  }
  device.release();
  return rows;
}

async function transforms(device: Device, threads: number): Promise<Row[]> {
  const lib = await fft({ device });
  const rows: Row[] = [];
  for (const [letter, precision, array] of precisions) {
    const f = letter === 's' ? 'f' : '';
    const [library, withThreads] = [load(`libfftw3${f}.so.3`), load(`libfftw3${f}_threads.so.3`)];
    withThreads.func(`int fftw${f}_init_threads()`)();
    withThreads.func(`void fftw${f}_plan_with_nthreads(int)`)(threads);
    const [x, y] = [random(array, 2 * length), random(array, 2 * length)];
    const kept = x.slice();
    const estimate = 64;
    const made = library.func(`void *fftw${f}_plan_dft_1d(int, void *, void *, int, uint32_t)`)(
      length,
      x,
      y,
      -1,
      estimate,
    );
    // Planning overwrites them.
    x.set(kept);
    const execute = library.func(`void fftw${f}_execute_dft(void *, void *, void *)`);
    const [dx, dy] = [lib.buffer(x), lib.buffer(y)];
    const plan = lib.plan(length, { precision });
    const ours = () => plan.forward(dx, dy);
    const other = () => execute(made, x, y);
    await ours();
    other();
    const result: Numbers = letter === 's' ? await dy.read(Float32Array) : await dy.read(Float64Array);
    compare(`${precision} transform`, result, y, length ** 0.5 * (letter === 's' ? 2 ** -19 : 2 ** -47));
    rows.push(
      await row(`transform of 2^20, ${precision}, ${device.id}`, 'FFTW', ours, other, 5 * length * 20),
    );
  }
  lib.release();
  return rows;
}

async function row(
  name: string,
  against: string,
  ours: () => unknown,
  other: () => unknown,
  operations: number,
): Promise<Row> {
  // The engine compiles code better when it has run for a while.
  for (let warm = 0; warm < 3; warm += 1) await ours();
  const [value, theirs] = (await alternate(
    rounds,
    () => timed(ours),
    () => timed(other),
  )) as [number, number];
  return rowOf(name, against, value, theirs, operations);
}

function rowOf(name: string, against: string, value: number, theirs: number, operations: number): Row {
  const note = `${(theirs / value).toFixed(2)} of its speed; ${(operations / value / 1e6).toFixed(1)} GFLOP/s`;
  return { name, value, unit: 'ms', against: { name: against, value: theirs }, note };
}

/** Two parts of one device, of a thread each. */
async function balanced(): Promise<Row[]> {
  const device = getPlatforms()[0]!.getDevices()[0]!;
  if (Number(device.getInfo(CL.DEVICE_MAX_COMPUTE_UNITS)) < 2) return [];
  const parts = device.createSubDevices([CL.DEVICE_PARTITION_BY_COUNTS, 1, 1, 0, 0]);
  const libs = await Promise.all([[parts[0]!], [parts[1]!], parts].map((each) => blas({ devices: each })));
  const rows: Row[] = [];
  for (const [letter, , array] of precisions) {
    const [a, b, c] = [0, 1, 2].map(() => random(array, side * side)) as [never, never, never];
    const product = (lib: Blas) => () =>
      lib[`${letter}gemm`](
        CblasRowMajor,
        CblasNoTrans,
        CblasNoTrans,
        side,
        side,
        side,
        1,
        a,
        side,
        b,
        side,
        0,
        c,
        side,
      );
    for (let warm = 0; warm < 3; warm += 1) for (const lib of libs) await product(lib)();
    const times = await alternate(rounds, ...libs.map((lib) => () => timed(product(lib))));
    const [one, two, both] = times as [number, number, number];
    const sum = 1 / (1 / one + 1 / two);
    const shares = libs[2]!.report!.shares.map(({ lines }) => lines).join(' and ');
    rows.push({
      name: `${letter}gemm ${side} over two devices of one thread`,
      value: both,
      unit: 'ms',
      against: { name: 'the sum of both', value: sum },
      note: `${(sum / both).toFixed(2)} of the sum; alone ${one.toFixed(0)} and ${two.toFixed(0)} ms; ${shares} rows`,
    });
  }
  for (const lib of libs) lib.release();
  return rows;
}
