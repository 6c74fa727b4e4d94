/** For programs that have earlier code (WasmDeviceProgram.tier): what becomes of kernels that are too large for the better compiler. */
import { BuildFailure } from '../../runtime/device.ts';
import { OpenCLError } from '../../runtime/status.ts';
import type { Launch, WasmKernel } from './wasm-program.ts';

/**
 * A kernel's form for a launch, compiled by the better compiler; what `earlier` gives if it is too large for that.
 * @throws what the compiler throws, if `earlier` gives nothing
 */
export function compiledOr(
  kernel: WasmKernel,
  launch: Launch,
  earlier: () => WasmKernel | undefined,
): WasmKernel {
  try {
    return kernel.forLaunch(...launch).compiled();
  } catch (error) {
    if (!(error instanceof OpenCLError && error.cause instanceof BuildFailure)) throw error;
    const form = earlier();
    if (!form) throw error;
    return form;
  }
}
