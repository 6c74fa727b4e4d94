/** From a pattern to the types of one function that it stands for, when what its letters mean is known. */
import {
  type AddressSpace,
  type ArithmeticName,
  type ArithmeticType,
  arithmeticTypes,
  atomicTypes,
  type CType,
  type QualifiedType,
  unqualified,
  vectorType,
  voidType,
} from '../../c/types.ts';
import type { ImageAccess } from '../../ir/images.ts';
import { opaqueType, rangeType } from '../dialect/type-names.ts';
import type { Lanes, PatternType } from './patterns.ts';

/** What the letters of a pattern mean for one call. */
export interface Binding {
  readonly element: ArithmeticType;
  readonly lanes: Lanes;
  readonly maskLanes: Lanes;
  readonly space: AddressSpace;
  readonly addressBits: 32 | 64;
}

/** Whether values of every type fit. */
export function isAnything(type: PatternType): boolean {
  return type.kind === 'value' && type.letter === 'x';
}

/** The type of a parameter or result. */
export function instantiate(type: PatternType, binding: Binding): QualifiedType {
  if (type.kind === 'value') return unqualified(typeOfLetter(type.letter, binding));
  const pointee: QualifiedType = {
    type: typeOfLetter(type.pointee, binding),
    isConst: type.isConst,
    isVolatile: type.isVolatile,
    isRestrict: false,
    space: type.space === '@' ? binding.space : type.space,
  };
  return unqualified({ kind: 'pointer', pointee });
}

function typeOfLetter(letter: string, binding: Binding): CType {
  const { element, lanes } = binding;
  switch (letter) {
    case 'T':
      return shaped(element, lanes);
    case 'E':
      return element;
    case 'S':
      return shaped(integerOfSize(element.size, true), lanes);
    case 'U':
      return shaped(integerOfSize(element.size, false), lanes);
    case 'I':
      return shaped(arithmeticTypes.int, lanes);
    case 'W':
      return shaped(integerOfSize(element.size * 2, element.signed), lanes);
    case 'R':
      return lanes === 1 ? arithmeticTypes.int : shaped(integerOfSize(element.size, true), lanes);
    case 'M':
      return shaped(integerOfSize(element.size, false), binding.maskLanes);
    case 'N':
      return shaped(element, binding.maskLanes);
    case 'u':
      return arithmeticTypes.uint;
    case 'z':
      return binding.addressBits === 32 ? arithmeticTypes.uint : arithmeticTypes.ulong;
    case 'v':
      return voidType;
    case 'h':
      return arithmeticTypes.half;
    case 'c':
      return arithmeticTypes.char;
    case 'e':
      return opaqueType('event_t');
    case 'b':
      return arithmeticTypes.bool;
    case 'A':
      return atomicOf(element);
    case 'F':
      return atomicTypes.atomic_flag;
    case 'i':
      return arithmeticTypes.int;
    case 'ndrange_t':
      return rangeType(binding.addressBits);
    default:
      return namedType(letter);
  }
}

/** The atomic type that holds an element. */
function atomicOf(element: ArithmeticType): CType {
  const types: Readonly<Record<string, CType>> = atomicTypes;
  return types[`atomic_${element.name}`] ?? element;
}

const namedTypes = new Map<string, CType>();

/** The type of a name in a pattern: `float4`, `sampler_t`, `read_only image2d_t`. */
function namedType(name: string): CType {
  let type = namedTypes.get(name);
  if (type === undefined) {
    const [, element = '', lanes = '1'] = /^(float|half|int|uint)(2|4)?$/.exec(name) ?? [];
    const [first, image] = name.split(' ') as [string, string | undefined];
    if (element !== '') type = shaped(arithmeticTypes[element as ArithmeticName], Number(lanes) as Lanes);
    else if (image === undefined) type = opaqueType(first);
    else type = opaqueType(image, first as ImageAccess);
    namedTypes.set(name, type);
  }
  return type;
}

/** A scalar, or a vector of several. */
export function shaped(element: ArithmeticType, lanes: Lanes): CType {
  return lanes === 1 ? element : vectorType(element, lanes);
}

const signedNames: Readonly<Record<number, ArithmeticName>> = { 1: 'char', 2: 'short', 4: 'int', 8: 'long' };
const unsignedNames: Readonly<Record<number, ArithmeticName>> = {
  1: 'uchar',
  2: 'ushort',
  4: 'uint',
  8: 'ulong',
};

function integerOfSize(size: number, signed: boolean): ArithmeticType {
  return arithmeticTypes[(signed ? signedNames : unsignedNames)[size] ?? 'int'];
}
