/**
 * The meaning of the IR, made executable: slow, complete, and without any freedom that ir.ts leaves open. It runs
 * kernels in both forms, one work-item after another, checks every memory access, and is what tests compare compiled
 * code with. Where ir.ts says any value, it takes zero (or the nearest, for conversions out of range); it never fuses
 * what is marked `contract`; it does not keep a NaN's sign and payload.
 */

import { subGroupSize } from './collectives.ts';
import { kernelTitle } from './device-queues.ts';
import { type CompileContext, compileFunction } from './interpreter/compile-function.ts';
import { InterpreterError } from './interpreter/error.ts';
import { type Budget, runGroup, startItem } from './interpreter/execute.ts';
import { type Allocation, Fault, Memory } from './interpreter/memory.ts';
import type { Counter, MemoryObserver } from './interpreter/observer.ts';
import type { OpenLaunch } from './interpreter/open-launch.ts';
import { QueueCalls } from './interpreter/queue-calls.ts';
import { RaceDetector } from './interpreter/races.ts';
import type { Code, Group, Launch, Triple } from './interpreter/state.ts';
import { type RuntimeValue, readerOf } from './interpreter/values.ts';
import type * as ir from './ir.ts';
import { type DeviceQueues, noQueues } from './nested-launches.ts';
import { sizeOf } from './types.ts';

export { InterpreterError } from './interpreter/error.ts';

export interface InterpreterOptions {
  /** Makes reads of private and local bytes that were never written an error; otherwise they are zero. */
  readonly checkUninitialised?: boolean;
  /**
   * Makes what depends on the order of work-items an error (interpreter/races.ts). For kernels in work-item form.
   */
  readonly checkRaces?: boolean;
  /** Makes integer arithmetic whose result may be any value an error (interpreter/open-results.ts). */
  readonly checkOpenResults?: boolean;
  /** Keeps track of which private and local bytes were written, without making anything an error. */
  readonly tracksWritten?: boolean;
  /** Who wants to know of accesses to memory, if races are not looked for; asked at each access. */
  readonly observer?: () => MemoryObserver | undefined;
  /** Counts instructions that run. */
  readonly counter?: Counter;
  /** Steps (about one an instruction) that one launch may take before it is stopped with an error. */
  readonly maximumSteps?: number;
  /** Where the program-scope variables lie: {@link bytesOfGlobals} bytes that nothing else will have. Default anywhere. */
  readonly globalsAt?: number;
}

/** Sizes in one to three dimensions; where the sizes do not divide, the last groups are smaller. */
export interface LaunchRange {
  readonly globalSize: readonly number[];
  readonly localSize: readonly number[];
  readonly globalOffset?: readonly number[];
}

/**
 * An argument: the address of a buffer (0 for null), or a buffer; the bytes of a by-value scalar, vector or struct as the host lays
 * it out (three lanes take the room of four); a size of local memory; an image; or a sampler's bits.
 */
export type LaunchArgument =
  | BufferArgument
  | { readonly kind: 'address'; readonly address: number }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'local'; readonly size: number }
  | ImageArgument
  | { readonly kind: 'sampler'; readonly bits: number };

/** An image that has an address only for this launch. */
export interface ImageArgument {
  readonly kind: 'image';
  readonly pixels: BufferArgument;
  /** Its descriptor (src/runtime/image-descriptor.ts); the address of the pixels, its first eight bytes, is filled in here. */
  readonly descriptor: Uint8Array;
}

/** A buffer that has an address only for this launch. */
export interface BufferArgument {
  readonly kind: 'buffer';
  readonly space: 'global' | 'constant';
  /** What messages call it. */
  readonly name: string;
  /** The bytes, used in place; asked for again at each slice, in case they have moved in between. */
  bytes(): Uint8Array;
}

/** Memory that kernels may reach by its address, without an argument that leads there. */
export interface SharedRegion {
  readonly address: number;
  /** What messages call it. */
  readonly name: string;
  /** As {@link BufferArgument.bytes}. */
  bytes(): Uint8Array;
}

/** A launch that runs in slices; see {@link Interpreter.begin}. */
export interface SlicedLaunch {
  /**
   * Runs about so many steps; true when the launch has finished.
   * @throws InterpreterError if the program does something wrong, after which the launch is over
   */
  run(steps: number): boolean;
  /** Gives the launch's memory back; needed only for one that is given up. */
  end(): void;
}

