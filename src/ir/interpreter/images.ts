/**
 * What reading and writing an image means, written as the specification has it (OpenCL 1.2, chapter 8) and without any
 * regard to speed: library functions and passes are compared with it. Arithmetic on coordinates and on filtered colours
 * is that of f32, in the order of the specification's formulas. Where the specification leaves the result open, it takes
 * the nearest pixel.
 */
import { type ImageTypeFacts, samplerParts } from '../images.ts';
import type { ImageChannels } from '../ir.ts';
import type { Allocation, Memory } from './memory.ts';
import type { MemoryObserver } from './observer.ts';
import { decodePixel, encodePixel } from './pixel-formats.ts';
import { roundEven } from './rounding.ts';
import type { WorkItem } from './state.ts';

/** An image that a kernel is given; the sizes as in its descriptor (src/runtime/image-descriptor.ts). */
export interface InterpreterImage {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly arraySize: number;
  readonly rowPitch: number;
  readonly slicePitch: number;
  readonly channelOrder: number;
  readonly channelType: number;
  readonly pixelBytes: number;
  /** Where the first pixel is. */
  readonly address: number;
  readonly memory: Memory;
  /** Whoever reads and writes, and who wants to know of it. */
  readonly item: WorkItem;
  readonly observer: MemoryObserver | undefined;
}

/** The image whose descriptor is at an address, as a work-item uses it. */
export function imageAt(
  memory: Memory,
  address: number,
  item: WorkItem,
  observer: MemoryObserver | undefined,
): InterpreterImage {
  const { view, start } = memory.access(address, 64, 64, 'constant', 'use of an image');
  const word = (index: number): number => view.getUint32(address - start + index * 4, true);
  return {
    address: word(0) + word(1) * 2 ** 32,
    width: word(2),
    height: word(3),
    depth: word(4),
    arraySize: word(5),
    rowPitch: word(6),
    slicePitch: word(7),
    channelOrder: word(8),
    channelType: word(9),
    pixelBytes: word(10),
    memory,
    item,
    observer,
  };
}

export type Colour = [number, number, number, number];

const addressing = { clampToEdge: 2, clamp: 4, repeat: 6, mirroredRepeat: 8 } as const;

const f = Math.fround;

/**
 * @param sampler the CLK_ bits, or undefined for a read without one
 * @param coordinates as many as the shape has, and more that do not count
 * @param areFloats whether they may lie between pixels
 */
export function readImage(
  image: InterpreterImage,
  shape: ImageTypeFacts,
  channels: ImageChannels,
  sampler: number | undefined,
  coordinates: readonly number[],
  areFloats: boolean,
): Colour {
  const sizes = [image.width, image.height, image.depth].slice(0, shape.dimensions);
  const places = coordinates.slice(0, shape.dimensions);
  const layer = shape.isArray ? layerOf(image, coordinates[shape.dimensions]!) : 0;
  const at = (place: readonly number[]): Colour => {
    const isInside = place.every((index, axis) => index >= 0 && index < sizes[axis]!);
    if (!isInside) return borderOf(image);
    const { pixels, offset } = pixelAt(image, shape, place, layer, 'image read');
    image.observer?.read(pixels, offset, image.pixelBytes, image.item);
    return decodePixel(image, pixels.view, offset);
  };
  if (sampler === undefined) return at(places.map((place, axis) => clamp(place, 0, sizes[axis]! - 1)));
  if (!areFloats) return at(places.map((place, axis) => bounded(place, sizes[axis]!, sampler)));
  if ((sampler & samplerParts.linear) === 0 || channels !== 'float') {
    return at(places.map((place, axis) => nearest(place, sizes[axis]!, sampler)));
  }
  return filtered(
    at,
    places.map((place, axis) => between(place, sizes[axis]!, sampler)),
  );
}

/** A write outside the image does nothing. */
export function writeImage(
  image: InterpreterImage,
  shape: ImageTypeFacts,
  coordinates: readonly number[],
  colour: readonly number[],
): void {
  const sizes = [image.width, image.height, image.depth].slice(0, shape.dimensions);
  const place = coordinates.slice(0, shape.dimensions);
  const layer = shape.isArray ? coordinates[shape.dimensions]! : 0;
  const isInside = place.every((index, axis) => index >= 0 && index < sizes[axis]!);
  if (!isInside || (shape.isArray && (layer < 0 || layer >= image.arraySize))) return;
  const { pixels, offset } = pixelAt(image, shape, place, layer, 'image write');
  const pixel = new Uint8Array(image.pixelBytes);
  encodePixel(image, new DataView(pixel.buffer), 0, colour);
  image.observer?.write(pixels, offset, pixel, image.item);
  pixels.bytes.set(pixel, offset);
}

