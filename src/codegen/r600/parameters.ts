/**
 * Where a kernel finds its arguments: numbers in a constant buffer, four words an element, each argument beginning a new one;
 * buffers and textures as numbered resources. Compute kernels have the sizes of the launch in a constant buffer before that.
 */

import { imageTypeFacts, samplerType } from '../../ir/images.ts';
import type * as ir from '../../ir/ir.ts';
import { elementOf, type Type } from '../../ir/types.ts';
import type { Channel, Source } from './operations.ts';
import type { ParameterRole, ParameterRoles } from './roles.ts';

/** The elements of constant buffer 0 that a compute kernel reads its launch from; channels are dimensions. */
export const launchConstants = { globalSize: 0, localSize: 1, groups: 2, offset: 3, dimensions: 4 } as const;

/** Constant buffers that a program has. */
const constantBuffers = 16;

export interface ParameterPlace {
  readonly parameter: ir.Parameter;
  readonly role: ParameterRole | undefined;
  /** Of what lies in the constant buffer: its first element. */
  readonly constant: number;
  /** Of buffers, textures, outputs and samplers: their number among their like. */
  readonly resource: number;
}

export class Parameters {
  readonly places: readonly ParameterPlace[];
  readonly byValue: ReadonlyMap<ir.Value, number>;
  /** The constant buffer with the arguments, and that with the sizes of the launch. */
  readonly buffer: number;
  readonly launchBuffer: number;

  constructor(fn: ir.Function, roles: ParameterRoles, isCompute: boolean) {
    const own = new Set(
      [...roles.values()].flatMap((role) => (role.kind === 'constants' ? role.buffer : [])),
    );
    // Kernels with constant buffers of their own count these from 0 on; the driver's are then the last.
    const free = Array.from({ length: constantBuffers }, (_, index) => constantBuffers - 1 - index).filter(
      (buffer) => !own.has(buffer),
    );
    this.buffer = own.size > 0 ? (free[0] ?? constantBuffers) : isCompute ? 1 : 0;
    this.launchBuffer = own.size > 0 ? (free[1] ?? constantBuffers) : 0;
    const next = { constant: 0, texture: 0, sampler: 0, buffer: 0, output: 0 };
    this.places = fn.parameters.map((parameter, index): ParameterPlace => {
      const role = roles.get(index);
      const { type } = parameter.value;
      const image = imageTypeFacts(type);
      const place = (kind: 'texture' | 'sampler' | 'buffer' | 'output'): ParameterPlace => {
        const resource = next[kind];
        next[kind] += 1;
        return { parameter, role, constant: next.constant, resource };
      };
      if (image) return place(image.access === 'write_only' ? 'output' : 'texture');
      if (type === samplerType) return place('sampler');
      if (role && role.kind !== 'bound') return { parameter, role, constant: -1, resource: -1 };
      const isBuffer = type.kind === 'pointer' && !parameter.aggregate;
      const found = isBuffer ? place('buffer') : { parameter, role, constant: next.constant, resource: -1 };
      next.constant += Math.ceil((parameter.aggregate?.size ?? wordsOf(type) * 4) / 16);
      return found;
    });
    this.byValue = new Map(this.places.map(({ parameter }, index) => [parameter.value, index]));
  }

  /** A word of an argument. */
  word(index: number, word: number): Source {
    const { constant } = this.places[index]!;
    return {
      kind: 'constant',
      buffer: this.buffer,
      index: constant + (word >> 2),
      channel: (word & 3) as Channel,
    };
  }
}

/** Words of a value in registers: short integers and truth values take one each. */
export function wordsOf(type: Type): number {
  const lanes = type.kind === 'vector' ? type.lanes : 1;
  return lanes * laneWords(type);
}

export function laneWords(type: Type): 1 | 2 {
  const element = elementOf(type);
  return (element.kind === 'float' || element.kind === 'int') && element.bits === 64 ? 2 : 1;
}

/** Bytes of a value in memory. */
export function memoryBytes(type: Type): number {
  const element = elementOf(type);
  const lanes = type.kind === 'vector' ? type.lanes : 1;
  const size = element.kind === 'int' || element.kind === 'float' ? element.bits / 8 : 4;
  return lanes * size;
}
