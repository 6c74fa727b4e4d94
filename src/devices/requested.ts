/**
 * Devices that are found by asking, for those who want them by name: WebGPU's, which takes waiting, and where there is a machine that of machine code.
 * Their code is loaded when they are first asked for, and they are among the machine's devices from then on.
 */
import { Part } from '../parts/part.ts';
import type { Device } from '../runtime/device.ts';
import { OpenCLError } from '../runtime/status.ts';

/** Their names. */
export type RequestedId = 'webgpu' | 'native';

/** Gives a device, the same at every call; or why there is none, in a sentence, and may be asked again. */
export type FindDevice = () => Promise<Device | string>;

/** `native` is there where a machine is (build/machine.ts). */
export const finders: Partial<Record<RequestedId, Part<FindDevice>>> = {
  webgpu: /* @__PURE__ */ new Part(
    'the WebGPU device',
    async () => (await import('./webgpu/find-devices.ts')).findWebGpuDevice,
  ),
};

const requested = new Set<Device>();

/** What has been asked for so far and was found. */
export function requestedDevices(): readonly Device[] {
  return [...requested];
}

/** Whether it is the name of a device that is to be asked for. */
export function isRequested(id: unknown): id is RequestedId {
  return id === 'webgpu' || id === 'native';
}

/**
 * The device of that name, the same at every call.
 * @throws OpenCLError CL_DEVICE_NOT_FOUND, which says why there is none
 */
export async function requestNamed(id: RequestedId): Promise<Device> {
  const finder = finders[id];
  await finder?.load();
  const found = finder ? await finder.get()() : 'a page runs no machine code';
  if (typeof found === 'string') throw new OpenCLError('CL_DEVICE_NOT_FOUND', found);
  requested.add(found);
  return found;
}
