/**
 * Runs a kernel of a source in two ways that share as little as possible, so that tests can compare them: on the
 * interpreter, from the IR as it was lowered and one work-item at a time; and as WebAssembly, after every pass,
 * called here directly without device or threads.
 */
import {
  areaAlignment,
  type WasmOptions as CodeOptions,
  launchOffsets,
  leastAreaBytes,
  printfBufferBytes,
  usualLowestAddress,
  type WasmProgram,
} from '../../src/codegen/wasm/module/abi.ts';
import { compileModule } from '../../src/codegen/wasm/module/compile-module.ts';
import { cloneModule } from '../../src/ir/clone.ts';
import { Interpreter, type InterpreterOptions, type LaunchArgument } from '../../src/ir/interpreter.ts';
import type { Module } from '../../src/ir/ir.ts';
import { bufferHeader, recordTexts } from '../../src/ir/printf/record.ts';
import type { LaneCount } from '../../src/ir/types.ts';
import { verifyModule } from '../../src/ir/verify.ts';
import { compileOpenCL } from '../../src/opencl/compile.ts';
import type { KnownHandles } from '../../src/passes/images/known-images.ts';
import {
  type OptimiseOptions,
  optimise,
  prepareForVectorising,
  vectoriseAndFinish,
} from '../../src/passes/pipeline.ts';
import {
  type ImageDescriptor,
  imageDescriptorBytes,
  writeImageDescriptor,
} from '../../src/runtime/image-descriptor.ts';
import type { Target } from '../../src/target/target.ts';
import { wasm, wasmWithFma } from '../../src/target/wasm.ts';

/** Sizes in up to three dimensions. */
export interface TestRange {
  readonly global: readonly number[];
  readonly local: readonly number[];
  readonly offset?: readonly number[];
}

/**
 * A buffer or an image (changed in place), part of the buffer that another argument is (by its index) from some byte on, the bytes
 * of a by-value argument, a sampler, or a size of local memory.
 */
export type TestArgument =
  | { buffer: Uint8Array }
  | { within: number; offset: number }
  | { bytes: Uint8Array }
  | { local: number }
  | { sampler: number }
  | { image: TestImage };

/** What a descriptor says of an image, but for the address of its pixels. */
export interface TestImage {
  readonly shape: Omit<ImageDescriptor, 'address'>;
  readonly pixels: Uint8Array;
}

/** Compiles or throws with the build log. */
export function compileForTest(source: string, buildOptions = ''): Module {
  const { module, log } = compileOpenCL(source, { name: 'test.cl', buildOptions });
  if (!module) throw new Error(`the source does not compile:\n${log}`);
  return module;
}

/** A buffer over any typed array's bytes. */
export function buffer(array: ArrayBufferView): { buffer: Uint8Array } {
  return { buffer: new Uint8Array(array.buffer, array.byteOffset, array.byteLength) };
}

/** By-value arguments. */
export const value = {
  int: (x: number): { bytes: Uint8Array } => ({ bytes: new Uint8Array(Int32Array.of(x).buffer) }),
  float: (x: number): { bytes: Uint8Array } => ({ bytes: new Uint8Array(Float32Array.of(x).buffer) }),
  double: (x: number): { bytes: Uint8Array } => ({ bytes: new Uint8Array(Float64Array.of(x).buffer) }),
  long: (x: bigint): { bytes: Uint8Array } => ({ bytes: new Uint8Array(BigInt64Array.of(x).buffer) }),
};

type Three = [x: number, y: number, z: number];

function three(sizes: readonly number[] | undefined, otherwise: number): Three {
  return [sizes?.[0] ?? otherwise, sizes?.[1] ?? otherwise, sizes?.[2] ?? otherwise];
}

/** Takes what one call of printf prints; there is room for all of it. */
export type Print = (text: string) => void;

