/**
 * Devices that are found by asking and waiting, for those who want them by name: WebGPU's. Their code is loaded when they are
 * first asked for, and they are among the machine's devices from then on.
 */
import { Part } from '../parts/part.ts';
import type { Device } from '../runtime/device.ts';
import { OpenCLError } from '../runtime/status.ts';

const finder = /* @__PURE__ */ new Part(
  'the WebGPU device',
  async () => (await import('./webgpu/find-devices.ts')).findWebGpuDevices,
);

let requested: readonly Device[] = [];
let request: Promise<readonly Device[] | string> | undefined;

/** What has been asked for so far and was found. */
export function requestedDevices(): readonly Device[] {
  return requested;
}

async function find(): Promise<readonly Device[] | string> {
  await finder.load();
  const found = await finder.get()();
  if (typeof found !== 'string') requested = found;
  return found;
}

/**
 * The device that WebGPU offers, the same at every call.
 * @throws OpenCLError CL_DEVICE_NOT_FOUND, which says why there is none
 */
export async function requestWebGpu(): Promise<Device> {
  request ??= find();
  const found = await request;
  if (typeof found !== 'string') return found[0]!;
  // Whoever installs what is missing, or gives the page leave, may ask again.
  request = undefined;
  throw new OpenCLError('CL_DEVICE_NOT_FOUND', found);
}
