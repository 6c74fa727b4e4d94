/**
 * How IR values live in WebAssembly values. A scalar is one wasm value; a vector is one or more v128 *parts*, its
 * lanes laid densely from lane 0 up exactly as in memory, so that a bit cast between vectors costs nothing. What
 * lies above the last lane of the last part is meaningless.
 *
 * - bool: i32, 0 or 1. i8 and i16: i32, always sign-extended. Pointers and handles: i32 addresses.
 * - f16: i32 holding its sixteen bits, sign-extended.
 * - A vector of bool is a *mask*: an integer vector whose lanes are all ones or all zeros. Its lane width is that
 *   of what was compared, so a comparison and a select of one width need no conversion; see {@link maskBits}.
 */
import type { ScalarType, Type } from '../../../ir/types.ts';
import type { WasmType } from '../module/encoder.ts';

/** The lane width of masks that cross region ends, calls and memory. */
export const defaultMaskBits = 32;

/** The lane width of a mask that was read from a vector's cells: they are bytes. */
export const cellMaskBits = 8;

/** A lane shape of v128. */
export type LaneShape = 'i8x16' | 'i16x8' | 'i32x4' | 'i64x2' | 'f32x4' | 'f64x2';

/** Bits of one element; masks say their own width. */
export function elementBits(type: Type, maskBits = defaultMaskBits): number {
  const element = type.kind === 'vector' ? type.element : type;
  switch (element.kind) {
    case 'int':
    case 'float':
      return element.bits;
    case 'bool':
      return type.kind === 'vector' ? maskBits : 32;
    default:
      return 32;
  }
}

/** How many wasm values hold a value of the type. */
export function partsOf(type: Type, maskBits = defaultMaskBits): number {
  return type.kind === 'vector' ? Math.ceil((type.lanes * elementBits(type, maskBits)) / 128) : 1;
}

/** The wasm type of each part. */
export function wasmTypeOf(type: Type): WasmType {
  switch (type.kind) {
    case 'int':
      return type.bits === 64 ? 'i64' : 'i32';
    case 'float':
      return type.bits === 64 ? 'f64' : type.bits === 32 ? 'f32' : 'i32';
    case 'vector':
      return 'v128';
    default:
      return 'i32';
  }
}

/** The wasm types of all parts, as parameters and results list them. */
export function wasmTypesOf(type: Type): WasmType[] {
  return new Array<WasmType>(partsOf(type)).fill(wasmTypeOf(type));
}

export type IntShape = 'i8x16' | 'i16x8' | 'i32x4' | 'i64x2';

/** The integer lane shape of a width. */
export function intShape(bits: number): IntShape {
  return bits === 8 ? 'i8x16' : bits === 16 ? 'i16x8' : bits === 32 ? 'i32x4' : 'i64x2';
}

/** The lane shape of an element type; f16 lanes are i16x8, mask lanes integers. */
export function laneShape(element: ScalarType, maskBits = defaultMaskBits): LaneShape {
  if (element.kind === 'float' && element.bits !== 16) return element.bits === 32 ? 'f32x4' : 'f64x2';
  return intShape(element.kind === 'bool' ? maskBits : element.bits);
}
