/**
 * Copies of the context's buffers and images in a device's own memory, for devices that do not work in the host's (graphics
 * cards). Each whole buffer or image has one, made when a command first uses it. It remembers which bytes the host has newer (they go to
 * the device before the next command) and which the device has (they come back when the host needs them).
 *
 * Transfers go through a queue of their own and are waited for here, on the device's thread: what they need is complete
 * by then, as commands are only begun when what they depend on has ended.
 */

import { bytesOfImage, type ImageShape } from '../../runtime/image-shape.ts';
import { statusCodes } from '../../runtime/status.ts';
import { type NewerBytes, newerOnHost } from '../newer-bytes.ts';
import type { Driver } from './driver.ts';
import { copyPixels, createImage, isOverBuffer, shapeKey } from './image-handles.ts';
import type { DeviceMemoryAccess, Range } from './memory-access.ts';
import { setWide } from './native-layout.ts';

const readWrite = 1;
const createRegion = 0x1220;

interface Copy extends NewerBytes {
  readonly address: number;
  /** The driver's buffer or image. */
  readonly handle: number;
  /** Undefined for a buffer. An image is always copied as a whole. */
  readonly shape: ImageShape | undefined;
  /** Parts that kernels were given, by `offset,size`, and images over them. */
  readonly parts: Map<string, number>;
}

export class BufferCopies implements DeviceMemoryAccess {
  epoch = 0;
  readonly #driver: Driver;
  readonly #context: number;
  readonly #base: number;
  readonly #queue: number;
  readonly #copies = new Map<number, Copy>();
  readonly #error = new Int32Array(1);
  readonly #region = new Int32Array(4);

  /** `base` is where address 0 of the context's memory lies in the process. */
  constructor(driver: Driver, context: number, device: number, base: number) {
    this.#driver = driver;
    this.#context = context;
    this.#base = base;
    this.#queue = driver.clCreateCommandQueue(context, device, 0, this.#error);
  }

  bufferFor(range: Range): number {
    const copy = this.#copyOf(range);
    if (typeof copy === 'number') return copy;
    if (range.offset === 0 && range.size === range.wholeSize) return copy.handle;
    const key = `${range.offset},${range.size}`;
    const known = copy.parts.get(key);
    if (known !== undefined) return known;
    setWide(this.#region, 0, range.offset);
    setWide(this.#region, 2, range.size);
    const part = this.#driver.clCreateSubBuffer(copy.handle, 0, createRegion, this.#region, this.#error);
    if (this.#error[0] !== 0) return this.#error[0]!;
    copy.parts.set(key, part);
    return part;
  }

  wholeFor(range: Range): number {
    const copy = this.#copyOf(range);
    return typeof copy === 'number' ? copy : copy.handle;
  }

  imageFor(range: Range, shape: ImageShape): number {
    if (isOverBuffer(shape)) {
      // The image takes as much of the buffer as it needs; not all drivers make images of parts.
      const buffer =
        range.offset === 0 ? this.wholeFor(range) : this.bufferFor({ ...range, size: bytesOfImage(shape) });
      if (buffer < 0) return buffer;
      const { parts } = this.#copies.get(range.id)!;
      const key = `${range.offset} ${shapeKey(shape)}`;
      let image = parts.get(key);
      if (image === undefined) {
        image = createImage(this.#driver, this.#context, shape, { buffer });
        if (image > 0) parts.set(key, image);
      }
      return image;
    }
    const known = this.#copies.get(range.id);
    if (known) return known.handle;
    const handle = createImage(this.#driver, this.#context, shape, 'device');
    if (handle > 0) this.#keep(range, handle, shape);
    return handle;
  }

  isHostOnly(range: Range): boolean {
    return range.id === 0;
  }

  prepare(range: Range, always: boolean): number {
    const copy = this.#copyOf(range);
    if (typeof copy === 'number') return copy;
    // What the device has written and the host has not got is the device's all the same.
    if (always) copy.hostNewer.addBut(range.offset, range.offset + range.size, [copy.deviceNewer]);
    return this.#bring(copy, 'write');
  }

  written(range: Range): void {
    const copy = this.#copies.get(range.id);
    if (copy) copy.deviceNewer.addBut(range.offset, range.offset + range.size, [copy.hostNewer]);
  }

  publish(range: Range): number {
    const copy = this.#copies.get(range.id);
    return copy ? this.#bring(copy, 'read') : 0;
  }

  /** Writes what is newer in the context's memory to the driver's, or reads what is newer there; gives the status. */
  #bring(copy: Copy, direction: 'write' | 'read'): number {
    const newer = direction === 'write' ? copy.hostNewer : copy.deviceNewer;
    if (newer.isEmpty) return 0;
    const host = this.#base + copy.address;
    const { handle, shape } = copy;
    let status = 0;
    if (shape) {
      status = copyPixels(this.#driver, this.#queue, handle, shape, direction, host);
    } else {
      const call = direction === 'write' ? 'clEnqueueWriteBuffer' : 'clEnqueueReadBuffer';
      for (const { start, end } of newer.parts) {
        status ||= this.#driver[call](
          this.#queue,
          handle,
          1,
          start,
          end - start,
          host + start,
          0,
          null,
          null,
        );
      }
    }
    if (status === 0) newer.take();
    return status;
  }

  hostChanged(range: Range): void {
    const copy = this.#copies.get(range.id);
    if (!copy) return;
    copy.hostNewer.add(range.offset, range.offset + range.size);
    copy.deviceNewer.remove(range.offset, range.offset + range.size);
  }

  forget(id: number): void {
    const copy = this.#copies.get(id);
    if (!copy) return;
    this.epoch += 1;
    this.#copies.delete(id);
    for (const part of [...copy.parts.values()].reverse()) this.#driver.clReleaseMemObject(part);
    this.#driver.clReleaseMemObject(copy.handle);
  }

  close(): void {
    for (const id of [...this.#copies.keys()]) this.forget(id);
    this.#driver.clReleaseCommandQueue(this.#queue);
  }

  #copyOf(range: Range): Copy | number {
    const known = this.#copies.get(range.id);
    if (known) return known;
    if (range.id === 0) return statusCodes.CL_INVALID_MEM_OBJECT;
    const buffer = this.#driver.clCreateBuffer(this.#context, readWrite, range.wholeSize, 0, this.#error);
    if (this.#error[0] !== 0) return this.#error[0]!;
    return this.#keep(range, buffer, undefined);
  }

  #keep(range: Range, handle: number, shape: ImageShape | undefined): Copy {
    const copy: Copy = {
      address: range.address,
      handle,
      shape,
      parts: new Map(),
      ...newerOnHost(range.wholeSize),
    };
    this.#copies.set(range.id, copy);
    return copy;
  }
}
