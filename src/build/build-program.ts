/**
 * From a program in some form to a program on a device: what the OpenCL API and the short form share. The form is a
 * {@link FrontEnd}: source in OpenCL C or as text of the IR (source-front-end.ts), compiled units to be linked, or IR that has been
 * read from a binary.
 *
 * Our front end reads every source first. Where it refuses one, a device with a compiler of its own is asked all the
 * same, unless the build option -millrace-strict says that our word counts: a driver may know extensions that we do not.
 */
import type { Module } from '../ir/ir.ts';
import { parseBuildOptions, withoutOwnOptions } from '../opencl/build-options.ts';
import { linkOpenCL } from '../opencl/link.ts';
import { linkSingles } from '../opencl/link-library.ts';
import { withParts } from '../parts/part.ts';
import { rest } from '../parts/rest.ts';
import {
  BuildFailure,
  type CodeStore,
  type DeviceProgram,
  type OpenDevice,
  type ProgramInput,
} from '../runtime/device.ts';
import { now } from '../runtime/host.ts';
import { refusalOf } from '../runtime/no-memory.ts';
import { commandObserver } from '../runtime/observe.ts';
import { defaultBudget } from '../source/build-budget.ts';
import type { Diagnostic } from '../source/diagnostics.ts';
import { cachedCode } from './machine.ts';

/** One form of a program, for one address width. */
export interface FrontEnd {
  /** Reads the program. */
  read(): FrontResult;
  /** As given to clBuildProgram. */
  readonly options: string;
  /** For a device's own compiler; undefined if it must get the program from IR. */
  readonly source: string | undefined;
  /** A binary that only the device can read. */
  readonly binary?: Uint8Array | undefined;
  /** Such a compiler is asked even if our front end refuses the program. */
  readonly allowsUnread: boolean;
}

export interface FrontResult {
  /** Gives the module, anew at every call, for passes rewrite it. Undefined if there were errors. */
  readonly lower: (() => Module) | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly hasInvalidOptions: boolean;
  /** The diagnostics as text. */
  readonly log: string;
  /** Where devices may keep the code they make of it. */
  readonly code?: CodeStore | undefined;
}

/** A compiled object or library: a part of a program, in IR for one address width. */
export interface ProgramUnit {
  readonly isLibrary: boolean;
  /** Linking copies it; nobody changes it. */
  readonly module: Module;
  /** Those it was compiled with. */
  readonly options: string;
  /** The kernels whose arguments clGetKernelArgInfo tells about: those from a source, built to tell. */
  readonly documentedKernels: ReadonlySet<string>;
}

export interface BuildResult {
  /** Undefined if the build failed. */
  readonly program: DeviceProgram | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** The build options were wrong. */
  readonly hasInvalidOptions: boolean;
  /** Everything the compilers said, as text. */
  readonly log: string;
}

/** The front end for what is compiled and is to be linked to an executable. */
export function linkingFrontEnd(units: readonly ProgramUnit[]): FrontEnd {
  return {
    options: deviceOptions(units),
    source: undefined,
    allowsUnread: false,
    read() {
      const link = () =>
        linkOpenCL(
          units.map((unit) => unit.module),
          false,
        );
      const { module, diagnostics, log } = link();
      const lower = module && firstThen(module, () => link().module!);
      return { lower, diagnostics: diagnostics.list, hasInvalidOptions: false, log };
    },
  };
}

/**
 * The front end for a program in IR, which `read` gives anew at every call.
 * @param code where devices may keep the code they make of it
 */
export function moduleFrontEnd(read: () => Module, options: string, code?: CodeStore): FrontEnd {
  return {
    options,
    source: undefined,
    allowsUnread: false,
    read: () => ({ lower: read, diagnostics: [], hasInvalidOptions: false, log: '', code }),
  };
}

/** The front end for an executable in a binary; `read` gives its module. */
export function executableFrontEnd(
  read: () => Module,
  bytes: Uint8Array,
  options: string,
  addressBits: 32 | 64,
): FrontEnd {
  return moduleFrontEnd(read, options, cachedCode(bytes, options, addressBits));
}

/** The front end for a binary of a device with a compiler of its own, which nobody else can read. */
export function deviceBinaryFrontEnd(binary: Uint8Array, options: string): FrontEnd {
  const unread = { lower: undefined, diagnostics: [], hasInvalidOptions: false, log: '' };
  return { options, source: undefined, binary, allowsUnread: true, read: () => unread };
}

