/** What `const lapack = await linalg()` gives: factorizations and solves by the names of LAPACKE, as methods. */
import type { DeviceBuffer, TypedArray } from '../api/javascript/device-buffer.ts';
import { checkKeys } from '../api/javascript/known-keys.ts';
import type { Device } from '../api/javascript/program.ts';
import type { LauncherOptions } from '../array/launcher.ts';
import * as C from '../blas/constants.ts';
import { type Call, Core } from '../blas/core.ts';
import { solveTriangular } from '../blas/level-3.ts';
import { applied, fullMatrix, sizesOf, triangleOf } from '../blas/matrix-arguments.ts';
import { conjugated, type MatrixView, partOf, transposed } from '../blas/matrix-view.ts';
import { multiply } from '../blas/multiply.ts';
import type { NumberKind } from '../blas/number-kinds.ts';
import type { Arguments } from '../blas/read-arguments.ts';
import { callOf, type Routine, routines, type Work } from '../blas/routine.ts';
import { dispose } from '../runtime/dispose.ts';
import { applyQ, factorCholesky, factorLu, factorQr, triangular } from './factorizations.ts';
import { conjugateAll, exchangeRows, findZero } from './group-kernels.ts';
import type { LinalgMethods, LuResult } from './routine-types.ts';

/** Where routines run: as for `compile`; a device may also be one of the OpenCL API. */
export type LinalgOptions = Pick<LauncherOptions, 'device' | 'prefer' | 'timeout'>;

/**
 * Opens a device for factorizations.
 * @throws OpenCLError CL_INVALID_DEVICE, CL_DEVICE_NOT_FOUND
 */
export async function linalg(options: LinalgOptions = {}): Promise<Linalg> {
  checkKeys(options, ['device', 'prefer', 'timeout'], 'CL_INVALID_VALUE', 'linalg takes');
  return new Linalg(await Core.open(options, 'linalg'));
}

const one = ({ isComplex }: NumberKind) => (isComplex ? ([1, 0] as const) : 1);

const matrixOf = (args: Arguments, name: string, rows: number, columns: number, isWritten: boolean) =>
  fullMatrix(args, name, { rows, columns, isWritten });

/** A number on the device that says what went wrong: 0 for nothing. */
const flag = (call: Call): DeviceBuffer => call.temporaryOf(new Int32Array(1));
const infoOf = async (call: Call, info: DeviceBuffer): Promise<number> =>
  (await call.read(info, Int32Array, 1))[0]!;

async function lu(call: Call, kind: NumberKind, a: MatrixView) {
  const count = Math.min(a.rows, a.columns);
  const pivots = call.temporary(4 * Math.max(count, 1));
  const info = flag(call);
  await factorLu(call, kind, a, { pivots, info });
  return { pivots, info, count };
}

const luResult = async (
  call: Call,
  { pivots, info, count }: Awaited<ReturnType<typeof lu>>,
): Promise<LuResult> => ({
  info: await infoOf(call, info),
  ipiv: await call.read(pivots, Int32Array, count),
});

function getrf(args: Arguments): Work {
  const [m, n] = [args.number('m'), args.number('n')];
  const a = matrixOf(args, 'a', m, n, true);
  return async (call) => {
    const [bound] = await call.bind([a.use]);
    return luResult(call, await lu(call, args.kind, a.view(bound!)));
  };
}

/** Solves with the factors of A; `trans` says of which of A and its transposed. */
async function solveLu(
  call: Call,
  kind: NumberKind,
  a: MatrixView,
  pivots: DeviceBuffer,
  b: MatrixView,
  apply: (view: MatrixView) => MatrixView,
  isTransposed: boolean,
): Promise<void> {
  const [lower, upper] = [apply(triangular(a, 'lower', true)), apply(triangular(a, 'upper'))];
  if (isTransposed) {
    await solveTriangular(kind, upper, b, one(kind))(call);
    await solveTriangular(kind, lower, b, one(kind))(call);
    await exchangeRows(call, kind, b, pivots, 0, a.rows, true);
    return;
  }
  await exchangeRows(call, kind, b, pivots, 0, a.rows);
  await solveTriangular(kind, lower, b, one(kind))(call);
  await solveTriangular(kind, upper, b, one(kind))(call);
}

