/** Finds the machine's WebGPU device, when somebody asks for it by name. */
import { webGpuDeviceInfo } from './device-info.ts';
import { findAdapter } from './gpu-api.ts';
import { WebGpuDevice } from './webgpu-device.ts';

/** The preferred device; or why there is none, in a sentence. */
export async function findWebGpuDevice(): Promise<WebGpuDevice | string> {
  const adapter = await findAdapter();
  return typeof adapter === 'string' ? adapter : new WebGpuDevice(webGpuDeviceInfo(adapter));
}
