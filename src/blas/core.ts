/**
 * A device at work for routines. Routines take effect in the order of their calls, awaited or not: the launches of one come behind
 * those of the one before; one with typed arrays begins when all before it have ended, and has its results in them when it is over.
 */
import type { KernelArgument } from '../api/javascript/arguments.ts';
import { type DeviceBuffer, done, type TypedArray } from '../api/javascript/device-buffer.ts';
import type { LaunchRange } from '../api/javascript/kernel.ts';
import { Launcher, type LauncherOptions, openLauncher, type SourceForm } from '../array/launcher.ts';
import { readBuffer } from '../runtime/transfer.ts';
import { bindHostArrays, type HostRange } from './host-ranges.ts';
import { type Extent, isMemory, type Memory } from './operand.ts';

const commandRead = 0x11f3;

/** An operand on the device: its memory, and the number there that it begins with (a part, if they are complex). */
export interface Bound {
  readonly memory: Memory;
  readonly offset: number;
}

/** What an operand is to a routine. */
export interface Use extends Extent {
  readonly isWritten: boolean;
  /** All numbers are written, and none is read before. */
  readonly isOverwritten?: boolean;
}

export class Core extends Launcher {
  /** Resolves when the launches of the last routine have been enqueued, or have ended if the next has to wait for that. */
  #before: Promise<void> = Promise.resolve();

  /** @throws OpenCLError CL_INVALID_DEVICE, CL_DEVICE_NOT_FOUND */
  static async open(options: LauncherOptions, name: string): Promise<Core> {
    const form: SourceForm = {
      prologue: '',
      name,
      mostKernels: 1000,
      released: `millrace/${name} has been released here`,
    };
    return new Core(await openLauncher(options), form);
  }

  /** How many work-items keep the device busy. */
  get manyItems(): number {
    return this.program.device.info.maxComputeUnits * (this.isGpu ? 1024 : 64);
  }

  /** Runs a routine behind those before it. `work` resolves when all its launches are enqueued. */
  async run<Result>(work: (call: Call) => Promise<Result>): Promise<Result> {
    this.check();
    const before = this.#before;
    let next = (): void => {};
    this.#before = new Promise((resolve) => {
      next = resolve;
    });
    await before;
    const call = new Call(this);
    try {
      const result = await work(call);
      if (!call.hasHostArrays) next();
      await call.end();
      return result;
    } finally {
      next();
      call.release();
    }
  }
}

/** One call of a routine: its operands on the device, its launches, what it needs in between. */
export class Call {
  readonly core: Core;
  readonly #launches: Promise<unknown>[] = [];
  readonly #ranges: HostRange[] = [];
  readonly #temporary: DeviceBuffer[] = [];

  constructor(core: Core) {
    this.core = core;
  }

  get hasHostArrays(): boolean {
    return this.#ranges.length > 0;
  }

  /**
   * Brings operands to the device, in their order.
   * @param waits for what the device does, which may be seen in a typed array over its memory
   */
  async bind(uses: readonly Use[], waits = true): Promise<Bound[]> {
    const host = uses.filter(({ data }) => !isMemory(data));
    // A copy is made by the host, which the device's queue does not wait for.
    if (waits && host.length > 0) await this.core.program.finish();
    const ranges = bindHostArrays(this.core.program, uses);
    this.#ranges.push(...ranges.made);
    return uses.map((use, index) =>
      isMemory(use.data) ? { memory: use.data, offset: use.first } : ranges.bound[index]!,
    );
  }

  /** Memory for so many bytes until the routine is over. */
  temporary(bytes: number): DeviceBuffer {
    const buffer = this.core.program.buffer(Math.max(bytes, 8));
    this.#temporary.push(buffer);
    return buffer;
  }

  /** The same with numbers in it. */
  temporaryOf(data: TypedArray): DeviceBuffer {
    const buffer = this.core.program.buffer(data);
    this.#temporary.push(buffer);
    return buffer;
  }

  async launch(source: string, range: LaunchRange, values: readonly KernelArgument[]): Promise<void> {
    const kernel = await this.core.kernel(source);
    this.core.check();
    const launched = kernel(range, ...values);
    // It is looked at when the routine ends.
    launched.catch(() => {});
    this.#launches.push(launched);
  }

  /** The numbers of temporary memory, behind all launches so far. */
  async read<A extends Float32Array | Float64Array | Int32Array>(
    buffer: DeviceBuffer,
    kind: { readonly BYTES_PER_ELEMENT: number; new (length: number): A },
    count: number,
  ): Promise<A> {
    const array = new kind(count);
    await this.#read(buffer, 0, array);
    await this.#ended();
    return array;
  }

  /** Waits for its launches, and brings what they have written back. */
  async end(): Promise<void> {
    // Enqueued at once: another call's launches that come into the queue meanwhile would be waited for, too.
    const reads = Promise.all(
      this.#ranges
        .filter(({ isWritten }) => isWritten)
        .map(({ buffer, array }) => this.#read(buffer, 0, array)),
    );
    reads.catch(() => {});
    await this.#ended();
    await reads;
  }

  async #ended(): Promise<void> {
    await Promise.all(this.#launches.splice(0));
  }

  async #read(
    buffer: DeviceBuffer,
    byteOffset: number,
    array: Float32Array | Float64Array | Int32Array | Uint8Array,
  ): Promise<void> {
    const { queue } = this.core.program;
    const options = { type: commandRead, blocking: false, waits: [] };
    await done(readBuffer(queue, buffer.memoryFor(queue), byteOffset, array, options));
  }

  release(): void {
    for (const { buffer } of this.#ranges) buffer.release();
    for (const buffer of this.#temporary) buffer.release();
  }
}
