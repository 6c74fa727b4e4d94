/** What clCreateImage is given, checked in the order of its errors (OpenCL 1.2, 5.3.1). */
import type { HostBytes } from '../../runtime/device-memory.ts';
import { fitsDevice } from '../../runtime/image.ts';
import { formatFacts, type ImageFormat } from '../../runtime/image-format.ts';
import { bytesOfImage, extentOf, type ImageShape, imageShape } from '../../runtime/image-shape.ts';
import { OpenCLError, type StatusName } from '../../runtime/status.ts';
import { shown } from '../../source/shown.ts';
import { CLBuffer } from './buffer.ts';
import { CL } from './constants.ts';
import type { CLContext } from './context.ts';
import { shownBits } from './handle.ts';
import type { CLImage } from './image.ts';
import { CLMemory } from './memory.ts';

/** cl_image_format. */
export interface CLImageFormat {
  readonly channelOrder: number;
  readonly channelType: number;
}

/** cl_image_desc. Sizes in pixels, pitches in bytes; what is left out is 0. */
export interface CLImageDescriptor {
  /** CL.MEM_OBJECT_IMAGE*. */
  readonly type: number;
  readonly width: number;
  readonly height?: number | undefined;
  readonly depth?: number | undefined;
  readonly arraySize?: number | undefined;
  readonly rowPitch?: number | undefined;
  readonly slicePitch?: number | undefined;
  readonly numMipLevels?: number | undefined;
  readonly numSamples?: number | undefined;
  /**
   * Whose pixels it has: a buffer for MEM_OBJECT_IMAGE1D_BUFFER, a buffer or another 2D image for MEM_OBJECT_IMAGE2D
   * (OpenCL 2.0, 5.3.1.2; cl_image_desc calls it mem_object too).
   */
  readonly buffer?: CLBuffer | CLImage | null | undefined;
}

/** An image to be: its shape, and the pitches of the host's data. */
export interface ImagePlan {
  readonly shape: ImageShape;
  readonly hostRowPitch: number;
  readonly hostSlicePitch: number;
  /** Bytes that the host's data must have. */
  readonly hostBytes: number;
  /** Whose pixels it has. */
  readonly buffer: CLBuffer | CLImage | undefined;
}

/** Which sizes count for a kind of image, besides its width. */
const sizesOf: Readonly<Record<number, readonly ('height' | 'depth' | 'arraySize')[]>> = {
  [CL.MEM_OBJECT_IMAGE1D]: [],
  [CL.MEM_OBJECT_IMAGE1D_BUFFER]: [],
  [CL.MEM_OBJECT_IMAGE1D_ARRAY]: ['arraySize'],
  [CL.MEM_OBJECT_IMAGE2D]: ['height'],
  [CL.MEM_OBJECT_IMAGE2D_ARRAY]: ['height', 'arraySize'],
  [CL.MEM_OBJECT_IMAGE3D]: ['height', 'depth'],
};

export function isImageType(type: number): boolean {
  return Object.hasOwn(sizesOf, type);
}

/** @throws OpenCLError CL_INVALID_IMAGE_FORMAT_DESCRIPTOR if order and type do not exist or do not go together */
export function checkFormat(format: CLImageFormat | null | undefined): void {
  const { channelOrder, channelType } = format ?? {};
  const exists =
    typeof channelOrder === 'number' &&
    typeof channelType === 'number' &&
    formatFacts({ order: channelOrder, type: channelType });
  if (exists) return;
  throw new OpenCLError(
    'CL_INVALID_IMAGE_FORMAT_DESCRIPTOR',
    `channel order ${shownBits(channelOrder)} with channel type ${shownBits(channelType)} is no image format`,
  );
}

/**
 * What an image of a format that exists will be.
 * @param sizeError the code for sizes and pitches that are wrong, which the functions of OpenCL 1.1 have another one for
 * @throws OpenCLError CL_INVALID_IMAGE_DESCRIPTOR, CL_INVALID_IMAGE_SIZE
 */
