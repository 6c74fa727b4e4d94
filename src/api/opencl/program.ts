/** Programs (OpenCL 1.2, 5.6). */

import { type BuildResult, buildFrom, buildFromAsync, type FrontEnd } from '../../build/build-program.ts';
import { compileUnit, sourceFrontEnd } from '../../build/source-front-end.ts';
import { parseBuildOptions } from '../../opencl/build-options.ts';
import type { DeviceProgram } from '../../runtime/device.ts';
import { OpenCLError, type StatusName } from '../../runtime/status.ts';
import { CL, type CLValue } from './constants.ts';
import type { CLContext } from './context.ts';
import { checkHandle, Handle, invalidQuery } from './handle.ts';
import { CLKernel } from './kernel.ts';
import type { CLDevice } from './platform.ts';
import { binaryOf } from './program-binaries.ts';
import { ProgramLife } from './program-life.ts';
import {
  binaryType,
  checkCallback,
  checkIdle,
  type DeviceState,
  type Executable,
  type LoadedBinary,
  newStates,
  type Outcome,
  opened,
  optionsText,
  perform,
  type States,
  targetDevices,
  type Work,
} from './program-state.ts';

/** Where a program comes from. */
export type Origin =
  | { readonly kind: 'source'; readonly source: string }
  | { readonly kind: 'binary'; readonly binaries: ReadonlyMap<CLDevice, LoadedBinary> }
  /** Ready as it is made. */
  | { readonly kind: 'built-in' }
  /** Made by linkProgram. */
  | { readonly kind: 'linked' };

export type ProgramCallback = ((program: CLProgram) => void) | null;

/** An answer of clGetProgramInfo. */
export type ProgramInfoValue =
  | number
  | boolean
  | string
  | CLContext
  | readonly CLDevice[]
  | readonly number[]
  | readonly Uint8Array[];

export class CLProgram extends Handle {
  /** What profiles and logs call it, in minified bundles too. */
  static override readonly name: string = 'CLProgram';
  protected readonly kind = { error: 'CL_INVALID_PROGRAM', noun: 'program' } as const;
  readonly context: CLContext;
  readonly #origin: Origin;
  readonly #states: Map<CLDevice, DeviceState>;
  /** How long devices hold it. */
  readonly life: ProgramLife;

