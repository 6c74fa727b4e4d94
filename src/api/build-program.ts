/** From OpenCL C source to a program on a device: what the OpenCL API and the short form share. */
import type { FileSystem } from '../c/preprocessor.ts';
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
  const { addressBits } = device.device.info;
  const first = compileSource(input, addressBits);
  if (!first.module) return failed(first);
  try {
    return succeeded(first, device.build(programInput(input, first, addressBits)));
  } catch (error) {
    return refused(first, error);
  }
}

/** The same without blocking. */
export async function buildProgramAsync(input: SourceProgram, device: OpenDevice): Promise<BuildResult> {
  const { addressBits } = device.device.info;
  const first = compileSource(input, addressBits);
  if (!first.module) return failed(first);
  try {
    return succeeded(first, await device.buildAsync(programInput(input, first, addressBits)));
  } catch (error) {
    return refused(first, error);
  }
}

function compileSource({ source, options, name, files }: SourceProgram, addressBits: 32 | 64): CompileResult {
  return compileOpenCL(source, {
    buildOptions: options,
    addressBits,
    ...(name === undefined ? {} : { name }),
    ...(files === undefined ? {} : { files }),
  });
}

function programInput(input: SourceProgram, first: CompileResult, addressBits: 32 | 64): ProgramInput {
  let ready = first.module;
  return {
    source: needsOurFiles(input) ? undefined : input.source,
    options: input.options,
    lower() {
      // Passes rewrite the module they are given, so each call but the first compiles again.
      const module = ready ?? compileSource(input, addressBits).module!;
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
