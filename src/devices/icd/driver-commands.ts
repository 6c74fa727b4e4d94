/**
 * Hands commands from a stream to the driver. All memory that calls need is allocated once, as a call should cost little
 * more than from C.
 */
import { statusCodes } from '../../runtime/status.ts';
import type { Driver } from './driver.ts';
import { type DeviceMemoryAccess, type Range, rangeAt } from './memory-access.ts';
import {
  access,
  argumentKind,
  copyPayload,
  fillPayload,
  launchPayload,
  operation,
  rangeWords,
  rectanglePayload,
  setWide,
  shapeAt,
  shapeWords,
  wideAt,
} from './native-layout.ts';
import { Samplers } from './samplers.ts';

/** A kernel's arguments as the driver has them now, so that equal ones are not set again. */
interface KernelState {
  readonly words: Int32Array[];
  /** DeviceMemoryAccess.epoch when its buffers were set. */
  epoch: number;
}

/** What {@link DriverCommands.enqueue} did. */
export interface Enqueued {
  /** 0 or a CL error code. */
  readonly status: number;
  /** The driver's event; 0 if none was wanted. */
  readonly event: number;
  /** What the command writes, for devices that keep copies. */
  readonly written: readonly Range[];
}

/** Places of what drivers read and write, in words of a block that never moves. */
const place = { offset: 0, global: 6, local: 12, event: 18, size: 20 } as const;

export class DriverCommands {
  readonly #driver: Driver;
  readonly #memory: DeviceMemoryAccess;
  readonly #base: number;
  readonly #zeroCopy: boolean;
  readonly #kernels = new Map<number, KernelState>();
  readonly #samplers: Samplers;
  readonly #handle = new Int32Array(2);
  readonly #block = new Int32Array(new SharedArrayBuffer(place.size * 4));
  readonly #blockAddress: number;
  readonly #offset = this.#block.subarray(place.offset, place.offset + 6);
  readonly #global = this.#block.subarray(place.global, place.global + 6);
  readonly #local = this.#block.subarray(place.local, place.local + 6);
  readonly #newEvent = this.#block.subarray(place.event, place.event + 2);
  /** `#newEvent` if the command under way is to have an event. */
  #event: Int32Array | null = null;

  /** `base` is where address 0 of the context's memory lies in the process. */
  constructor(driver: Driver, context: number, memory: DeviceMemoryAccess, base: number, zeroCopy: boolean) {
    this.#driver = driver;
    this.#samplers = new Samplers(driver, context);
    this.#memory = memory;
    this.#base = base;
    this.#zeroCopy = zeroCopy;
    this.#blockAddress = driver.addressOf(this.#block);
  }

  close(): void {
    this.#samplers.close();
  }

  /** The kernel of this number is gone. */
  forgetKernel(number: number): void {
    this.#kernels.delete(number);
  }

