/**
 * The entry of a kernel that runs over a domain: each work-item finds its position, loads the elements of the input
 * streams there, calls the kernel's function and stores the outputs.
 *
 * Arguments, which the runtime sets in this order: of each parameter the value, or the buffer and its shape; then the sizes of
 * the domain, its origin, and the sizes that input streams are read as if they had.
 */
import type { CheckedKernel, Formal } from '../check/tree.ts';
import type { ElementType } from '../types.ts';
import { zeroOf } from './expressions.ts';
import { emitFunction } from './functions.ts';
import { insideSubscripts } from './inside.ts';
import {
  formalName,
  functionName,
  placeName,
  shapeName,
  sharedName,
  storedTypeText,
  typeText,
} from './names.ts';
import { Source } from './source.ts';
import { indexAt, load, resizedPlace, store, toFirst } from './storage.ts';

/** How a launch differs from the simplest one, which lets the entry be simpler where it does not. */
export interface MapVariant {
  /** Dimensions of the domain, from 1 to 4; those behind have the size 1. */
  readonly rank: number;
  /** Input streams have other sizes than the domain and are read as if they had its. */
  readonly isResized: boolean;
  /** Threads are counted along the rows, because groups do not fit in one. */
  readonly isLinear: boolean;
  /** The domain begins at the first element, as it mostly does: positions are then what loads can share from row to row. */
  readonly isAtOrigin: boolean;
  /** Arrays are so large that the subscripts of inside.ts are inside. */
  readonly isInside: boolean;
  /** Statements say which lines of the .br file they come from: for tools. Default false. */
  readonly hasLines?: boolean | undefined;
}

/** The name of the entry in the program that {@link emitMap} makes. */
export const entryName = (kernel: CheckedKernel): string => `brook_kernel_${kernel.name}`;

/** Where a work-item stands; what lies behind the rank is 0, so that addresses have few terms. */
function positions(rank: number, isAtOrigin: boolean): readonly string[] {
  const slices = rank > 3 ? '(uint)get_global_id(2) % size.z' : '(uint)get_global_id(2)';
  const terms = [
    '(uint)get_global_id(0)',
    '(uint)get_global_id(1)',
    slices,
    '(uint)get_global_id(2) / size.z',
  ];
  const moved = (term: string, axis: number): string =>
    isAtOrigin ? `(int)(${term})` : `(int)(${term} + origin.${'xyzw'[axis]})`;
  const places = terms.map((term, axis) => (axis < rank ? moved(term, axis) : '0'));
  return [`int4 at = (int4)(${places.join(', ')});`];
}

const linearPositions: readonly string[] = [
  'uint last = size.x * size.y * size.z * size.w - 1;',
  'uint thread = min((uint)get_global_id(0), last);',
  'int4 at = (int4)((int)(thread % size.x), (int)(thread / size.x % size.y), (int)(thread / size.x / size.y % size.z), (int)(thread / size.x / size.y / size.z));',
  'at += convert_int4(origin);',
];

