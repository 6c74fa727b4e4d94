/** Which launches a form of a kernel can run. */
import type { KernelArgument } from '../../runtime/command.ts';
import type { WasmKernel } from './wasm-program.ts';

/** Whether groups of a launch are not too large for a form of a kernel. */
export function takesGroups(
  kernel: WasmKernel,
  values: readonly KernelArgument[],
  local: readonly number[] | null | undefined,
): boolean {
  const [x = 1, y = 1, z = 1] = local ?? [];
  const dynamic = values.reduce((sum, value) => sum + (value.kind === 'local' ? value.bytes : 0), 0);
  return x * y * z <= kernel.maxWorkGroupSize && kernel.refuses([x, y, z], dynamic) === undefined;
}