function getrs(args: Arguments): Work {
  const [n, nrhs] = [args.number('n'), args.number('nrhs')];
  const a = matrixOf(args, 'a', n, n, false);
  const b = matrixOf(args, 'b', n, nrhs, true);
  const ipiv = args.integers('ipiv');
  if (ipiv.length < n || ipiv.subarray(0, n).some((p) => p < 1 || p > n)) {
    args.fail('ipiv', `it is ${n} rows, from 1 to ${n}`);
  }
  return async (call) => {
    if (n === 0 || nrhs === 0) return;
    const [ba, bb] = await call.bind([a.use, b.use]);
    const isTransposed = !args.is('trans', C.CblasNoTrans) && !args.is('trans', C.CblasConjNoTrans);
    const apply = (view: MatrixView): MatrixView => applied(args, 'trans', view);
    await solveLu(call, args.kind, a.view(ba!), call.temporaryOf(ipiv), b.view(bb!), apply, isTransposed);
  };
}

function gesv(args: Arguments): Work {
  const [n, nrhs] = [args.number('n'), args.number('nrhs')];
  const a = matrixOf(args, 'a', n, n, true);
  const b = matrixOf(args, 'b', n, nrhs, true);
  return async (call) => {
    const [ba, bb] = await call.bind([a.use, b.use]);
    const view = a.view(ba!);
    const factors = await lu(call, args.kind, view);
    const result = await luResult(call, factors);
    if (result.info === 0 && n > 0 && nrhs > 0) {
      await solveLu(call, args.kind, view, factors.pivots, b.view(bb!), (each) => each, false);
    }
    return result;
  };
}

/** The view of which the factor is lower: of the upper triangle the transposed one, in which L^T is U. */
const lowerOf = (args: Arguments, a: MatrixView): MatrixView =>
  triangleOf(args) === 'lower' ? a : transposed(a);

async function solveCholesky(call: Call, args: Arguments, a: MatrixView, b: MatrixView): Promise<void> {
  const { kind } = args;
  const lower = triangular(lowerOf(args, a), 'lower');
  const adjoint = (view: MatrixView) => (kind.isComplex ? conjugated(transposed(view)) : transposed(view));
  // Of the upper triangle the lower factor is that of the conjugated matrix.
  const used = triangleOf(args) === 'lower' || !kind.isComplex ? lower : conjugated(lower);
  await solveTriangular(kind, used, b, one(kind))(call);
  await solveTriangular(kind, adjoint(used), b, one(kind))(call);
}

function potrf(args: Arguments): Work {
  const n = args.number('n');
  const a = matrixOf(args, 'a', n, n, true);
  return async (call) => {
    const [bound] = await call.bind([a.use]);
    const info = flag(call);
    await factorCholesky(call, args.kind, lowerOf(args, a.view(bound!)), info);
    return infoOf(call, info);
  };
}

function potrs(args: Arguments): Work {
  const [n, nrhs] = [args.number('n'), args.number('nrhs')];
  const a = matrixOf(args, 'a', n, n, false);
  const b = matrixOf(args, 'b', n, nrhs, true);
  return async (call) => {
    if (n === 0 || nrhs === 0) return;
    const [ba, bb] = await call.bind([a.use, b.use]);
    await solveCholesky(call, args, a.view(ba!), b.view(bb!));
  };
}

function posv(args: Arguments): Work {
  const [n, nrhs] = [args.number('n'), args.number('nrhs')];
  const a = matrixOf(args, 'a', n, n, true);
  const b = matrixOf(args, 'b', n, nrhs, true);
  return async (call) => {
    const [ba, bb] = await call.bind([a.use, b.use]);
    const view = a.view(ba!);
    const info = flag(call);
    await factorCholesky(call, args.kind, lowerOf(args, view), info);
    const failed = await infoOf(call, info);
    if (failed === 0 && n > 0 && nrhs > 0) await solveCholesky(call, args, view, b.view(bb!));
    return failed;
  };
}

