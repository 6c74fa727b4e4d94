/**
 * Level 2, y = alpha A x + beta y for every kind of matrix. A work-item has a row, or a part of one where rows are long and few; then a
 * second launch adds the parts. The row's elements are read in runs: those stored, the diagonal, those mirrored.
 */
import type { Call } from './core.ts';
import { type MatrixView, type ViewCode, viewCode } from './matrix-view.ts';
import { type Complex, type NumberKind, prologueOf } from './number-kinds.ts';
import { isZero } from './read-arguments.ts';
import { kernelText, roundUp } from './text.ts';
import { type VectorView, vectorCode } from './vectors.ts';

/** Columns of the matrix that are used. */
export interface Columns {
  readonly from: number;
  readonly to: number;
}

export interface Rows {
  readonly from: number;
  readonly to: number;
}

export interface ProductWithVector {
  readonly kind: NumberKind;
  readonly a: MatrixView;
  readonly x: VectorView;
  readonly y: VectorView;
  readonly alpha: number | Complex;
  readonly beta: number | Complex;
  readonly rows?: Rows;
  readonly columns?: Columns;
}

/** Loops over columns, each with the element that it has there. */
function runs(a: MatrixView, code: ViewCode, factor: string): string {
  const { triangle, mirror, unit } = a;
  const loop = (from: string, to: string, element: string): string =>
    `  for (int j = max(first, ${from}), end = min(last, ${to}); j < end; j++) sum = MAD(${element}, ${factor}, sum);\n`;
  const [begin, end] = [code.firstColumn('i'), code.endColumn('i')];
  const own = code.stored('i', 'j');
  if (!triangle) return loop(begin, end, own);
  const mirrored = mirror === 'hermitian' ? `CONJ(${code.stored('j', 'i')})` : code.stored('j', 'i');
  const diagonal = unit ? 'ONE' : mirror === 'hermitian' ? `RE(${own})` : own;
  const isUpper = triangle === 'upper';
  const below = isUpper ? mirrored : own;
  const above = isUpper ? own : mirrored;
  return (
    (isUpper && !mirror ? '' : loop(begin, 'i', below)) +
    loop('i', 'i + 1', diagonal) +
    (!isUpper && !mirror ? '' : loop('i + 1', end, above))
  );
}

export async function productWithVector(call: Call, product: ProductWithVector): Promise<void> {
  const { kind, a, x, y, alpha, beta } = product;
  const rows = product.rows ?? { from: 0, to: a.rows };
  const columns = product.columns ?? { from: 0, to: a.columns };
  const count = rows.to - rows.from;
  if (count <= 0) return;
  const prologue = prologueOf(kind);
  const [ca, cx, cy] = [viewCode(a, 'a'), vectorCode(x, 'x', false), vectorCode(y, 'y', true)];
  const chunks = chunkCount(call, count, columns.to - columns.from);
  const chunkLength = Math.max(1, Math.ceil((columns.to - columns.from) / chunks));
  const partial = chunks > 1 ? call.temporary(chunks * count * kind.parts * kind.bytes) : undefined;
  const result = (value: string): string =>
    isZero(beta)
      ? cy.store('i', `MUL(alpha, ${value})`)
      : cy.store('i', `MAD(alpha, ${value}, MUL(beta, ${cy.load('i')}))`);
  const sizes = ['int first_row', 'int end_row', 'int first_column', 'int end_column', 'int chunk'];
  const body = `${ca.begin}${cx.begin}${partial ? '' : cy.begin}  int i = first_row + get_global_id(0), c = get_global_id(1);
  if (i >= end_row) return;
  int first = first_column + c * chunk, last = min(end_column, first + chunk);
  T sum = ZERO;
${runs(a, ca, cx.load('j'))}${partial ? '  ST(out, c * (end_row - first_row) + i - first_row, sum);\n' : `  ${result('sum')};\n`}`;
  const outputs = partial ? ['global R *out'] : ['T alpha', 'T beta', ...cy.parameters];
  const source = kernelText(
    prologue,
    'product',
    [...sizes, ...ca.parameters, ...cx.parameters, ...outputs],
    body,
  );
  const range = { global: [roundUp(count, count < 32 ? 1 : 32), chunks] };
  await call.launch(source, range, [
    rows.from,
    rows.to,
    columns.from,
    columns.to,
    chunkLength,
    ...ca.arguments,
    ...cx.arguments,
    ...(partial ? [partial] : [alpha, beta, ...cy.arguments]),
  ]);
  if (!partial) return;
  const joining = kernelText(
    prologue,
    'join',
    [
      'int first_row',
      'int count',
      'int chunks',
      'global const R *parts',
      'T alpha',
      'T beta',
      ...cy.parameters,
    ],
    `${cy.begin}  int r = get_global_id(0), i = first_row + r;
  if (r >= count) return;
  T sum = ZERO;
  for (int c = 0; c < chunks; c++) sum += LD(parts, c * count + r);
  ${result('sum')};
`,
  );
  await call.launch(joining, { global: [roundUp(count, count < 32 ? 1 : 32)] }, [
    rows.from,
    count,
    chunks,
    partial,
    alpha,
    beta,
    ...cy.arguments,
  ]);
}

/** Into how many parts rows are cut, so that the device is busy and a part is worth a work-item. */
function chunkCount(call: Call, rows: number, columns: number): number {
  const wanted = Math.ceil(call.core.manyItems / rows);
  return Math.max(1, Math.min(wanted, Math.floor(columns / 256)));
}