export function planImage(
  context: CLContext,
  { channelOrder, channelType }: CLImageFormat,
  descriptor: CLImageDescriptor,
  hostPtr: HostBytes | undefined,
  sizeError: StatusName = 'CL_INVALID_IMAGE_DESCRIPTOR',
): ImagePlan {
  const fail = (why: string, error: StatusName = 'CL_INVALID_IMAGE_DESCRIPTOR'): never => {
    throw new OpenCLError(error, `image descriptor: ${why}`);
  };
  if (typeof descriptor !== 'object' || descriptor === null) return fail('there is none');
  const { type, width, numMipLevels = 0, numSamples = 0, buffer } = descriptor;
  if (!isImageType(type)) fail(`${shown(type)} is no type of image`);
  if (!isSize(width)) fail(`a width of ${shown(width)}`, sizeError);
  for (const name of sizesOf[type]!) {
    const size = descriptor[name] ?? 0;
    if (!isSize(size)) fail(`a ${name} of ${shown(size)}`, sizeError);
  }
  if (numMipLevels !== 0 || numSamples !== 0)
    fail('numMipLevels and numSamples must be 0: there are no mip maps and no multisampling');
  const format = { order: channelOrder, type: channelType };
  if (type === CL.MEM_OBJECT_IMAGE2D && buffer) {
    const shape = planView(context, format, descriptor, buffer, hostPtr, fail);
    checkSize(context, shape);
    const hostBytes = bytesOfImage(shape);
    return { shape, hostRowPitch: shape.rowPitch, hostSlicePitch: 0, hostBytes, buffer };
  }
  const shape = imageShape(type, format, descriptor);
  const pitches = checkPitches(shape, descriptor, hostPtr, (why) => fail(why, sizeError));
  if (type === CL.MEM_OBJECT_IMAGE1D_BUFFER) {
    if (!(buffer instanceof CLBuffer) || buffer.references === 0 || buffer.context !== context) {
      return fail('an image of a buffer needs a buffer of the same context');
    }
    if (shape.rowPitch > buffer.size) {
      fail(`${width} pixels take ${shape.rowPitch} bytes; the buffer has ${buffer.size}`);
    }
    checkSize(context, shape);
    return { shape, ...pitches, buffer };
  }
  if (buffer)
    fail('only images of types MEM_OBJECT_IMAGE1D_BUFFER and MEM_OBJECT_IMAGE2D have the pixels of others');
  checkSize(context, shape);
  return { shape, ...pitches, buffer: undefined };
}

/** The shape of a 2D image of a buffer's or another image's pixels (OpenCL 2.0, 5.3.1.2). */
function planView(
  context: CLContext,
  format: ImageFormat,
  descriptor: CLImageDescriptor,
  whole: CLBuffer | CLImage,
  hostPtr: HostBytes | undefined,
  fail: (why: string, error?: StatusName) => never,
): ImageShape {
  const limits = context.devices.flatMap(({ runtime }) => runtime.info.imagesOfBuffers ?? []);
  if (limits.length < context.devices.length) {
    fail('a device of the context has no 2D images of buffers or other images', 'CL_INVALID_OPERATION');
  }
  if (!(whole instanceof CLMemory) || whole.references === 0 || whole.context !== context) {
    fail('the pixels must be those of a buffer or an image of the same context');
  }
  if (hostPtr) fail("the pixels are another object's, so there can be no host data", 'CL_INVALID_HOST_PTR');
  const { rowPitch = 0 } = descriptor;
  const tight = imageShape(CL.MEM_OBJECT_IMAGE2D, format, descriptor);
  if (whole instanceof CLBuffer) {
    const pitch = rowPitch || tight.rowPitch;
    const step = tight.pixelBytes * Math.max(...limits.map(({ pitchAlignment }) => pitchAlignment));
    if (!Number.isInteger(pitch) || pitch < tight.rowPitch || pitch % step !== 0) {
      fail(`row pitch ${shown(rowPitch)} must be a multiple of ${step} and hold ${tight.rowPitch} bytes`);
    }
    const shape = { ...tight, rowPitch: pitch };
    const bytes = bytesOfImage(shape);
    if (bytes > whole.size) fail(`the image takes ${bytes} bytes; the buffer has ${whole.size}`);
    return shape;
  }
  if (whole.type !== CL.MEM_OBJECT_IMAGE2D) fail('an image of another image needs a 2D image');
  const { shape } = whole as CLImage;
  if (
    shape.width !== tight.width ||
    shape.height !== tight.height ||
    (rowPitch && rowPitch !== shape.rowPitch)
  ) {
    fail(`it must have the sizes of the other image, ${shape.width} x ${shape.height}`);
  }
  if (format.type !== shape.channelType || !isSamePixels(format.order, shape.channelOrder)) {
    fail(
      'its format must be that of the other image, or differ in sRGB or DEPTH only',
      'CL_INVALID_IMAGE_FORMAT_DESCRIPTOR',
    );
  }
  return { ...tight, rowPitch: shape.rowPitch };
}

