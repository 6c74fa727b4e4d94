/**
 * What the rest of the C core asks about types: classes of types, sizes, equality, and the making of derived types.
 *
 * Arithmetic and vector types are shared objects; pointers, arrays and functions are made anew and compared by
 * {@link sameType}.
 */
import type {
  AddressSpace,
  ArithmeticType,
  ArrayType,
  CType,
  Field,
  FunctionType,
  PointerType,
  QualifiedType,
  RecordType,
} from './types.ts';
import { arithmeticTypes, namedValue, qualifiedType, unqualified } from './types.ts';

/** The arithmetic type that carries a value of `type`: itself, or the integer under an enumeration. */
export function arithmeticOf(type: CType): ArithmeticType | undefined {
  if (type.kind === 'arithmetic') return type;
  if (type.kind === 'enum') return type.underlying ?? arithmeticTypes.uint;
  return undefined;
}

export function isInteger(type: CType): boolean {
  const arithmetic = arithmeticOf(type);
  return arithmetic !== undefined && !arithmetic.floating;
}

export function isArithmetic(type: CType): boolean {
  return type.kind === 'arithmetic' || type.kind === 'enum';
}

/** Arithmetic or pointer: what conditions may be (C99, 6.2.5 21). */
export function isScalar(type: CType): boolean {
  return type.kind === 'arithmetic' || type.kind === 'enum' || type.kind === 'pointer';
}

/** The element type of a vector, or the arithmetic type itself. */
export function elementOf(type: CType): ArithmeticType | undefined {
  return type.kind === 'vector' ? type.element : arithmeticOf(type);
}

export function isComplete(type: CType): boolean {
  switch (type.kind) {
    case 'void':
    case 'function':
      return false;
    case 'array':
      return type.length !== undefined && isComplete(type.element.type);
    case 'record':
      return type.fields !== undefined;
    case 'enum':
      return type.underlying !== undefined;
    default:
      return true;
  }
}

/** Bytes of an object of this type; 0 for types that have none. Pointers and handles take `addressBytes`. */
export function sizeOf(type: CType, addressBytes: number): number {
  switch (type.kind) {
    case 'arithmetic':
    case 'vector':
    case 'record':
      return type.size;
    case 'enum':
      return type.underlying?.size ?? 0;
    case 'atomic':
      return sizeOf(type.value, addressBytes);
    case 'opaque':
      return type.size ?? addressBytes;
    case 'pointer':
      return addressBytes;
    case 'array':
      return (type.length ?? 0) * sizeOf(type.element.type, addressBytes);
    default:
      return 0;
  }
}

/** The alignment C gives objects of this type, in bytes. */
export function alignOf(type: CType, addressBytes: number): number {
  switch (type.kind) {
    case 'array':
      return alignOfObject(type.element, addressBytes);
    case 'record':
      return Math.max(1, type.align);
    default:
      return Math.max(1, sizeOf(type, addressBytes));
  }
}

/** The same, as the typedef that it was written with may have it. */
export function alignOfObject(type: QualifiedType, addressBytes: number): number {
  return type.align ?? alignOf(type.type, addressBytes);
}

/** The same type, whatever names it was written with (C99, 6.2.7, as far as one translation unit needs it). */
export function sameType(a: CType, b: CType): boolean {
  if (a === b) return true;
  if (a.kind === 'pointer' && b.kind === 'pointer') return sameQualifiedType(a.pointee, b.pointee);
  if (a.kind === 'array' && b.kind === 'array') {
    if (a.length !== b.length && a.length !== undefined && b.length !== undefined) return false;
    return sameQualifiedType(a.element, b.element);
  }
  if (a.kind === 'function' && b.kind === 'function') return sameFunctionType(a, b);
  if (a.kind === 'block' && b.kind === 'block') return sameFunctionType(a.function, b.function);
  if (a.kind === 'atomic' && b.kind === 'atomic') return a.name === b.name && sameType(a.value, b.value);
  if (a.kind === 'opaque' && b.kind === 'opaque') {
    if (a.name !== b.name || a.access !== b.access) return false;
    return a.packet === b.packet || (a.packet && b.packet ? sameType(a.packet.type, b.packet.type) : false);
  }
  return a.kind === 'void' && b.kind === 'void';
}

function sameFunctionType(a: FunctionType, b: FunctionType): boolean {
  if (!sameType(a.result.type, b.result.type)) return false;
  if (a.unprototyped || b.unprototyped) return true;
  if (a.variadic !== b.variadic || a.parameters.length !== b.parameters.length) return false;
  return a.parameters.every((parameter, index) => {
    const other = b.parameters[index];
    return other !== undefined && sameType(parameter.type, other.type);
  });
}

