/** The text of the kernel that multiplies packed panels: a tile of the result a work-item. */
import type { MatrixView } from './matrix-view.ts';
import { type NumberKind, prologueOf } from './number-kinds.ts';
import { each, kernelText } from './text.ts';
import { columnsOf, type Tile } from './tiles.ts';

/** What becomes of the old numbers of the result. */
export type Old = 'none' | 'kept' | 'scaled';

export interface TileKernel {
  readonly kind: NumberKind;
  readonly tile: Tile;
  readonly old: Old;
  /** What is written of the result; undefined for all. */
  readonly triangle: MatrixView['triangle'];
  /** The diagonal of the result is real. */
  readonly isHermitian: boolean;
}

/**
 * Parameters: the panels `a` and `b`; the result with its offset, the step from row to row, and from matrix to matrix, in parts; its
 * rows and columns; the depth; alpha and beta; how far the rows are from those that the triangle counts.
 */
export function tileKernel(wanted: TileKernel): string {
  const { kind, tile, old, triangle } = wanted;
  const { rows, width, vectors } = tile;
  const columns = columnsOf(tile);
  const V = width === 1 ? 'R' : `R${width}`;
  const vectorType = width === 1 ? '' : `typedef ${kind.real}${width} R${width};\n`;
  const load = (at: string, v: number): string =>
    width === 1 ? `${at}[${v}]` : `vload${width}(${v}, ${at})`;
  const sums = (r: number): string[] =>
    Array.from({ length: vectors }, (_, v) =>
      kind.isComplex ? [`s${r}_${v}`, `t${r}_${v}`] : [`s${r}_${v}`],
    ).flat();
  const all = Array.from({ length: rows }, (_, r) => sums(r)).flat();
  const step = kind.isComplex ? complexStep(tile, V, load) : realStep(tile, V, load);
  const outside =
    triangle === 'upper'
      ? 'row + row0 > col + COLUMNS - 1'
      : triangle === 'lower'
        ? 'row + row0 + ROWS - 1 < col'
        : '';
  const ends = each(
    rows,
    (r) => `  put(c, row + ${r}, row0, col, m, n, rs, alpha, beta, ${sums(r).join(', ')});\n`,
  );
  const body = `  int pi = get_global_id(0), pj = get_global_id(1), z = get_global_id(2);
  int row = pi * ROWS, col = pj * COLUMNS;
  if (row >= m || col >= n${outside ? ` || ${outside}` : ''}) return;
  global const R *pa = a + (z * ((m + ROWS - 1) / ROWS) + pi) * k * (ROWS * PARTS);
  global const R *pb = b + (z * ((n + COLUMNS - 1) / COLUMNS) + pj) * k * (COLUMNS * PARTS);
  ${V} ${all.map((name) => `${name} = 0`).join(', ')};
  for (int p = 0; p < k; p++) {
${step}    pa += ROWS * PARTS;
    pb += COLUMNS * PARTS;
  }
  global R *c = c_at + c_offset + z * c_stride;
${ends}`;
  const constants = `#define ROWS ${rows}\n#define COLUMNS ${columns}\n#define PARTS ${kind.parts}\n`;
  return kernelText(
    `${prologueOf(kind)}${vectorType}${constants}${putText(wanted, V, old)}`,
    'tiles',
    [
      'global const R *a',
      'global const R *b',
      'global R *c_at',
      'int c_offset',
      'int rs',
      'int c_stride',
      'int m',
      'int n',
      'int k',
      'T alpha',
      'T beta',
      'int row0',
    ],
    body,
  );
}

type Load = (at: string, vector: number) => string;

function realStep({ rows, vectors }: Tile, V: string, load: Load): string {
  const factors = each(vectors, (v) => `    ${V} b${v} = ${load('pb', v)};\n`);
  const products = each(
    rows,
    (r) => `    { R f = pa[${r}]; ${each(vectors, (v) => `s${r}_${v} += f * b${v}; `)}}\n`,
  );
  return factors + products;
}

function complexStep({ rows, vectors }: Tile, V: string, load: Load): string {
  const factors = each(
    vectors,
    (v) => `    ${V} b${v} = ${load('pb', v)}, d${v} = ${load('pb', vectors + v)};\n`,
  );
  const products = each(rows, (r) => {
    const parts = each(
      vectors,
      (v) =>
        `s${r}_${v} += f * b${v}; t${r}_${v} += f * d${v}; s${r}_${v} -= g * d${v}; t${r}_${v} += g * b${v}; `,
    );
    return `    { R f = pa[${r}], g = pa[${rows + r}]; ${parts}}\n`;
  });
  return factors + products;
}

/** The function that writes a row of a tile: whole vectors where all columns are there, else number by number. */
function putText({ kind, tile, triangle, isHermitian }: TileKernel, V: string, old: Old): string {
  const { width, vectors } = tile;
  const store = (value: string, at: string, v: number): string =>
    width === 1 ? `${at}[${v}] = ${value};` : `vstore${width}(${value}, ${v}, ${at});`;
  const parameters = each(vectors, (v) => (kind.isComplex ? `, ${V} s${v}, ${V} t${v}` : `, ${V} s${v}`));
  const value = (sum: string, before: string): string => {
    if (old === 'none') return `MUL(alpha, ${sum})`;
    return old === 'kept' ? `MAD(alpha, ${sum}, ${before})` : `MAD(alpha, ${sum}, MUL(beta, ${before}))`;
  };
  const first = triangle === 'upper' ? 'max(0, i + row0 - col)' : '0';
  const end =
    triangle === 'lower' ? 'min(min(COLUMNS, n - col), i + row0 - col + 1)' : 'min(COLUMNS, n - col)';
  const vectorValue = (v: number): string => {
    const before = width === 1 ? `to[${v}]` : `vload${width}(${v}, to)`;
    if (old === 'none') return `alpha * s${v}`;
    return old === 'kept' ? `alpha * s${v} + ${before}` : `alpha * s${v} + beta * ${before}`;
  };
  const whole = kind.isComplex
    ? ''
    : `  if (first == 0 && end == COLUMNS) {
    ${each(vectors, (v) => `${store(vectorValue(v), 'to', v)} `)}
    return;
  }
`;
  const parts = kind.isComplex
    ? `  R re[COLUMNS], im[COLUMNS];\n  ${each(vectors, (v) => `${store(`s${v}`, 're', v)} ${store(`t${v}`, 'im', v)} `)}\n`
    : `  R re[COLUMNS];\n  ${each(vectors, (v) => `${store(`s${v}`, 're', v)} `)}\n`;
  const sum = kind.isComplex ? '(T)(re[j], im[j])' : 're[j]';
  const real = isHermitian ? ' if (col + j == i + row0) e = RE(e);' : '';
  return `static void put(global R *c, int i, int row0, int col, int m, int n, int rs, T alpha, T beta${parameters}) {
  if (i >= m) return;
  int first = ${first}, end = ${end};
  global R *to = c + (i * rs + col) * PARTS;
${whole}${parts}  for (int j = first; j < end; j++) {
    T s = ${sum};
    T e = ${value('s', 'LD(to, j)')};${real}
    ST(to, j, e);
  }
}
`;
}
