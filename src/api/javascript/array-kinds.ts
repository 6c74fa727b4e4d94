/**
 * Which typed arrays can stand for what a pointer points to. Numbers in an array of another kind would be read as bits of
 * other numbers, which is hardly ever meant: a Float64Array for floats, an Int32Array for floats. Who means bits says so with bytes or
 * an array of unsigned integers.
 */
import type { HostLayout } from '../../ir/ir.ts';

type Scalar = Extract<HostLayout, { kind: 'integer' | 'float' }>;

/** What to give in place of an array that does not fit, or undefined if it does. Structures are made of any array. */
export function betterArray(pointee: HostLayout | undefined, array: ArrayBufferView): string | undefined {
  const scalar = pointee && scalarOf(pointee);
  if (!pointee || !scalar || fits(array, scalar, pointee.size)) return undefined;
  return arrayOf(scalar);
}

function fits(array: ArrayBufferView, scalar: Scalar, pointeeBytes: number): boolean {
  const bytes = 'BYTES_PER_ELEMENT' in array ? (array.BYTES_PER_ELEMENT as number) : 1;
  if (bytes === 1) return true;
  // A uint for each uchar4, as in a picture's pixels.
  if (bytes !== scalar.size && bytes !== pointeeBytes) return false;
  if (array instanceof Float32Array || array instanceof Float64Array) return scalar.kind === 'float';
  const isSigned =
    array instanceof Int16Array || array instanceof Int32Array || array instanceof BigInt64Array;
  return !isSigned || scalar.kind === 'integer' || scalar.size === 2;
}

/** What numbers of a layout are, of whatever vectors and arrays; undefined for a structure. */
export function scalarOf(layout: HostLayout): Scalar | undefined {
  switch (layout.kind) {
    case 'integer':
    case 'float':
      return layout;
    case 'vector':
    case 'array':
      return scalarOf(layout.element);
    case 'struct':
      return undefined;
  }
}

function arrayOf(scalar: Scalar): string {
  const bits = 8 * scalar.size;
  if (scalar.kind === 'float') return bits === 16 ? 'Uint16Array' : `Float${bits}Array`;
  return `${bits === 64 ? 'Big' : ''}${scalar.signed ? 'Int' : 'Uint'}${bits}Array`;
}
