/**
 * Pixels in memory as colours, and colours as pixels (OpenCL 1.2, 8.3 and 5.3.1.1): the meaning of every channel order
 * and data type, by the numbers of cl.h.
 */
import { bitsOfHalf, halfFromBits } from '../half.ts';
import type { Colour, InterpreterImage } from './images.ts';
import { roundEven } from './rounding.ts';
import { encodedColour, linearColour } from './srgb.ts';

/** One channel in memory: how it is read, and how a number becomes one. */
interface ChannelType {
  readonly bytes: number;
  read(view: DataView, offset: number): number;
  write(view: DataView, offset: number, value: number): void;
}

/** Channels of several bits in one number. */
interface PackedType {
  readonly bytes: 2 | 4;
  /** Of red, green and blue: the lowest bit, and how many. */
  readonly fields: readonly (readonly [shift: number, bits: number])[];
}

const f = Math.fround;

function clamp(value: number, low: number, high: number): number {
  return Number.isNaN(value) ? 0 : Math.min(Math.max(value, low), high);
}

/** Numbers from 0 to 1. */
function unsignedNormal(bytes: 1 | 2): ChannelType {
  const largest = 2 ** (8 * bytes) - 1;
  return {
    bytes,
    read: (view, at) => f((bytes === 1 ? view.getUint8(at) : view.getUint16(at, true)) / largest),
    write: (view, at, value) => {
      const stored = clamp(roundEven(f(value * largest)), 0, largest);
      if (bytes === 1) view.setUint8(at, stored);
      else view.setUint16(at, stored, true);
    },
  };
}

/** Numbers from -1 to 1. */
function signedNormal(bytes: 1 | 2): ChannelType {
  const largest = 2 ** (8 * bytes - 1) - 1;
  return {
    bytes,
    read: (view, at) => f(Math.max((bytes === 1 ? view.getInt8(at) : view.getInt16(at, true)) / largest, -1)),
    write: (view, at, value) => {
      const stored = clamp(roundEven(f(value * largest)), -largest - 1, largest);
      if (bytes === 1) view.setInt8(at, stored);
      else view.setInt16(at, stored, true);
    },
  };
}

/** The program's integers are 32 bits; here they come in the signed reading. */
function signedInteger(bytes: 1 | 2 | 4): ChannelType {
  const limit = 2 ** (8 * bytes - 1);
  return {
    bytes,
    read: (view, at) =>
      bytes === 1 ? view.getInt8(at) : bytes === 2 ? view.getInt16(at, true) : view.getInt32(at, true),
    write: (view, at, value) => {
      const stored = clamp(value, -limit, limit - 1);
      if (bytes === 1) view.setInt8(at, stored);
      else if (bytes === 2) view.setInt16(at, stored, true);
      else view.setInt32(at, stored, true);
    },
  };
}

function unsignedInteger(bytes: 1 | 2 | 4): ChannelType {
  const largest = 2 ** (8 * bytes) - 1;
  return {
    bytes,
    read: (view, at) =>
      bytes === 1 ? view.getUint8(at) : bytes === 2 ? view.getUint16(at, true) : view.getInt32(at, true),
    write: (view, at, value) => {
      const stored = clamp(value >>> 0, 0, largest);
      if (bytes === 1) view.setUint8(at, stored);
      else if (bytes === 2) view.setUint16(at, stored, true);
      else view.setUint32(at, stored, true);
    },
  };
}

const half: ChannelType = {
  bytes: 2,
  read: (view, at) => halfFromBits(view.getUint16(at, true)),
  write: (view, at, value) => view.setUint16(at, bitsOfHalf(value), true),
};

const single: ChannelType = {
  bytes: 4,
  read: (view, at) => view.getFloat32(at, true),
  write: (view, at, value) => view.setFloat32(at, value, true),
};

/** Depths in the first 24 bits of a word, whose others are a stencil. */
const depth24: ChannelType = {
  bytes: 4,
  read: (view, at) => f((view.getUint32(at, true) >>> 8) / 0xffffff),
  write: (view, at, value) =>
    view.setUint32(at, clamp(roundEven(f(value * 0xffffff)), 0, 0xffffff) * 256, true),
};

