/** A device as the bench drives it: one context and one queue with profiling; programs, buffers and timed runs on it. */
import { performance } from 'node:perf_hooks';
import * as openCL from 'millrace/opencl';
import {
  CL,
  type CLBuffer,
  type CLContext,
  type CLDevice,
  type CLImage,
  type CLKernel,
  getPlatforms,
} from 'millrace/opencl';
import type { BenchCase, BenchImage, BenchKernel, Result } from './bench-kernel.ts';

/** Milliseconds: on the device by the launches' profiling events, and as the host saw it. */
export interface RunTime {
  readonly event: number;
  readonly wall: number;
}

/** Milliseconds from a program's source to its kernels, and to the end of its first run. */
export interface FirstRun {
  readonly built: number;
  readonly ran: number;
}

/** A build option that makes a program one that no cache has seen. */
function unseenOption(): string {
  return `-D MILLRACE_BENCH_${Date.now()}_${Math.floor(Math.random() * 2 ** 32)}`;
}

/** Which code first launches run: what who started the bench has asked for, which run.ts does not change before. */
const tiers = process.env['MILLRACE_TIERS'];

/** Builds as programs do that are not measured. */
function withTiers<T>(build: () => T): T {
  const before = process.env['MILLRACE_TIERS'];
  if (tiers === undefined) delete process.env['MILLRACE_TIERS'];
  try {
    return build();
  } finally {
    if (before !== undefined) process.env['MILLRACE_TIERS'] = before;
  }
}

/** The OpenCL API of a build of Millrace: this one's, or another checkout's (other-checkout.ts). */
export type OpenCL = typeof openCL;

export class BenchDevice {
  readonly name: string;
  /** Whether it is this build's own, which all others are compared with. */
  readonly isOurs: boolean;
  /** Such as `PoCL 3.1`. */
  readonly version: string;
  readonly #api: OpenCL;
  readonly #device: CLDevice;
  readonly #context: CLContext;

  /**
   * @param api what drives the device
   * @param name what tables call it; by default what its driver is called
   */
  constructor(device: CLDevice, api: OpenCL = openCL, name: string = nameOf(device)) {
    this.#api = api;
    this.#device = device;
    const driver = String(device.getInfo(CL.DEVICE_VERSION));
    this.name = name;
    this.isOurs = name === 'Millrace';
    this.version = this.isOurs ? driver : `${name} ${device.getInfo(CL.DRIVER_VERSION)}`.trim();
    this.#context = api.createContext(device);
  }

  /** Builds the kernel's program and puts its data on the device. @throws OpenCLError if the build fails */
  prepare(kernel: BenchKernel, benchCase: BenchCase, options: string): PreparedCase {
    return new PreparedCase(this.#api, this.#context, this.#device, kernel, benchCase, options);
  }

  /**
   * Milliseconds from the source of a program that no cache has seen to its kernels, and on to the end of its first run:
   * what a device puts off until a kernel is launched counts there. Making the buffers counts in neither.
   */
  firstRun(kernel: BenchKernel, benchCase: BenchCase): FirstRun {
    const prepared = withTiers(() => this.prepare(kernel, benchCase, unseenOption()));
    const { wall } = prepared.run();
    const { built } = prepared;
    prepared.release();
    return { built, ran: built + wall };
  }

  release(): void {
    this.#context.releaseAll();
  }
}

/** `PoCL` of `OpenCL 3.0 PoCL HSTR: ...`, else the first word of the device's name. */
function shortName(version: string, deviceName: string): string {
  if (/pocl/i.test(version)) return 'PoCL';
  if (/cuda/i.test(version)) return 'NVIDIA';
  return /^OpenCL \S+ ([A-Z]\w+)/.exec(version)?.[1] ?? deviceName.split(/\s/)[0]!;
}

/** What tables call a device: `Millrace`, `native`, `WebGPU`, `PoCL`. */
export function nameOf(device: CLDevice): string {
  if (device.getInfo(CL.DEVICE_NAME) === 'Millrace x86-64') return 'native';
  const version = String(device.getInfo(CL.DEVICE_VERSION));
  if (String(device.getInfo(CL.DEVICE_NAME)).startsWith('WebGPU ')) return 'WebGPU';
  if (version.includes('Millrace')) return 'Millrace';
  return shortName(version, String(device.getInfo(CL.DEVICE_NAME)));
}

/** Our device, and the first that a driver offers. */
export function firstDevices(): [CLDevice, CLDevice | undefined] {
  const [ours, driver] = getPlatforms().map((platform) => platform.getDevices(CL.DEVICE_TYPE_ALL)[0]);
  return [ours!, driver];
}

/** Our devices and all drivers', WebGPU's and the native one only once somebody has asked for them (`requestDevice`). */
const allDevices = (): CLDevice[] =>
  getPlatforms().flatMap((platform) => [...platform.getDevices(CL.DEVICE_TYPE_ALL)]);

/** The first device by a part of its name. @throws Error if there is none, with the names that there are */
export function findDevice(part: string): CLDevice {
  const name = part.toLowerCase();
  const all = allDevices();
  const found = all.find((device) => {
    const text = `${device.getInfo(CL.DEVICE_NAME)} ${device.getInfo(CL.DEVICE_VERSION)}`.toLowerCase();
    // A card's name is in that of its WebGPU device, too.
    if (nameOf(device) === 'WebGPU') return name === 'webgpu';
    if (nameOf(device) === 'native') return name === 'native';
    return name === 'wasm' ? text.includes('millrace') && !text.includes('interpreter') : text.includes(name);
  });
  if (found) return found;
  const others = all.map((device) => `'${device.getInfo(CL.DEVICE_NAME)}'`).join(', ');
  throw new Error(
    `no device is named '${part}'. There are ${others}; \`millrace devices\` says why a driver is missing`,
  );
}

/** Devices by parts of their names; without names, ours and every driver's first processor or card. */
export function benchDevices(names: readonly string[]): BenchDevice[] {
  const chosen =
    names.length > 0
      ? names.map(findDevice)
      : allDevices().filter((device) => !String(device.getInfo(CL.DEVICE_NAME)).includes('interpreter'));
  return [...new Set(chosen)].map((device) => new BenchDevice(device));
}

/** A case on a device, ready to run again and again. */
export class PreparedCase {
  readonly #api: OpenCL;
  readonly #case: BenchCase;
  readonly #queue: ReturnType<CLContext['createCommandQueue']>;
  readonly #program: ReturnType<CLContext['createProgram']>;
  readonly #buffers = new Map<string, CLBuffer>();
  readonly #images = new Map<string, CLImage>();
  readonly #kernels: readonly CLKernel[];
  /** Milliseconds from the source to kernels. */
  readonly built: number;

