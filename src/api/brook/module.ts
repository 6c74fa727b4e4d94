/**
 * Brook+ for TypeScript: the kernels of a source as functions, whose arguments are streams and numbers.
 *
 *     const { kernels, stream } = brook('kernel void sum(float a<>, float b<>, out float c<>) { c = a + b; }');
 *     const [a, b, c] = [stream('float', [4]), stream('float', [4]), stream('float', [4])];
 *     a.read(Float32Array.of(1, 2, 3, 4));
 *     ...
 *     kernels.sum(a, b, c);
 *
 * Files with kernels can be imported, too: see vite.ts and register.ts.
 */
import type { CheckedKernel } from '../../brook/check/tree.ts';
import { compileBrook } from '../../brook/compile.ts';
import { type ElementType, layoutOf, valueTypeNamed } from '../../brook/types.ts';
import { bytesOf } from '../../runtime/device-memory.ts';
import { environment } from '../../runtime/host.ts';
import { calledByProgram } from '../../runtime/observe-calls.ts';
import { shown } from '../../source/shown.ts';
import { betterArray } from '../javascript/array-kinds.ts';
import { type BrookDevice, currentDevice } from './devices.ts';
import type { KernelArgument } from './kernel-call.ts';
import { runKernel } from './run-kernel.ts';
import type { Sizes } from './shape.ts';
import { Stream } from './stream.ts';
import { arrayOf, scalarLayout } from './values.ts';

/**
 * What a kernel takes: a stream; a number, or the components of a vector; the bytes of a structure. A reduction to a variable
 * takes an array that gets the result. null in place of a stream is an error that the outputs keep.
 */
export type BrookArgument = Stream | null | number | readonly number[] | ArrayBufferView;

export type BrookKernel = BrookKernelOf<readonly BrookArgument[]>;

/** A kernel with arguments of these types. */
export interface BrookKernelOf<Arguments extends readonly BrookArgument[]> {
  /** Calls the kernel. What goes wrong is kept by its output streams: see {@link Stream.error}. @throws TypeError for arguments of wrong kinds */
  (...args: Arguments): void;
  /** The first position of the next call's domain, x first. */
  domainOffset(...offset: readonly number[]): void;
  /** The sizes of the next call's domain. */
  domainSize(...size: readonly number[]): void;
}

export interface BrookModuleOptions {
  /** Default: what useDevices and the environment say. */
  readonly device?: BrookDevice | undefined;
  /** brcc's `-a` turns it off. */
  readonly strongTypes?: boolean | undefined;
  /** brcc's `-c` turns them off. */
  readonly constantBuffers?: boolean | undefined;
  /** As behind -D: `NAME` or `NAME=VALUE`. */
  readonly definitions?: readonly string[] | undefined;
  /** The name of the source in messages. */
  readonly name?: string | undefined;
}

export interface BrookModule {
  readonly kernels: Readonly<Record<string, BrookKernel>>;
  /** What the compiler had to say, in brcc's form. */
  readonly log: string;
  /**
   * A new stream of a type, which may be a structure of the source. `sizes` has one number a dimension, x (the fastest) first.
   * `binding` names what its memory is shared with (`d3d9`, `d3d10`): there is nothing here, and the stream says so.
   */
  stream(type: string, sizes: readonly number[], binding?: string): Stream;
}

/** A source that does not compile; `log` says why, in brcc's words and form. */
export class BrookError extends Error {
  readonly log: string;

  constructor(log: string) {
    super(`the Brook+ source has errors\n${log}`);
    this.name = 'BrookError';
    this.log = log;
  }
}

/**
 * Compiles kernels.
 * @throws BrookError if there are mistakes in them
 */
export function brook(source: string, options?: BrookModuleOptions): BrookModule;
/**
 * The same as a tagged template; values become text of the source.
 *
 *     const { kernels, stream } = brook`kernel void scale(float a<>, out float b<>) { b = a * ${factor.toFixed(8)}f; }`;
 */
export function brook(source: TemplateStringsArray, ...values: readonly (string | number)[]): BrookModule;
export function brook(
  source: string | TemplateStringsArray,
  ...rest: readonly (BrookModuleOptions | string | number | undefined)[]
): BrookModule {
  if (typeof source === 'string') return compiledModule(source, rest[0] as BrookModuleOptions | undefined);
  const values = rest as readonly (string | number)[];
  // As in a template without a tag: escape sequences are JavaScript's.
  const text = source.map((part, index) => `${part}${values[index] ?? ''}`).join('');
  return compiledModule(text, {});
}

function compiledModule(source: string, options: BrookModuleOptions = {}): BrookModule {
  return calledByProgram('Brook+', 'brook', [source, options], () => moduleOf(source, options));
}

