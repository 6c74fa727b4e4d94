/**
 * The types of C and its dialects, as the checker knows them and as lowering reads them.
 *
 * Arithmetic and vector types are shared objects, so equal types are the same object (`===`). Records and
 * enumerations are equal only to themselves. Pointers, arrays and functions are compared by `sameType` of
 * type-facts.ts. Qualifiers are not part of a type but
 * of a {@link QualifiedType}, the pair that declarations, expressions, pointees and fields carry.
 */
import type { Span } from '../source/span.ts';
import type { Expression } from './ast.ts';

/** Where a variable lives or a pointer points (OpenCL 1.2, 6.5). Plain C has only `private`. */
export type AddressSpace = 'private' | 'local' | 'global' | 'constant' | 'generic';

export interface VoidType {
  readonly kind: 'void';
}

/** C's integer and floating types under the names OpenCL gives them. `char` is signed. */
export type ArithmeticName =
  | 'bool'
  | 'char'
  | 'uchar'
  | 'short'
  | 'ushort'
  | 'int'
  | 'uint'
  | 'long'
  | 'ulong'
  | 'half'
  | 'float'
  | 'double';

export interface ArithmeticType {
  readonly kind: 'arithmetic';
  readonly name: ArithmeticName;
  readonly floating: boolean;
  /** Signed integer. False for bool, unsigned and floating types. */
  readonly signed: boolean;
  /** Size and alignment in bytes. */
  readonly size: 1 | 2 | 4 | 8;
}

/** n is 2, 3, 4, 8 or 16; a vector of 3 has the size and alignment of one of 4 (OpenCL 1.2, 6.1.5). */
export interface VectorType {
  readonly kind: 'vector';
  readonly element: ArithmeticType;
  readonly lanes: 2 | 3 | 4 | 8 | 16;
  readonly size: number;
}

export interface PointerType {
  readonly kind: 'pointer';
  /** Its `space` is the space pointed to; never undefined here. */
  readonly pointee: QualifiedType;
}

export interface ArrayType {
  readonly kind: 'array';
  readonly element: QualifiedType;
  /** Undefined for `[]` whose size is not known yet, and for an array of variable length. */
  readonly length: number | undefined;
  /** Set for an array of variable length (C99, 6.7.5.2): how many elements it has, computed at its declaration. */
  readonly count?: Expression | undefined;
}

/** Where a bit-field lies. */
export interface Bits {
  readonly width: number;
  /** Its lowest bit in the unit of its type at `offset`; of a packed one, in the byte there. */
  readonly shift: number;
  /** It takes what bytes it needs from there on, as many units as they may lie in. */
  readonly isPacked: boolean;
}

export interface Field {
  /** Undefined for an anonymous struct or union member, whose own fields are reached through this one. */
  readonly name: string | undefined;
  readonly type: QualifiedType;
  /** Bytes from the start of the record; of a bit-field, the start of the unit that holds it. */
  readonly offset: number;
  /** Set for a bit-field (plain C only). */
  readonly bits?: Bits | undefined;
  readonly span: Span;
}

/** A struct or union. Filled in when its definition has been read. */
export interface RecordType {
  readonly kind: 'record';
  readonly union: boolean;
  /** Undefined if anonymous. */
  readonly tag: string | undefined;
  /** Undefined while incomplete. */
  fields: readonly Field[] | undefined;
  size: number;
  align: number;
  /** How many records lie within one another: 0 while incomplete. */
  nesting: number;
  readonly span: Span;
}

export interface EnumType {
  readonly kind: 'enum';
  readonly tag: string | undefined;
  /** The integer type that carries it: int or uint. Undefined while incomplete. */
  underlying: ArithmeticType | undefined;
  readonly span: Span;
}

export interface FunctionType {
  readonly kind: 'function';
  readonly result: QualifiedType;
  readonly parameters: readonly QualifiedType[];
  readonly variadic: boolean;
  /** `f()` in plain C: nothing is known of the parameters. OpenCL C reads it as `f(void)`. */
  readonly unprototyped: boolean;
}

/** image2d_t, sampler_t, event_t and other types a program can only pass on. */
export interface OpaqueType {
  readonly kind: 'opaque';
  readonly name: string;
  /** What may be done with an image or a pipe; part of its type. */
  readonly access?: 'read_only' | 'write_only' | 'read_write' | undefined;
  /** The type of a pipe's packets; part of its type. */
  readonly packet?: QualifiedType | undefined;
  /** Bytes of a value, where that is not an address. */
  readonly size?: number | undefined;
}

/**
 * An object that changes as a whole. In OpenCL C only the atomic functions touch it: `atomic_int` (OpenCL 2.0, 6.13.11.6). In C
 * (C11, 6.2.5 27) each read, write and compound assignment of it is atomic. It has the size and alignment of its value.
 */
