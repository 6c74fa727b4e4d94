/** Finds the machine's WebGPU device, when somebody asks for it by name. */
import { webGpuDeviceInfo } from './device-info.ts';
import { findAdapter } from './gpu-api.ts';
import { WebGpuDevice } from './webgpu-device.ts';

let request: Promise<WebGpuDevice | string> | undefined;

/**
 * The preferred device, the same at every call; or why there is none, in a sentence. Whoever installs what is missing, or gives the page leave, may
 * ask again.
 */
export async function findWebGpuDevice(): Promise<WebGpuDevice | string> {
  request ??= find();
  const found = await request;
  if (typeof found === 'string') request = undefined;
  return found;
}

async function find(): Promise<WebGpuDevice | string> {
  const adapter = await findAdapter();
  return typeof adapter === 'string' ? adapter : new WebGpuDevice(webGpuDeviceInfo(adapter));
}
