/** Launches as dispatches: the block of words and arguments of each, the memory it is given, and the parts of its range. */
import { launchWords } from '../../codegen/wgsl/write-wgsl.ts';
import { statusCodes } from '../../runtime/status.ts';
import { type Range, rangeAt } from '../icd/memory-access.ts';
import { access, argumentKind, launchPayload, rangeWords, wideAt } from '../icd/native-layout.ts';
import type { GpuBuffer, GpuDevice, GpuObject } from './gpu-api.ts';
import type { GpuEncoding } from './gpu-encoding.ts';
import { extraArguments, type GpuShaderCode } from './gpu-layout.ts';
import type { GpuMemory, Home, Place } from './gpu-memory.ts';
import type { GpuShaders, LoadedKernel, LoadedShader, Pipeline } from './gpu-shaders.ts';
import type { Dispatched } from './launch-costs.ts';
import { cutPart, groupsIn, type Part, partsOf } from './launch-parts.ts';
import { blockBetween, transferOf, transferShaders } from './transfer-shaders.ts';

/** Where printf's text of a launch lies on the device, and where it goes to. */
export interface Printed {
  readonly buffer: GpuBuffer;
  readonly address: number;
  readonly size: number;
}

/** A part of a range, and what runs it. */
interface PartToRun {
  readonly part: Part;
  readonly pipeline: Pipeline;
}

/** A launch, of which something may be still to be encoded. */
export interface Launch {
  readonly written: readonly Range[];
  readonly printed: Printed | undefined;
  /** What is left to be encoded, with its pipelines. */
  readonly left: PartToRun[];
  readonly block: Uint32Array;
  /** What group 1 binds, and of each whether it is for reading only. */
  readonly memory: readonly Bound[];
  readonly reads: readonly boolean[];
  /** Encodes a pass that draws, in the place of dispatches. */
  readonly draw?: (encoding: GpuEncoding) => void;
}

/** What {@link GpuLaunches.begin} did. */
export type Begun =
  /** A pipeline is being made: to be asked again. */
  | { readonly kind: 'later' }
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  | { readonly kind: 'launch'; readonly launch: Launch };

/** A part of a buffer that is bound. */
interface Bound {
  readonly place: Place;
  readonly offset: number;
  readonly size: number;
}

/** A range that the variant with bindings is given: where it begins and ends in the context's memory. */
interface Given {
  readonly range: Range;
  readonly start: number;
  readonly end: number;
}

/** Ranges that are bound begin at multiples of this (minStorageBufferOffsetAlignment). */
const bindingAlign = 256;
/** Work-items of a group that copies or fills. */
const transferGroup = 64;
/** So many groups of bindings are kept. */
const keptGroups = 1024;

export class GpuLaunches {
  readonly #device: GpuDevice;
  readonly #shaders: GpuShaders;
  readonly #encoding: GpuEncoding;
  readonly #memory: GpuMemory;
  /** Groups of memory, by what they bind. */
  readonly #groups = new Map<string, GpuObject>();
  #generation = -1;
  readonly #blocks = new Map<number, Uint32Array>();
  /** The last group, and what it binds. */
  #last: { readonly launch: Pick<Launch, 'memory' | 'reads'>; readonly group: GpuObject } | undefined;
  /** The number of the program of copies and fills, once it is made. */
  #transfers: number | undefined;
  /** What has been dispatched since the last submission. */
  dispatched: Dispatched[] = [];
  /** How long that will take, in nanoseconds, as far as is known. */
  expected = 0;

  constructor(device: GpuDevice, shaders: GpuShaders, encoding: GpuEncoding, memory: GpuMemory) {
    this.#device = device;
    this.#shaders = shaders;
    this.#encoding = encoding;
    this.#memory = memory;
  }

  /** Makes the shaders of copies and fills. */
  async start(): Promise<void> {
    const loaded = await this.#shaders.load(transferShaders);
    if (typeof loaded === 'number') this.#transfers = loaded;
  }

