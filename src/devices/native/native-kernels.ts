/**
 * What a worker calls in the place of a WebAssembly function: machine code at an address, by the convention of
 * codegen/x64/calling-convention.ts. The rest of the worker, and of the runtime, is the wasm device's.
 */
import { contextOffsets, kernelStatus, stopCondemned } from '../../codegen/x64/calling-convention.ts';
import {
  type InstantiateKernels,
  instantiateKernels,
  type KernelEntry,
  type QueueImports,
} from '../wasm/module-cache.ts';
import { type ThreadStart, workerWords } from '../wasm/shared-layout.ts';
import { addressesIn, importsOf, isPlaced, type NativeImport } from './native-module.ts';
import { openSystem, type System } from './system.ts';

/** What is said of a kernel that did not end as it should. */
const failures: Readonly<Record<number, string>> = {
  [kernelStatus.unreachable]: 'unreachable',
  [kernelStatus.misaligned]: 'an atomic access at an address that is no multiple of its size',
};

const parameters = ['uintptr_t', 'uintptr_t', 'uint32_t', 'uint32_t', 'uint32_t', 'uint32_t'];

/**
 * Makes kernels of modules on a thread of the device. The memory's guard is open: who placed the code has seen to it. Code that the thread's
 * stop word makes return does not come back: its chunk is no longer the thread's, which the host ends.
 */
export function nativeKernels(start: ThreadStart, tell: () => void): InstantiateKernels {
  const words = new Int32Array(start.control.buffer);
  const self = start.layout.workers + start.index * workerWords.size;
  let functions: Functions | undefined;
  const make: InstantiateKernels = (module, memory, constants, names, imports) => {
    const system = openSystem();
    if (typeof system === 'string') throw new Error(system);
    functions ??= new Functions(system, imports);
    const stop = system.addressOf(words) + BigInt((self + workerWords.kill) * 4);
    const table = functions.table(importsOf(module));
    const context = new Context(system, stop, constants, table);
    const base = system.addressOf(new Uint8Array(memory.buffer));
    const addresses = addressesIn(module);
    const errors = functions;
    return names.map(({ name, nested }, index): KernelEntry => {
      const call = system.function(addresses[index]!, 'int32_t', parameters);
      return {
        name,
        nested,
        run: (launch, first, end, area) => {
          errors.context = context;
          enter(words, self, tell);
          const status = call(base, context.address, launch >>> 0, first, end, area >>> 0);
          Atomics.store(words, self + workerWords.inCode, 0);
          if (status === kernelStatus.done) return;
          if (status === kernelStatus.stopped) waitForEnd(tell);
          if (status === kernelStatus.failed) throw context.takeError();
          throw new Error(failures[status] ?? `status ${status}`);
        },
      };
    });
  };
  return (...input) => {
    // Baseline code: the thread is in no code that it must come back from.
    if (!isPlaced(input[0])) return instantiateKernels(...input);
    enterCode(start, tell);
    try {
      return make(...input);
    } finally {
      leaveCode(start);
    }
  };
}

/**
 * Says that this thread is in code, or in koffi, which ends the process if its thread is ended meanwhile: nobody does so until {@link leaveCode}. A
 * thread that is to be ended already does not come back.
 */
export function enterCode({ control, layout, index }: ThreadStart, tell: () => void): void {
  enter(new Int32Array(control.buffer), layout.workers + index * workerWords.size, tell);
}

function enter(words: Int32Array, self: number, tell: () => void): void {
  Atomics.store(words, self + workerWords.inCode, 1);
  if (Atomics.load(words, self + workerWords.kill) !== stopCondemned) return;
  Atomics.store(words, self + workerWords.inCode, 0);
  waitForEnd(tell);
}

export function leaveCode({ control, layout, index }: ThreadStart): void {
  const words = new Int32Array(control.buffer);
  Atomics.store(words, layout.workers + index * workerWords.size + workerWords.inCode, 0);
}

/** The host, which may have looked while this thread was in code, looks again. */
function waitForEnd(tell: () => void): never {
  tell();
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  for (;;) Atomics.wait(nobody, 0, 0);
}

/** What machine code is told with each call, in bytes that must live as long as they are used. */
class Context {
  readonly address: bigint;
  readonly #view: DataView;
  readonly #table: BigUint64Array;
  #error: unknown;

  constructor(system: System, stop: bigint, constants: number, table: BigUint64Array) {
    const bytes = new Uint8Array(new SharedArrayBuffer(contextOffsets.size));
    this.#view = new DataView(bytes.buffer);
    this.#table = table;
    this.#view.setBigUint64(contextOffsets.stop, stop, true);
    if (table.length > 0)
      this.#view.setBigUint64(contextOffsets.functions, system.addressOf(this.#table), true);
    this.#view.setUint32(contextOffsets.constants, constants, true);
    this.address = system.addressOf(bytes);
  }

  /** A function that was called has failed: no exception passes through machine code, which returns as soon as it can. */
  fail(error: unknown): void {
    this.#error = error;
    this.#view.setInt32(contextOffsets.failed, 1, true);
  }

  takeError(): unknown {
    this.#view.setInt32(contextOffsets.failed, 0, true);
    return this.#error;
  }
}

/** The functions that code imports, made for machine code when a module of this thread first wants them. */
class Functions {
  readonly #system: System;
  readonly #imports: QueueImports;
  readonly #addresses = new Map<string, bigint>();
  /** Of the code that runs. */
  context: Context | undefined;

  constructor(system: System, imports: QueueImports) {
    this.#system = system;
    this.#imports = imports;
  }

  /** Their addresses, in the order in which code counts them. */
  table(wanted: readonly NativeImport[]): BigUint64Array {
    const table = new BigUint64Array(new SharedArrayBuffer(8 * wanted.length));
    wanted.forEach((one, index) => {
      table[index] = this.#address(one);
    });
    return table;
  }

  #address({ name, parameters }: NativeImport): bigint {
    const known = this.#addresses.get(name);
    if (known !== undefined) return known;
    const imported = this.#imports[name];
    if (!imported) throw new Error(`there is no function '${name}' for kernels`);
    const address = this.#system.callback((...values) => {
      try {
        return imported(...values) | 0;
      } catch (error) {
        this.context!.fail(error);
        return 0;
      }
    }, parameters);
    this.#addresses.set(name, address);
    return address;
  }
}