/** Room for the factors of reflections, and for one more number, which is used in between. */
const tauFor = (call: Call, { parts, bytes }: NumberKind, count: number): DeviceBuffer =>
  call.temporary((count + 1) * parts * bytes);

function geqrf(args: Arguments): Work {
  const [m, n] = [args.number('m'), args.number('n')];
  const a = matrixOf(args, 'a', m, n, true);
  return async (call) => {
    const { kind } = args;
    const [bound] = await call.bind([a.use]);
    const count = Math.min(m, n);
    const tau = tauFor(call, kind, count);
    await factorQr(call, kind, a.view(bound!), tau);
    return call.read<Float32Array | Float64Array>(tau, kind.array, count * kind.parts);
  };
}

/** The first `n` columns of Q, in place of the reflections. */
function orgqr(args: Arguments): Work {
  const [m, n, k] = sizesOf(args);
  if (n > m) args.fail('n', `n is ${n}, at most m, ${m}, is possible`);
  if (k > n) args.fail('k', `k is ${k}, at most n, ${n}, is possible`);
  const a = matrixOf(args, 'a', m, n, true);
  const { kind } = args;
  const tau = args.operand('tau') as Float32Array | Float64Array;
  if (!(tau instanceof kind.array) || tau.length < k * kind.parts) args.fail('tau', `it has ${k} numbers`);
  return async (call) => {
    if (m === 0 || n === 0) return;
    const [bound] = await call.bind([a.use]);
    const view = a.view(bound!);
    const identity = new kind.array(m * n * kind.parts);
    for (let i = 0; i < n; i += 1) identity[(i * n + i) * kind.parts] = 1;
    const q: MatrixView = {
      memory: call.temporaryOf(identity),
      offset: 0,
      rows: m,
      columns: n,
      form: { kind: 'strided', rs: n, cs: 1 },
      conjugate: false,
    };
    const factors = call.temporaryOf(k > 0 ? tau : new kind.array(2));
    await applyQ(call, kind, partOf(view, 0, 0, m, k, kind.parts), k, factors, q, false);
    // A product with 1 copies.
    const unit = { ...q, rows: n, memory: call.temporaryOf(identity.subarray(0, n * n * kind.parts)) };
    const terms = [{ alpha: one(kind), a: q, b: unit }];
    await multiply(call, { kind, terms, beta: kind.isComplex ? [0, 0] : 0, c: view });
  };
}

/**
 * Systems op(A) X = B of full rank that are not square: least squares where there are more equations than unknowns, else the solution of the
 * least norm. Q and R are those of the tall one of A and its transposed. Gives the first column, from 1 on, whose R has a 0 on the diagonal: B is left as it is then.
 */
