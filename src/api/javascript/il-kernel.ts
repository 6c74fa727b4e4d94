/**
 * What `millrace/il-kernel` gives: a program in AMD IL as a function, for the modules that are made of .il files
 * (`import { main } from './scale.il'`; docs/modules.md). src/il/lower/interface.ts says what such a program's kernel takes.
 */
import type { LoweredParameter } from '../../il/lower/interface.ts';
import { OpenCLError } from '../../runtime/status.ts';
import type { KernelArgument } from './arguments.ts';
import type { DeviceBuffer, TypedArray } from './device-buffer.ts';
import type { LaunchTimes } from './kernel.ts';
import { checkKeys } from './known-keys.ts';
import type { Program } from './program.ts';

/** Memory: a typed array, which is copied in and, where the program writes it, back; or a buffer of `program.buffer`. */
export type IlMemory = TypedArray | DeviceBuffer;

/** Rows of elements: of a memory alone the sizes are those of the domain, or it is one row. */
export type IlResource =
  | IlMemory
  | {
      readonly data: IlMemory;
      readonly width: number;
      /** Default 1. */
      readonly height?: number | undefined;
      /** Elements from a row to the next; default the width. */
      readonly pitch?: number | undefined;
    };

/** Of a pixel program: the positions that it runs for, [width, height] or [x, y, width, height]. */
export interface IlDomain {
  readonly domain: readonly [number, number] | readonly [number, number, number, number];
}

/** Of a compute program: how many groups there are. */
export interface IlGroups {
  readonly groups: readonly number[];
}

/** Launches the program at once and resolves when its results are there. */
export type IlKernel<Launch, Resources> = (launch: Launch, resources: Resources) => Promise<LaunchTimes>;

/** How a program is launched: what the module knows of it. */
export interface IlProgram {
  readonly parameters: readonly LoweredParameter[];
  readonly groupSize: readonly [number, number, number] | undefined;
  /** Bytes of an element of `i0`, `o0`, by these names. */
  readonly elementBytes: Readonly<Record<string, number>>;
}

interface Shape {
  readonly data: IlMemory;
  readonly width: number;
  readonly height: number;
  readonly pitch: number;
}

function fail(code: 'CL_INVALID_VALUE' | 'CL_INVALID_ARG_SIZE', message: string): never {
  throw new OpenCLError(code, message);
}

/** @throws OpenCLError CL_INVALID_KERNEL_NAME if the program is none of an .il file */
export function ilKernel(
  program: Program,
  { parameters, groupSize, elementBytes }: IlProgram,
): IlKernel<IlDomain | IlGroups, Readonly<Record<string, IlResource | undefined>>> {
  const kernel = program.kernel('il_main');
  const symbols = [...new Set(parameters.flatMap((parameter) => symbolOf(parameter) ?? []))];

  return async (launch, resources) => {
    checkKeys(launch, groupSize ? ['groups'] : ['domain'], 'CL_INVALID_VALUE', 'a launch has');
    checkKeys(resources, symbols, 'CL_INVALID_VALUE', 'the program has the resources');
    const domain = groupSize ? undefined : domainOf((launch as IlDomain).domain);
    const given = (symbol: string): IlResource =>
      resources[symbol] ?? fail('CL_INVALID_VALUE', `the resource '${symbol}' is missing`);
    const memory = (symbol: string): IlMemory => {
      const resource = given(symbol);
      return 'data' in resource ? resource.data : resource;
    };
    const shape = (symbol: string): Shape =>
      shapeOf(symbol, given(symbol), elementBytes[symbol] ?? (symbol.startsWith('uav') ? 4 : 16), domain);
    const argument = (parameter: LoweredParameter): KernelArgument => {
      const symbol = symbolOf(parameter) ?? '';
      switch (parameter.kind) {
        case 'domain':
          return domain!;
        case 'constants': {
          const { byteLength } = memory(symbol);
          if (byteLength < 16 * parameter.elements)
            fail(
              'CL_INVALID_ARG_SIZE',
              `'${symbol}' has ${byteLength} bytes; the program reads ${16 * parameter.elements}`,
            );
          return memory(symbol);
        }
        case 'input':
        case 'output':
          return shape(symbol).data;
        case 'input-shape':
        case 'output-shape':
        case 'uav-shape': {
          const { width, height, pitch } = shape(symbol);
          return [width, height, pitch, 0];
        }
        case 'global':
        case 'uav':
          return memory(symbol);
        case 'global-size':
          return Math.floor(memory(symbol).byteLength / 16);
        case 'uav-size':
          return memory(symbol).byteLength;
      }
    };
    const range = groupSize
      ? { global: globalOf(groupSize, (launch as IlGroups).groups), local: groupSize }
      : { global: [domain![2], domain![3]] };
    return kernel(range, ...parameters.map((parameter) => bits(argument(parameter))));
  };
}

/** Programs read bits: arrays of any kind are their bytes. */
function bits(value: KernelArgument): KernelArgument {
  if (!ArrayBuffer.isView(value)) return value;
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}

/** What a resource is called that a parameter belongs to. */
function symbolOf(parameter: LoweredParameter): string | undefined {
  switch (parameter.kind) {
    case 'domain':
      return undefined;
    case 'constants':
      return `cb${parameter.index}`;
    case 'input':
    case 'input-shape':
      return `i${parameter.index}`;
    case 'output':
    case 'output-shape':
      return `o${parameter.index}`;
    case 'global':
    case 'global-size':
      return 'g';
    case 'uav':
    case 'uav-size':
    case 'uav-shape':
      return `uav${parameter.index}`;
  }
}

function domainOf(given: IlDomain['domain'] | undefined): readonly [number, number, number, number] {
  if (!Array.isArray(given) || (given.length !== 2 && given.length !== 4) || !given.every(Number.isInteger))
    fail('CL_INVALID_VALUE', 'a domain is [width, height] or [x, y, width, height]');
  const [x, y, width, height] = given.length === 2 ? [0, 0, ...given] : given;
  return [x!, y!, width!, height!];
}

function globalOf(groupSize: readonly number[], groups: readonly number[] | undefined): number[] {
  if (!Array.isArray(groups) || groups.length < 1 || groups.length > 3)
    fail('CL_INVALID_VALUE', 'groups is an array of one to three numbers, such as [16]');
  return groupSize.map((size, dimension) => size * (groups[dimension] ?? 1));
}

/** @throws OpenCLError CL_INVALID_ARG_SIZE if there are fewer bytes than the sizes say */
function shapeOf(
  symbol: string,
  resource: IlResource,
  elementBytes: number,
  domain: readonly number[] | undefined,
): Shape {
  if ('data' in resource) {
    const { data, width, height = 1, pitch = width } = resource;
    const isSound = [width, height, pitch].every((size) => Number.isInteger(size) && size > 0);
    if (!isSound || pitch < width)
      fail('CL_INVALID_VALUE', `'${symbol}': width, height and pitch are whole numbers above 0`);
    const needed = ((height - 1) * pitch + width) * elementBytes;
    if (data.byteLength < needed)
      fail('CL_INVALID_ARG_SIZE', `'${symbol}' has ${data.byteLength} bytes; its sizes need ${needed}`);
    return { data, width, height, pitch };
  }
  const elements = Math.floor(resource.byteLength / elementBytes);
  const [, , width = 0, height = 0] = domain ?? [];
  if (elements > 0 && elements === width * height) return { data: resource, width, height, pitch: width };
  if (elements === 0) fail('CL_INVALID_ARG_SIZE', `'${symbol}' has no element of ${elementBytes} bytes`);
  return { data: resource, width: elements, height: 1, pitch: elements };
}
