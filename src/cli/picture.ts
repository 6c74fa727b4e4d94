/**
 * Pictures on the command line: PNG, JPEG, BMP, PGM and PPM files read to RGBA bytes, RGBA written to such files, and shown in a
 * terminal as coloured half blocks. PNG and JPEG are the libraries' work, BMP that of bmp.ts, the last two that of netpbm.ts.
 */
import { existsSync } from 'node:fs';
import { decode as decodePng, encode as encodePng } from 'fast-png';
import jpeg from 'jpeg-js';
import type { ArgumentFiles } from './arguments/files.ts';
import { decodeNetpbm, encodeNetpbm, isNetpbm } from './arguments/netpbm.ts';
import { fileEnding, type Picture } from './arguments/picture.ts';
import { decodeBmp, encodeBmp, isBmp } from './bmp.ts';
import { FailureError } from './errors.ts';
import { readBytes, writeFile } from './files.ts';

/** Arguments that name files find them on the disk. */
export const argumentsOnDisk: ArgumentFiles = { exists: existsSync, bytes: readBytes, picture: readPicture };

/** Reads a PNG, JPEG, BMP, PGM or PPM file, whichever its first bytes say. Throws a {@link FailureError} if it is damaged. */
export function readPicture(path: string): Picture {
  return decodePicture(readBytes(path), path);
}

/** The same of a file's bytes; messages call it `path`. */
export function decodePicture(bytes: Uint8Array, path: string): Picture {
  try {
    if (bytes[0] === 0x89) return fromPng(bytes);
    if (isBmp(bytes)) return decodeBmp(bytes);
    if (isNetpbm(bytes)) return decodeNetpbm(bytes);
    if (bytes[0] !== 0xff) throw new Error('it is neither PNG nor JPEG nor BMP nor PGM nor PPM');
    const { width, height, data } = jpeg.decode(bytes, {
      useTArray: true,
      formatAsRGBA: true,
      maxMemoryUsageInMB: 4096,
    });
    return { width, height, data };
  } catch (error) {
    const why = error instanceof RangeError ? 'it is damaged' : (error as Error).message;
    throw new FailureError(`${path} is not a picture that can be read: ${why}`);
  }
}

function fromPng(bytes: Uint8Array): Picture {
  const png = decodePng(bytes);
  const { width, height, channels, palette } = png;
  const data = new Uint8Array(width * height * 4);
  const shift = png.depth === 16 ? 8 : 0;
  const scale = png.depth < 8 && !palette ? 255 / (2 ** png.depth - 1) : 1;
  const source =
    png.depth < 8 ? unpackBits(png.data as Uint8Array, width, height, channels, png.depth) : png.data;
  for (let pixel = 0; pixel < width * height; pixel++) {
    const at = pixel * channels;
    const sample = (channel: number): number => ((source[at + channel] ?? 0) >> shift) * scale;
    const out = pixel * 4;
    if (palette) {
      const colour = palette[source[at] ?? 0] ?? [0, 0, 0];
      data.set([colour[0] ?? 0, colour[1] ?? 0, colour[2] ?? 0, colour[3] ?? 255], out);
    } else if (channels <= 2) {
      data.fill(sample(0), out, out + 3);
      data[out + 3] = channels === 2 ? sample(1) : 255;
    } else {
      data[out] = sample(0);
      data[out + 1] = sample(1);
      data[out + 2] = sample(2);
      data[out + 3] = channels === 4 ? sample(3) : 255;
    }
  }
  return { width, height, data };
}

/** PNG rows of 1, 2 or 4-bit samples, each row starting at a byte, spread to one byte a sample. */
function unpackBits(
  packed: Uint8Array,
  width: number,
  height: number,
  channels: number,
  depth: number,
): Uint8Array {
  const perRow = Math.ceil((width * channels * depth) / 8);
  const samples = new Uint8Array(width * height * channels);
  const mask = 2 ** depth - 1;
  for (let row = 0; row < height; row++) {
    for (let index = 0; index < width * channels; index++) {
      const bit = index * depth;
      const byte = packed[row * perRow + (bit >> 3)] ?? 0;
      samples[row * width * channels + index] = (byte >> (8 - depth - (bit & 7))) & mask;
    }
  }
  return samples;
}

/** JPEG's quality, of 100: what is lost is hardly seen. */
const jpegQuality = 92;

/** Writes a file in the format that its ending says. JPEG has no transparency, and loses a little of all else. */
export function writePicture(path: string, picture: Picture): void {
  const { width, height, data } = picture;
  switch (fileEnding(path)) {
    case '.bmp':
      writeFile(path, encodeBmp(picture));
      break;
    case '.pgm':
    case '.ppm':
    case '.pnm':
      writeFile(path, encodeNetpbm(picture, fileEnding(path) === '.pgm'));
      break;
    case '.jpg':
    case '.jpeg':
      writeFile(path, jpeg.encode({ width, height, data }, jpegQuality).data);
      break;
    default:
      writeFile(path, encodePng({ width, height, data, channels: 4, depth: 8 }));
  }
}

/** The picture in two-pixel-high character cells, for a terminal that knows 24-bit colours. */
export function drawInTerminal(picture: Picture, columns: number): string {
  const width = Math.min(columns, picture.width);
  const height = Math.max(2, Math.round((picture.height * width) / picture.width / 2) * 2);
  const colour = (x: number, y: number): string => meanColour(picture, x, y, width, height).join(';');
  let text = '';
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x++) text += `\x1b[38;2;${colour(x, y)};48;2;${colour(x, y + 1)}m▀`;
    text += '\x1b[0m\n';
  }
  return text;
}

/** The mean colour of the pixels that one cell of a `width` by `height` raster covers. */
function meanColour(picture: Picture, x: number, y: number, width: number, height: number): number[] {
  const left = Math.floor((x * picture.width) / width);
  const right = Math.max(left + 1, Math.floor(((x + 1) * picture.width) / width));
  const top = Math.min(picture.height - 1, Math.floor((y * picture.height) / height));
  const bottom = Math.min(picture.height, Math.max(top + 1, Math.floor(((y + 1) * picture.height) / height)));
  const sums = [0, 0, 0];
  for (let row = top; row < bottom; row++) {
    for (let column = left; column < right; column++) {
      const at = (row * picture.width + column) * 4;
      for (let channel = 0; channel < 3; channel++) sums[channel]! += picture.data[at + channel] ?? 0;
    }
  }
  const count = (right - left) * (bottom - top);
  return sums.map((sum) => Math.round(sum / count));
}
