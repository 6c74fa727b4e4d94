/** The table of image formats against OpenCL 1.2, tables 5.6 to 5.8, and pixels against sums done by hand. */
import { describe, expect, it } from 'vitest';
import { encodePixel } from '../../src/runtime/image-colour.ts';
import { allFormats, channelOrder, channelType, formatFacts } from '../../src/runtime/image-format.ts';

type Order = keyof typeof channelOrder;
type Type = keyof typeof channelType;
const facts = (order: Order, type: Type) =>
  formatFacts({ order: channelOrder[order], type: channelType[type] });

describe('image formats', () => {
  it('exist where the tables allow them', () => {
    const packed: Type[] = ['UNORM_SHORT_565', 'UNORM_SHORT_555', 'UNORM_INT_101010'];
    const plain = (Object.keys(channelType) as Type[]).filter(
      (type) => !packed.includes(type) && type !== 'UNORM_INT24',
    );
    const bytes: Type[] = ['UNORM_INT8', 'SNORM_INT8', 'SIGNED_INT8', 'UNSIGNED_INT8'];
    const grey: Type[] = ['UNORM_INT8', 'UNORM_INT16', 'SNORM_INT8', 'SNORM_INT16', 'HALF_FLOAT', 'FLOAT'];
    const expected: Record<Order, Type[]> = {
      R: plain,
      A: plain,
      RG: plain,
      RA: plain,
      RGB: packed,
      RGBA: plain,
      BGRA: bytes,
      ARGB: bytes,
      INTENSITY: grey,
      LUMINANCE: grey,
      Rx: plain,
      RGx: plain,
      RGBx: packed,
      DEPTH: ['UNORM_INT16', 'FLOAT'],
      DEPTH_STENCIL: ['UNORM_INT24', 'FLOAT'],
      sRGB: ['UNORM_INT8'],
      sRGBx: ['UNORM_INT8'],
      sRGBA: ['UNORM_INT8'],
      sBGRA: ['UNORM_INT8'],
    };
    for (const [order, types] of Object.entries(expected) as [Order, Type[]][]) {
      for (const type of Object.keys(channelType) as Type[]) {
        expect(facts(order, type) !== undefined, `${order} ${type}`).toBe(types.includes(type));
      }
    }
    // Without those of depths and stencils, which programs cannot create.
    expect(allFormats).toHaveLength(7 * 12 + 2 * 3 + 2 * 4 + 2 * 6 + 2 + 4);
    expect(formatFacts({ order: 0, type: channelType.FLOAT })).toBeUndefined();
  });

  it.each([
    ['R', 'UNORM_INT8', 1],
    ['Rx', 'SNORM_INT16', 2],
    ['RG', 'HALF_FLOAT', 4],
    ['RGx', 'SIGNED_INT32', 8],
    ['RGB', 'UNORM_SHORT_565', 2],
    ['RGBx', 'UNORM_INT_101010', 4],
    ['BGRA', 'UNORM_INT8', 4],
    ['RGBA', 'FLOAT', 16],
    ['LUMINANCE', 'FLOAT', 4],
    ['DEPTH', 'UNORM_INT16', 2],
    ['DEPTH_STENCIL', 'UNORM_INT24', 4],
    ['DEPTH_STENCIL', 'FLOAT', 8],
    ['sRGB', 'UNORM_INT8', 3],
    ['sBGRA', 'UNORM_INT8', 4],
  ] as const)('%s %s takes %i bytes a pixel', (order, type, bytes) => {
    expect(facts(order, type)!.pixelBytes).toBe(bytes);
  });
});

describe('a pixel of a colour', () => {
  // Red 1, green 0.5, blue 0.25, alpha -1: 127.5 and 63.5 of 255 and 127 are rounded to even.
  it.each([
    ['RGBA', 'UNORM_INT8', [255, 128, 64, 0]],
    ['BGRA', 'UNORM_INT8', [64, 128, 255, 0]],
    ['ARGB', 'SNORM_INT8', [0x81, 127, 64, 32]],
    ['A', 'SNORM_INT8', [0x81]],
    ['RA', 'UNORM_INT16', [0xff, 0xff, 0, 0]],
    // 32767 / 2 = 16383.5 becomes 16384.
    ['RG', 'SNORM_INT16', [0xff, 0x7f, 0x00, 0x40]],
    // 31, 31.5 to even, 7.75: 11111 100000 01000.
    ['RGB', 'UNORM_SHORT_565', [0x08, 0xfc]],
    // 11111 10000 01000.
    ['RGBx', 'UNORM_SHORT_555', [0x08, 0x7e]],
    // 1023, 511.5 to even, 255.75: 1111111111 1000000000 0100000000.
    ['RGB', 'UNORM_INT_101010', [0x00, 0x01, 0xf8, 0x3f]],
    ['INTENSITY', 'HALF_FLOAT', [0x00, 0x3c]],
    ['RG', 'FLOAT', [0, 0, 0x80, 0x3f, 0, 0, 0, 0x3f]],
  ] as const)('in %s %s', (order, type, bytes) => {
    expect([...encodePixel(facts(order, type)!, [1, 0.5, 0.25, -1])]).toEqual(bytes);
  });

  it.each([
    ['RGBA', 'UNSIGNED_INT8', [255, 0, 7, 255]],
    ['RGBA', 'SIGNED_INT8', [127, 0x80, 7, 127]],
    ['RG', 'UNSIGNED_INT16', [0xff, 0xff, 0, 0]],
    ['RG', 'SIGNED_INT32', [0xa0, 0x86, 0x01, 0, 0x60, 0x79, 0xfe, 0xff]],
  ] as const)('of whole numbers, which saturate, in %s %s', (order, type, bytes) => {
    expect([...encodePixel(facts(order, type)!, [100_000, -100_000, 7, 300])]).toEqual(bytes);
  });

  it('that is no number', () => {
    expect([...encodePixel(facts('R', 'UNORM_INT8')!, [Number.NaN])]).toEqual([0]);
  });
});
