/** Images (OpenCL 1.2, 5.3). */
import type { ImageAccess } from '../../ir/images.ts';
import type { RuntimeBuffer } from '../../runtime/buffer.ts';
import type { HostBytes } from '../../runtime/device-memory.ts';
import { RuntimeImage, supportsFormat } from '../../runtime/image.ts';
import { formatFacts, type ImageFormat } from '../../runtime/image-format.ts';
import {
  bytesOfImage,
  extentOf,
  type ImageShape,
  partOfImage,
  rectangleAt,
  regionBytes,
} from '../../runtime/image-shape.ts';
import { OpenCLError, type StatusName } from '../../runtime/status.ts';
import { copyRectangle, type Rectangle } from '../../runtime/transfer.ts';
import { shown } from '../../source/shown.ts';
import type { CLBuffer } from './buffer.ts';
import { CL } from './constants.ts';
import type { CLContext } from './context.ts';
import { invalidQuery, isBitsOf } from './handle.ts';
import {
  type CLImageDescriptor,
  type CLImageFormat,
  checkFormat,
  type ImagePlan,
  isImageType,
  planImage,
} from './image-descriptors.ts';
import { CLMemory, checkFlags, hostDataFor, inheritedFlags } from './memory.ts';

export class CLImage extends CLMemory {
  /** What profiles and logs call it, in minified bundles too. */
  static override readonly name: string = 'CLImage';
  readonly type: number;
  readonly size: number;
  readonly parent: CLBuffer | CLImage | undefined;
  readonly origin = 0;
  readonly shape: ImageShape;
  /** Pitches of the host's own array, for USE_HOST_PTR, else those of the image. */
  readonly rowPitch: number;
  readonly slicePitch: number;
  readonly #image: RuntimeImage;

  /** Images come from CLContext.createImage. */
  constructor(
    context: CLContext,
    flags: number,
    image: RuntimeImage,
    { shape, hostRowPitch, hostSlicePitch, buffer }: ImagePlan,
    hostArray: Uint8Array | undefined,
  ) {
    super(context, flags, image.pixels, hostArray);
    this.type = shape.objectType;
    this.size = bytesOfImage(shape);
    this.parent = buffer;
    this.shape = shape;
    this.rowPitch = hostArray ? hostRowPitch : shape.rowPitch;
    this.slicePitch = hostArray ? hostSlicePitch : shape.slicePitch;
    this.#image = image;
  }

  /**
   * clCreateImage; see CLContext.createImage. `sizeError` as in {@link planImage}; `isShared` for images of OpenGL's objects, which alone
   * have depths and stencils.
   */
  static create(
    context: CLContext,
    memFlags: number,
    format: CLImageFormat,
    descriptor: CLImageDescriptor,
    hostPtr?: HostBytes | null,
    sizeError?: StatusName,
    isShared = false,
  ): CLImage {
    if (!isBitsOf(memFlags, 0xffffffff)) checkFlags(memFlags);
    const data = hostPtr ?? undefined;
    const isOverBuffer = descriptor?.type === CL.MEM_OBJECT_IMAGE1D_BUFFER || Boolean(descriptor?.buffer);
    let flags = memFlags === 0 && !isOverBuffer ? CL.MEM_READ_WRITE : memFlags;
    // WebCL has no host pointer flags: data given without one is copied.
    const pointer = CL.MEM_USE_HOST_PTR | CL.MEM_COPY_HOST_PTR;
    if (data && !isOverBuffer && !(flags & pointer)) flags |= CL.MEM_COPY_HOST_PTR;
    checkFlags(flags);
    checkFormat(format);
    if (format.channelOrder === CL.DEPTH_STENCIL && !isShared) {
      throw new OpenCLError(
        'CL_IMAGE_FORMAT_NOT_SUPPORTED',
        'images with CL_DEPTH_STENCIL are created from textures of OpenGL alone',
      );
    }
    const plan = planImage(context, format, descriptor, data, sizeError);
    const bytes = hostDataFor(flags, data, plan.hostBytes);
    if (plan.buffer) flags = inheritedFlags(flags, plan.buffer.flags);
    checkSupport(context, flags, plan.shape);
    if (plan.buffer) {
      const image = RuntimeImage.over(plan.buffer.runtime, plan.shape);
      plan.buffer.retain();
      const host = plan.buffer.hostArray?.subarray(0, plan.hostBytes);
      return new CLImage(context, flags, image, plan, host);
    }
    const limit = context.maxMemAllocSize;
    if (bytesOfImage(plan.shape) > limit) {
      throw new OpenCLError(
        'CL_MEM_OBJECT_ALLOCATION_FAILURE',
        `the image would take ${bytesOfImage(plan.shape)} bytes; the device's memory objects have at most ${limit}`,
      );
    }
    const image = RuntimeImage.create(context.runtime, plan.shape);
    const result = new CLImage(context, flags, image, plan, flags & CL.MEM_USE_HOST_PTR ? bytes : undefined);
    if (bytes) {
      const { pixels } = image;
      const from = rectangleAt(plan.shape, [0, 0, 0], plan.hostRowPitch, plan.hostSlicePitch);
      const region = regionBytes(plan.shape, extentOf(plan.shape));
      const to = partOfImage(plan.shape, [0, 0, 0]);
      copyRectangle(pixels.view(0, pixels.size), to, bytes, from, region);
    }
    return result;
  }

  /** The runtime's image. */
  get image(): RuntimeImage {
    this.check();
    return this.#image;
  }

