/** Programs on the device: shaders, and the pipelines made of them, by local size and words of local memory. */
import { writableBuffers } from '../../codegen/wgsl/write-wgsl.ts';
import { findFusedProducts, fusesProducts } from './fused-products.ts';
import { type GpuBuffer, type GpuDevice, type GpuObject, usage } from './gpu-api.ts';
import { firstFormNumber, type GpuKernelCode, type GpuShaderCode } from './gpu-layout.ts';
import { keepsOrder, ordered } from './kept-order.ts';
import { Cost } from './launch-costs.ts';

/** A pipeline, and what its groups cost. */
export interface Pipeline {
  readonly object: GpuObject;
  readonly cost: Cost;
}

/** A shader of a program. */
export interface LoadedShader {
  readonly code: GpuShaderCode;
  readonly module: GpuObject;
  /** The constants by which it asks what the device's compiler does. */
  readonly asks: readonly string[];
  readonly pipelines: Map<string, Pipeline | 'coming' | Error>;
  /** Of each buffer of group 1, whether it is bound for reading only. */
  readonly reads: readonly boolean[];
  /** The variant with bindings where all of them are for writing, too; made when it is needed. */
  writable?: LoadedShader;
  /** The last pipeline that was asked for: launches of a kernel are mostly of one kind. */
  last?: { readonly local: readonly number[]; readonly localWords: number; readonly pipeline: Pipeline };
}

export interface LoadedKernel {
  readonly code: GpuKernelCode;
  readonly arena: LoadedShader;
  /** The variant with a binding for each buffer; undefined if there is none, or the device does not take it. */
  readonly bound: LoadedShader | undefined;
}

const compute = 4;

const questions: readonly (readonly [string, (device: GpuDevice) => Promise<boolean>])[] = [
  [fusesProducts, findFusedProducts],
  [ordered, keepsOrder],
];

export class GpuShaders {
  readonly #device: GpuDevice;
  readonly #expect: (pipeline: Promise<void>) => void;
  readonly #programs = new Map<number, LoadedKernel[]>();
  /** What is wrong with programs whose numbers the host gave. */
  readonly #refused = new Map<number, string>();
  /** Layouts of group 0, without and with printf's buffer. */
  readonly #words: readonly [GpuObject, GpuObject];
  /** Layouts of group 1, by which buffers are for reading only. */
  readonly #memory = new Map<string, GpuObject>();
  readonly #pipelineLayouts = new Map<string, GpuObject>();
  readonly #wordGroups = new Map<number, GpuObject>();
  #nextProgram = 1;
  /** What the device's compiler does, by the constants of shaders that ask for it: found out for the first of them. */
  readonly #asked = new Map<string, Promise<boolean>>();
  readonly #answers = new Map<string, boolean>();

