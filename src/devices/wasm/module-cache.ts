/**
 * A thread's own instances of kernel modules, made from bytes in control memory when a launch first needs them. The
 * engine shares machine code between equal modules of a process, so this costs tens of microseconds.
 */
import { queueModule } from '../../ir/device-queues.ts';
import type { ControlMemory } from '../../runtime/control-memory.ts';
import type { NestedKernel } from './nested/read-request.ts';
import { moduleWords } from './shared-layout.ts';
import type { AccessNotes } from './trap-message.ts';

export interface KernelEntry {
  readonly name: string;
  run(launch: number, first: number, end: number, area: number): void;
  /** Set if other kernels may launch it. */
  readonly nested: NestedKernel | undefined;
}

/** A kernel by its names, as threads are told of it. */
export interface KernelName {
  readonly name: string;
  readonly exportName: string;
  readonly nested?: NestedKernel | undefined;
}

/** The functions that kernels import to launch others (src/ir/device-queues.ts). */
export type QueueImports = Readonly<Record<string, (...operands: number[]) => number>>;

/** Makes the kernels of a module. */
export type InstantiateKernels = (
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
  constants: number,
  names: readonly KernelName[],
  imports: QueueImports,
) => readonly KernelEntry[];

/** Programs that a thread keeps ready; the one not used for the longest time gives way. */
const capacity = 32;

export class ModuleCache {
  readonly #control: ControlMemory;
  readonly #memory: WebAssembly.Memory;
  /** By module id, in the order of last use. */
  readonly #modules = new Map<number, readonly KernelEntry[]>();
  #lastId = -1;
  #last: readonly KernelEntry[] = [];

  readonly #imports: QueueImports;
  readonly #instantiateKernels: InstantiateKernels;

  constructor(
    control: ControlMemory,
    memory: WebAssembly.Memory,
    imports: QueueImports,
    instantiate: InstantiateKernels = instantiateKernels,
  ) {
    this.#control = control;
    this.#memory = memory;
    this.#imports = imports;
    this.#instantiateKernels = instantiate;
  }

  /** A kernel of the module recorded at `record`, whose id is `id`. */
  entry(record: number, id: number, kernel: number): KernelEntry {
    return this.entries(record, id)[kernel]!;
  }

  /** All of them. */
  entries(record: number, id: number): readonly KernelEntry[] {
    if (id !== this.#lastId) {
      const found = this.#modules.get(id) ?? this.#instantiate(record);
      this.#modules.delete(id);
      this.#modules.set(id, found);
      if (this.#modules.size > capacity) this.#modules.delete(this.#modules.keys().next().value!);
      this.#lastId = id;
      this.#last = found;
    }
    return this.#last;
  }

  #instantiate(record: number): readonly KernelEntry[] {
    const names = readKernelNames(this.#control, record);
    const { bytes, words } = this.#control;
    const start = (record + moduleWords.bytes) * 4;
    const module = new WebAssembly.Module(
      bytes.slice(start, start + words[record + moduleWords.byteLength]!),
    );
    return this.#instantiateKernels(
      module,
      this.#memory,
      words[record + moduleWords.constants]!,
      names,
      this.#imports,
    );
  }
}

/** The names that a module record holds; all of the record is within view then. */
export function readKernelNames(control: ControlMemory, record: number): KernelName[] {
  control.reach(record + moduleWords.bytes);
  const byteLength = control.words[record + moduleWords.byteLength]!;
  const namesLength = control.words[record + moduleWords.namesLength]!;
  const start = (record + moduleWords.bytes) * 4 + byteLength;
  control.reach((start + namesLength) >> 2);
  return JSON.parse(
    new TextDecoder().decode(control.bytes.slice(start, start + namesLength)),
  ) as KernelName[];
}

/** What the memory instructions of the module recorded at `record` are for. */
export function readAccessNotes(control: ControlMemory, record: number): AccessNotes {
  control.reach(record + moduleWords.bytes);
  const { words } = control;
  const before = words[record + moduleWords.byteLength]! + words[record + moduleWords.namesLength]!;
  const start = (record + moduleWords.bytes) * 4 + before;
  const end = start + words[record + moduleWords.accessesLength]!;
  control.reach(end >> 2);
  return JSON.parse(new TextDecoder().decode(control.bytes.slice(start, end))) as AccessNotes;
}

/** What a module imports: functions, by the names of their modules and their own. */
export type ModuleImports = Readonly<Record<string, Readonly<Record<string, CallableFunction>>>>;

/**
 * The kernels of a compiled module as functions. `constants` is the load address of the program's constants; `others` is what
 * modules import besides what every one does.
 */
export function instantiateKernels(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
  constants: number,
  names: readonly KernelName[],
  imports: QueueImports,
  others: ModuleImports = {},
): readonly KernelEntry[] {
  const instance = new WebAssembly.Instance(module, {
    env: { memory, constants: constants | 0 },
    [queueModule]: imports,
    ...others,
  });
  return names.map(({ name, exportName, nested }) => ({
    name,
    nested,
    run: instance.exports[exportName] as KernelEntry['run'],
  }));
}
