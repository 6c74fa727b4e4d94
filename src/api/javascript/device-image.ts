/** Images of the short form, and samplers. */
import { bytesOf } from '../../runtime/device-memory.ts';
import { dispose } from '../../runtime/dispose.ts';
import { checkImage, RuntimeImage } from '../../runtime/image.ts';
import { samplerBits } from '../../runtime/image-descriptor.ts';
import {
  bytesOfImage,
  extentOf,
  type ImageShape,
  partOfImage,
  regionBytes,
} from '../../runtime/image-shape.ts';
import { watchClass } from '../../runtime/observe-calls.ts';
import type { CommandQueue } from '../../runtime/queue.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { readRectangle, writeRectangle } from '../../runtime/transfer.ts';
import { shown } from '../../source/shown.ts';
import {
  checkKind,
  type DeviceBuffer,
  done,
  type TypedArray,
  type TypedArrayConstructor,
} from './device-buffer.ts';
import { checkKeys } from './known-keys.ts';
import { type ImageContent, type ImageKind, kindOfShape, shapeOf } from './picture.ts';

const commandReadImage = 0x11f6;
const commandWriteImage = 0x11f7;

export class DeviceImage {
  /** What profiles and logs call it, in minified bundles too. */
  static readonly name: string = 'DeviceImage';
  readonly width: number;
  /** 1 for 1D images. */
  readonly height: number;
  /** 1 for all but 3D images. */
  readonly depth: number;
  /** 1 for what is no array of images. */
  readonly arraySize: number;
  readonly kind: ImageKind;
  /** Of all pixels, which lie without gaps. */
  readonly byteLength: number;
  readonly #queue: CommandQueue;
  readonly #image: RuntimeImage;
  readonly #onRelease: () => void;
  /** Whose bytes the pixels are. */
  readonly #buffer: DeviceBuffer | undefined;
  #released = false;

  /** Images are made by Program.image. */
  constructor(queue: CommandQueue, content: ImageContent, onRelease: () => void) {
    watchClass('Millrace', new.target, /^(?:map|read|release|write)$/);
    const shape = shapeOf(content);
    checkImage(queue.device, shape);
    const buffer = 'buffer' in content ? content.buffer : undefined;
    this.#queue = queue;
    this.#onRelease = onRelease;
    this.#buffer = buffer;
    this.width = shape.width;
    this.height = Math.max(1, shape.height);
    this.depth = Math.max(1, shape.depth);
    this.arraySize = Math.max(1, shape.arraySize);
    this.kind = kindOfShape(shape);
    this.byteLength = bytesOfImage(shape);
    if (buffer) {
      if (buffer.byteLength < this.byteLength) {
        throw new OpenCLError(
          'CL_INVALID_IMAGE_DESCRIPTOR',
          `${shape.width} pixels take ${this.byteLength} bytes; the buffer has ${buffer.byteLength}`,
        );
      }
      this.#image = RuntimeImage.over(buffer.memoryFor(queue), shape);
      return;
    }
    if (this.byteLength > queue.device.info.maxMemAllocSize) {
      throw new OpenCLError(
        'CL_MEM_OBJECT_ALLOCATION_FAILURE',
        `an image of ${this.byteLength} bytes; the device's have at most ${queue.device.info.maxMemAllocSize}`,
      );
    }
    this.#image = RuntimeImage.create(queue.context, shape);
    // Fresh memory: nothing under way can use it, so the host copies at once.
    if (content.data) this.#image.pixels.view(0, this.byteLength).set(bytesOf(content.data));
  }

  /** For kernel calls. @throws OpenCLError CL_INVALID_MEM_OBJECT if it is released or another program's */
  imageFor(queue: CommandQueue): RuntimeImage {
    this.#check();
    if (queue !== this.#queue) {
      throw new OpenCLError('CL_INVALID_MEM_OBJECT', 'the image is of another device or time-out');
    }
    this.#buffer?.memoryFor(queue);
    return this.#image;
  }

