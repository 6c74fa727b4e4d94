/** A program for a WebGPU device: each kernel a shader of its own, which the device's thread makes pipelines of. */

import { precisionOf } from '../../codegen/wgsl/precision.ts';
import { writeKernels } from '../../codegen/wgsl/write-kernels.ts';
import type { GlobalLayout, WgslKernel } from '../../codegen/wgsl/write-wgsl.ts';
import { calleesFirst, directCallees } from '../../ir/call-order.ts';
import type { Function as IrFunction, KernelAttributes, Module } from '../../ir/ir.ts';
import { PartMissing } from '../../parts/part.ts';
import type { KnownHandles } from '../../passes/images/known-images.ts';
import { OptimiseError } from '../../passes/pipeline.ts';
import { optimiseForShaders } from '../../passes/scalar/shader-passes.ts';
import type { KernelArgument, MemoryObject, Triple } from '../../runtime/command.ts';
import {
  BuildFailure,
  type DeviceHost,
  type DeviceInfo,
  type DeviceKernel,
  type DeviceProgram,
  type KernelParameter,
  type ProgramInput,
} from '../../runtime/device.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { BuildBudget } from '../../source/build-budget.ts';
import { replaceAll } from '../../source/lists.ts';
import { excessLog, renderDiagnostics } from '../../source/render.ts';
import { wgsl } from '../../target/wgsl.ts';
import type { BufferNumbers } from '../icd/buffer-numbers.ts';
import { access } from '../icd/native-layout.ts';
import type { ThreadKernel } from '../icd/native-queue.ts';
import type { BuildAnswer, NativeThread } from '../icd/native-thread.ts';
import { knownHandlesOf, wordFor } from '../wasm/known-arguments.ts';
import { chooseLocalSize } from '../wasm/local-size.ts';
import { firstFormNumber, type GpuProgramCode } from './gpu-layout.ts';

/** Kernels of a program as shaders, and where its variables lie. */
export interface CompiledProgram {
  readonly module: Module;
  readonly globals: GlobalLayout;
  readonly kernels: readonly { readonly fn: IrFunction; readonly shader: WgslKernel }[];
}

/** One kernel, for arguments of which something is known. */
export interface KnownKernel {
  readonly name: string;
  readonly handles: KnownHandles;
  /** Where the program's variables lie already. */
  readonly globals: GlobalLayout;
}

/**
 * Compiles what the front end has taken.
 * @param known for a form of a kernel
 * @throws BuildFailure for what WGSL cannot say, with its place
 */
export function compileProgram(input: ProgramInput, known?: KnownKernel): CompiledProgram {
  const module = input.lower(wgsl.wants.singles);
  if (known) keepKernel(module, known.name);
  const knownHandles = known && new Map([[known.name, known.handles]]);
  try {
    optimiseForShaders(module, {
      target: wgsl,
      knownHandles,
      budget: new BuildBudget(input.budget),
    });
  } catch (error) {
    if (error instanceof OptimiseError) throw new BuildFailure(excessLog(error.excesses));
    throw error;
  }
  const { kernels, globals, diagnostics } = writeKernels(
    module,
    precisionOf(input.options),
    known?.name,
    known && sameLayout(module, known.globals),
  );
  if (diagnostics.errorCount > 0) throw new BuildFailure(renderDiagnostics(diagnostics.list));
  return { module, globals, kernels };
}

/** Leaves out the kernels that neither are this one nor called by it. */
function keepKernel(module: Module, name: string): void {
  const kernel = module.functions.find((fn) => fn.name === name && fn.kind === 'kernel')!;
  const { functions } = calleesFirst([kernel], directCallees);
  const kept = module.functions.filter((fn) => fn.kind !== 'kernel' || functions.includes(fn));
  replaceAll(module.functions, kept);
}

/** The variables of a module where those of the same names lie in another. */
function sameLayout({ globals }: Module, { offsets, size }: GlobalLayout): GlobalLayout {
  const byName = new Map([...offsets].map(([{ name }, offset]) => [name, offset]));
  return { offsets: new Map(globals.map((global) => [global, byName.get(global.name)!])), size };
}

/** What the thread is asked to build. */
export function buildText({ kernels }: CompiledProgram): { source: string; options: string } {
  const code: GpuProgramCode = {
    kernels: kernels.map(
      ({ shader: { printfSites: _sites, privateBytes: _bytes, writes: _writes, ...rest } }) => rest,
    ),
  };
  return { source: JSON.stringify(code), options: '' };
}

export class GpuProgram implements DeviceProgram {
  readonly kernels: readonly GpuKernel[];
  readonly log = '';
  readonly globalVariableBytes: number;
  readonly #compiled: CompiledProgram;
  readonly #host: DeviceHost;
  readonly #thread: NativeThread;
  readonly #handle: number;
  readonly #variables: MemoryObject | undefined;
  readonly #input: ProgramInput;
  /** The numbers of forms of kernels. */
  readonly #forms: number[] = [];
  #isReleased = false;

