/**
 * A program on a device, whatever it was made of: compile.ts makes them of sources, load-program.ts of binaries alone, in whose bundle
 * is no front end.
 */

import type { BuildResult } from '../../build/build-program.ts';
import { nativeDevices } from '../../devices/icd/discover.ts';
import { ownDevices } from '../../devices/own.ts';
import { isRequested, type RequestedId, requestNamed } from '../../devices/requested.ts';
import { PartError } from '../../parts/part.ts';
import type { DeviceInfo, DeviceProgram, OpenDevice, Device as RuntimeDevice } from '../../runtime/device.ts';
import { dispose } from '../../runtime/dispose.ts';
import { watchClass } from '../../runtime/observe-calls.ts';
import type { PrintFunction } from '../../runtime/printing.ts';
import type { CommandQueue } from '../../runtime/queue.ts';
import { OpenCLError } from '../../runtime/status.ts';
import type { Diagnostic } from '../../source/diagnostics.ts';
import { DeviceBuffer, type TypedArray } from './device-buffer.ts';
import { DeviceImage } from './device-image.ts';
import { DevicePipe } from './device-pipe.ts';
import { createKernel, type Kernel } from './kernel.ts';
import type { ImageContent } from './picture.ts';
import { Session } from './session.ts';
import type { SessionGroup } from './session-group.ts';
import { SharedMemory } from './shared-memory.ts';

/** A device that kernels can run on; see {@link devices}. */
export interface Device {
  readonly id: string;
  readonly name: string;
  readonly info: DeviceInfo;
}

/** Where a program runs, and how: what the options of compile and of modules with kernels have in common. */
export interface ProgramOptions {
  /** One of {@link devices}, or the name of one that is to be asked for; default the first, WebAssembly. */
  readonly device?: Device | RequestedId | undefined;
  /**
   * The graphics card that WebGPU reaches, if there is one and it takes the program; else WebAssembly, and {@link Program.fallback} says
   * why. Not together with `device`.
   */
  readonly prefer?: 'gpu' | undefined;
  /** Milliseconds that one launch may run before it is stopped and its call rejects; default 0, for ever. */
  readonly timeout?: number | undefined;
  /** Takes what kernels print (Millrace's own devices); default standard output, in a page the console. */
  readonly print?: PrintFunction | undefined;
}

/** A source that does not compile. `message` and `log` are the compiler's diagnostics as text. */
export class BuildError extends Error {
  readonly log: string;
  readonly diagnostics: readonly Diagnostic[];

  constructor(log: string, diagnostics: readonly Diagnostic[]) {
    super(log === '' ? 'the program does not compile' : log);
    this.name = 'BuildError';
    this.log = log;
    this.diagnostics = diagnostics;
    // The message says it all: who prints the error does not get it three times.
    Object.defineProperties(this, { log: { enumerable: false }, diagnostics: { enumerable: false } });
  }
}

const listed = new Map<RuntimeDevice, Device>();

/** The entry of a device in lists of {@link Device}. */
export function entryOf(device: RuntimeDevice): Device {
  let entry = listed.get(device);
  if (!entry) {
    entry = { id: device.id, name: device.info.name, info: device.info };
    listed.set(device, entry);
  }
  return entry;
}

type Build = (device: RuntimeDevice, fallback?: string) => Promise<Program>;

/** Has a program built on the device that the options name. @throws OpenCLError CL_INVALID_DEVICE, CL_DEVICE_NOT_FOUND */
export async function onDevice({ device, prefer }: ProgramOptions, build: Build): Promise<Program> {
  return prefer ? preferring(() => requestNamed('webgpu'), build) : build(await deviceOf(device));
}

/** The device that options name. @throws OpenCLError CL_INVALID_DEVICE, CL_DEVICE_NOT_FOUND */
export async function deviceOf(given: ProgramOptions['device']): Promise<RuntimeDevice> {
  const wanted = (typeof given === 'string' ? given : given?.id) ?? ownDevices()[0]!.id;
  if (isRequested(wanted)) return requestNamed(wanted);
  const isWanted = ({ id }: RuntimeDevice): boolean => id === wanted;
  // Drivers are loaded only if it is not one of our own.
  const device = ownDevices().find(isWanted) ?? nativeDevices().find(isWanted);
  if (!device) throw new OpenCLError('CL_INVALID_DEVICE', `there is no device '${wanted}'`);
  return device;
}

