/**
 * A program built for the wasm device. What is asked of its kernels before they are launched comes from the outline
 * (program-outline.ts); the part that a kernel is in is compiled when more is needed.
 */
import { areaAlignment, type KernelCode, type WasmProgram } from '../../codegen/wasm/abi.ts';
import type { Triple } from '../../runtime/command.ts';
import {
  BuildFailure,
  type Device,
  type DeviceHost,
  type DeviceKernel,
  type DeviceProgram,
  type KernelParameter,
} from '../../runtime/device.ts';
import { now } from '../../runtime/host.ts';
import { commandObserver } from '../../runtime/observe.ts';
import { roundUp } from '../../runtime/range-allocator.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { localMemoryBytes, maximumAreaBytes } from './device-info.ts';
import { chooseLocalSize } from './local-size.ts';
import type { KernelOutline, ProgramOutline } from './program-outline.ts';
import { ProgramPart } from './program-part.ts';
import { maxWorkGroupSizeOf } from './work-group-limits.ts';

export class WasmDeviceProgram implements DeviceProgram {
  /** Those that hosts launch. */
  readonly kernels: readonly WasmKernel[];
  readonly log = '';
  /** Binaries of this device's programs hold their IR. */
  readonly binary = new Uint8Array(0);
  readonly globalVariableBytes: number;
  readonly #host: DeviceHost;
  readonly #device: Device;
  readonly #outline: ProgramOutline;
  readonly #compile: (part: number) => WasmProgram;
  readonly #parts: (ProgramPart | undefined)[];

  /** @param compile gives a part's machine code; called once for each part, at most */
  constructor(
    host: DeviceHost,
    outline: ProgramOutline,
    compile: (part: number) => WasmProgram,
    device: Device,
    threads: number,
  ) {
    this.#host = host;
    this.#device = device;
    this.#outline = outline;
    this.#compile = compile;
    this.#parts = outline.parts.map(() => undefined);
    this.globalVariableBytes = outline.globalVariableBytes;
    this.kernels = outline.kernels.map((kernel) => new WasmKernel(this, kernel, threads));
  }

  /**
   * A part of the program, compiled now if it has not been.
   * @throws BuildFailure for what is too large to be compiled
   */
  part(index: number): ProgramPart {
    this.#parts[index] ??= this.#compilePart(index);
    return this.#parts[index];
  }

  #compilePart(index: number): ProgramPart {
    const started = now();
    const part = new ProgramPart(this.#host, this.#compile(index));
    const kernels = this.#outline.parts[index]!;
    commandObserver()?.build({ device: this.#device, kind: 'compile', kernels, started, ended: now() });
    return part;
  }

  /** Commands that use it may still be under way. */
  release(): void {
    this.#host.afterCommands(() => {
      // Text that is not out yet may quote strings among the constants.
      this.#host.printing.flush();
      for (const part of this.#parts) part?.free();
    });
  }
}

export class WasmKernel implements DeviceKernel {
  readonly program: WasmDeviceProgram;
  readonly name: string;
  readonly parameters: readonly KernelParameter[];
  readonly attributes: KernelOutline['attributes'];
  readonly preferredWorkGroupMultiple = 16;
  readonly #part: number;
  readonly #threads: number;
  #index: number | undefined;

  constructor(
    program: WasmDeviceProgram,
    { name, part, parameters, attributes }: KernelOutline,
    threads: number,
  ) {
    this.program = program;
    this.name = name;
    this.parameters = parameters;
    this.attributes = attributes;
    this.#part = part;
    this.#threads = threads;
  }

  /**
   * The part of the program with its machine code.
   * @throws OpenCLError CL_OUT_OF_RESOURCES for what is too large to be compiled
   */
  get part(): ProgramPart {
    try {
      return this.program.part(this.#part);
    } catch (error) {
      if (!(error instanceof BuildFailure)) throw error;
      throw new OpenCLError('CL_OUT_OF_RESOURCES', error.log.trim(), { cause: error });
    }
  }

  /** Its number in the part. */
  get index(): number {
    this.#index ??= this.part.kernels.findIndex(({ name }) => name === this.name);
    return this.#index;
  }

  get code(): KernelCode {
    return this.part.kernels[this.index]!;
  }

  get localBytes(): number {
    return this.code.localBytes;
  }

  get privateBytes(): number {
    return this.code.privateBytes;
  }

  get maxWorkGroupSize(): number {
    return maxWorkGroupSizeOf(this.code);
  }

  chooseLocalSize(_dimensions: 1 | 2 | 3, global: Triple): Triple {
    const { code, maxWorkGroupSize } = this;
    return chooseLocalSize(global, maxWorkGroupSize, this.#threads, code.rows, code.attributes?.mayCutGroups);
  }

  refuses(local: Triple, dynamicLocalBytes: number): string | undefined {
    const { code } = this;
    const localBytes = code.localBytes + dynamicLocalBytes;
    if (localBytes > localMemoryBytes) {
      return `kernel '${this.name}' needs ${localBytes} bytes of local memory; the device has ${localMemoryBytes}`;
    }
    const items = local[0] * local[1] * local[2];
    const area = code.fixedBytes + roundUp(code.perItemBytes * items, areaAlignment) + dynamicLocalBytes;
    if (area > maximumAreaBytes) {
      return `kernel '${this.name}' needs ${area} bytes of private and local memory a work-group; the device has ${maximumAreaBytes}`;
    }
    return undefined;
  }
}