  /** Prepares the launch of a payload (launchPayload, with the arguments of gpu-layout.ts). */
  begin(payload: Int32Array, eager: boolean): Begun {
    const program = wideAt(payload, launchPayload.kernel);
    const kernel = this.#shaders.find(program, payload[launchPayload.kernelNumber]!);
    if (!kernel) {
      const why = this.#shaders.missing(program);
      return why === 'coming' ? { kind: 'later' } : refused(statusCodes.CL_INVALID_PROGRAM_EXECUTABLE, why);
    }
    const { code } = kernel;
    const places = argumentPlaces(payload);
    const given = kernel.bound && givenTo(kernel.bound.code, payload, places);
    const { shader, buffers, home } = this.#variantOf(kernel, given);
    const local = [0, 1, 2].map((axis) => wideAt(payload, launchPayload.local + 2 * axis));
    const global = [0, 1, 2].map((axis) => wideAt(payload, launchPayload.global + 2 * axis));
    const localWords = localWordsOf(shader.code, payload, places);
    const left = this.#partsOf(shader, global, local, localWords);
    if (left === 'coming') return { kind: 'later' };
    if (left instanceof Error) return refused(statusCodes.CL_OUT_OF_RESOURCES, left.message);
    const written: Range[] = [];
    for (const [index, at] of places.entries()) {
      // Descriptors that are words of the launch are read here.
      if (payload[at] !== argumentKind.memory || shader.code.arguments[index]?.isDescriptor) continue;
      const range = rangeAt(payload, at + 1);
      const why = this.#memory.prepare(range, eager, home);
      if (why) return refused(statusCodes.CL_MEM_OBJECT_ALLOCATION_FAILURE, why);
      if (range.access & access.writes) written.push(range);
    }
    const block = this.#blockOf(payload, shader, places, global, local);
    const printfAt = places[places.length - extraArguments.count + extraArguments.printf]!;
    const printed = code.bindings.printed ? this.#printing(payload, printfAt) : undefined;
    for (const range of written) this.#memory.written(range);
    const memory = buffers ? buffers.map((each) => this.#bound(each)) : this.#arena(code.bindings.memory);
    return { kind: 'launch', launch: { written, printed, left, block, memory, reads: shader.reads } };
  }

  /**
   * Which shader runs a launch. What is only read can be bound so, and twice, unless it lies in a buffer of WebGPU that is bound for writing, too;
   * there everything is bound for writing, if no two have bytes in common.
   */
  #variantOf(
    kernel: LoadedKernel,
    given: readonly Given[] | undefined,
  ): { shader: LoadedShader; buffers: readonly Given[] | undefined; home: Home } {
    const arena = { shader: kernel.arena, buffers: undefined, home: 'arena' } as const;
    if (!given) return arena;
    const { reads } = kernel.bound!;
    const written = given.filter((_, index) => !reads[index]);
    const isApart = (one: Given): boolean =>
      given.every((other) => other === one || other.end <= one.start || one.end <= other.start);
    if (!written.every(isApart)) return arena;
    if (written.length === given.length) return { shader: kernel.bound!, buffers: given, home: 'any' };
    const homes = new Set(written.map(({ range }) => (this.#memory.mayBeOwn(range) ? range.id : 0)));
    const areReadOnly = given.every(
      ({ range }, index) => !reads[index] || !homes.has(this.#memory.mayBeOwn(range) ? range.id : 0),
    );
    if (areReadOnly) return { shader: kernel.bound!, buffers: given, home: 'own' };
    if (!given.every(isApart)) return arena;
    return { shader: this.#shaders.writable(kernel.bound!), buffers: given, home: 'any' };
  }

  #bound({ range, start, end }: Given): Bound {
    const place = this.#memory.placeOf(range);
    return { place, offset: start - place.base, size: end - start };
  }

  #arena(isUsed: boolean): Bound[] {
    const place = this.#memory.arena;
    return isUsed ? [{ place, offset: 0, size: place.buffer.size }] : [];
  }

  /** Prepares a copy or a fill on the device; undefined where it is better done in the host's memory. */
  beginTransfer(payload: Int32Array): Begun | undefined {
    const transfer = transferOf(payload);
    if (!transfer || this.#transfers === undefined) return undefined;
    const { source, target, global, shader } = transfer;
    if (source ? !this.#memory.isFresh(source) : !this.#memory.isKnown(target)) {
      // A buffer that the device has not seen is filled there if that is all of it.
      if (source || target.size < target.wholeSize) return undefined;
    }
    const whole = [roundUp(global[0], transferGroup), global[1], global[2]];
    const ways: { readonly left: PartToRun[]; readonly reads: readonly boolean[] }[] = [];
    // Where the target will be is known when it has been prepared.
    for (const number of [shader, shader + transferShaders.length / 2]) {
      const { arena } = this.#shaders.find(this.#transfers, number)!;
      const left = this.#partsOf(arena, whole, [transferGroup, 1, 1], 1);
      if (left === 'coming') return { kind: 'later' };
      if (left instanceof Error) return undefined;
      ways.push({ left, reads: arena.reads });
    }
    const why = transfer.hasGaps
      ? this.#memory.prepare(target, false, 'any')
      : this.#memory.prepareToOverwrite(target);
    if (why) return refused(statusCodes.CL_MEM_OBJECT_ALLOCATION_FAILURE, why);
    this.#memory.written(target);
    const to = this.#memory.placeOf(target);
    const from = source ? this.#memory.placeOf(source) : to;
    const isAmong = from.number !== to.number;
    const memory = (isAmong ? [to, from] : [to]).map(
      (place): Bound => ({ place, offset: 0, size: place.buffer.size }),
    );
    const block = blockBetween(transfer, from.base, to.base);
    const launch = { written: [target], printed: undefined, block, memory, ...ways[isAmong ? 1 : 0]! };
    return { kind: 'launch', launch };
  }

  /** The parts of a range with their pipelines, if all of these are made. */
  #partsOf(
    shader: LoadedShader,
    global: readonly number[],
    local: readonly number[],
    localWords: number,
  ): PartToRun[] | 'coming' | Error {
    const parts: PartToRun[] = [];
    for (const part of partsOf(global, local)) {
      const pipeline = this.#shaders.pipelineFor(shader, part.local, localWords);
      if (pipeline === 'coming' || pipeline instanceof Error) return pipeline;
      parts.push({ part, pipeline });
    }
    return parts;
  }

  /** Encodes what is left of a launch, but of a long range no more than does not take long. True if that is all. */
  encode(launch: Launch, pair: number | undefined): boolean {
    const { left, block, printed, draw } = launch;
    if (draw) {
      draw(this.#encoding);
      return true;
    }
    let isFirst = true;
    const memory = this.#memoryGroup(launch);
    const words = this.#shaders.wordsGroup(
      this.#encoding.ring,
      this.#encoding.bytesOf(block.length),
      printed?.buffer,
    );
    while (left.length > 0) {
      const { part, pipeline } = left.shift()!;
      const [first, ...rest] = cutPart(part, pipeline.cost.mostGroups);
      left.unshift(...rest.map((each) => ({ part: each, pipeline })));
      block.set(first.firstGroup, launchWords.firstGroup);
      block[launchWords.rowOfGroups] = first.row;
      const offset = this.#encoding.place(block);
      const groups = groupsIn(first);
      this.#encoding.dispatch({
        pipeline: pipeline.object,
        words,
        offset,
        memory,
        groups: first.groups,
        timer:
          pair === undefined ? undefined : { pair, isFirst, isLast: left.length === 0 || rest.length > 0 },
      });
      isFirst = false;
      this.dispatched.push({ cost: pipeline.cost, groups });
      this.expected += pipeline.cost.estimate(groups);
      if (rest.length > 0) return false;
    }
    return true;
  }

  /** What has been dispatched, for a submission that begins. */
  take(): { dispatched: Dispatched[]; expected: number } {
    const { dispatched, expected } = this;
    this.dispatched = [];
    this.expected = 0;
    return { dispatched, expected };
  }

  /** For a launch's words: the same one again and again, as nothing is begun before the launch before is encoded. */
  #emptyBlock(words: number): Uint32Array {
    let block = this.#blocks.get(words);
    if (!block) {
      block = new Uint32Array(words);
      this.#blocks.set(words, block);
    }
    return block.fill(0);
  }

