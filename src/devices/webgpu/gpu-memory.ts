/**
 * The device's copy of a context's memory: one buffer, the arena, in which every byte has the address that it has for the host. So pointers
 * mean the same on both sides, and so do the addresses in image descriptors and pipes. Which bytes are newer where, the arena
 * remembers for each whole buffer of the context (newer-bytes.ts).
 *
 * What is below the context's first address is the device's own: there lie structs that are arguments.
 */
import { roundUp } from '../../runtime/range-allocator.ts';
import type { Range } from '../icd/memory-access.ts';
import { access } from '../icd/native-layout.ts';
import { extend, type Interval, type NewerBytes, newerOnHost } from '../newer-bytes.ts';
import { type GpuBuffer, type GpuDevice, mapRead, usage } from './gpu-api.ts';

interface Copy extends NewerBytes {
  readonly address: number;
  /** A way back to the host that has not ended. */
  coming: Promise<void> | undefined;
}

/** The arena grows to multiples of this. */
const step = 16 << 20;
/** Where structs begin, and where the context's memory does (device-memory.ts). */
const structs = { start: 4096, end: 1 << 20 } as const;

/** Who reads less than one part in so many of what is newer on the device gets that part only. */
const smallPart = 4;

function covers(range: Range, { start, end }: Interval): boolean {
  return end === 0 || (range.offset <= start && end <= range.offset + range.size);
}

export class GpuMemory {
  /** Counts up when the arena is another buffer. */
  generation = 0;
  /** Bytes of the context's memory that have been copied. */
  readonly moved = { toDevice: 0, toHost: 0 };
  readonly limit: number;
  readonly #device: GpuDevice;
  readonly #memory: WebAssembly.Memory;
  readonly #flush: () => void;
  readonly #copies = new Map<number, Copy>();
  #arena: GpuBuffer;
  #nextStruct: number = structs.start;

  readonly #gone: Promise<void>;

  /** `flush` submits what has been encoded with the arena as it is; `gone` resolves when the device is lost. */
  constructor(
    device: GpuDevice,
    memory: WebAssembly.Memory,
    flush: () => void,
    gone: Promise<void> = new Promise(() => {}),
  ) {
    this.#gone = gone;
    this.#device = device;
    this.#memory = memory;
    this.#flush = flush;
    const { limits } = device;
    this.limit = Math.min(limits['maxBufferSize']!, limits['maxStorageBufferBindingSize']!);
    this.#arena = this.#newArena(Math.min(step, this.limit));
  }

  get arena(): GpuBuffer {
    return this.#arena;
  }

