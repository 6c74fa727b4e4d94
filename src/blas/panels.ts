/**
 * Packing: what gemm reads of a matrix, in the order in which tiles read it. A panel has some rows (`width`) of the matrix; behind each
 * other lie, for each column, these rows' numbers, all real parts before the imaginary ones. Rows that there are not are zeros. So tiles know nothing of
 * transposes, triangles, Hermitian matrices or edges.
 */
import type { DeviceBuffer } from '../api/javascript/device-buffer.ts';
import type { Call } from './core.ts';
import { type MatrixView, viewCode } from './matrix-view.ts';
import { type NumberKind, prologueOf } from './number-kinds.ts';
import { each, kernelText, roundUp } from './text.ts';

/** Several matrices of one shape, each so many numbers behind the one before. */
export interface Batch {
  readonly count: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

/** Some rows of a matrix. */
export interface Rows {
  readonly from: number;
  readonly count: number;
}

export interface PanelsWanted {
  readonly width: number;
  readonly rows: Rows;
  /** Columns from `from` to before `to`. */
  readonly from: number;
  readonly to: number;
  /** Matrices, and the numbers from one to the next. */
  readonly count: number;
  readonly stride: number;
}

/** Some cache lines full of numbers. */
const lineNumbers = 64;

/** @returns panels of rows of a matrix, or of each matrix of a batch */
export async function packPanels(
  call: Call,
  kind: NumberKind,
  view: MatrixView,
  { width, rows, from, to, count, stride }: PanelsWanted,
): Promise<DeviceBuffer> {
  const panels = Math.ceil(rows.count / width);
  const depth = to - from;
  const out = call.temporary(panels * width * depth * kind.parts * kind.bytes * count);
  if (depth === 0) return out;
  const code = viewCode(view, 'a');
  const put = (r: number): string => {
    const value = `{ int i = first_row + first + ${r}; T v = first + ${r} < rows ? ${code.element('i', 'j')} : ZERO; `;
    return kind.isComplex ? `${value}to[${r}] = v.x; to[${r + width}] = v.y; }` : `${value}to[${r}] = v; }`;
  };
  // Neighbouring work-items read neighbours in memory where rows are not such.
  const isByColumn = view.form.kind === 'strided' && view.form.rs === 1;
  const isPlain = isByColumn && !kind.isComplex && !view.triangle && !view.band;
  // What can be copied is: some cache lines of a column by a work-item, and by its neighbour those whose copies lie behind it.
  const together = isPlain ? Math.ceil(lineNumbers / width) : 1;
  const [panel, column] = isByColumn && !isPlain ? [0, 1] : [1, 0];
  const address = `out + ((get_global_id(2) * panels + panel) * depth + p) * ${width * kind.parts}`;
  const puts = each(width, (r) => `    ${put(r)}\n`);
  const copies = `    if (first + ${width} <= rows) {
${copied(width, `${code.base} + ${code.index('first_row + first', 'j')}`)}      continue;
    }
`;
  const body = `${code.begin}  a_base += get_global_id(2) * stride * ${kind.parts};
  int p = get_global_id(${column}), j = from + p, panel = get_global_id(${panel}) * ${together}, end = min(panels, panel + ${together});
  if (p >= depth) return;
  for (; panel < end; panel++) {
    int first = panel * ${width};
    global R *to = ${address};
${isPlain ? copies : ''}${puts}  }
`;
  const source = kernelText(
    prologueOf(kind),
    'panels',
    [
      'global R *out',
      'int first_row',
      'int rows',
      'int from',
      'int depth',
      'int panels',
      'int stride',
      ...code.parameters,
    ],
    body,
  );
  const parts = Math.ceil(panels / together);
  const lengths = isByColumn && !isPlain ? [parts, depth] : [depth, parts];
  const global = [roundUp(lengths[0]!, lengths[0]! < 16 ? 1 : 16), lengths[1]!, count];
  await call.launch(source, { global }, [
    out,
    rows.from,
    rows.count,
    from,
    depth,
    panels,
    stride,
    ...code.arguments,
  ]);
  return out;
}

/** Copies so many numbers that lie one behind the other, by the largest vectors that they fill. */
function copied(count: number, from: string): string {
  let text = '';
  for (let at = 0; at < count; ) {
    const size = [16, 8, 4, 2, 1].find((each) => at + each <= count)!;
    text +=
      size === 1
        ? `      to[${at}] = (${from})[${at}];\n`
        : `      vstore${size}(vload${size}(0, ${from} + ${at}), 0, to + ${at});\n`;
    at += size;
  }
  return text;
}
