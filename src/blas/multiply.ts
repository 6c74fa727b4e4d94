/**
 * C = alpha A B + beta C for views of every kind: all of level 3 comes here. For large products panels of A and B are packed (panels.ts), then
 * multiplied tile by tile (tile-kernel.ts). In small ones a work-item computes an element.
 */
import type { Call } from './core.ts';
import { type MatrixView, stridesOf, type Triangle, transposed, viewCode } from './matrix-view.ts';
import { type Complex, type NumberKind, prologueOf } from './number-kinds.ts';
import {
  type Batch,
  type Indices,
  type Panels,
  type PanelsWanted,
  packPanels,
  panelBytes,
} from './panels.ts';
import { isOne, isZero } from './read-arguments.ts';
import { kernelText, roundUp } from './text.ts';
import { type Old, tileKernel } from './tile-kernel.ts';
import { columnsOf, type Tile, tileFor } from './tiles.ts';

/** alpha A B. */
export interface Factors {
  readonly alpha: number | Complex;
  readonly a: MatrixView;
  readonly b: MatrixView;
}

export interface Multiplication {
  readonly kind: NumberKind;
  /** They are added. */
  readonly terms: readonly Factors[];
  readonly beta: number | Complex;
  /** Strided, and by rows or by columns. */
  readonly c: MatrixView;
  /** What of C is written; undefined for all. */
  readonly triangle?: Triangle | undefined;
  readonly isHermitian?: boolean | undefined;
  readonly batch?: Batch | undefined;
  /** Panels of B, of the only term, where C goes by rows: by sections of the depth, see {@link depthSections}. */
  readonly packedB?: readonly Panels[] | undefined;
  /** Which matrix of the only term is C. */
  readonly inPlace?: 'a' | 'b' | undefined;
}

const other = (triangle: Triangle | undefined): Triangle | undefined =>
  triangle && (triangle === 'upper' ? 'lower' : 'upper');

/** So that C goes by rows. */
function byRows(wanted: Multiplication): Multiplication {
  if (stridesOf(wanted.c).cs === 1) return wanted;
  const { batch, triangle, inPlace } = wanted;
  const swapped = (factor: 'a' | 'b'): 'a' | 'b' => (factor === 'a' ? 'b' : 'a');
  return {
    ...wanted,
    c: transposed(wanted.c),
    terms: wanted.terms.map(({ alpha, a, b }) => ({ alpha, a: transposed(b), b: transposed(a) })),
    triangle: other(triangle),
    batch: batch && { ...batch, a: batch.b, b: batch.a },
    inPlace: inPlace && swapped(inPlace),
  };
}

const single: Batch = { count: 1, a: 0, b: 0, c: 0 };

export async function multiply(call: Call, given: Multiplication): Promise<void> {
  const { c, terms } = given;
  if (c.rows === 0 || c.columns === 0) return;
  const wanted = byRows(given);
  const used = wanted.terms.filter(({ alpha, a }) => a.columns > 0 && !isZero(alpha));
  const depth = Math.max(0, ...used.map(({ a }) => a.columns));
  const isSmall = c.rows * c.columns * depth <= 16 ** 3 || (c.columns < 3 && c.rows < 3) || depth < 3;
  if (isSmall && !given.inPlace && !given.packedB && terms.length === 1) await multiplyElements(call, wanted);
  else await multiplyPanels(call, wanted, used);
}

async function multiplyPanels(
  call: Call,
  { kind, beta, c, triangle, isHermitian = false, batch = single, inPlace, packedB }: Multiplication,
  terms: readonly Factors[],
): Promise<void> {
  const { info } = call.core.program.device;
  const tile = tileFor(info, kind);
  const { rs } = stridesOf(c);
  const range = (rows: Indices) => rangeOf(tile, rows.count, c.columns, batch.count);
  let old: Old = isOne(beta) ? 'kept' : isZero(beta) ? 'none' : 'scaled';
  const write = async (a: Panels, b: Panels, rows: Indices, alpha: number | Complex) => {
    const source = tileKernel({ kind, tile, old, triangle, isHermitian });
    old = 'kept';
    await call.launch(source, range(rows), [
      a.memory,
      b.memory,
      c.memory,
      c.offset + rows.from * rs * kind.parts,
      rs,
      batch.c * kind.parts,
      rows.count,
      c.columns,
      a.columns.count,
      alpha,
      beta,
      rows.from,
    ]);
  };
  for (const { alpha, a, b } of terms) {
    const wanted = (factor: 'a' | 'b', { rows, columns }: Section): PanelsWanted => ({
      width: factor === 'a' ? tile.rows : columnsOf(tile),
      rows: factor === 'a' ? rows : { from: 0, count: b.columns },
      columns,
      count: batch.count,
      stride: batch[factor],
    });
    const views = { a, b: transposed(b) };
    const pack = (factor: 'a' | 'b') => (section: Section) =>
      packPanels(call, kind, views[factor], wanted(factor, section));
    const all: Indices = { from: 0, count: a.rows };
    const sections =
      packedB?.map(({ columns }) => ({ columns, rows: all })) ??
      triangularSections(a) ??
      depthSections(
        tile,
        kind,
        Math.max(a.rows, b.columns) * batch.count,
        a.columns,
        info.maxMemAllocSize,
      ).map((columns) => ({ columns, rows: all }));
    // What is overwritten is packed before.
    const early: Record<'a' | 'b', readonly Panels[]> = { a: [], b: packedB ?? [] };
    if (inPlace) early[inPlace] = await inTurn(sections, pack(inPlace));
    for (const [index, section] of sections.entries()) {
      const pa = early.a[index] ?? (await pack('a')(section));
      const pb = early.b[index] ?? (await pack('b')(section));
      await write(pa, pb, section.rows, alpha);
    }
  }
  if (terms.length === 0) {
    const nothing: Panels = { memory: call.temporary(8), columns: { from: 0, count: 0 } };
    const none = kind.isComplex ? ([0, 0] as const) : 0;
    await write(nothing, nothing, { from: 0, count: c.rows }, none);
  }
}

