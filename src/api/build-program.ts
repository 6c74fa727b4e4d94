/**
 * From OpenCL C source to a program on a device: what the OpenCL API and the short form share. Our front end reads
 * every source first. Where it refuses one, a device with a compiler of its own is asked all the same, unless the build
 * option -millrace-check says that our word counts: a driver may know extensions that we do not.
 */
import type { FileSystem } from '../c/preprocessor.ts';
import { withoutOwnOptions } from '../opencl/build-options.ts';
import { type CompileResult, compileOpenCL } from '../opencl/compile.ts';
import { BuildFailure, type DeviceProgram, type OpenDevice, type ProgramInput } from '../runtime/device.ts';
import type { Diagnostic } from '../source/diagnostics.ts';

export interface SourceProgram {
  readonly source: string;
  /** As for clBuildProgram. */
  readonly options: string;
  /** How messages call the source; default `kernel.cl`. */
  readonly name?: string | undefined;
  /** Where `#include` looks. */
  readonly files?: FileSystem | undefined;
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

/** Builds a program; may block the host thread where a device's own compiler has to be waited for. */
export function buildProgram(input: SourceProgram, device: OpenDevice): BuildResult {
  const first = compileSource(input, device);
  if (!isForDevice(input, first, device)) return failed(first);
  try {
    return succeeded(first, device.build(programInput(input, first, device)));
  } catch (error) {
    return refused(first, error);
  }
}

/** The same without blocking. */
export async function buildProgramAsync(input: SourceProgram, device: OpenDevice): Promise<BuildResult> {
  const first = compileSource(input, device);
  if (!isForDevice(input, first, device)) return failed(first);
  try {
    return succeeded(first, await device.buildAsync(programInput(input, first, device)));
  } catch (error) {
    return refused(first, error);
  }
}

/** Whether the device is to build the program, now that our front end has read it. */
function isForDevice(input: SourceProgram, first: CompileResult, { device }: OpenDevice): boolean {
  if (first.module) return true;
  const { check, fromIr } = first.options;
  return device.compilesSource === true && !check && !fromIr && !needsOurFiles(input);
}

function compileSource(
  { source, options, name, files }: SourceProgram,
  { device }: OpenDevice,
): CompileResult {
  return compileOpenCL(source, {
    buildOptions: options,
    addressBits: device.info.addressBits,
    ...(name === undefined ? {} : { name }),
    ...(files === undefined ? {} : { files }),
  });
}

function programInput(input: SourceProgram, first: CompileResult, device: OpenDevice): ProgramInput {
  let ready = first.module;
  return {
    source: first.options.fromIr || needsOurFiles(input) ? undefined : input.source,
    options: withoutOwnOptions(input.options),
    isChecked: ready !== undefined,
    lower() {
      // Passes rewrite the module they are given, so each call but the first compiles again.
      const module = ready ?? compileSource(input, device).module!;
      ready = undefined;
      return module;
    },
  };
}

/** Whether the source includes files that a device's own compiler cannot see: it then gets the program from IR. */
function needsOurFiles({ source, files }: SourceProgram): boolean {
  return files !== undefined && /^[ \t]*(#|%:|\?\?=)[ \t]*include\b/m.test(source);
}

function failed(result: CompileResult): BuildResult {
  return {
    program: undefined,
    diagnostics: result.diagnostics.list,
    hasInvalidOptions: result.hasInvalidOptions,
    log: result.log,
  };
}

function succeeded(result: CompileResult, program: DeviceProgram): BuildResult {
  // Our errors are none where the driver has taken the source.
  if (!result.module) {
    const first = result.diagnostics.list.find(({ severity }) => severity === 'error')?.message;
    const note = `note: read by the device's compiler alone; Millrace's says: ${first}\n`;
    return { program, diagnostics: [], hasInvalidOptions: false, log: note + program.log };
  }
  return {
    program,
    diagnostics: result.diagnostics.list,
    hasInvalidOptions: false,
    log: result.log + program.log,
  };
}

function refused(result: CompileResult, error: unknown): BuildResult {
  if (!(error instanceof BuildFailure)) throw error;
  return {
    program: undefined,
    diagnostics: result.diagnostics.list,
    hasInvalidOptions: result.hasInvalidOptions,
    log: result.log + error.log,
  };
}
