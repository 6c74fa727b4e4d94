/** Programs (OpenCL 1.2, 5.6). */
import type { DeviceProgram } from '../../runtime/device.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { type BuildResult, buildProgram, buildProgramAsync } from '../build-program.ts';
import { CL } from './constants.ts';
import type { CLContext } from './context.ts';
import { Handle, invalidQuery } from './handle.ts';
import { CLKernel } from './kernel.ts';
import type { CLDevice } from './platform.ts';

interface Build {
  status: number;
  options: string;
  log: string;
  program: DeviceProgram | undefined;
}

// Programs dropped without a release are given back when they and their kernels, which refer to them, are collected.
const dropped = new FinalizationRegistry<{ context: CLContext; builds: ReadonlyMap<CLDevice, Build> }>(
  ({ context, builds }) => giveBack(context, builds),
);

function giveBack(context: CLContext, builds: ReadonlyMap<CLDevice, Build>): void {
  for (const build of builds.values()) build.program?.release();
  context.detach();
}

export class CLProgram extends Handle {
  protected readonly kind = { error: 'CL_INVALID_PROGRAM', noun: 'program' } as const;
  readonly context: CLContext;
  readonly source: string;
  readonly #builds: Map<CLDevice, Build>;
  /** Kernels that are alive: they keep the built program. */
  #kernels = 0;