  #blockOf(
    payload: Int32Array,
    { code }: LoadedShader,
    places: readonly number[],
    global: readonly number[],
    local: readonly number[],
  ): Uint32Array {
    const block = this.#emptyBlock(code.blockWords);
    const isBound = code.buffers !== undefined;
    // In the variant with bindings pointers begin at what is bound.
    const address = (at: number): number => addressAt(payload, at) % (isBound ? bindingAlign : 2 ** 32);
    block[launchWords.workDimensions] = payload[launchPayload.dimensions]!;
    for (let axis = 0; axis < 3; axis += 1) {
      block[launchWords.globalOffset + axis] = wideAt(payload, launchPayload.offset + 2 * axis);
      block[launchWords.globalSize + axis] = global[axis]!;
      block[launchWords.localSize + axis] = local[axis]!;
      block[launchWords.numberOfGroups + axis] = Math.ceil(global[axis]! / local[axis]!);
    }
    block[launchWords.globals] = address(
      places[places.length - extraArguments.count + extraArguments.globals]!,
    );
    let localAt = roundUp(code.localBytes, 128);
    for (const [index, { word, words, isStruct, isDescriptor }] of code.arguments.entries()) {
      const at = places[index]!;
      if (isDescriptor) {
        block.set(this.#memory.hostWords(rangeAt(payload, at + 1), words), word);
        block[word]! %= bindingAlign;
        continue;
      }
      switch (payload[at]) {
        case argumentKind.memory:
          block[word] = address(at);
          break;
        case argumentKind.local:
          block[word] = localAt;
          localAt += roundUp(payload[at + 1]!, 128);
          break;
        case argumentKind.value: {
          const length = payload[at + 1]!;
          const bytes = new Uint8Array(payload.buffer, payload.byteOffset + (at + 2) * 4, length);
          if (isStruct && !isBound) block[word] = this.#memory.placeStruct(bytes);
          else new Uint8Array(block.buffer).set(bytes.subarray(0, words * 4), word * 4);
          break;
        }
      }
    }
    return block;
  }

  #printing(payload: Int32Array, at: number): Printed {
    const [address, size] = [payload[at + 2]! >>> 0, payload[at + 3]! >>> 0];
    return { buffer: this.#shaders.printBuffer(size), address, size };
  }

  #memoryGroup(launch: Launch): GpuObject | undefined {
    const { memory, reads } = launch;
    if (memory.length === 0) return undefined;
    if (this.#generation !== this.#memory.generation || this.#groups.size > keptGroups) {
      this.#groups.clear();
      this.#last = undefined;
      this.#generation = this.#memory.generation;
    }
    if (this.#last && bindsSame(this.#last.launch, launch)) return this.#last.group;
    const key = `${reads} ${memory.map(({ place, offset, size }) => `${place.number} ${offset} ${size}`).join()}`;
    let group = this.#groups.get(key);
    if (!group) {
      const entries = memory.map(({ place: { buffer }, offset, size }, binding) => ({
        binding,
        resource: { buffer, offset, size },
      }));
      group = this.#device.createBindGroup({ layout: this.#shaders.memoryLayout(reads), entries });
      this.#groups.set(key, group);
    }
    this.#last = { launch: { memory, reads }, group };
    return group;
  }
}

