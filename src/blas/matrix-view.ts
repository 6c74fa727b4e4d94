/**
 * Matrices as kernels see them. BLAS has orders, transposes, bands and packed triangles; here each is a view: element (i, j) lies at a
 * place that is a formula of i and j, and only elements of a band or a triangle are there. A transposed matrix is another view of the same
 * numbers, so no kernel knows of orders or transposes.
 *
 *     full           i * rs + j * cs
 *     band           the same: a column of the storage is one longer than the step from one diagonal element to the next
 *     packed         q (q + 1) / 2 + p or q (2 n - q - 1) / 2 + p, where q is the column (row) and p the row (column)
 */
import type { KernelArgument } from '../api/javascript/arguments.ts';
import type { Bound } from './core.ts';

export type Triangle = 'upper' | 'lower';

export interface MatrixView {
  readonly memory: Bound['memory'];
  /** Parts from the beginning of the memory to element (0, 0), were it there. */
  readonly offset: number;
  readonly rows: number;
  readonly columns: number;
  readonly form: Strided | Packed;
  /** Elements are conjugated when they are read. */
  readonly conjugate: boolean;
  /** Diagonals that are there below and above the main one; undefined for all. */
  readonly band?: { readonly below: number; readonly above: number } | undefined;
  /** Which triangle is there; undefined for both. */
  readonly triangle?: Triangle | undefined;
  /** What the other triangle is: the mirrored one, or zeros. */
  readonly mirror?: 'symmetric' | 'hermitian' | undefined;
  /** The diagonal is ones, whatever is stored. */
  readonly unit?: boolean | undefined;
}

export interface Strided {
  readonly kind: 'strided';
  readonly rs: number;
  readonly cs: number;
}

export interface Packed {
  readonly kind: 'packed';
  /** Which of i and j is q. */
  readonly major: 'row' | 'column';
  /** Whether runs get longer with q. */
  readonly grows: boolean;
}

const otherTriangle = (triangle: Triangle | undefined): Triangle | undefined =>
  triangle && (triangle === 'upper' ? 'lower' : 'upper');

/** The same numbers with rows for columns. */
export function transposed(view: MatrixView): MatrixView {
  const { rows, columns, form, band, triangle } = view;
  return {
    ...view,
    rows: columns,
    columns: rows,
    form:
      form.kind === 'strided'
        ? { ...form, rs: form.cs, cs: form.rs }
        : { ...form, major: form.major === 'row' ? 'column' : 'row' },
    band: band && { below: band.above, above: band.below },
    triangle: otherTriangle(triangle),
  };
}

export const conjugated = (view: MatrixView): MatrixView => ({ ...view, conjugate: !view.conjugate });

/** Rows and columns from (i, j) on, of a strided view. Triangles and bands are left out: the part is full. */
export function partOf(
  view: MatrixView,
  i: number,
  j: number,
  rows: number,
  columns: number,
  parts: number,
): MatrixView {
  const { rs, cs } = stridesOf(view);
  const { memory, offset, form, conjugate } = view;
  return { memory, offset: offset + (i * rs + j * cs) * parts, rows, columns, form, conjugate };
}

export function stridesOf({ form }: MatrixView): Strided {
  if (form.kind !== 'strided') throw new Error('a packed matrix has no strides');
  return form;
}

/** How a kernel reads a view: parameters, what comes first in its body, and elements as expressions. */
export interface ViewCode {
  readonly parameters: readonly string[];
  readonly begin: string;
  readonly arguments: readonly KernelArgument[];
  /** The index of a stored element, for LD and ST at {@link base}. */
  readonly index: (i: string, j: string) => string;
  readonly base: string;
  /** A stored element, conjugated if the view is. */
  readonly stored: (i: string, j: string) => string;
  /** Any element: of mirrored and empty triangles, too. `i` and `j` are read several times. */
  readonly element: (i: string, j: string) => string;
  /** The columns of row `i` that are in the band, from the first to before the end; of a triangle, see the kernels. */
  readonly firstColumn: (i: string) => string;
  readonly endColumn: (i: string) => string;
}

/** @param name begins the names of its parameters */
export function viewCode(view: MatrixView, name: string, access: 'const ' | '' = 'const '): ViewCode {
  const { form, band, conjugate, columns } = view;
  const parameters = [`global ${access}R *${name}_at`, `int ${name}_offset`];
  const values: KernelArgument[] = [view.memory, view.offset];
  const base = `${name}_base`;
  const begin = `  global ${access}R *${base} = ${name}_at + ${name}_offset;\n`;
  let index: ViewCode['index'];
  if (form.kind === 'strided') {
    const term = (stride: number, what: string): ((at: string) => string) => {
      if (stride === 1) return (at) => `(${at})`;
      parameters.push(`int ${name}_${what}`);
      values.push(stride);
      return (at) => `(${at}) * ${name}_${what}`;
    };
    const [row, column] = [term(form.rs, 'rs'), term(form.cs, 'cs')];
    index = (i, j) => `${row(i)} + ${column(j)}`;
  } else {
    const of = (p: string, q: string): string =>
      form.grows
        ? `(${p}) + (${q}) * ((${q}) + 1) / 2`
        : `(${p}) + (${q}) * (2 * ${name}_n - (${q}) - 1) / 2`;
    if (!form.grows) {
      parameters.push(`int ${name}_n`);
      values.push(columns);
    }
    index = (i, j) => (form.major === 'column' ? of(i, j) : of(j, i));
  }
  const size = `${name}_columns`;
  parameters.push(`int ${size}`);
  values.push(columns);
  if (band) {
    parameters.push(`int ${name}_below`, `int ${name}_above`);
    values.push(band.below, band.above);
  }
  const load = (i: string, j: string): string => `LD(${base}, ${index(i, j)})`;
  const stored = (i: string, j: string): string => (conjugate ? `CONJ(${load(i, j)})` : load(i, j));
  return {
    parameters,
    begin,
    arguments: values,
    index,
    base,
    stored,
    element: (i, j) => elementCode(view, stored, i, j),
    firstColumn: (i) => (band ? `max(0, ${i} - ${name}_below)` : '0'),
    endColumn: (i) => (band ? `min(${size}, ${i} + ${name}_above + 1)` : size),
  };
}

function elementCode(view: MatrixView, stored: ViewCode['stored'], i: string, j: string): string {
  const { triangle, mirror, unit } = view;
  if (!triangle) return stored(i, j);
  const isThere = triangle === 'upper' ? `${i} <= ${j}` : `${i} >= ${j}`;
  if (!mirror) {
    const own = unit ? `(${i} == ${j} ? ONE : ${stored(i, j)})` : stored(i, j);
    return `(${isThere} ? ${own} : ZERO)`;
  }
  const mirrored = mirror === 'hermitian' ? `CONJ(${stored(j, i)})` : stored(j, i);
  const both = `(${isThere} ? ${stored(i, j)} : ${mirrored})`;
  return mirror === 'hermitian' ? `(${i} == ${j} ? RE(${stored(i, j)}) : ${both})` : both;
}
