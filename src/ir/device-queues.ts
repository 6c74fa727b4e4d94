/**
 * What kernels call to launch others (OpenCL 2.0, 6.13.17): functions that the machine supplies, not the program or its
 * library. In a module they are functions without a body that are imported from {@link queueModule}, so that
 * passes know them as calls that may do anything with memory.
 *
 * Queues and events are numbers to the program, 0 for none. A kernel that is launched is given by its `function_address`: a
 * kernel marked {@link KernelAttributes.isBlock}, whose first parameter is the record of what its block has captured, if it
 * has captured anything, and whose other parameters are pointers to local memory.
 */
import { noSpan, outermostUse } from '../source/span.ts';
import type * as ir from './ir.ts';
import { i32, i64, pointerType, type Type } from './types.ts';

/** Where these functions are imported from. */
export const queueModule = 'queue';

export type QueueFunctionName =
  /**
   * (kernel, queue, flags, range, number of events to wait for, these events, where to leave an event, captures, local
   * sizes) -> status. Range is the address of an ndrange_t (see {@link rangeFields}), the sizes are unsigned i32, one for
   * each pointer to local memory. Addresses of what is not there are 0.
   */
  | 'enqueue_kernel'
  /** (queue, number of events to wait for, these events, where to leave an event) -> status */
  | 'enqueue_marker'
  /** The default queue of the device, or none. */
  | 'get_default_queue'
  | 'retain_event'
  | 'release_event'
  /** A new event, or none where there are too many. */
  | 'create_user_event'
  /** (event, status) */
  | 'set_user_event_status'
  /** Whether a number is an event: 1 or 0. */
  | 'is_valid_event'
  /** (event, what, where to leave two 64-bit numbers) */
  | 'capture_event_profiling_info'
  /** (kernel) -> how many work-items a work-group of it may have */
  | 'get_kernel_work_group_size'
  | 'get_kernel_preferred_work_group_size_multiple';

/** The statuses of enqueue_kernel and enqueue_marker (OpenCL 2.0, 6.13.17.3). */
export const queueStatus = {
  success: 0,
  outOfResources: -5,
  invalidArgumentSize: -51,
  invalidWaitList: -57,
  eventAllocationFailure: -100,
  enqueueFailure: -101,
  invalidQueue: -102,
  invalidRange: -160,
  queueFull: -161,
} as const;

/** When a kernel that is enqueued may begin. */
export const enqueueFlags = { noWait: 0, waitKernel: 1, waitWorkGroup: 2 } as const;

/** CLK_PROFILING_COMMAND_EXEC_TIME */
export const profilingExecutionTime = 1;

/** Where the parts of an ndrange_t lie: words of the address width, but for the number of dimensions. */
export function rangeFields(addressBytes: 4 | 8): {
  readonly dimensions: number;
  readonly offset: number;
  readonly global: number;
  readonly local: number;
  readonly size: number;
} {
  const word = addressBytes;
  return { dimensions: 0, offset: word, global: 4 * word, local: 7 * word, size: 10 * word };
}

/** The types of such a function. */
export function queueFunctionTypes(
  name: QueueFunctionName,
  addressBits: 32 | 64,
): { readonly parameters: readonly Type[]; readonly result: Type } {
  const number = addressBits === 32 ? i32 : i64;
  const kernel = pointerType('private');
  const place = pointerType('generic');
  const types: Readonly<Record<QueueFunctionName, readonly [result: Type, ...parameters: Type[]]>> = {
    enqueue_kernel: [i32, kernel, number, i32, place, i32, place, place, place, place],
    enqueue_marker: [i32, number, i32, place, place],
    get_default_queue: [number],
    retain_event: [i32, number],
    release_event: [i32, number],
    create_user_event: [number],
    set_user_event_status: [i32, number, i32],
    is_valid_event: [i32, number],
    capture_event_profiling_info: [i32, number, i32, place],
    get_kernel_work_group_size: [i32, kernel],
    get_kernel_preferred_work_group_size_multiple: [i32, kernel],
  };
  const [result, ...parameters] = types[name];
  return { parameters, result };
}

export const queueFunctionNames: readonly QueueFunctionName[] = [
  'enqueue_kernel',
  'enqueue_marker',
  'get_default_queue',
  'retain_event',
  'release_event',
  'create_user_event',
  'set_user_event_status',
  'is_valid_event',
  'capture_event_profiling_info',
  'get_kernel_work_group_size',
  'get_kernel_preferred_work_group_size_multiple',
];

/** What a function of the machine is called in modules: no name that a program can have. */
export function queueSymbol(name: QueueFunctionName): string {
  return `queue.${name}`;
}

/** What people call a kernel. One that was made of a block they know by its place, and by the function around it. */
export function kernelTitle({ name, attributes, span }: ir.Function): string {
  if (!attributes?.isBlock) return `kernel '${name}'`;
  const use = span && outermostUse(span);
  const isKnown = use !== undefined && use.file !== noSpan.file;
  const place = isKnown ? use.file.presumed(use.start) : undefined;
  // `k.block1.kernel`; of a block of the program `block1.kernel`.
  const parts = name.split('.');
  const around = parts.length > 2 ? ` in '${parts[0]}'` : '';
  return `the block${place ? ` at ${place.name}:${place.line}:${place.column}` : ''}${around}`;
}

/** Which of these functions a function is, or undefined. */
export function queueFunctionOf(fn: ir.Function): QueueFunctionName | undefined {
  if (fn.imported?.module !== queueModule) return undefined;
  return queueFunctionNames.find((name) => name === fn.imported?.name);
}

/** Whether a function that is imported is one of these and has its types. */
export function isSoundQueueFunction(fn: ir.Function, addressBits: 32 | 64): boolean {
  const name = queueFunctionOf(fn);
  if (name === undefined) return false;
  const { parameters, result } = queueFunctionTypes(name, addressBits);
  return (
    fn.result === result &&
    fn.parameters.length === parameters.length &&
    fn.parameters.every(({ value }, index) => value.type === parameters[index])
  );
}

/** The operands of `enqueue_kernel`: numbers, and addresses in the device's memory (0 for none). */
export type LaunchRequest = readonly [
  kernel: number,
  queue: number,
  flags: number,
  range: number,
  waitCount: number,
  waits: number,
  event: number,
  captures: number,
  localSizes: number,
];