/** By cl_channel_type, from CL_SNORM_INT8 = 0x10D0 on. */
const channelTypes: readonly (ChannelType | PackedType)[] = [
  signedNormal(1),
  signedNormal(2),
  unsignedNormal(1),
  unsignedNormal(2),
  {
    bytes: 2,
    fields: [
      [11, 5],
      [5, 6],
      [0, 5],
    ],
  },
  {
    bytes: 2,
    fields: [
      [10, 5],
      [5, 5],
      [0, 5],
    ],
  },
  {
    bytes: 4,
    fields: [
      [20, 10],
      [10, 10],
      [0, 10],
    ],
  },
  signedInteger(1),
  signedInteger(2),
  signedInteger(4),
  unsignedInteger(1),
  unsignedInteger(2),
  unsignedInteger(4),
  half,
  single,
  depth24,
];

/**
 * Which channels lie in memory one after another, by cl_channel_order, from CL_R = 0x10B0 on: i is intensity, l luminance.
 * The stencil of CL_DEPTH_STENCIL is not for kernels.
 */
const channelOrders = (
  'r a rg ra rgb rgba bgra argb i l r rg rgb ' + // to CL_RGBx
  'r r rgb rgb rgba bgra'
).split(' '); // CL_DEPTH to CL_sBGRA

/** CL_sRGB to CL_sBGRA. */
function isEncoded({ channelOrder }: InterpreterImage): boolean {
  return channelOrder >= 0x10bf && channelOrder <= 0x10c2;
}

function formatOf({ channelOrder, channelType }: InterpreterImage): [string, ChannelType | PackedType] {
  const order = channelOrders[channelOrder - 0x10b0];
  const type = channelTypes[channelType - 0x10d0];
  if (order === undefined || type === undefined) {
    throw new Error(`no image format of order ${channelOrder} and type ${channelType}`);
  }
  return [order, type];
}

/** What the program sees of a pixel (OpenCL 1.2, table 6.23). */
export function decodePixel(image: InterpreterImage, view: DataView, offset: number): Colour {
  const [order, type] = formatOf(image);
  if ('fields' in type) {
    const pixel = type.bytes === 2 ? view.getUint16(offset, true) : view.getUint32(offset, true);
    const [r, g, b] = type.fields.map(([shift, bits]) => {
      const largest = 2 ** bits - 1;
      return f(((pixel >>> shift) & largest) / largest);
    });
    return [r!, g!, b!, 1];
  }
  const channel = (index: number): number => type.read(view, offset + index * type.bytes);
  if (order === 'i') return [channel(0), channel(0), channel(0), channel(0)];
  if (order === 'l') return [channel(0), channel(0), channel(0), 1];
  const colour: Colour = [0, 0, 0, 1];
  for (let index = 0; index < order.length; index += 1) {
    const lane = 'rgba'.indexOf(order[index]!);
    const isLinear = lane === 3 || !isEncoded(image);
    colour[lane] = isLinear ? channel(index) : linearColour(view.getUint8(offset + index) / 255);
  }
  return colour;
}

export function encodePixel(
  image: InterpreterImage,
  view: DataView,
  offset: number,
  colour: readonly number[],
): void {
  const [order, type] = formatOf(image);
  if ('fields' in type) {
    let pixel = 0;
    type.fields.forEach(([shift, bits], lane) => {
      const largest = 2 ** bits - 1;
      pixel |= clamp(roundEven(f(colour[lane]! * largest)), 0, largest) << shift;
    });
    if (type.bytes === 2) view.setUint16(offset, pixel, true);
    else view.setUint32(offset, pixel, true);
    return;
  }
  for (let index = 0; index < order.length; index += 1) {
    // Intensity and luminance are taken from red.
    const lane = Math.max('rgba'.indexOf(order[index]!), 0);
    const value = colour[lane]!;
    type.write(
      view,
      offset + index * type.bytes,
      lane < 3 && isEncoded(image) ? encodedColour(value) : value,
    );
  }
}