  constructor(
    api: OpenCL,
    context: CLContext,
    device: CLDevice,
    kernel: BenchKernel,
    benchCase: BenchCase,
    options: string,
  ) {
    this.#api = api;
    this.#case = benchCase;
    const start = performance.now();
    this.#program = context.createProgram(kernel.source);
    this.#program.build([device], `${kernel.options ?? ''} ${options}`.trim());
    this.#kernels = benchCase.launches.map((launch) => this.#program.createKernel(launch.kernel));
    this.built = performance.now() - start;
    this.#queue = context.createCommandQueue(device, CL.QUEUE_PROFILING_ENABLE);
    for (const [name, content] of Object.entries(benchCase.buffers)) {
      const buffer =
        typeof content === 'number'
          ? context.createBuffer(CL.MEM_READ_WRITE, content)
          : context.createBuffer(CL.MEM_READ_WRITE | CL.MEM_COPY_HOST_PTR, content.byteLength, content);
      this.#buffers.set(name, buffer);
    }
    for (const [name, image] of Object.entries(benchCase.images ?? {})) {
      this.#images.set(name, makeImage(context, image));
    }
    for (const [place, made] of this.#kernels.entries()) {
      for (const [index, argument] of benchCase.launches[place]!.arguments.entries()) {
        if (typeof argument === 'string')
          made.setArg(index, this.#buffers.get(argument) ?? this.#images.get(argument)!);
        else if ('local' in argument) made.setArg(index, argument.local, null);
        else made.setArg(index, argument);
      }
    }
  }

  /** One run. What it needs as it was is put back before, which is not counted. */
  run(): RunTime {
    for (const name of this.#case.restored ?? []) {
      const content = this.#case.buffers[name]!;
      if (typeof content === 'number') throw new Error(`${name} has no content to be restored`);
      this.#queue.enqueueWriteBuffer(this.#buffers.get(name)!, CL.TRUE, 0, content.byteLength, content);
    }
    const start = performance.now();
    const end = this.start();
    this.#queue.finish();
    const wall = performance.now() - start;
    return { event: end(), wall };
  }

  /** Begins a run, with what the last one left. Gives what waits for its end and tells its milliseconds on the device. */
  start(): () => number {
    const events = this.#case.launches.map(() => new this.#api.CLEvent());
    for (const [index, { global, local }] of this.#case.launches.entries()) {
      const kernel = this.#kernels[index]!;
      this.#queue.enqueueNDRangeKernel(
        kernel,
        global.length,
        null,
        global,
        local ?? null,
        [],
        events[index]!,
      );
    }
    this.#queue.flush();
    return () => {
      this.#queue.finish();
      let nanoseconds = 0n;
      for (const event of events) {
        nanoseconds += event.getProfilingInfo(CL.PROFILING_COMMAND_END);
        nanoseconds -= event.getProfilingInfo(CL.PROFILING_COMMAND_START);
        event.release();
      }
      return Number(nanoseconds) / 1e6;
    };
  }

  /** Checks what the last run left. */
  check(): string | undefined {
    const read: Result = (name, type) => {
      const image = this.#case.images?.[name];
      if (image) {
        const { width, height, pixels } = image;
        const bytes = typeof pixels === 'number' ? pixels : pixels.byteLength;
        const result = new type(bytes / type.BYTES_PER_ELEMENT);
        const region = [width, height, 1];
        this.#queue.enqueueReadImage(this.#images.get(name)!, CL.TRUE, [0, 0, 0], region, 0, 0, result);
        return result;
      }
      const content = this.#case.buffers[name]!;
      const bytes = typeof content === 'number' ? content : content.byteLength;
      const result = new type(bytes / type.BYTES_PER_ELEMENT);
      this.#queue.enqueueReadBuffer(this.#buffers.get(name)!, CL.TRUE, 0, bytes, result);
      return result;
    };
    return this.#case.check(read);
  }

  release(): void {
    for (const kernel of this.#kernels) kernel.release();
    for (const memory of [...this.#buffers.values(), ...this.#images.values()]) memory.release();
    this.#program.release();
    this.#queue.release();
  }
}

function makeImage(context: CLContext, { order, type, width, height, pixels }: BenchImage): CLImage {
  const format = { channelOrder: CL[order], channelType: CL[type] };
  const shape = { type: CL.MEM_OBJECT_IMAGE2D, width, height };
  return typeof pixels === 'number'
    ? context.createImage(CL.MEM_READ_WRITE, format, shape)
    : context.createImage(CL.MEM_READ_WRITE | CL.MEM_COPY_HOST_PTR, format, shape, pixels);
}