  /** A copy of all pixels once all calls so far are done: `await image.read(Uint8Array)`. */
  async read<T extends TypedArray>(kind: TypedArrayConstructor<T>): Promise<T> {
    this.#check();
    checkKind(kind, 'an image is read');
    if (this.byteLength % kind.BYTES_PER_ELEMENT !== 0) {
      throw new OpenCLError(
        'CL_INVALID_VALUE',
        `the image's ${this.byteLength} bytes are no whole number of elements of ${kind.BYTES_PER_ELEMENT}`,
      );
    }
    const result = new kind(this.byteLength / kind.BYTES_PER_ELEMENT);
    const { place, region } = this.#whole;
    const options = { type: commandReadImage, blocking: false, waits: [] };
    await done(readRectangle(this.#queue, this.#image.pixels, place, result, place, region, options));
    return result;
  }

  /** Replaces all pixels. The array may be changed as soon as the call returns. */
  async write(data: TypedArray): Promise<void> {
    this.#check();
    if (data.byteLength !== this.byteLength) {
      throw new OpenCLError(
        'CL_INVALID_VALUE',
        `${data.byteLength} bytes for an image of ${this.byteLength} bytes`,
      );
    }
    const { place, region } = this.#whole;
    const options = { type: commandWriteImage, blocking: false, waits: [] };
    await done(writeRectangle(this.#queue, this.#image.pixels, place, data, place, region, options));
  }

  /** Gives the memory back once the calls using it are done. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#image.release();
    this.#onRelease();
  }

  /** For `using`. */
  [dispose](): void {
    this.release();
  }

  get #whole() {
    return wholeOf(this.#image.shape);
  }

  #check(): void {
    if (this.#released) throw new OpenCLError('CL_INVALID_MEM_OBJECT', 'the image has been released');
  }
}

/** All pixels of an image as a rectangle of bytes; the same for an array of them without gaps. */
function wholeOf(shape: ImageShape) {
  return { place: partOfImage(shape, [0, 0, 0]), region: regionBytes(shape, extentOf(shape)) };
}

/** How a kernel reads an image (OpenCL 1.2, 5.5). */
export interface SamplerSettings {
  /** Whether coordinates go from 0 to 1 rather than from 0 to the image's size; default false. */
  readonly normalized?: boolean | undefined;
  /** What coordinates outside mean; the repeating ones need normalised coordinates. Default `clamp-to-edge`. */
  readonly addressing?: 'none' | 'clamp-to-edge' | 'clamp' | 'repeat' | 'mirrored-repeat' | undefined;
  /** Default `nearest`. */
  readonly filter?: 'nearest' | 'linear' | undefined;
}

/** A sampler as the argument for a `sampler_t`; see {@link sampler}. */
export class Sampler {
  readonly bits: number;

  constructor(bits: number) {
    this.bits = bits;
  }
}

const addressings = {
  none: samplerBits.addressNone,
  'clamp-to-edge': samplerBits.addressClampToEdge,
  clamp: samplerBits.addressClamp,
  repeat: samplerBits.addressRepeat,
  'mirrored-repeat': samplerBits.addressMirroredRepeat,
} as const;
const filters = { nearest: samplerBits.filterNearest, linear: samplerBits.filterLinear } as const;

/** A sampler with the given settings. @throws OpenCLError CL_INVALID_VALUE for words that are none */
export function sampler(settings: SamplerSettings = {}): Sampler {
  if (typeof settings !== 'object' || settings === null) {
    throw new OpenCLError(
      'CL_INVALID_VALUE',
      `a sampler is made from settings such as { filter: 'linear' }, not ${shown(settings)}`,
    );
  }
  checkKeys(settings, ['normalized', 'addressing', 'filter'], 'CL_INVALID_VALUE', 'a sampler has');
  const { normalized = false, addressing = 'clamp-to-edge', filter = 'nearest' } = settings;
  const address = Object.hasOwn(addressings, addressing) ? addressings[addressing] : undefined;
  const filtering = Object.hasOwn(filters, filter) ? filters[filter] : undefined;
  if (address === undefined || filtering === undefined) {
    throw new OpenCLError(
      'CL_INVALID_VALUE',
      `no sampler has addressing '${addressing}' and filter '${filter}'`,
    );
  }
  return new Sampler(address | filtering | (normalized ? samplerBits.normalizedCoordinates : 0));
}
