/**
 * What the device keeps of a context's memory. A buffer of the context lives in one of two places: in the *arena*, one buffer of WebGPU in which
 * the context's bytes lie at their own addresses, so that pointers in memory mean the same on both sides, and so do the addresses in image
 * descriptors and pipes; or in a buffer of WebGPU of its own, which a shader can have for reading only while it writes another one. What needs addresses
 * moves it into the arena; what has a binding for each buffer takes it where it is. One that has moved to and fro stays in the arena.
 * Which bytes are newer where is remembered for each whole buffer (newer-bytes.ts).
 *
 * What is below the context's first address is the device's own: there lie structs that are arguments.
 */
import { roundUp } from '../../runtime/range-allocator.ts';
import { bufferUpTo } from '../../runtime/shared-growth.ts';
import { endOf, type Range } from '../icd/memory-access.ts';
import { access } from '../icd/native-layout.ts';
import { ByteSet, type Interval, type NewerBytes, newerOnHost } from '../newer-bytes.ts';
import { type GpuBuffer, type GpuDevice, mapRead, usage } from './gpu-api.ts';
import { isTried } from './tries.ts';

interface Copy extends NewerBytes {
  readonly address: number;
  readonly wholeSize: number;
  /** Where it lives, if that is not the arena. */
  own: Place | undefined;
  /** How often it has moved into the arena. */
  moves: number;
  /** A way back to the host that has not ended, and the bytes that are on it. */
  coming: Promise<void> | undefined;
  arriving: ByteSet;
}

/** Where bytes of the context are: what is at an address of it lies in the buffer at the address less `base`, a multiple of 256. */
export interface Place {
  readonly buffer: GpuBuffer;
  readonly base: number;
  /** Tells buffers apart. */
  readonly number: number;
}

/** Where who uses a range would have it: in the arena, in a buffer of its own if it may be, or where it is. */
export type Home = 'arena' | 'own' | 'any';

/** How what the device has been asked for is waited for. */
export interface GpuWaiting {
  /** Resolves when the device is lost. */
  readonly gone: Promise<void>;
  /** Is told of promises that may never be settled once it is. */
  owed<T>(promise: Promise<T>): Promise<T>;
}

/** The arena grows to multiples of this. */
const step = 16 << 20;
/** Where structs begin, and where the context's memory does (device-memory.ts). */
const structs = { start: 4096, end: 1 << 20 } as const;

/** Who has moved into the arena so often stays there. */
const mostMoves = 2;
/** Buffers of their own begin at multiples of this in the context's memory, as what is bound does. */
const homeAlign = 256;

/** WebGPU is given bytes by words of so many. */
const word = 4;

/** Bytes of memory that is not shared through which bytes go to the device. */
const stagingSize = 4 << 20;

/** Who reads less than one part in so many of what is newer on the device gets that part only. */
const smallPart = 4;

export class GpuMemory {
  /** Counts up when a buffer is given up. */
  generation = 0;
  /** Bytes of the context's memory that have been copied. */
  readonly moved = { toDevice: 0, toHost: 0 };
  readonly limit: number;
  readonly #device: GpuDevice;
  readonly #memory: WebAssembly.Memory;
  readonly #flush: () => void;
  readonly #copies = new Map<number, Copy>();
  readonly #isArenaOnly = isTried('arena');
  /**
   * WebGPU takes no memory that threads share. What it is given has been copied when `writeBuffer` returns. One array for all is faster than a
   * new one for each transfer, whose pages the operating system would have to find first: 16 GB/s instead of 0.2 for 256 MiB.
   */
  readonly #staging = new Uint8Array(stagingSize);
  #arena: GpuBuffer;
  #arenaNumber = 0;
  #buffers = 0;
  #nextStruct: number = structs.start;

  readonly #waiting: GpuWaiting;

  /** `flush` submits what has been encoded with the arena as it is. */
  constructor(device: GpuDevice, memory: WebAssembly.Memory, flush: () => void, waiting: GpuWaiting) {
    this.#waiting = waiting;
    this.#device = device;
    this.#memory = memory;
    this.#flush = flush;
    const { limits } = device;
    this.limit = Math.min(limits['maxBufferSize']!, limits['maxStorageBufferBindingSize']!);
    this.#arena = this.#newBuffer(Math.min(step, this.limit), 'arena');
  }

