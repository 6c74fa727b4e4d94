/**
 * NumPy files. Reading takes the format apart by a library and checks what that leaves open; numbers are converted to
 * the kernel's type as C does. Written arrays have the shape of the picture or list, and a last axis for vectors.
 */
import { dump, parse } from 'npyjs';
import { FailureError, UsageError } from '../errors.ts';
import { type ElementShape, Elements } from './elements.ts';
import type { Entries } from './numbers.ts';
import type { PictureSize } from './specification.ts';

/** An array's content as elements; its first two axes, if they fit, as a picture's height and width. */
export interface NpyContent {
  readonly elements: Elements;
  readonly picture: PictureSize | undefined;
}

/** What is said of a file without elements. */
export function emptyFile(path: string, { name }: ElementShape): UsageError {
  return new UsageError(`${path} is empty: a buffer has one ${name} element or more`);
}

/** Reads a .npy file for elements of a shape. */
export function readNpy(path: string, file: ArrayBuffer, shape: ElementShape): NpyContent {
  let array: ReturnType<typeof parse>;
  try {
    array = parse(file);
  } catch (error) {
    const why = error instanceof RangeError ? 'it is damaged' : (error as Error).message;
    throw new FailureError(`${path} is not a NumPy array that can be read: ${why}`);
  }
  if (array.fortranOrder) throw new UsageError(`${path} is stored in Fortran order; save it in C order`);
  if (!/^[buif]\d/.test(array.dtype)) {
    throw new UsageError(
      `${path} has elements of type '${array.dtype}'; numbers that are not complex can be read`,
    );
  }
  const source = array.data as unknown as ArrayLike<number | bigint>;
  const length = array.shape.reduce((product, size) => product * size, 1);
  if (source.length !== length) {
    throw new FailureError(
      `${path} is damaged: it has ${source.length} numbers, its shape (${array.shape.join(', ')}) says ${length}`,
    );
  }
  // Four numbers for a 3-vector are what such a vector is in memory.
  const last = array.shape.length > 1 ? array.shape[array.shape.length - 1] : undefined;
  const lanes = shape.places.length;
  const step = lanes === 3 && shape.type && last === 4 ? 4 : lanes;
  if (length === 0) throw emptyFile(path, shape);
  if (length % step !== 0) {
    throw new UsageError(
      `${path} has ${length} numbers, which is not a whole number of ${shape.name} elements`,
    );
  }
  const elements = Elements.zeros(shape, length / step);
  for (let index = 0; index < elements.numbers; index++) {
    const from = step === lanes ? index : Math.floor(index / lanes) * step + (index % lanes);
    const value = source[from]!;
    elements.set(index, typeof value === 'bigint' ? value : Number(value));
  }
  const [height, width] = array.shape;
  const picture =
    height !== undefined && width !== undefined && height * width === elements.count
      ? { width, height }
      : undefined;
  return { elements, picture };
}

/** The bytes of a .npy file. */
export function npyBytes(elements: Elements, picture: PictureSize | undefined): Uint8Array {
  const { shape, count } = elements;
  const outer =
    picture && picture.width * picture.height === count ? [picture.height, picture.width] : [count];
  const entries = elements.entries();
  const inner = entries.length / count;
  const halves = shape.type?.name === 'half';
  const data = halves ? halvesAsFloats(elements) : shape.places.length === 3 ? threeLanes(entries) : entries;
  const lanes = shape.type ? shape.places.length : inner;
  return new Uint8Array(dump(data, lanes > 1 ? [...outer, lanes] : outer));
}

/** Without the fourth, meaningless lane of each vector. */
function threeLanes(entries: Entries): Entries {
  const kept = entries.slice(0, (entries.length / 4) * 3);
  for (let index = 0; index < kept.length; index++) {
    kept[index] = entries[Math.floor(index / 3) * 4 + (index % 3)]!;
  }
  return kept;
}

/** JavaScript has no half floats for the library to write. */
function halvesAsFloats(elements: Elements): Float32Array {
  return Float32Array.from({ length: elements.numbers }, (_, index) => Number(elements.get(index)));
}