/** Orders that read the same bytes in two ways (OpenCL 2.0, table 5.10). */
const sameOrders: readonly (readonly [number, number])[] = [
  [CL.sBGRA, CL.BGRA],
  [CL.sRGBA, CL.RGBA],
  [CL.sRGB, CL.RGB],
  [CL.sRGBx, CL.RGBx],
  [CL.DEPTH, CL.R],
];

function isSamePixels(a: number, b: number): boolean {
  return a === b || sameOrders.some((pair) => pair.includes(a) && pair.includes(b));
}

function isSize(value: number): boolean {
  return Number.isInteger(value) && value >= 1;
}

/** The host's pitches; computed where they are 0. */
function checkPitches(
  shape: ImageShape,
  { rowPitch = 0, slicePitch = 0 }: CLImageDescriptor,
  hostPtr: HostBytes | undefined,
  fail: (why: string) => never,
): Omit<ImagePlan, 'shape' | 'buffer'> {
  if (!hostPtr && (rowPitch !== 0 || slicePitch !== 0))
    fail('pitches are those of host data, and there is none');
  const row = rowPitch || shape.rowPitch;
  if (!Number.isInteger(row) || row < shape.rowPitch || row % shape.pixelBytes !== 0) {
    fail(
      `row pitch ${shown(rowPitch)} must be a multiple of ${shape.pixelBytes} and hold ${shape.rowPitch} bytes`,
    );
  }
  const [, rows, slices] = extentOf(shape);
  // Without slices it is not looked at.
  if (shape.slicePitch === 0) {
    return { hostRowPitch: row, hostSlicePitch: 0, hostBytes: row * rows };
  }
  const height = Math.max(shape.height, 1);
  const slice = slicePitch || row * height;
  if (!Number.isInteger(slice) || slice < row * height || slice % row !== 0) {
    fail(`slice pitch ${shown(slicePitch)} must be a multiple of row pitch ${row} and hold ${height} rows`);
  }
  const count = shape.height > 0 ? slices : rows;
  return { hostRowPitch: row, hostSlicePitch: slice, hostBytes: slice * count };
}

function checkSize(context: CLContext, shape: ImageShape): void {
  const able = context.devices.filter(({ runtime }) => runtime.info.imageSupport);
  // Without any the call fails later, with another error.
  if (able.length === 0 || able.some(({ runtime }) => fitsDevice(runtime.info, shape))) return;
  const sizes = [shape.width, shape.height, shape.depth, shape.arraySize].filter((size) => size > 0);
  throw new OpenCLError(
    'CL_INVALID_IMAGE_SIZE',
    `an image of ${sizes.join(' x ')} is more than any device of the context takes`,
  );
}
