/**
 * The shape of an image: its kind, size and format, and how its pixels lie in memory. Rows follow one another without gaps,
 * and so do slices and the images of an array, whatever pitches the host's own data has.
 */
import type { Triple } from './command.ts';
import type { ImageDescriptor } from './image-descriptor.ts';
import { formatFacts, type ImageFormat } from './image-format.ts';
import type { Rectangle } from './transfer.ts';

/** cl_mem_object_type of images. */
export const imageObjectType = {
  image2d: 0x10f1,
  image3d: 0x10f2,
  image2dArray: 0x10f3,
  image1d: 0x10f4,
  image1dArray: 0x10f5,
  image1dBuffer: 0x10f6,
} as const;

/** Sizes in pixels, 0 where they do not apply; pitches in bytes. See imageWords. */
export type ImageShape = Omit<ImageDescriptor, 'address'>;

/** Sizes as they are asked for; those that do not apply are not looked at. */
export interface ImageSize {
  readonly width: number;
  readonly height?: number | undefined;
  readonly depth?: number | undefined;
  readonly arraySize?: number | undefined;
}

/** The shape for a kind (cl_mem_object_type), a format that exists, and sizes. */
export function imageShape(objectType: number, format: ImageFormat, size: ImageSize): ImageShape {
  const type = imageObjectType;
  const isArray = objectType === type.image1dArray || objectType === type.image2dArray;
  const isFlat =
    objectType === type.image1d || objectType === type.image1dArray || objectType === type.image1dBuffer;
  const { pixelBytes } = formatFacts(format)!;
  const height = isFlat ? 0 : (size.height ?? 0);
  const depth = objectType === type.image3d ? (size.depth ?? 0) : 0;
  const rowPitch = size.width * pixelBytes;
  const hasSlices = isArray || objectType === type.image3d;
  return {
    objectType,
    channelOrder: format.order,
    channelType: format.type,
    pixelBytes,
    width: size.width,
    height,
    depth,
    arraySize: isArray ? (size.arraySize ?? 0) : 0,
    rowPitch,
    slicePitch: hasSlices ? rowPitch * Math.max(height, 1) : 0,
  };
}

/**
 * Sizes of the whole image as a region of the enqueue functions has them: an array's images count in the dimension after
 * its own (OpenCL 1.2, 5.3.3), and what does not apply is 1.
 */
export function extentOf(shape: ImageShape): Triple {
  const { objectType, width, height, depth, arraySize } = shape;
  if (objectType === imageObjectType.image1dArray) return [width, arraySize, 1];
  return [width, Math.max(height, 1), Math.max(depth, arraySize, 1)];
}

/** Bytes of all pixels. */
export function bytesOfImage(shape: ImageShape): number {
  const [, rows, slices] = extentOf(shape);
  return shape.rowPitch * rows * slices;
}

/** A part of the image as a rectangle of its bytes. */
export function partOfImage(shape: ImageShape, origin: Triple): Rectangle {
  return rectangleAt(shape, origin, shape.rowPitch, shape.slicePitch);
}

/**
 * A part of an array of bytes with an image's pixels and pitches of its own, as a rectangle. The images of a 1D array are
 * one slice pitch apart in it.
 */
export function rectangleAt(
  shape: ImageShape,
  [x, y, z]: Triple,
  rowPitch: number,
  slicePitch: number,
): Rectangle {
  const row = shape.objectType === imageObjectType.image1dArray ? slicePitch : rowPitch;
  const slice = slicePitch === 0 ? row : slicePitch;
  return { start: z * slice + y * row + x * shape.pixelBytes, rowPitch: row, slicePitch: slice };
}

/** A region in bytes: those of a row, rows, slices. */
export function regionBytes(shape: ImageShape, [width, height, depth]: Triple): Triple {
  return [width * shape.pixelBytes, height, depth];
}
