/**
 * What is factored column by column: panels, a few columns wide, by one work-group, whose work-items share their rows. All else of a
 * factorization are products and solves of src/blas.
 */
import type { DeviceBuffer } from '../api/javascript/device-buffer.ts';
import type { Call } from '../blas/core.ts';
import { type MatrixView, viewCode } from '../blas/matrix-view.ts';
import { type NumberKind, prologueOf } from '../blas/number-kinds.ts';
import { kernelText, roundUp } from '../blas/text.ts';

/** Columns of a panel. */
export const panelWidth = 32;

/** Work-items of the group. */
const members = 64;

const one = { global: [members], local: [members] };

/** `A(i, j)`, to read and to write. */
function accessTo(a: MatrixView) {
  const code = viewCode(a, 'a', '');
  const macros = `#define A(i, j) LD(a_base, ${code.index('(i)', '(j)')})\n#define PUT(i, j, v) ST(a_base, ${code.index('(i)', '(j)')}, v)\n`;
  return { code, macros };
}

/**
 * LU of a panel with partial pivoting. `pivots[first + j]` is the row, counted from 1 on from row `first` of the matrix, that column j's pivot was found in;
 * `info[0]` becomes the first column, from 1 on, whose pivot is 0.
 */
export async function luPanel(
  call: Call,
  kind: NumberKind,
  a: MatrixView,
  first: number,
  pivots: DeviceBuffer,
  info: DeviceBuffer,
): Promise<void> {
  const { code, macros } = accessTo(a);
  const body = `${code.begin}  local R best[${members}];
  local int where[${members}];
  int me = get_local_id(0);
  for (int j = 0; j < min(rows, a_columns); j++) {
    R most = -1;
    int at = j;
    for (int i = j + me; i < rows; i += ${members}) {
      R v = ABS1(A(i, j));
      if (v > most) { most = v; at = i; }
    }
    best[me] = most;
    where[me] = at;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (me == 0) {
      for (int t = 1; t < ${members}; t++) {
        if (best[t] > best[0] || (best[t] == best[0] && where[t] < where[0])) { best[0] = best[t]; where[0] = where[t]; }
      }
      pivots[first + j] = first + where[0] + 1;
      if (best[0] == 0 && info[0] == 0) info[0] = first + j + 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int p = where[0];
    R size = best[0];
    if (p != j) {
      for (int c = me; c < a_columns; c += ${members}) {
        T old = A(j, c);
        PUT(j, c, A(p, c));
        PUT(p, c, old);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    T pivot = A(j, j);
    for (int i = j + 1 + me; i < rows; i += ${members}) {
      T l = size == 0 ? A(i, j) : DIV(A(i, j), pivot);
      PUT(i, j, l);
      for (int c = j + 1; c < a_columns; c++) PUT(i, c, SUB(A(i, c), MUL(l, A(j, c))));
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
`;
  const parameters = ['int rows', 'int first', 'global int *pivots', 'global int *info', ...code.parameters];
  const source = kernelText(prologueOf(kind) + macros, 'lu_panel', parameters, body);
  await call.launch(source, one, [a.rows, first, pivots, info, ...code.arguments]);
}

/** Exchanges rows as pivots `from` to before `to` say, in the last order first if `isBack`. */
export async function exchangeRows(
  call: Call,
  kind: NumberKind,
  a: MatrixView,
  pivots: DeviceBuffer,
  from: number,
  to: number,
  isBack = false,
): Promise<void> {
  if (a.columns === 0 || to <= from) return;
  const { code, macros } = accessTo(a);
  const loop = isBack ? 'for (int j = to - 1; j >= from; j--)' : 'for (int j = from; j < to; j++)';
  const body = `${code.begin}  int c = get_global_id(0);
  if (c >= a_columns) return;
  ${loop} {
    int p = pivots[j] - 1;
    if (p == j) continue;
    T old = A(j, c);
    PUT(j, c, A(p, c));
    PUT(p, c, old);
  }
`;
  const parameters = ['int from', 'int to', 'global const int *pivots', ...code.parameters];
  const source = kernelText(prologueOf(kind) + macros, 'exchange', parameters, body);
  const global = [roundUp(a.columns, a.columns < 16 ? 1 : 16)];
  await call.launch(source, { global }, [from, to, pivots, ...code.arguments]);
}

