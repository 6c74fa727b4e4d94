/** From IR to the machine code of the wasm device: the passes and then the code generator. */
import type { WasmOptions, WasmProgram } from '../../codegen/wasm/abi.ts';
import { compileModule } from '../../codegen/wasm/compile-module.ts';
import { CodegenError } from '../../codegen/wasm/error.ts';
import type { Module } from '../../ir/ir.ts';
import type { KnownHandles } from '../../passes/known-images.ts';
import { OptimiseError, optimise } from '../../passes/optimise.ts';
import { BuildFailure } from '../../runtime/device.ts';
import { environment } from '../../runtime/host.ts';
import { maximumArgumentBytes } from './shared-layout.ts';

/**
 * Rewrites the module in place on the way.
 * @param knownHandles what is known of images and samplers, by the names of kernels
 * @param swap whether dimensions are swapped in kernels that are better so
 * @throws BuildFailure for what is too large to be compiled
 */
export function compileForWasm(
  module: Module,
  options: WasmOptions,
  buildOptions: string,
  pack = environment('MILLRACE_PACK') !== '0',
  knownHandles?: ReadonlyMap<string, KnownHandles>,
  swap = false,
): WasmProgram {
  try {
    const swapping = swap && 'where better';
    optimise(module, {
      pack,
      knownHandles,
      swap: swapping,
      disabled: buildOptions.split(/\s+/).includes('-cl-opt-disable'),
    });
    const program = compileModule(module, options);
    checkArguments(program);
    return program;
  } catch (error) {
    if (!(error instanceof OptimiseError || error instanceof CodegenError)) throw error;
    throw new BuildFailure(`error: ${error.message}\n`);
  }
}

/** A launch has room for so many bytes of arguments and no more. */
function checkArguments({ kernels }: WasmProgram): void {
  for (const { name, argumentBytes } of kernels) {
    if (argumentBytes <= maximumArgumentBytes) continue;
    throw new BuildFailure(
      `error: the arguments of kernel '${name}' take ${argumentBytes} bytes; the device has room for ${maximumArgumentBytes}\n`,
    );
  }
}
