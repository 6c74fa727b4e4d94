/**
 * A program built by a driver's compiler, and its kernels. What the source says about them is known from our front end,
 * or from the driver where ours does not take the source.
 */
import { OpenCLCError, writeOpenCLC } from '../../codegen/opencl-c/write-opencl-c.ts';
import type { KernelAttributes } from '../../ir/ir.ts';
import { deviceChoosesLocal, type Triple } from '../../runtime/command.ts';
import {
  BuildFailure,
  type DeviceHost,
  type DeviceInfo,
  type DeviceKernel,
  type DeviceProgram,
  type KernelParameter,
  type ProgramInput,
} from '../../runtime/device.ts';
import { OpenCLError, statusCodes, statusName } from '../../runtime/status.ts';
import { type Driver, loadDriver } from './driver.ts';
import { answerNumber, answerNumbers, answerText, answerWords, type Query } from './info-queries.ts';
import { factsFromDriver, factsFromModule, type NativeKernelFacts } from './kernel-facts.ts';
import type { NativeDevice } from './native-device.ts';
import { access } from './native-layout.ts';
import type { BuildAnswer, BuildText, NativeThread } from './native-thread.ts';

const query = {
  buildLog: 0x1183,
  binarySizes: 0x1165,
  binaries: 0x1166,
  kernelNames: 0x1168,
  workGroupSize: 0x11b0,
  localMemSize: 0x11b2,
  preferredMultiple: 0x11b3,
  privateMemSize: 0x11b4,
} as const;

/** CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT */
const correctlyRounded = 1 << 7;

/** Errors of clBuildProgram that say that the program is wrong, not the call. */
const refusals: readonly number[] = [
  statusCodes.CL_BUILD_PROGRAM_FAILURE,
  statusCodes.CL_COMPILE_PROGRAM_FAILURE,
  statusCodes.CL_LINK_PROGRAM_FAILURE,
  statusCodes.CL_INVALID_BUILD_OPTIONS,
];

/** What the driver gets, and what our front end knows of its kernels: undefined if it takes no such source. */
export interface BuildInput extends BuildText {
  readonly kernels: readonly NativeKernelFacts[] | undefined;
}

/** Kernels of all programs are numbered, and a number is never used again. */
let nextKernel = 1;

/**
 * The source as it is, if it is OpenCL C that the driver can read; else OpenCL C written from IR.
 * @throws BuildFailure if the IR has no form in OpenCL C
 */
export function buildInput(input: ProgramInput, info: DeviceInfo): BuildInput {
  const { source, options, isChecked, binary } = input;
  if (binary) return { source: binary, options: `${options} -cl-kernel-arg-info`.trim(), kernels: undefined };
  if (source !== undefined && !isChecked) {
    return { source, options: `${options} -cl-kernel-arg-info`.trim(), kernels: undefined };
  }
  const module = input.lower();
  const kernels = factsFromModule(module, info);
  if (source !== undefined) return { source, options, kernels };
  try {
    const written = writeOpenCLC(module, {
      addressBits: info.addressBits,
      doubles: info.doubleFpConfig !== 0,
      halves: info.halfFpConfig !== 0,
    });
    // What the options say has been done, but for how exact arithmetic must be.
    const exact =
      (info.singleFpConfig & correctlyRounded) !== 0 ? ' -cl-fp32-correctly-rounded-divide-sqrt' : '';
    return { source: written, options: `-cl-std=CL1.2${exact}`, kernels };
  } catch (error) {
    if (error instanceof OpenCLCError) throw new BuildFailure(`${error.message}\n`);
    throw error;
  }
}

export class NativeProgram implements DeviceProgram {
  /** Drivers are not asked for it: the query came with OpenCL 2.0. */
  readonly globalVariableBytes = 0;
  readonly kernels: readonly NativeKernel[];
  readonly log: string;
  readonly #driver: Driver;
  readonly #thread: NativeThread;
  readonly #host: DeviceHost;
  readonly #handle: number;
  #released = false;