/** The program, as OpenCL C, that launches a kernel over a domain. */
export function emitMap(
  kernel: CheckedKernel,
  { rank, isResized, isLinear, isAtOrigin, isInside, hasLines }: MapVariant,
): string {
  const source = new Source(isInside ? insideSubscripts(kernel).limits : undefined, hasLines);
  emitFunction(source, kernel);
  const { formals, shared, groupSize } = kernel;
  const parameters = [...formals.flatMap(entryParameters), 'uint4 size', 'uint4 origin', 'uint4 whole'];
  const lines = [...(isLinear ? linearPositions : positions(rank, isAtOrigin))];
  const args = ['at'];
  for (const formal of formals) {
    const { role, type } = formal;
    const pointer = role === 'gather' || role === 'scatter' ? formalName(formal) : bufferName(formal);
    if (role !== 'value') lines.push(toFirst(type, pointer, shapeName(formal)));
    lines.push(...beforeCall(source, formal, isResized ? undefined : rank));
    args.push(...callArguments(formal));
  }
  if (shared) {
    const name = sharedName(shared.name);
    lines.unshift(`local ${typeText(shared.type)} ${name}[${shared.size}];`);
    args.push(name);
  }
  if (isLinear) lines.push(`if (get_global_id(0) > last) ${surplus(formals)}`);
  lines.push(`${functionName(kernel.name)}(${args.join(', ')});`);
  for (const formal of formals) {
    if (formal.role !== 'out') continue;
    const index = indexAt(source, placeName(formal), shapeName(formal), rank);
    lines.push(`${store(source, formal.type, bufferName(formal), index, formalName(formal))};`);
  }
  const attribute =
    groupSize === undefined ? '' : `__attribute__((reqd_work_group_size(${groupSize}, 1, 1)))\n`;
  const body = lines.map((line) => `  ${line}\n`).join('');
  source.need('', `${attribute}kernel void ${entryName(kernel)}(${parameters.join(', ')}) {\n${body}}`);
  return source.text;
}

/** A stream's memory: its parameter's own name is that of the element. */
function bufferName(formal: Formal): string {
  return `${formalName(formal)}_data`;
}

function entryParameters(formal: Formal): string[] {
  const { role, type } = formal;
  const shape = `uint8 ${shapeName(formal)}`;
  switch (role) {
    case 'value':
      return type.kind === 'struct'
        ? [`global const ${storedTypeText(type)} *${bufferName(formal)}`]
        : [`${typeText(type)} ${formalName(formal)}`];
    case 'gather':
      return [`global const ${storedTypeText(type)} *${formalName(formal)}`, shape];
    case 'scatter':
      return [`global ${storedTypeText(type)} *${formalName(formal)}`, shape];
    case 'stream':
      return [`global const ${storedTypeText(type)} *${bufferName(formal)}`, shape];
    default:
      return [`global ${storedTypeText(type)} *${bufferName(formal)}`, shape];
  }
}

/** Threads that fill the last group stand nowhere, so that nothing they scatter arrives. */
function surplus(formals: readonly Formal[]): string {
  const streams = formals.filter(({ role }) => role === 'stream').map(placeName);
  return `${[...streams, 'at'].map((place) => `${place} = `).join('')}(int4)(-1);`;
}

/** What an element or a position needs before the call; without a rank streams are resized. */
function beforeCall(source: Source, formal: Formal, rank: number | undefined): string[] {
  const { role, type } = formal;
  const name = formalName(formal);
  const place = placeName(formal);
  switch (role) {
    case 'value':
      if (type.kind !== 'struct') return [];
      return [`${typeText(type)} ${name} = ${load(source, type, bufferName(formal), '0')};`];
    case 'stream': {
      const shape = shapeName(formal);
      const found = rank === undefined ? resizedPlace(source, 'at', shape, 'whole') : 'at';
      const element = load(source, type, bufferName(formal), indexAt(source, place, shape, rank));
      return [`int4 ${place} = ${found};`, `${typeText(type)} ${name} = ${element};`];
    }
    case 'out': {
      return [`int4 ${place} = at;`, `${typeText(type)} ${name} = ${nothing(type)};`];
    }
    default:
      return [];
  }
}

/** What an output has that its kernel does not write. */
function nothing(type: ElementType): string {
  if (type.kind === 'value') return zeroOf(type);
  return `{ ${type.fields.map((field) => nothing(field.type)).join(', ')} }`;
}

function callArguments(formal: Formal): string[] {
  const name = formalName(formal);
  switch (formal.role) {
    case 'value':
      return [name];
    case 'stream':
      return [name, placeName(formal)];
    case 'gather':
    case 'scatter':
      return [name, shapeName(formal)];
    default:
      return [`&${name}`, placeName(formal)];
  }
}
