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

/** Some rows of a matrix, or some columns. */
export interface Indices {
  readonly from: number;
  readonly count: number;
}

export interface PanelsWanted {
  /** Rows of a panel. */
  readonly width: number;
  readonly rows: Indices;
  readonly columns: Indices;
  /** Matrices, and the numbers from one to the next. */
  readonly count: number;
  readonly stride: number;
}

/** Panels in memory, of so many columns each. */
export interface Panels {
  readonly memory: DeviceBuffer;
  readonly columns: Indices;
}

/**
 * What can be copied is copied by blocks: some cache lines of a column, and so many columns, whose copies lie behind each other.
 * So work-items read and write whole lines, and no two of them the same.
 */
const blockNumbers = 128;
const blockColumns = 8;

export function panelBytes(
  kind: NumberKind,
  { width, rows, columns, count }: Omit<PanelsWanted, 'stride'>,
): number {
  return roundUp(rows.count, width) * columns.count * count * kind.parts * kind.bytes;
}

/** Packs rows of a matrix, or of each matrix of a batch. */
export async function packPanels(
  call: Call,
  kind: NumberKind,
  view: MatrixView,
  wanted: PanelsWanted,
): Promise<Panels> {
  const panels = { memory: call.temporary(panelBytes(kind, wanted)), columns: wanted.columns };
  await packColumns(call, kind, view, wanted, panels, wanted.columns);
  return panels;
}

/** Packs some of the columns that panels have. */
export async function packColumns(
  call: Call,
  kind: NumberKind,
  view: MatrixView,
  { width, rows, count, stride }: PanelsWanted,
  { memory, columns }: Panels,
  some: Indices,
): Promise<void> {
  if (some.count === 0) return;
  const panels = Math.ceil(rows.count / width);
  const code = viewCode(view, 'a');
  const put = (r: number): string => {
    const value = `{ int i = first_row + first + ${r}; T v = first + ${r} < rows ? ${code.element('i', 'j')} : ZERO; `;
    return kind.isComplex ? `${value}to[${r}] = v.x; to[${r + width}] = v.y; }` : `${value}to[${r}] = v; }`;
  };
  const puts = each(width, (r) => `      ${put(r)}\n`);
  // Neighbouring work-items read neighbours in memory where rows are not such.
  const isByColumn = view.form.kind === 'strided' && view.form.rs === 1;
  const isPlain = isByColumn && !kind.isComplex && !view.triangle && !view.band;
  const [panel, column] = isByColumn && !isPlain ? [0, 1] : [1, 0];
  const [panelsOfItem, columnsOfItem] = isPlain ? [Math.ceil(blockNumbers / width), blockColumns] : [1, 1];
  const copies = `      if (first + ${width} <= rows) {
${copied(width, `${code.base} + ${code.index('first_row + first', 'j')}`)}        continue;
      }
`;
  const body = `${code.begin}  a_base += get_global_id(2) * stride * ${kind.parts};
  int p = get_global_id(${column}) * ${columnsOfItem}, p_end = min(columns, p + ${columnsOfItem});
  int first_panel = get_global_id(${panel}) * ${panelsOfItem}, panel_end = min(panels, first_panel + ${panelsOfItem});
  for (; p < p_end; p++) {
    int j = from + p;
    for (int panel = first_panel; panel < panel_end; panel++) {
      int first = panel * ${width};
      global R *to = out + ((get_global_id(2) * panels + panel) * depth + begin + p) * ${width * kind.parts};
${isPlain ? copies : ''}${puts}    }
  }
`;
  const source = kernelText(
    prologueOf(kind),
    'panels',
    [
      'global R *out',
      'int first_row',
      'int rows',
      'int from',
      'int columns',
      'int begin',
      'int depth',
      'int panels',
      'int stride',
      ...code.parameters,
    ],
    body,
  );
  const lengths = [Math.ceil(some.count / columnsOfItem), Math.ceil(panels / panelsOfItem)];
  if (panel === 0) lengths.reverse();
  const global = [roundUp(lengths[0]!, lengths[0]! < 16 ? 1 : 16), lengths[1]!, count];
  await call.launch(source, { global }, [
    memory,
    rows.from,
    rows.count,
    some.from,
    some.count,
    some.from - columns.from,
    columns.count,
    panels,
    stride,
    ...code.arguments,
  ]);
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
