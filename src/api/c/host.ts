/**
 * A host program in WebAssembly, as the C ABI of OpenCL deals with it: its memory, the objects it has, and the functions of
 * its own that it wants to be called.
 *
 * The program runs on one thread and never returns to an event loop. So its callbacks are called on that thread when it is
 * inside a function of OpenCL: while that waits, and before it returns. What answers commands that only the host can do
 * (native kernels) happens there as well.
 */
import type { FileSystem } from '../../c/preprocessor.ts';
import type { Context, LaunchRules } from '../../runtime/context.ts';
import { MemoryPool } from '../../runtime/memory-pool.ts';
import type { PrintFunction } from '../../runtime/printing.ts';
import { OpenCLError, type StatusName } from '../../runtime/status.ts';
import { CL } from '../opencl/constants.ts';
import type { CLContext, ContextExtras } from '../opencl/context.ts';
import { CLEvent, type WaitList } from '../opencl/event.ts';
import { type CLDevice, type CLPlatform, defaultPlatform } from '../opencl/platform.ts';
import { HostMemory } from './host-memory.ts';
import { Objects } from './objects.ts';

/** A program before it runs. */
export interface HostOptions {
  /** The program's memory, shared, and how many pages it was made to grow to. */
  readonly memory: WebAssembly.Memory;
  readonly maximumPages: number;
  /** The functions that the program's pointers mean (`__indirect_function_table`), once there is an instance. */
  readonly table: () => WebAssembly.Table | undefined;
  /** Of a program with threads: how one of them calls what a pointer means, in place of the table. */
  readonly callProgram?: ((pointer: number) => ProgramFunction) | undefined;
  /** What clGetPlatformIDs lists; default Millrace's own platform. */
  readonly platforms?: readonly CLPlatform[] | undefined;
  /** The type that all devices pretend to have (CL.DEVICE_TYPE_GPU, say), for programs that look for no other. */
  readonly deviceType?: number | undefined;
  /** Takes what kernels print; default standard output. */
  readonly print?: PrintFunction | undefined;
  /** Where `#include` in kernels finds files; default nowhere. */
  readonly files?: FileSystem | undefined;
  /** What holds for the launches of all its contexts. */
  readonly launches?: LaunchRules | undefined;
  /** Says why a call failed: its name and the error, which has words that the code has not. */
  readonly onError?: ((name: string, error: OpenCLError) => void) | undefined;
}

/** The types of devices that programs look for; custom ones are asked for by those who know them. */
const namedTypes = CL.DEVICE_TYPE_CPU | CL.DEVICE_TYPE_GPU | CL.DEVICE_TYPE_ACCELERATOR;

/** A function of the program, called with numbers. */
type ProgramFunction = (...args: number[]) => unknown;

export class CHost {
  readonly memory: HostMemory;
  readonly objects = new Objects();
  readonly platforms: readonly CLPlatform[];
  readonly onError: HostOptions['onError'];
  readonly #options: HostOptions;
  readonly #contexts = new Set<Context>();
  readonly #callbacks: (() => void)[] = [];
  #isCalling = false;
  /** Whether commands get an event in any case, and the last that one got. */
  #recorded: { event: CLEvent | null } | undefined;
  /** What a callback threw where it must not be thrown on; it ends the program when the call ends. */
  #escaped: { readonly error: unknown } | undefined;

  constructor(options: HostOptions) {
    this.#options = options;
    this.memory = new HostMemory(new MemoryPool(options.memory, options.maximumPages));
    this.platforms = options.platforms ?? [defaultPlatform()];
    this.onError = options.onError;
  }

  /** What a context of the program is made with. */
  get contextExtras(): ContextExtras {
    const callBack = (task: () => void): void => {
      this.#callbacks.push(task);
    };
    const { print, files, launches } = this.#options;
    return { print, files, host: { pool: this.memory.pool, callBack, releasesAll: true, ...launches } };
  }

  /**
   * The devices that a program means by a type: see {@link HostOptions.deviceType}.
   * @throws OpenCLError CL_DEVICE_NOT_FOUND if all devices pretend to be something else
   */
  ownType(type: number): number {
    const { deviceType } = this.#options;
    if (deviceType === undefined || type === CL.DEVICE_TYPE_ALL || (type & namedTypes) === 0) return type;
    const others = type & ~namedTypes;
    if (type & deviceType) return others | namedTypes;
    if (others === 0)
      throw new OpenCLError('CL_DEVICE_NOT_FOUND', 'all devices say that they are of another type');
    return others;
  }