/**
 * Takes what one call of printf prints, a byte a character. `size` is what the call takes of a printf buffer (see
 * printf/record.ts). False if there is no room.
 */
export type PrintSink = (text: string, size: number) => boolean;

/** How much room the program-scope variables of a module take, wherever it begins. */
export function bytesOfGlobals({ globals }: ir.Module): number {
  // Behind each is a byte that is nobody's, so that a pointer to its end leads to no other.
  return globals.reduce((end, { bytes, align }) => end + align + bytes.length + 1, 0);
}

/** A machine with a module loaded and some memory. */
export class Interpreter {
  readonly #module: ir.Module;
  readonly #memory: Memory;
  readonly #maximumSteps: number;
  readonly #checkUninitialised: boolean;
  readonly #checkRaces: boolean;
  readonly #checkOpenResults: boolean;
  #races: RaceDetector | undefined;
  readonly #globals = new Map<ir.GlobalVariable, number>();
  readonly #codes = new Map<ir.Function, Code>();
  readonly #context: CompileContext;
  #print: PrintSink = () => true;
  /** Of the launch that runs. */
  #calls: QueueCalls | undefined;

  readonly #options: InterpreterOptions;
  readonly #globalBytes: ReadonlyMap<ir.GlobalVariable, Uint8Array>;