function bindsSame(one: Pick<Launch, 'memory' | 'reads'>, other: Pick<Launch, 'memory' | 'reads'>): boolean {
  return (
    one.reads === other.reads &&
    one.memory.every(({ place, offset, size }, index) => {
      const its = other.memory[index]!;
      return place.number === its.place.number && offset === its.offset && size === its.size;
    })
  );
}

function refused(status: number, message: string): Begun {
  return { kind: 'refused', status, message };
}

function roundUp(value: number, to: number): number {
  return Math.ceil(value / to) * to;
}

/** Words of local memory: the kernel's own variables, and behind them the arguments. */
function localWordsOf(code: GpuShaderCode, payload: Int32Array, places: readonly number[]): number {
  let bytes = roundUp(code.localBytes, 128);
  for (const at of places.slice(0, code.arguments.length)) {
    if (payload[at] === argumentKind.local) bytes += roundUp(payload[at + 1]!, 128);
  }
  return Math.max(1, Math.ceil((bytes > 128 ? bytes : code.localBytes) / 4));
}

/**
 * What the variant with bindings is given for each of its buffers. Undefined where it cannot be taken: a pointer is null or not aligned as the
 * buffer's elements are.
 */
function givenTo(
  { buffers }: GpuShaderCode,
  payload: Int32Array,
  places: readonly number[],
): readonly Given[] | undefined {
  const found: Given[] = [];
  for (const { argument, align } of buffers!) {
    const at =
      places[argument < 0 ? places.length - extraArguments.count + extraArguments.globals : argument];
    if (at === undefined || payload[at] !== argumentKind.memory) return undefined;
    const range = rangeAt(payload, at + 1);
    const first = range.address + range.offset;
    if (first % align !== 0) return undefined;
    const start = first - (first % bindingAlign);
    found.push({ range, start, end: roundUp(first + range.size, Math.max(align, 4)) });
  }
  return found;
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
