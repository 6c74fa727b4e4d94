/** Images for tests: formats by their names in the specification, and their pixels without gaps between rows. */
import type { TestArgument, TestImage } from './run-kernel.ts';

export const channelOrders = 'R A RG RA RGB RGBA BGRA ARGB INTENSITY LUMINANCE Rx RGx RGBx'.split(' ');

const channelTypes = (
  'SNORM_INT8 SNORM_INT16 UNORM_INT8 UNORM_INT16 UNORM_SHORT_565 UNORM_SHORT_555 UNORM_INT_101010 SIGNED_INT8 ' +
  'SIGNED_INT16 SIGNED_INT32 UNSIGNED_INT8 UNSIGNED_INT16 UNSIGNED_INT32 HALF_FLOAT FLOAT'
).split(' ');

const objectTypes: Readonly<Record<string, number>> = {
  image2d_t: 0x10f1,
  image3d_t: 0x10f2,
  image2d_array_t: 0x10f3,
  image1d_t: 0x10f4,
  image1d_array_t: 0x10f5,
  image1d_buffer_t: 0x10f6,
};

/** Bytes of a pixel: packed formats have all channels in one number. */
function pixelBytesOf(order: string, type: string): number {
  if (type.startsWith('UNORM_SHORT')) return 2;
  if (type === 'UNORM_INT_101010') return 4;
  const channels = order === 'RG' || order === 'RA' || order === 'RGx' ? 2 : order.length === 4 ? 4 : 1;
  const bits = type === 'HALF_FLOAT' ? 16 : type === 'FLOAT' ? 32 : Number(/[0-9]+$/.exec(type)![0]);
  return (channels * bits) / 8;
}

/** Whether OpenCL has such a format (OpenCL 1.2, 5.3.1.1). */
function isFormat(order: string, type: string): boolean {
  const isPacked = type.startsWith('UNORM_SHORT') || type === 'UNORM_INT_101010';
  if (order === 'RGB' || order === 'RGBx') return isPacked;
  if (isPacked) return false;
  if (order === 'INTENSITY' || order === 'LUMINANCE') return /NORM|FLOAT/.test(type);
  return (order !== 'BGRA' && order !== 'ARGB') || type.endsWith('INT8');
}

/** All formats, as pairs of order and type. */
export const formats: readonly (readonly [order: string, type: string])[] = channelOrders.flatMap((order) =>
  channelTypes.filter((type) => isFormat(order, type)).map((type) => [order, type] as const),
);

/**
 * An image of zeros, or of the given pixels.
 * @param sizes as many as the kind has coordinates; the last of an array is its number of images
 */
export function imageOf(
  kind: string,
  [order, type]: readonly [order: string, type: string],
  sizes: readonly number[],
  pixels?: ArrayBufferView,
): TestImage {
  const [width = 1, second = 0, third = 0] = sizes;
  const isArray = kind.includes('array');
  const is1d = kind.startsWith('image1d');
  const pixelBytes = pixelBytesOf(order, type);
  const rowPitch = width * pixelBytes;
  const slicePitch = rowPitch * (is1d ? 1 : Math.max(second, 1));
  const shape = {
    width,
    height: is1d ? 0 : second,
    depth: kind === 'image3d_t' ? third : 0,
    arraySize: !isArray ? 0 : is1d ? second : third,
    rowPitch,
    slicePitch,
    channelOrder: 0x10b0 + channelOrders.indexOf(order),
    channelType: 0x10d0 + channelTypes.indexOf(type),
    pixelBytes,
    objectType: objectTypes[kind]!,
  };
  const bytes = new Uint8Array(pixelBytes * sizes.reduce((product, size) => product * size, 1));
  if (pixels) bytes.set(new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.byteLength));
  return { shape, pixels: bytes };
}

/** An image argument of the same pixels that is changed apart from them. */
export function copyOf(image: TestImage): TestArgument & { image: TestImage } {
  return { image: { shape: image.shape, pixels: image.pixels.slice() } };
}

export const samplerBits = {
  normalized: 1,
  none: 0,
  clampToEdge: 2,
  clamp: 4,
  repeat: 6,
  mirroredRepeat: 8,
  nearest: 0x10,
  linear: 0x20,
} as const;
