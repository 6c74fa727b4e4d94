/** Pictures that programs in C write with a few lines of their own: PGM and PPM, as numbers in text (P2, P3) or as bytes (P5, P6). */
import type { Picture } from '../../../src/cli/arguments/picture.ts';

/** Larger ones are no pictures to look at. */
const mostPixels = 1 << 26;

const whiteSpace = new Set([...' \t\n\v\f\r'].map((character) => character.charCodeAt(0)));
const comment = '#'.charCodeAt(0);
const newline = '\n'.charCodeAt(0);

/** Undefined for what is none, or is shorter than it says. */
export function readNetpbm(bytes: Uint8Array): Picture | undefined {
  const kind = String.fromCharCode(...bytes.subarray(0, 2));
  if (!/^P[2356]$/.test(kind)) return undefined;
  let at = 2;
  /** NaN where there is no number. */
  const number = (): number => {
    while (whiteSpace.has(bytes[at]!) || bytes[at] === comment) {
      if (bytes[at] === comment) while (at < bytes.length && bytes[at] !== newline) at += 1;
      else at += 1;
    }
    let digits = '';
    while (bytes[at]! >= 48 && bytes[at]! <= 57) {
      digits += String.fromCharCode(bytes[at]!);
      at += 1;
    }
    return digits === '' ? Number.NaN : Number(digits);
  };
  const [width, height, most] = [number(), number(), number()];
  if (!(width > 0 && height > 0 && width * height <= mostPixels && most > 0 && most < 65536))
    return undefined;
  const isText = kind === 'P2' || kind === 'P3';
  const channels = kind === 'P3' || kind === 'P6' ? 3 : 1;
  const sampleBytes = most < 256 ? 1 : 2;
  // One byte of white space stands before the samples.
  const start = at + 1;
  if (!isText && bytes.length < start + width * height * channels * sampleBytes) return undefined;
  const sample = (index: number): number => {
    if (isText) return number();
    const place = start + index * sampleBytes;
    return sampleBytes === 1 ? bytes[place]! : bytes[place]! * 256 + bytes[place + 1]!;
  };
  const data = new Uint8Array(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    for (let channel = 0; channel < channels; channel += 1) {
      const value = sample(pixel * channels + channel);
      if (Number.isNaN(value)) return undefined;
      data.fill(
        // Programs forget to keep their values below the most that they have said.
        Math.min(255, Math.round((value * 255) / most)),
        pixel * 4 + channel,
        pixel * 4 + (channels === 1 ? 3 : channel + 1),
      );
    }
    data[pixel * 4 + 3] = 255;
  }
  return { width, height, data };
}