/** The lower Cholesky factor of a block of the diagonal. `info[0]` becomes the first column, from 1 on, that is not positive. */
export async function choleskyBlock(
  call: Call,
  kind: NumberKind,
  a: MatrixView,
  first: number,
  info: DeviceBuffer,
): Promise<void> {
  const { code, macros } = accessTo(a);
  const real = kind.isComplex ? '.x' : '';
  const root = kind.isComplex ? '(T)(root, 0)' : 'root';
  const body = `${code.begin}  local R pivot[1];
  int me = get_local_id(0);
  for (int j = 0; j < rows; j++) {
    if (me == 0) {
      R d = (A(j, j))${real};
      pivot[0] = info[0] == 0 ? d : 1;
      if (info[0] == 0 && !(d > 0)) info[0] = first + j + 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (info[0] != 0) return;
    R root = sqrt(pivot[0]);
    if (me == 0) PUT(j, j, ${root});
    for (int i = j + 1 + me; i < rows; i += ${members}) PUT(i, j, A(i, j) / root);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (int i = j + 1 + me; i < rows; i += ${members}) {
      T l = A(i, j);
      for (int c = j + 1; c <= i; c++) PUT(i, c, SUB(A(i, c), MUL(l, CONJ(A(c, j)))));
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
`;
  const parameters = ['int rows', 'int first', 'global int *info', ...code.parameters];
  const source = kernelText(prologueOf(kind) + macros, 'cholesky', parameters, body);
  await call.launch(source, one, [a.rows, first, info, ...code.arguments]);
}

/** Householder vectors of a panel below its diagonal, R on and above it, and the factors `tau` from `first` on. */
export async function qrPanel(
  call: Call,
  kind: NumberKind,
  a: MatrixView,
  first: number,
  tau: DeviceBuffer,
): Promise<void> {
  const { code, macros } = accessTo(a);
  const squares = kind.isComplex ? 'v.x * v.x + v.y * v.y' : 'v * v';
  const [re, im] = kind.isComplex ? ['alpha.x', 'alpha.y'] : ['alpha', '(R)0'];
  const make = (x: string, y: string): string => (kind.isComplex ? `(T)(${x}, ${y})` : x);
  // The largest element scales the squares, so that they do not overflow.
  const body = `${code.begin}  local R sums[${members}];
  local R parts[3];
  int me = get_local_id(0);
  for (int j = 0; j < min(rows, a_columns); j++) {
    R largest = 0;
    for (int i = j + 1 + me; i < rows; i += ${members}) largest = fmax(largest, ABS1(A(i, j)));
    sums[me] = largest;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (me == 0) {
      for (int t = 1; t < ${members}; t++) largest = fmax(largest, sums[t]);
      parts[0] = largest;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    largest = parts[0];
    R sum = 0;
    if (largest > 0) {
      for (int i = j + 1 + me; i < rows; i += ${members}) {
        T v = A(i, j) / largest;
        sum += ${squares};
      }
    }
    sums[me] = sum;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (me == 0) {
      for (int t = 1; t < ${members}; t++) sum += sums[t];
      T alpha = A(j, j);
      R below = largest * sqrt(sum);
      R beta = ${re};
      T f = ZERO, scale = ONE;
      if (below != 0 || ${im} != 0) {
        beta = -copysign(hypot(hypot(${re}, ${im}), below), ${re});
        f = ${make(`(beta - ${re}) / beta`, `-${im} / beta`)};
        scale = DIV(ONE, SUB(alpha, ${make('beta', '0')}));
      }
      ST(tau, first + j, f);
      ST(tau, first + j + 1, scale);
      PUT(j, j, ${make('beta', '0')});
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    T f = CONJ(LD(tau, first + j)), scale = LD(tau, first + j + 1);
    for (int i = j + 1 + me; i < rows; i += ${members}) PUT(i, j, MUL(A(i, j), scale));
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (int c = j + 1 + me; c < a_columns; c += ${members}) {
      T dot = A(j, c);
      for (int i = j + 1; i < rows; i++) dot = MAD(CONJ(A(i, j)), A(i, c), dot);
      dot = MUL(f, dot);
      PUT(j, c, SUB(A(j, c), dot));
      for (int i = j + 1; i < rows; i++) PUT(i, c, SUB(A(i, c), MUL(A(i, j), dot)));
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
`;
  const source = kernelText(
    prologueOf(kind) + macros,
    'qr_panel',
    ['int rows', 'int first', 'global R *tau', ...code.parameters],
    body,
  );
  await call.launch(source, one, [a.rows, first, tau, ...code.arguments]);
}