/** Of all the options of linked units, a device that compiles IR asks only for these. */
export function deviceOptions(units: readonly ProgramUnit[]): string {
  const options = units.map((unit) => parseBuildOptions(unit.options).options);
  const words = options.some(({ optDisable }) => optDisable) ? ['-cl-opt-disable'] : [];
  const budget = Math.max(...options.map((one) => one.budget));
  if (units.length > 0 && budget !== defaultBudget) words.push(`-millrace-budget=${budget}`);
  return words.join(' ');
}

/** Builds what a front end reads; may block the host thread where a device's own compiler has to be waited for. */
export function buildFrom(frontEnd: FrontEnd, device: OpenDevice): BuildResult {
  const started = now();
  const result = buildNow(frontEnd, device);
  tellObserver(result, device, started);
  return result;
}

function buildNow(frontEnd: FrontEnd, device: OpenDevice): BuildResult {
  const first = frontEnd.read();
  if (!isForDevice(frontEnd, first, device)) return failed(first);
  try {
    return succeeded(first, device.build(programInput(frontEnd, first)));
  } catch (error) {
    return refused(first, error);
  }
}

/** The same without blocking. */
export async function buildFromAsync(frontEnd: FrontEnd, device: OpenDevice): Promise<BuildResult> {
  const started = now();
  const result = await buildSoon(frontEnd, device).catch((error: unknown) => {
    throw refusalOf(error);
  });
  tellObserver(result, device, started);
  return result;
}

function tellObserver({ program }: BuildResult, { device }: OpenDevice, started: number): void {
  const kernels = program?.kernels.map(({ name }) => name) ?? [];
  commandObserver()?.build({ device, kind: 'build', kernels, started, ended: now() });
}

async function buildSoon(frontEnd: FrontEnd, device: OpenDevice): Promise<BuildResult> {
  const first = await withParts(() => frontEnd.read());
  if (!isForDevice(frontEnd, first, device)) return failed(first);
  try {
    const input = await withParts(() => programInput(frontEnd, first));
    const program = await device.buildAsync(input);
    if (!rest.backEnd.isThere && !(program.compilesNow?.() ?? true)) await rest.backEnd.load();
    return succeeded(first, program);
  } catch (error) {
    return refused(first, error);
  }
}

/** Whether the device is to build the program, now that our front end has read it. */
function isForDevice(frontEnd: FrontEnd, first: FrontResult, { device }: OpenDevice): boolean {
  return first.lower !== undefined || (device.compilesSource === true && frontEnd.allowsUnread);
}

/** Gives what is there already, and from the second call on something new. */
export function firstThen<T>(first: T, next: () => T): () => T {
  let ready: T | undefined = first;
  return () => {
    const value = ready ?? next();
    ready = undefined;
    return value;
  };
}

function programInput(frontEnd: FrontEnd, first: FrontResult): ProgramInput {
  const { lower, code } = first;
  const { early, budget } = parseBuildOptions(frontEnd.options).options;
  return {
    source: frontEnd.source,
    binary: frontEnd.binary,
    options: withoutOwnOptions(frontEnd.options),
    isChecked: lower !== undefined,
    isEarly: early,
    budget,
    code,
    lower(singles) {
      if (!lower) throw new Error('a program that our front end refuses has no IR');
      const module = lower();
      if (singles || frontEnd.options.includes('-millrace-singles')) linkSingles(module);
      return module;
    },
  };
}

function failed({ diagnostics, hasInvalidOptions, log }: FrontResult): BuildResult {
  return { program: undefined, diagnostics, hasInvalidOptions, log };
}

function succeeded(result: FrontResult, program: DeviceProgram): BuildResult {
  // Our errors are none where the driver has taken the source.
  if (!result.lower) {
    const first = result.diagnostics.find(({ severity }) => severity === 'error')?.message;
    const note = first ? `note: read by the device's compiler alone; Millrace's says: ${first}\n` : '';
    return { program, diagnostics: [], hasInvalidOptions: false, log: note + program.log };
  }
  const { diagnostics, log } = result;
  return { program, diagnostics, hasInvalidOptions: false, log: log + program.log };
}

function refused(result: FrontResult, error: unknown): BuildResult {
  if (!(error instanceof BuildFailure)) throw error;
  return { ...failed(result), log: result.log + error.log };
}
