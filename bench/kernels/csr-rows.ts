/** Sparse matrices by rows (CSR), and the reference for their products with vectors. */

/** Row r has the entries from `starts[r]` on, up to `starts[r + 1]`. */
export interface CsrMatrix {
  readonly starts: ArrayLike<number>;
  readonly columns: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

/** What each element of the product with `x` must be, added up in doubles. */
export function productOfRows({ starts, columns, values }: CsrMatrix, x: ArrayLike<number>) {
  return (row: number): number => {
    let sum = 0;
    for (let at = starts[row]!; at < starts[row + 1]!; at += 1) sum += values[at]! * x[columns[at]!]!;
    return sum;
  };
}