function gels(args: Arguments): Work {
  const [m, n, nrhs] = ['m', 'n', 'nrhs'].map((name) => args.number(name)) as [number, number, number];
  const { kind } = args;
  const isPlain = args.is('trans', C.CblasNoTrans);
  if (
    !isPlain &&
    !args.is('trans', C.CblasConjTrans) &&
    (kind.isComplex || !args.is('trans', C.CblasTrans))
  ) {
    args.fail('trans', `Illegal Trans setting, ${args.number('trans')}`);
  }
  const [most, least] = [Math.max(m, n), Math.min(m, n)];
  const a = matrixOf(args, 'a', m, n, true);
  const b = matrixOf(args, 'b', most, nrhs, true);
  const isTall = m >= n;
  return async (call) => {
    if (most === 0 || nrhs === 0) return 0;
    const [ba, bb] = await call.bind([a.use, b.use]);
    const all = b.view(bb!);
    const zero = kind.isComplex ? ([0, 0] as const) : 0;
    if (least === 0) {
      await multiply(call, { kind, terms: [], beta: zero, c: all });
      return 0;
    }
    const tall = isTall ? a.view(ba!) : transposed(a.view(ba!));
    const tau = tauFor(call, kind, least);
    await factorQr(call, kind, tall, tau);
    const square = partOf(tall, 0, 0, least, least, kind.parts);
    const info = flag(call);
    await findZero(call, kind, square, info);
    const failed = await infoOf(call, info);
    if (failed !== 0) return failed;
    // Of A itself it is Q R; of A^T, in which nothing is conjugated, A is R^T Q^T and A^H conj(Q) conj(R).
    const conjugate = async (): Promise<void> => {
      if (!isTall && kind.isComplex) await conjugateAll(call, kind, all);
    };
    const q = async (isAdjoint: boolean): Promise<void> => {
      await conjugate();
      await applyQ(call, kind, tall, least, tau, all, isAdjoint);
      await conjugate();
    };
    const factor = triangular(square, 'upper');
    const solution = partOf(all, 0, 0, least, nrhs, kind.parts);
    if (isTall === isPlain) {
      await q(true);
      await solveTriangular(kind, isTall ? factor : conjugated(factor), solution, one(kind))(call);
      return 0;
    }
    const other = isTall ? conjugated(transposed(factor)) : transposed(factor);
    await solveTriangular(kind, other, solution, one(kind))(call);
    if (most > least) {
      const rest = partOf(all, least, 0, most - least, nrhs, kind.parts);
      await multiply(call, { kind, terms: [], beta: zero, c: rest });
    }
    await q(false);
    return 0;
  };
}

const matrix = 'a:matrix lda:ld';
const right = 'b:matrix ldb:ld';
const list: readonly Routine[] = [
  ...routines('sdcz', '?getrf', `order m:size n:size ${matrix}`, getrf),
  ...routines('sdcz', '?getrs', `order trans n:size nrhs:size ${matrix} ipiv:integers ${right}`, getrs),
  ...routines('sdcz', '?gesv', `order n:size nrhs:size ${matrix} ${right}`, gesv),
  ...routines('sdcz', '?potrf', `order uplo n:size ${matrix}`, potrf),
  ...routines('sdcz', '?potrs', `order uplo n:size nrhs:size ${matrix} ${right}`, potrs),
  ...routines('sdcz', '?posv', `order uplo n:size nrhs:size ${matrix} ${right}`, posv),
  ...routines('sdcz', '?geqrf', `order m:size n:size ${matrix}`, geqrf),
  ...routines('sd', '?orgqr', `order m:size n:size k:size ${matrix} tau:vector`, orgqr),
  ...routines('cz', '?ungqr', `order m:size n:size k:size ${matrix} tau:vector`, orgqr),
  ...routines('sdcz', '?gels', `order trans m:size n:size nrhs:size ${matrix} ${right}`, gels),
].map((routine) => ({ ...routine, prefix: 'LAPACKE_' }));

/** These methods are given to the class in its static block. */
export interface Linalg extends LinalgMethods {}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: as Blas, the methods are those of the list
export class Linalg {
  readonly #core: Core;

  static {
    for (const routine of list) {
      const call = callOf(routine);
      const method = function (this: Linalg, ...given: readonly unknown[]): Promise<unknown> {
        return call(this.#core, given);
      };
      Object.defineProperty(method, 'name', { value: routine.name });
      Object.defineProperty(Linalg.prototype, routine.name, {
        value: method,
        configurable: true,
        writable: true,
      });
    }
  }

  /** Made by {@link linalg}. */
  constructor(core: Core) {
    this.#core = core;
  }

  get device(): Device {
    return this.#core.program.device;
  }

  /** Memory of the device: so many bytes, or a copy of a typed array. */
  buffer(content: number | TypedArray): DeviceBuffer {
    this.#core.check();
    return this.#core.program.buffer(content);
  }

  /** Gives the kernels and the memory back. */
  release(): void {
    this.#core.release();
  }

  /** For `using`. */
  [dispose](): void {
    this.release();
  }
}