  /** CL_DEVICE_TYPE: without CL_DEVICE_TYPE_DEFAULT, as drivers have it and programs compare it. */
  shownType(device: CLDevice): number {
    const type = Number(device.getInfo(CL.DEVICE_TYPE)) & ~CL.DEVICE_TYPE_DEFAULT;
    return type & namedTypes ? (this.#options.deviceType ?? type) : type;
  }

  /** A context has been made. */
  addContext({ runtime }: CLContext): void {
    this.#contexts.add(runtime);
    runtime.notifications.addBlockTask(() => this.#runCallbacks());
  }

  /**
   * The function that a pointer of the program means.
   * @throws OpenCLError CL_INVALID_VALUE if there is none
   */
  callback(pointer: number): ProgramFunction {
    const { callProgram } = this.#options;
    if (callProgram) return callProgram(pointer);
    const table = this.#options.table();
    const found: unknown = table && pointer < table.length ? table.get(pointer) : null;
    if (typeof found !== 'function') {
      throw new OpenCLError('CL_INVALID_VALUE', `${pointer} does not point to a function of the program`);
    }
    return found as ProgramFunction;
  }

  /** Calls a function of the program from inside the runtime, which must not see what that throws. */
  shield(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#escaped ??= { error };
      throw error;
    }
  }

  /** What has come in by now is dealt with. Called before each function of OpenCL returns, and while the program sleeps. */
  attend(): void {
    for (const context of this.#contexts) {
      if (context.closed) this.#contexts.delete(context);
      else if (context.notifications.isAwaited) context.notifications.pump();
    }
    this.#runCallbacks();
    const escaped = this.#escaped;
    if (escaped) {
      this.#escaped = undefined;
      throw escaped.error;
    }
  }

  /** True if there were any. A callback that waits has no others called. */
  #runCallbacks(): boolean {
    if (this.#isCalling || this.#callbacks.length === 0) return false;
    this.#isCalling = true;
    try {
      for (let next = this.#callbacks.shift(); next; next = this.#callbacks.shift()) next();
    } finally {
      this.#isCalling = false;
      this.memory.refresh();
    }
    return true;
  }

  /** The program has ended: its contexts end with what is still in them. */
  close(): void {
    this.#callbacks.length = 0;
    for (const context of this.#contexts) context.close();
    this.#contexts.clear();
  }

  /** Objects by a list of their numbers. @throws OpenCLError CL_INVALID_VALUE if count and pointer do not go together */
  list<T>(
    count: number,
    pointer: number,
    find: (number: number) => T,
    error: StatusName = 'CL_INVALID_VALUE',
  ): T[] {
    if ((count === 0) !== (pointer === 0)) {
      throw new OpenCLError(error, 'a list needs both a count and a pointer, or neither');
    }
    return count === 0 ? [] : this.memory.list(pointer, count, error).map((number) => find(number));
  }

  /** A list that may be missing. */
  optionalList<T>(count: number, pointer: number, find: (number: number) => T): T[] | null {
    const found = this.list(count, pointer, find);
    return found.length > 0 ? found : null;
  }

  /** Makes a call of a function that enqueues something, and gives the command's event, which the program may not want. */
  withEvent<T>(call: () => T): { readonly result: T; readonly event: CLEvent | null } {
    const recorded: { event: CLEvent | null } = { event: null };
    this.#recorded = recorded;
    try {
      return { result: call(), event: recorded.event };
    } finally {
      this.#recorded = undefined;
    }
  }

  /** Makes a call with its wait list and, if the program wants one, its event. */
  enqueue<T>(
    waitCount: number,
    waitPointer: number,
    eventPointer: number,
    call: (waits: WaitList, event: CLEvent | null) => T,
  ): T {
    const error = 'CL_INVALID_EVENT_WAIT_LIST';
    const waits = this.list(waitCount, waitPointer, (number) => this.objects.event(number, error), error);
    // For this call alone: callbacks may enqueue more before it ends.
    const recorded = this.#recorded;
    this.#recorded = undefined;
    if (eventPointer === 0) {
      if (recorded) recorded.event = new CLEvent();
      return call(waits, recorded?.event ?? null);
    }
    this.memory.check(eventPointer, 4);
    const event = new CLEvent();
    if (recorded) recorded.event = event;
    const result = call(waits, event);
    this.memory.refresh();
    this.memory.setU32(eventPointer, this.objects.number(event));
    return result;
  }
}