  /** Programs come from CLContext.createProgram and its like. */
  constructor(context: CLContext, devices: readonly CLDevice[], origin: Origin) {
    super();
    this.context = context;
    this.#origin = origin;
    this.#states = newStates(devices, origin.kind === 'binary' ? origin.binaries : undefined);
    this.life = new ProgramLife(context.life, this.#states);
    this.life.watch(this);
  }

  protected override get isOver(): boolean {
    return this.context.isOver;
  }

  /** CL_PROGRAM_SOURCE: empty for a program that comes from no source. */
  get source(): string {
    return this.#origin.kind === 'source' ? this.#origin.source : '';
  }

  get isFromSource(): boolean {
    return this.#origin.kind === 'source';
  }

  get devices(): readonly CLDevice[] {
    return [...this.#states.keys()];
  }

  /** What the program is on each device, for those who link it. */
  get states(): States {
    return this.#states;
  }

  /**
   * clBuildProgram for some devices of the program (default all): compiles and links. With a callback it returns at once;
   * without, it throws when the build fails.
   * @throws OpenCLError CL_INVALID_VALUE, CL_INVALID_DEVICE, CL_INVALID_BINARY, CL_INVALID_BUILD_OPTIONS,
   *   CL_INVALID_OPERATION, CL_COMPILER_NOT_AVAILABLE, CL_BUILD_PROGRAM_FAILURE
   */
  build(devices?: readonly CLDevice[] | null, options?: string | null, whenFinished?: ProgramCallback): void {
    this.check();
    const targets = targetDevices(devices, this.devices, 'program');
    checkCallback(whenFinished);
    const text = optionsText(options);
    const frontEndFor = this.#frontEnds(targets, text);
    // Wrong options leave a failed build behind, so they come after what must leave the program as it is.
    this.#checkChangeable(targets);
    this.#checkOptions(targets, text, 'CL_INVALID_BUILD_OPTIONS');
    checkCompiler(targets);
    const isSource = this.#origin.kind === 'source';
    // Of a program from a binary nothing is told (OpenCL 1.2, 5.7.3).
    const documented = isSource && parseBuildOptions(text).options.kernelArgInfo ? 'all' : noKernels;
    const work = buildWork(this.context, frontEndFor, documented, 'CL_BUILD_PROGRAM_FAILURE');
    this.#perform(targets, text, work, whenFinished);
  }

  /**
   * clCompileProgram for some devices of the program (default all): what linkProgram joins. `inputHeaders` are programs
   * whose sources `#include` finds by the names in `headerIncludeNames`, before all files.
   * @throws OpenCLError CL_INVALID_VALUE, CL_INVALID_DEVICE, CL_INVALID_PROGRAM, CL_INVALID_OPERATION,
   *   CL_INVALID_COMPILER_OPTIONS, CL_COMPILER_NOT_AVAILABLE, CL_COMPILE_PROGRAM_FAILURE
   */
  compile(
    devices?: readonly CLDevice[] | null,
    options?: string | null,
    inputHeaders?: readonly CLProgram[] | null,
    headerIncludeNames?: readonly string[] | null,
    whenFinished?: ProgramCallback,
  ): void {
    this.check();
    const targets = targetDevices(devices, this.devices, 'program');
    const headers = headerTexts(inputHeaders, headerIncludeNames);
    checkCallback(whenFinished);
    const text = optionsText(options);
    this.#checkChangeable(targets);
    if (this.#origin.kind !== 'source') {
      throw new OpenCLError('CL_INVALID_OPERATION', 'the program has no source that could be compiled');
    }
    this.#checkOptions(targets, text, 'CL_INVALID_COMPILER_OPTIONS');
    checkCompiler(targets);
    const { source } = this.#origin;
    const now = (device: CLDevice): Outcome => {
      const { addressBits } = device.runtime.info;
      const { unit, log } = compileUnit(
        { source, options: text, headers, files: this.context.files },
        addressBits,
      );
      return unit ? { unit, log } : { log, error: 'CL_COMPILE_PROGRAM_FAILURE' };
    };
    this.#perform(targets, text, { now, later: async (device) => now(device) }, whenFinished);
  }

  /**
   * clSetProgramReleaseCallback (OpenCL 2.2), for programs with destructors of variables, which OpenCL C has not.
   * @throws OpenCLError CL_INVALID_PROGRAM, CL_INVALID_VALUE, CL_INVALID_OPERATION
   */
  setReleaseCallback(callback: unknown): never {
    this.check();
    if (typeof callback !== 'function')
      throw new OpenCLError('CL_INVALID_VALUE', 'the callback is no function');
    throw new OpenCLError('CL_INVALID_OPERATION', 'programs here have no destructors of variables');
  }

  /**
   * clSetProgramSpecializationConstant (OpenCL 2.2), for programs in an intermediate language, of which no device has one.
   * @throws OpenCLError CL_INVALID_PROGRAM, CL_INVALID_OPERATION
   */
  setSpecializationConstant(_id: number, _value: unknown): never {
    this.check();
    throw new OpenCLError('CL_INVALID_OPERATION', 'no device takes programs in an intermediate language');
  }

  /** Fills a program that comes from no source or binary; `work` and `options` are what it is made by. */
  fill(targets: readonly CLDevice[], options: string, work: Work, whenFinished?: ProgramCallback): void {
    this.#perform(targets, options, work, whenFinished);
  }

  /** clGetProgramBuildInfo: PROGRAM_BUILD_STATUS, _BUILD_OPTIONS, _BUILD_LOG, PROGRAM_BINARY_TYPE, PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE. */
  getBuildInfo(device: CLDevice, name: CLValue<'PROGRAM_BUILD_LOG' | 'PROGRAM_BUILD_OPTIONS'>): string;
  getBuildInfo(device: CLDevice, name: CLValue<'PROGRAM_BUILD_STATUS' | 'PROGRAM_BINARY_TYPE'>): number;
  getBuildInfo(device: CLDevice, name: number): number | string;
  getBuildInfo(device: CLDevice, name: number): number | string {
    this.check();
    const state = this.#states.get(device);
    if (!state) throw new OpenCLError('CL_INVALID_DEVICE', 'the device is not one of the program');
    switch (name) {
      case CL.PROGRAM_BUILD_STATUS:
        return state.status;
      case CL.PROGRAM_BUILD_OPTIONS:
        return state.options;
      case CL.PROGRAM_BUILD_LOG:
        return state.log;
      case CL.PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
        return this.builtFor(device)?.globalVariableBytes ?? 0;
      case CL.PROGRAM_BINARY_TYPE:
        return binaryType(state);
      default:
        return invalidQuery(name);
    }
  }

  /** clGetProgramInfo. */
  getInfo(name: CLValue<'PROGRAM_BINARIES'>): readonly Uint8Array[];
  getInfo(name: CLValue<'PROGRAM_BINARY_SIZES'>): readonly number[];
  getInfo(name: CLValue<'PROGRAM_DEVICES'>): readonly CLDevice[];
  getInfo(name: CLValue<'PROGRAM_SOURCE' | 'PROGRAM_KERNEL_NAMES'>): string;
  getInfo(name: CLValue<'PROGRAM_NUM_DEVICES' | 'PROGRAM_NUM_KERNELS' | 'PROGRAM_REFERENCE_COUNT'>): number;
  getInfo(name: number): ProgramInfoValue;
  getInfo(name: number): ProgramInfoValue {
    this.check();
    switch (name) {
      case CL.PROGRAM_REFERENCE_COUNT:
        return this.references;
      case CL.PROGRAM_CONTEXT:
        return this.context;
      case CL.PROGRAM_NUM_DEVICES:
        return this.#states.size;
      case CL.PROGRAM_DEVICES:
        return this.devices;
      case CL.PROGRAM_SOURCE:
        return this.source;
      case CL.PROGRAM_BINARY_SIZES:
        return this.#binaries().map((binary) => binary.length);
      case CL.PROGRAM_BINARIES:
        return this.#binaries();
      case CL.PROGRAM_NUM_KERNELS:
        return this.#kernelNames().length;
      case CL.PROGRAM_KERNEL_NAMES:
        return this.#kernelNames().join(';');
      case CL.PROGRAM_IL:
        // None was made from an intermediate language.
        return [];
      case CL.PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
      case CL.PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT:
        return false;
      default:
        return invalidQuery(name);
    }
  }

  /**
   * clCreateKernel.
   * @throws OpenCLError CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_VALUE, CL_INVALID_KERNEL_NAME,
   *   CL_INVALID_KERNEL_DEFINITION
   */
  createKernel(kernelName: string): CLKernel {
    this.check();
    const executables = this.#built();
    if (typeof kernelName !== 'string')
      throw new OpenCLError('CL_INVALID_VALUE', 'a kernel name is a string');
    if (!executables.some((one) => definitionOf(one, kernelName) !== undefined)) {
      const names = this.#kernelNames()
        .map((name) => `'${name}'`)
        .join(', ');
      throw new OpenCLError(
        'CL_INVALID_KERNEL_NAME',
        `the program has no kernel '${kernelName}'; it has ${names || 'none'}`,
      );
    }
    if (!isSameEverywhere(executables, kernelName)) {
      throw new OpenCLError(
        'CL_INVALID_KERNEL_DEFINITION',
        `the kernels '${kernelName}' of the program's devices have different parameters, or one has none of the name`,
      );
    }
    return new CLKernel(this, kernelName);
  }

  /** clCreateKernelsInProgram: of all but those that differ between devices. @throws OpenCLError CL_INVALID_PROGRAM_EXECUTABLE */
  createKernelsInProgram(): CLKernel[] {
    this.check();
    return this.#kernelNames().map((name) => new CLKernel(this, name));
  }

  /** It was made of built-in kernels. */
  get isBuiltIn(): boolean {
    return this.#origin.kind === 'built-in';
  }

  /** The program as built for a device, if it is. */
  builtFor(device: CLDevice): DeviceProgram | undefined {
    return this.#states.get(device)?.executable?.program;
  }

  /** Whether clGetKernelArgInfo may tell about a kernel: it comes from a source built with -cl-kernel-arg-info. */
  documents(kernelName: string): boolean {
    return this.#executables().some(
      ({ documentedKernels }) => documentedKernels === 'all' || documentedKernels.has(kernelName),
    );
  }

  override get isKept(): boolean {
    return this.life.isUsed;
  }

  protected destroy(): void {
    this.life.release(this);
  }

  protected override revive(): void {
    this.life.revive(this);
  }

  /** What a build reads for each device. @throws OpenCLError CL_INVALID_OPERATION, CL_INVALID_BINARY */
  #frontEnds(targets: readonly CLDevice[], options: string): (device: CLDevice) => FrontEnd {
    const origin = this.#origin;
    switch (origin.kind) {
      case 'source':
        return (device) =>
          sourceFrontEnd({ source: origin.source, options, files: this.context.files }, device.runtime);
      case 'binary':
        for (const device of targets) {
          if (origin.binaries.has(device)) continue;
          throw new OpenCLError(
            'CL_INVALID_BINARY',
            `the program has no binary for ${device.runtime.info.name}`,
          );
        }
        return (device) => origin.binaries.get(device)!.frontEnd(options);
      case 'built-in':
      case 'linked':
        throw new OpenCLError('CL_INVALID_OPERATION', 'the program was not made from a source or a binary');
    }
  }

