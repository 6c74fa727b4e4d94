/**
 * Which images of OpenCL the internal formats of OpenGL are (OpenCL 1.2 extensions, table 9.4), as far as WebGL 2 can read
 * them back: normalised bytes, integers, half and single floats, with one, two or four channels.
 */
import { bitsOfHalf } from '../../../ir/half.ts';
import { channelOrder, channelType, type ImageFormat } from '../../../runtime/image-format.ts';

/** A format on both sides. */
export interface SharedFormat {
  readonly image: ImageFormat;
  readonly channels: 1 | 2 | 4;
  /** OpenGL's sized internal format, and the format and type with which an array of such pixels is given to it. */
  readonly internalFormat: number;
  readonly format: number;
  readonly type: number;
  /** An array's own kind for such pixels. */
  readonly Channels: ChannelArrayClass;
  /** How OpenGL gives pixels back: always four channels. */
  readonly readFormat: number;
  readonly readType: number;
  readonly ReadChannels: ChannelArrayClass;
}

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
  UNSIGNED_NORMALIZED: 0x8c17,
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
  readonly readType: number;
  readonly ReadChannels: ChannelArrayClass;
}

const asBytes = { readType: gl.UNSIGNED_BYTE, ReadChannels: Uint8Array };
const asFloats = { readType: gl.FLOAT, ReadChannels: Float32Array };
const asInts = { readType: gl.INT, ReadChannels: Int32Array };
const asUnsigned = { readType: gl.UNSIGNED_INT, ReadChannels: Uint32Array };

// biome-ignore format: a table
const kinds: readonly ChannelKind[] = [
  { component: gl.UNSIGNED_NORMALIZED, bits: 8, type: channelType.UNORM_INT8, glType: gl.UNSIGNED_BYTE, Channels: Uint8Array, internal: [0x8229, 0x822b, 0x8058], ...asBytes },
  { component: gl.FLOAT, bits: 16, type: channelType.HALF_FLOAT, glType: gl.HALF_FLOAT, Channels: Uint16Array, internal: [0x822d, 0x822f, 0x881a], ...asFloats },
  { component: gl.FLOAT, bits: 32, type: channelType.FLOAT, glType: gl.FLOAT, Channels: Float32Array, internal: [0x822e, 0x8230, 0x8814], ...asFloats },
  { component: gl.INT, bits: 8, type: channelType.SIGNED_INT8, glType: gl.BYTE, Channels: Int8Array, internal: [0x8231, 0x8237, 0x8d8e], ...asInts },
  { component: gl.INT, bits: 16, type: channelType.SIGNED_INT16, glType: gl.SHORT, Channels: Int16Array, internal: [0x8233, 0x8239, 0x8d88], ...asInts },
  { component: gl.INT, bits: 32, type: channelType.SIGNED_INT32, glType: gl.INT, Channels: Int32Array, internal: [0x8235, 0x823b, 0x8d82], ...asInts },
  { component: gl.UNSIGNED_INT, bits: 8, type: channelType.UNSIGNED_INT8, glType: gl.UNSIGNED_BYTE, Channels: Uint8Array, internal: [0x8232, 0x8238, 0x8d7c], ...asUnsigned },
  { component: gl.UNSIGNED_INT, bits: 16, type: channelType.UNSIGNED_INT16, glType: gl.UNSIGNED_SHORT, Channels: Uint16Array, internal: [0x8234, 0x823a, 0x8d76], ...asUnsigned },
  { component: gl.UNSIGNED_INT, bits: 32, type: channelType.UNSIGNED_INT32, glType: gl.UNSIGNED_INT, Channels: Uint32Array, internal: [0x8236, 0x823c, 0x8d70], ...asUnsigned },
];

/** The shared format of channels of a component type, with so many bits of red, green, blue and alpha; undefined if none. */
export function sharedFormat(component: number, bits: readonly number[]): SharedFormat | undefined {
  const index = counts.findIndex((count) =>
    bits.every((size, channel) => size === (channel < count ? bits[0] : 0)),
  );
  const kind = kinds.find((each) => each.component === component && each.bits === bits[0]);
  if (index < 0 || !kind) return undefined;
  const isInteger = component === gl.INT || component === gl.UNSIGNED_INT;
  const formats = isInteger ? integerFormats : plainFormats;
  return {
    image: { order: orders[index]!, type: kind.type },
    channels: counts[index]!,
    internalFormat: kind.internal[index]!,
    format: formats[index]!,
    type: kind.glType,
    Channels: kind.Channels,
    readFormat: formats[2],
    readType: kind.readType,
    ReadChannels: kind.ReadChannels,
  };
}

/** Bytes as an array of a format's channels. They begin at a multiple of a channel's size. */
export function channelsOf(Channels: ChannelArrayClass, bytes: Uint8Array): ChannelArray {
  const size = (Channels as unknown as { BYTES_PER_ELEMENT: number }).BYTES_PER_ELEMENT;
  return new Channels(bytes.buffer, bytes.byteOffset, bytes.length / size);
}

/** Whether OpenGL gives pixels back as they lie in an image. */
export function isReadDirectly({ channels, type, readType }: SharedFormat): boolean {
  return channels === 4 && type === readType;
}

/** Takes from pixels as OpenGL gives them back the channels that an image has, in the image's type. */
export function narrow(format: SharedFormat, read: ChannelArray, target: ChannelArray): void {
  const { channels } = format;
  const isHalf = format.type === gl.HALF_FLOAT;
  for (let pixel = 0, from = 0; from < read.length; pixel += channels, from += 4) {
    for (let channel = 0; channel < channels; channel += 1) {
      const value = read[from + channel]!;
      target[pixel + channel] = isHalf ? bitsOfHalf(value) : value;
    }
  }
}
