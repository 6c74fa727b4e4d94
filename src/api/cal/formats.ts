/**
 * The formats of resources (guide, 3.2.1.5; the later ones of the SDK's cal.h): bytes, arrays for the host, and what programs in IL make
 * of them.
 */
import type { ComponentType, ElementFormat } from '../../il/lower/interface.ts';
import { elementBytes } from '../../il/lower/texel.ts';
import * as C from './constants.ts';
import { invalid } from './error.ts';

/** What a mapped resource looks like from JavaScript. */
export type ResourceData =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

type ResourceArray = new (buffer: ArrayBuffer, byteOffset: number, length: number) => ResourceData;

export interface Format {
  readonly id: C.CALformat;
  readonly name: string;
  /** Numbers of the array that an element has. */
  readonly components: 1 | 2 | 4;
  /** Of an element. */
  readonly bytes: number;
  readonly element: ElementFormat;
  readonly array: ResourceArray;
}

/** What a name says between `CAL_FORMAT_` and the number of components. */
const kinds: Readonly<Record<string, readonly [type: ComponentType, array: ResourceArray]>> = {
  // to programs fractions of 1
  UBYTE: ['unorm8', Uint8Array],
  BYTE: ['snorm8', Int8Array],
  USHORT: ['unorm16', Uint16Array],
  SHORT: ['snorm16', Int16Array],
  // 32 bits as they are, also where later headers call them normalised
  UINT: ['int32', Uint32Array],
  INT: ['int32', Int32Array],
  FLOAT: ['float32', Float32Array],
  DOUBLE: ['float64', Float64Array],
  UNSIGNED_INT8: ['uint8', Uint8Array],
  SIGNED_INT8: ['sint8', Int8Array],
  UNSIGNED_INT16: ['uint16', Uint16Array],
  SIGNED_INT16: ['sint16', Int16Array],
  UNSIGNED_INT32: ['int32', Uint32Array],
  SIGNED_INT32: ['int32', Int32Array],
  // halves as bits, since not every engine has an array of them
  FLOAT16: ['float16', Uint16Array],
};

/** An element is a word. */
const packed: Readonly<Record<string, readonly [type: ComponentType, array: ResourceArray]>> = {
  CAL_FORMAT_UNORM_SHORT_565: ['unorm565', Uint16Array],
  CAL_FORMAT_UNORM_SHORT_555: ['unorm555', Uint16Array],
  CAL_FORMAT_UNORM_INT10_3: ['unorm101010', Uint32Array],
};

const formats = new Map<number, Format>();

function add(
  name: string,
  id: number,
  element: ElementFormat,
  array: ResourceArray,
  components: 1 | 2 | 4,
): void {
  formats.set(id, { id, name, components, bytes: elementBytes(element), element, array });
}

for (const [name, id] of Object.entries(C)) {
  const [, words = '', count] = /^CAL_FORMAT_(\w+)_([124])$/.exec(name) ?? [];
  const kind = kinds[words];
  if (kind) {
    const components = Number(count) as 1 | 2 | 4;
    add(name, id as number, { type: kind[0], components }, kind[1], components);
  } else if (packed[name]) {
    const [type, array] = packed[name];
    add(name, id as number, { type, components: 3 }, array, 1);
  }
}

/** @throws CalError CAL_RESULT_INVALID_PARAMETER if there is no such format */
export function formatOf(id: C.CALformat): Format {
  const format = formats.get(id);
  if (!format) throw invalid(`${id} is no format of resources`);
  return format;
}
