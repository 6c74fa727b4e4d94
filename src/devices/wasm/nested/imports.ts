/** The functions that kernels import to launch others (src/ir/device-queues.ts), as those of a thread. */
import { type LaunchRequest, type QueueFunctionName, queueFunctionNames } from '../../../ir/device-queues.ts';
import type { QueueImports } from '../module-cache.ts';

/** What does the work: of compute threads the scheduler, else the host thread's own. */
export interface QueueCalls {
  enqueueKernel(...request: LaunchRequest): number;
  enqueueMarker(queue: number, count: number, waits: number, event: number): number;
  readonly defaultQueue: number;
  createUserEvent(): number;
  retainEvent(handle: number): void;
  releaseEvent(handle: number): void;
  isValidEvent(handle: number): boolean;
  setStatus(handle: number, status: number): void;
  capture(handle: number, what: number, place: number): void;
  workGroupSize(kernel: number): number;
}

/** What wasm-program.ts gives as the preferred multiple of work-group sizes. */
const preferredMultiple = 16;

/**
 * @param callsOf what does the work at the moment of a call
 * @param around runs each call; a thread that may be ended at any moment marks what must not be cut short
 */
export function queueImports(
  callsOf: () => QueueCalls,
  around: (call: () => number) => number,
): QueueImports {
  type Operands = readonly number[];
  const functions: Readonly<Record<QueueFunctionName, (operands: Operands) => number>> = {
    enqueue_kernel: (operands) => callsOf().enqueueKernel(...(operands as LaunchRequest)),
    enqueue_marker: (operands) =>
      callsOf().enqueueMarker(...(operands as Parameters<QueueCalls['enqueueMarker']>)),
    get_default_queue: () => callsOf().defaultQueue,
    create_user_event: () => callsOf().createUserEvent(),
    retain_event: ([event]) => {
      callsOf().retainEvent(event!);
      return 0;
    },
    release_event: ([event]) => {
      callsOf().releaseEvent(event!);
      return 0;
    },
    set_user_event_status: ([event, status]) => {
      callsOf().setStatus(event!, status!);
      return 0;
    },
    is_valid_event: ([event]) => (callsOf().isValidEvent(event!) ? 1 : 0),
    capture_event_profiling_info: ([event, what, place]) => {
      callsOf().capture(event!, what!, place!);
      return 0;
    },
    get_kernel_work_group_size: ([kernel]) => callsOf().workGroupSize(kernel!),
    get_kernel_preferred_work_group_size_multiple: () => preferredMultiple,
  };
  return Object.fromEntries(
    queueFunctionNames.map((name) => [
      name,
      (...operands: number[]) => around(() => functions[name](operands)),
    ]),
  );
}