  get arena(): Place {
    return { buffer: this.#arena, base: 0, number: this.#arenaNumber };
  }

  #newBuffer(size: number, label: string): GpuBuffer {
    this.#buffers += 1;
    return this.#device.createBuffer({ size, usage: usage.storage | usage.copyFrom | usage.copyTo, label });
  }

  /** Where a range is that has been prepared. */
  placeOf(range: Range): Place {
    return this.#copies.get(range.id)?.own ?? this.arena;
  }

  /** Whether a range that is prepared for a buffer of its own gets one. */
  mayBeOwn({ id, address, wholeSize }: Range): boolean {
    if (this.#isArenaOnly || id === 0 || roundUp(wholeSize, 16) + (address % homeAlign) > this.limit)
      return false;
    return (this.#copies.get(id)?.moves ?? 0) < mostMoves;
  }

  /** Sees to it that a buffer lives where it is wanted. @returns why it cannot */
  #settle(copy: Copy, range: Range, home: Home): string | undefined {
    const { own, address, wholeSize, hostNewer } = copy;
    const size = roundUp(wholeSize, 4);
    // What the device has nothing of is nowhere yet.
    const isNew = hostNewer.covers(0, wholeSize);
    if (home === 'arena') {
      const refused = this.reach(address + size);
      if (refused || !own) return refused;
      copy.moves += 1;
      copy.own = undefined;
      this.#move(own.buffer, address - own.base, this.#arena, address, isNew ? 0 : size);
      own.buffer.destroy();
      this.generation += 1;
      return undefined;
    }
    if (own) return undefined;
    if ((home === 'any' && !isNew) || !this.mayBeOwn(range)) return this.reach(address + size);
    const base = address - (address % homeAlign);
    // Its last element may be a vector.
    const buffer = this.#newBuffer(address - base + roundUp(size, 16), 'buffer');
    copy.own = { buffer, base, number: this.#buffers };
    this.#move(this.#arena, address, buffer, address - base, isNew ? 0 : size);
    return undefined;
  }

  /** Copies bytes from one buffer to another, behind what has been encoded. */
  #move(from: GpuBuffer, fromAt: number, to: GpuBuffer, toAt: number, size: number): void {
    this.#flush();
    if (size === 0) return;
    const encoder = this.#device.createCommandEncoder();
    encoder.copyBufferToBuffer(from, fromAt, to, toAt, size);
    this.#device.queue.submit([encoder.finish()]);
  }

  #bytes(start: number, end: number): Uint8Array {
    return new Uint8Array(bufferUpTo(this.#memory, end), start, end - start);
  }

  /** The first words of a range that only the host writes. */
  hostWords(range: Range, count: number): Uint32Array {
    return new Uint32Array(bufferUpTo(this.#memory, endOf(range)), range.address + range.offset, count);
  }

  /** Makes the arena reach up to an address. @returns why it cannot */
  reach(end: number): string | undefined {
    if (end <= this.#arena.size) return undefined;
    if (end > this.limit) {
      return `the device's memory ends at ${this.limit} bytes, and the kernel needs addresses up to ${end}`;
    }
    const old = this.#arena;
    const size = Math.min(this.limit, roundUp(Math.max(end, Math.floor(old.size * 1.5)), step));
    this.#arena = this.#newBuffer(size, 'arena');
    this.#arenaNumber = this.#buffers;
    this.#move(old, 0, this.#arena, 0, old.size);
    // What is submitted still uses it until it is done.
    old.destroy();
    this.generation += 1;
    return undefined;
  }

  #copyOf(range: Range): Copy {
    let copy = this.#copies.get(range.id);
    if (!copy) {
      const { address, wholeSize } = range;
      const place = { address, wholeSize, own: undefined, moves: 0 };
      copy = { ...place, coming: undefined, arriving: new ByteSet(), ...newerOnHost(wholeSize) };
      this.#copies.set(range.id, copy);
    }
    return copy;
  }

  /** Sees to it that a range's bytes on the device are the newest, where they are wanted. @returns why they cannot be */
  prepare(range: Range, always: boolean, home: Home): string | undefined {
    if (range.id === 0) {
      const start = range.address + range.offset;
      const refused = this.reach(roundUp(range.address + range.wholeSize, 4));
      if (!refused) this.#upload(this.arena, start, start + range.size);
      return refused;
    }
    const copy = this.#copyOf(range);
    const refused = this.#settle(copy, range, home);
    if (refused) return refused;
    const { hostNewer, deviceNewer, arriving, address } = copy;
    const { offset, size } = range;
    // What the device has written and the host has not got is the device's all the same.
    if (always) hostNewer.addBut(offset, offset + size, [deviceNewer, arriving], word);
    if (hostNewer.isEmpty) return undefined;
    const place = this.placeOf(range);
    for (const { start, end } of hostNewer.take()) this.#upload(place, address + start, address + end);
    return undefined;
  }

  /** Brings the bytes of these addresses to a place. */
  #upload(to: Place, start: number, end: number): void {
    if (end <= start) return;
    this.#flush();
    const from = start & ~3;
    this.#write(to.buffer, (from >>> 0) - to.base, this.#bytes(from >>> 0, roundUp(end, 4)));
  }

  #write(buffer: GpuBuffer, at: number, bytes: Uint8Array): void {
    this.moved.toDevice += bytes.length;
    for (let from = 0; from < bytes.length; from += stagingSize) {
      const part = bytes.subarray(from, from + stagingSize);
      this.#staging.set(part);
      this.#device.queue.writeBuffer(buffer, at + from, this.#staging, 0, part.length);
    }
  }

  /** Sees to it that a range can be overwritten on the device as a whole. @returns why it cannot */
  prepareToOverwrite(range: Range): string | undefined {
    const copy = this.#copyOf(range);
    const refused = this.#settle(copy, range, 'any');
    if (refused) return refused;
    copy.hostNewer.remove(range.offset, range.offset + range.size);
    return this.prepare(range, false, 'any');
  }

  /** Whether the device has had the buffer of a range. */
  isKnown(range: Range): boolean {
    return this.#copies.has(range.id);
  }

  /** Whether the device has the newest bytes of a range. */
  isFresh(range: Range): boolean {
    const newer = this.#copies.get(range.id)?.hostNewer;
    return newer !== undefined && !newer.overlaps(range.offset, range.offset + range.size);
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
    if (copy) copy.deviceNewer.addBut(range.offset, range.offset + range.size, [copy.hostNewer]);
  }

  /**
   * Sees to it that the host's bytes are the newest, as of now: what has been encoded counts. Who reads a small part of what is
   * newer gets that part.
   */
  async publish(range: Range): Promise<void> {
    const copy = this.#copies.get(range.id);
    if (!copy) return;
    // Several may wait for it, and the first of them begins anew.
    while (copy.coming) await copy.coming;
    const { deviceNewer } = copy;
    let parts = deviceNewer.parts;
    if (range.access === access.reads) {
      const wanted = deviceNewer.within(range.offset, range.offset + range.size);
      if (wanted.length === 0) return;
      if (range.size * smallPart < deviceNewer.size) parts = wanted;
    }
    if (parts.length === 0) return;
    // The host has them from then on, and may change them: they must not come once more.
    for (const { start, end } of parts) deviceNewer.remove(start, end);
    copy.arriving = new ByteSet(parts);
    copy.coming = this.#bring(copy, parts);
    await copy.coming;
    copy.coming = undefined;
    copy.arriving = new ByteSet();
  }

  /** Brings bytes of a copy to the context's memory. */
  async #bring(copy: Copy, parts: readonly Interval[]): Promise<void> {
    const { buffer, base } = copy.own ?? this.arena;
    const { address } = copy;
    await Promise.all(
      parts.map(({ start, end }) => this.read(buffer, address + start - base, address + start, end - start)),
    );
  }

  /** The host is about to overwrite a range as a whole: what the device has of it is of no use any more. */
  async giveUp(range: Range): Promise<void> {
    const copy = this.#copies.get(range.id);
    if (!copy) return;
    while (copy.coming) await copy.coming;
    const { deviceNewer } = copy;
    deviceNewer.remove(range.offset, range.offset + range.size);
    // No word must have newer bytes on both sides.
    if (deviceNewer.isEmpty || (range.offset % word === 0 && range.size % word === 0)) return;
    await this.publish({ ...range, access: access.reads | access.writes, offset: 0, size: range.wholeSize });
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
    const { gone, owed } = this.#waiting;
    const isGone = await Promise.race([owed(staging.mapAsync(mapRead)), gone.then(() => true as const)]);
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
    if (!copy) return;
    copy.hostNewer.add(range.offset, range.offset + range.size);
    copy.deviceNewer.remove(range.offset, range.offset + range.size);
  }

  /** The buffer of that number is gone. */
  forget(id: number): void {
    const own = this.#copies.get(id)?.own;
    this.#copies.delete(id);
    if (!own) return;
    this.#flush();
    own.buffer.destroy();
    this.generation += 1;
  }
}
