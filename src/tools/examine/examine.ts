/**
 * What a source says of itself, for tools that look at it while it is written: its diagnostics with their places, and its
 * kernels with their parameters. Nothing is built, and no device is asked.
 */

import { describe, type KernelParameter } from '../../api/javascript/arguments.ts';
import type { FileSystem } from '../../c/preprocessor.ts';
import { parametersOf } from '../../devices/wasm/program-outline.ts';
import type { KernelAttributes } from '../../ir/ir.ts';
import { provideWholeLibrary } from '../../library/whole.ts';
import { compileOpenCL } from '../../opencl/compile-module.ts';
import type { Diagnostic } from '../../source/diagnostics.ts';
import type { Span } from '../../source/span.ts';

export interface ExamineOptions {
  /** The source's name in messages. */
  readonly name?: string;
  /** As for clBuildProgram. */
  readonly buildOptions?: string;
  /** Where #include finds files. */
  readonly files?: FileSystem;
}

export interface KernelSignature {
  readonly name: string;
  readonly parameters: readonly KernelParameter[];
  readonly requiredWorkGroupSize: KernelAttributes['requiredWorkGroupSize'];
  /** Its name in the source. */
  readonly span: Span | undefined;
}

export interface Examination {
  /** Errors and warnings in their order. */
  readonly diagnostics: readonly Diagnostic[];
  /** In the order of the source; empty if it has errors. */
  readonly kernels: readonly KernelSignature[];
}

/** Reads and checks a source in OpenCL C. */
export function examine(source: string, options: ExamineOptions = {}): Examination {
  provideWholeLibrary();
  const { module, diagnostics } = compileOpenCL(source, options);
  const kernels = (module?.functions ?? []).filter(({ kind, body }) => kind === 'kernel' && body);
  return {
    diagnostics: diagnostics.list,
    kernels: kernels.map((fn) => ({
      name: fn.name,
      parameters: parametersOf(fn).map(describe),
      requiredWorkGroupSize: fn.attributes?.requiredWorkGroupSize,
      span: fn.span,
    })),
  };
}