/** Runs on the interpreter: the lowered module, or any other that is given. */
export function runOnInterpreter(
  module: Module,
  kernel: string,
  range: TestRange,
  args: readonly TestArgument[],
  options: InterpreterOptions = {},
  print: Print = () => {},
): void {
  const machine = new Interpreter(module, options);
  const addresses = args.map((argument) =>
    'buffer' in argument ? machine.allocate('global', argument.buffer) : 0,
  );
  machine.launch(
    kernel,
    {
      globalSize: [...range.global],
      localSize: [...range.local],
      ...(range.offset ? { globalOffset: [...range.offset] } : {}),
    },
    args.map((argument, index) => {
      if ('buffer' in argument) return { kind: 'address', address: addresses[index]! };
      if ('within' in argument) {
        return { kind: 'address', address: addresses[argument.within]! + argument.offset };
      }
      if ('bytes' in argument) return { kind: 'bytes', bytes: argument.bytes };
      if ('image' in argument) return interpreterImage(argument.image);
      if ('sampler' in argument) return { kind: 'sampler', bits: argument.sampler };
      return { kind: 'local', size: argument.local };
    }),
    (text) => {
      print(text);
      return true;
    },
  );
}

function interpreterImage({ shape, pixels }: TestImage): LaunchArgument {
  const descriptor = new Uint8Array(imageDescriptorBytes);
  writeImageDescriptor(new DataView(descriptor.buffer), 0, { ...shape, address: 0 });
  const bytes = () => pixels;
  return { kind: 'image', pixels: { kind: 'buffer', space: 'global', name: 'pixels', bytes }, descriptor };
}

export interface WasmOptions {
  readonly disabled?: boolean;
  readonly inlineLimit?: number;
  /** Vectorises everything that can be, by so many; `chosen`: what is worth it, as the device does. Default: nothing. */
  readonly lanes?: LaneCount | 'chosen';
  /** Whether products may be computed together with sums; default false. */
  readonly fuses?: boolean;
  /** Whether products are computed together with sums for `fma`, too; default false. */
  readonly hasFma?: boolean;
  /** Beside that, so many rows run together wherever they can. */
  readonly rows?: number;
  /** And of loops that lanes leave one by one so many go on by themselves. */
  readonly fewLanes?: number;
  /** Default true. Many kernels of one kind may do without. */
  readonly verify?: boolean;
  /** What is known of the kernel `k`'s images and samplers. */
  readonly known?: KnownHandles;
  /** Exchanges dimensions 0 and 1 of kernels, whether that pays or not; default false. */
  readonly interchange?: boolean;
  /** How many work-groups are asked for at a time, as threads ask for parts of a launch; default all. */
  readonly groupsAtOnce?: number;
  /** The numbers of the work-groups that run, from the first on and before the second; default all. */
  readonly groups?: readonly [first: number, end: number];
  /** What compiles and runs it, in the place of WebAssembly or what `useKernelEngine` was given. */
  readonly engine?: KernelEngine;
  /** From where on memory is used, and what the code is told of that; default as on a device with memory of its own. */
  readonly lowestAddress?: number;
}

export type KernelRunner = (
  kernel: string,
  range: TestRange,
  args: readonly TestArgument[],
  print?: Print,
) => void;

function passOptions(options: WasmOptions): OptimiseOptions {
  const { disabled = false, inlineLimit, lanes, rows, fewLanes } = options;
  const { verify = true, known, interchange = false } = options;
  return {
    disabled,
    inlineLimit,
    target: engineOf(options).target ?? (options.hasFma ? wasmWithFma : wasm),
    vectorise: lanes === undefined ? false : lanes === 'chosen' ? {} : { lanes, rows, fewLanes },
    interchange: interchange && 'wherever possible',
    knownHandles: known && new Map([['k', known]]),
    after: (pass, current) => {
      if (!verify) return;
      const complaints = verifyModule(current);
      if (complaints.length > 0) throw new Error(`after ${pass}: ${complaints.join('\n')}`);
    },
  };
}

/**
 * Optimises the module (verifying after every pass), or does only what must be done, and gives a function that runs
 * its kernels as WebAssembly. With an `inlineLimit` of 0 helpers stay functions where that is possible; with `lanes`
 * it is vectorised.
 */
export function wasmRunner(module: Module, options: WasmOptions = {}): KernelRunner {
  optimise(module, passOptions(options));
  return runnerOf(module, options);
}