  /** @throws BuildFailure if the driver's compiler refused the program, OpenCLError for other errors */
  constructor(
    device: NativeDevice,
    host: DeviceHost,
    thread: NativeThread,
    { kernels }: BuildInput,
    { program, status }: BuildAnswer,
  ) {
    this.#driver = loadDriver() as Driver;
    this.#thread = thread;
    this.#host = host;
    this.#handle = program;
    this.log = program === 0 ? '' : this.#logFor(device);
    if (status !== 0) {
      if (program !== 0) thread.releaseProgram(program, []);
      if (refusals.includes(status)) {
        throw new BuildFailure(this.log || `the driver's compiler fails with ${statusName(status)}`);
      }
      throw new OpenCLError(status, `the driver cannot build the program: ${statusName(status)}`);
    }
    this.kernels = kernels
      ? kernels.map((facts) => this.#kernel(device, this.#createKernel(facts.name), facts))
      : this.#kernelNames().map((name) => {
          const handle = this.#createKernel(name);
          return this.#kernel(device, handle, factsFromDriver(this.#driver, device, handle, name));
        });
  }

  /** The driver's own form of the program. */
  get binary(): Uint8Array {
    if (this.#released) return new Uint8Array(0);
    const ask: Query = (name, size, value, needed) =>
      this.#driver.clGetProgramInfo(this.#handle, name, size, value, needed);
    const [size = 0] = answerNumbers(ask, query.binarySizes);
    if (size === 0) return new Uint8Array(0);
    const bytes = new Uint8Array(size);
    const pointer = BigUint64Array.of(BigInt(this.#driver.addressOf(bytes)));
    return ask(query.binaries, 8, pointer, null) === 0 ? bytes : new Uint8Array(0);
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#host.afterCommands(() => this.#thread.releaseProgram(this.#handle, this.kernels));
  }

  #logFor(device: NativeDevice): string {
    const text = answerText(
      (name, size, value, needed) =>
        this.#driver.clGetProgramBuildInfo(this.#handle, device.handle, name, size, value, needed),
      query.buildLog,
    );
    return text === '' ? '' : `${text}\n`;
  }

  #kernel(device: NativeDevice, handle: number, facts: NativeKernelFacts): NativeKernel {
    return new NativeKernel(this.#driver, device, handle, facts);
  }

  /** As the driver knows them. */
  #kernelNames(): string[] {
    const ask: Query = (name, size, value, needed) =>
      this.#driver.clGetProgramInfo(this.#handle, name, size, value, needed);
    return answerWords(ask, query.kernelNames, ';');
  }

  #createKernel(name: string): number {
    const error = new Int32Array(1);
    const kernel = this.#driver.clCreateKernel(this.#handle, new TextEncoder().encode(`${name}\0`), error);
    if (error[0] === 0) return kernel;
    throw new BuildFailure(`the driver gives no kernel '${name}': ${statusName(error[0]!)}`);
  }
}

export class NativeKernel implements DeviceKernel {
  readonly name: string;
  /** Among all kernels of native devices. */
  readonly number: number;
  /** The driver's handle. */
  readonly handle: number;
  readonly parameters: readonly KernelParameter[];
  readonly attributes: KernelAttributes | undefined;
  readonly localBytes: number;
  readonly privateBytes: number;
  readonly maxWorkGroupSize: number;
  readonly preferredWorkGroupMultiple: number;
  readonly #info: DeviceInfo;

  constructor(driver: Driver, device: NativeDevice, handle: number, facts: NativeKernelFacts) {
    this.name = facts.name;
    this.number = nextKernel;
    nextKernel += 1;
    this.handle = handle;
    this.attributes = facts.attributes;
    this.parameters = facts.parameters;
    this.#info = device.info;
    const ask: Query = (name, size, value, needed) =>
      driver.clGetKernelWorkGroupInfo(handle, device.handle, name, size, value, needed);
    this.maxWorkGroupSize = answerNumber(ask, query.workGroupSize, device.info.maxWorkGroupSize);
    this.preferredWorkGroupMultiple = answerNumber(ask, query.preferredMultiple, 1);
    this.localBytes = answerNumber(ask, query.localMemSize);
    this.privateBytes = answerNumber(ask, query.privateMemSize);
  }

  /** What the kernel may do with the memory of a parameter: bits of `access`. */
  accessOf(index: number): number {
    const { kind, info } = this.parameters[index]!;
    if (info?.handle?.kind === 'image') {
      return info.handle.access === 'read_only' ? access.reads : access.reads | access.writes;
    }
    const onlyReads = kind === 'constant' || (info?.typeQualifiers.includes('const') ?? false);
    return onlyReads ? access.reads : access.reads | access.writes;
  }

  chooseLocalSize(): Triple {
    return deviceChoosesLocal;
  }

  refuses(_local: Triple, dynamicLocalBytes: number): string | undefined {
    const needed = this.localBytes + dynamicLocalBytes;
    if (needed <= this.#info.localMemSize) return undefined;
    return `kernel '${this.name}' needs ${needed} bytes of local memory; the device has ${this.#info.localMemSize}`;
  }
}