function pixelAt(
  image: InterpreterImage,
  shape: ImageTypeFacts,
  [x = 0, y = 0, z = 0]: readonly number[],
  layer: number,
  what: string,
): { pixels: Allocation; offset: number } {
  const slice = shape.isArray ? layer : z;
  const address = image.address + slice * image.slicePitch + y * image.rowPitch + x * image.pixelBytes;
  const pixels = image.memory.access(address, image.pixelBytes, 1, 'global', what);
  return { pixels, offset: address - pixels.start };
}

function clamp(value: number, low: number, high: number): number {
  return Number.isNaN(value) ? Math.max(0, low) : Math.min(Math.max(value, low), high);
}

/** OpenCL 1.2, 8.4 */
function layerOf(image: InterpreterImage, coordinate: number): number {
  return clamp(roundEven(coordinate), 0, image.arraySize - 1);
}

/** A whole coordinate under the addressing modes that it may have: -1 and the size are the border. */
function bounded(place: number, size: number, sampler: number): number {
  const isClamp = (sampler & samplerParts.addressing) === addressing.clamp;
  return isClamp ? clamp(place, -1, size) : clamp(place, 0, size - 1);
}

/** OpenCL 1.2, 8.2.1 and 8.2.2 with CLK_FILTER_NEAREST. */
function nearest(s: number, size: number, sampler: number): number {
  switch (sampler & samplerParts.addressing) {
    case addressing.repeat: {
      const index = whole(f(f(s - Math.floor(s)) * size));
      return index > size - 1 ? index - size : index;
    }
    case addressing.mirroredRepeat:
      return Math.min(whole(f(mirrored(s) * size)), size - 1);
    default:
      return bounded(whole(unnormalized(s, size, sampler)), size, sampler);
  }
}

/** Two neighbours along an axis, and where between them the coordinate lies: CLK_FILTER_LINEAR. */
interface Between {
  readonly first: number;
  readonly second: number;
  readonly fraction: number;
}

function between(s: number, size: number, sampler: number): Between {
  switch (sampler & samplerParts.addressing) {
    case addressing.repeat: {
      const u = f(f(f(s - Math.floor(s)) * size) - 0.5);
      const index = whole(u);
      const next = index + 1;
      return {
        first: index < 0 ? index + size : index,
        second: next > size - 1 ? next - size : next,
        fraction: f(u - Math.floor(u)),
      };
    }
    case addressing.mirroredRepeat: {
      const u = f(f(mirrored(s) * size) - 0.5);
      const index = whole(u);
      return {
        first: Math.max(index, 0),
        second: Math.min(index + 1, size - 1),
        fraction: f(u - Math.floor(u)),
      };
    }
    default: {
      const u = f(unnormalized(s, size, sampler) - 0.5);
      const index = whole(u);
      return {
        first: bounded(index, size, sampler),
        second: bounded(index + 1, size, sampler),
        fraction: f(u - Math.floor(u)),
      };
    }
  }
}

/** The pixel that a coordinate lies in; a NaN is as good as zero. */
function whole(u: number): number {
  return Number.isNaN(u) ? 0 : Math.floor(u);
}

function unnormalized(s: number, size: number, sampler: number): number {
  return (sampler & samplerParts.normalized) !== 0 ? f(s * size) : s;
}

function mirrored(s: number): number {
  return Math.abs(f(s - f(2 * roundEven(f(0.5 * s)))));
}

/** The neighbours of one to three axes, weighted: T = (1 - a)(1 - b)T00 + a(1 - b)T10 + ... (OpenCL 1.2, 8.2). */
function filtered(at: (place: readonly number[]) => Colour, axes: readonly Between[]): Colour {
  let sum: Colour | undefined;
  for (let corner = 0; corner < 2 ** axes.length; corner += 1) {
    const place: number[] = [];
    let weight: number | undefined;
    axes.forEach(({ first, second, fraction }, axis) => {
      const isSecond = (corner & (1 << axis)) !== 0;
      place.push(isSecond ? second : first);
      const part = isSecond ? fraction : f(1 - fraction);
      weight = weight === undefined ? part : f(weight * part);
    });
    const colour = at(place).map((channel) => f(weight! * channel)) as Colour;
    sum = sum === undefined ? colour : (sum.map((channel, lane) => f(channel + colour[lane]!)) as Colour);
  }
  return sum!;
}

/** OpenCL 1.2, 6.12.14.1: alpha is one where the image has none. */
function borderOf(image: InterpreterImage): Colour {
  const opaque = [0x10b0, 0x10b2, 0x10b4, 0x10b9, 0x10bd, 0x10bf]; // CL_R, CL_RG, CL_RGB, CL_LUMINANCE, CL_DEPTH, CL_sRGB
  return [0, 0, 0, opaque.includes(image.channelOrder) ? 1 : 0];
}
