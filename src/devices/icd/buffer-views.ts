/**
 * The driver's buffers and images for ranges of the context's memory, for devices that work in the host's memory themselves
 * (CL_MEM_USE_HOST_PTR): nothing is copied. Such a buffer is only a view and says nothing about who owns the bytes, so it
 * stays valid whatever they are used for later; those not used for long are given up.
 */
import { bytesOfImage, type ImageShape } from '../../runtime/image-shape.ts';
import type { Driver } from './driver.ts';
import { createImage, isOverBuffer, type PixelPlace, shapeKey } from './image-handles.ts';
import type { DeviceMemoryAccess, Range } from './memory-access.ts';

const readWrite = 1;
const useHostPointer = 8;
/** So many views are kept at least; twice as many at most. */
const kept = 512;

interface View {
  readonly address: number;
  readonly size: number;
  readonly buffer: number;
}

export class BufferViews implements DeviceMemoryAccess {
  epoch = 0;
  readonly #driver: Driver;
  readonly #context: number;
  readonly #base: number;
  /** Two generations by address: views found in the old one move to the young one. */
  #young = new Map<number, View>();
  #old = new Map<number, View>();
  /** Images in the same way, by place and shape. */
  #youngImages = new Map<string, number>();
  #oldImages = new Map<string, number>();
  readonly #error = new Int32Array(1);

  /** `base` is where address 0 of the context's memory lies in the process. */
  constructor(driver: Driver, context: number, base: number) {
    this.#driver = driver;
    this.#context = context;
    this.#base = base;
  }

  bufferFor(range: Range): number {
    const address = range.address + range.offset;
    const young = this.#young.get(address);
    if (young?.size === range.size) return young.buffer;
    if (young) this.#drop(this.#young, young);
    const old = this.#old.get(address);
    if (old) {
      if (old.size === range.size) {
        this.#old.delete(address);
        return this.#keep(old);
      }
      this.#drop(this.#old, old);
    }
    const flags = readWrite | useHostPointer;
    const error = this.#error;
    const buffer = this.#driver.clCreateBuffer(this.#context, flags, range.size, this.#base + address, error);
    return error[0] === 0 ? this.#keep({ address, size: range.size, buffer }) : error[0]!;
  }

  wholeFor(range: Range): number {
    return this.bufferFor({ ...range, offset: 0, size: range.wholeSize });
  }

  imageFor(range: Range, shape: ImageShape): number {
    const address = range.address + range.offset;
    const key = `${address} ${shapeKey(shape)}`;
    const young = this.#youngImages.get(key);
    if (young !== undefined) return young;
    const old = this.#oldImages.get(key);
    if (old !== undefined) {
      this.#oldImages.delete(key);
      return this.#keepImage(key, old);
    }
    let place: PixelPlace = { host: this.#base + address };
    if (isOverBuffer(shape)) {
      const buffer = this.bufferFor({ ...range, size: bytesOfImage(shape) });
      if (buffer < 0) return buffer;
      place = { buffer };
    }
    const image = createImage(this.#driver, this.#context, shape, place);
    return image < 0 ? image : this.#keepImage(key, image);
  }

  isHostOnly(): boolean {
    return false;
  }

  prepare(): number {
    return 0;
  }

  written(): void {}

  publish(): number {
    return 0;
  }

  hostChanged(): void {}

  forget(): void {}

  close(): void {
    for (const images of [this.#youngImages, this.#oldImages]) this.#dropImages(images);
    for (const views of [this.#young, this.#old]) for (const view of views.values()) this.#drop(views, view);
  }

  #keepImage(key: string, image: number): number {
    if (this.#youngImages.size >= kept) {
      this.#dropImages(this.#oldImages);
      this.#oldImages = this.#youngImages;
      this.#youngImages = new Map();
    }
    this.#youngImages.set(key, image);
    return image;
  }

  #dropImages(images: ReadonlyMap<string, number>): void {
    if (images.size > 0) this.epoch += 1;
    for (const image of images.values()) this.#driver.clReleaseMemObject(image);
  }

  #keep(view: View): number {
    if (this.#young.size >= kept) {
      for (const unused of this.#old.values()) this.#drop(this.#old, unused);
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(view.address, view);
    return view.buffer;
  }

  // Commands under way keep the driver's buffer alive (OpenCL 1.2, 5.4.1).
  #drop(from: Map<number, View>, view: View): void {
    this.epoch += 1;
    from.delete(view.address);
    this.#driver.clReleaseMemObject(view.buffer);
  }
}
