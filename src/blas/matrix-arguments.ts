/** From the arguments that describe a matrix in CBLAS to what is used of the operand and the view of it (matrix-view.ts). */
import * as C from './constants.ts';
import type { Bound, Use } from './core.ts';
import { conjugated, type MatrixView, type Packed, type Strided, transposed } from './matrix-view.ts';
import type { Arguments } from './read-arguments.ts';
import { checkedExtent } from './vectors.ts';

/** A matrix argument: what it uses, and its view once that is on the device. */
export interface MatrixArgument {
  readonly use: Use;
  readonly view: (bound: Bound) => MatrixView;
}

export interface MatrixShape {
  readonly rows: number;
  readonly columns: number;
}

interface Description extends MatrixShape {
  readonly isWritten?: boolean;
  readonly triangle?: MatrixView['triangle'];
  readonly mirror?: MatrixView['mirror'];
  readonly unit?: boolean;
}

const isByRow = (args: Arguments): boolean => args.is('order', C.CblasRowMajor);

/** Rows and columns of the result of a product, and its depth. */
export const sizesOf = (args: Arguments): readonly [m: number, n: number, k: number] => [
  args.number('m'),
  args.number('n'),
  args.number('k'),
];

/** What `uplo` says. */
export const triangleOf = (args: Arguments): 'upper' | 'lower' =>
  args.is('uplo', C.CblasUpper) ? 'upper' : 'lower';

function checkLd(args: Arguments, name: string, least: number): number {
  const ld = args.number(name);
  const need = Math.max(1, least);
  if (ld < need) args.fail(name, `${name} is ${ld}, at least ${need} is needed`);
  return ld;
}

const viewOf = (
  { memory, offset }: Bound,
  form: Strided | Packed,
  { rows, columns, triangle, mirror, unit }: Description,
): MatrixView => ({ memory, offset, rows, columns, form, conjugate: false, triangle, mirror, unit });

/**
 * A matrix with all its rows and columns stored, as `name` and `ld` of its name say.
 * @param further numbers that are used behind it
 * @throws BlasError for a leading dimension or an operand that is too small
 */
export function fullMatrix(
  args: Arguments,
  name: string,
  description: Description,
  further = 0,
): MatrixArgument {
  const { rows, columns, isWritten = false } = description;
  const [along, lines] = isByRow(args) ? [columns, rows] : [rows, columns];
  const ld = checkLd(args, `ld${name}`, along);
  const numbers = along === 0 || lines === 0 ? 0 : (lines - 1) * ld + along + further;
  const form: Strided = isByRow(args)
    ? { kind: 'strided', rs: ld, cs: 1 }
    : { kind: 'strided', rs: 1, cs: ld };
  return {
    use: { ...checkedExtent(args, name, numbers), isWritten },
    view: (bound) => viewOf(bound, form, description),
  };
}

/** A matrix of which `below` and `above` diagonals are stored. */
export function bandMatrix(
  args: Arguments,
  name: string,
  description: Description,
  below: number,
  above: number,
): MatrixArgument {
  const { rows, columns } = description;
  const width = below + above + 1;
  const ld = checkLd(args, `ld${name}`, width);
  const lines = isByRow(args) ? rows : columns;
  const numbers = rows === 0 || columns === 0 ? 0 : (lines - 1) * ld + width;
  const form: Strided = isByRow(args)
    ? { kind: 'strided', rs: ld - 1, cs: 1 }
    : { kind: 'strided', rs: 1, cs: ld - 1 };
  const before = (isByRow(args) ? below : above) * args.kind.parts;
  const { triangle, mirror } = description;
  // The mirrored diagonals are there, too.
  const k = Math.max(below, above);
  const band = mirror ? { below: k, above: k } : { below, above };
  return {
    use: { ...checkedExtent(args, name, numbers), isWritten: false },
    view: ({ memory, offset }) => ({
      ...viewOf({ memory, offset: offset + before }, form, description),
      triangle,
      band,
    }),
  };
}

/** A triangle that is stored column by column, or row by row. */
export function packedMatrix(args: Arguments, name: string, description: Description): MatrixArgument {
  const { rows: n, triangle, isWritten = false } = description;
  const major = isByRow(args) ? 'row' : 'column';
  const grows = (triangle === 'upper') === (major === 'column');
  return {
    use: { ...checkedExtent(args, name, (n * (n + 1)) / 2), isWritten },
    view: (bound) => viewOf(bound, { kind: 'packed', major, grows }, description),
  };
}

/** What op(A) is of A. */
export function applied(args: Arguments, trans: string, view: MatrixView): MatrixView {
  const isTransposed = args.is(trans, C.CblasTrans) || args.is(trans, C.CblasConjTrans);
  const isConjugated = args.is(trans, C.CblasConjTrans) || args.is(trans, C.CblasConjNoTrans);
  const way = isTransposed ? transposed(view) : view;
  return isConjugated && args.kind.isComplex ? conjugated(way) : way;
}

/** Rows and columns of A where those of op(A) are given, and the other way round. */
export function shapeFor(args: Arguments, trans: string, rows: number, columns: number): MatrixShape {
  const isTransposed = args.is(trans, C.CblasTrans) || args.is(trans, C.CblasConjTrans);
  return isTransposed ? { rows: columns, columns: rows } : { rows, columns };
}
