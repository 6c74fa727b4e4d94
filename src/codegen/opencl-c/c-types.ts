/**
 * How IR types are spelt in OpenCL C. Integers are unsigned where they are kept, since unsigned arithmetic wraps; a
 * pointer is `uchar *` in its address space, since the IR counts offsets in bytes. A scalar truth value is a `bool`;
 * a vector of them is what OpenCL's vector comparisons give, signed lanes that are -1 or 0 (a *mask*), whose width
 * the code around it decides.
 */
import { imageTypeFacts, samplerType } from '../../ir/images.ts';
import type { AddressSpace, OpaqueType, ScalarType, Type } from '../../ir/types.ts';
import { OpenCLCError } from './error.ts';

const integerNames = { 8: 'char', 16: 'short', 32: 'int', 64: 'long' } as const;
const floatNames = { 16: 'half', 32: 'float', 64: 'double' } as const;

/** The width of a mask's lanes when nothing asks for another. */
export const defaultMaskBits = 32;

/** `uint`, or `int` where `signed`. */
export function integerName(bits: 8 | 16 | 32 | 64, signed = false): string {
  return signed ? integerNames[bits] : `u${integerNames[bits]}`;
}

export function scalarName(type: ScalarType, signed = false): string {
  switch (type.kind) {
    case 'bool':
      return 'bool';
    case 'int':
      return integerName(type.bits, signed);
    case 'float':
      return floatNames[type.bits];
  }
}

/** The keyword of an address space. */
export function spaceName(space: AddressSpace): string {
  if (space === 'generic') throw new OpenCLCError('generic pointers need OpenCL C 2.0');
  return space;
}

/** The type of a mask: `int4`. */
export function maskName(bits: number, lanes: number): string {
  return `${integerName(bits as 8 | 16 | 32 | 64, true)}${lanes}`;
}

/**
 * The type in which a value is kept.
 * @param maskBits for a vector of truth values
 */
export function typeText(type: Type, signed = false, maskBits: number = defaultMaskBits): string {
  switch (type.kind) {
    case 'vector':
      if (type.element.kind === 'bool') return maskName(maskBits, type.lanes);
      return `${scalarName(type.element, signed)}${type.lanes}`;
    case 'pointer':
      return `${spaceName(type.space)} uchar *`;
    case 'opaque':
      return handleTypeText(type);
    default:
      return scalarName(type, signed);
  }
}

/** The type of an image or a sampler: `read_only image2d_t`, `sampler_t`. */
function handleTypeText(type: OpaqueType): string {
  if (type === samplerType) return 'sampler_t';
  const shape = imageTypeFacts(type);
  if (shape && shape.access !== 'read_write') return `${shape.access} ${shape.type}`;
  throw new OpenCLCError(`values of type '${type.name}' cannot be written as OpenCL C`);
}

/** `uint n`, `global uchar *p`. */
export function declaration(typeName: string, name: string): string {
  return typeName.endsWith('*') ? typeName + name : `${typeName} ${name}`;
}