  /** @throws BuildFailure if a shader is refused, OpenCLError for other errors */
  constructor(
    info: DeviceInfo,
    host: DeviceHost,
    thread: NativeThread,
    numbers: BufferNumbers,
    input: ProgramInput,
    compiled: CompiledProgram,
    { program, status, message }: BuildAnswer,
  ) {
    if (status !== 0) {
      const why = message ?? 'the shaders cannot be made';
      if (status === buildFailure) throw new BuildFailure(`${why}\n`);
      throw new OpenCLError(status, why);
    }
    this.#input = input;
    this.#compiled = compiled;
    this.#host = host;
    this.#thread = thread;
    this.#handle = program;
    this.#variables = variablesOf(host, numbers, compiled);
    this.globalVariableBytes = compiled.module.globals.reduce(
      (bytes, { space, size }) => bytes + (space === 'global' ? size : 0),
      0,
    );
    const isWritten = compiled.module.globals.some(({ space }) => space !== 'constant');
    const variables = this.#variables && { memory: this.#variables, isWritten };
    this.kernels = compiled.kernels.map(
      ({ fn, shader }, index) =>
        new GpuKernel(fn, shader, info, program, index, variables, (handles) => this.#form(fn.name, handles)),
    );
  }

  /** A kernel for images and samplers that are known; undefined if it cannot be made, `later` where what makes it is being loaded. */
  #form(name: string, handles: KnownHandles): FormParts | 'later' | undefined {
    if (this.#isReleased || this.#forms.length >= mostForms) return undefined;
    try {
      const { globals } = this.#compiled;
      const compiled = compileProgram(this.#input, { name, handles, globals });
      const [kernel] = compiled.kernels;
      if (!kernel || [...compiled.globals.offsets.values()].includes(undefined as never)) return undefined;
      const handle = firstFormNumber + this.#handle * mostForms + this.#forms.length;
      this.#forms.push(handle);
      this.#thread.buildAs(handle, buildText(compiled));
      return { ...kernel, handle };
    } catch (error) {
      // The kernel that knows nothing of them is there.
      if (error instanceof BuildFailure) return undefined;
      if (error instanceof PartMissing) {
        // If it cannot be loaded the next launch tries again.
        error.part.load().catch(() => {});
        return 'later';
      }
      throw error;
    }
  }

  /** The shaders, as text. */
  get binary(): Uint8Array {
    return new TextEncoder().encode(this.#compiled.kernels.map(({ shader }) => shader.code).join('\n'));
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    const variables = this.#variables;
    this.#host.afterCommands(() => {
      for (const program of [this.#handle, ...this.#forms]) this.#thread.releaseProgram(program, []);
    });
    if (variables) this.#host.freeLater(variables.address);
  }
}

const buildFailure = -11;
/** A program has no more forms of its kernels, for images of different formats. */
const mostForms = 64;

/** What a kernel for known images is made of. */
interface FormParts {
  readonly fn: IrFunction;
  readonly shader: WgslKernel;
  readonly handle: number;
}

type MakeForm = (handles: KnownHandles) => FormParts | 'later' | undefined;

/** The program's variables in the context's memory, with what they begin with. */
function variablesOf(
  host: DeviceHost,
  numbers: BufferNumbers,
  { globals }: CompiledProgram,
): MemoryObject | undefined {
  if (globals.size === 0) return undefined;
  const address = host.memory.allocate(globals.size + 4);
  const bytes = host.memory.bytes.subarray(address, address + globals.size);
  bytes.fill(0);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const [global, offset] of globals.offsets) {
    bytes.set(global.bytes, offset);
    for (const { offset: at, target, addend } of global.relocations) {
      view.setUint32(offset + at, address + globals.offsets.get(target)! + addend, true);
    }
  }
  const memory: MemoryObject = { address, size: globals.size };
  numbers.add(memory);
  return memory;
}

export class GpuKernel implements DeviceKernel, ThreadKernel {
  readonly name: string;
  /** Among the kernels of its program. */
  readonly number: number;
  /** The program's number in the thread. */
  readonly handle: number;
  readonly parameters: readonly KernelParameter[];
  readonly attributes: KernelAttributes | undefined;
  readonly localBytes: number;
  readonly privateBytes: number;
  readonly maxWorkGroupSize: number;
  readonly preferredWorkGroupMultiple: number;
  readonly shader: WgslKernel;
  readonly variables: { readonly memory: MemoryObject; readonly isWritten: boolean } | undefined;
  readonly #info: DeviceInfo;
  /** Of the arguments that follow the parameters. */
  readonly #extraAccess: readonly number[];
  readonly #makeForm: MakeForm | undefined;
  /** What it becomes for images and samplers that are known. */
  readonly #forms = new Map<string, GpuKernel>();

  /** @param makeForm absent for a form */
  constructor(
    fn: IrFunction,
    shader: WgslKernel,
    info: DeviceInfo,
    program: number,
    number: number,
    variables: GpuKernel['variables'],
    makeForm?: MakeForm,
  ) {
    this.#makeForm = makeForm;
    this.name = fn.name;
    this.number = number;
    this.handle = program;
    this.attributes = fn.attributes;
    this.shader = shader;
    this.variables = variables;
    this.localBytes = shader.hasLocal ? shader.localBytes : 0;
    this.privateBytes = shader.privateBytes;
    this.maxWorkGroupSize = info.maxWorkGroupSize;
    this.preferredWorkGroupMultiple = info.preferredWorkGroupMultiple;
    this.#info = info;
    this.parameters = fn.parameters.map(({ aggregate, info: said, value }): KernelParameter => {
      if (aggregate) return { kind: 'aggregate', ...aggregate, info: said };
      if (said?.handle) return { kind: said.handle.kind, size: 4, align: 4, info: said };
      if (value.type.kind === 'pointer') {
        const { space } = value.type;
        return {
          kind: space === 'local' || space === 'constant' ? space : 'global',
          size: 4,
          align: 4,
          info: said,
        };
      }
      const size = said?.layout?.size ?? 0;
      return { kind: 'value', size, align: size, info: said };
    });
    const pixels = this.parameters.flatMap(({ info: said }) => {
      if (said?.handle?.kind !== 'image') return [];
      return [said.handle.access === 'read_only' ? access.reads : access.reads | access.writes];
    });
    this.#extraAccess = [...pixels, variables?.isWritten ? access.reads | access.writes : access.reads];
  }

  forLaunch(values: readonly KernelArgument[]): GpuKernel {
    const handles = this.#makeForm && knownHandlesOf(values);
    if (!handles) return this;
    const word = wordFor(handles);
    const known = this.#forms.get(word);
    if (known) return known;
    const made = this.#makeForm!(handles);
    if (made === 'later') return this;
    const form = made
      ? new GpuKernel(made.fn, made.shader, this.#info, made.handle, 0, this.variables)
      : this;
    this.#forms.set(word, form);
    return form;
  }

  /** See {@link ThreadKernel}. What follows the parameters is said in gpu-layout.ts. */
  accessOf(index: number): number {
    const parameter = this.parameters[index];
    if (!parameter) return this.#extraAccess[index - this.parameters.length] ?? access.reads;
    const { kind, info } = parameter;
    // An image's argument is its descriptor.
    if (kind === 'image') return access.reads;
    const { writes } = this.shader;
    const isConst = kind === 'constant' || (info?.typeQualifiers.includes('const') ?? false);
    const onlyReads = writes ? !writes.includes(index) : isConst;
    return onlyReads ? access.reads : access.reads | access.writes;
  }

  chooseLocalSize(_dimensions: 1 | 2 | 3, global: Triple): Triple {
    const required = this.attributes?.requiredWorkGroupSize;
    if (required) return required;
    const [x, y, z] = chooseLocalSize(global, {
      limit: this.maxWorkGroupSize,
      threads: 1,
      mayCut: this.attributes?.mayCutGroups ?? false,
    });
    const { maxWorkItemSizes } = this.#info;
    return z <= maxWorkItemSizes[2] ? [x, y, z] : [x, y, 1];
  }

  refuses(local: Triple, dynamicLocalBytes: number): string | undefined {
    const items = local[0] * local[1] * local[2];
    const needed = this.localBytes + dynamicLocalBytes + this.shader.collectiveBytes * items;
    if (needed <= this.#info.localMemSize) return undefined;
    return `kernel '${this.name}' needs ${needed} bytes of local memory; the device has ${this.#info.localMemSize}`;
  }

  /** A launch's arguments as the thread takes them: images by their descriptors, and what follows (gpu-layout.ts). */
  argumentsOf(
    values: readonly KernelArgument[],
    printfAddress: number,
    printfBytes: number,
  ): KernelArgument[] {
    const pixels: KernelArgument[] = [];
    const own = values.map((value): KernelArgument => {
      if (value.kind === 'image') {
        pixels.push({ kind: 'memory', range: value.pixels });
        return { kind: 'memory', range: value.descriptor };
      }
      if (value.kind === 'sampler') {
        return { kind: 'value', bytes: new Uint8Array(Uint32Array.of(value.bits).buffer) };
      }
      return value;
    });
    const printf = new Uint8Array(Uint32Array.of(printfAddress, printfBytes).buffer);
    const range = this.variables && { memory: this.variables.memory, offset: 0 };
    return [...own, ...pixels, { kind: 'memory', range }, { kind: 'value', bytes: printf }];
  }
}
