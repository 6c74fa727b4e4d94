/** Shapes and strides, as NumPy's: sizes from the outermost dimension to the innermost, strides in elements. */
import { invalid } from './errors.ts';

export type Shape = readonly number[];

/** As messages show it, and as NumPy prints it. */
export const shapeText = (shape: Shape): string => `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`;

export const sizeOf = (shape: Shape): number => shape.reduce((size, length) => size * length, 1);

/** Kernels count elements in 32 bits. */
const mostElements = 2 ** 31 - 1;

/** A shape as a user gives it: one number is a vector's length. @throws OpenCLError CL_INVALID_VALUE */
export function readShape(given: number | Shape): Shape {
  const shape = typeof given === 'number' ? [given] : given;
  if (!Array.isArray(shape) || !shape.every((length) => Number.isInteger(length) && length >= 0)) {
    throw invalid('a shape is a whole number from 0 on, or an array of such');
  }
  if (sizeOf(shape) > mostElements)
    throw invalid(`a shape of ${shapeText(shape)} has more than 2^31 elements`);
  return [...shape];
}

/** The strides of an array without gaps. */
export function denseStrides(shape: Shape): number[] {
  const strides = new Array<number>(shape.length);
  let stride = 1;
  for (let d = shape.length - 1; d >= 0; d -= 1) {
    strides[d] = stride;
    stride *= shape[d]!;
  }
  return strides;
}

/** Whether elements lie one after another in the order of their indices. */
export function isDense(shape: Shape, strides: readonly number[]): boolean {
  const dense = denseStrides(shape);
  return sizeOf(shape) === 0 || shape.every((length, d) => length === 1 || strides[d] === dense[d]);
}

/**
 * The shape of an operation on several arrays (NumPy, Broadcasting).
 * @throws OpenCLError CL_INVALID_VALUE, with all shapes
 */
export function broadcastShapes(what: string, shapes: readonly Shape[]): Shape {
  const rank = Math.max(...shapes.map((shape) => shape.length));
  const result = new Array<number>(rank).fill(1);
  for (const shape of shapes) {
    const shift = rank - shape.length;
    shape.forEach((length, d) => {
      if (length === 1 || length === result[d + shift]) return;
      if (result[d + shift] !== 1) {
        throw invalid(`${what}: shapes ${shapes.map(shapeText).join(' and ')} cannot be broadcast together`);
      }
      result[d + shift] = length;
    });
  }
  sizeOf(result) <= mostElements || readShape(result);
  return result;
}

/** The strides of an array when its elements are repeated to a shape. */
export function broadcastStrides(shape: Shape, strides: readonly number[], to: Shape): number[] {
  const shift = to.length - shape.length;
  return to.map((_, d) => (d < shift || shape[d - shift] === 1 ? 0 : strides[d - shift]!));
}

/** An axis as a user gives it, from the end if it is negative. @throws OpenCLError CL_INVALID_VALUE */
export function readAxis(axis: number, shape: Shape): number {
  const found = axis < 0 ? axis + shape.length : axis;
  if (!Number.isInteger(axis) || found < 0 || found >= shape.length) {
    throw invalid(`there is no axis ${axis} in an array of shape ${shapeText(shape)}`);
  }
  return found;
}

/**
 * Fewer dimensions for the same elements: those of length 1 are left out, and neighbours that all arrays go through in one stride
 * become one.
 */
export function collapse(
  shape: Shape,
  arrays: readonly (readonly number[])[],
): { readonly shape: number[]; readonly strides: number[][] } {
  const sizes: number[] = [];
  const strides: number[][] = arrays.map(() => []);
  shape.forEach((length, d) => {
    if (length === 1) return;
    const last = sizes.length - 1;
    const joins = last >= 0 && arrays.every((own, a) => strides[a]![last] === own[d]! * length);
    if (joins) {
      sizes[last]! *= length;
      arrays.forEach((own, a) => {
        strides[a]![last] = own[d]!;
      });
    } else {
      sizes.push(length);
      arrays.forEach((own, a) => {
        strides[a]!.push(own[d]!);
      });
    }
  });
  return { shape: sizes, strides };
}