function moduleOf(source: string, options: BrookModuleOptions): BrookModule {
  const { strongTypes = true, constantBuffers = true, definitions, name = 'kernel.br' } = options;
  const settings = { strongTypes, constantBuffers, definitions, kernelsOnly: true };
  const compiled = compileBrook(name, source, settings);
  if (compiled.hasErrors) throw new BrookError(compiled.log);
  const device = options.device ?? currentDevice();
  const { types } = compiled.unit;
  const kernels: Record<string, BrookKernel> = {};
  for (const kernel of compiled.kernels) {
    if (kernel.form !== 'function') kernels[kernel.name] = kernelFunction(kernel, device);
  }
  return {
    kernels,
    log: compiled.log,
    stream: (typeName, sizes, binding) =>
      calledByProgram('Brook+', 'stream', [typeName, sizes], () => newStream(typeName, sizes, binding)),
  };

  function newStream(typeName: string, sizes: readonly number[], binding: string | undefined): Stream {
    const named = valueTypeNamed(typeName) ?? types.names.get(typeName) ?? types.tags.get(typeName);
    if (!named || named.kind === 'void') throw new TypeError(`there is no type '${typeName}' for streams`);
    const stream = new Stream(device.session, named, sizes);
    if (binding !== undefined) stream.share(binding);
    return stream;
  }
}

function kernelFunction(kernel: CheckedKernel, device: BrookDevice): BrookKernel {
  let offset: Sizes | undefined;
  let size: Sizes | undefined;
  const call = (...args: readonly BrookArgument[]): void =>
    calledByProgram('Brook+', kernel.name, args, () => launch(args));
  const launch = (args: readonly BrookArgument[]): void => {
    if (args.length !== kernel.formals.length) {
      const expected = `${kernel.formals.length} arguments, not ${args.length}`;
      throw new TypeError(`the kernel '${kernel.name}' takes ${expected}`);
    }
    const domain = { offset, size };
    [offset, size] = [undefined, undefined];
    const given = args.map((arg, index) => argumentFor(kernel, index, arg));
    const aliases = environment('BRT_PERMIT_READ_WRITE_ALIASING') !== undefined;
    runKernel(device.session, kernel, given, domain, aliases);
  };
  return Object.assign(call, {
    domainOffset: (...at: readonly number[]) => {
      offset = point(at, 0);
    },
    domainSize: (...sizes: readonly number[]) => {
      size = point(sizes, 1);
    },
  });
}

function point(given: readonly number[], rest: number): Sizes {
  const [x = rest, y = rest, z = rest, w = rest] = given;
  return [x, y, z, w];
}

/** An argument as the runtime takes it. */
function argumentFor(kernel: CheckedKernel, index: number, arg: BrookArgument): KernelArgument {
  const { name, role, type } = kernel.formals[index]!;
  const place = `argument '${name}' of the kernel '${kernel.name}'`;
  const takesValue = kernel.form === 'reduce' ? role === 'reduce' : role === 'value';
  if (arg instanceof Stream) {
    const isResult = kernel.form === 'reduce' && role === 'reduce';
    if (takesValue && !isResult) throw new TypeError(`${place} is no stream`);
    return arg;
  }
  if (arg === null && !takesValue) return null;
  if (arg === null || !takesValue)
    throw new TypeError(`${place} must be a ${takesValue ? 'value' : 'stream'}`);
  return valueBytes(type, arg, place);
}

function valueBytes(
  type: ElementType,
  arg: Exclude<BrookArgument, Stream | null>,
  place: string,
): Uint8Array {
  if (ArrayBuffer.isView(arg)) {
    const { size } = layoutOf(type);
    if (arg.byteLength < size) throw new TypeError(`${place} has ${size} bytes, not ${arg.byteLength}`);
    const better = betterArray(scalarLayout(type), arg);
    if (better !== undefined) throw new TypeError(`${place} takes a ${better}, not ${arg.constructor.name}`);
    return bytesOf(arg);
  }
  if (type.kind === 'struct') throw new TypeError(`${place} is a structure: give its bytes`);
  const numbers = typeof arg === 'number' ? [arg] : arg;
  if (!Array.isArray(numbers) || !numbers.every((one) => typeof one === 'number'))
    throw new TypeError(`${place} is made of numbers, not ${shown(arg)}`);
  if (numbers.length !== type.width)
    throw new TypeError(`${place} has ${type.width} components, not ${numbers.length}`);
  const array = new (arrayOf(type.scalar))(type.width);
  array.set(numbers);
  return bytesOf(array);
}