/** Builds for a device that may not be there, be no card, or not take the program, and then for the default one. */
export async function preferring(request: () => Promise<RuntimeDevice>, build: Build): Promise<Program> {
  let fallback: string;
  try {
    const device = await request();
    if (device.info.type === 'gpu') return await build(device);
    fallback = `${device.info.name} is no gpu`;
  } catch (error) {
    fallback = (error as Error).message;
  }
  // What is wrong with the source is an error there, too.
  return build(ownDevices()[0]!, fallback);
}

/**
 * A program that `build` makes once the parts of Millrace that it needs are loaded; `fallback` says why the device is not the
 * preferred one. In a group of devices the time-out is the group's.
 * @throws BuildError, OpenCLError
 */
export async function openProgram(
  device: RuntimeDevice,
  { timeout, print }: ProgramOptions,
  parts: readonly Promise<void>[],
  build: (opened: OpenDevice) => Promise<BuildResult>,
  fallback: string | undefined,
  group?: SessionGroup,
): Promise<Program> {
  await loaded(Promise.all([...parts, device.load?.()]));
  const session = group ? group.of(device) : Session.of(device, timeout ?? 0);
  try {
    const { program, diagnostics, log } = await loaded(build(session.context.opened(device)));
    if (!program) throw new BuildError(log, diagnostics);
    return new Program(session, program, diagnostics, log, print, entryOf(device), fallback);
  } catch (error) {
    session.leave();
    throw error;
  }
}

/** What needs parts of Millrace that are loaded now. */
export async function loaded<T>(loading: Promise<T>): Promise<T> {
  try {
    return await loading;
  } catch (error) {
    if (!(error instanceof PartError)) throw error;
    throw new OpenCLError('CL_COMPILER_NOT_AVAILABLE', error.message, { cause: error });
  }
}

// Programs that are dropped without being released are given back when they are collected. Their kernels and buffers
// refer to them, so nothing of them is in use then.
const dropped = new FinalizationRegistry<{ session: Session; program: DeviceProgram }>(
  ({ session, program }) => {
    program.release();
    session.leave();
  },
);

/** A compiled source on a device. Its kernels run one after another, in the order of their calls. */
export class Program {
  /** What profiles and logs call it, in minified bundles too. */
  static readonly name: string = 'Program';
  /** Names of all kernels, in the order of the source. */
  readonly kernelNames: readonly string[];
  /** Warnings. */
  readonly diagnostics: readonly Diagnostic[];
  /** The same as text; empty if there are none. */
  readonly log: string;
  /** Where the program runs. */
  readonly device: Device;
  /** Why that is not the preferred device (`prefer` of {@link CompileOptions}), in words. */
  readonly fallback: string | undefined;
  readonly #session: Session;
  readonly #program: DeviceProgram;
  readonly #print: PrintFunction | undefined;
  readonly #kernels = new Map<string, Kernel>();
  readonly #buffers = new Set<DeviceBuffer>();
  readonly #images = new Set<DeviceImage>();
  readonly #pipes = new Set<DevicePipe>();
  readonly #shared = new Set<SharedMemory>();
  #released = false;

  /** Programs are made by {@link compile}. The session has been told that it has one more user. */
  constructor(
    session: Session,
    program: DeviceProgram,
    diagnostics: readonly Diagnostic[],
    log: string,
    print: PrintFunction | undefined,
    device: Device,
    fallback: string | undefined,
  ) {
    this.device = device;
    this.fallback = fallback;
    watchClass('Millrace', new.target, /^(?:buffer|image|pipe|release|sharedMemory)$/);
    this.#print = print;
    this.#session = session;
    this.#program = program;
    dropped.register(this, { session, program }, this);
    this.diagnostics = diagnostics;
    this.log = log;
    this.kernelNames = program.kernels.map((kernel) => kernel.name);
  }

