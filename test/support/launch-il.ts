/**
 * Launches of IL programs where tests describe resources: from these to the bindings, the range and the arguments that a lowered
 * program takes.
 */
import {
  type Bindings,
  defaultFormat,
  type ElementFormat,
  type LoweredParameter,
  type LoweredProgram,
  type SamplerState,
} from '../../src/il/lower/interface.ts';
import { elementBytes } from '../../src/il/lower/texel.ts';
import type { TestArgument, TestRange } from './run-kernel.ts';

export type Numbers =
  | Float32Array
  | Int32Array
  | Uint32Array
  | Float64Array
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array;

export interface TestResource {
  readonly width: number;
  /** default 1 */
  readonly height?: number;
  /** in elements; default the width */
  readonly pitch?: number;
  /** default four floats */
  readonly format?: ElementFormat;
  /** changed in place where the program writes */
  readonly data: Numbers;
}

export interface IlRun {
  /** x, y, width, height; default one position */
  readonly domain?: readonly [number, number, number, number];
  /** groups of a compute program; default one */
  readonly groups?: readonly number[];
  readonly constants?: Readonly<Record<number, Numbers>>;
  readonly inputs?: Readonly<Record<number, TestResource>>;
  readonly outputs?: Readonly<Record<number, TestResource>>;
  readonly samplers?: Readonly<Record<number, SamplerState>>;
  readonly global?: Numbers;
  readonly uavs?: Readonly<Record<number, Numbers>>;
  readonly typedUavs?: Readonly<Record<number, TestResource>>;
}

/** The formats and samplers of a run. */
export function bindingsOf(run: IlRun): Bindings {
  const formats = (list: Readonly<Record<number, TestResource>> = {}): Map<number, ElementFormat> =>
    new Map(Object.entries(list).map(([index, { format }]) => [Number(index), format ?? defaultFormat]));
  return {
    inputs: formats(run.inputs),
    outputs: formats(run.outputs),
    uavs: formats(run.typedUavs),
    samplers: new Map(Object.entries(run.samplers ?? {}).map(([index, state]) => [Number(index), state])),
  };
}

export const bytesOf = (array: Numbers): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

export function rangeOf(
  { groupSize }: LoweredProgram,
  { domain = [0, 0, 1, 1], groups = [1] }: IlRun,
): TestRange {
  if (!groupSize) return { global: [domain[2], domain[3]], local: [domain[2], 1] };
  return {
    global: groupSize.map((size, dimension) => size * (groups[dimension] ?? 1)),
    local: [...groupSize],
  };
}

export function argumentsOf({ parameters }: LoweredProgram, run: IlRun): TestArgument[] {
  const ints = (...numbers: number[]): TestArgument => ({ bytes: bytesOf(Int32Array.from(numbers)) });
  const shape = ({ width, height = 1, pitch = width }: TestResource): TestArgument =>
    ints(width, height, pitch, 0);
  const found = <T>(list: Readonly<Record<number, T>> | undefined, parameter: LoweredParameter): T => {
    const index = 'index' in parameter ? parameter.index : 0;
    const value = list?.[index];
    if (value === undefined) throw new Error(`the test gives no ${parameter.kind} ${index}`);
    return value;
  };
  const argumentFor = (parameter: LoweredParameter): TestArgument => {
    switch (parameter.kind) {
      case 'domain':
        return ints(...(run.domain ?? [0, 0, 1, 1]));
      case 'constants': {
        const bytes = new Uint8Array(parameter.elements * 16);
        bytes.set(bytesOf(found(run.constants, parameter)).subarray(0, bytes.length));
        return { buffer: bytes };
      }
      case 'input':
        return { buffer: bytesOf(checked(found(run.inputs, parameter))) };
      case 'input-shape':
        return shape(found(run.inputs, parameter));
      case 'output':
        return { buffer: bytesOf(checked(found(run.outputs, parameter))) };
      case 'output-shape':
        return shape(found(run.outputs, parameter));
      case 'global':
        return { buffer: bytesOf(run.global!) };
      case 'global-size':
        return ints(run.global!.byteLength / 16);
      case 'uav': {
        const typed = run.typedUavs?.[parameter.index];
        return { buffer: bytesOf(typed ? checked(typed) : found(run.uavs, parameter)) };
      }
      case 'uav-shape':
        return shape(found(run.typedUavs, parameter));
      case 'uav-size':
        return ints(found(run.uavs, parameter).byteLength);
    }
  };
  return parameters.map(argumentFor);
}

function checked({ width, height = 1, pitch = width, format = defaultFormat, data }: TestResource): Numbers {
  const needed = pitch * height * elementBytes(format);
  if (data.byteLength < needed) throw new Error(`a test's resource needs ${needed} bytes`);
  return data;
}