  /** Puts a command into the driver's queue. */
  enqueue(queue: number, payload: Int32Array, wantsEvent: boolean): Enqueued {
    const written: Range[] = [];
    this.#event = wantsEvent ? this.#newEvent : null;
    const eager = payload[1] !== 0;
    let status: number;
    switch (payload[0]) {
      case operation.launch:
        status = this.#launch(queue, payload, eager, written);
        break;
      case operation.copy:
        status = this.#copy(queue, payload, eager, written);
        break;
      case operation.copyRectangle:
        status = this.#copyRectangle(queue, payload, eager, written);
        break;
      default:
        status = this.#fill(queue, payload, eager, written);
    }
    if (status !== statusCodes.CL_SUCCESS) return { status, event: 0, written: [] };
    for (const range of written) this.#memory.written(range);
    return { status, event: wantsEvent ? wideAt(this.#newEvent, 0) : 0, written };
  }

  #launch(queue: number, payload: Int32Array, eager: boolean, written: Range[]): number {
    const kernel = wideAt(payload, launchPayload.kernel);
    const number = payload[launchPayload.kernelNumber]!;
    let state = this.#kernels.get(number);
    if (!state) {
      state = { words: [], epoch: 0 };
      this.#kernels.set(number, state);
    }
    const epochBefore = this.#memory.epoch;
    const buffersStand = state.epoch === this.#memory.epoch;
    const count = payload[launchPayload.argumentCount]!;
    let at: number = launchPayload.arguments;
    for (let index = 0; index < count; index += 1) {
      const start = at;
      at += argumentWords(payload, at);
      const isMemory = payload[start] === argumentKind.memory || payload[start] === argumentKind.image;
      if (!this.#zeroCopy && isMemory) {
        const range = rangeAt(payload, start + 1);
        if (payload[start] === argumentKind.image) {
          const image = this.#memory.imageFor(range, shapeAt(payload, start + 1 + rangeWords.count));
          if (image < 0) return image;
        }
        const status = this.#memory.prepare(range, eager);
        if (status !== 0) return status;
        if (range.access & access.writes) written.push(range);
      }
      const known = state.words[index];
      const isKept = buffersStand || !isMemory;
      if (known && isKept && sameWords(known, payload, start, at)) continue;
      const status = this.#setArgument(kernel, index, payload, start);
      if (status !== 0) {
        delete state.words[index];
        return status;
      }
      state.words[index] = payload.slice(start, at);
    }
    // Setting one buffer can have given up another's.
    if (!buffersStand) state.epoch = epochBefore;
    const block = this.#block;
    for (let word = 0; word < 18; word += 1) block[word] = payload[launchPayload.offset + word]!;
    const chosen = block[place.local] !== 0 || block[place.local + 1] !== 0;
    let hasOffset = false;
    for (let word = 0; word < 6; word += 1) if (block[place.offset + word] !== 0) hasOffset = true;
    const address = this.#blockAddress;
    return this.#driver.clEnqueueNDRangeKernel(
      queue,
      kernel,
      payload[launchPayload.dimensions]!,
      // Drivers have a shorter way for launches without an offset.
      hasOffset ? address + place.offset * 4 : 0,
      address + place.global * 4,
      chosen ? address + place.local * 4 : 0,
      0,
      0,
      this.#event ? address + place.event * 4 : 0,
    );
  }

