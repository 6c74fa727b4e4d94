/** A platform for programs that are to find one device and no other: they take the first that there is. */
import { allDevices } from '../../devices/all.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { CLPlatform } from '../opencl/platform.ts';

/**
 * @param device one of `devices()`, by its id; one that is asked for by name has been
 * @throws OpenCLError CL_INVALID_DEVICE if there is none of that id
 */
export function platformOf({ id }: { readonly id: string }): CLPlatform {
  const device = allDevices().find((one) => one.id === id);
  if (!device) throw new OpenCLError('CL_INVALID_DEVICE', `there is no device '${id}'`);
  return new CLPlatform([device], device.platform);
}
