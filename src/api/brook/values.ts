/** Numbers and vectors for kernels, from their bytes in host memory. */
import {
  type ElementType,
  isFloating,
  type ScalarName,
  scalarBytes,
  type ValueType,
} from '../../brook/types.ts';
import type { HostLayout } from '../../ir/ir.ts';

const arrays = {
  char: Int8Array,
  uchar: Uint8Array,
  short: Int16Array,
  ushort: Uint16Array,
  int: Int32Array,
  uint: Uint32Array,
  float: Float32Array,
  double: Float64Array,
} as const;

export type NumberArray = InstanceType<(typeof arrays)[ScalarName]>;

/** The array type whose elements are a scalar. */
export function arrayOf(scalar: ScalarName): (typeof arrays)[ScalarName] {
  return arrays[scalar];
}

/** How the host sees a value, as far as one kind of array tells of it; undefined for structures. */
export function scalarLayout(type: ElementType): HostLayout | undefined {
  if (type.kind === 'struct') return undefined;
  const size = scalarBytes(type.scalar);
  if (isFloating(type)) return { kind: 'float', size: size as 4 | 8 };
  return { kind: 'integer', size: size as 1 | 2 | 4, signed: !type.scalar.startsWith('u') };
}

/** The argument of an OpenCL kernel for a value of a type, whose bytes lie at the start of `bytes`. */
export function valueArgument({ scalar, width }: ValueType, bytes: Uint8Array): NumberArray {
  // OpenCL C's vectors of three have the room of four.
  const lanes = width === 3 ? 4 : width;
  const used = new Uint8Array(scalarBytes(scalar) * lanes);
  used.set(bytes.subarray(0, scalarBytes(scalar) * width));
  return new arrays[scalar](used.buffer, 0, lanes);
}
