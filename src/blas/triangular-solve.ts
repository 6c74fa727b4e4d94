/**
 * A X = B for triangular matrices of every kind. Blocks of the diagonal are solved by substitution, a column of X a work-item; between
 * them what is known of X goes into what is not, which is a product: of level 2 for vectors, of level 3 for matrices.
 */
import type { Call } from './core.ts';
import { type MatrixView, viewCode } from './matrix-view.ts';
import { type NumberKind, prologueOf } from './number-kinds.ts';
import { kernelText, roundUp } from './text.ts';

/** Rows of a block: few enough that substitution within it is little work next to the products. */
export const solveBlock = 32;

/** The blocks in the order in which they are solved. */
export function blocksOf(a: MatrixView, size: number): { readonly from: number; readonly to: number }[] {
  const blocks = [];
  for (let from = 0; from < a.rows; from += size) blocks.push({ from, to: Math.min(from + size, a.rows) });
  return a.triangle === 'lower' ? blocks : blocks.reverse();
}

/** Solves for rows `from` to before `to` of `x`, in place. */
export async function solveDiagonalBlock(
  call: Call,
  kind: NumberKind,
  a: MatrixView,
  x: MatrixView,
  from: number,
  to: number,
): Promise<void> {
  const [ca, cx] = [viewCode(a, 'a'), viewCode(x, 'x', '')];
  const isLower = a.triangle === 'lower';
  const rows = isLower ? 'for (int i = from; i < to; i++)' : 'for (int i = to - 1; i >= from; i--)';
  const known = isLower
    ? `for (int j = max(from, ${ca.firstColumn('i')}); j < i; j++)`
    : `for (int j = i + 1, end = min(to, ${ca.endColumn('i')}); j < end; j++)`;
  const quotient = a.unit ? 'v' : `DIV(v, ${ca.stored('i', 'i')})`;
  const body = `${ca.begin}${cx.begin}  int c = get_global_id(0);
  if (c >= columns) return;
  ${rows} {
    T v = LD(${cx.base}, ${cx.index('i', 'c')});
    ${known} v = SUB(v, MUL(${ca.stored('i', 'j')}, LD(${cx.base}, ${cx.index('j', 'c')})));
    ST(${cx.base}, ${cx.index('i', 'c')}, ${quotient});
  }
`;
  const source = kernelText(
    prologueOf(kind),
    'solve',
    ['int from', 'int to', 'int columns', ...ca.parameters, ...cx.parameters],
    body,
  );
  const items = roundUp(x.columns, x.columns < 16 ? 1 : 16);
  await call.launch(source, { global: [items] }, [from, to, x.columns, ...ca.arguments, ...cx.arguments]);
}