  #newArena(size: number): GpuBuffer {
    return this.#device.createBuffer({
      size,
      usage: usage.storage | usage.copyFrom | usage.copyTo,
      label: 'arena',
    });
  }

  #bytes(start: number, end: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, start, end - start);
  }

  /** Makes the arena reach up to an address. @returns why it cannot */
  reach(end: number): string | undefined {
    if (end <= this.#arena.size) return undefined;
    if (end > this.limit) {
      return `the device's memory ends at ${this.limit} bytes, and the kernel needs addresses up to ${end}`;
    }
    this.#flush();
    const old = this.#arena;
    const size = Math.min(this.limit, roundUp(Math.max(end, Math.floor(old.size * 1.5)), step));
    this.#arena = this.#newArena(size);
    const encoder = this.#device.createCommandEncoder();
    encoder.copyBufferToBuffer(old, 0, this.#arena, 0, old.size);
    this.#device.queue.submit([encoder.finish()]);
    // What is submitted still uses it until it is done.
    old.destroy();
    this.generation += 1;
    return undefined;
  }

  #copyOf(range: Range): Copy {
    let copy = this.#copies.get(range.id);
    if (!copy) {
      copy = { address: range.address, coming: undefined, ...newerOnHost(range.wholeSize) };
      this.#copies.set(range.id, copy);
    }
    return copy;
  }

  /** Sees to it that a range's bytes on the device are the newest. @returns why they cannot be */
  prepare(range: Range, always: boolean): string | undefined {
    const start = range.address + range.offset;
    const refused = this.reach(roundUp(range.address + range.wholeSize, 4));
    if (refused) return refused;
    if (range.id === 0) {
      this.#upload(start, start + range.size);
      return undefined;
    }
    const copy = this.#copyOf(range);
    if (always) extend(copy.hostNewer, range.offset, range.offset + range.size);
    const { hostNewer } = copy;
    if (hostNewer.end === 0) return undefined;
    this.#upload(copy.address + hostNewer.start, copy.address + hostNewer.end);
    hostNewer.end = 0;
    return undefined;
  }

  #upload(start: number, end: number): void {
    if (end <= start) return;
    this.#flush();
    const from = start & ~3;
    this.#write(from, this.#bytes(from, roundUp(end, 4)));
  }

  #write(at: number, bytes: Uint8Array): void {
    // WebGPU takes no memory that threads share.
    this.moved.toDevice += bytes.length;
    this.#device.queue.writeBuffer(this.#arena, at, bytes.slice());
  }

  /** Sees to it that a range can be overwritten on the device as a whole. @returns why it cannot */
  prepareToOverwrite(range: Range): string | undefined {
    const refused = this.reach(roundUp(range.address + range.wholeSize, 4));
    if (refused) return refused;
    const { hostNewer } = this.#copyOf(range);
    if (covers(range, hostNewer)) hostNewer.end = 0;
    return this.prepare(range, false);
  }

  /** Whether the device has had the buffer of a range. */
  isKnown(range: Range): boolean {
    return this.#copies.has(range.id);
  }

  /** Whether the device has the newest bytes of a range. */
  isFresh(range: Range): boolean {
    const newer = this.#copies.get(range.id)?.hostNewer;
    if (!newer) return false;
    return newer.end === 0 || newer.end <= range.offset || newer.start >= range.offset + range.size;
  }

  /** Puts a struct that is an argument where kernels find it, and gives its address. */
  placeStruct(bytes: Uint8Array): number {
    const size = roundUp(Math.max(bytes.length, 4), 128);
    if (this.#nextStruct + size > structs.end) {
      // Who has those that are overwritten is submitted before.
      this.#flush();
      this.#nextStruct = structs.start;
    }
    const at = this.#nextStruct;
    this.#nextStruct += size;
    const padded = new Uint8Array(roundUp(bytes.length, 4));
    padded.set(bytes);
    this.#device.queue.writeBuffer(this.#arena, at, padded);
    return at;
  }

  /** A command has been encoded that writes the range. */
  written(range: Range): void {
    const copy = this.#copies.get(range.id);
    if (copy) extend(copy.deviceNewer, range.offset, range.offset + range.size);
  }

  /**
   * Sees to it that the host's bytes are the newest, as of now: what has been encoded counts. Who reads a small part of what is
   * newer gets that part.
   */
  async publish(range: Range): Promise<void> {
    const copy = this.#copies.get(range.id);
    if (!copy) return;
    await copy.coming;
    const { start, end } = copy.deviceNewer;
    if (end === 0) return;
    const onlyReads = range.access === access.reads;
    if (onlyReads && (end <= range.offset || start >= range.offset + range.size)) return;
    if (onlyReads && range.size * smallPart < end - start) {
      const at = range.address + range.offset;
      await this.read(this.#arena, at, at, range.size);
      return;
    }
    copy.deviceNewer.end = 0;
    copy.coming = this.read(this.#arena, copy.address + start, copy.address + start, end - start);
    await copy.coming;
    copy.coming = undefined;
  }

  /** The host is about to overwrite a range as a whole: what the device has of it is of no use any more. */
  async giveUp(range: Range): Promise<void> {
    const copy = this.#copies.get(range.id);
    if (!copy) return;
    await copy.coming;
    if (covers(range, copy.deviceNewer)) copy.deviceNewer.end = 0;
    else
      await this.publish({
        ...range,
        access: access.reads | access.writes,
        offset: 0,
        size: range.wholeSize,
      });
  }

  /** Brings bytes of a buffer to the context's memory. */
  async read(from: GpuBuffer, fromAt: number, toAddress: number, size: number): Promise<void> {
    this.#flush();
    const first = fromAt - (fromAt % 4);
    const skipped = fromAt - first;
    const length = roundUp(size + skipped, 4);
    const staging = this.#device.createBuffer({
      size: length,
      usage: usage.mapRead | usage.copyTo,
      label: 'staging',
    });
    const encoder = this.#device.createCommandEncoder();
    encoder.copyBufferToBuffer(from, first, staging, 0, length);
    this.#device.queue.submit([encoder.finish()]);
    const isGone = await Promise.race([staging.mapAsync(mapRead), this.#gone.then(() => true as const)]);
    if (isGone) throw new Error('the device is lost, and what it had not given back is');
    this.moved.toHost += size;
    const bytes = new Uint8Array(staging.getMappedRange(), skipped, size);
    this.#bytes(toAddress, toAddress + size).set(bytes);
    staging.unmap();
    staging.destroy();
  }

  /** The host has written the range. */
  hostChanged(range: Range): void {
    const copy = this.#copies.get(range.id);
    if (copy) extend(copy.hostNewer, range.offset, range.offset + range.size);
  }

  /** The buffer of that number is gone. */
  forget(id: number): void {
    this.#copies.delete(id);
  }
}