  /** Programs come from CLContext.createProgram. */
  constructor(context: CLContext, source: string) {
    super();
    this.context = context;
    this.source = source;
    this.#builds = new Map(
      context.devices.map((device) => [
        device,
        { status: CL.BUILD_NONE, options: '', log: '', program: undefined },
      ]),
    );
    context.attach();
    dropped.register(this, { context, builds: this.#builds }, this);
  }

  /**
   * clBuildProgram for some devices of the context (default all). With a callback it returns at once; without, it throws
   * when the build fails.
   * @throws OpenCLError CL_INVALID_DEVICE, CL_INVALID_OPERATION, CL_INVALID_BUILD_OPTIONS, CL_BUILD_PROGRAM_FAILURE
   */
  build(
    devices?: readonly CLDevice[] | null,
    options?: string | null,
    whenFinished?: ((program: CLProgram) => void) | null,
  ): void {
    this.check();
    const targets = this.#targets(devices);
    if (whenFinished !== undefined && whenFinished !== null && typeof whenFinished !== 'function') {
      throw new OpenCLError('CL_INVALID_VALUE', 'the callback is no function');
    }
    if (this.#kernels > 0) {
      throw new OpenCLError(
        'CL_INVALID_OPERATION',
        'the program has kernels: release them before building again',
      );
    }
    const input = { source: this.source, options: options ?? '' };
    for (const device of targets) {
      const build = this.#builds.get(device)!;
      if (build.status === CL.BUILD_IN_PROGRESS) {
        throw new OpenCLError('CL_INVALID_OPERATION', 'a build for this device is under way');
      }
      build.program?.release();
      Object.assign(build, {
        status: CL.BUILD_IN_PROGRESS,
        options: input.options,
        log: '',
        program: undefined,
      });
    }
    if (whenFinished) {
      const all = targets.map((device) =>
        buildProgramAsync(input, this.context.runtime.opened(device.runtime)).then(
          (result) => this.#finish(device, result),
          (error: unknown) => this.#finish(device, crashed(error)),
        ),
      );
      void Promise.allSettled(all).then(() => whenFinished(this));
      return;
    }
    for (const device of targets) {
      let result: BuildResult;
      try {
        result = buildProgram(input, this.context.runtime.opened(device.runtime));
      } catch (error) {
        this.#finish(device, crashed(error));
        throw error;
      }
      this.#finish(device, result);
      if (result.program) continue;
      const error = result.hasInvalidOptions ? 'CL_INVALID_BUILD_OPTIONS' : 'CL_BUILD_PROGRAM_FAILURE';
      for (const other of targets) {
        const build = this.#builds.get(other)!;
        if (build.status === CL.BUILD_IN_PROGRESS) build.status = CL.BUILD_NONE;
      }
      throw new OpenCLError(error, result.log);
    }
  }

  /** clGetProgramBuildInfo: PROGRAM_BUILD_STATUS, _BUILD_OPTIONS, _BUILD_LOG, PROGRAM_BINARY_TYPE. */
  getBuildInfo(device: CLDevice, name: number): number | string {
    this.check();
    const build = this.#builds.get(device);
    if (!build) throw new OpenCLError('CL_INVALID_DEVICE', 'the device is not one of the program');
    switch (name) {
      case CL.PROGRAM_BUILD_STATUS:
        return build.status;
      case CL.PROGRAM_BUILD_OPTIONS:
        return build.options;
      case CL.PROGRAM_BUILD_LOG:
        return build.log;
      case CL.PROGRAM_BINARY_TYPE:
        return build.program ? CL.PROGRAM_BINARY_TYPE_EXECUTABLE : CL.PROGRAM_BINARY_TYPE_NONE;
      default:
        return invalidQuery(name);
    }
  }

  /** clGetProgramInfo. */
  getInfo(
    name: number,
  ): number | string | CLContext | readonly CLDevice[] | readonly number[] | readonly Uint8Array[] {
    this.check();
    const builds = [...this.#builds.values()];
    switch (name) {
      case CL.PROGRAM_REFERENCE_COUNT:
        return this.references;
      case CL.PROGRAM_CONTEXT:
        return this.context;
      case CL.PROGRAM_NUM_DEVICES:
        return this.#builds.size;
      case CL.PROGRAM_DEVICES:
        return [...this.#builds.keys()];
      case CL.PROGRAM_SOURCE:
        return this.source;
      case CL.PROGRAM_BINARY_SIZES:
        return builds.map((build) => build.program?.binary.length ?? 0);
      case CL.PROGRAM_BINARIES:
        return builds.map((build) => build.program?.binary.slice() ?? new Uint8Array(0));
      case CL.PROGRAM_NUM_KERNELS:
        return this.#built().kernels.length;
      case CL.PROGRAM_KERNEL_NAMES:
        return this.#built()
          .kernels.map((kernel) => kernel.name)
          .join(';');
      default:
        return invalidQuery(name);
    }
  }

  /** clCreateKernel. @throws OpenCLError CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL_NAME */
  createKernel(kernelName: string): CLKernel {
    this.check();
    const built = this.#built();
    if (typeof kernelName !== 'string')
      throw new OpenCLError('CL_INVALID_VALUE', 'a kernel name is a string');
    if (!built.kernels.some((kernel) => kernel.name === kernelName)) {
      const names = built.kernels.map((kernel) => `'${kernel.name}'`).join(', ');
      throw new OpenCLError(
        'CL_INVALID_KERNEL_NAME',
        `the program has no kernel '${kernelName}'; it has ${names || 'none'}`,
      );
    }
    return new CLKernel(this, kernelName);
  }

  /** clCreateKernelsInProgram. */
  createKernelsInProgram(): CLKernel[] {
    this.check();
    return this.#built().kernels.map((kernel) => new CLKernel(this, kernel.name));
  }

  /** The program as built for a device, if it is. */
  builtFor(device: CLDevice): DeviceProgram | undefined {
    return this.#builds.get(device)?.program;
  }

  /** A kernel has been made; it keeps the program's code. */
  attach(): void {
    this.#kernels += 1;
  }

  /** A kernel is gone. */
  detach(): void {
    this.#kernels -= 1;
    this.#freeIfUnused();
  }

  protected destroy(): void {
    this.#freeIfUnused();
  }

  #freeIfUnused(): void {
    if (this.references > 0 || this.#kernels > 0) return;
    dropped.unregister(this);
    giveBack(this.context, this.#builds);
  }

  #targets(devices: readonly CLDevice[] | null | undefined): readonly CLDevice[] {
    if (devices === null || devices === undefined) return [...this.#builds.keys()];
    if (!Array.isArray(devices) || devices.length === 0) {
      throw new OpenCLError('CL_INVALID_VALUE', 'a build needs at least one device');
    }
    for (const device of devices) {
      if (!this.#builds.has(device))
        throw new OpenCLError('CL_INVALID_DEVICE', 'a device is not one of the program');
    }
    return devices;
  }

  #finish(device: CLDevice, result: BuildResult): void {
    const build = this.#builds.get(device)!;
    build.status = result.program ? CL.BUILD_SUCCESS : CL.BUILD_ERROR;
    build.log = result.log;
    build.program = result.program;
  }

  #built(): DeviceProgram {
    for (const { program } of this.#builds.values()) if (program) return program;
    throw new OpenCLError('CL_INVALID_PROGRAM_EXECUTABLE', 'the program has not been built successfully');
  }
}

function crashed(error: unknown): BuildResult {
  const log = error instanceof Error ? error.message : String(error);
  return { program: undefined, diagnostics: [], hasInvalidOptions: false, log };
}
