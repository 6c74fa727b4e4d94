/**
 * BMP pictures (Windows bitmaps). The libraries for PNG and JPEG have no BMP, and the format is a header and rows of pixels, so
 * it is read and written here: headers from OS/2's on, 1 to 32 bits a pixel, palettes, bit masks, run lengths, rows from the
 * bottom or from the top. What is written has 24 bits a pixel, or 32 with masks where there is transparency.
 */
import type { Picture } from './arguments/picture.ts';

/** Values of the header's field for how pixels are stored. */
const compressions = { none: 0, runs8: 1, runs4: 2, masks: 3, masksWithAlpha: 6 } as const;
const fileHeaderBytes = 14;
/** More pixels than this are taken for damage. */
const mostPixels = 1 << 28;

interface Layout {
  readonly width: number;
  readonly height: number;
  readonly isTopDown: boolean;
  readonly bits: number;
  readonly compression: number;
  /** Masks of red, green, blue and alpha in a pixel of 16 or 32 bits. */
  readonly masks: readonly number[];
  readonly palette: Uint8Array;
  readonly pixels: Uint8Array;
}

/** Whether bytes begin as a BMP file does. */
export function isBmp(bytes: Uint8Array): boolean {
  return bytes[0] === 0x42 && bytes[1] === 0x4d;
}

/** The picture in a BMP file's bytes. Throws an Error that says what is wrong with it. */
export function decodeBmp(bytes: Uint8Array): Picture {
  const layout = readHeader(bytes);
  const { width, height, isTopDown, compression } = layout;
  const data = new Uint8Array(width * height * 4);
  const isRuns = compression === compressions.runs8 || compression === compressions.runs4;
  const indices = isRuns ? expandRuns(layout) : undefined;
  const rowBytes = Math.ceil((width * layout.bits) / 32) * 4;
  if (!indices && layout.pixels.length < rowBytes * height) throw new Error('it ends before its last row');
  for (let y = 0; y < height; y++) {
    const stored = isTopDown ? y : height - 1 - y;
    for (let x = 0; x < width; x++) {
      const colour = indices
        ? paletteColour(layout, indices[stored * width + x]!)
        : pixelColour(layout, stored * rowBytes, x);
      data.set(colour, (y * width + x) * 4);
    }
  }
  return { width, height, data };
}

function readHeader(bytes: Uint8Array): Layout {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < fileHeaderBytes + 12) throw new Error('it is damaged: its header is cut off');
  const headerBytes = view.getUint32(fileHeaderBytes, true);
  const isOld = headerBytes === 12;
  if ((!isOld && headerBytes < 40) || fileHeaderBytes + headerBytes > bytes.length) {
    throw new Error(`it is damaged: a header of ${headerBytes} bytes`);
  }
  const at = (offset: number): number => fileHeaderBytes + offset;
  const width = isOld ? view.getUint16(at(4), true) : view.getInt32(at(4), true);
  const signedHeight = isOld ? view.getUint16(at(6), true) : view.getInt32(at(8), true);
  const bits = view.getUint16(at(isOld ? 10 : 14), true);
  const compression = isOld ? compressions.none : view.getUint32(at(16), true);
  const height = Math.abs(signedHeight);
  if (width <= 0 || height === 0 || width * height > mostPixels) {
    throw new Error(`it is damaged: ${width} x ${height} pixels`);
  }
  if (![1, 4, 8, 16, 24, 32].includes(bits) || !fits(compression, bits)) {
    throw new Error(`${bits} bits a pixel with compression ${compression} are not supported`);
  }
  const hasMasks = compression === compressions.masks || compression === compressions.masksWithAlpha;
  const maskCount = compression === compressions.masksWithAlpha || headerBytes >= 56 ? 4 : 3;
  if (hasMasks && at(40 + 4 * maskCount) > bytes.length)
    throw new Error('it is damaged: its header is cut off');
  const masks = hasMasks
    ? Array.from({ length: maskCount }, (_, index) => view.getUint32(at(40 + 4 * index), true))
    : bits === 16
      ? [0x7c00, 0x3e0, 0x1f]
      : [0xff0000, 0xff00, 0xff];
  // Masks behind the shortest header are no part of it.
  const paletteStart = at(headerBytes) + (hasMasks && headerBytes === 40 ? 4 * maskCount : 0);
  const pixelStart = view.getUint32(10, true);
  if (pixelStart > bytes.length || paletteStart > bytes.length)
    throw new Error('it is damaged: it has no pixels');
  const palette = paletteOf(bytes.subarray(paletteStart, Math.max(paletteStart, pixelStart)), isOld ? 3 : 4);
  const pixels = bytes.subarray(pixelStart);
  return { width, height, isTopDown: signedHeight < 0, bits, compression, masks, palette, pixels };
}

/** Whether a compression is known and is one for so many bits a pixel. */
function fits(compression: number, bits: number): boolean {
  switch (compression) {
    case compressions.none:
      return true;
    case compressions.runs8:
      return bits === 8;
    case compressions.runs4:
      return bits === 4;
    case compressions.masks:
    case compressions.masksWithAlpha:
      return bits === 16 || bits === 32;
    default:
      return false;
  }
}

