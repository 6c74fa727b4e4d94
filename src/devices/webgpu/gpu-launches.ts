/**
 * Launches as dispatches: pipelines, the block of words and arguments of each, and the parts of large ranges. Launches are encoded one after
 * another into one pass, until somebody flushes.
 */
import { launchWords } from '../../codegen/wgsl/write-wgsl.ts';
import { statusCodes } from '../../runtime/status.ts';
import { type Range, rangeAt } from '../icd/memory-access.ts';
import { access, argumentKind, launchPayload, rangeWords, wideAt } from '../icd/native-layout.ts';
import {
  type GpuBuffer,
  type GpuComputePass,
  type GpuDevice,
  type GpuEncoder,
  type GpuObject,
  usage,
} from './gpu-api.ts';
import { extraArguments, type GpuKernelCode } from './gpu-layout.ts';
import type { GpuMemory } from './gpu-memory.ts';

interface LoadedKernel {
  readonly code: GpuKernelCode;
  readonly shader: GpuObject;
  /** By local size and words of local memory. */
  readonly pipelines: Map<string, GpuObject | 'coming' | Error>;
}

/** Where printf's text of a launch lies on the device, and where it goes to. */
export interface Printed {
  readonly buffer: GpuBuffer;
  readonly address: number;
  readonly size: number;
}

/** What {@link GpuLaunches.encode} did. */
export type Encoded =
  /** A pipeline is being made: to be asked again. */
  | { readonly kind: 'later' }
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  | { readonly kind: 'encoded'; readonly written: readonly Range[]; readonly printed: Printed | undefined };

/** Blocks of launches lie so far apart (minUniformBufferOffsetAlignment). */
const blockAlign = 256;
const ringBytes = 1 << 20;
/** WebGPU's limit for each dimension of a dispatch. */
const mostGroups = 65535;

export class GpuLaunches {
  readonly #device: GpuDevice;
  readonly #layout: GpuObject;
  readonly #pipelineLayout: GpuObject;
  readonly #programs = new Map<number, LoadedKernel[]>();
  readonly #groups = new Map<string, GpuObject>();
  readonly #ring: GpuBuffer;
  readonly #blocks = new Uint32Array(ringBytes / 4);
  readonly #noPrinting: GpuBuffer;
  readonly #expect: (pipeline: Promise<void>) => void;
  #generation = -1;
  #nextProgram = 1;
  /** Bytes of the ring that are encoded and not submitted: [first, next). */
  #first = 0;
  #next = 0;
  #encoder: GpuEncoder | undefined;
  #pass: GpuComputePass | undefined;
  memory!: GpuMemory;