  override get uses(): readonly RuntimeBuffer[] {
    return this.image.uses;
  }

  get format(): CLImageFormat {
    return { channelOrder: this.shape.channelOrder, channelType: this.shape.channelType };
  }

  /** A part of the host's own array as a rectangle of its bytes. */
  hostPart(origin: readonly [number, number, number]): Rectangle {
    return rectangleAt(this.shape, origin, this.rowPitch, this.slicePitch);
  }

  /** clGetImageInfo. Without a name: everything, as it was described, with the format. */
  getImageInfo(): CLImageDescriptor & CLImageFormat;
  getImageInfo(name: number): number | CLImageFormat | CLMemory | null;
  getImageInfo(
    name?: number,
  ): number | CLImageFormat | CLMemory | null | (CLImageDescriptor & CLImageFormat) {
    this.check();
    const { shape, rowPitch, slicePitch, type, format } = this;
    const { width, height, depth, arraySize } = shape;
    const buffer = this.parent ?? null;
    switch (name) {
      case undefined: {
        const pitches = { rowPitch, slicePitch, numMipLevels: 0, numSamples: 0 };
        return { ...format, type, width, height, depth, arraySize, ...pitches, buffer };
      }
      case CL.IMAGE_FORMAT:
        return format;
      case CL.IMAGE_ELEMENT_SIZE:
        return shape.pixelBytes;
      case CL.IMAGE_ROW_PITCH:
        return rowPitch;
      case CL.IMAGE_SLICE_PITCH:
        return slicePitch;
      case CL.IMAGE_WIDTH:
        return width;
      case CL.IMAGE_HEIGHT:
        return height;
      case CL.IMAGE_DEPTH:
        return depth;
      case CL.IMAGE_ARRAY_SIZE:
        return arraySize;
      case CL.IMAGE_BUFFER:
        return buffer instanceof CLImage ? null : buffer;
      case CL.IMAGE_NUM_MIP_LEVELS:
      case CL.IMAGE_NUM_SAMPLES:
        return 0;
      default:
        return invalidQuery(name);
    }
  }

  /**
   * clGetGLTextureInfo: GL_TEXTURE_TARGET, GL_MIPMAP_LEVEL.
   * @throws OpenCLError CL_INVALID_MEM_OBJECT, CL_INVALID_GL_OBJECT, CL_INVALID_VALUE
   */
  getGLTextureInfo(name: number): number {
    this.check();
    const texture = this.gl?.texture;
    if (!texture) throw new OpenCLError('CL_INVALID_GL_OBJECT', 'the image was not created from a texture');
    switch (name) {
      case CL.GL_TEXTURE_TARGET:
        return texture.target;
      case CL.GL_MIPMAP_LEVEL:
        return texture.level;
      default:
        return invalidQuery(name);
    }
  }

  protected override destroy(): void {
    this.#image.release();
    super.destroy();
  }
}

/** What kernels may do with an object of such flags. */
function accessOf(flags: number): ImageAccess {
  if (flags & CL.MEM_READ_ONLY) return 'read_only';
  return flags & CL.MEM_WRITE_ONLY ? 'write_only' : 'read_write';
}

/** @throws OpenCLError CL_INVALID_OPERATION without any device that has images, CL_IMAGE_FORMAT_NOT_SUPPORTED */
function checkSupport(context: CLContext, flags: number, shape: ImageShape): void {
  const devices = context.devices.map(({ runtime }) => runtime);
  if (!devices.some(({ info }) => info.imageSupport)) {
    throw new OpenCLError('CL_INVALID_OPERATION', 'no device of the context has images');
  }
  const access = accessOf(flags);
  if (devices.some((device) => supportsFormat(device, shape, access))) return;
  const { name } = formatFacts({ order: shape.channelOrder, type: shape.channelType })!;
  throw new OpenCLError(
    'CL_IMAGE_FORMAT_NOT_SUPPORTED',
    `no device of the context has images of this kind with the format ${name}`,
  );
}

/** clGetSupportedImageFormats: what at least one device of the context supports. */
export function supportedFormats(context: CLContext, memFlags: number, imageType: number): CLImageFormat[] {
  // Of OpenCL 2.0, and for this query alone: a kernel reads and writes the same image.
  const isReadAndWritten = isBitsOf(memFlags, 0xffffffff) && (memFlags & CL.MEM_KERNEL_READ_AND_WRITE) !== 0;
  checkFlags(isReadAndWritten ? memFlags & ~CL.MEM_KERNEL_READ_AND_WRITE : memFlags);
  const access = isReadAndWritten ? 'read_write' : accessOf(memFlags);
  if (!isImageType(imageType)) {
    throw new OpenCLError('CL_INVALID_VALUE', `${shown(imageType)} is no type of image`);
  }
  const found = new Map<string, CLImageFormat>();
  const add = ({ order, type }: ImageFormat) =>
    found.set(`${order} ${type}`, { channelOrder: order, channelType: type });
  for (const { runtime } of context.devices) {
    runtime.imageFormats(imageType, access).forEach(add);
  }
  // Those of textures, in a context that has them.
  const isDepth = imageType === CL.MEM_OBJECT_IMAGE2D || imageType === CL.MEM_OBJECT_IMAGE2D_ARRAY;
  if (context.glShareGroup && isDepth) {
    for (const type of [CL.UNORM_INT24, CL.FLOAT]) add({ order: CL.DEPTH_STENCIL, type });
  }
  return [...found.values()];
}
