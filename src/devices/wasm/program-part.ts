/** Machine code of a program, or of a part of it: its bytes and constants where the threads find them. */
import type { KernelCode, WasmProgram } from '../../codegen/wasm/module/abi.ts';
import type { PrintfSite } from '../../ir/printf/record.ts';
import type { DeviceHost } from '../../runtime/device.ts';
import { OpenCLError } from '../../runtime/status.ts';
import type { PlacedCode, WasmHost } from './machine-code.ts';
import {
  instantiateKernels,
  type KernelEntry,
  type KernelName,
  type ModuleImports,
  type QueueImports,
} from './module-cache.ts';
import { moduleWords } from './shared-layout.ts';
import { type AccessNotes, accessNotes } from './trap-message.ts';
import { maxWorkGroupSizeOf, mostAreaBytesOf } from './work-group-limits.ts';

let nextModuleId = 1;

export class ProgramPart {
  readonly kernels: readonly KernelCode[];
  readonly printfs: readonly PrintfSite[];
  /** How much of a thread's area the kernels may need that others launch; 0 if there are none. */
  readonly nestedAreaBytes: number;
  /** One of these prints. */
  readonly nestedPrints: boolean;
  /** Never used again, so that a thread's cache cannot mistake one module for another. */
  readonly id: number;
  /** Word index of the module record. */
  readonly record: number;
  readonly #host: DeviceHost;
  /** The address of its program-scope variables; 0 if there are none. */
  readonly constants: number;
  readonly constantBytes: number;
  /** What its memory instructions are for. */
  readonly accesses: AccessNotes;
  readonly #module: WebAssembly.Module;
  readonly #placed: PlacedCode | undefined;
  #entries: readonly KernelEntry[] | undefined;

  constructor(host: WasmHost, program: WasmProgram) {
    this.#host = host;
    this.kernels = program.kernels;
    this.printfs = program.printfs;
    const blocks = program.kernels.filter(({ attributes }) => attributes.isBlock);
    this.nestedAreaBytes = Math.max(0, ...blocks.map(mostAreaBytesOf));
    this.nestedPrints = blocks.some(({ usesPrintf }) => usesPrintf);
    this.id = nextModuleId;
    nextModuleId += 1;
    // Compiled here too: the engine then has the machine code ready for all threads.
    this.#placed = host.keeper?.place(program.bytes);
    const { bytes } = this.#placed ?? program;
    this.#module = compiled(bytes);
    this.constants = program.constants.size > 0 ? placeConstants(host, program) : 0;
    this.constantBytes = program.constants.size;
    this.accesses = accessNotes(program);
    this.record = this.#place({ ...program, bytes });
  }

  /** The kernels' functions on this thread; `imports` and `others` are the same each time. */
  entries(imports: QueueImports, others?: ModuleImports): readonly KernelEntry[] {
    this.#entries ??= instantiateKernels(
      this.#module,
      this.#host.memory.memory,
      this.constants,
      namesOf(this.kernels),
      imports,
      others,
    );
    return this.#entries;
  }

  /** Gives its memory back, when no command needs it any more. */
  free(): void {
    if (this.constants !== 0) this.#host.memory.free(this.constants);
    this.#host.control.free(this.record);
    this.#placed?.release();
  }

  #place(program: WasmProgram): number {
    const { control } = this.#host;
    const names = new TextEncoder().encode(JSON.stringify(namesOf(program.kernels)));
    const accesses = new TextEncoder().encode(JSON.stringify(accessNotes(program)));
    const length = program.bytes.length + names.length + accesses.length;
    const record = control.allocate(moduleWords.bytes * 4 + length);
    control.words[record + moduleWords.byteLength] = program.bytes.length;
    control.words[record + moduleWords.namesLength] = names.length;
    control.words[record + moduleWords.constants] = this.constants;
    control.words[record + moduleWords.accessesLength] = accesses.length;
    const start = (record + moduleWords.bytes) * 4;
    control.bytes.set(program.bytes, start);
    control.bytes.set(names, start + program.bytes.length);
    control.bytes.set(accesses, start + program.bytes.length + names.length);
    return record;
  }
}

/** @throws OpenCLError CL_OUT_OF_HOST_MEMORY if there is no room for the machine code */
function compiled(bytes: Uint8Array): WebAssembly.Module {
  try {
    return new WebAssembly.Module(bytes as BufferSource);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new OpenCLError('CL_OUT_OF_HOST_MEMORY', `no room for a program's machine code: ${cause.message}`, {
      cause,
    });
  }
}

/** What threads are told of kernels. */
function namesOf(kernels: readonly KernelCode[]): KernelName[] {
  return kernels.map((code) => ({
    name: code.name,
    exportName: code.exportName,
    ...(code.attributes.isBlock ? { nested: { code, maxWorkGroupSize: maxWorkGroupSizeOf(code) } } : {}),
  }));
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