/** In triangular matrices what is all zeros is left out by so many columns. */
const triangularColumns = 256;

/** A tile's sums stay in registers so long; its panels fit into the caches behind the nearest. */
const mostColumns = 4096;

/** Columns of A that are packed at a time. */
interface Section {
  readonly columns: Indices;
  /** Those of A that are not all zeros there. */
  readonly rows: Indices;
}

/** The depth of a product by what is packed at a time, which is what fits into one allocation. `lines`: rows of the longer factor. */
export function depthSections(
  tile: Tile,
  kind: NumberKind,
  lines: number,
  depth: number,
  mostBytes: number,
): Indices[] {
  const bytes = panelBytes(kind, {
    width: tile.rows * columnsOf(tile),
    rows: { from: 0, count: lines },
    columns: { from: 0, count: 1 },
    count: 1,
  });
  const most = Math.min(mostColumns, Math.max(1, Math.floor(mostBytes / bytes)));
  // All of about the same size.
  return cut({ from: 0, count: depth }, Math.ceil(depth / Math.ceil(depth / most)));
}

/** Of a triangular matrix the first section is one that has all rows, so that all of C is written; undefined for others. */
function triangularSections({ triangle, mirror, rows, columns }: MatrixView): Section[] | undefined {
  if (triangle === undefined || mirror) return undefined;
  const blocks = cut({ from: 0, count: columns }, triangularColumns).map((block): Section => {
    const { from, count } = block;
    const there =
      triangle === 'lower'
        ? { from, count: Math.max(0, rows - from) }
        : { from: 0, count: Math.min(from + count, rows) };
    return { columns: block, rows: there };
  });
  return triangle === 'upper' ? blocks.reverse() : blocks;
}

/** Pieces of `most` indices, and the rest. */
export function cut({ from, count }: Indices, most: number): Indices[] {
  return Array.from({ length: Math.ceil(count / most) }, (_, index) => ({
    from: from + index * most,
    count: Math.min(most, count - index * most),
  }));
}

async function inTurn<Item, Result>(
  items: readonly Item[],
  make: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await make(item));
  return results;
}

function rangeOf(tile: Tile, rows: number, columns: number, matrices: number) {
  const tiles = [Math.ceil(rows / tile.rows), Math.ceil(columns / columnsOf(tile))] as const;
  const local = tiles.map((count, d) => Math.min(count, tile.group[d]!));
  return { global: [...tiles.map((count, d) => roundUp(count, local[d]!)), matrices], local: [...local, 1] };
}

/** An element of C a work-item, of the numbers where they are. */
async function multiplyElements(
  call: Call,
  { kind, terms, beta, c, triangle, isHermitian, batch = single }: Multiplication,
): Promise<void> {
  const [{ alpha, a, b }] = terms as readonly [Factors];
  const depth = isZero(alpha) ? 0 : a.columns;
  const [ca, cb, cc] = [viewCode(a, 'a'), viewCode(b, 'b'), viewCode(c, 'c', '')];
  const at = `LD(c_base, ${cc.index('i', 'j')})`;
  const old = isZero(beta) ? 'ZERO' : isOne(beta) ? at : `MUL(beta, ${at})`;
  const isThere = triangle && (triangle === 'upper' ? 'i <= j' : 'i >= j');
  const body = `${ca.begin}${cb.begin}${cc.begin}  int j = get_global_id(0), i = get_global_id(1), z = get_global_id(2);
  if (j >= columns${isThere ? ` || !(${isThere})` : ''}) return;
  a_base += z * a_step;
  b_base += z * b_step;
  c_base += z * c_step;
  T sum = ZERO;
  for (int p = 0; p < depth; p++) sum = MAD(${ca.element('i', 'p')}, ${cb.element('p', 'j')}, sum);
  T e = depth > 0 ? MAD(alpha, sum, ${old}) : ${old};
${isHermitian ? '  if (i == j) e = RE(e);\n' : ''}  ST(c_base, ${cc.index('i', 'j')}, e);
`;
  const source = kernelText(
    prologueOf(kind),
    'elements',
    [
      'int columns',
      'int depth',
      'int a_step',
      'int b_step',
      'int c_step',
      'T alpha',
      'T beta',
      ...ca.parameters,
      ...cb.parameters,
      ...cc.parameters,
    ],
    body,
  );
  const global = [roundUp(c.columns, c.columns < 16 ? 1 : 16), c.rows, batch.count];
  await call.launch(source, { global }, [
    c.columns,
    depth,
    batch.a * kind.parts,
    batch.b * kind.parts,
    batch.c * kind.parts,
    alpha,
    beta,
    ...ca.arguments,
    ...cb.arguments,
    ...cc.arguments,
  ]);
}
