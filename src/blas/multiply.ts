/**
 * C = alpha A B + beta C for views of every kind: all of level 3 comes here. Large products go by blocks of the depth: panels of A and
 * B are packed (panels.ts), then multiplied tile by tile (tile-kernel.ts). In small ones a work-item computes an element.
 */
import type { DeviceBuffer } from '../api/javascript/device-buffer.ts';
import type { Call } from './core.ts';
import { type MatrixView, stridesOf, type Triangle, transposed, viewCode } from './matrix-view.ts';
import { type Complex, type NumberKind, prologueOf } from './number-kinds.ts';
import { type Batch, packPanels, type Rows } from './panels.ts';
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

/** The first product packs them, for a call that lasts longer than that of the product. */
export interface Reused {
  readonly factor: 'a' | 'b';
  readonly owner: Call;
  readonly panels: Map<number, DeviceBuffer>;
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
  /** Panels of a matrix of the only term, which several products have. */
  readonly reused?: Reused | undefined;
  /** Which matrix of the only term is C. */
  readonly inPlace?: 'a' | 'b' | undefined;
}

const other = (triangle: Triangle | undefined): Triangle | undefined =>
  triangle && (triangle === 'upper' ? 'lower' : 'upper');

/** So that C goes by rows. */
function byRows(wanted: Multiplication): Multiplication {
  if (stridesOf(wanted.c).cs === 1) return wanted;
  const { batch, triangle, inPlace, reused } = wanted;
  const swapped = (factor: 'a' | 'b'): 'a' | 'b' => (factor === 'a' ? 'b' : 'a');
  return {
    ...wanted,
    c: transposed(wanted.c),
    terms: wanted.terms.map(({ alpha, a, b }) => ({ alpha, a: transposed(b), b: transposed(a) })),
    triangle: other(triangle),
    batch: batch && { ...batch, a: batch.b, b: batch.a },
    inPlace: inPlace && swapped(inPlace),
    reused: reused && { ...reused, factor: swapped(reused.factor) },
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
  if (isSmall && !given.inPlace && !given.reused && terms.length === 1) await multiplyElements(call, wanted);
  else await multiplyPanels(call, wanted, used);
}

async function multiplyPanels(
  call: Call,
  { kind, beta, c, triangle, isHermitian = false, batch = single, inPlace, reused }: Multiplication,
  terms: readonly Factors[],
): Promise<void> {
  const tile = tileFor(call.core.program.device.info, kind);
  let isFirst = true;
  const write = async (
    a: DeviceBuffer,
    b: DeviceBuffer,
    rows: Rows,
    depth: number,
    alpha: number | Complex,
  ) => {
    const old: Old = !isFirst || isOne(beta) ? 'kept' : isZero(beta) ? 'none' : 'scaled';
    isFirst = false;
    const source = tileKernel({ kind, tile, old, triangle, isHermitian });
    const { rs } = stridesOf(c);
    await call.launch(source, rangeOf(tile, rows.count, c.columns, batch.count), [
      a,
      b,
      c.memory,
      c.offset + rows.from * rs * kind.parts,
      rs,
      batch.c * kind.parts,
      rows.count,
      c.columns,
      depth,
      alpha,
      beta,
      rows.from,
    ]);
  };
  for (const { alpha, a, b } of terms) {
    const blocks = depthBlocks(a, tile.depth);
    const packA = (block: Block, by = call) =>
      packPanels(by, kind, a, {
        width: tile.rows,
        rows: block.rows,
        from: block.from,
        to: block.to,
        count: batch.count,
        stride: batch.a,
      });
    const packB = (block: Block, by = call) =>
      packPanels(by, kind, transposed(b), {
        width: columnsOf(tile),
        rows: { from: 0, count: b.columns },
        from: block.from,
        to: block.to,
        count: batch.count,
        stride: batch.b,
      });
    const packed = async (factor: 'a' | 'b', block: Block, pack: typeof packA): Promise<DeviceBuffer> => {
      if (reused?.factor !== factor) return pack(block);
      const panels = reused.panels.get(block.from) ?? (await pack(block, reused.owner));
      reused.panels.set(block.from, panels);
      return panels;
    };
    // What is overwritten is packed before.
    const earlyA = inPlace === 'a' ? await inTurn(blocks, (block) => packA(block)) : [];
    const earlyB = inPlace === 'b' ? await inTurn(blocks, (block) => packB(block)) : [];
    for (const [index, block] of blocks.entries()) {
      const pa = earlyA[index] ?? (await packed('a', block, packA));
      const pb = earlyB[index] ?? (await packed('b', block, packB));
      await write(pa, pb, block.rows, block.to - block.from, alpha);
    }
  }
  if (isFirst) {
    const nothing = call.temporary(8);
    await write(nothing, nothing, { from: 0, count: c.rows }, 0, kind.isComplex ? [0, 0] : 0);
  }
}

interface Block {
  readonly from: number;
  readonly to: number;
  /** Those of A that are not all zeros there. */
  readonly rows: Rows;
}

/** Of a triangular matrix the first block is one that has all rows, so that all of C is written. */
function depthBlocks(a: MatrixView, size: number): Block[] {
  const blocks: Block[] = [];
  const isTriangular = a.triangle !== undefined && !a.mirror;
  for (let from = 0; from < a.columns; from += size) {
    const to = Math.min(from + size, a.columns);
    const rows = !isTriangular
      ? { from: 0, count: a.rows }
      : a.triangle === 'lower'
        ? { from, count: Math.max(0, a.rows - from) }
        : { from: 0, count: Math.min(to, a.rows) };
    blocks.push({ from, to, rows });
  }
  return isTriangular && a.triangle === 'upper' ? blocks.reverse() : blocks;
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