/** A copy of a module after the passes that are the same however it is vectorised, for `vectorRunner`. */
export function preparedForVectors(module: Module, options: WasmOptions = {}): Module {
  const copy = cloneModule(module);
  prepareForVectorising(copy, passOptions(options));
  return copy;
}

/** A copy of what `preparedForPacking` made, after the other passes. */
export function vectorised(prepared: Module, options: WasmOptions): Module {
  const copy = cloneModule(prepared);
  vectoriseAndFinish(copy, passOptions(options));
  return copy;
}

/**
 * As `wasmRunner` does it, from what `preparedForPacking` made under the same options but for `lanes`, `rows` and `fewLanes`. It stays as it
 * is, for other ways of vectorising it.
 */
export function vectorRunner(prepared: Module, options: WasmOptions): KernelRunner {
  return runnerOf(vectorised(prepared, options), options);
}

/** No thread has its area in the first page, also where other things are there (runtime/memory-pool.ts). */
const lowestArea = 65536;

type Run = (launch: number, first: number, end: number, area: number) => void;

/** Compiles a module; then makes a memory of at least so many pages with its constants at an address, and kernels over it. */
export interface KernelEngine {
  (
    module: Module,
    options: CodeOptions,
  ): {
    readonly program: Pick<WasmProgram, 'kernels' | 'constants' | 'printfs'>;
    instantiate(
      pages: number,
      constants: number,
    ): { readonly memory: WebAssembly.Memory; kernel(exportName: string): Run };
  };
  /** What passes ask, if that is not what they ask for WebAssembly. */
  target?: Target;
}

/** WebAssembly, on this thread. */
export const wasmEngine: KernelEngine = (module, options) => {
  const program = compileModule(module, options);
  const compiled = new WebAssembly.Module(program.bytes as BufferSource);
  return {
    program,
    instantiate: (pages, constants) => {
      const memory = new WebAssembly.Memory({ initial: pages, maximum: 65536 });
      const instance = new WebAssembly.Instance(compiled, {
        env: { memory, constants: new WebAssembly.Global({ value: 'i32', mutable: false }, constants) },
      });
      return { memory, kernel: (name) => instance.exports[name] as Run };
    },
  };
};

let other: KernelEngine | undefined;

/** Lets another engine run what is run as WebAssembly otherwise, from now on. */
export function useKernelEngine(engine: KernelEngine): void {
  other = engine;
}

function engineOf({ engine = other ?? wasmEngine }: WasmOptions): KernelEngine {
  return engine;
}

