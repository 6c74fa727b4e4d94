/** Makes a driver's images, and moves their pixels. */
import { extentOf, type ImageShape, imageObjectType } from '../../runtime/image-shape.ts';
import type { Driver } from './driver.ts';

const readWrite = 1;
const useHostPointer = 8;

/** Where an image's pixels are: in memory of the host at an address, in a buffer of the driver, or in memory of its own. */
export type PixelPlace = { readonly host: number } | { readonly buffer: number } | 'device';

/** The driver's handle, or a CL error code. */
export function createImage(driver: Driver, context: number, shape: ImageShape, place: PixelPlace): number {
  const format = Uint32Array.of(shape.channelOrder, shape.channelType);
  // cl_image_desc: an int and its padding, six size_t, two ints, a handle.
  const description = new BigUint64Array(9);
  const isHost = place !== 'device' && 'host' in place;
  const sizes = [shape.objectType, shape.width, shape.height, shape.depth, shape.arraySize];
  if (isHost) sizes.push(shape.rowPitch, shape.slicePitch);
  for (const [index, size] of sizes.entries()) description[index] = BigInt(size);
  if (place !== 'device' && 'buffer' in place) description[8] = BigInt(place.buffer);
  const flags = isHost ? readWrite | useHostPointer : readWrite;
  const error = new Int32Array(1);
  const image = driver.clCreateImage(context, flags, format, description, isHost ? place.host : 0, error);
  return error[0] === 0 ? image : error[0]!;
}

/** Copies all pixels between an image and host memory that lies as the shape says, and waits. The result is a CL code. */
export function copyPixels(
  driver: Driver,
  queue: number,
  image: number,
  shape: ImageShape,
  way: 'read' | 'write',
  host: number,
): number {
  const origin = new BigUint64Array(3);
  const region = BigUint64Array.from(extentOf(shape), BigInt);
  const copy = way === 'read' ? driver.clEnqueueReadImage : driver.clEnqueueWriteImage;
  const { rowPitch, slicePitch } = shape;
  return copy(queue, image, 1, origin, region, rowPitch, slicePitch, host, 0, null, null);
}

/** Whether an image has no memory of its own but that of a buffer. */
export function isOverBuffer(shape: ImageShape): boolean {
  return shape.objectType === imageObjectType.image1dBuffer;
}

/** The same text for images that can share a handle. */
export function shapeKey(shape: ImageShape): string {
  return Object.values(shape).join();
}