export interface AtomicType {
  readonly kind: 'atomic';
  /** How OpenCL C writes it; undefined in C, where it is `_Atomic(value)`. */
  readonly name: string | undefined;
  readonly value: ArithmeticType | EnumType | PointerType;
}

/**
 * A block (OpenCL 2.0, 6.12.5): a function that has the values of variables around it with it. Which one a variable
 * of this type means is known when the program is compiled.
 */
export interface BlockType {
  readonly kind: 'block';
  readonly function: FunctionType;
}

export type CType =
  | VoidType
  | ArithmeticType
  | VectorType
  | PointerType
  | ArrayType
  | RecordType
  | EnumType
  | FunctionType
  | OpaqueType
  | AtomicType
  | BlockType;

/** A type with its qualifiers. `space` is where the object lives; undefined where nothing lives (values). */
export interface QualifiedType {
  readonly type: CType;
  readonly isConst: boolean;
  readonly isVolatile: boolean;
  readonly isRestrict: boolean;
  readonly space: AddressSpace | undefined;
  /** The typedef name it was written with, for diagnostics: `uint4`, `POINT`. */
  readonly alias?: string | undefined;
  /** The alignment in bytes that a typedef gives objects of this type; undefined where it is the type's own. */
  readonly align?: number | undefined;
}

export const voidType: VoidType = { kind: 'void' };

function arithmetic(
  name: ArithmeticName,
  size: 1 | 2 | 4 | 8,
  signed: boolean,
  floating = false,
): ArithmeticType {
  return { kind: 'arithmetic', name, floating, signed, size };
}

/** Every arithmetic type by its OpenCL name. */
export const arithmeticTypes: Readonly<Record<ArithmeticName, ArithmeticType>> = {
  bool: arithmetic('bool', 1, false),
  char: arithmetic('char', 1, true),
  uchar: arithmetic('uchar', 1, false),
  short: arithmetic('short', 2, true),
  ushort: arithmetic('ushort', 2, false),
  int: arithmetic('int', 4, true),
  uint: arithmetic('uint', 4, false),
  long: arithmetic('long', 8, true),
  ulong: arithmetic('ulong', 8, false),
  half: arithmetic('half', 2, false, true),
  float: arithmetic('float', 4, false, true),
  double: arithmetic('double', 8, false, true),
};

function atomic<Value extends AtomicType['value']>(name: string | undefined, value: Value) {
  return { kind: 'atomic', name, value } as const;
}

const atomics = new Map<AtomicType['value'], AtomicType>();

/** C's `_Atomic(value)`. */
export function atomicType(value: AtomicType['value']): AtomicType {
  if (value.kind === 'pointer') return atomic(undefined, value);
  let type = atomics.get(value);
  if (!type) {
    type = atomic(undefined, value);
    atomics.set(value, type);
  }
  return type;
}

/** Every atomic type by its name. */
export const atomicTypes = {
  atomic_int: atomic('atomic_int', arithmeticTypes.int),
  atomic_uint: atomic('atomic_uint', arithmeticTypes.uint),
  atomic_long: atomic('atomic_long', arithmeticTypes.long),
  atomic_ulong: atomic('atomic_ulong', arithmeticTypes.ulong),
  atomic_float: atomic('atomic_float', arithmeticTypes.float),
  atomic_double: atomic('atomic_double', arithmeticTypes.double),
  atomic_flag: atomic('atomic_flag', arithmeticTypes.int),
} as const;

const vectors = new Map<string, VectorType>();

/** The vector type of `lanes` elements. */
export function vectorType(element: ArithmeticType, lanes: VectorType['lanes']): VectorType {
  const key = `${element.name}${lanes}`;
  let type = vectors.get(key);
  if (!type) {
    type = { kind: 'vector', element, lanes, size: element.size * (lanes === 3 ? 4 : lanes) };
    vectors.set(key, type);
  }
  return type;
}

/** Of the types that most values have, one object each: checking makes millions of values. */
const commonValues = new Map<CType, QualifiedType>();

/** An unqualified type that is nowhere in memory: the type of a value. */
export function unqualified(type: CType): QualifiedType {
  if (type.kind !== 'arithmetic' && type.kind !== 'vector' && type.kind !== 'void') return namedValue(type);
  let value = commonValues.get(type);
  if (value === undefined) {
    value = namedValue(type);
    commonValues.set(type, value);
  }
  return value;
}

/** The same under the name of a typedef. */
export function namedValue(type: CType, alias?: string): QualifiedType {
  return qualifiedType(type, false, false, false, undefined, alias);
}

/** Where types are made often, they are made here: all have one shape then, which the engine reads fastest. */
export function qualifiedType(
  type: CType,
  isConst: boolean,
  isVolatile: boolean,
  isRestrict: boolean,
  space: AddressSpace | undefined,
  alias: string | undefined,
  align?: number,
): QualifiedType {
  return { type, isConst, isVolatile, isRestrict, space, alias, align };
}
