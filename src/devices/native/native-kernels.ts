/**
 * What a worker calls in the place of a WebAssembly function: machine code at an address, by the convention of
 * codegen/x64/calling-convention.ts. The rest of the worker, and of the runtime, is the wasm device's.
 */
import { contextOffsets, kernelStatus } from '../../codegen/x64/calling-convention.ts';
import type { InstantiateKernels, KernelEntry } from '../wasm/module-cache.ts';
import { type ThreadStart, workerWords } from '../wasm/shared-layout.ts';
import { addressesIn } from './native-module.ts';
import { openSystem, type System } from './system.ts';

/** What is said of a kernel that did not end as it should. */
const failures: Readonly<Record<number, string>> = {
  [kernelStatus.unreachable]: 'unreachable',
  [kernelStatus.misaligned]: 'an atomic access at an address that is no multiple of its size',
};

const parameters = ['uintptr_t', 'uintptr_t', 'uint32_t', 'uint32_t', 'uint32_t', 'uint32_t'];

/**
 * Makes kernels of modules on a thread of the device. The memory's guard is open: {@link placeNative} has seen to it. Code that the thread's
 * stop word makes return does not come back: its chunk is no longer the thread's, which the host ends.
 */
export function nativeKernels(start: ThreadStart): InstantiateKernels {
  const stop = start.layout.workers + start.index * workerWords.size + workerWords.kill;
  return (module, memory, constants, names) => {
    const system = openSystem();
    if (typeof system === 'string') throw new Error(system);
    const stopAddress = system.addressOf(new Uint8Array(start.control.buffer)) + BigInt(stop * 4);
    const context = contextOf(system, stopAddress, constants);
    const base = system.addressOf(new Uint8Array(memory.buffer));
    const addresses = addressesIn(module);
    return names.map(({ name, nested }, index): KernelEntry => {
      const call = system.function(addresses[index]!, 'int32_t', parameters);
      return {
        name,
        nested,
        run: (launch, first, end, area) => {
          const status = call(base, context.address, launch >>> 0, first, end, area >>> 0);
          if (status === kernelStatus.stopped) waitForEnd();
          if (status !== kernelStatus.done) throw new Error(failures[status] ?? `status ${status}`);
        },
      };
    });
  };
}

function waitForEnd(): never {
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  for (;;) Atomics.wait(nobody, 0, 0);
}

/** A context, and its bytes, which must live as long as it is used. */
function contextOf(system: System, stop: bigint, constants: number): { address: bigint; bytes: Uint8Array } {
  const bytes = new Uint8Array(contextOffsets.size);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(contextOffsets.stop, stop, true);
  view.setUint32(contextOffsets.constants, constants, true);
  return { address: system.addressOf(bytes), bytes };
}
