/** What clGetCommandQueueInfo says of any queue, the host's and those on the device. */
import { CL } from './constants.ts';
import type { CLContext } from './context.ts';
import type { CLDeviceQueue } from './device-queue.ts';
import { invalidQuery } from './handle.ts';
import type { CLDevice } from './platform.ts';

/** An answer of clGetCommandQueueInfo (OpenCL 3.0, table 10). */
export type QueueAnswer = number | readonly number[] | CLContext | CLDevice | CLDeviceQueue | null;

interface AnyQueue {
  readonly context: CLContext;
  readonly device: CLDevice;
  readonly properties: number;
  readonly propertyList: readonly number[];
  readonly references: number;
}

/** All but CL_QUEUE_SIZE. @throws OpenCLError CL_INVALID_VALUE */
export function queueInfo(queue: AnyQueue, name: number): QueueAnswer {
  switch (name) {
    case CL.QUEUE_CONTEXT:
      return queue.context;
    case CL.QUEUE_DEVICE:
      return queue.device;
    case CL.QUEUE_REFERENCE_COUNT:
      return queue.references;
    case CL.QUEUE_PROPERTIES:
      return queue.properties;
    case CL.QUEUE_DEVICE_DEFAULT:
      return queue.context.defaultDeviceQueue(queue.device);
    case CL.QUEUE_PROPERTIES_ARRAY:
      return queue.propertyList;
    default:
      return invalidQuery(name);
  }
}
