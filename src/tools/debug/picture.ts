/** Images and buffers of pixels as pictures. */

import { arithmeticOf } from '../../c/type-facts.ts';
import type { QualifiedType } from '../../c/types.ts';
import { imageAt } from '../../ir/interpreter/images.ts';
import type { Memory } from '../../ir/interpreter/memory.ts';
import { decodePixel } from '../../ir/interpreter/pixel-formats.ts';
import type { WorkItem } from '../../ir/interpreter/state.ts';
import { type Bytes, floatAt } from './values.ts';

/** RGBA, a byte a channel, the rows from the top. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

/** CL_SIGNED_INT8 to CL_UNSIGNED_INT32: the channel types of images of integers. */
const integerTypes = { first: 0x10d7, last: 0x10dc } as const;

/** More pixels than any window shows. */
const mostPixels = 2 ** 24;

/** Of an image, by the address of its descriptor; of one with several slices, one of them. */
export function pictureOfImage(
  memory: Memory,
  descriptor: number,
  item: WorkItem,
  slice = 0,
): Picture | undefined {
  const image = imageAt(memory, descriptor, item, undefined);
  const { width, slicePitch, rowPitch, pixelBytes, channelType } = image;
  const height = Math.max(image.height, 1);
  const slices = Math.max(image.depth, image.arraySize, 1);
  if (width === 0 || width * height > mostPixels || slice < 0 || slice >= slices) return undefined;
  const scale = channelType >= integerTypes.first && channelType <= integerTypes.last ? 1 : 255;
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const address = image.address + slice * slicePitch + y * rowPitch + x * pixelBytes;
      const pixels = memory.at(address);
      if (!pixels) return undefined;
      const colour = decodePixel(image, pixels.view, address - pixels.start);
      data.set(
        colour.map((channel) => channel * scale),
        4 * (y * width + x),
      );
    }
  }
  return { width, height, data };
}

/** `4 x 4 x 2 image` */
export function describeImage(memory: Memory, descriptor: number, item: WorkItem): string {
  const { width, height, depth, arraySize } = imageAt(memory, descriptor, item, undefined);
  const sizes = [width, height, depth, arraySize].filter((size) => size > 0);
  return `image of ${sizes.join(' x ')}`;
}

/**
 * Elements as pixels, in rows of `width`: of bytes and their vectors the channels, of floats from 0 to 1, of a uint its four
 * bytes. Undefined for other types.
 */
export function pictureOfElements(
  type: QualifiedType,
  { view, offset }: Bytes,
  width: number,
  height: number,
): Picture | undefined {
  const lanes = type.type.kind === 'vector' ? type.type.lanes : 1;
  const element = type.type.kind === 'vector' ? type.type.element : arithmeticOf(type.type);
  if (!element || lanes > 4 || width * height > mostPixels) return undefined;
  const stride = (lanes === 3 ? 4 : lanes) * element.size;
  const isWord = element.name === 'uint' && lanes === 1;
  if (!element.floating && element.size !== 1 && !isWord) return undefined;
  const data = new Uint8ClampedArray(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const at = offset + pixel * stride;
    if (at + stride > view.byteLength) return undefined;
    const channel = (lane: number): number =>
      element.floating
        ? 255 * floatAt(view, at + lane * element.size, element.size)
        : view.getUint8(at + lane);
    const grey = lanes === 1 && !isWord;
    const red = channel(0);
    data[4 * pixel] = red;
    data[4 * pixel + 1] = grey ? red : lanes > 1 || isWord ? channel(1) : 0;
    data[4 * pixel + 2] = grey ? red : lanes > 2 || isWord ? channel(2) : 0;
    data[4 * pixel + 3] = lanes === 4 || isWord ? channel(3) : 255;
  }
  return { width, height, data };
}
