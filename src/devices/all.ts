/** Every device of this machine, in the order in which they are offered. */
import type { Device } from '../runtime/device.ts';
import { nativeDevices, nativeProblems } from './icd/discover.ts';
import { InterpreterDevice } from './interpreter/interpreter-device.ts';
import { compileForWasm } from './wasm/compile-kernels.ts';
import { WasmDevice, type WasmDeviceOptions } from './wasm/wasm-device.ts';

let own: readonly Device[] | undefined;
let all: readonly Device[] | undefined;

/** Millrace's own devices, the default one first; the same objects at every call. */
export function ownDevices(): readonly Device[] {
  own ??= newOwnDevices();
  return own;
}

/** Offers other devices in the place of Millrace's own, to those who ask from now on. */
export function replaceOwnDevices(devices: readonly Device[]): void {
  own = devices;
  all = undefined;
}

/** New ones, with so many threads from files that lie there. */
export function newOwnDevices(options: Omit<WasmDeviceOptions, 'compile'> = {}): readonly Device[] {
  return [new WasmDevice({ ...options, compile: compileForWasm }), new InterpreterDevice()];
}

/** These and the devices of the machine's OpenCL drivers; the same objects at every call. The first call loads the drivers. */
export function allDevices(): readonly Device[] {
  all ??= [...ownDevices(), ...nativeDevices()];
  return all;
}

/** The device of that id, or undefined. Drivers are loaded only if it is not one of our own. */
export function deviceOf(id: string): Device | undefined {
  return (
    ownDevices().find((device) => device.id === id) ?? nativeDevices().find((device) => device.id === id)
  );
}

/** Why drivers' devices are missing, in sentences for people; empty if none is. */
export function deviceProblems(): readonly string[] {
  return nativeProblems();
}
