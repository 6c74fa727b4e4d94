/** A page in the place of a machine with OpenCL drivers: see discover.ts. */
import type { Device } from '../../runtime/device.ts';

export function nativeDevices(): readonly Device[] {
  return [];
}

export function nativeProblems(): readonly string[] {
  return ['OpenCL drivers cannot be called from here'];
}
