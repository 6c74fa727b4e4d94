/**
 * Devices that are found by asking, for those who want them by name: WebGPU's, which takes waiting, and that of machine code. Their code is loaded
 * when they are first asked for, and they are among the machine's devices from then on.
 */
import { Part } from '../parts/part.ts';
import type { Device } from '../runtime/device.ts';
import { OpenCLError } from '../runtime/status.ts';

/** Their names. */
export type RequestedId = 'webgpu' | 'native';

/** Gives a device, or why there is none, in a sentence. */
type Find = () => Promise<Device | string> | Device | string;

const finders: Readonly<Record<RequestedId, Part<Find>>> = {
  webgpu: /* @__PURE__ */ new Part(
    'the WebGPU device',
    async () => (await import('./webgpu/find-devices.ts')).findWebGpuDevice,
  ),
  native: /* @__PURE__ */ new Part(
    'the native device',
    async () => (await import('./native/find-device.ts')).findNativeDevice,
  ),
};

const requested: Device[] = [];
const requests = new Map<RequestedId, Promise<Device | string>>();

/** What has been asked for so far and was found. */
export function requestedDevices(): readonly Device[] {
  return requested;
}

/** Whether it is the name of a device that is to be asked for. */
export function isRequested(id: unknown): id is RequestedId {
  return id === 'webgpu' || id === 'native';
}

async function find(id: RequestedId): Promise<Device | string> {
  const finder = finders[id];
  await finder.load();
  const found = await finder.get()();
  if (typeof found !== 'string') requested.push(found);
  return found;
}

/**
 * The device of that name, the same at every call.
 * @throws OpenCLError CL_DEVICE_NOT_FOUND, which says why there is none
 */
export async function requestNamed(id: RequestedId): Promise<Device> {
  let request = requests.get(id);
  if (!request) {
    request = find(id);
    requests.set(id, request);
  }
  const found = await request;
  if (typeof found !== 'string') return found;
  // Whoever installs what is missing, or gives the page leave, may ask again.
  requests.delete(id);
  throw new OpenCLError('CL_DEVICE_NOT_FOUND', found);
}
