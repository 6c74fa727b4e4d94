/** A program built for the wasm device: its kernels, and its bytes and constants where the threads find them. */
import { areaAlignment, type KernelCode, type WasmProgram } from '../../codegen/wasm/abi.ts';
import type { ParameterInfo } from '../../ir/ir.ts';
import type { PrintfSite } from '../../ir/printf/record.ts';
import type { Triple } from '../../runtime/command.ts';
import type { DeviceHost, DeviceKernel, DeviceProgram, KernelParameter } from '../../runtime/device.ts';
import { roundUp } from '../../runtime/range-allocator.ts';
import { localMemoryBytes, maximumAreaBytes, maximumWorkGroupSize } from './device-info.ts';
import { chooseLocalSize } from './local-size.ts';
import { instantiateKernels, type KernelEntry } from './module-cache.ts';
import { moduleWords } from './shared-layout.ts';

let nextModuleId = 1;

export class WasmDeviceProgram implements DeviceProgram {
  readonly kernels: readonly WasmKernel[];
  readonly printfs: readonly PrintfSite[];
  readonly log = '';
  readonly binary: Uint8Array;
  /** Never used again, so that a thread's cache cannot mistake one module for another. */
  readonly id: number;
  /** Word index of the module record. */
  readonly record: number;
  readonly #host: DeviceHost;
  readonly globalVariableBytes: number;
  readonly #constants: number;
  readonly #module: WebAssembly.Module;
  #entries: readonly KernelEntry[] | undefined;

  /** `infos` gives for each kernel name what the source says about its parameters. */
  constructor(
    host: DeviceHost,
    program: WasmProgram,
    infos: ReadonlyMap<string, readonly (ParameterInfo | undefined)[]>,
    threads: number,
  ) {
    this.#host = host;
    this.binary = program.bytes;
    this.globalVariableBytes = program.constants.variableBytes;
    this.printfs = program.printfs;
    this.id = nextModuleId;
    nextModuleId += 1;
    // Compiled here too: the engine then has the machine code ready for all threads.
    this.#module = new WebAssembly.Module(program.bytes as BufferSource);
    this.#constants = program.constants.size > 0 ? placeConstants(host, program) : 0;
    this.record = this.#place(program);
    this.kernels = program.kernels.map(
      (code, index) => new WasmKernel(this, code, index, infos.get(code.name) ?? [], threads),
    );
  }

  /** A kernel's function on this thread. */
  entry(index: number): KernelEntry {
    this.#entries ??= instantiateKernels(
      this.#module,
      this.#host.memory.memory,
      this.#constants,
      this.kernels.map((kernel) => kernel.code),
    );
    return this.#entries[index]!;
  }

  /** Commands that use it may still be under way. */
  release(): void {
    this.#host.afterCommands(() => {
      // Text that is not out yet may quote strings among the constants.
      this.#host.printing.flush();
      if (this.#constants !== 0) this.#host.memory.free(this.#constants);
      this.#host.control.free(this.record);
    });
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

export class WasmKernel implements DeviceKernel {
  readonly program: WasmDeviceProgram;
  readonly code: KernelCode;
  readonly index: number;
  readonly name: string;
  readonly parameters: readonly KernelParameter[];
  readonly maxWorkGroupSize: number;
  readonly preferredWorkGroupMultiple = 16;
  readonly #threads: number;

  constructor(
    program: WasmDeviceProgram,
    code: KernelCode,
    index: number,
    infos: readonly (ParameterInfo | undefined)[],
    threads: number,
  ) {
    this.program = program;
    this.code = code;
    this.index = index;
    this.name = code.name;
    this.#threads = threads;
    // An image is the address of its descriptor by now, and a sampler a number.
    this.parameters = code.parameters.map(({ kind, size, align }, place) => ({
      kind: infos[place]?.handle?.kind ?? kind,
      size,
      align,
      info: infos[place],
    }));
    const room = maximumAreaBytes - code.fixedBytes - localMemoryBytes;
    this.maxWorkGroupSize =
      code.perItemBytes === 0
        ? maximumWorkGroupSize
        : Math.max(1, Math.min(maximumWorkGroupSize, Math.floor(room / code.perItemBytes)));
  }

  get attributes() {
    return this.code.attributes;
  }

  get localBytes(): number {
    return this.code.localBytes;
  }

  get privateBytes(): number {
    return this.code.privateBytes;
  }

  chooseLocalSize(_dimensions: 1 | 2 | 3, global: Triple): Triple {
    return chooseLocalSize(global, this.maxWorkGroupSize, this.#threads, this.code.rows);
  }

  refuses(local: Triple, dynamicLocalBytes: number): string | undefined {
    const { code } = this;
    const localBytes = code.localBytes + dynamicLocalBytes;
    if (localBytes > localMemoryBytes) {
      return `kernel '${this.name}' needs ${localBytes} bytes of local memory; the device has ${localMemoryBytes}`;
    }
    const items = local[0] * local[1] * local[2];
    const area = code.fixedBytes + roundUp(code.perItemBytes * items, areaAlignment) + dynamicLocalBytes;
    if (area > maximumAreaBytes) {
      return `kernel '${this.name}' needs ${area} bytes of private and local memory a work-group; the device has ${maximumAreaBytes}`;
    }
    return undefined;
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
