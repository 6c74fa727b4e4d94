/** How the short form describes images: sizes, the names of formats, and what is meant by pixels alone. */
import { channelOrder, channelType, formatFacts, type ImageFormat } from '../../runtime/image-format.ts';
import { extentOf, type ImageShape, imageObjectType, imageShape } from '../../runtime/image-shape.ts';
import { OpenCLError } from '../../runtime/status.ts';
import type { DeviceBuffer, TypedArray } from './device-buffer.ts';

/** cl_channel_order and cl_channel_type without their `CL_`. */
export type ChannelOrder = keyof typeof channelOrder;
export type ChannelType = keyof typeof channelType;

/** The types of OpenCL C. */
export type ImageKind =
  | 'image1d_t'
  | 'image1d_array_t'
  | 'image1d_buffer_t'
  | 'image2d_t'
  | 'image2d_array_t'
  | 'image3d_t'
  | 'image2d_depth_t'
  | 'image2d_array_depth_t';

/** The size and the format of an image. */
export interface ImageDescription {
  /** In pixels, like height and depth. Without a height the image is 1D, with a depth 3D. */
  readonly width: number;
  readonly height?: number | undefined;
  readonly depth?: number | undefined;
  /** Images in an array of images. */
  readonly arraySize?: number | undefined;
  /** Default: by the numbers in `data` for each pixel `R`, `RG` or `RGBA`; without data `RGBA`. */
  readonly order?: ChannelOrder | undefined;
  /**
   * Default: by the kind of array. 8 and 16-bit numbers are normalised (`UNORM_INT8`: a kernel sees 0 to 1, with
   * read_imagef), 32-bit ones integers; without data `UNORM_INT8`.
   */
  readonly type?: ChannelType | undefined;
}

/** An image's pixels: rows from the top, without gaps. A page's ImageData is one. */
export interface Picture extends ImageDescription {
  readonly data: TypedArray;
}

/** What Program.image makes an image from: pixels, or a size alone, or the bytes of a buffer (image1d_buffer_t). */
export type ImageContent =
  | Picture
  | (ImageDescription & { readonly data?: undefined; readonly buffer?: DeviceBuffer | undefined });

const objectTypes: Readonly<Record<ImageKind, number>> = {
  image1d_t: imageObjectType.image1d,
  image1d_array_t: imageObjectType.image1dArray,
  image1d_buffer_t: imageObjectType.image1dBuffer,
  image2d_t: imageObjectType.image2d,
  image2d_array_t: imageObjectType.image2dArray,
  image3d_t: imageObjectType.image3d,
  image2d_depth_t: imageObjectType.image2d,
  image2d_array_depth_t: imageObjectType.image2dArray,
};

/** Whether a value is pixels with a size, rather than a struct or an array. */
export function isPicture(value: unknown): value is Picture {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  const { width, data } = value as Partial<Picture>;
  return typeof width === 'number' && ArrayBuffer.isView(data) && !(data instanceof DataView);
}

/** What kind of image the sizes describe. */
export function kindOf(content: ImageContent): ImageKind {
  if ('buffer' in content && content.buffer) return 'image1d_buffer_t';
  if (content.depth !== undefined) return 'image3d_t';
  if (content.arraySize === undefined)
    return content.height === undefined ? 'image1d_t' : planar('image2d_t', content);
  return content.height === undefined ? 'image1d_array_t' : planar('image2d_array_t', content);
}

function planar(kind: 'image2d_t' | 'image2d_array_t', { order }: ImageDescription): ImageKind {
  if (order !== 'DEPTH') return kind;
  return kind === 'image2d_t' ? 'image2d_depth_t' : 'image2d_array_depth_t';
}

/** The kind's name for a shape. */
export function kindOfShape(shape: ImageShape): ImageKind {
  const isDepth = shape.channelOrder === channelOrder.DEPTH;
  const found = Object.entries(objectTypes).find(
    ([kind, type]) => type === shape.objectType && kind.includes('depth') === isDepth,
  );
  return found![0] as ImageKind;
}

/**
 * The shape of an image that is described so.
 * @throws OpenCLError CL_INVALID_IMAGE_DESCRIPTOR, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR
 */
export function shapeOf(content: ImageContent): ImageShape {
  if (typeof content !== 'object' || content === null || typeof content.width !== 'number') {
    throw new OpenCLError(
      'CL_INVALID_IMAGE_DESCRIPTOR',
      'an image is made from its size, such as { width: 640, height: 480 }, with or without data',
    );
  }
  const objectType = objectTypes[kindOf(content)];
  const sizes = (['width', 'height', 'depth', 'arraySize'] as const).flatMap((name) => {
    const size = content[name];
    return size === undefined ? [] : [[name, size] as const];
  });
  for (const [name, size] of sizes) {
    if (Number.isInteger(size) && size > 0) continue;
    throw new OpenCLError('CL_INVALID_IMAGE_DESCRIPTOR', `an image with a ${name} of ${size}`);
  }
  if (content.depth !== undefined && content.height === undefined) {
    throw new OpenCLError('CL_INVALID_IMAGE_DESCRIPTOR', 'an image with a depth needs a height');
  }
  const { data } = content;
  const pixels = sizes.reduce((product, [, size]) => product * size, 1);
  const shape = imageShape(
    objectType,
    data ? formatOfData(content, data, pixels) : formatOf(content),
    content,
  );
  const needed = pixels * shape.pixelBytes;
  if (data && data.byteLength !== needed) {
    throw new OpenCLError(
      'CL_INVALID_IMAGE_DESCRIPTOR',
      `${extentOf(shape).join(' x ')} pixels of ${shape.pixelBytes} bytes are ${needed} bytes; the data has ${data.byteLength}`,
    );
  }
  return shape;
}

function formatOfData(content: ImageDescription, data: TypedArray, pixels: number): ImageFormat {
  const type = content.type ?? typeOfData(data);
  const orders: Readonly<Record<number, ChannelOrder>> = { 1: 'R', 2: 'RG', 4: 'RGBA' };
  const channels = data.length / pixels;
  const order = content.order ?? orders[channels];
  if (order) return formatOf({ ...content, order, type });
  throw new OpenCLError(
    'CL_INVALID_IMAGE_DESCRIPTOR',
    `${data.length} numbers for ${pixels} pixels: they should be 1, 2 or 4 for each, or give the channel order`,
  );
}

function typeOfData(data: TypedArray): ChannelType {
  if (data instanceof Uint8Array || data instanceof Uint8ClampedArray) return 'UNORM_INT8';
  if (data instanceof Int8Array) return 'SNORM_INT8';
  if (data instanceof Uint16Array) return 'UNORM_INT16';
  if (data instanceof Int16Array) return 'SNORM_INT16';
  if (data instanceof Int32Array) return 'SIGNED_INT32';
  if (data instanceof Uint32Array) return 'UNSIGNED_INT32';
  if (data instanceof Float32Array) return 'FLOAT';
  throw new OpenCLError('CL_INVALID_IMAGE_FORMAT_DESCRIPTOR', 'images have no channels of 64 bits');
}

function formatOf({ order = 'RGBA', type = 'UNORM_INT8' }: ImageDescription): ImageFormat {
  const format = { order: channelOrder[order], type: channelType[type] };
  if (formatFacts(format)) return format;
  throw new OpenCLError(
    'CL_INVALID_IMAGE_FORMAT_DESCRIPTOR',
    `no image format has order ${order} and type ${type}`,
  );
}
