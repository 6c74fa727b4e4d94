/**
 * Which images of OpenCL the internal formats of WebGL 2 are (OpenCL 2.0 extensions, table 9.4 and what cl_khr_gl_depth_images adds to it,
 * and depths of 24 bits, which the table leaves out): normalised bytes, integers, half and single floats with one, two or four channels,
 * bytes of the sRGB encoding with four, and depths.
 */
import { bitsOfHalf } from '../../../ir/half.ts';
import { channelOrder, channelType, type ImageFormat } from '../../../runtime/image-format.ts';

/** A format on both sides. */
export interface SharedFormat {
  readonly image: ImageFormat;
  /** Numbers of a pixel that OpenGL has too, and those that the image has: the stencil beside a float depth has a place, but no value. */
  readonly channels: 1 | 2 | 4;
  readonly stride: 1 | 2 | 4;
  /** OpenGL's sized internal format, and the format and type with which an array of such pixels is given to it. */
  readonly internalFormat: number;
  readonly format: number;
  readonly type: number;
  /** An array's own kind for such pixels. */
  readonly Channels: ChannelArrayClass;
  /** How OpenGL gives pixels back, always four channels; undefined for what a shader has to sample (sampling.ts). */
  readonly read: ReadFormat | undefined;
  /** What a number that OpenGL gave is in the image; undefined for one that stays as it is. */
  readonly toImage: ((value: number) => number) | undefined;
  /** For depths that OpenGL takes in another form than the image's. */
  readonly depth?: DepthWriting;
}

interface ReadFormat {
  readonly format: number;
  readonly type: number;
  readonly Channels: ChannelArrayClass;
}

/** Depths of 24 bits are written as whole numbers; those that have a stencil beside them are drawn. */
export type DepthWriting =
  | { readonly way: 'upload'; readonly encode: (value: number) => number }
  | { readonly way: 'draw'; readonly decode: (value: number) => number };

type ChannelArray =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array;
type ChannelArrayClass = new (buffer: ArrayBufferLike, byteOffset: number, length: number) => ChannelArray;

/** Numbers of OpenGL ES 3.0; an object of the context has them too, but tables are made without one. */
const gl = {
  BYTE: 0x1400,
  UNSIGNED_BYTE: 0x1401,
  SHORT: 0x1402,
  UNSIGNED_SHORT: 0x1403,
  INT: 0x1404,
  UNSIGNED_INT: 0x1405,
  FLOAT: 0x1406,
  HALF_FLOAT: 0x140b,
  DEPTH_COMPONENT: 0x1902,
  DEPTH_STENCIL: 0x84f9,
  UNSIGNED_INT_24_8: 0x84fa,
  FLOAT_32_UNSIGNED_INT_24_8_REV: 0x8dad,
  UNSIGNED_NORMALIZED: 0x8c17,
  SIGNED_NORMALIZED: 0x8f9c,
} as const;

/** Formats for 1, 2 and 4 channels. */
const plainFormats = [0x1903, 0x8227, 0x1908] as const; // RED, RG, RGBA
const integerFormats = [0x8d94, 0x8228, 0x8d99] as const; // RED_INTEGER, RG_INTEGER, RGBA_INTEGER
const orders = [channelOrder.R, channelOrder.RG, channelOrder.RGBA] as const;
const counts = [1, 2, 4] as const;

/** What a channel is, by OpenGL's component type and bits, with the internal formats for 1, 2 and 4 channels. */
interface ChannelKind {
  readonly component: number;
  readonly bits: number;
  readonly type: number;
  readonly glType: number;
  readonly Channels: ChannelArrayClass;
  readonly internal: readonly [number, number, number];
  readonly read: Omit<ReadFormat, 'format'> | undefined;
  readonly toImage?: (value: number) => number;
}

const asBytes = { read: { type: gl.UNSIGNED_BYTE, Channels: Uint8Array } };
const asFloats = { read: { type: gl.FLOAT, Channels: Float32Array } };
const asHalves = { ...asFloats, toImage: bitsOfHalf };
const asInts = { read: { type: gl.INT, Channels: Int32Array } };
const asUnsigned = { read: { type: gl.UNSIGNED_INT, Channels: Uint32Array } };
/** Sampled: floats that are so many times smaller. */
const asParts = (most: number) => ({ read: undefined, toImage: (value: number) => Math.round(value * most) });

