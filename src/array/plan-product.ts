/** The shapes of products of matrices, which are known before anything is computed. */
import { invalid } from './errors.ts';
import { broadcastShapes, type Shape, shapeText } from './shape.ts';

export interface Product {
  /** Of the result. */
  readonly shape: Shape;
  readonly rows: number;
  readonly columns: number;
  readonly depth: number;
  readonly stack: Shape;
  readonly left: Shape;
  readonly right: Shape;
}

/** @throws OpenCLError CL_INVALID_VALUE if the shapes have no product */
export function planProduct(a: Shape, b: Shape): Product {
  const wrong = () =>
    invalid(
      `matmul: shapes ${shapeText(a)} and ${shapeText(b)} have no product: the last length of one is the last but one of the other`,
    );
  if (a.length === 0 || b.length === 0) throw wrong();
  const left = a.length === 1 ? [1, a[0]!] : a;
  const right = b.length === 1 ? [b[0]!, 1] : b;
  const [rows, depth] = left.slice(-2) as [number, number];
  const [height, columns] = right.slice(-2) as [number, number];
  if (depth !== height) throw wrong();
  const stack = broadcastShapes('matmul', [left.slice(0, -2), right.slice(0, -2), []]);
  const shape = [...stack, ...(a.length === 1 ? [] : [rows]), ...(b.length === 1 ? [] : [columns])];
  return { shape, rows, columns, depth, stack, left, right };
}
