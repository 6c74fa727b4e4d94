/** Checks a launch against the limits of kernel and device, and completes what the host left open. */
import { shown } from '../source/shown.ts';
import { type CommandBody, deviceChoosesLocal, type KernelArgument, type Triple } from './command.ts';
import type { DeviceInfo, DeviceKernel } from './device.ts';
import { OpenCLError } from './status.ts';

/** Sizes as the host gives them: one number a dimension. */
export interface LaunchSizes {
  readonly dimensions: number;
  readonly offset: readonly number[] | null | undefined;
  readonly global: readonly number[];
  readonly local: readonly number[] | null | undefined;
}

/**
 * One more than the largest global id. Kernels keep ids in an int, and the compiler turns `if (id < n)` into the
 * bound of a loop, which holds as long as neither an id nor where the loop ends looks negative; so a 32-bit device stops there.
 */
function idLimit(info: DeviceInfo): number {
  return info.addressBits === 32 ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER;
}

const axes = ['x', 'y', 'z'];

/**
 * The launch command, with errors in the order of OpenCL 1.2, 5.8 (clEnqueueNDRangeKernel).
 * @throws OpenCLError CL_INVALID_WORK_DIMENSION, _GLOBAL_WORK_SIZE, _GLOBAL_OFFSET, _WORK_GROUP_SIZE,
 *   _WORK_ITEM_SIZE, CL_OUT_OF_RESOURCES
 */
export function planLaunch(
  anyKernel: DeviceKernel,
  info: DeviceInfo,
  values: readonly KernelArgument[],
  sizes: LaunchSizes,
): Extract<CommandBody, { kind: 'launch' }> {
  const { dimensions } = sizes;
  if (dimensions !== 1 && dimensions !== 2 && dimensions !== 3) {
    throw new OpenCLError('CL_INVALID_WORK_DIMENSION', `${dimensions} work dimensions: there are 1 to 3`);
  }
  const global = triple(sizes.global, dimensions, 1, 1, 'CL_INVALID_GLOBAL_WORK_SIZE', 'global work size');
  const mostItems = info.addressBits === 32 ? 2 ** 32 : 2 ** 64;
  for (let axis = 0; axis < 3; axis += 1) {
    if (global[axis]! < mostItems) continue;
    throw new OpenCLError(
      'CL_INVALID_GLOBAL_WORK_SIZE',
      `global work size ${global[axis]} in ${axes[axis]} is more than a size_t of the device holds`,
    );
  }
  const offset = sizes.offset
    ? triple(sizes.offset, dimensions, 0, 0, 'CL_INVALID_GLOBAL_OFFSET', 'global offset')
    : ([0, 0, 0] as const);
  for (let axis = 0; axis < 3; axis += 1) {
    if (offset[axis]! + global[axis]! > idLimit(info)) {
      throw new OpenCLError(
        'CL_INVALID_GLOBAL_OFFSET',
        `global ids in ${axes[axis]} would go beyond ${idLimit(info) - 1}, the largest on this device`,
      );
    }
  }
  let dynamic = 0;
  for (const value of values) if (value.kind === 'local') dynamic += value.bytes;
  const kernel = anyKernel.forLaunch?.(values, global, sizes.local) ?? anyKernel;
  const local = sizes.local
    ? checkLocal(
        kernel,
        info,
        global,
        triple(sizes.local, dimensions, 1, 1, 'CL_INVALID_WORK_GROUP_SIZE', 'local work size'),
      )
    : chooseLocal(kernel, dimensions, global, dynamic);
  const refused = kernel.refuses(local, dynamic);
  if (refused) throw new OpenCLError('CL_OUT_OF_RESOURCES', refused);
  if (local === deviceChoosesLocal) {
    return { kind: 'launch', kernel, arguments: values, dimensions, offset, global, local };
  }
  const [x, y, z] = groupCounts(global, local);
  const groups = x * y * z;
  if (groups > 0x7fffffff) {
    throw new OpenCLError('CL_OUT_OF_RESOURCES', `${groups} work-groups are too many for one launch`);
  }
  return { kind: 'launch', kernel, arguments: values, dimensions, offset, global, local };
}

/** How many work-groups there are in each dimension; the last may be smaller. */
export function groupCounts(global: Triple, local: Triple): [x: number, y: number, z: number] {
  return [Math.ceil(global[0] / local[0]), Math.ceil(global[1] / local[1]), Math.ceil(global[2] / local[2])];
}

function checkLocal(kernel: DeviceKernel, info: DeviceInfo, global: Triple, local: Triple): Triple {
  const fail = (why: string): never => {
    throw new OpenCLError('CL_INVALID_WORK_GROUP_SIZE', `kernel '${kernel.name}': ${why}`);
  };
  const required = kernel.attributes?.requiredWorkGroupSize;
  if (required?.some((size, axis) => size !== local[axis])) {
    fail(`its source requires work-groups of ${required.join(' x ')}, not ${local.join(' x ')}`);
  }
  for (let axis = 0; axis < 3; axis += 1) {
    if (global[axis]! % local[axis]! !== 0 && !kernel.attributes?.mayCutGroups) {
      fail(`work-group size ${local[axis]} does not divide global size ${global[axis]} in ${axes[axis]}`);
    }
  }
  const items = local[0] * local[1] * local[2];
  if (items > kernel.maxWorkGroupSize) {
    fail(`${items} work-items in a work-group; at most ${kernel.maxWorkGroupSize} are possible`);
  }
  const tooLong = local.findIndex((size, axis) => size > info.maxWorkItemSizes[axis]!);
  if (tooLong >= 0) {
    throw new OpenCLError(
      'CL_INVALID_WORK_ITEM_SIZE',
      `${local[tooLong]} work-items in ${axes[tooLong]}; the device takes ${info.maxWorkItemSizes[tooLong]}`,
    );
  }
  return local;
}

function chooseLocal(kernel: DeviceKernel, dimensions: 1 | 2 | 3, global: Triple, dynamic: number): Triple {
  const required = kernel.attributes?.requiredWorkGroupSize;
  if (required) {
    throw new OpenCLError(
      'CL_INVALID_WORK_GROUP_SIZE',
      `kernel '${kernel.name}' requires work-groups of ${required.join(' x ')}: give this local work size`,
    );
  }
  return kernel.chooseLocalSize(dimensions, global, dynamic);
}

function triple(
  values: readonly number[],
  dimensions: number,
  least: number,
  rest: number,
  error: 'CL_INVALID_GLOBAL_WORK_SIZE' | 'CL_INVALID_GLOBAL_OFFSET' | 'CL_INVALID_WORK_GROUP_SIZE',
  what: string,
): Triple {
  const result = [rest, rest, rest] as [number, number, number];
  if (values.length < dimensions) {
    throw new OpenCLError(error, `${what}: ${values.length} numbers given for ${dimensions} dimensions`);
  }
  for (let axis = 0; axis < dimensions; axis += 1) {
    const value = values[axis]!;
    if (!Number.isInteger(value) || value < least || value > Number.MAX_SAFE_INTEGER) {
      throw new OpenCLError(
        error,
        `${what} in ${axes[axis]} is ${shown(value)}: it must be a whole number from ${least}`,
      );
    }
    result[axis] = value;
  }
  return result;
}
