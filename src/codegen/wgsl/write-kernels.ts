/** All kernels of a module as shaders, and what went wrong where. */
import type * as ir from '../../ir/ir.ts';
import { Diagnostics } from '../../source/diagnostics.ts';
import { noSpan } from '../../source/span.ts';
import {
  type GlobalLayout,
  layOutGlobals,
  WgslError,
  type WgslKernel,
  type WgslOptions,
  writeWgsl,
} from './write-wgsl.ts';

export interface WrittenKernels {
  readonly kernels: readonly { readonly fn: ir.Function; readonly shader: WgslKernel }[];
  readonly globals: GlobalLayout;
  /** What WGSL has no form for. */
  readonly diagnostics: Diagnostics;
}

/** The kernels that hosts launch, or one of them, of a module that has been optimised for the target `wgsl`. */
export function writeKernels(
  module: ir.Module,
  options: WgslOptions = {},
  only?: string,
  globals = layOutGlobals(module),
): WrittenKernels {
  const diagnostics = new Diagnostics();
  const kernels: { fn: ir.Function; shader: WgslKernel }[] = [];
  for (const fn of module.functions) {
    if (fn.kind !== 'kernel' || !fn.body || fn.attributes?.isBlock) continue;
    if (only !== undefined && fn.name !== only) continue;
    try {
      kernels.push({ fn, shader: writeWgsl(module, fn.name, globals, options) });
    } catch (error) {
      if (!(error instanceof WgslError)) throw error;
      const place = error.span ?? fn.span ?? noSpan;
      diagnostics.error(place, `kernel '${fn.name}' cannot run on WebGPU: ${error.message}`);
    }
  }
  return { kernels, globals, diagnostics };
}