// biome-ignore format: a table
const kinds: readonly ChannelKind[] = [
  { component: gl.UNSIGNED_NORMALIZED, bits: 8, type: channelType.UNORM_INT8, glType: gl.UNSIGNED_BYTE, Channels: Uint8Array, internal: [0x8229, 0x822b, 0x8058], ...asBytes },
  { component: gl.SIGNED_NORMALIZED, bits: 8, type: channelType.SNORM_INT8, glType: gl.BYTE, Channels: Int8Array, internal: [0x8f94, 0x8f95, 0x8f97], ...asParts(127) },
  { component: gl.FLOAT, bits: 16, type: channelType.HALF_FLOAT, glType: gl.HALF_FLOAT, Channels: Uint16Array, internal: [0x822d, 0x822f, 0x881a], ...asHalves },
  { component: gl.FLOAT, bits: 32, type: channelType.FLOAT, glType: gl.FLOAT, Channels: Float32Array, internal: [0x822e, 0x8230, 0x8814], ...asFloats },
  { component: gl.INT, bits: 8, type: channelType.SIGNED_INT8, glType: gl.BYTE, Channels: Int8Array, internal: [0x8231, 0x8237, 0x8d8e], ...asInts },
  { component: gl.INT, bits: 16, type: channelType.SIGNED_INT16, glType: gl.SHORT, Channels: Int16Array, internal: [0x8233, 0x8239, 0x8d88], ...asInts },
  { component: gl.INT, bits: 32, type: channelType.SIGNED_INT32, glType: gl.INT, Channels: Int32Array, internal: [0x8235, 0x823b, 0x8d82], ...asInts },
  { component: gl.UNSIGNED_INT, bits: 8, type: channelType.UNSIGNED_INT8, glType: gl.UNSIGNED_BYTE, Channels: Uint8Array, internal: [0x8232, 0x8238, 0x8d7c], ...asUnsigned },
  { component: gl.UNSIGNED_INT, bits: 16, type: channelType.UNSIGNED_INT16, glType: gl.UNSIGNED_SHORT, Channels: Uint16Array, internal: [0x8234, 0x823a, 0x8d76], ...asUnsigned },
  { component: gl.UNSIGNED_INT, bits: 32, type: channelType.UNSIGNED_INT32, glType: gl.UNSIGNED_INT, Channels: Uint32Array, internal: [0x8236, 0x823c, 0x8d70], ...asUnsigned },
];

/**
 * The shared format of channels of a component type, with so many bits of red, green, blue and alpha, `isEncoded` for colours in the
 * sRGB encoding; undefined if none.
 */
export function sharedFormat(
  component: number,
  bits: readonly number[],
  isEncoded: boolean,
): SharedFormat | undefined {
  const index = counts.findIndex((count) =>
    bits.every((size, channel) => size === (channel < count ? bits[0] : 0)),
  );
  const kind = kinds.find((each) => each.component === component && each.bits === bits[0]);
  if (index < 0 || !kind) return undefined;
  if (isEncoded && (index !== 2 || kind.type !== channelType.UNORM_INT8)) return undefined;
  const isInteger = component === gl.INT || component === gl.UNSIGNED_INT;
  const formats = isInteger ? integerFormats : plainFormats;
  return {
    image: { order: isEncoded ? channelOrder.sRGBA : orders[index]!, type: kind.type },
    channels: counts[index]!,
    stride: counts[index]!,
    internalFormat: isEncoded ? encodedFormat : kind.internal[index]!,
    format: formats[index]!,
    type: kind.glType,
    Channels: kind.Channels,
    read: kind.read && { format: formats[2], ...kind.read },
    toImage: kind.toImage,
  };
}

/** SRGB8_ALPHA8. */
const encodedFormat = 0x8c43;

const most24 = 2 ** 24 - 1;
const in24 = (value: number): number => Math.round(Math.min(Math.max(value, 0), 1) * most24);

const { DEPTH, DEPTH_STENCIL } = channelOrder;

interface DepthKind extends Omit<SharedFormat, 'channels' | 'read'> {
  readonly component: number;
  readonly bits: number;
  readonly hasStencil: boolean;
}