  #checkChangeable(targets: readonly CLDevice[]): void {
    if (this.life.hasKernels) {
      throw new OpenCLError(
        'CL_INVALID_OPERATION',
        'the program has kernels: release them before building again',
      );
    }
    checkIdle(this.#states, targets);
  }

  /** Wrong options are the build's failure too, with a log. */
  #checkOptions(targets: readonly CLDevice[], options: string, error: StatusName): void {
    const { errors } = parseBuildOptions(options);
    if (errors.length === 0) return;
    const log = errors.map((message) => `error: ${message}\n`).join('');
    const outcome: Outcome = { log, error };
    this.#perform(targets.slice(0, 1), options, { now: () => outcome, later: async () => outcome });
  }

  #perform(targets: readonly CLDevice[], options: string, work: Work, whenFinished?: ProgramCallback): void {
    if (!whenFinished) {
      perform(this.#states, targets, options, work, undefined);
      return;
    }
    this.life.begin();
    perform(this.#states, targets, options, work, () => {
      try {
        whenFinished(this);
      } finally {
        this.life.end();
      }
    });
  }

  #binaries(): readonly Uint8Array[] {
    return [...this.#states.values()].map(binaryOf);
  }

  #executables(): readonly Executable[] {
    return [...this.#states.values()].flatMap(({ executable }) => executable ?? []);
  }

  /** Those that kernels can be made of. Binaries may bring another kernel of the name for each device. */
  #kernelNames(): string[] {
    const executables = this.#built();
    return executables[0]!.program.kernels
      .map(({ name }) => name)
      .filter((name) => isSameEverywhere(executables, name));
  }

  /** @throws OpenCLError CL_INVALID_PROGRAM_EXECUTABLE if there is none */
  #built(): readonly Executable[] {
    const executables = this.#executables();
    if (executables.length > 0) return executables;
    throw new OpenCLError('CL_INVALID_PROGRAM_EXECUTABLE', 'the program has not been built successfully');
  }
}