function runnerOf(module: Module, options: WasmOptions): KernelRunner {
  const {
    fuses = false,
    hasFma = false,
    groupsAtOnce,
    groups: part,
    lowestAddress = usualLowestAddress,
  } = options;
  const { program, instantiate } = engineOf(options)(module, {
    shared: false,
    fuses,
    hasFma,
    lowestAddress,
    lowestArea: Math.max(lowestAddress, lowestArea),
  });
  return (kernel, range, args, print = () => {}) => {
    const code = program.kernels.find((candidate) => candidate.name === kernel);
    if (!code) throw new Error(`no kernel ${kernel}`);
    // What a swapped kernel takes for dimension 0 is dimension 1.
    const isSwapped = code.attributes.interchange === 'done';
    const ordered = ([x, y, z]: Three): Three => (isSwapped ? [y, x, z] : [x, y, z]);
    const global = ordered(three(range.global, 1));
    const local = ordered(three(range.local, 1));
    const items = local[0] * local[1] * local[2];
    const groups = global.map((size, dimension) => Math.ceil(size / local[dimension]!));
    const align = (offset: number, to: number): number => Math.ceil(offset / to) * to;

    // Layout: what stays empty, then constants, launch block, buffers, the thread area.
    let next = lowestAddress;
    const reserve = (bytes: number, alignment: number): number => {
      next = align(next, alignment);
      const at = next;
      next += bytes;
      return at;
    };
    const constants = reserve(program.constants.size, 128);
    const launch = reserve(launchOffsets.arguments + code.argumentBytes, 16);
    const addresses = args.map((argument) => {
      if ('image' in argument) return reserve(argument.image.pixels.length, 128);
      return 'buffer' in argument ? reserve(argument.buffer.length, 128) : 0;
    });
    const descriptors = args.map((argument) =>
      'image' in argument ? reserve(imageDescriptorBytes, imageDescriptorBytes) : 0,
    );
    const printed = code.usesPrintf ? reserve(printfBufferBytes, 8) : 0;
    next = Math.max(next, lowestArea);
    const area = reserve(code.fixedBytes + align(code.perItemBytes * items, areaAlignment), areaAlignment);
    const localOffsets = args.map((argument) =>
      'local' in argument ? reserve(argument.local, areaAlignment) - area : 0,
    );
    const areaBytes = align(next - area, areaAlignment);
    next = Math.max(next, area + leastAreaBytes);

    const { memory, kernel: kernelOf } = instantiate(Math.ceil(next / 65536) + 1, constants);
    const bytes = new Uint8Array(memory.buffer);
    const view = new DataView(memory.buffer);
    bytes.set(program.constants.bytes, constants);
    for (const { offset, addend } of program.constants.relocations) {
      view.setInt32(constants + offset, constants + addend, true);
    }
    view.setInt32(launch + launchOffsets.workDim, range.global.length, true);
    const writeThree = (offset: number, values: readonly number[]): void => {
      for (const [index, size] of values.entries()) view.setInt32(launch + offset + index * 4, size, true);
    };
    writeThree(launchOffsets.globalOffset, ordered(three(range.offset, 0)));
    writeThree(launchOffsets.globalSize, global);
    writeThree(launchOffsets.localSize, local);
    writeThree(launchOffsets.numGroups, groups);
    view.setInt32(launch + launchOffsets.printf, printed, true);
    view.setInt32(launch + launchOffsets.items, items, true);
    view.setInt32(launch + launchOffsets.areaBytes, areaBytes, true);
    for (const [index, argument] of args.entries()) {
      const at = launch + launchOffsets.arguments + code.parameters[index]!.offset;
      if ('buffer' in argument) {
        bytes.set(argument.buffer, addresses[index]!);
        view.setInt32(at, addresses[index]!, true);
      } else if ('within' in argument) {
        view.setInt32(at, addresses[argument.within]! + argument.offset, true);
      } else if ('image' in argument) {
        const { shape, pixels } = argument.image;
        bytes.set(pixels, addresses[index]!);
        writeImageDescriptor(view, descriptors[index]!, { ...shape, address: addresses[index]! });
        view.setInt32(at, descriptors[index]!, true);
      } else if ('sampler' in argument) {
        view.setInt32(at, argument.sampler, true);
      } else if ('bytes' in argument) {
        bytes.set(argument.bytes, at);
      } else {
        view.setInt32(at, localOffsets[index]!, true);
      }
    }
    // What is uninitialised must not look like zero.
    bytes.fill(0xa5, area, next);

    const run = kernelOf(code.exportName);
    const [start, end] = part ?? [0, groups[0]! * groups[1]! * groups[2]!];
    const step = groupsAtOnce ?? end;
    for (let first = start; first < end; first += step) run(launch, first, Math.min(first + step, end), area);
    for (const [index, argument] of args.entries()) {
      const target =
        'buffer' in argument ? argument.buffer : 'image' in argument ? argument.image.pixels : undefined;
      target?.set(bytes.subarray(addresses[index]!, addresses[index]! + target.length));
    }
    if (!code.usesPrintf) return;
    if (view.getUint32(printed + bufferHeader.refused, true) > 0) throw new Error('too much is printed');
    const claimed = view.getUint32(printed + bufferHeader.claimed, true);
    const records = bytes.subarray(printed + bufferHeader.records).subarray(0, claimed);
    const readString = (address: number): string | undefined =>
      address === 0 ? undefined : String.fromCharCode(...bytes.subarray(address, bytes.indexOf(0, address)));
    for (const text of recordTexts({ records, sites: program.printfs, addressBits: 32, readString }))
      print(text);
  };
}
