/** An image of a context: pixels in a buffer of their own or in somebody's, and the descriptor by which kernels find them. */
import type { ImageAccess } from '../ir/images.ts';
import { RuntimeBuffer } from './buffer.ts';
import type { ImageArgument, KernelArgument } from './command.ts';
import type { Context } from './context.ts';
import type { Device, DeviceInfo, DeviceKernel } from './device.ts';
import { imageDescriptorBytes, writeImageDescriptor } from './image-descriptor.ts';
import { channelOrder, formatFacts } from './image-format.ts';
import { bytesOfImage, type ImageShape, imageObjectType } from './image-shape.ts';
import { OpenCLError } from './status.ts';

export class RuntimeImage {
  readonly shape: ImageShape;
  readonly pixels: RuntimeBuffer;
  /** As long as the image: commands use it like the pixels. */
  readonly descriptor: RuntimeBuffer;

  private constructor(shape: ImageShape, pixels: RuntimeBuffer) {
    const { context, address } = pixels;
    this.shape = shape;
    this.pixels = pixels;
    try {
      this.descriptor = RuntimeBuffer.create(context, imageDescriptorBytes);
    } catch (error) {
      pixels.release();
      throw error;
    }
    const { buffer, byteOffset } = this.descriptor.view(0, imageDescriptorBytes);
    writeImageDescriptor(new DataView(buffer, byteOffset), 0, { ...shape, address });
  }

  /** With pixels of any value. @throws OpenCLError CL_MEM_OBJECT_ALLOCATION_FAILURE */
  static create(context: Context, shape: ImageShape): RuntimeImage {
    return new RuntimeImage(shape, RuntimeBuffer.create(context, bytesOfImage(shape), shape));
  }

  /** An image whose pixels are the first bytes of a buffer. The buffer's owner must keep it as long as the image. */
  static over(buffer: RuntimeBuffer, shape: ImageShape): RuntimeImage {
    return new RuntimeImage(shape, buffer.part(0, bytesOfImage(shape)));
  }

  /** What a launch is given. */
  get argument(): ImageArgument {
    const { shape, pixels, descriptor } = this;
    return {
      kind: 'image',
      pixels: { memory: pixels, offset: 0 },
      descriptor: { memory: descriptor, offset: 0 },
      shape,
    };
  }

  /** What a launch uses. */
  get uses(): readonly RuntimeBuffer[] {
    return [this.pixels, this.descriptor];
  }

  /** The owner needs it no more; commands under way may. */
  release(): void {
    this.pixels.release();
    this.descriptor.release();
  }
}

/** The largest image of a kind that a device takes: width, height, depth, images in an array (OpenCL 1.2, table 4.3). */
function limitsOf(info: DeviceInfo, objectType: number): readonly [number, number, number, number] {
  const [width, height] = info.image2dMax;
  const layers = info.imageMaxArraySize;
  switch (objectType) {
    case imageObjectType.image3d:
      return [...info.image3dMax, 0];
    case imageObjectType.image2dArray:
      return [width, height, 0, layers];
    case imageObjectType.image1dArray:
      return [width, 0, 0, layers];
    case imageObjectType.image1d:
      return [width, 0, 0, 0];
    case imageObjectType.image1dBuffer:
      return [info.imageMaxBufferSize, 0, 0, 0];
    default:
      return [width, height, 0, 0];
  }
}

/** Whether an image of such sizes is within a device's limits. */
export function fitsDevice(info: DeviceInfo, shape: ImageShape): boolean {
  const [width, height, depth, layers] = limitsOf(info, shape.objectType);
  return shape.width <= width && shape.height <= height && shape.depth <= depth && shape.arraySize <= layers;
}

/** Whether a device's kernels can use images of the shape's format in a way. */
export function supportsFormat(device: Device, shape: ImageShape, access: ImageAccess): boolean {
  // Images of textures, which no program can ask for otherwise.
  if (shape.channelOrder === channelOrder.DEPTH_STENCIL) {
    return device.info.extensions.includes('cl_khr_gl_depth_images');
  }
  return device
    .imageFormats(shape.objectType, access)
    .some(({ order, type }) => order === shape.channelOrder && type === shape.channelType);
}

/**
 * Checks that a command of a device may have an image.
 * @throws OpenCLError CL_INVALID_OPERATION, CL_INVALID_IMAGE_SIZE, CL_IMAGE_FORMAT_NOT_SUPPORTED
 */
export function checkImage(device: Device, shape: ImageShape, access?: ImageAccess): void {
  const { info } = device;
  if (!info.imageSupport) throw new OpenCLError('CL_INVALID_OPERATION', `${info.name} has no images`);
  if (!fitsDevice(info, shape)) {
    const { width, height, depth, arraySize } = shape;
    const sizes = [width, height, depth].filter((size) => size > 0).join(' x ');
    throw new OpenCLError(
      'CL_INVALID_IMAGE_SIZE',
      `${info.name} takes no images of ${sizes} pixels${arraySize > 0 ? ` in arrays of ${arraySize}` : ''}`,
    );
  }
  const ways = access ? [access] : (['read_only', 'write_only'] as const);
  if (ways.some((way) => supportsFormat(device, shape, way))) return;
  const { name } = formatFacts({ order: shape.channelOrder, type: shape.channelType })!;
  throw new OpenCLError(
    'CL_IMAGE_FORMAT_NOT_SUPPORTED',
    `${info.name} has no images of the format ${name}${access ? ` that kernels use as ${access}` : ''}`,
  );
}

/**
 * Checks the images and samplers of a launch (OpenCL 1.2, 5.8).
 * @throws OpenCLError as {@link checkImage}, and CL_OUT_OF_RESOURCES for more of them than the device takes
 */
export function checkLaunchImages(
  device: Device,
  kernel: DeviceKernel,
  values: readonly KernelArgument[],
): void {
  let reads = 0;
  let writes = 0;
  let samplers = 0;
  for (const [index, value] of values.entries()) {
    if (value.kind === 'sampler') samplers += 1;
    if (value.kind !== 'image') continue;
    const handle = kernel.parameters[index]?.info?.handle;
    const access = handle?.kind === 'image' ? handle.access : 'read_write';
    checkImage(device, value.shape, access);
    if (access !== 'write_only') reads += 1;
    if (access !== 'read_only') writes += 1;
  }
  const { maxReadImageArgs, maxWriteImageArgs, maxSamplers, name } = device.info;
  if (reads > maxReadImageArgs || writes > maxWriteImageArgs || samplers > maxSamplers) {
    throw new OpenCLError(
      'CL_OUT_OF_RESOURCES',
      `kernel '${kernel.name}' reads ${reads} images, writes ${writes} and has ${samplers} samplers; ${name} takes ${maxReadImageArgs}, ${maxWriteImageArgs} and ${maxSamplers}`,
    );
  }
}
