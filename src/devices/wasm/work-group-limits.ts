/** How large work-groups of a compiled kernel can be, and what they take of a thread's area. */
import { areaAlignment, type KernelCode } from '../../codegen/wasm/module/abi.ts';
import { roundUp } from '../../runtime/range-allocator.ts';
import { localMemoryBytes, maximumAreaBytes, maximumWorkGroupSize } from './device-info.ts';

/** CL_KERNEL_WORK_GROUP_SIZE: fewer work-items than elsewhere where their private memory is large. */
export function maxWorkGroupSizeOf({ fixedBytes, perItemBytes }: KernelCode): number {
  if (perItemBytes === 0) return maximumWorkGroupSize;
  const room = maximumAreaBytes - fixedBytes - localMemoryBytes;
  return Math.max(1, Math.min(maximumWorkGroupSize, Math.floor(room / perItemBytes)));
}

/** The most that a work-group can take, whatever its size and its local memory. */
export function mostAreaBytesOf(code: KernelCode): number {
  const items = roundUp(code.perItemBytes * maxWorkGroupSizeOf(code), areaAlignment);
  // Each piece of local memory begins at a multiple of the alignment, so that many small ones take more.
  return Math.min(code.fixedBytes + items + 2 * localMemoryBytes, maximumAreaBytes);
}