/** What the parameters of a kernel are, for comparing; undefined without a kernel of the name. Addresses may differ in size. */
function definitionOf({ program }: Executable, name: string): string | undefined {
  return program.kernels
    .find((kernel) => kernel.name === name)
    ?.parameters.map(({ kind, size }) => (kind === 'value' || kind === 'aggregate' ? size : kind))
    .join();
}

function isSameEverywhere(executables: readonly Executable[], name: string): boolean {
  return new Set(executables.map((one) => definitionOf(one, name))).size === 1;
}

const noKernels: ReadonlySet<string> = new Set();

/** The work that builds an executable from what a front end reads. */
export function buildWork(
  context: CLContext,
  frontEndFor: (device: CLDevice) => FrontEnd,
  documentedKernels: Executable['documentedKernels'],
  failure: StatusName,
): Work {
  const outcome = (frontEnd: FrontEnd, { program, log }: BuildResult): Outcome =>
    program ? { executable: { program, frontEnd, documentedKernels }, log } : { log, error: failure };
  return {
    now(device) {
      const frontEnd = frontEndFor(device);
      return outcome(frontEnd, buildFrom(frontEnd, opened(context, device)));
    },
    async later(device) {
      const frontEnd = frontEndFor(device);
      return outcome(frontEnd, await buildFromAsync(frontEnd, opened(context, device)));
    },
  };
}

/** @throws OpenCLError CL_COMPILER_NOT_AVAILABLE */
function checkCompiler(devices: readonly CLDevice[]): void {
  for (const { runtime } of devices) {
    if (runtime.info.compilerAvailable) continue;
    throw new OpenCLError('CL_COMPILER_NOT_AVAILABLE', `${runtime.info.name} has no compiler`);
  }
}

/** @throws OpenCLError CL_INVALID_VALUE, CL_INVALID_PROGRAM */
function headerTexts(
  headers: readonly CLProgram[] | null | undefined,
  names: readonly string[] | null | undefined,
): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  if (!headers?.length && !names?.length) return texts;
  if (!Array.isArray(headers) || !Array.isArray(names) || headers.length !== names.length) {
    throw new OpenCLError('CL_INVALID_VALUE', 'there must be as many names of headers as headers');
  }
  headers.forEach((header, index) => {
    checkHandle(header, CLProgram, 'CL_INVALID_PROGRAM');
    const name: unknown = names[index];
    if (typeof name !== 'string' || name === '') {
      throw new OpenCLError('CL_INVALID_VALUE', 'the name of a header is a string');
    }
    if (!header.isFromSource) {
      throw new OpenCLError('CL_INVALID_PROGRAM', `the header '${name}' is a program without a source`);
    }
    // Of several of one name the first is used (5.6.2).
    if (!texts.has(name)) texts.set(name, header.source);
  });
  return texts;
}
