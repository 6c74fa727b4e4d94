/** Kernels of a module as programs in AMD IL: what `--emit il` shows, and what went wrong where. */
import { type IlOptions, type IlProgram, IlWriteError, writeIl } from '../codegen/il/write-il.ts';
import type * as ir from '../ir/ir.ts';
import { optimise } from '../passes/pipeline.ts';
import { Diagnostics } from '../source/diagnostics.ts';
import { noSpan } from '../source/span.ts';
import { il } from '../target/il.ts';

export interface KernelInIl {
  readonly name: string;
  /** Undefined if IL cannot say it. */
  readonly program: IlProgram | undefined;
}

/** Each kernel of a module, which is changed, or one of them. What IL cannot say is reported. */
export function kernelsAsIl(
  module: ir.Module,
  { kernel, ...options }: IlOptions & { readonly kernel?: string | undefined } = {},
): { kernels: KernelInIl[]; diagnostics: Diagnostics } {
  const diagnostics = new Diagnostics();
  optimise(module, { target: il });
  const kernels = module.functions
    .filter(({ kind, body, name }) => kind === 'kernel' && body && (kernel === undefined || name === kernel))
    .map((fn): KernelInIl => {
      try {
        return { name: fn.name, program: writeIl(fn, options) };
      } catch (error) {
        if (!(error instanceof IlWriteError)) throw error;
        diagnostics.error(error.span ?? noSpan, `kernel '${fn.name}': ${error.message}`);
        return { name: fn.name, program: undefined };
      }
    });
  return { kernels, diagnostics };
}
