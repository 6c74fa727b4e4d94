/**
 * The front end for programs as text, in OpenCL C or in the text form of the IR: see build-program.ts. It is most of the compiler, and is
 * not loaded for binaries.
 */
import type { FileSystem } from '../c/preprocessor.ts';
import type { Module } from '../ir/ir.ts';
import { parseBuildOptions } from '../opencl/build-options.ts';
import { type CompileOptions, type CompileResult, compileOpenCL } from '../opencl/compile-module.ts';
import { Part } from '../parts/part.ts';
import type { Device } from '../runtime/device.ts';
import { type FrontEnd, type FrontResult, firstThen, type ProgramUnit } from './build-program.ts';
import { isIrText } from './is-ir-text.ts';
import { cachedFrontEnd } from './machine.ts';

/** What reads the text form of the IR. */
export const irReader = /* @__PURE__ */ new Part<typeof compileOpenCL>(
  'the reader of IR',
  async () => (await import('./compile-ir.ts')).compileIr,
);

function compileText(text: string, options: CompileOptions): CompileResult {
  return isIrText(text) ? irReader.get()(text, options) : compileOpenCL(text, options);
}

export interface SourceProgram {
  readonly source: string;
  /** As for clBuildProgram. */
  readonly options: string;
  /** How messages call the source; default `kernel.cl`. */
  readonly name?: string | undefined;
  /** Where `#include` looks. */
  readonly files?: FileSystem | undefined;
}

/** The front end for a source on a device, with the build cache before it. */
export function sourceFrontEnd(input: SourceProgram, device: Device): FrontEnd {
  const { addressBits } = device.info;
  const frontEndWith = (files: FileSystem | undefined) => plainFrontEnd({ ...input, files }, addressBits);
  if (device.namesPlaces) return frontEndWith(input.files);
  return cachedFrontEnd(input, addressBits, frontEndWith);
}

function plainFrontEnd(input: SourceProgram, addressBits: 32 | 64): FrontEnd {
  const { source, options } = input;
  const { strict, fromIr } = parseBuildOptions(options).options;
  const usable = fromIr || isIrText(source) || needsOurFiles(input) ? undefined : source;
  return {
    options,
    source: usable,
    allowsUnread: usable !== undefined && !strict,
    read: () => readSource(input, addressBits),
  };
}

/** A program compiled to be linked with others (clCompileProgram); undefined, with a log, if it has errors. */
export function compileUnit(
  input: SourceProgram & { readonly headers: ReadonlyMap<string, string> },
  addressBits: 32 | 64,
): { readonly unit: ProgramUnit | undefined; readonly log: string } {
  const { module, log, options } = compileText(input.source, {
    buildOptions: input.options,
    addressBits,
    headers: input.headers,
    files: input.files,
    isUnit: true,
    ...(input.name === undefined ? {} : { name: input.name }),
  });
  if (!module) return { unit: undefined, log };
  const kernels = options.kernelArgInfo ? kernelNames(module) : [];
  const unit = { isLibrary: false, module, options: input.options, documentedKernels: new Set(kernels) };
  return { unit, log };
}

/** The names of a module's kernels. */
function kernelNames(module: Module): string[] {
  return module.functions.filter((fn) => fn.kind === 'kernel' && fn.body).map((fn) => fn.name);
}

function compileSource({ source, options, name, files }: SourceProgram, addressBits: 32 | 64): CompileResult {
  return compileText(source, {
    buildOptions: options,
    addressBits,
    ...(name === undefined ? {} : { name }),
    ...(files === undefined ? {} : { files }),
  });
}

function readSource(input: SourceProgram, addressBits: 32 | 64): FrontResult {
  const { module, diagnostics, hasInvalidOptions, log } = compileSource(input, addressBits);
  const lower = module && firstThen(module, () => compileSource(input, addressBits).module!);
  return { lower, diagnostics: diagnostics.list, hasInvalidOptions, log };
}

/** Whether the source includes files that a device's own compiler cannot see: it then gets the program from IR. */
function needsOurFiles({ source, files }: SourceProgram): boolean {
  return files !== undefined && /^[ \t]*(#|%:|\?\?=)[ \t]*include\b/m.test(source);
}
