/** The types that generated kernels use: OpenCL C's scalars and vectors, and arrays, structs and unions of them. */

export const integerNames = ['char', 'uchar', 'short', 'ushort', 'int', 'uint', 'long', 'ulong'] as const;
export type IntegerName = (typeof integerNames)[number];
export type FloatName = 'float' | 'double';
export type ElementName = IntegerName | FloatName | 'bool';
export const vectorLanes = [2, 3, 4, 8, 16] as const;
export type Lanes = 1 | (typeof vectorLanes)[number];

/** A scalar (one lane) or a vector. */
export interface ValueType {
  readonly kind: 'value';
  readonly element: ElementName;
  readonly lanes: Lanes;
}

/** Lengths are powers of two, so that an index is made safe by a mask. */
export interface ArrayType {
  readonly kind: 'array';
  readonly element: DataType;
  readonly length: number;
}

/** A struct or union with a tag. All members of a union have the same size, so that each covers the others. */
export interface RecordType {
  readonly kind: 'record';
  readonly name: string;
  readonly isUnion: boolean;
  readonly members: readonly { readonly name: string; readonly type: DataType }[];
}

export type DataType = ValueType | ArrayType | RecordType;

export function valueType(element: ElementName, lanes: Lanes = 1): ValueType {
  return { kind: 'value', element, lanes };
}

export const int = valueType('int');
export const uint = valueType('uint');
export const ulong = valueType('ulong');

/** As OpenCL C spells a value type or a record. */
export function typeName(type: ValueType | RecordType): string {
  if (type.kind === 'record') return `${type.isUnion ? 'union' : 'struct'} ${type.name}`;
  return type.lanes === 1 ? type.element : `${type.element}${type.lanes}`;
}

/** `T name[2][4]`: the declaration of a variable without initialiser. */
export function declaration(type: DataType, name: string): string {
  if (type.kind === 'array') return declaration(type.element, `${name}[${type.length}]`);
  return `${typeName(type)} ${name}`;
}

export function sameType(a: DataType, b: DataType): boolean {
  if (a.kind === 'value') return b.kind === 'value' && a.element === b.element && a.lanes === b.lanes;
  if (a.kind === 'array')
    return b.kind === 'array' && a.length === b.length && sameType(a.element, b.element);
  return a === b;
}

export function isFloat(element: ElementName): element is FloatName {
  return element === 'float' || element === 'double';
}

export function isInteger(element: ElementName): element is IntegerName {
  return !isFloat(element) && element !== 'bool';
}

export function isSigned(element: ElementName): boolean {
  return element === 'char' || element === 'short' || element === 'int' || element === 'long';
}

export function elementBytes(element: ElementName): 1 | 2 | 4 | 8 {
  switch (element) {
    case 'bool':
    case 'char':
    case 'uchar':
      return 1;
    case 'short':
    case 'ushort':
      return 2;
    case 'int':
    case 'uint':
    case 'float':
      return 4;
    default:
      return 8;
  }
}

export function signedOf(bytes: number): IntegerName {
  return bytes === 1 ? 'char' : bytes === 2 ? 'short' : bytes === 4 ? 'int' : 'long';
}

export function unsignedOf(bytes: number): IntegerName {
  return bytes === 1 ? 'uchar' : bytes === 2 ? 'ushort' : bytes === 4 ? 'uint' : 'ulong';
}

/** The type in which C computes with two integers (C99, 6.3.1.8): at least int, the wider, unsigned if that is. */
export function commonInteger(a: ElementName, b: ElementName): IntegerName {
  const promoted = [a, b].map((name) => (elementBytes(name) < 4 ? 'int' : (name as IntegerName)));
  const bytes = Math.max(elementBytes(promoted[0]!), elementBytes(promoted[1]!));
  const isUnsigned = promoted.some((name) => elementBytes(name) === bytes && !isSigned(name));
  return isUnsigned ? unsignedOf(bytes) : signedOf(bytes);
}

export function sizeOf(type: DataType): number {
  if (type.kind === 'value') return elementBytes(type.element) * (type.lanes === 3 ? 4 : type.lanes);
  if (type.kind === 'array') return sizeOf(type.element) * type.length;
  const { size, align } = layOut(type);
  return Math.ceil(size / align) * align;
}

export function alignOf(type: DataType): number {
  if (type.kind === 'value') return sizeOf(type);
  if (type.kind === 'array') return alignOf(type.element);
  return layOut(type).align;
}

/** Where a record's members lie, in bytes from its start. */
export function offsetsOf(type: RecordType): number[] {
  return layOut(type).offsets;
}

/** Whether some bytes of it belong to no value: a store may or may not change those. */
export function hasPadding(type: DataType): boolean {
  if (type.kind === 'value') return type.lanes === 3;
  if (type.kind === 'array') return hasPadding(type.element);
  const used = type.members.map((member) => sizeOf(member.type));
  const total = type.isUnion ? Math.max(...used) : used.reduce((a, b) => a + b);
  return total < sizeOf(type) || type.members.some((member) => hasPadding(member.type));
}

function layOut(type: RecordType): { size: number; align: number; offsets: number[] } {
  let size = 0;
  let align = 1;
  const offsets: number[] = [];
  for (const member of type.members) {
    const memberAlign = alignOf(member.type);
    const at = type.isUnion ? 0 : Math.ceil(size / memberAlign) * memberAlign;
    offsets.push(at);
    size = Math.max(size, at + sizeOf(member.type));
    align = Math.max(align, memberAlign);
  }
  return { size, align, offsets };
}
