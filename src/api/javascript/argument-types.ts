/** The types of kernels' arguments as declarations of files with kernels name them (saxpy.d.cl.ts; docs/modules.md). */
import type { DeviceBuffer } from './device-buffer.ts';
import type { DeviceImage } from './device-image.ts';
import type { Picture } from './picture.ts';
import type { SharedMemory } from './shared-memory.ts';

/** An integer must be whole and fit; `bigint` is for what is beyond 2^53. */
export type Scalar = number | bigint | boolean;

/** So many numbers: an array, or a typed array. */
export type Vector<Lanes extends number, Element = Scalar> = Tuple<Lanes, Element> | ArrayBufferView;

type Tuple<
  Length extends number,
  Element,
  Made extends readonly Element[] = readonly [],
> = Length extends Made['length'] ? Made : Tuple<Length, Element, readonly [...Made, Element]>;

/** A structure by its fields, or as its bytes. */
export type Struct<Fields extends object> = Fields | ArrayBufferView;

/**
 * Memory of the device for a pointer: a typed array, which is copied in and, unless the kernel says `const`, back; or its bytes; a
 * buffer of `program.buffer`; shared memory; or null.
 */
export type Pointer<Elements extends ArrayBufferView> =
  | Elements
  | Uint8Array
  | Int8Array
  | Uint8ClampedArray
  | DeviceBuffer
  | SharedMemory
  | null;

/** Pixels, which are copied, or an image of `program.image`. */
export type ImageArgument = Picture | DeviceImage;
