/**
 * Image descriptors: how kernels on Millrace's own devices find an image. A kernel's image argument is the address of a
 * descriptor in device memory, sixteen little-endian 32-bit words; the library functions that read and write images
 * (src/library/image-memory.cl and its neighbours) know the same layout.
 */

/** Bytes of a descriptor, and its alignment. */
export const imageDescriptorBytes = 64;

/** Indices of the words of a descriptor; the words from 12 on are kept for later and are 0. */
const imageWords = {
  /** Address of the first pixel: the low and the high 32 bits. */
  address: 0,
  addressHigh: 1,
  /** In pixels. */
  width: 2,
  /** In pixels; 0 for 1D images. */
  height: 3,
  /** In pixels; 0 for all but 3D images. */
  depth: 4,
  /** Images in an array; 0 for all others. */
  arraySize: 5,
  /** Bytes from one row to the next. */
  rowPitch: 6,
  /** Bytes from one slice, or one image of an array, to the next. */
  slicePitch: 7,
  /** cl_channel_order: `CL_R` is 0x10B0. */
  channelOrder: 8,
  /** cl_channel_type: `CL_SNORM_INT8` is 0x10D0. */
  channelType: 9,
  pixelBytes: 10,
  /** cl_mem_object_type: `CL_MEM_OBJECT_IMAGE2D` is 0x10F1. */
  objectType: 11,
} as const;

/** What a descriptor says; units as in {@link imageWords}. */
export type ImageDescriptor = Readonly<Record<Exclude<keyof typeof imageWords, 'addressHigh'>, number>>;

/** Writes a descriptor's words at a byte offset, a multiple of {@link imageDescriptorBytes}. */
export function writeImageDescriptor(view: DataView, offset: number, descriptor: ImageDescriptor): void {
  for (let at = 0; at < imageDescriptorBytes; at += 4) view.setUint32(offset + at, 0, true);
  for (const [name, value] of Object.entries(descriptor)) {
    view.setUint32(offset + 4 * imageWords[name as keyof ImageDescriptor], value >>> 0, true);
  }
  view.setUint32(offset + 4 * imageWords.addressHigh, Math.floor(descriptor.address / 2 ** 32), true);
}

/** The bits of a sampler argument, the same as those of the CLK_ constants of OpenCL C (OpenCL 1.2, 6.12.14.1). */
export const samplerBits = {
  normalizedCoordinates: 0x1,
  addressNone: 0x0,
  addressClampToEdge: 0x2,
  addressClamp: 0x4,
  addressRepeat: 0x6,
  addressMirroredRepeat: 0x8,
  filterNearest: 0x10,
  filterLinear: 0x20,
} as const;
