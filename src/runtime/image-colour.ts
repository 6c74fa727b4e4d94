/** One pixel from a colour, for fills (OpenCL 1.2, 5.3.3 for the colour's form and 8.3 for the conversions). */
import { bitsOfHalf } from '../ir/half.ts';
import { encodedColour } from '../ir/interpreter/srgb.ts';
import { channelType, type FormatFacts } from './image-format.ts';

/** For packed types: where each of red, green and blue begins and how many bits it has. */
const fields: Readonly<Record<number, readonly (readonly [shift: number, bits: number])[]>> = {
  [channelType.UNORM_SHORT_565]: [
    [11, 5],
    [5, 6],
    [0, 5],
  ],
  [channelType.UNORM_SHORT_555]: [
    [10, 5],
    [5, 5],
    [0, 5],
  ],
  [channelType.UNORM_INT_101010]: [
    [20, 10],
    [10, 10],
    [0, 10],
  ],
};

/**
 * The bytes of a pixel. `colour` is red, green, blue and alpha: floating point for normalised and floating formats, whole
 * numbers for the others, which take the nearest that they can hold.
 */
export function encodePixel(format: FormatFacts, colour: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(format.pixelBytes);
  const view = new DataView(bytes.buffer);
  const packedFields = fields[format.type];
  if (packedFields) {
    let word = 0;
    for (const [component, [shift, bits]] of packedFields.entries()) {
      word += normalised(colour[component] ?? 0, 0, 2 ** bits - 1) * 2 ** shift;
    }
    if (format.pixelBytes === 2) view.setUint16(0, word, true);
    else view.setUint32(0, word, true);
    return bytes;
  }
  const write = writers[format.type]!;
  for (const [place, component] of format.components.entries()) {
    const value = colour[component] ?? 0;
    const isLinear = !format.isEncoded || component === 3;
    write(view, place * format.storage.bytes, isLinear ? value : encodedColour(value));
  }
  return bytes;
}

const writers: Readonly<Record<number, (view: DataView, at: number, value: number) => void>> = {
  [channelType.UNORM_INT8]: (view, at, value) => view.setUint8(at, normalised(value, 0, 255)),
  [channelType.UNORM_INT16]: (view, at, value) => view.setUint16(at, normalised(value, 0, 65535), true),
  [channelType.SNORM_INT8]: (view, at, value) => view.setInt8(at, normalised(value, -128, 127)),
  [channelType.SNORM_INT16]: (view, at, value) => view.setInt16(at, normalised(value, -32768, 32767), true),
  [channelType.HALF_FLOAT]: (view, at, value) => view.setUint16(at, bitsOfHalf(value), true),
  [channelType.FLOAT]: (view, at, value) => view.setFloat32(at, value, true),
  [channelType.SIGNED_INT8]: (view, at, value) => view.setInt8(at, within(value, -128, 127)),
  [channelType.SIGNED_INT16]: (view, at, value) => view.setInt16(at, within(value, -32768, 32767), true),
  [channelType.SIGNED_INT32]: (view, at, value) =>
    view.setInt32(at, within(value, -(2 ** 31), 2 ** 31 - 1), true),
  [channelType.UNSIGNED_INT8]: (view, at, value) => view.setUint8(at, within(value, 0, 255)),
  [channelType.UNSIGNED_INT16]: (view, at, value) => view.setUint16(at, within(value, 0, 65535), true),
  [channelType.UNSIGNED_INT32]: (view, at, value) => view.setUint32(at, within(value, 0, 2 ** 32 - 1), true),
};

/** A number from [-1, 1] or [0, 1] as a whole one: times the largest, rounded to nearest even, within bounds; NaN is 0. */
function normalised(value: number, least: number, most: number): number {
  // The product is one of single precision, as a kernel's would be.
  return within(roundToEven(Math.fround(Math.fround(value) * most)), least, most);
}

function within(value: number, least: number, most: number): number {
  return Number.isNaN(value) ? 0 : Math.min(most, Math.max(least, Math.trunc(value)));
}

function roundToEven(value: number): number {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
