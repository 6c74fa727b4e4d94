/** Where the numbers of an operand are: a typed array, memory of the device, or a place in it. */
import { DeviceBuffer } from '../api/javascript/device-buffer.ts';
import { SharedMemory } from '../api/javascript/shared-memory.ts';
import { invalid } from '../array/errors.ts';
import { shown } from '../source/shown.ts';
import type { NumberKind } from './number-kinds.ts';

/** Memory of a device: of `program.buffer`, `program.shared`, or `buffer` and `shared` of the library. */
export type Memory = DeviceBuffer | SharedMemory;

/** Device memory from an element on, which `at` makes: what a pointer is in C. */
export class Place {
  readonly memory: Memory;
  /** Numbers of the operand's kind; complex ones count once. */
  readonly first: number;

  constructor(memory: Memory, first: number) {
    this.memory = memory;
    this.first = first;
  }
}

/** Device memory from an element on, as an operand. */
export function at(memory: Memory | Place, first: number): Place {
  const base = memory instanceof Place ? memory : new Place(memory, 0);
  if (!isMemory(base.memory)) throw invalid(`at: the memory is a device's, not ${shown(memory)}`);
  if (!Number.isInteger(first) || base.first + first < 0) {
    throw invalid(`at: element ${shown(first)} is not in the memory`);
  }
  return new Place(base.memory, base.first + first);
}

export const isMemory = (value: unknown): value is Memory =>
  value instanceof DeviceBuffer || value instanceof SharedMemory;

/** What routines take for numbers of a kind; complex ones lie in typed arrays as pairs, real part first. */
export type Operand<A extends Float32Array | Float64Array = Float32Array | Float64Array> = A | Memory | Place;

/** Numbers of an operand that a routine touches. Counts are of parts: of a complex number there are two. */
export interface Extent {
  readonly data: Float32Array | Float64Array | Memory;
  readonly first: number;
  readonly count: number;
}

/** Why an operand is none of a kind, or undefined. */
export function faultOf(value: unknown, { array, parts }: NumberKind): string | undefined {
  if (value instanceof Place || isMemory(value) || value instanceof array) return undefined;
  const pairs = parts === 2 ? ' of pairs' : '';
  return `it is a ${array.name}${pairs} or memory of the device, not ${shown(value)}`;
}

/** The part of an operand that has so many numbers; undefined if it is not so long. */
export function extentOf(value: Operand, kind: NumberKind, numbers: number): Extent | undefined {
  const data = value instanceof Place ? value.memory : value;
  const first = value instanceof Place ? value.first * kind.parts : 0;
  const count = numbers * kind.parts;
  return first + count <= partsIn(data, kind) ? { data, first, count } : undefined;
}

/** How many numbers an operand has from its beginning on. */
export function numbersIn(value: Operand, kind: NumberKind): number {
  const data = value instanceof Place ? value.memory : value;
  const first = value instanceof Place ? value.first : 0;
  return Math.floor(partsIn(data, kind) / kind.parts) - first;
}

function partsIn(data: Extent['data'], { bytes }: NumberKind): number {
  return isMemory(data) ? Math.floor(data.byteLength / bytes) : data.length;
}