  #setArgument(kernel: number, index: number, payload: Int32Array, at: number): number {
    const first = payload[at + 1]!;
    switch (payload[at]) {
      case argumentKind.memory: {
        const buffer = this.#memory.bufferFor(rangeAt(payload, at + 1));
        if (buffer < 0) return buffer;
        setWide(this.#handle, 0, buffer);
        return this.#driver.clSetKernelArg(kernel, index, 8, this.#handle);
      }
      case argumentKind.image: {
        const shape = shapeAt(payload, at + 1 + rangeWords.count);
        const image = this.#memory.imageFor(rangeAt(payload, at + 1), shape);
        if (image < 0) return image;
        setWide(this.#handle, 0, image);
        return this.#driver.clSetKernelArg(kernel, index, 8, this.#handle);
      }
      case argumentKind.sampler: {
        const sampler = this.#samplers.of(first);
        if (sampler < 0) return sampler;
        setWide(this.#handle, 0, sampler);
        return this.#driver.clSetKernelArg(kernel, index, 8, this.#handle);
      }
      case argumentKind.none:
        return this.#driver.clSetKernelArg(kernel, index, 8, null);
      case argumentKind.local:
        return this.#driver.clSetKernelArg(kernel, index, first, null);
      default:
        return this.#driver.clSetKernelArg(
          kernel,
          index,
          first,
          payload.subarray(at + 2, at + 2 + ((first + 3) >> 2)),
        );
    }
  }

  #copy(queue: number, payload: Int32Array, eager: boolean, written: Range[]): number {
    const source = rangeAt(payload, copyPayload.source);
    const target = rangeAt(payload, copyPayload.target);
    const bytes = wideAt(payload, copyPayload.bytes);
    if (this.#memory.isHostOnly(source)) {
      const to = this.#target(target, eager, written);
      if (to < 0) return to;
      const from = this.#base + source.address + source.offset;
      return this.#driver.clEnqueueWriteBuffer(
        queue,
        to,
        0,
        target.offset,
        bytes,
        from,
        0,
        null,
        this.#event,
      );
    }
    const from = this.#source(source, eager);
    if (from < 0) return from;
    if (this.#memory.isHostOnly(target)) {
      const to = this.#base + target.address + target.offset;
      return this.#driver.clEnqueueReadBuffer(queue, from, 0, source.offset, bytes, to, 0, null, this.#event);
    }
    const to = this.#target(target, eager, written);
    if (to < 0) return to;
    return this.#driver.clEnqueueCopyBuffer(
      queue,
      from,
      to,
      source.offset,
      target.offset,
      bytes,
      0,
      null,
      this.#event,
    );
  }

  /** Between buffers of the device; NativeQueue gives no others. */
  #copyRectangle(queue: number, payload: Int32Array, eager: boolean, written: Range[]): number {
    const source = rangeAt(payload, rectanglePayload.source);
    const target = rangeAt(payload, rectanglePayload.target);
    const from = this.#source(source, eager);
    if (from < 0) return from;
    const to = this.#target(target, eager, written);
    if (to < 0) return to;
    const number = (index: number): number => wideAt(payload, rectanglePayload.numbers + 2 * index);
    // The driver wants places as x, y, z and computes x + y * row pitch + z * slice pitch.
    const [sourceRow, sourceSlice, targetRow, targetSlice] = [number(0), number(1), number(2), number(3)];
    placeOf(this.#offset, source.offset, sourceRow, sourceSlice);
    placeOf(this.#local, target.offset, targetRow, targetSlice);
    this.#global.set(payload.subarray(rectanglePayload.numbers + 8, rectanglePayload.numbers + 14));
    return this.#driver.clEnqueueCopyBufferRect(
      queue,
      from,
      to,
      this.#offset,
      this.#local,
      this.#global,
      sourceRow,
      sourceSlice,
      targetRow,
      targetSlice,
      0,
      null,
      this.#event,
    );
  }

  #fill(queue: number, payload: Int32Array, eager: boolean, written: Range[]): number {
    const target = rangeAt(payload, fillPayload.target);
    const to = this.#target(target, eager, written);
    if (to < 0) return to;
    const length = payload[fillPayload.patternBytes]!;
    return this.#driver.clEnqueueFillBuffer(
      queue,
      to,
      payload.subarray(fillPayload.pattern),
      length,
      target.offset,
      wideAt(payload, fillPayload.bytes),
      0,
      null,
      this.#event,
    );
  }

  #source(range: Range, eager: boolean): number {
    return this.#memory.prepare(range, eager) || this.#memory.wholeFor(range);
  }

  #target(range: Range, eager: boolean, written: Range[]): number {
    // The bytes around those that the command writes must be right too.
    const status = this.#memory.prepare(range, eager);
    if (status !== 0) return status;
    written.push(range);
    return this.#memory.wholeFor(range);
  }
}

/** How many words the argument at `at` takes. */
function argumentWords(payload: Int32Array, at: number): number {
  switch (payload[at]) {
    case argumentKind.value:
      return 2 + ((payload[at + 1]! + 3) >> 2);
    case argumentKind.memory:
      return 1 + rangeWords.count;
    case argumentKind.image:
      return 1 + rangeWords.count + shapeWords.length;
    case argumentKind.local:
    case argumentKind.sampler:
      return 2;
    default:
      return 1;
  }
}

function sameWords(known: Int32Array, payload: Int32Array, start: number, end: number): boolean {
  if (known.length !== end - start) return false;
  for (let index = 0; index < known.length; index += 1) {
    if (known[index] !== payload[start + index]) return false;
  }
  return true;
}

function placeOf(origin: Int32Array, offset: number, rowPitch: number, slicePitch: number): void {
  const z = slicePitch > 0 ? Math.floor(offset / slicePitch) : 0;
  const rest = offset - z * slicePitch;
  const y = rowPitch > 0 ? Math.floor(rest / rowPitch) : 0;
  setWide(origin, 0, rest - y * rowPitch);
  setWide(origin, 2, y);
  setWide(origin, 4, z);
}