  /** `expect` is given the promises of pipelines. */
  constructor(device: GpuDevice, expect: (pipeline: Promise<void>) => void) {
    this.#device = device;
    this.#expect = expect;
    const compute = 4;
    const buffer = (binding: number, layout: object): object => ({
      binding,
      visibility: compute,
      buffer: layout,
    });
    this.#layout = device.createBindGroupLayout({
      entries: [
        buffer(0, { type: 'storage' }),
        buffer(1, { type: 'uniform', hasDynamicOffset: true }),
        buffer(2, { type: 'storage' }),
      ],
    });
    this.#pipelineLayout = device.createPipelineLayout({ bindGroupLayouts: [this.#layout] });
    this.#ring = device.createBuffer({
      size: ringBytes,
      usage: usage.uniform | usage.copyTo,
      label: 'launches',
    });
    this.#noPrinting = device.createBuffer({ size: 16, usage: usage.storage, label: 'no printf' });
  }

  // ---------------------------------------------------------------------------------------------- programs

  /** Makes shaders. @returns the program's number, or what is wrong with one of them */
  async load(kernels: readonly GpuKernelCode[]): Promise<number | string> {
    const loaded: LoadedKernel[] = [];
    for (const code of kernels) {
      this.#device.pushErrorScope('validation');
      const shader = this.#device.createShaderModule({ code: code.code, label: code.name });
      const { messages } = await shader.getCompilationInfo();
      const error = await this.#device.popErrorScope();
      const wrong = messages.find(({ type }) => type === 'error');
      if (wrong) {
        const line = code.code.split('\n')[wrong.lineNum - 1] ?? '';
        return `kernel '${code.name}': WebGPU refuses its shader: ${wrong.message} (line ${wrong.lineNum}: ${line.trim()})`;
      }
      if (error) return `kernel '${code.name}': WebGPU refuses its shader: ${error.message}`;
      loaded.push({ code, shader, pipelines: new Map() });
    }
    const number = this.#nextProgram;
    this.#nextProgram += 1;
    this.#programs.set(number, loaded);
    return number;
  }

  forget(program: number): void {
    this.#programs.delete(program);
  }

  #pipelineFor(
    kernel: LoadedKernel,
    local: readonly number[],
    localWords: number,
  ): GpuObject | 'coming' | Error {
    const key = `${local.join(' ')} ${localWords}`;
    const known = kernel.pipelines.get(key);
    if (known) return known;
    const { code, shader, pipelines } = kernel;
    const constants: Record<string, number> = { size_x: local[0]!, size_y: local[1]!, size_z: local[2]! };
    if (code.hasLocal) constants['local_words'] = localWords;
    if (code.collectiveBytes > 0) constants['group_items'] = local[0]! * local[1]! * local[2]!;
    pipelines.set(key, 'coming');
    const descriptor = {
      layout: this.#pipelineLayout,
      compute: { module: shader, entryPoint: code.entry, constants },
    };
    const made = this.#device.createComputePipelineAsync(descriptor).then(
      (pipeline) => void pipelines.set(key, pipeline),
      (error: unknown) => void pipelines.set(key, error instanceof Error ? error : new Error(String(error))),
    );
    this.#expect(made);
    return 'coming';
  }

  // ---------------------------------------------------------------------------------------------- launches

  /** Encodes the launch of a payload (launchPayload, with the arguments of gpu-layout.ts). */
  encode(payload: Int32Array, eager: boolean): Encoded {
    const kernel = this.#programs.get(wideAt(payload, launchPayload.kernel))?.[
      payload[launchPayload.kernelNumber]!
    ];
    if (!kernel) return refused(statusCodes.CL_INVALID_PROGRAM_EXECUTABLE, 'the kernel is gone');
    const { code } = kernel;
    const places = argumentPlaces(payload);
    const local = [0, 1, 2].map((axis) => wideAt(payload, launchPayload.local + 2 * axis));
    const global = [0, 1, 2].map((axis) => wideAt(payload, launchPayload.global + 2 * axis));
    const own = code.arguments.length;
    let localBytes = roundUp(code.localBytes, 128);
    for (const at of places.slice(0, own)) {
      if (payload[at] === argumentKind.local) localBytes += roundUp(payload[at + 1]!, 128);
    }
    const localWords = Math.max(1, Math.ceil((localBytes > 128 ? localBytes : code.localBytes) / 4));
    const parts = partsOf(global, local);
    const pipelines = parts.map((part) => this.#pipelineFor(kernel, part.local, localWords));
    for (const each of pipelines) {
      if (each === 'coming') return { kind: 'later' };
      if (each instanceof Error) return refused(statusCodes.CL_OUT_OF_RESOURCES, each.message);
    }
    const written: Range[] = [];
    for (const at of places) {
      if (payload[at] !== argumentKind.memory) continue;
      const range = rangeAt(payload, at + 1);
      const why = this.memory.prepare(range, eager);
      if (why) return refused(statusCodes.CL_MEM_OBJECT_ALLOCATION_FAILURE, why);
      if (range.access & access.writes) written.push(range);
    }
    const block = this.#blockOf(payload, code, places, global, local);
    const printfAt = places[places.length - extraArguments.count + extraArguments.printf]!;
    const printed = code.bindings.printed ? this.#printing(payload, printfAt) : undefined;
    for (const [index, part] of parts.entries()) {
      block.set(part.firstGroup, launchWords.firstGroup);
      this.#dispatch(pipelines[index] as GpuObject, block, part.groups, printed?.buffer);
    }
    for (const range of written) this.memory.written(range);
    return { kind: 'encoded', written, printed };
  }

  #blockOf(
    payload: Int32Array,
    code: GpuKernelCode,
    places: readonly number[],
    global: readonly number[],
    local: readonly number[],
  ): Uint32Array {
    const block = new Uint32Array(code.blockWords);
    block[launchWords.workDimensions] = payload[launchPayload.dimensions]!;
    for (let axis = 0; axis < 3; axis += 1) {
      block[launchWords.globalOffset + axis] = wideAt(payload, launchPayload.offset + 2 * axis);
      block[launchWords.globalSize + axis] = global[axis]!;
      block[launchWords.localSize + axis] = local[axis]!;
      block[launchWords.numberOfGroups + axis] = Math.ceil(global[axis]! / local[axis]!);
    }
    const variables = places[places.length - extraArguments.count + extraArguments.globals]!;
    block[launchWords.globals] = addressAt(payload, variables);
    let localAt = roundUp(code.localBytes, 128);
    for (const [index, { word, words, isStruct }] of code.arguments.entries()) {
      const at = places[index]!;
      switch (payload[at]) {
        case argumentKind.memory:
          block[word] = addressAt(payload, at);
          break;
        case argumentKind.local:
          block[word] = localAt;
          localAt += roundUp(payload[at + 1]!, 128);
          break;
        case argumentKind.value: {
          const length = payload[at + 1]!;
          const bytes = new Uint8Array(payload.buffer, payload.byteOffset + (at + 2) * 4, length);
          if (isStruct) block[word] = this.memory.placeStruct(bytes);
          else new Uint8Array(block.buffer).set(bytes.subarray(0, words * 4), word * 4);
          break;
        }
      }
    }
    return block;
  }

  #printing(payload: Int32Array, at: number): Printed {
    const [address, size] = [payload[at + 2]! >>> 0, payload[at + 3]! >>> 0];
    const buffer = this.#device.createBuffer({
      size,
      usage: usage.storage | usage.copyFrom,
      label: 'printf',
    });
    return { buffer, address, size };
  }

  #dispatch(
    pipeline: GpuObject,
    block: Uint32Array,
    [x, y, z]: readonly number[],
    printed: GpuBuffer | undefined,
  ): void {
    const bytes = roundUp(block.length * 4, blockAlign);
    if (this.#next + bytes > ringBytes) this.flush();
    if (this.#next + bytes > ringBytes) this.#first = this.#next = 0;
    const at = this.#next;
    this.#next += bytes;
    this.#blocks.set(block, at / 4);
    this.#encoder ??= this.#device.createCommandEncoder();
    this.#pass ??= this.#encoder.beginComputePass();
    this.#pass.setPipeline(pipeline);
    this.#pass.setBindGroup(0, this.#groupFor(bytes, printed), [at]);
    this.#pass.dispatchWorkgroups(x!, y!, z!);
  }

  #groupFor(bytes: number, printed: GpuBuffer | undefined): GpuObject {
    if (this.#generation !== this.memory.generation) {
      this.#groups.clear();
      this.#generation = this.memory.generation;
    }
    const known = printed ? undefined : this.#groups.get(String(bytes));
    if (known) return known;
    const group = this.#device.createBindGroup({
      layout: this.#layout,
      entries: [
        { binding: 0, resource: { buffer: this.memory.arena } },
        { binding: 1, resource: { buffer: this.#ring, offset: 0, size: bytes } },
        { binding: 2, resource: { buffer: printed ?? this.#noPrinting } },
      ],
    });
    if (!printed) this.#groups.set(String(bytes), group);
    return group;
  }

  /** Submits what has been encoded. True if there was something. */
  flush(): boolean {
    if (!this.#pass || !this.#encoder) return false;
    const { queue } = this.#device;
    this.#pass.end();
    const bytes = new Uint8Array(this.#blocks.buffer, this.#first, this.#next - this.#first);
    queue.writeBuffer(this.#ring, this.#first, bytes);
    queue.submit([this.#encoder.finish()]);
    this.#first = this.#next;
    this.#pass = undefined;
    this.#encoder = undefined;
    return true;
  }
}

function refused(status: number, message: string): Encoded {
  return { kind: 'refused', status, message };
}

function roundUp(value: number, to: number): number {
  return Math.ceil(value / to) * to;
}

/** Where each argument begins in a payload. */
function argumentPlaces(payload: Int32Array): number[] {
  const places: number[] = [];
  let at: number = launchPayload.arguments;
  for (let index = 0; index < payload[launchPayload.argumentCount]!; index += 1) {
    places.push(at);
    switch (payload[at]) {
      case argumentKind.value:
        at += 2 + ((payload[at + 1]! + 3) >> 2);
        break;
      case argumentKind.memory:
        at += 1 + rangeWords.count;
        break;
      case argumentKind.local:
        at += 2;
        break;
      default:
        at += 1;
    }
  }
  return places;
}

/** The address that a memory argument is; 0 for a null pointer. */
function addressAt(payload: Int32Array, at: number): number {
  if (payload[at] !== argumentKind.memory) return 0;
  const { address, offset } = rangeAt(payload, at + 1);
  return address + offset;
}

interface Part {
  readonly firstGroup: readonly number[];
  readonly groups: readonly number[];
  readonly local: readonly number[];
}

/** A range as parts that WebGPU takes: so many groups, and groups of one size. The last group of a dimension may be smaller. */
export function partsOf(global: readonly number[], local: readonly number[]): Part[] {
  const axes = [0, 1, 2].map((axis) => {
    const size = local[axis]!;
    const whole = Math.floor(global[axis]! / size);
    const pieces: { first: number; groups: number; size: number }[] = [];
    for (let first = 0; first < whole; first += mostGroups) {
      pieces.push({ first, groups: Math.min(mostGroups, whole - first), size });
    }
    const rest = global[axis]! - whole * size;
    if (rest > 0) pieces.push({ first: whole, groups: 1, size: rest });
    return pieces;
  });
  const [xs, ys, zs] = axes as [(typeof axes)[0], (typeof axes)[0], (typeof axes)[0]];
  return zs.flatMap((z) =>
    ys.flatMap((y) =>
      xs.map((x) => ({
        firstGroup: [x.first, y.first, z.first],
        groups: [x.groups, y.groups, z.groups],
        local: [x.size, y.size, z.size],
      })),
    ),
  );
}