  /**
   * A kernel as a function.
   * @throws OpenCLError CL_INVALID_KERNEL_NAME
   */
  kernel(name: string): Kernel {
    this.#check();
    let kernel = this.#kernels.get(name);
    if (!kernel) {
      const found = this.#program.kernels.find((candidate) => candidate.name === name);
      if (!found) {
        const names = this.kernelNames.map((known) => `'${known}'`).join(', ');
        throw new OpenCLError(
          'CL_INVALID_KERNEL_NAME',
          `there is no kernel '${name}'; there is ${names || 'none'}`,
        );
      }
      kernel = createKernel(this.#session.queue, found, () => this.#check(), this.#print);
      this.#kernels.set(name, kernel);
    }
    return kernel;
  }

  /**
   * Memory of the device: so many bytes (with any content), or a copy of a typed array. Kernels of other programs
   * compiled for the same device (with the same time-out) may use it too; it is released with this program.
   * `kernelAccess` says that kernels only read it, or only write it, which a checking device holds them to.
   * @throws OpenCLError CL_INVALID_BUFFER_SIZE, CL_MEM_OBJECT_ALLOCATION_FAILURE
   */
  buffer(content: number | TypedArray, kernelAccess?: 'read-only' | 'write-only'): DeviceBuffer {
    this.#check();
    const forget = () => this.#buffers.delete(buffer);
    const buffer = new DeviceBuffer(this.#session.queue, content, forget, kernelAccess);
    this.#buffers.add(buffer);
    return buffer;
  }

  /**
   * An image of the device: of pixels, which are copied; of a size, with any pixels; or over the bytes of a buffer. Like
   * buffers it may be used by other programs and is released with this one.
   * @throws OpenCLError CL_INVALID_IMAGE_DESCRIPTOR, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CL_INVALID_IMAGE_SIZE,
   *   CL_IMAGE_FORMAT_NOT_SUPPORTED, CL_MEM_OBJECT_ALLOCATION_FAILURE
   */
  image(content: ImageContent): DeviceImage {
    this.#check();
    const image = new DeviceImage(this.#session.queue, content, () => this.#images.delete(image));
    this.#images.add(image);
    return image;
  }

  /**
   * A pipe of the device, which kernels write and read (OpenCL 2.0, 6.13.16). Like buffers it may be used by other programs and
   * is released with this one.
   * @param packetBytes the size of what the kernels' pipes are of
   * @throws OpenCLError CL_INVALID_PIPE_SIZE, CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_INVALID_OPERATION on a device without pipes
   */
  pipe(packetBytes: number, maxPackets: number): DevicePipe {
    this.#check();
    const pipe = new DevicePipe(this.#session.queue, packetBytes, maxPackets, () => this.#pipes.delete(pipe));
    this.#pipes.add(pipe);
    return pipe;
  }

  /**
   * So many bytes of shared virtual memory, with any content: a typed array for the host, pointers for kernels, for both at once
   * (OpenCL 2.0, 5.6). Like buffers it may be used by other programs and is released with this one.
   * @throws OpenCLError CL_INVALID_OPERATION if the device has none, CL_INVALID_BUFFER_SIZE, CL_MEM_OBJECT_ALLOCATION_FAILURE
   */
  shared(bytes: number): SharedMemory {
    this.#check();
    const memory = new SharedMemory(this.#session.queue, bytes, () => this.#shared.delete(memory));
    this.#shared.add(memory);
    return memory;
  }

  /**
   * Makes a queue for kernels that launch others: what get_default_queue() gives them (OpenCL 2.0, 6.13.17). All programs for
   * the device share it; later calls change nothing. `bytes` say how many launches may wait in it, 256 for each.
   * @throws OpenCLError CL_INVALID_OPERATION if the device has none, CL_INVALID_VALUE
   */
  deviceQueue(bytes?: number): void {
    this.#check();
    this.#session.giveDeviceQueue(bytes);
  }

  /** Where its commands go: for what is loaded apart. */
  get queue(): CommandQueue {
    this.#check();
    return this.#session.queue;
  }

  /** Resolves when all calls so far have ended. */
  finish(): Promise<void> {
    this.#check();
    return this.#session.queue.finished();
  }

  /** Gives the program, its buffers, images and pipes back, once the calls under way have ended. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    dropped.unregister(this);
    for (const image of this.#images) image.release();
    for (const pipe of this.#pipes) pipe.release();
    for (const buffer of this.#buffers) buffer.release();
    for (const memory of this.#shared) memory.release();
    this.#program.release();
    this.#session.leave();
  }

  /** For `using`. */
  [dispose](): void {
    this.release();
  }

  #check(): void {
    if (this.#released) throw new OpenCLError('CL_INVALID_PROGRAM', 'the program has been released');
  }
}
