/**
 * Millrace's own devices, without the code that compiles and interprets kernels: who uses them has their {@link Device.load}
 * bring it, or imports all.ts, which has it from the start.
 */
import { Part } from '../parts/part.ts';
import type { Device } from '../runtime/device.ts';
import { InterpreterDevice } from './interpreter/interpreter-device.ts';
import type { OnMachines } from './wasm/on-machines.ts';
import { WasmDevice, type WasmDeviceOptions } from './wasm/wasm-device.ts';

/** From IR to WebAssembly. */
export const wasmCompiler = /* @__PURE__ */ new Part<WasmDeviceOptions['compile']>(
  'the code generator',
  async () => (await import('./wasm/compile-kernels.ts')).compileForWasm,
);

let machine: OnMachines | undefined;

/** Gives the wasm device what only machines have. */
export function provideMachine(code: OnMachines): void {
  machine = code;
}

let own: readonly Device[] | undefined;
let areReplaced = false;

/** Millrace's own devices, the default one first; the same objects at every call. */
export function ownDevices(): readonly Device[] {
  own ??= newOwnDevices();
  return own;
}

/** Offers other devices in the place of Millrace's own, to those who ask from now on. */
export function replaceOwnDevices(devices: readonly Device[]): void {
  own = devices;
  areReplaced = true;
}

/** Whether others are offered in their place. */
export function hasReplacedDevices(): boolean {
  return areReplaced;
}

/** New ones, with so many threads from files that lie there. */
export function newOwnDevices(options: Omit<WasmDeviceOptions, 'compile' | 'load'> = {}): readonly Device[] {
  const compile: WasmDeviceOptions['compile'] = (...input) => wasmCompiler.get()(...input);
  const load = () => wasmCompiler.load();
  return [new WasmDevice({ ...options, compile, load, onMachines: () => machine }), new InterpreterDevice()];
}
