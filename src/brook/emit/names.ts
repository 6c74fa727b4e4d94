/**
 * How things are called in the OpenCL C that is made of kernels. Every name of the program gets a prefix, so that none
 * can be one of OpenCL C's own; everything else that the emitter writes begins with `brook_`.
 */
import type { Formal, Local } from '../check/tree.ts';
import { type ElementType, typeName, type ValueType, valueType } from '../types.ts';

/** The type of values in registers. */
export function typeText(type: ElementType): string {
  return type.kind === 'struct' ? `s_${type.name}` : typeName(type);
}

/** What pointers to elements of a stream point to: streams hold elements as C programs do (see storage.ts). */
export function storedTypeText(type: ElementType): string {
  if (type.kind === 'struct') return `t_${type.name}`;
  return type.width === 3 ? type.scalar : typeName(type);
}

export const localName = ({ unique }: Local): string => `v_${unique}`;
export const formalName = ({ name }: Formal): string => `p_${name}`;
/** Where in a stream the thread is: int4. */
export const placeName = ({ name }: Formal): string => `p_${name}_at`;
/** Sizes and steps of a stream or array: see storage.ts. */
export const shapeName = ({ name }: Formal): string => `p_${name}_shape`;
export const functionName = (name: string): string => `f_${name}`;
export const sharedName = (name: string): string => `l_${name}`;

export const fieldName = (name: string): string => `m_${name}`;

/** One component of a vector type. */
export function componentOf(type: ValueType): ValueType {
  return valueType(type.scalar, 1);
}
