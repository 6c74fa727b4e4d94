/** The built-in kernels (OpenCL 1.2, 5.6.1), which are written in src/library/kernels.cl. */
import { readModule } from '../ir/binary/read.ts';
import type * as ir from '../ir/ir.ts';
import { builtInKernelCode } from '../library/index.ts';
import { Diagnostics } from '../source/diagnostics.ts';
import { replaceAll } from '../source/lists.ts';
import { renderDiagnostics } from '../source/render.ts';
import { finishProgram } from './link.ts';

/** A module with the kernels of these names, which must be in `builtInKernelNames`. */
export function builtInKernels(names: ReadonlySet<string>, addressBits: 32 | 64): ir.Module {
  const module = readModule(builtInKernelCode(addressBits));
  const others = module.functions.filter((fn) => fn.kind !== 'kernel' || names.has(fn.name));
  replaceAll(module.functions, others);
  const diagnostics = new Diagnostics();
  const program = finishProgram(module, diagnostics);
  if (diagnostics.errorCount > 0) throw new Error(renderDiagnostics(diagnostics.list));
  return program;
}