/** Red, green and blue, three bytes a colour, from entries of blue, green, red and, but in the oldest files, a spare byte. */
function paletteOf(bytes: Uint8Array, entryBytes: number): Uint8Array {
  const colours = new Uint8Array(Math.min(256, Math.floor(bytes.length / entryBytes)) * 3);
  for (let to = 0, from = 0; to < colours.length; to += 3, from += entryBytes) {
    colours.set([bytes[from + 2]!, bytes[from + 1]!, bytes[from]!], to);
  }
  return colours;
}

type Colour = readonly [number, number, number, number];

/** A colour of the palette; black beyond its end. */
function paletteColour({ palette }: Layout, index: number): Colour {
  const at = index * 3;
  return [palette[at] ?? 0, palette[at + 1] ?? 0, palette[at + 2] ?? 0, 255];
}

/** The colour of the pixel at a place in a row that begins at a byte. */
function pixelColour(layout: Layout, row: number, x: number): Colour {
  const { bits, pixels, masks } = layout;
  if (bits <= 8) {
    const bit = x * bits;
    const byte = pixels[row + (bit >> 3)]!;
    return paletteColour(layout, (byte >> (8 - bits - (bit & 7))) & (2 ** bits - 1));
  }
  const at = row + (x * bits) / 8;
  if (bits === 24) return [pixels[at + 2]!, pixels[at + 1]!, pixels[at]!, 255];
  let value = pixels[at]! | (pixels[at + 1]! << 8);
  if (bits === 32) value |= (pixels[at + 2]! << 16) | (pixels[at + 3]! << 24);
  const [red, green, blue, alpha = 0] = masks;
  return [
    channel(value, red!),
    channel(value, green!),
    channel(value, blue!),
    alpha === 0 ? 255 : channel(value, alpha),
  ];
}

/** The bits of a mask, stretched to 0 to 255. */
function channel(value: number, mask: number): number {
  if (mask === 0) return 0;
  const shift = 31 - Math.clz32(mask & -mask);
  const most = mask >>> shift;
  return Math.round((((value & mask) >>> shift) * 255) / most);
}

/** The indices of run-length encoded pixels, rows as they are stored; what the runs leave out is 0. */
function expandRuns({ width, height, bits, pixels }: Layout): Uint8Array {
  const indices = new Uint8Array(width * height);
  let [x, y, at] = [0, 0, 0];
  const put = (index: number): void => {
    if (x < width && y < height) indices[y * width + x] = index;
    x += 1;
  };
  /** The index at a place of a run whose bytes begin at `from`. */
  const indexIn = (from: number, place: number): number => {
    if (bits === 8) return pixels[from + place] ?? 0;
    const byte = pixels[from + (place >> 1)] ?? 0;
    return place % 2 === 0 ? byte >> 4 : byte & 15;
  };
  while (at + 1 < pixels.length && y < height) {
    const [count, second] = [pixels[at]!, pixels[at + 1]!];
    at += 2;
    if (count > 0) {
      for (let place = 0; place < count; place++) put(indexIn(at - 1, bits === 8 ? 0 : place % 2));
    } else if (second === 0) [x, y] = [0, y + 1];
    else if (second === 1) break;
    else if (second === 2) {
      x += pixels[at] ?? 0;
      y += pixels[at + 1] ?? 0;
      at += 2;
    } else {
      for (let place = 0; place < second; place++) put(indexIn(at, place));
      // Such runs end at an even byte.
      at += Math.ceil((second * bits) / 16) * 2;
    }
  }
  return indices;
}

/** A BMP file of a picture. */
export function encodeBmp({ width, height, data }: Picture): Uint8Array {
  const isOpaque = !data.some((value, index) => index % 4 === 3 && value !== 255);
  const pixelBytes = isOpaque ? 3 : 4;
  const headerBytes = isOpaque ? 40 : 108;
  const rowBytes = Math.ceil((width * pixelBytes) / 4) * 4;
  const start = fileHeaderBytes + headerBytes;
  const bytes = new Uint8Array(start + rowBytes * height);
  const view = new DataView(bytes.buffer);
  bytes.set([0x42, 0x4d]);
  view.setUint32(2, bytes.length, true);
  view.setUint32(10, start, true);
  view.setUint32(14, headerBytes, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, pixelBytes * 8, true);
  view.setUint32(30, isOpaque ? compressions.none : compressions.masks, true);
  view.setUint32(34, rowBytes * height, true);
  // 72 dots an inch.
  view.setInt32(38, 2835, true);
  view.setInt32(42, 2835, true);
  if (!isOpaque) {
    for (const [index, mask] of [0xff0000, 0xff00, 0xff, 0xff000000].entries()) {
      view.setUint32(54 + 4 * index, mask, true);
    }
    // The colours are sRGB's.
    view.setUint32(70, 0x73524742, true);
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = (y * width + x) * 4;
      const to = start + (height - 1 - y) * rowBytes + x * pixelBytes;
      bytes.set([data[from + 2]!, data[from + 1]!, data[from]!], to);
      if (!isOpaque) bytes[to + 3] = data[from + 3]!;
    }
  }
  return bytes;
}