  /**
   * Loads the module: its program-scope variables get addresses and their initial bytes.
   * @param globalBytes the bytes of these variables, where another machine has loaded them already
   */
  constructor(
    module: ir.Module,
    options: InterpreterOptions = {},
    globalBytes?: ReadonlyMap<ir.GlobalVariable, Uint8Array>,
  ) {
    this.#module = module;
    this.#options = options;
    this.#checkUninitialised = options.checkUninitialised ?? false;
    this.#checkRaces = options.checkRaces ?? false;
    this.#checkOpenResults = options.checkOpenResults ?? false;
    this.#maximumSteps = options.maximumSteps ?? Number.POSITIVE_INFINITY;
    this.#memory = new Memory(
      module.addressBits,
      this.#checkUninitialised,
      this.#checkUninitialised || options.tracksWritten === true,
    );
    // Copies: the module may be loaded again.
    this.#globalBytes =
      globalBytes ?? new Map(module.globals.map((global) => [global, global.bytes.slice()]));
    this.#context = this.#newContext();
    this.#loadGlobals(globalBytes === undefined);
  }

  /** A machine with memory of its own, but for the program-scope variables, which are this one's. */
  another(): Interpreter {
    return new Interpreter(this.#module, this.#options, this.#globalBytes);
  }

  /**
   * Gives a buffer an address. The bytes are used in place, so kernels' stores show in them.
   * @param name what messages call it
   */
  allocate(space: 'global' | 'constant', bytes: Uint8Array, name = 'buffer'): number {
    return this.#memory.allocate(space, bytes, name).start;
  }

  /** Forgets a buffer; accesses to it are errors from now on. */
  release(address: number): void {
    this.#memory.release(address);
  }

  /**
   * Runs a kernel over a range, all groups in order, and returns when it has finished.
   * @throws InterpreterError if the program does something wrong; Error if the arguments do not fit the kernel
   */
  launch(kernelName: string, range: LaunchRange, args: readonly LaunchArgument[], print?: PrintSink): void {
    this.begin(kernelName, range, args, print).run(Number.POSITIVE_INFINITY);
  }

  /**
   * Begins a launch that goes on as far as it is told to. Until it is over no other may run here, but for those that it
   * launches itself. What it prints goes to `print`, by default nowhere; `shared` it may reach by addresses; `queues` are
   * those of the device.
   * @throws Error if the arguments do not fit the kernel, at the first run
   */
  begin(
    kernelName: string,
    range: LaunchRange,
    args: readonly LaunchArgument[],
    print: PrintSink = () => true,
    shared: readonly SharedRegion[] = [],
    queues: DeviceQueues = noQueues,
  ): SlicedLaunch {
    const budget: Budget = { steps: this.#maximumSteps, slice: 0 };
    const buffers = new Map<BufferArgument | SharedRegion, Allocation>();
    const running = this.#run(kernelName, range, args, shared, buffers, budget);
    const calls = new QueueCalls(queues, this.#memory, this.#module.addressBits === 32 ? 4 : 8, (address) =>
      this.#functionAt(address),
    );
    return {
      run: (steps) => {
        this.#calls = calls;
        budget.slice = steps;
        this.#print = print;
        for (const [argument, allocation] of buffers) moveTo(allocation, argument.bytes());
        return running.next().done === true;
      },
      end: () => {
        running.return();
      },
    };
  }

  /**
   * Begins a launch whose work-items the caller moves; the kernel is in work-item form and launches no others. The interpreter
   * is for this launch alone from then on. `shared` it may reach by addresses.
   * @throws Error if the arguments do not fit the kernel
   */
  open(
    kernelName: string,
    range: LaunchRange,
    args: readonly LaunchArgument[],
    print: PrintSink = () => true,
    shared: readonly SharedRegion[] = [],
  ): OpenLaunch {
    const kernel = this.#kernelNamed(kernelName);
    this.#print = print;
    const code = this.#codeOf(kernel);
    const launch = launchOf(range);
    for (const { address, name, bytes } of shared) this.#memory.place('global', address, bytes(), name);
    const parameters = this.#bindArguments(kernel, args, new Map());
    const mark = this.#memory.mark;
    const [columns, rows, slices] = launch.numGroups;
    return {
      kernel,
      code,
      launch,
      memory: this.#memory,
      context: this.#context,
      groupCount: columns * rows * slices,
      parameters,
      addressOf: (global) => this.#globals.get(global),
      beginGroup: (serial) => {
        this.#reserveLocals(code, parameters, args);
        const x = serial % columns;
        const y = Math.floor(serial / columns) % rows;
        const group = groupOf(launch, [x, y, Math.floor(serial / (columns * rows))]);
        const items = Array.from({ length: group.itemCount }, (_, index) =>
          startItem(group, index, code, parameters),
        );
        return { group, items };
      },
      endGroup: () => this.#memory.releaseTo(mark),
    };
  }

  #kernelNamed(name: string): ir.Function {
    const kernel = this.#module.functions.find((fn) => fn.name === name && fn.kind === 'kernel');
    if (!kernel) throw new Error(`no kernel '${name}'`);
    return kernel;
  }

  *#run(
    kernelName: string,
    range: LaunchRange,
    args: readonly LaunchArgument[],
    shared: readonly SharedRegion[],
    buffers: Map<BufferArgument | SharedRegion, Allocation>,
    budget: Budget,
  ): Generator<void, void> {
    const kernel = this.#kernelNamed(kernelName);
    const mark = this.#memory.mark;
    try {
      for (const region of shared) {
        const { address, name } = region;
        buffers.set(region, this.#memory.place('global', address, region.bytes(), name));
      }
      yield* this.#runGroups(kernel, launchOf(range), args, buffers, budget);
      yield* this.#runNested(budget);
    } catch (error) {
      if (error instanceof Fault) throw new InterpreterError(kernelTitle(kernel), error.message);
      throw error;
    } finally {
      this.#memory.releaseTo(mark);
      for (const { address } of shared) this.#memory.release(address);
    }
  }

  *#runGroups(
    kernel: ir.Function,
    launch: Launch,
    args: readonly LaunchArgument[],
    buffers: Map<BufferArgument | SharedRegion, Allocation>,
    budget: Budget,
  ): Generator<void, void> {
    // A launch begins when the one before has ended.
    this.#races = this.#checkRaces ? new RaceDetector() : undefined;
    const code = this.#codeOf(kernel);
    const parameters = this.#bindArguments(kernel, args, buffers);
    for (let z = 0; z < launch.numGroups[2]; z += 1) {
      for (let y = 0; y < launch.numGroups[1]; y += 1) {
        for (let x = 0; x < launch.numGroups[0]; x += 1) {
          yield* this.#runGroup(groupOf(launch, [x, y, z]), code, parameters, args, budget);
          this.#calls?.launches.groupEnded();
        }
      }
    }
    this.#calls?.launches.ended();
  }

  /** What the launch has enqueued, and what that has. The buffers of the launch are there for all. */
  *#runNested(budget: Budget): Generator<void, void> {
    const calls = this.#calls;
    if (!calls) return;
    const { launches } = calls;
    for (let next = launches.next(); next; next = launches.next()) {
      const mark = this.#memory.mark;
      yield* this.#runGroups(next.kernel, launchOf(next.range), next.arguments, new Map(), budget);
      this.#memory.releaseTo(mark);
    }
    if (!launches.isComplete) throw calls.stuck();
  }

  /** Variables get the same addresses in every machine that loads the module. */
  #loadGlobals(isFirst: boolean): void {
    const { globals, addressBits } = this.#module;
    const views = new Map<ir.GlobalVariable, DataView>();
    let place = this.#options.globalsAt;
    for (const global of globals) {
      const bytes = this.#globalBytes.get(global)!;
      const { space, name, align } = global;
      if (place !== undefined) place = Math.ceil(place / align) * align;
      const { start, view } =
        place === undefined
          ? this.#memory.allocate(space, bytes, name, align)
          : this.#memory.place(space, place, bytes, name);
      if (place !== undefined) place += bytes.length + 1;
      this.#globals.set(global, start);
      views.set(global, view);
    }
    if (!isFirst) return;
    for (const [global, view] of views) {
      for (const { offset, target, addend } of global.relocations) {
        const address = (this.#globals.get(target) ?? 0) + addend;
        if (addressBits === 32) view.setUint32(offset, address, true);
        else view.setBigInt64(offset, BigInt(address), true);
      }
      for (const { offset, target } of global.functions ?? []) {
        view.setUint32(offset, this.#functionAddress(target), true);
      }
    }
  }

  /** Pointers to functions are their numbers in the module, from 1 on. */
  #functionAddress(fn: ir.Function): number {
    return this.#module.functions.indexOf(fn) + 1;
  }

  #functionAt(address: number): ir.Function {
    const fn = this.#module.functions[address - 1];
    if (!fn) throw new Fault(`a call through a pointer that leads to no function: ${address}`);
    return fn;
  }

  #newContext(): CompileContext {
    return {
      addressBits: this.#module.addressBits,
      memory: this.#memory,
      checkUninitialised: this.#checkUninitialised,
      checkOpenResults: this.#checkOpenResults,
      observer: () => this.#races ?? this.#options.observer?.(),
      counter: this.#options.counter,
      globalAddress: (global) => this.#globals.get(global) ?? 0,
      isHosted: this.#module.isHosted === true,
      functionAddress: (callee) => this.#functionAddress(callee),
      functionAt: (address) => this.#functionAt(address),
      codeOf: (callee) => this.#codeOf(callee),
      print: (text, size) => this.#print(text, size),
      queueCall: (name, operands) => {
        if (this.#calls) return this.#calls.call(name, operands);
        throw new Fault('a kernel that launches others cannot be run here');
      },
    };
  }

  #codeOf(fn: ir.Function): Code {
    let code = this.#codes.get(fn);
    if (!code) {
      if (!fn.body) throw new Fault(`function '${fn.name}' is only declared`);
      code = compileFunction(fn, fn.body, this.#context);
      this.#codes.set(fn, code);
    }
    return code;
  }

  /** The kernel's parameters, but for local memory, which each group has its own of. */
  #bindArguments(
    kernel: ir.Function,
    args: readonly LaunchArgument[],
    buffers: Map<BufferArgument | SharedRegion, Allocation>,
  ): RuntimeValue[] {
    if (args.length !== kernel.parameters.length) {
      throw new Error(
        `${args.length} arguments for kernel '${kernel.name}', which has ${kernel.parameters.length}`,
      );
    }
    return kernel.parameters.map((parameter, index) =>
      this.#bindArgument(parameter, index, args[index]!, buffers),
    );
  }

  #bindArgument(
    { value, aggregate }: ir.Parameter,
    index: number,
    argument: LaunchArgument,
    buffers: Map<BufferArgument | SharedRegion, Allocation>,
  ): RuntimeValue {
    const { type } = value;
    const name = value.name ?? `argument ${index}`;
    const space = type.kind === 'pointer' ? type.space : undefined;
    if (argument.kind === 'image') return this.#bindImage(argument, name, buffers);
    if (argument.kind === 'sampler') return argument.bits;
    if (aggregate && argument.kind === 'bytes') {
      if (argument.bytes.length !== aggregate.size) {
        throw new Error(`${argument.bytes.length} bytes for '${name}', which has ${aggregate.size}`);
      }
      // The function may only read it, so all work-items can share it.
      const memory = this.#memory.allocate(
        space === 'private' ? 'private' : 'constant',
        argument.bytes,
        name,
        aggregate.align,
      );
      memory.written?.fill(1);
      return memory.start;
    }
    const fits =
      argument.kind === 'local'
        ? space === 'local'
        : argument.kind === 'address' || argument.kind === 'buffer'
          ? space === 'global' || space === 'constant'
          : space === undefined && type.kind !== 'opaque';
    if (!fits || aggregate) throw new Error(`an argument of kind '${argument.kind}' does not fit '${name}'`);
    if (argument.kind === 'local') return 0;
    if (argument.kind === 'address') return argument.address;
    if (argument.kind === 'buffer') {
      const allocation = this.#memory.allocate(argument.space, argument.bytes(), argument.name);
      buffers.set(argument, allocation);
      return allocation.start;
    }
    const { bytes } = argument;
    const size = sizeOf(type);
    if (bytes.length < size) throw new Error(`${bytes.length} bytes for '${name}', which has ${size}`);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return readerOf(type, this.#module.addressBits)(view, 0);
  }

  /** The address of the image's descriptor, which says where the pixels are during this launch. */
  #bindImage(
    { pixels, descriptor }: ImageArgument,
    name: string,
    buffers: Map<BufferArgument | SharedRegion, Allocation>,
  ): number {
    const allocation = this.#memory.allocate(pixels.space, pixels.bytes(), pixels.name);
    buffers.set(pixels, allocation);
    const copy = descriptor.slice();
    new DataView(copy.buffer).setBigUint64(0, BigInt(allocation.start), true);
    return this.#memory.allocate('constant', copy, `the descriptor of ${name}`).start;
  }

  *#runGroup(
    group: Group,
    code: Code,
    parameters: RuntimeValue[],
    args: readonly LaunchArgument[],
    budget: Budget,
  ): Generator<void, void> {
    const mark = this.#memory.mark;
    this.#reserveLocals(code, parameters, args);
    yield* runGroup(group, code, parameters, budget);
    this.#memory.releaseTo(mark);
  }

  /** Of a group: the local memory that its kernel is given as arguments. */
  #reserveLocals({ fn }: Code, parameters: RuntimeValue[], args: readonly LaunchArgument[]): void {
    args.forEach((argument, index) => {
      if (argument.kind !== 'local') return;
      const name = fn.parameters[index]!.value.name ?? `argument ${index}`;
      parameters[index] = this.#memory.reserve('local', argument.size, 128, name).start;
    });
  }
}

