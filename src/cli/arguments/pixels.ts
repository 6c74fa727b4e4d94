/**
 * Between pictures (RGBA bytes) and buffers: what a kernel's element type makes of a pixel, and back.
 * uchar3, uchar4: the channels; uint: the four bytes in one word; uchar: grey; float, float3, float4: the same
 * in 0..1. Grey is the luminance of ITU-R BT.601.
 */
import type { HostLayout } from 'millrace';
import { UsageError } from '../errors.ts';
import { type ElementShape, Elements, elementShape } from './elements.ts';
import type { Picture } from './picture.ts';

/** What kernels see of an image that the command line gives: how its channels are stored. */
export const pixelTypes = ['unorm8', 'uint8', 'float'] as const;
export type PixelType = (typeof pixelTypes)[number];

/** The RGBA pixels of an image as elements. */
export function pixelShape(type: PixelType): ElementShape {
  const element: HostLayout =
    type === 'float' ? { kind: 'float', size: 4 } : { kind: 'integer', size: 1, signed: false };
  return elementShape({ kind: 'vector', element, lanes: 4, size: 4 * element.size });
}

type PixelForm = 'bytes' | 'word' | 'grey-bytes' | 'unit' | 'grey-unit';

/** Which form of pixel an element type holds; undefined if none. */
export function pixelForm(shape: ElementShape): PixelForm | undefined {
  switch (shape.name) {
    case 'uchar4':
    case 'uchar3':
      return 'bytes';
    case 'uint':
      return 'word';
    case 'uchar':
      return 'grey-bytes';
    case 'float4':
    case 'float3':
      return 'unit';
    case 'float':
      return 'grey-unit';
    default:
      return undefined;
  }
}

/** A buffer of one element a pixel. Throws a {@link UsageError} if the element type cannot hold one. */
export function pictureToElements(picture: Picture, shape: ElementShape, parameter: string): Elements {
  const form = pixelForm(shape);
  if (!form) {
    throw new UsageError(
      `parameter '${parameter}' has elements of type ${shape.name}, which cannot hold a picture; uchar4, uint, uchar, float4 or float can`,
    );
  }
  const { data } = picture;
  const count = picture.width * picture.height;
  const elements = Elements.zeros(shape, count);
  if (form === 'bytes' || form === 'word') {
    elements.bytes.set(data.subarray(0, count * 4));
    return elements;
  }
  const entries = elements.entries();
  for (let pixel = 0; pixel < count; pixel++) {
    const at = pixel * 4;
    if (form === 'unit') {
      for (let channel = 0; channel < 4; channel++) entries[at + channel] = data[at + channel]! / 255;
    } else {
      const grey = 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!;
      entries[pixel] = form === 'grey-bytes' ? Math.round(grey) : grey / 255;
    }
  }
  return elements;
}

/** The picture in a buffer of at least `width * height` elements; three-channel pixels become opaque. */
export function elementsToPicture(elements: Elements, width: number, height: number): Picture | undefined {
  const form = pixelForm(elements.shape);
  const count = width * height;
  if (!form || elements.count < count) return undefined;
  const entries = elements.entries();
  const opaque = elements.shape.places.length === 3;
  const data = new Uint8Array(count * 4);
  const toByte = (value: number): number => Math.max(0, Math.min(255, Math.round(value)));
  for (let pixel = 0; pixel < count; pixel++) {
    const at = pixel * 4;
    if (form === 'grey-bytes' || form === 'grey-unit') {
      const grey = toByte(Number(entries[pixel]) * (form === 'grey-unit' ? 255 : 1));
      data.fill(grey, at, at + 3);
      data[at + 3] = 255;
    } else if (form === 'word') {
      const word = Number(entries[pixel]);
      for (let channel = 0; channel < 4; channel++) data[at + channel] = (word >>> (channel * 8)) & 255;
    } else {
      for (let channel = 0; channel < 4; channel++) {
        data[at + channel] = toByte(Number(entries[at + channel]) * (form === 'unit' ? 255 : 1));
      }
      if (opaque) data[at + 3] = 255;
    }
  }
  return { width, height, data };
}
