/** What the properties of a queue say (OpenCL 2.0, 5.1). */
import { OpenCLError } from '../../runtime/status.ts';
import { CL } from './constants.ts';
import { type PropertyList, readPropertyList } from './properties.ts';

/**
 * The bits of QUEUE_PROPERTIES.
 * @throws OpenCLError CL_INVALID_VALUE, and CL_INVALID_QUEUE_PROPERTIES for queues on the device, which there are none of
 */
export function queueProperties(list: PropertyList): number {
  const properties = readPropertyList(list, [CL.QUEUE_PROPERTIES, CL.QUEUE_SIZE], 'a command queue');
  const bits = properties.get(CL.QUEUE_PROPERTIES) ?? 0;
  if (bits & (CL.QUEUE_ON_DEVICE | CL.QUEUE_ON_DEVICE_DEFAULT)) {
    throw new OpenCLError('CL_INVALID_QUEUE_PROPERTIES', 'no device has queues of its own');
  }
  if (properties.has(CL.QUEUE_SIZE)) {
    throw new OpenCLError('CL_INVALID_VALUE', 'only queues on the device have a size');
  }
  return bits;
}
