/** The formats of resources (guide, 3.2.1.5): bytes, arrays for the host, and what programs in IL make of them. */
import type { ComponentType, ElementFormat } from '../../il/lower/interface.ts';
import * as C from './constants.ts';
import { invalid } from './error.ts';

const arrays = {
  ubyte: Uint8Array,
  byte: Int8Array,
  ushort: Uint16Array,
  short: Int16Array,
  uint: Uint32Array,
  int: Int32Array,
  float: Float32Array,
  double: Float64Array,
} as const;

type Scalar = keyof typeof arrays;

/** What a mapped resource looks like from JavaScript. */
export type ResourceData = InstanceType<(typeof arrays)[Scalar]>;

export interface Format {
  readonly id: C.CALformat;
  readonly name: string;
  readonly components: 1 | 2 | 4;
  /** Of an element. */
  readonly bytes: number;
  /** To programs, 8 and 16 bits are fractions of 1. */
  readonly element: ElementFormat;
  readonly array: (typeof arrays)[Scalar];
}

const types: Readonly<Record<Scalar, ComponentType>> = {
  ubyte: 'unorm8',
  byte: 'snorm8',
  ushort: 'unorm16',
  short: 'snorm16',
  uint: 'int32',
  int: 'int32',
  float: 'float32',
  double: 'float64',
};

const formats = new Map<number, Format>();

for (const [name, id] of Object.entries(C)) {
  const [, scalar, count] = /^CAL_FORMAT_([A-Z]+)_([124])$/.exec(name) ?? [];
  if (scalar === undefined) continue;
  const kind = scalar.toLowerCase() as Scalar;
  const components = Number(count) as 1 | 2 | 4;
  const array = arrays[kind];
  const element = { type: types[kind], components };
  formats.set(id, { id, name, components, bytes: array.BYTES_PER_ELEMENT * components, element, array });
}

/** @throws CalError CAL_RESULT_INVALID_PARAMETER if there is no such format */
export function formatOf(id: C.CALformat): Format {
  const format = formats.get(id);
  if (!format) throw invalid(`${id} is no format of resources`);
  return format;
}
