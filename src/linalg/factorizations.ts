/** LU, Cholesky and QR by panels: a panel is factored, then what is to its right is solved for and updated by products. */
import type { DeviceBuffer } from '../api/javascript/device-buffer.ts';
import type { Call } from '../blas/core.ts';
import { solveTriangular } from '../blas/level-3.ts';
import { conjugated, type MatrixView, partOf, type Triangle, transposed } from '../blas/matrix-view.ts';
import { multiply } from '../blas/multiply.ts';
import type { Complex, NumberKind } from '../blas/number-kinds.ts';
import {
  choleskyBlock,
  exchangeRows,
  luPanel,
  panelWidth,
  qrPanel,
  reflectionFactor,
} from './group-kernels.ts';

type Scalar = number | Complex;
const scalar = ({ isComplex }: NumberKind, value: number): Scalar => (isComplex ? [value, 0] : value);

/** A part of a matrix that a triangle of is read. */
export const triangular = (view: MatrixView, triangle: Triangle, unit = false): MatrixView => ({
  ...view,
  triangle,
  unit,
});

export interface LuFactors {
  /** Of int. */
  readonly pivots: DeviceBuffer;
  readonly info: DeviceBuffer;
}

/** A = P L U, in place. */
export async function factorLu(
  call: Call,
  kind: NumberKind,
  a: MatrixView,
  { pivots, info }: LuFactors,
): Promise<void> {
  const { rows, columns } = a;
  const part = (i: number, j: number, height: number, width: number): MatrixView =>
    partOf(a, i, j, height, width, kind.parts);
  const size = Math.min(rows, columns);
  for (let j = 0; j < size; j += panelWidth) {
    const width = Math.min(panelWidth, size - j);
    const end = j + width;
    await luPanel(call, kind, part(j, j, rows - j, width), j, pivots, info);
    await exchangeRows(call, kind, part(0, 0, rows, j), pivots, j, end);
    const right = columns - end;
    if (right === 0) continue;
    await exchangeRows(call, kind, part(0, end, rows, right), pivots, j, end);
    const above = part(j, end, width, right);
    await solveTriangular(
      kind,
      triangular(part(j, j, width, width), 'lower', true),
      above,
      scalar(kind, 1),
    )(call);
    if (rows === end) continue;
    await multiply(call, {
      kind,
      terms: [{ alpha: scalar(kind, -1), a: part(end, j, rows - end, width), b: above }],
      beta: scalar(kind, 1),
      c: part(end, end, rows - end, right),
    });
  }
}

/** A = L L^H, in place of the lower triangle; the upper one is neither read nor written. */
export async function factorCholesky(
  call: Call,
  kind: NumberKind,
  a: MatrixView,
  info: DeviceBuffer,
): Promise<void> {
  const n = a.rows;
  for (let j = 0; j < n; j += panelWidth) {
    const width = Math.min(panelWidth, n - j);
    const end = j + width;
    const diagonal = partOf(a, j, j, width, width, kind.parts);
    await choleskyBlock(call, kind, diagonal, j, info);
    if (end === n) return;
    const below = partOf(a, end, j, n - end, width, kind.parts);
    // X L^H = B is conj(L) X^T = B^T.
    const factor = conjugated(triangular(diagonal, 'lower'));
    await solveTriangular(kind, factor, transposed(below), scalar(kind, 1))(call);
    await multiply(call, {
      kind,
      terms: [{ alpha: scalar(kind, -1), a: below, b: adjoint(kind, below) }],
      beta: scalar(kind, 1),
      c: partOf(a, end, end, n - end, n - end, kind.parts),
      triangle: 'lower',
      isHermitian: kind.isComplex,
    });
  }
}

const adjoint = ({ isComplex }: NumberKind, view: MatrixView): MatrixView =>
  isComplex ? conjugated(transposed(view)) : transposed(view);

/** A = Q R: Householder vectors below the diagonal, R on and above it. */
export async function factorQr(
  call: Call,
  kind: NumberKind,
  a: MatrixView,
  tau: DeviceBuffer,
): Promise<void> {
  const { rows, columns } = a;
  const size = Math.min(rows, columns);
  for (let j = 0; j < size; j += panelWidth) {
    const width = Math.min(panelWidth, size - j);
    const panel = partOf(a, j, j, rows - j, width, kind.parts);
    await qrPanel(call, kind, panel, j, tau);
    const right = columns - j - width;
    if (right > 0)
      await reflect(call, kind, panel, j, tau, partOf(a, j, j + width, rows - j, right, kind.parts), true);
  }
}

/** C = Q^H C, or Q C, of the reflections of a whole factorization. */
export async function applyQ(
  call: Call,
  kind: NumberKind,
  a: MatrixView,
  count: number,
  tau: DeviceBuffer,
  c: MatrixView,
  isAdjoint: boolean,
): Promise<void> {
  const starts = Array.from({ length: Math.ceil(count / panelWidth) }, (_, p) => p * panelWidth);
  for (const j of isAdjoint ? starts : starts.reverse()) {
    const panel = partOf(a, j, j, a.rows - j, Math.min(panelWidth, count - j), kind.parts);
    await reflect(call, kind, panel, j, tau, partOf(c, j, 0, c.rows - j, c.columns, kind.parts), isAdjoint);
  }
}

/** C = (I - V T V^H) C, or with T^H. */
async function reflect(
  call: Call,
  kind: NumberKind,
  panel: MatrixView,
  first: number,
  tau: DeviceBuffer,
  c: MatrixView,
  isAdjoint: boolean,
): Promise<void> {
  const width = panel.columns;
  const bytes = kind.parts * kind.bytes;
  const dense = (rows: number, columns: number, more = 0): MatrixView => ({
    memory: call.temporary((rows * columns + more) * bytes),
    offset: 0,
    rows,
    columns,
    form: { kind: 'strided', rs: columns, cs: 1 },
    conjugate: false,
  });
  const factor = dense(width, width, width);
  await reflectionFactor(call, kind, panel, first, tau, factor.memory as DeviceBuffer);
  const v = triangular(panel, 'lower', true);
  const t = triangular(factor, 'upper');
  const [products, factors] = [dense(width, c.columns), dense(width, c.columns)];
  const [one, zero] = [scalar(kind, 1), scalar(kind, 0)];
  await multiply(call, { kind, terms: [{ alpha: one, a: adjoint(kind, v), b: c }], beta: zero, c: products });
  const middle = isAdjoint ? adjoint(kind, t) : t;
  await multiply(call, { kind, terms: [{ alpha: one, a: middle, b: products }], beta: zero, c: factors });
  await multiply(call, { kind, terms: [{ alpha: scalar(kind, -1), a: v, b: factors }], beta: one, c });
}
