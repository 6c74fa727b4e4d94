/** What the properties of a queue say (OpenCL 2.0, 5.1). */
import { OpenCLError } from '../../runtime/status.ts';
import { CL } from './constants.ts';
import { type PropertyList, readPropertyList } from './properties.ts';

export interface QueueProperties {
  /** The bits of QUEUE_PROPERTIES. */
  readonly bits: number;
  /** QUEUE_SIZE, in bytes; of queues on the device only. */
  readonly size: number | undefined;
}

/** @throws OpenCLError CL_INVALID_VALUE */
export function queueProperties(list: PropertyList): QueueProperties {
  const properties = readPropertyList(list, [CL.QUEUE_PROPERTIES, CL.QUEUE_SIZE], 'a command queue');
  const bits = properties.get(CL.QUEUE_PROPERTIES) ?? 0;
  const size = properties.get(CL.QUEUE_SIZE);
  const isOnDevice = (bits & CL.QUEUE_ON_DEVICE) !== 0;
  if (!isOnDevice && bits & CL.QUEUE_ON_DEVICE_DEFAULT) {
    throw new OpenCLError('CL_INVALID_VALUE', 'only a queue on the device can be its default queue');
  }
  if (!isOnDevice && size !== undefined) {
    throw new OpenCLError('CL_INVALID_VALUE', 'only queues on the device have a size');
  }
  return { bits, size };
}