  /** `expect` is given the promises of pipelines. */
  constructor(device: GpuDevice, expect: (pipeline: Promise<void>) => void) {
    this.#device = device;
    this.#expect = expect;
    const words = {
      binding: 1,
      visibility: compute,
      buffer: { type: 'uniform', hasDynamicOffset: true },
    };
    const printed = { binding: 2, visibility: compute, buffer: { type: 'storage' } };
    this.#words = [
      device.createBindGroupLayout({ entries: [words] }),
      device.createBindGroupLayout({ entries: [words, printed] }),
    ];
  }

  /**
   * Makes shaders.
   * @param given the number that the program is to have
   * @returns the program's number, or what is wrong with one of them
   */
  async load(kernels: readonly GpuKernelCode[], given?: number): Promise<number | string> {
    const loaded: LoadedKernel[] = [];
    for (const code of kernels) {
      const arena = await this.#load(code.name, code);
      if (typeof arena === 'string') {
        if (given !== undefined) this.#refused.set(given, arena);
        return arena;
      }
      loaded.push({ code, arena, bound: await this.#loadBound(code) });
    }
    const number = given ?? this.#nextProgram;
    if (given === undefined) this.#nextProgram += 1;
    this.#programs.set(number, loaded);
    return number;
  }

  async #loadBound({ name, bound, bindings }: GpuKernelCode): Promise<LoadedShader | undefined> {
    if (!bound) return undefined;
    const most = this.#device.limits['maxStorageBuffersPerShaderStage']! - (bindings.printed ? 1 : 0);
    if (bound.buffers.length > most) return undefined;
    const loaded = await this.#load(name, bound);
    return typeof loaded === 'string' ? undefined : loaded;
  }

  async #load(name: string, code: GpuShaderCode): Promise<LoadedShader | string> {
    const device = this.#device;
    device.pushErrorScope('validation');
    const module = device.createShaderModule({ code: code.code, label: name });
    // At once: somebody else's scope may be next.
    const refusal = device.popErrorScope();
    const error = await refusal;
    // Asked only then: Dawn ends the process if Node exits while it has not answered.
    const wrong = error && (await module.getCompilationInfo()).messages.find(({ type }) => type === 'error');
    if (wrong) {
      const line = code.code.split('\n')[wrong.lineNum - 1] ?? '';
      return `kernel '${name}': WebGPU refuses its shader: ${wrong.message} (line ${wrong.lineNum}: ${line.trim()})`;
    }
    if (error) return `kernel '${name}': WebGPU refuses its shader: ${error.message}`;
    const asks: string[] = [];
    for (const [name, find] of questions) {
      if (!code.code.includes(`override ${name}`)) continue;
      asks.push(name);
      if (!this.#asked.has(name)) this.#asked.set(name, find(device));
      this.#answers.set(name, await this.#asked.get(name)!);
    }
    const reads = code.buffers?.map(({ isWritten }) => !isWritten) ?? (code.bindings.memory ? [false] : []);
    return { code, module, asks, pipelines: new Map(), reads };
  }

  /** A shader of the variant with bindings, with all buffers for reading and writing. */
  writable(shader: LoadedShader): LoadedShader {
    if (!shader.reads.includes(true)) return shader;
    const { last: _last, ...rest } = shader;
    shader.writable ??= {
      ...rest,
      module: this.#device.createShaderModule({ code: writableBuffers(shader.code.code) }),
      pipelines: new Map(),
      reads: shader.reads.map(() => false),
    };
    return shader.writable;
  }

  find(program: number, kernel: number): LoadedKernel | undefined {
    return this.#programs.get(program)?.[kernel];
  }

  /** What became of a program that is not there: one whose number the host gave may be still to come. */
  missing(program: number): 'coming' | string {
    return this.#refused.get(program) ?? (program >= firstFormNumber ? 'coming' : 'the kernel is gone');
  }

  forget(program: number): void {
    this.#programs.delete(program);
    this.#refused.delete(program);
  }

  pipelineFor(
    shader: LoadedShader,
    local: readonly number[],
    localWords: number,
  ): Pipeline | 'coming' | Error {
    const { code, module, asks, pipelines, reads, last } = shader;
    const isSame = last?.localWords === localWords && last.local.every((size, axis) => size === local[axis]);
    if (isSame) return last.pipeline;
    const key = `${local[0]} ${local[1]} ${local[2]} ${localWords}`;
    const known = pipelines.get(key);
    if (known) {
      if (known !== 'coming' && !(known instanceof Error))
        shader.last = { local, localWords, pipeline: known };
      return known;
    }
    const constants: Record<string, number> = { size_x: local[0]!, size_y: local[1]!, size_z: local[2]! };
    if (code.hasLocal) constants['local_words'] = localWords;
    if (code.collectiveBytes > 0) constants['group_items'] = local[0]! * local[1]! * local[2]!;
    for (const name of asks) if (this.#answers.get(name)) constants[name] = 1;
    pipelines.set(key, 'coming');
    const descriptor = {
      layout: this.#pipelineLayout(code.bindings.printed, reads),
      compute: { module, entryPoint: code.entry, constants },
    };
    const made = this.#device.createComputePipelineAsync(descriptor).then(
      (object) => void pipelines.set(key, { object, cost: new Cost() }),
      (error: unknown) => void pipelines.set(key, error instanceof Error ? error : new Error(String(error))),
    );
    this.#expect(made);
    return 'coming';
  }

  #pipelineLayout(printed: boolean, reads: readonly boolean[]): GpuObject {
    const key = `${reads} ${printed}`;
    let layout = this.#pipelineLayouts.get(key);
    if (!layout) {
      const words = this.#words[printed ? 1 : 0];
      const bindGroupLayouts = reads.length > 0 ? [words, this.memoryLayout(reads)] : [words];
      layout = this.#device.createPipelineLayout({ bindGroupLayouts });
      this.#pipelineLayouts.set(key, layout);
    }
    return layout;
  }

  /** The layout of group 1 with these buffers, by whether each is for reading only. */
  memoryLayout(reads: readonly boolean[]): GpuObject {
    const key = `${reads}`;
    let layout = this.#memory.get(key);
    if (!layout) {
      layout = this.#device.createBindGroupLayout({
        entries: reads.map((onlyRead, binding) => ({
          binding,
          visibility: compute,
          buffer: { type: onlyRead ? 'read-only-storage' : 'storage' },
        })),
      });
      this.#memory.set(key, layout);
    }
    return layout;
  }

  /** Group 0: so many bytes of the ring from the offset of a launch on, and printf's buffer. */
  wordsGroup(ring: GpuBuffer, bytes: number, printed: GpuBuffer | undefined): GpuObject {
    const known = printed ? undefined : this.#wordGroups.get(bytes);
    if (known) return known;
    const words = { binding: 1, resource: { buffer: ring, offset: 0, size: bytes } };
    const group = this.#device.createBindGroup({
      layout: this.#words[printed ? 1 : 0],
      entries: printed ? [words, { binding: 2, resource: { buffer: printed } }] : [words],
    });
    if (!printed) this.#wordGroups.set(bytes, group);
    return group;
  }

  /** A buffer that printf of a launch writes to. */
  printBuffer(size: number): GpuBuffer {
    return this.#device.createBuffer({ size, usage: usage.storage | usage.copyFrom, label: 'printf' });
  }
}