/** The bytes of an allocation are in another place now. */
function moveTo(allocation: Allocation, bytes: Uint8Array): void {
  if (allocation.bytes.buffer === bytes.buffer) return;
  allocation.bytes = bytes;
  allocation.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function launchOf({ globalSize, localSize, globalOffset }: LaunchRange): Launch {
  const workDim = globalSize.length;
  if (workDim < 1 || workDim > 3) throw new Error(`a launch in ${workDim} dimensions`);
  const global = triple(globalSize, 1);
  const local = triple(localSize, 1);
  const numGroups: Triple = [0, 0, 0];
  for (const dimension of [0, 1, 2] as const) {
    if (!(local[dimension] >= 1)) throw new Error(`a local size of ${local[dimension]}`);
    numGroups[dimension] = Math.ceil(global[dimension] / local[dimension]);
  }
  return {
    workDim,
    globalSize: global,
    localSize: local,
    globalOffset: triple(globalOffset ?? [], 0),
    numGroups,
  };
}

function triple(sizes: readonly number[], otherwise: number): Triple {
  return [sizes[0] ?? otherwise, sizes[1] ?? otherwise, sizes[2] ?? otherwise];
}

function groupOf(launch: Launch, id: Triple): Group {
  const left = (dimension: 0 | 1 | 2) =>
    Math.min(
      launch.localSize[dimension],
      launch.globalSize[dimension] - id[dimension] * launch.localSize[dimension],
    );
  const size: Triple = [left(0), left(1), left(2)];
  const itemCount = size[0] * size[1] * size[2];
  const { numGroups } = launch;
  const serial = (id[2] * numGroups[1] + id[1]) * numGroups[0] + id[0];
  return {
    launch,
    id,
    serial,
    phase: 0,
    subPhases: new Array<number>(Math.ceil(itemCount / subGroupSize)).fill(0),
    offers: { 'work-group': [[], []], 'sub-group': [[], []] },
    size,
    itemCount,
    locals: new Map(),
    perItem: new Map(),
    slots: new Map(),
  };
}
