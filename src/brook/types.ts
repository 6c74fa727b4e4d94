/**
 * The types of Brook+ kernels (Stream Computing User Guide, 1.3 and A.6.2): eight scalars, vectors of two to four of
 * them, and structures. There are no pointers, and arrays are kinds of parameters, not types.
 */

export const scalarNames = ['char', 'uchar', 'short', 'ushort', 'int', 'uint', 'float', 'double'] as const;
export type ScalarName = (typeof scalarNames)[number];
export type Width = 1 | 2 | 3 | 4;

/** A scalar (width 1) or a short vector. */
export interface ValueType {
  readonly kind: 'value';
  readonly scalar: ScalarName;
  readonly width: Width;
}

export interface Field {
  readonly name: string;
  readonly type: ElementType;
}

/** A structure of values and structures. */
export interface StructType {
  readonly kind: 'struct';
  readonly name: string;
  /** As C programs write it: `struct Pair`, or the name that a typedef gave. */
  readonly spelling: string;
  readonly fields: readonly Field[];
}

export interface VoidType {
  readonly kind: 'void';
}

/** What streams and arrays are made of. */
export type ElementType = ValueType | StructType;
export type BrookType = ElementType | VoidType;

export const voidType: VoidType = { kind: 'void' };

const bytesOf: Readonly<Record<ScalarName, number>> = {
  char: 1,
  uchar: 1,
  short: 2,
  ushort: 2,
  int: 4,
  uint: 4,
  float: 4,
  double: 8,
};

const values = new Map<string, ValueType>();
for (const scalar of scalarNames) {
  for (const width of [1, 2, 3, 4] as const) {
    const type: ValueType = { kind: 'value', scalar, width };
    if (width <= widest(type)) values.set(width === 1 ? scalar : `${scalar}${width}`, type);
  }
}

/** The value type of a name such as `float4`; undefined if it is none. Types of one name are one object. */
export function valueTypeNamed(name: string): ValueType | undefined {
  return values.get(name);
}

/** The value type of a scalar and a width; doubles have no more than two components. */
export function valueType(scalar: ScalarName, width: number): ValueType {
  return values.get(width === 1 ? scalar : `${scalar}${width}`) ?? values.get(scalar)!;
}

/** How many components a vector of a scalar has at most. */
export function widest({ scalar }: ValueType): Width {
  return scalar === 'double' ? 2 : 4;
}

/** As brcc writes a type in its messages. */
export function typeName(type: BrookType): string {
  switch (type.kind) {
    case 'void':
      return 'void';
    case 'struct':
      return type.name;
    case 'value':
      return type.width === 1 ? type.scalar : `${type.scalar}${type.width}`;
  }
}

export function sameType(left: BrookType, right: BrookType): boolean {
  return left === right || (left.kind === right.kind && typeName(left) === typeName(right));
}

/** Whether elements of two types lie in memory alike: values of one type, or structures whose fields do. */
export function sameElements(left: ElementType, right: ElementType): boolean {
  if (left.kind === 'value' || right.kind === 'value') return sameType(left, right);
  return (
    left.fields.length === right.fields.length &&
    left.fields.every(({ type }, index) => sameElements(type, right.fields[index]!.type))
  );
}

export function isFloating({ scalar }: ValueType): boolean {
  return scalar === 'float' || scalar === 'double';
}

export function scalarBytes(scalar: ScalarName): number {
  return bytesOf[scalar];
}

/** Where promotion leads (A.6.3.2): of two scalars the later one is the type of the result. */
export function promotionRank(scalar: ScalarName): number {
  return scalarNames.indexOf(scalar);
}

/**
 * Size and alignment in bytes of an element as C programs and streams have it: components one after another, aligned as
 * one of them, so that `float3` has 12 bytes and `float4` is aligned to 4.
 */
export function layoutOf(type: ElementType): { readonly size: number; readonly alignment: number } {
  if (type.kind === 'value') {
    const alignment = scalarBytes(type.scalar);
    return { size: alignment * type.width, alignment };
  }
  let size = 0;
  let largest = 1;
  for (const field of type.fields) {
    const { size: bytes, alignment } = layoutOf(field.type);
    size = Math.ceil(size / alignment) * alignment + bytes;
    largest = Math.max(largest, alignment);
  }
  return { size: Math.ceil(size / largest) * largest, alignment: largest };
}
