/** Machine code of a program, or of a part of it: its bytes and constants where the threads find them. */
import type { KernelCode, WasmProgram } from '../../codegen/wasm/abi.ts';
import type { PrintfSite } from '../../ir/printf/record.ts';
import type { DeviceHost } from '../../runtime/device.ts';
import { instantiateKernels, type KernelEntry } from './module-cache.ts';
import { moduleWords } from './shared-layout.ts';

let nextModuleId = 1;

export class ProgramPart {
  readonly kernels: readonly KernelCode[];
  readonly printfs: readonly PrintfSite[];
  /** Never used again, so that a thread's cache cannot mistake one module for another. */
  readonly id: number;
  /** Word index of the module record. */
  readonly record: number;
  readonly #host: DeviceHost;
  readonly #constants: number;
  readonly #module: WebAssembly.Module;
  #entries: readonly KernelEntry[] | undefined;

  constructor(host: DeviceHost, program: WasmProgram) {
    this.#host = host;
    this.kernels = program.kernels;
    this.printfs = program.printfs;
    this.id = nextModuleId;
    nextModuleId += 1;
    // Compiled here too: the engine then has the machine code ready for all threads.
    this.#module = new WebAssembly.Module(program.bytes as BufferSource);
    this.#constants = program.constants.size > 0 ? placeConstants(host, program) : 0;
    this.record = this.#place(program);
  }

  /** A kernel's function on this thread. */
  entry(index: number): KernelEntry {
    this.#entries ??= instantiateKernels(
      this.#module,
      this.#host.memory.memory,
      this.#constants,
      this.kernels,
    );
    return this.#entries[index]!;
  }

  /** Gives its memory back, when no command needs it any more. */
  free(): void {
    if (this.#constants !== 0) this.#host.memory.free(this.#constants);
    this.#host.control.free(this.record);
  }

  #place(program: WasmProgram): number {
    const { control } = this.#host;
    const names = new TextEncoder().encode(
      JSON.stringify(program.kernels.map(({ name, exportName }) => ({ name, exportName }))),
    );
    const record = control.allocate(moduleWords.bytes * 4 + program.bytes.length + names.length);
    control.words[record + moduleWords.byteLength] = program.bytes.length;
    control.words[record + moduleWords.namesLength] = names.length;
    control.words[record + moduleWords.constants] = this.#constants;
    const start = (record + moduleWords.bytes) * 4;
    control.bytes.set(program.bytes, start);
    control.bytes.set(names, start + program.bytes.length);
    return record;
  }
}

/** Puts a program's constants into device memory, with their addresses filled in. */
function placeConstants(host: DeviceHost, program: WasmProgram): number {
  const { constants } = program;
  const address = host.memory.allocate(constants.size);
  const bytes = constants.bytes.slice();
  const view = new DataView(bytes.buffer);
  for (const { offset, addend } of constants.relocations) view.setUint32(offset, address + addend, true);
  host.memory.bytes.set(bytes, address);
  return address;
}
