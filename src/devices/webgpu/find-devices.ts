/** Finds the machine's WebGPU devices, when somebody asks for them by name. */
import { webGpuDeviceInfo } from './device-info.ts';
import { findAdapter } from './gpu-api.ts';
import { WebGpuDevice } from './webgpu-device.ts';

/** The devices, the preferred one alone; or why there is none, in a sentence. */
export async function findWebGpuDevices(): Promise<readonly WebGpuDevice[] | string> {
  const adapter = await findAdapter();
  return typeof adapter === 'string' ? adapter : [new WebGpuDevice(webGpuDeviceInfo(adapter))];
}
