/** Every device of this machine for those who build programs while they block: all that they may need is there from the start. */
import * as devices from '../devices/all.ts';
import type { Device } from '../runtime/device.ts';
import { compileIr } from './compile-ir.ts';
import { begin } from './machine.ts';
import { irReader } from './source-front-end.ts';

function prepare(): void {
  begin();
  irReader.provide(compileIr);
}

/** Millrace's own devices, the default one first; the same objects at every call. */
export function ownDevices(): readonly Device[] {
  prepare();
  return devices.ownDevices();
}

/** New ones, with so many threads from files that lie there. */
export function newOwnDevices(options?: Parameters<typeof devices.newOwnDevices>[0]): readonly Device[] {
  prepare();
  return devices.newOwnDevices(options);
}

/** These and the devices of the machine's OpenCL drivers; the same objects at every call. The first call loads the drivers. */
export function allDevices(): readonly Device[] {
  prepare();
  return devices.allDevices();
}
