/**
 * Every device of this machine, in the order in which they are offered, with all their code: for hosts that build programs while
 * they block.
 */
import { provideWholeLibrary } from '../library/whole.ts';
import type { Device } from '../runtime/device.ts';
import { nativeDevices } from './icd/discover.ts';
import { interpreter } from './interpreter/interpreter-device.ts';
import { OpenInterpreter } from './interpreter/open-interpreter.ts';
import * as own from './own.ts';
import { requestedDevices } from './requested.ts';
import { compileForWasm } from './wasm/compile-kernels.ts';
import { LocalWasmDevice } from './wasm/local-wasm-device.ts';
import { localDevice } from './wasm/wasm-device.ts';

/**
 * What builds of Millrace's own devices need: the library of built-in functions, the code generator, the device for one thread,
 * the interpreter.
 */
function provideCode(): void {
  provideWholeLibrary();
  own.wasmCompiler.provide(compileForWasm);
  localDevice.provide(LocalWasmDevice);
  interpreter.provide(OpenInterpreter);
}

/** Millrace's own devices, the default one first; the same objects at every call. */
export function ownDevices(): readonly Device[] {
  provideCode();
  return own.ownDevices();
}

/** New ones, with so many threads from files that lie there. */
export function newOwnDevices(options?: Parameters<typeof own.newOwnDevices>[0]): readonly Device[] {
  provideCode();
  return own.newOwnDevices(options);
}

let all: readonly Device[] | undefined;

/** These and the devices of the machine's OpenCL drivers; the same objects at every call. The first call loads the drivers. */
export function allDevices(): readonly Device[] {
  const ours = ownDevices();
  const wanted = [...ours, ...requestedDevices(), ...nativeDevices()];
  if (!all || all.length !== wanted.length || wanted.some((device, index) => all![index] !== device))
    all = wanted;
  return all;
}
