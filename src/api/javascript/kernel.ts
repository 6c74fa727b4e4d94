/** A kernel as a function: its launch, its results back. */
import type { DeviceKernel } from '../../runtime/device.ts';
import { eventTime, type RuntimeEvent } from '../../runtime/event.ts';
import { checkLaunchImages } from '../../runtime/image.ts';
import { planLaunch } from '../../runtime/launch.ts';
import { calledByProgram } from '../../runtime/observe-calls.ts';
import type { PrintFunction } from '../../runtime/printing.ts';
import type { CommandQueue } from '../../runtime/queue.ts';
import { OpenCLError, type StatusName } from '../../runtime/status.ts';
import { readBuffer } from '../../runtime/transfer.ts';
import { counted } from '../../source/counted.ts';
import { shown } from '../../source/shown.ts';
import { ArgumentBinder, describe, type KernelArgument, type KernelParameter } from './arguments.ts';
import { checkKeys } from './known-keys.ts';

/** How many work-items to run: in each dimension, one to three of them. */
export interface LaunchRange {
  readonly global: readonly number[];
  /** Work-items in a work-group, dividing `global`; chosen if left out. */
  readonly local?: readonly number[] | undefined;
  /** Added to the global ids. */
  readonly offset?: readonly number[] | undefined;
}

/**
 * When a launch was queued, handed to the device, started and ended, and when the last launch that it led to had ended, too:
 * nanoseconds on a clock of the process.
 */
export interface LaunchTimes {
  readonly queued: bigint;
  readonly submitted: bigint;
  readonly started: bigint;
  readonly ended: bigint;
  readonly completed: bigint;
}

/**
 * Enqueues a launch at once and resolves with its times when it has run and its results are back in their arrays. Calls
 * run in the order in which they are made, awaited or not. Of a kernel from a file the types of its arguments are known (docs/modules.md).
 */
export interface Kernel<Arguments extends readonly KernelArgument[] = readonly KernelArgument[]> {
  (range: LaunchRange, ...args: Arguments): Promise<LaunchTimes>;
  readonly name: string;
  readonly parameters: readonly KernelParameter[];
  readonly requiredWorkGroupSize: readonly [number, number, number] | undefined;
}

const commandLaunch = 0x11f0;
const commandRead = 0x11f3;

/** `check` throws if the program has been released. */
export function createKernel(
  queue: CommandQueue,
  kernel: DeviceKernel,
  check: () => void,
  print?: PrintFunction | undefined,
): Kernel {
  const parameters = kernel.parameters.map(describe);
  const call = (range: LaunchRange, ...args: readonly KernelArgument[]): Promise<LaunchTimes> =>
    calledByProgram('Millrace', kernel.name, [range, ...args], () => run(range, args));
  const run = async (range: LaunchRange, args: readonly KernelArgument[]): Promise<LaunchTimes> => {
    check();
    checkRange(kernel.name, range);
    return launch(queue, kernel, parameters, print, range, args);
  };
  Object.defineProperty(call, 'name', { value: kernel.name });
  return Object.assign(call, {
    parameters,
    requiredWorkGroupSize: kernel.attributes?.requiredWorkGroupSize,
  }) as Kernel;
}

const rangeKeys: readonly (keyof LaunchRange)[] = ['global', 'local', 'offset'];

/** The commonest mistakes: the arguments without a range, a size that is no array, a name that is misspelt. */
function checkRange(name: string, range: unknown): void {
  const { global, local, offset } = (range ?? {}) as Partial<Record<keyof LaunchRange, unknown>>;
  if (typeof global === 'object' && global !== null && 'length' in global) {
    checkSizes(name, 'local', 'CL_INVALID_WORK_GROUP_SIZE', local, global.length);
    checkSizes(name, 'offset', 'CL_INVALID_GLOBAL_OFFSET', offset, global.length);
    checkKeys(range as object, rangeKeys, 'CL_INVALID_VALUE', `kernel '${name}': a range has`);
    return;
  }
  throw new OpenCLError(
    'CL_INVALID_WORK_DIMENSION',
    global === undefined
      ? `kernel '${name}' is called with a range before its arguments, such as { global: [1024] }`
      : `kernel '${name}': global is an array of one to three sizes, such as [1024], not ${shown(global)}`,
  );
}

/** That what goes with the global size is an array of as many numbers. */
function checkSizes(name: string, what: string, code: StatusName, sizes: unknown, dimensions: unknown): void {
  if (sizes === undefined || sizes === null) return;
  const length = typeof sizes === 'object' && 'length' in sizes ? sizes.length : undefined;
  if (length === dimensions) return;
  throw new OpenCLError(
    code,
    length === undefined
      ? `kernel '${name}': ${what} is an array of as many numbers as global, such as [64], not ${shown(sizes)}`
      : `kernel '${name}': global has ${counted(Number(dimensions), 'size')}, ${what} ${length}`,
  );
}

async function launch(
  queue: CommandQueue,
  kernel: DeviceKernel,
  parameters: readonly KernelParameter[],
  print: PrintFunction | undefined,
  range: LaunchRange,
  args: readonly KernelArgument[],
): Promise<LaunchTimes> {
  if (args.length !== parameters.length) {
    const names = parameters.map((parameter) => parameter.name).join(', ');
    throw new OpenCLError(
      'CL_INVALID_KERNEL_ARGS',
      `kernel '${kernel.name}' takes ${counted(parameters.length, 'argument')} (${names || 'none'}) behind the range; ${args.length} ${args.length === 1 ? 'was' : 'were'} given`,
    );
  }
  const binder = new ArgumentBinder(queue, kernel);
  const events: RuntimeEvent[] = [];
  let launched: RuntimeEvent;
  try {
    const values = parameters.map((parameter, index) => binder.bind(parameter, args[index]!));
    const body = planLaunch(kernel, queue.device.info, values, {
      dimensions: range.global.length,
      offset: range.offset,
      global: range.global,
      local: range.local ?? kernel.attributes?.requiredWorkGroupSize?.slice(0, range.global.length),
    });
    checkLaunchImages(queue.device, kernel, values);
    launched = queue.enqueue(commandLaunch, { ...body, print }, [], binder.uses);
    events.push(launched);
    for (const { array, buffer, comesBack } of binder.copied) {
      if (!comesBack) continue;
      // The launch may have ended already, but the next call is to begin with the array as it was, too.
      const how = { type: commandRead, blocking: false, waits: [launched], isDeferred: true };
      events.push(readBuffer(queue, buffer, 0, array, how));
    }
  } finally {
    binder.release();
  }
  try {
    const ends = await Promise.allSettled(events.map((event) => event.done));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
    return {
      queued: launched.time(eventTime.queued),
      submitted: launched.time(eventTime.submitted),
      started: launched.time(eventTime.started),
      ended: launched.time(eventTime.ended),
      completed: launched.time(eventTime.completed),
    };
  } finally {
    for (const event of events) event.release();
  }
}