/** Same type, same qualifiers and, where both are somewhere, the same address space. */
function sameQualifiedType(a: QualifiedType, b: QualifiedType): boolean {
  return (
    a.isConst === b.isConst &&
    a.isVolatile === b.isVolatile &&
    a.space === b.space &&
    sameType(a.type, b.type)
  );
}

export function pointerTo(pointee: QualifiedType): PointerType {
  return { kind: 'pointer', pointee };
}

/**
 * An array of `element`. As C has it, qualifiers belong to the elements; the address space belongs to the array, so
 * that one place says where the whole object lives.
 */
export function arrayOf(element: QualifiedType, length: number | undefined): QualifiedType {
  const array: ArrayType = {
    kind: 'array',
    element: withSpace(element, undefined),
    length,
  };
  return qualifiedType(array, element.isConst, element.isVolatile, false, element.space, undefined);
}

/** The element of an array object, which lives where the array lives and is as constant as it. */
export function elementObject(array: QualifiedType & { type: ArrayType }): QualifiedType {
  const { element } = array.type;
  const isConst = element.isConst || array.isConst;
  const isVolatile = element.isVolatile || array.isVolatile;
  const space = array.space ?? element.space;
  const { type, isRestrict, alias, align } = element;
  return qualifiedType(type, isConst, isVolatile, isRestrict, space, alias, align);
}

/** A field of an object, which lives where the object lives. */
export function fieldObject(object: QualifiedType, field: Field): QualifiedType {
  const { type, isConst, isVolatile, isRestrict, alias, align } = field.type;
  return qualifiedType(
    type,
    isConst || object.isConst,
    isVolatile || object.isVolatile,
    isRestrict,
    object.space,
    alias,
    align,
  );
}

/** The type of the value of an object: no qualifiers, no place, but the name it was written with. */
export function valueType(type: QualifiedType): QualifiedType {
  if (!type.isConst && !type.isVolatile && !type.isRestrict && type.space === undefined) return type;
  return type.alias === undefined ? unqualified(type.type) : namedValue(type.type, type.alias);
}

/** What an atomic object holds; any other type as it is. */
export function withoutAtomic(type: QualifiedType): QualifiedType {
  return type.type.kind === 'atomic' ? { ...type, type: type.type.value, alias: undefined } : type;
}

export function withSpace(type: QualifiedType, space: AddressSpace | undefined): QualifiedType {
  if (type.space === space) return type;
  const { isConst, isVolatile, isRestrict, alias, align } = type;
  return qualifiedType(type.type, isConst, isVolatile, isRestrict, space, alias, align);
}

/** The signed integer of a width, which comparisons of vectors give. */
export function signedOfSize(size: number): ArithmeticType {
  if (size === 1) return arithmeticTypes.char;
  if (size === 2) return arithmeticTypes.short;
  return size === 4 ? arithmeticTypes.int : arithmeticTypes.long;
}

/**
 * The first field at any depth that is wanted. Each struct in it is looked into once, however often it occurs: one of four
 * structs of four others, and so on, soon has more fields than anybody can look at.
 * @param throughArrays whether the elements of arrays are looked into as well
 */
export function findNestedField(
  record: RecordType,
  isWanted: (field: Field) => boolean,
  throughArrays: boolean,
  seen = new Set<RecordType>(),
): Field | undefined {
  seen.add(record);
  for (const field of record.fields ?? []) {
    if (isWanted(field)) return field;
    let { type } = field.type;
    while (throughArrays && type.kind === 'array') type = type.element.type;
    if (type.kind !== 'record' || seen.has(type)) continue;
    const inner = findNestedField(type, isWanted, throughArrays, seen);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** A field by name with the way to it through anonymous members, outermost first. */
export function findField(record: RecordType, name: string): readonly Field[] | undefined {
  if (record.fields === undefined) return undefined;
  let ways = waysToFields.get(record.fields);
  if (ways === undefined) {
    ways = findWays(record.fields);
    waysToFields.set(record.fields, ways);
  }
  return ways.get(name);
}

/** Of records that have been asked: each may have thousands of fields, and be asked for each of them. */
const waysToFields = new WeakMap<readonly Field[], ReadonlyMap<string, readonly Field[]>>();

/** The ways to all fields by name; the first counts where a wrong program has several. */
function findWays(fields: readonly Field[]): Map<string, readonly Field[]> {
  const ways = new Map<string, readonly Field[]>();
  for (const field of fields) {
    const { type } = field.type;
    if (field.name !== undefined) {
      if (!ways.has(field.name)) ways.set(field.name, [field]);
    } else if (type.kind === 'record' && type.fields !== undefined) {
      for (const [name, inner] of findWays(type.fields)) {
        if (!ways.has(name)) ways.set(name, [field, ...inner]);
      }
    }
  }
  return ways;
}
