/** What is debugged: a launch with everything that it can see. */
import type { LaunchArgument, LaunchRange, SharedRegion } from '../../ir/interpreter.ts';
import type * as ir from '../../ir/ir.ts';

/** A launch that can be debugged. Buffers are used in place. */
export interface DebugLaunch {
  /** In work-item form, as the front end gives it; compiled after keepDebugInfo (src/opencl/debug-info.ts). */
  readonly module: ir.Module;
  readonly kernel: string;
  readonly range: LaunchRange;
  readonly args: readonly LaunchArgument[];
  /** Memory that the kernel may reach by addresses. */
  readonly shared?: readonly SharedRegion[] | undefined;
  /** Takes what kernels print; what is only run again is not printed again. */
  readonly print?: ((text: string) => void) | undefined;
}
