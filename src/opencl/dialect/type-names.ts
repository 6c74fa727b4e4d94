/**
 * The type names of OpenCL C that are no keywords (OpenCL 1.2, 6.1): unsigned short forms, vectors, size_t and its
 * like, and opaque types. A program may declare them anew.
 */
import { arrayOf } from '../../c/type-facts.ts';
import {
  type ArithmeticName,
  arithmeticTypes,
  atomicTypes,
  type OpaqueType,
  type QualifiedType,
  type RecordType,
  unqualified,
  vectorType,
} from '../../c/types.ts';
import { rangeFields } from '../../ir/device-queues.ts';
import { depthTypeNames, type ImageAccess, imageTypeNames } from '../../ir/images.ts';
import { noSpan } from '../../source/span.ts';
import type { OpenCLVersion } from './options.ts';

const lanes = [2, 3, 4, 8, 16] as const;
const elements: readonly ArithmeticName[] = [
  'char',
  'uchar',
  'short',
  'ushort',
  'int',
  'uint',
  'long',
  'ulong',
  'float',
  'double',
  'half',
];

/** One object for each opaque type, so that equal types are the same object. */
const opaqueTypes = new Map<string, OpaqueType>();

/** @param access for images, and only for them */
export function opaqueType(name: string, access?: ImageAccess): OpaqueType {
  const key = access === undefined ? name : `${access} ${name}`;
  let type = opaqueTypes.get(key);
  if (type === undefined) {
    type = access === undefined ? { kind: 'opaque', name } : { kind: 'opaque', name, access };
    opaqueTypes.set(key, type);
  }
  return type;
}

/** A pipe with packets of a type, which a function may read unless it says otherwise (OpenCL 2.0, 6.13.16). */
export function pipeType(packet: QualifiedType, access: ImageAccess = 'read_only'): OpaqueType {
  return { kind: 'opaque', name: 'pipe', access, packet };
}

/** What packets are reserved by: a number of 64 bits on every device (src/library/pipes.cl). */
export const reserveIdType: OpaqueType = { kind: 'opaque', name: 'reserve_id_t', size: 8 };

/** Handles of what kernels launch others with; a program can store and compare them (OpenCL 2.0, 6.1.1). */
export const queueTypes: readonly string[] = ['queue_t', 'clk_event_t'];

const rangeTypes = new Map<number, RecordType>();

/** ndrange_t: a struct whose fields have names that no program can say. */
export function rangeType(addressBits: 32 | 64): RecordType {
  let type = rangeTypes.get(addressBits);
  if (type === undefined) {
    const bytes = addressBits === 64 ? 8 : 4;
    const { uint, ulong } = arithmeticTypes;
    const sizes = arrayOf(unqualified(addressBits === 64 ? ulong : uint), 3);
    const at = rangeFields(bytes);
    const field = (name: string, fieldType: QualifiedType, offset: number) => ({
      name,
      type: fieldType,
      offset,
      span: noSpan,
    });
    type = {
      kind: 'record',
      union: false,
      tag: 'ndrange_t',
      fields: [
        field('<dimensions>', unqualified(uint), at.dimensions),
        field('<offset>', sizes, at.offset),
        field('<global>', sizes, at.global),
        field('<local>', sizes, at.local),
      ],
      size: at.size,
      align: bytes,
      nesting: 1,
      span: noSpan,
    };
    rangeTypes.set(addressBits, type);
  }
  return type;
}

export function openclTypeNames(
  version: OpenCLVersion,
  addressBits: 32 | 64,
): ReadonlyMap<string, QualifiedType> {
  const names = new Map<string, QualifiedType>();
  const { uchar, ushort, uint, ulong, int, long } = arithmeticTypes;
  for (const type of [uchar, ushort, uint, ulong]) names.set(type.name, unqualified(type));
  for (const name of elements) {
    for (const count of lanes)
      names.set(`${name}${count}`, unqualified(vectorType(arithmeticTypes[name], count)));
  }
  const unsigned = addressBits === 64 ? ulong : uint;
  const signed = addressBits === 64 ? long : int;
  for (const name of ['size_t', 'uintptr_t']) names.set(name, { ...unqualified(unsigned), alias: name });
  for (const name of ['ptrdiff_t', 'intptr_t']) names.set(name, { ...unqualified(signed), alias: name });
  names.set('cl_mem_fence_flags', { ...unqualified(uint), alias: 'cl_mem_fence_flags' });
  // An image without a qualifier may only be read (OpenCL 1.2, 6.6).
  const later: readonly string[] = version < 200 ? depthTypeNames : [];
  for (const name of imageTypeNames) {
    if (!later.includes(name)) names.set(name, unqualified(opaqueType(name, 'read_only')));
  }
  for (const name of ['sampler_t', 'event_t']) names.set(name, unqualified(opaqueType(name)));
  if (version >= 200) {
    for (const [name, type] of Object.entries(atomicTypes)) names.set(name, unqualified(type));
    const { atomic_int, atomic_uint, atomic_long, atomic_ulong } = atomicTypes;
    const atomicUnsigned = unqualified(addressBits === 64 ? atomic_ulong : atomic_uint);
    const atomicSigned = unqualified(addressBits === 64 ? atomic_long : atomic_int);
    for (const name of ['atomic_size_t', 'atomic_uintptr_t'])
      names.set(name, { ...atomicUnsigned, alias: name });
    for (const name of ['atomic_ptrdiff_t', 'atomic_intptr_t'])
      names.set(name, { ...atomicSigned, alias: name });
    for (const name of ['memory_order', 'memory_scope'])
      names.set(name, { ...unqualified(int), alias: name });
    names.set('reserve_id_t', unqualified(reserveIdType));
    names.set('ndrange_t', { ...unqualified(rangeType(addressBits)), alias: 'ndrange_t' });
    for (const name of ['kernel_enqueue_flags_t', 'clk_profiling_info'])
      names.set(name, { ...unqualified(int), alias: name });
    for (const name of queueTypes) names.set(name, unqualified(opaqueType(name)));
  }
  return names;
}

/** The type that `as_T` names, or undefined where it names none. */
export function reinterpretTarget(
  name: string,
  typeNames: ReadonlyMap<string, QualifiedType>,
): QualifiedType | undefined {
  if (!name.startsWith('as_')) return undefined;
  const target = name.slice(3);
  const scalar = Object.hasOwn(arithmeticTypes, target)
    ? arithmeticTypes[target as ArithmeticName]
    : undefined;
  if (scalar !== undefined) return scalar.name === 'bool' ? undefined : unqualified(scalar);
  const type = typeNames.get(target);
  return type?.type.kind === 'vector' || type?.type.kind === 'arithmetic'
    ? unqualified(type.type)
    : undefined;
}
