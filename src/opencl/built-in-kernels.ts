/** The built-in kernels (OpenCL 1.2, 5.6.1): compiled from src/library/kernels.cl when a program wants some. */
import type * as ir from '../ir/ir.ts';
import { keepReachable } from '../ir/link.ts';
import { librarySource } from '../library/index.ts';
import { compileOpenCL } from './compile.ts';

/** A module with the kernels of these names, which must be in `builtInKernelNames`. */
export function builtInKernels(names: ReadonlySet<string>, addressBits: 32 | 64): ir.Module {
  const { module, log } = compileOpenCL(librarySource('kernels.cl'), { name: 'kernels.cl', addressBits });
  if (!module) throw new Error(log);
  const others = module.functions.filter((fn) => fn.kind !== 'kernel' || names.has(fn.name));
  module.functions.splice(0, module.functions.length, ...others);
  keepReachable(module);
  return module;
}