/** The triangular factor of the product of a panel's reflections, I - V T V^H: by rows, `width` wide. */
export async function reflectionFactor(
  call: Call,
  kind: NumberKind,
  v: MatrixView,
  first: number,
  tau: DeviceBuffer,
  factor: DeviceBuffer,
): Promise<void> {
  const { code, macros } = accessTo(v);
  const body = `${code.begin}  int me = get_local_id(0), n = a_columns;
  for (int at = me; at < n * n; at += ${members}) ST(t, at, ZERO);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  for (int j = 0; j < n; j++) {
    T f = LD(tau, first + j);
    for (int c = me; c < j; c += ${members}) {
      T dot = CONJ(A(j, c));
      for (int i = j + 1; i < rows; i++) dot = MAD(CONJ(A(i, c)), A(i, j), dot);
      ST(t, n * n + c, dot);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (int c = me; c < j; c += ${members}) {
      T sum = ZERO;
      for (int i = c; i < j; i++) sum = MAD(LD(t, c * n + i), LD(t, n * n + i), sum);
      ST(t, c * n + j, SUB(ZERO, MUL(f, sum)));
    }
    if (me == 0) ST(t, j * n + j, f);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
`;
  const source = kernelText(
    prologueOf(kind) + macros,
    'reflections',
    ['int rows', 'int first', 'global const R *tau', 'global R *t', ...code.parameters],
    body,
  );
  await call.launch(source, one, [v.rows, first, tau, factor, ...code.arguments]);
}

/** Conjugates what is stored. */
export async function conjugateAll(call: Call, kind: NumberKind, a: MatrixView): Promise<void> {
  const { code, macros } = accessTo(a);
  const body = `${code.begin}  int c = get_global_id(0), i = get_global_id(1);
  if (c < a_columns) PUT(i, c, CONJ(A(i, c)));
`;
  const source = kernelText(prologueOf(kind) + macros, 'conjugate', code.parameters, body);
  const global = [roundUp(a.columns, a.columns < 16 ? 1 : 16), a.rows];
  await call.launch(source, { global }, code.arguments);
}

/** `info[0]` becomes the first column, from 1 on, that has a 0 on the diagonal of a square matrix. */
export async function findZero(
  call: Call,
  kind: NumberKind,
  a: MatrixView,
  info: DeviceBuffer,
): Promise<void> {
  const { code, macros } = accessTo(a);
  const body = `${code.begin}  int j = 0;
  while (j < a_columns && ABS1(A(j, j)) != 0) j++;
  info[0] = j < a_columns ? j + 1 : 0;
`;
  const parameters = ['global int *info', ...code.parameters];
  const source = kernelText(prologueOf(kind) + macros, 'find_zero', parameters, body);
  await call.launch(source, { global: [1] }, [info, ...code.arguments]);
}
