/** A program in AMD IL as a binary, made without a device: what modules made of .il files hold (docs/modules.md). */
import type { Bindings, LoweredProgram } from '../il/lower/interface.ts';
import type { Diagnostic } from '../source/diagnostics.ts';
import { compileIl } from './compile-il.ts';
import { encodeProgram } from './program-binary.ts';

export interface BuildIlResult {
  /** Undefined if there were errors. Its one kernel is `il_main`. */
  readonly binary: Uint8Array | undefined;
  /** What the kernel takes, and how it is launched; undefined if there were errors. */
  readonly program: Omit<LoweredProgram, 'module'> | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** The diagnostics as text. */
  readonly log: string;
}

/** Compiles a program for resources of certain formats; without bindings all are of four floats. */
export function buildIl(
  text: string,
  { name = 'kernel.il', bindings }: { readonly name?: string; readonly bindings?: Bindings } = {},
): BuildIlResult {
  const { program: lowered, diagnostics, log } = compileIl(text, { name, bindings });
  if (!lowered) return { binary: undefined, program: undefined, diagnostics: diagnostics.list, log };
  const { module, ...program } = lowered;
  return {
    binary: encodeProgram('executable', '', [module]),
    program,
    diagnostics: diagnostics.list,
    log,
  };
}
