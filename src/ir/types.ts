/**
 * The types of IR values. Every type is a single shared object, so two types are equal exactly when they are
 * the same object (`===`). Structs and arrays are not types of values: they live in memory as bytes, and code
 * that touches them computes addresses. Integers carry no sign; the operation says how it reads the bits.
 */

/** Where the bytes behind a pointer live (OpenCL 1.2, 6.5). `generic` is decided at run time (OpenCL 2.0). */
export type AddressSpace = 'private' | 'local' | 'global' | 'constant' | 'generic';

/** A truth value: the result of a comparison. It has no size in memory; store it as an integer. */
export interface BoolType {
  readonly kind: 'bool';
}

/** A sign-less integer of the given width. */
export interface IntType {
  readonly kind: 'int';
  readonly bits: 8 | 16 | 32 | 64;
}

/** An IEEE 754 binary number of the given width. */
export interface FloatType {
  readonly kind: 'float';
  readonly bits: 16 | 32 | 64;
}

export type ScalarType = BoolType | IntType | FloatType;

/** How many lanes a user vector may have. */
export type LaneCount = 2 | 3 | 4 | 8 | 16;

export const laneCounts: readonly LaneCount[] = [2, 3, 4, 8, 16];

/** A user vector such as float4. In memory its lanes follow one another; three lanes take three elements. */
export interface VectorType {
  readonly kind: 'vector';
  readonly element: ScalarType;
  readonly lanes: LaneCount;
}

/** An untyped address in one address space. Loads and stores say what they find there. */
export interface PointerType {
  readonly kind: 'pointer';
  readonly space: AddressSpace;
}

/** A handle the program can only pass on: images, samplers, events, pipes, queues. */
export interface OpaqueType {
  readonly kind: 'opaque';
  readonly name: string;
}

export type Type = ScalarType | VectorType | PointerType | OpaqueType;

export const bool: BoolType = { kind: 'bool' };
export const i8: IntType = { kind: 'int', bits: 8 };
export const i16: IntType = { kind: 'int', bits: 16 };
export const i32: IntType = { kind: 'int', bits: 32 };
export const i64: IntType = { kind: 'int', bits: 64 };
export const f16: FloatType = { kind: 'float', bits: 16 };
export const f32: FloatType = { kind: 'float', bits: 32 };
export const f64: FloatType = { kind: 'float', bits: 64 };

/** The integer type of the given width. */
export function intType(bits: IntType['bits']): IntType {
  return bits === 8 ? i8 : bits === 16 ? i16 : bits === 32 ? i32 : i64;
}

/** The float type of the given width. */
export function floatType(bits: FloatType['bits']): FloatType {
  return bits === 16 ? f16 : bits === 32 ? f32 : f64;
}

const vectors = new Map<ScalarType, Map<number, VectorType>>();

/** The vector type of `lanes` elements. */
export function vectorType(element: ScalarType, lanes: LaneCount): VectorType {
  let byLanes = vectors.get(element);
  if (!byLanes) {
    byLanes = new Map();
    vectors.set(element, byLanes);
  }
  let type = byLanes.get(lanes);
  if (!type) {
    type = { kind: 'vector', element, lanes };
    byLanes.set(lanes, type);
  }
  return type;
}

const pointers: Readonly<Record<AddressSpace, PointerType>> = {
  private: { kind: 'pointer', space: 'private' },
  local: { kind: 'pointer', space: 'local' },
  global: { kind: 'pointer', space: 'global' },
  constant: { kind: 'pointer', space: 'constant' },
  generic: { kind: 'pointer', space: 'generic' },
};

/** The pointer type of an address space. */
export function pointerType(space: AddressSpace): PointerType {
  return pointers[space];
}

const opaques = new Map<string, OpaqueType>();

/** The opaque type of that name, e.g. `image2d`. */
export function opaqueType(name: string): OpaqueType {
  let type = opaques.get(name);
  if (!type) {
    type = { kind: 'opaque', name };
    opaques.set(name, type);
  }
  return type;
}

/** The element of a vector, or the type itself. */
export function elementOf(type: Type): Exclude<Type, VectorType> {
  return type.kind === 'vector' ? type.element : type;
}

/** The lane count of a vector; 1 for every other type. */
export function lanesOf(type: Type): number {
  return type.kind === 'vector' ? type.lanes : 1;
}

/** The same shape (scalar or lane count) with another element. */
export function withElement(shape: Type, element: ScalarType): ScalarType | VectorType {
  return shape.kind === 'vector' ? vectorType(element, shape.lanes) : element;
}

/**
 * What a vector of so many work-items has of a value that differs between them: a vector of scalars, or of addresses.
 * Undefined for vectors, which are vectorised component by component, and for opaque handles, which cannot be.
 */
export function vectorisedType(type: Type, lanes: LaneCount, addressType: IntType): VectorType | undefined {
  switch (type.kind) {
    case 'bool':
    case 'int':
    case 'float':
      return vectorType(type, lanes);
    case 'pointer':
      return vectorType(addressType, lanes);
    default:
      return undefined;
  }
}

/**
 * How many bytes a load or store of the type touches. A bool counts as one byte (context arrays may hold it).
 * @param addressBytes the size of a pointer, 4 or 8
 */
export function sizeOf(type: Type, addressBytes = 4): number {
  switch (type.kind) {
    case 'bool':
      return 1;
    case 'int':
    case 'float':
      return type.bits / 8;
    case 'vector':
      return sizeOf(type.element) * type.lanes;
    case 'pointer':
    case 'opaque':
      return addressBytes;
  }
}

/** The text form: `i32`, `f32x4`, `ptr<global>`, `opaque<image2d>`. */
export function typeName(type: Type): string {
  switch (type.kind) {
    case 'bool':
      return 'bool';
    case 'int':
      return `i${type.bits}`;
    case 'float':
      return `f${type.bits}`;
    case 'vector':
      return `${typeName(type.element)}x${type.lanes}`;
    case 'pointer':
      return `ptr<${type.space}>`;
    case 'opaque':
      return `opaque<${type.name}>`;
  }
}
