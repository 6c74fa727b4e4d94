/**
 * What has been encoded and not yet submitted: dispatches in one compute pass, one behind the other, with the words of each launch in a
 * ring of uniforms. What is bound already is not bound again.
 */
import {
  type GpuBuffer,
  type GpuComputePass,
  type GpuDevice,
  type GpuEncoder,
  type GpuObject,
  usage,
} from './gpu-api.ts';
import { GpuTimers, type TimerReading } from './gpu-timers.ts';

/** Blocks of launches lie so far apart (minUniformBufferOffsetAlignment). */
const blockAlign = 256;
const ringBytes = 1 << 20;

export interface Dispatch {
  readonly pipeline: GpuObject;
  /** The group of the block, which {@link GpuEncoding.place} puts at an offset. */
  readonly words: GpuObject;
  readonly offset: number;
  /** The group of memory, if the shader uses any. */
  readonly memory: GpuObject | undefined;
  readonly groups: readonly number[];
  /** For a pass of a launch's own. */
  readonly timer: DispatchTimer | undefined;
}

/** A timer's number, and whether the dispatch is the launch's first and last one: all are in one pass. */
export interface DispatchTimer {
  readonly pair: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

export class GpuEncoding {
  readonly ring: GpuBuffer;
  /** Where the adapter has timestamps. */
  readonly timers: GpuTimers | undefined;
  readonly #device: GpuDevice;
  readonly #blocks = new Uint32Array(ringBytes / 4);
  /** Bytes of the ring that are encoded and not submitted: [first, next). */
  #first = 0;
  #next = 0;
  /** Where the last block lies, in bytes. */
  #last = { start: 0, end: 0 };
  #encoder: GpuEncoder | undefined;
  #pass: GpuComputePass | undefined;
  /** What is bound in the pass. */
  #pipeline: GpuObject | undefined;
  #words: GpuObject | undefined;
  #offset = -1;
  #memory: GpuObject | undefined;
  #dispatches = 0;
  readonly #flush: () => void;

  /** `flush` submits what there is, when the ring is full. */
  constructor(device: GpuDevice, flush: () => void) {
    this.#device = device;
    this.#flush = flush;
    this.ring = device.createBuffer({
      size: ringBytes,
      usage: usage.uniform | usage.copyTo,
      label: 'launches',
    });
    if (device.features.has('timestamp-query')) this.timers = new GpuTimers(device);
  }

  /** Dispatches that wait to be submitted. */
  get dispatches(): number {
    return this.#dispatches;
  }

  /** How many bytes of the ring a block of so many words takes. */
  bytesOf(words: number): number {
    return Math.ceil((words * 4) / blockAlign) * blockAlign;
  }

  /** Makes room in the ring for blocks of so many words, so that placing them submits nothing. */
  makeRoom(words: number, blocks = 1): void {
    if (this.#next + this.bytesOf(words) * blocks <= ringBytes) return;
    this.#flush();
    this.#first = this.#next = 0;
  }

  /** Puts a block into the ring, if it is not there, and gives its offset. What has been encoded may be submitted. */
  place(block: Uint32Array): number {
    const bytes = this.bytesOf(block.length);
    const { start, end } = this.#last;
    if (end - start === bytes && this.#equals(start / 4, block)) return start;
    this.makeRoom(block.length);
    const at = this.#next;
    this.#next += bytes;
    this.#blocks.set(block, at / 4);
    this.#last = { start: at, end: this.#next };
    return at;
  }

  #equals(at: number, block: Uint32Array): boolean {
    for (let index = 0; index < block.length; index += 1) {
      if (this.#blocks[at + index] !== block[index]) return false;
    }
    return true;
  }

  dispatch({ pipeline, words, offset, memory, groups, timer }: Dispatch): void {
    this.#encoder ??= this.#device.createCommandEncoder();
    if (timer?.isFirst) this.#endPass();
    if (!this.#pass) {
      if (timer) this.#encoder.beginComputePass(this.timers!.passBefore(timer.pair)).end();
      this.#pass = this.#encoder.beginComputePass(timer ? this.timers!.passOf(timer.pair) : {});
      this.#pipeline = this.#words = this.#memory = undefined;
    }
    const pass = this.#pass;
    if (this.#pipeline !== pipeline) pass.setPipeline(pipeline);
    if (this.#words !== words || this.#offset !== offset) pass.setBindGroup(0, words, [offset]);
    if (memory && this.#memory !== memory) {
      pass.setBindGroup(1, memory);
      this.#memory = memory;
    }
    this.#pipeline = pipeline;
    this.#words = words;
    this.#offset = offset;
    pass.dispatchWorkgroups(groups[0]!, groups[1]!, groups[2]!);
    this.#dispatches += 1;
    if (timer?.isLast) this.#endPass();
  }

  /** The encoder for a pass that draws, behind what has been encoded. */
  forRendering(): GpuEncoder {
    this.#endPass();
    this.#encoder ??= this.#device.createCommandEncoder();
    return this.#encoder;
  }

  #endPass(): void {
    this.#pass?.end();
    this.#pass = undefined;
  }

  /** Submits what has been encoded. @returns undefined if there was nothing, else its timers */
  submit(): { readonly times: TimerReading | undefined } | undefined {
    if (!this.#encoder) return undefined;
    const { queue } = this.#device;
    this.#endPass();
    const times = this.timers?.resolve(this.#encoder);
    if (this.#next > this.#first) {
      const bytes = new Uint8Array(this.#blocks.buffer, this.#first, this.#next - this.#first);
      queue.writeBuffer(this.ring, this.#first, bytes);
    }
    queue.submit([this.#encoder.finish()]);
    this.#first = this.#next;
    this.#encoder = undefined;
    this.#dispatches = 0;
    return { times };
  }
}
