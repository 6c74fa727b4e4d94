/**
 * The meaning of the IR, made executable: slow, complete, and without any freedom that ir.ts leaves open. It runs
 * kernels in both forms, one work-item after another, checks every memory access, and is what tests compare compiled
 * code with. Where ir.ts says any value, it takes zero (or the nearest, for conversions out of range); it never fuses
 * what is marked `contract`; it does not keep a NaN's sign and payload.
 */
import { kernelTitle } from './device-queues.ts';
import { type AroundStep, type CompileContext, compileFunction } from './interpreter/compile-function.ts';
import { InterpreterError } from './interpreter/error.ts';
import { type Budget, runGroup, startItem } from './interpreter/execute.ts';
import {
  groupOf,
  type LaunchArgument,
  type LaunchRange,
  launchOf,
  type PrintSink,
  type SharedRegion,
} from './interpreter/launch.ts';
import { LaunchMemory } from './interpreter/launch-memory.ts';
import type { NewScheduler } from './interpreter/launch-scheduler.ts';
import { Fault, Memory } from './interpreter/memory.ts';
import type { Counter, MemoryObserver } from './interpreter/observer.ts';
import type { OpenLaunch } from './interpreter/open-launch.ts';
import { QueueCalls } from './interpreter/queue-calls.ts';
import { RaceDetector } from './interpreter/races.ts';
import type { Code, Launch } from './interpreter/state.ts';
import type * as ir from './ir.ts';

export { InterpreterError } from './interpreter/error.ts';
export type {
  BufferArgument,
  ImageArgument,
  LaunchArgument,
  LaunchRange,
  PrintSink,
  SharedRegion,
} from './interpreter/launch.ts';

export interface InterpreterOptions {
  /** Makes reads of private and local bytes that were never written an error; otherwise they are zero. */
  readonly checkUninitialised?: boolean;
  /**
   * Makes what depends on the order of work-items an error (interpreter/races.ts). For kernels in work-item form.
   */
  readonly checkRaces?: boolean;
  /** Makes arithmetic whose result may be any integer an error, or divisions alone (interpreter/open-results.ts). */
  readonly checkOpenResults?: boolean | 'divisions';
  /** Wraps steps, for who looks at the values of a launch (interpreter/denormals.ts). */
  readonly around?: AroundStep;
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

/** How much room the program-scope variables of a module take, wherever it begins. */
export function bytesOfGlobals({ globals }: ir.Module): number {
  // Behind each is a byte that is nobody's, so that a pointer to its end leads to no other.
  return globals.reduce((end, { bytes, align }) => end + align + bytes.length + 1, 0);
}

/** A machine with a module loaded and some memory. */
export class Interpreter {
  readonly #module: ir.Module;
  readonly #memory: Memory;
  readonly #options: InterpreterOptions;
  readonly #globalBytes: ReadonlyMap<ir.GlobalVariable, Uint8Array>;
  #races: RaceDetector | undefined;
  readonly #globals = new Map<ir.GlobalVariable, number>();
  readonly #codes = new Map<ir.Function, Code>();
  readonly #context: CompileContext;
  #print: PrintSink = () => true;
  /** Of the launch that runs. */
  #calls: QueueCalls | undefined;

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
    const { checkUninitialised = false, tracksWritten = false } = options;
    this.#memory = new Memory(module.addressBits, checkUninitialised, checkUninitialised || tracksWritten);
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
   * launches itself. What it prints goes to `print`, by default nowhere; `shared` it may reach by addresses;
   * `newScheduler` makes what says when the launches begin that it makes, which it may not without.
   * @throws Error if the arguments do not fit the kernel, at the first run
   */
  begin(
    kernelName: string,
    range: LaunchRange,
    args: readonly LaunchArgument[],
    print: PrintSink = () => true,
    shared: readonly SharedRegion[] = [],
    newScheduler?: NewScheduler,
  ): SlicedLaunch {
    const budget: Budget = { steps: this.#options.maximumSteps ?? Number.POSITIVE_INFINITY, slice: 0 };
    const launchMemory = this.#newLaunchMemory();
    const running = this.#run(kernelName, range, args, shared, launchMemory, budget);
    const addressBytes = this.#module.addressBits === 32 ? 4 : 8;
    const calls =
      newScheduler &&
      new QueueCalls(newScheduler, this.#memory, addressBytes, (address) => this.#functionAt(address));
    return {
      run: (steps) => {
        this.#calls = calls;
        budget.slice = steps;
        this.#print = print;
        launchMemory.follow();
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
    const launchMemory = this.#newLaunchMemory();
    launchMemory.share(shared);
    const parameters = launchMemory.bind(kernel, args);
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
        launchMemory.reserveLocals(code, parameters, args);
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

  #newLaunchMemory(): LaunchMemory {
    return new LaunchMemory(this.#memory, this.#module.addressBits);
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
    launchMemory: LaunchMemory,
    budget: Budget,
  ): Generator<void, void> {
    const kernel = this.#kernelNamed(kernelName);
    const mark = this.#memory.mark;
    try {
      launchMemory.share(shared);
      yield* this.#runGroups(kernel, launchOf(range), args, launchMemory, budget);
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
    launchMemory: LaunchMemory,
    budget: Budget,
  ): Generator<void, void> {
    // A launch begins when the one before has ended.
    this.#races = this.#options.checkRaces ? new RaceDetector() : undefined;
    const code = this.#codeOf(kernel);
    const parameters = launchMemory.bind(kernel, args);
    for (let z = 0; z < launch.numGroups[2]; z += 1) {
      for (let y = 0; y < launch.numGroups[1]; y += 1) {
        for (let x = 0; x < launch.numGroups[0]; x += 1) {
          const mark = this.#memory.mark;
          launchMemory.reserveLocals(code, parameters, args);
          yield* runGroup(groupOf(launch, [x, y, z]), code, parameters, budget);
          this.#memory.releaseTo(mark);
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
      yield* this.#runGroups(
        next.kernel,
        launchOf(next.range),
        next.arguments,
        this.#newLaunchMemory(),
        budget,
      );
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
      checkUninitialised: this.#options.checkUninitialised ?? false,
      checkOpenResults: this.#options.checkOpenResults ?? false,
      around: this.#options.around,
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
}
