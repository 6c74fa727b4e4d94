/** Views of arrays: other shapes, orders and parts of the same elements, of which nothing is copied. */
import { shown } from '../source/shown.ts';
import { invalid } from './errors.ts';
import { Node, type View } from './node.ts';
import {
  broadcastShapes,
  broadcastStrides,
  denseStrides,
  isDense,
  readAxis,
  readShape,
  type Shape,
  shapeText,
  sizeOf,
} from './shape.ts';

/** `start`, `stop`, `step` of a dimension as in Python, `null` for what is left out; a number takes the dimension away. */
export type Slice =
  | number
  | null
  | readonly [start?: number | null, stop?: number | null, step?: number | null];

/** Where the elements of a node lie: in itself, or in what it is a view of. */
function placeOf(node: Node): Pick<View, 'base' | 'offset' | 'strides'> {
  const { content } = node;
  if (content.kind === 'view') return content;
  return { base: node, offset: 0, strides: denseStrides(node.shape) };
}

function view({ type }: Node, shape: Shape, base: Node, offset: number, strides: readonly number[]): Node {
  return new Node(type, shape, { kind: 'view', base, offset, strides });
}

/** The same elements in another shape, of which one length may be -1: what is left. */
export function reshaped(node: Node, wanted: readonly number[]): Node {
  const known = wanted.filter((length) => length !== -1);
  const rest = sizeOf(node.shape) / sizeOf(known);
  const shape =
    known.length === wanted.length - 1 && Number.isInteger(rest)
      ? wanted.map((length) => (length === -1 ? rest : length))
      : wanted;
  if (
    !shape.every((length) => Number.isInteger(length) && length >= 0) ||
    sizeOf(shape) !== sizeOf(node.shape)
  ) {
    throw invalid(
      `reshape: an array of shape ${shapeText(node.shape)} has ${sizeOf(node.shape)} elements, which is not what ${shapeText(wanted)} has`,
    );
  }
  const { content } = node;
  const isView = content.kind === 'view';
  if (isView && isDense(node.shape, content.strides)) {
    return view(node, shape, content.base, content.offset, denseStrides(shape));
  }
  return view(node, shape, node, 0, denseStrides(shape));
}

/** The dimensions in another order; without one, in the opposite order. */
export function transposed(node: Node, axes: readonly number[]): Node {
  const order =
    axes.length === 0
      ? node.shape.map((_, d) => node.shape.length - 1 - d)
      : axes.map((axis) => readAxis(axis, node.shape));
  if (new Set(order).size !== node.shape.length || order.length !== node.shape.length) {
    throw invalid(`transpose: ${shapeText(axes)} is no order of the axes of shape ${shapeText(node.shape)}`);
  }
  const { base, offset, strides } = placeOf(node);
  return view(
    node,
    order.map((d) => node.shape[d]!),
    base,
    offset,
    order.map((d) => strides[d]!),
  );
}

/** A part: for each dimension an index or `[start, stop, step]`; those that are not named stay whole. */
export function sliced(node: Node, slices: readonly Slice[]): Node {
  if (slices.length > node.shape.length) {
    throw invalid(`slice: ${slices.length} dimensions of an array of shape ${shapeText(node.shape)}`);
  }
  const place = placeOf(node);
  let { offset } = place;
  const shape: number[] = [];
  const strides: number[] = [];
  node.shape.forEach((length, d) => {
    const slice = slices[d] ?? [];
    const stride = place.strides[d]!;
    if (typeof slice === 'number') {
      const index = slice < 0 ? slice + length : slice;
      if (!Number.isInteger(slice) || index < 0 || index >= length) {
        throw invalid(`slice: there is no index ${slice} in axis ${d} of shape ${shapeText(node.shape)}`);
      }
      offset += index * stride;
      return;
    }
    const { start, step, count } = readSlice(slice, length);
    shape.push(count);
    strides.push(stride * step);
    if (count > 0) offset += start * stride;
  });
  return view(node, shape, place.base, offset, strides);
}

/** Repeated to a shape that it can be broadcast to. */
export function repeated(node: Node, given: number | Shape): Node {
  const shape = readShape(given);
  const result = broadcastShapes('broadcastTo', [node.shape, shape]);
  if (shapeText(result) !== shapeText(shape)) {
    throw invalid(`broadcastTo: shape ${shapeText(node.shape)} cannot be broadcast to ${shapeText(shape)}`);
  }
  const { base, offset, strides } = placeOf(node);
  return view(node, shape, base, offset, broadcastStrides(node.shape, strides, shape));
}

function readSlice(
  slice: Exclude<Slice, number>,
  length: number,
): { start: number; step: number; count: number } {
  const [first, last, by] = slice ?? [];
  const step = by ?? 1;
  if (!Number.isInteger(step) || step === 0) throw invalid(`slice: a step of ${shown(step)}`);
  for (const value of [first, last]) {
    if (value !== undefined && value !== null && !Number.isInteger(value))
      throw invalid(`slice: ${shown(value)} is no index`);
  }
  const [least, most] = step > 0 ? [0, length] : [-1, length - 1];
  const bound = (value: number | null | undefined, otherwise: number): number => {
    if (value === undefined || value === null) return otherwise;
    return Math.min(Math.max(value < 0 ? value + length : value, least), most);
  };
  const start = bound(first, step > 0 ? 0 : length - 1);
  const stop = bound(last, step > 0 ? length : -1);
  return { start, step, count: Math.max(0, Math.ceil((stop - start) / step)) };
}
