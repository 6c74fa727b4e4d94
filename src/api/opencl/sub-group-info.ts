/** What clGetKernelSubGroupInfo answers (OpenCL 3.0, table 30). A sub-group is so many neighbours of a work-group. */
import { subGroupSize } from '../../ir/collectives.ts';
import type { DeviceKernel } from '../../runtime/device.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { shown } from '../../source/shown.ts';
import { CL } from './constants.ts';
import { invalidQuery } from './handle.ts';

/** See CLKernel.getSubGroupInfo. @throws OpenCLError CL_INVALID_VALUE */
export function subGroupInfo(
  kernel: DeviceKernel,
  name: number,
  input: readonly number[],
  dimensions: number,
): number | readonly number[] {
  const groupsOf = (items: number): number => Math.ceil(items / subGroupSize);
  switch (name) {
    case CL.KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
      return Math.min(subGroupSize, itemsOf(input));
    case CL.KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE:
      return groupsOf(itemsOf(input));
    case CL.KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT: {
      const [count] = input;
      if (input.length !== 1 || !Number.isInteger(count) || dimensions < 1 || dimensions > 3) {
        throw new OpenCLError(
          'CL_INVALID_VALUE',
          'a number of sub-groups and one to three dimensions are needed',
        );
      }
      const items = count! * subGroupSize;
      // Zeros where no local size makes so many.
      const isPossible = count! > 0 && items <= kernel.maxWorkGroupSize;
      return [items, 1, 1].slice(0, dimensions).map((size) => (isPossible ? size : 0));
    }
    case CL.KERNEL_MAX_NUM_SUB_GROUPS:
      return groupsOf(kernel.maxWorkGroupSize);
    case CL.KERNEL_COMPILE_NUM_SUB_GROUPS:
      // No attribute of OpenCL C asks for a number.
      return 0;
    default:
      return invalidQuery(name);
  }
}

/** Work-items of a local size. */
function itemsOf(local: readonly number[]): number {
  const isSize =
    local.length >= 1 && local.length <= 3 && local.every((size) => Number.isInteger(size) && size > 0);
  if (isSize) return local.reduce((items, size) => items * size, 1);
  throw new OpenCLError('CL_INVALID_VALUE', `${shown(local)} is no local size of one to three dimensions`);
}
