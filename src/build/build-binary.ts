/**
 * Program binaries made without a device: what `millrace build` does. The result serves devices of either address width,
 * as far as the parts that are binaries themselves do.
 */
import type { FileSystem } from '../c/preprocessor.ts';
import type { Module } from '../ir/ir.ts';
import { provideLibraryForAll } from '../library/wide.ts';
import { linkOpenCL } from '../opencl/link.ts';
import { OpenCLError } from '../runtime/status.ts';
import type { Diagnostic } from '../source/diagnostics.ts';
import { append } from '../source/lists.ts';
import { compileSource } from './compile-source.ts';
import { addressBitsOfIr, isIrText } from './is-ir-text.ts';
import { BinaryError, decodeProgram, encodeProgram, moduleOf, type ProgramBinary } from './program-binary.ts';

/** A part of a program: OpenCL C, IR as text, or a binary of a compiled object or library. */
export interface ProgramPart {
  /** How messages call it. */
  readonly name: string;
  readonly content: string | Uint8Array;
}

export interface BuildBinaryOptions {
  /** As for clBuildProgram. */
  readonly options?: string | undefined;
  /** Where `#include` looks. */
  readonly files?: FileSystem | undefined;
  /** Default `executable`: complete, and with nothing but what its kernels reach. */
  readonly kind?: 'library' | 'executable' | undefined;
  /** For devices of this address width alone: 32 for Millrace's own and WebGPU, 64 for most drivers. Default both, where they are possible. */
  readonly addressBits?: 32 | 64 | undefined;
}

export interface BuildBinaryResult {
  /** Undefined if there were errors. */
  readonly binary: Uint8Array | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** The diagnostics as text. */
  readonly log: string;
}

/**
 * Compiles sources and joins them, and binaries and IR among them, to a library or an executable.
 * @throws OpenCLError CL_INVALID_BINARY
 */
export function buildBinary(
  parts: readonly ProgramPart[],
  { options = '', files, kind = 'executable', addressBits: wanted }: BuildBinaryOptions = {},
): BuildBinaryResult {
  provideLibraryForAll();
  const binaries = new Map<ProgramPart, ProgramBinary>();
  for (const part of parts) {
    if (typeof part.content !== 'string')
      binaries.set(
        part,
        read(part, () => decodeProgram(part.content as Uint8Array)),
      );
  }
  // A text in IR is for one width; one that does not say which has a mistake, which is told later.
  const ofText = parts.flatMap(({ content }) =>
    typeof content === 'string' && isIrText(content) ? (addressBitsOfIr(content) ?? []) : [],
  );
  const widths = ([32, 64] as const).filter(
    (bits) =>
      (wanted ?? bits) === bits &&
      ofText.every((width) => width === bits) &&
      [...binaries.values()].every(({ modules }) => modules.has(bits)),
  );
  if (widths.length === 0) {
    throw new OpenCLError('CL_INVALID_BINARY', 'the parts are for addresses of different widths');
  }
  const modules: Module[] = [];
  let first: BuildBinaryResult | undefined;
  for (const addressBits of widths) {
    const { module, ...said } = build(addressBits);
    if (!module) return { binary: undefined, ...said };
    modules.push(module);
    first ??= { binary: undefined, ...said };
  }
  return { ...first!, binary: encodeProgram(kind, options, modules) };

  function build(addressBits: 32 | 64): { module: Module | undefined } & Omit<BuildBinaryResult, 'binary'> {
    const units: Module[] = [];
    const diagnostics: Diagnostic[] = [];
    let log = '';
    const isAlone = parts.length === 1 && kind === 'executable';
    for (const part of parts) {
      const binary = binaries.get(part);
      if (binary) {
        units.push(read(part, () => moduleOf(binary, addressBits)));
        continue;
      }
      const result = compileSource(part.content as string, {
        name: part.name,
        buildOptions: options,
        addressBits,
        isUnit: !isAlone,
        files,
      });
      append(diagnostics, result.diagnostics.list);
      log += result.log;
      if (!result.module) return { module: undefined, diagnostics, log };
      units.push(result.module);
    }
    if (isAlone && binaries.size === 0) return { module: units[0], diagnostics, log };
    const linked = linkOpenCL(units, kind === 'library');
    append(diagnostics, linked.diagnostics.list);
    return { module: linked.module, diagnostics, log: log + linked.log };
  }
}

function read<T>(part: ProgramPart, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error;
    throw new OpenCLError('CL_INVALID_BINARY', `${part.name}: ${error.message}`);
  }
}