const depthKinds: readonly DepthKind[] = [
  {
    component: gl.UNSIGNED_NORMALIZED,
    bits: 16,
    hasStencil: false,
    image: { order: DEPTH, type: channelType.UNORM_INT16 },
    stride: 1,
    internalFormat: 0x81a5,
    format: gl.DEPTH_COMPONENT,
    type: gl.UNSIGNED_SHORT,
    Channels: Uint16Array,
    toImage: (value) => Math.round(value * 65535),
  },
  {
    component: gl.UNSIGNED_NORMALIZED,
    bits: 24,
    hasStencil: false,
    image: { order: DEPTH, type: channelType.FLOAT },
    stride: 1,
    internalFormat: 0x81a6,
    format: gl.DEPTH_COMPONENT,
    type: gl.UNSIGNED_INT,
    Channels: Float32Array,
    toImage: undefined,
    // OpenGL takes 32 bits for a number between 0 and 1: the 24, and their first again.
    depth: { way: 'upload', encode: (value) => in24(value) * 256 + Math.floor(in24(value) / 65536) },
  },
  {
    component: gl.FLOAT,
    bits: 32,
    hasStencil: false,
    image: { order: DEPTH, type: channelType.FLOAT },
    stride: 1,
    internalFormat: 0x8cac,
    format: gl.DEPTH_COMPONENT,
    type: gl.FLOAT,
    Channels: Float32Array,
    toImage: undefined,
  },
  {
    component: gl.UNSIGNED_NORMALIZED,
    bits: 24,
    hasStencil: true,
    image: { order: DEPTH_STENCIL, type: channelType.UNORM_INT24 },
    stride: 1,
    internalFormat: 0x88f0,
    format: gl.DEPTH_STENCIL,
    type: gl.UNSIGNED_INT_24_8,
    Channels: Uint32Array,
    toImage: (value) => in24(value) * 256,
    depth: { way: 'draw', decode: (value) => Math.floor(value / 256) / most24 },
  },
  {
    component: gl.FLOAT,
    bits: 32,
    hasStencil: true,
    image: { order: DEPTH_STENCIL, type: channelType.FLOAT },
    stride: 2,
    internalFormat: 0x8cad,
    format: gl.DEPTH_STENCIL,
    type: gl.FLOAT_32_UNSIGNED_INT_24_8_REV,
    Channels: Float32Array,
    toImage: undefined,
    depth: { way: 'draw', decode: (value) => value },
  },
];

/** The shared format of depths of a component type with so many bits, alone or beside a stencil; undefined if none. */
export function sharedDepthFormat(
  component: number,
  bits: number,
  hasStencil: boolean,
): SharedFormat | undefined {
  const kind = depthKinds.find(
    (each) => each.component === component && each.bits === bits && each.hasStencil === hasStencil,
  );
  return kind && { ...kind, channels: 1, read: undefined };
}

/** Bytes as an array of a format's channels. They begin at a multiple of a channel's size. */
export function channelsOf(Channels: ChannelArrayClass, bytes: Uint8Array): ChannelArray {
  const size = (Channels as unknown as { BYTES_PER_ELEMENT: number }).BYTES_PER_ELEMENT;
  return new Channels(bytes.buffer, bytes.byteOffset, bytes.length / size);
}

/** Whether OpenGL gives pixels back as they lie in an image. */
export function isReadDirectly({ channels, type, read, toImage }: SharedFormat): boolean {
  return channels === 4 && type === read?.type && !toImage;
}

/** Takes from pixels as OpenGL gives them back, four numbers each, the channels that an image has, in the image's type. */
export function narrow(format: SharedFormat, read: ChannelArray, target: ChannelArray): void {
  const { channels, stride, toImage } = format;
  for (let pixel = 0, from = 0; from < read.length; pixel += stride, from += 4) {
    for (let channel = 0; channel < channels; channel += 1) {
      const value = read[from + channel]!;
      target[pixel + channel] = toImage ? toImage(value) : value;
    }
  }
}

/** An image's pixels as OpenGL takes them in an array. */
export function pixelsFor({ Channels, depth }: SharedFormat, bytes: Uint8Array): ChannelArray {
  const pixels = channelsOf(Channels, bytes);
  return depth?.way === 'upload' ? Uint32Array.from(pixels, depth.encode) : pixels;
}
