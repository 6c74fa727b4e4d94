/**
 * Netpbm's pictures: PGM (grey) and PPM (colours), with samples as numbers in text (P2, P3) or as bytes (P5, P6), of which there are one or,
 * where the largest sample is above 255, two, the higher one first. Programs write such files with a few lines of their own.
 */
import type { Picture } from './picture.ts';

/** More pixels than this are taken for damage. */
const mostPixels = 1 << 28;

const codes = { comment: 35, zero: 48, nine: 57, newline: 10 } as const;
const whiteSpace = new Set([9, 10, 11, 12, 13, 32]);

/** Whether bytes begin as a file of the family does, of which PGM and PPM can be read. */
export function isNetpbm(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1]! >= 0x31 && bytes[1]! <= 0x37;
}

export interface NetpbmOptions {
  /** Samples above the largest that the header speaks of are that one; else they are damage. Default false. */
  readonly clamps?: boolean | undefined;
}

/** The picture in such a file, samples brought to 0 to 255. Throws an Error that says what is wrong, of text also where. */
export function decodeNetpbm(bytes: Uint8Array, { clamps = false }: NetpbmOptions = {}): Picture {
  const kind = String.fromCharCode(...bytes.subarray(0, 2));
  if (!/^P[2356]$/.test(kind))
    throw new Error(`it is of netpbm's kind ${kind}: PGM and PPM (P2, P3, P5, P6) can be read`);
  const text = new Numbers(bytes, 2);
  const [width, height] = [text.next(() => 'its width'), text.next(() => 'its height')];
  if (width === 0 || height === 0 || width * height > mostPixels)
    throw new Error(`it is damaged: ${width} x ${height} pixels`);
  const most = text.next(() => 'its largest sample');
  if (most === 0 || most > 65535)
    throw new Error(`it is damaged: ${most} for the largest sample, which is from 1 to 65535${text.where()}`);
  const channels = kind === 'P3' || kind === 'P6' ? 3 : 1;
  const count = width * height * channels;
  const isText = kind === 'P2' || kind === 'P3';
  const sample = isText
    ? (index: number) => text.next(() => `sample ${index + 1} of ${count}`)
    : samplesIn(bytes, text.behindSpace(), most, count);
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let index = 0; index < count; index += 1) {
    const value = sample(index);
    if (value > most && !clamps) {
      const where = isText ? text.where() : `, sample ${index + 1} of ${count}`;
      throw new Error(`it is damaged: a sample of ${value} where ${most} is the largest${where}`);
    }
    const byte = Math.round((Math.min(value, most) * 255) / most);
    if (channels === 1) data.fill(byte, index * 4, index * 4 + 3);
    else data[Math.floor(index / 3) * 4 + (index % 3)] = byte;
  }
  return { width, height, data };
}

/** Reads samples of one or two bytes from a place on. */
function samplesIn(bytes: Uint8Array, start: number, most: number, count: number): (index: number) => number {
  const size = most < 256 ? 1 : 2;
  const rest = Math.max(0, bytes.length - start);
  if (rest < count * size)
    throw new Error(`it ends before its last row: ${rest} bytes of samples, not ${count * size}`);
  return size === 1
    ? (index) => bytes[start + index]!
    : (index) => bytes[start + index * 2]! * 256 + bytes[start + index * 2 + 1]!;
}

/** The decimal numbers in a text, with white space and comments between them. */
class Numbers {
  readonly #bytes: Uint8Array;
  /** Where the next number is looked for, and where the last one began. */
  #at: number;
  #last = 0;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** The next number. Throws an Error if there is none; `what` is what it would be. */
  next(what: () => string): number {
    const bytes = this.#bytes;
    const before = this.#at;
    this.#skip();
    this.#last = this.#at;
    let value = 0;
    while (bytes[this.#at]! >= codes.zero && bytes[this.#at]! <= codes.nine) {
      // No number that can stand here has so many digits, and what is beyond is no more than that.
      value = Math.min(value * 10 + bytes[this.#at]! - codes.zero, 2 ** 32);
      this.#at += 1;
    }
    if (this.#at > this.#last && this.#last > before) return value;
    if (this.#last >= bytes.length) throw new Error(`it ends before ${what()}`);
    const found = String.fromCodePoint(bytes[this.#last]!);
    const shown = /[!-~]/.test(found) ? `'${found}'` : 'something';
    throw new Error(`it is damaged: ${shown} is no number, where ${what()} would be${this.where()}`);
  }

  #skip(): void {
    const bytes = this.#bytes;
    for (;;) {
      if (whiteSpace.has(bytes[this.#at]!)) this.#at += 1;
      else if (bytes[this.#at] === codes.comment)
        while (this.#at < bytes.length && bytes[this.#at] !== codes.newline) this.#at += 1;
      else return;
    }
  }

  /** Behind the one byte of white space that the header ends with. */
  behindSpace(): number {
    if (this.#at < this.#bytes.length && !whiteSpace.has(this.#bytes[this.#at]!)) {
      this.#last = this.#at;
      throw new Error(`it is damaged: no white space before the samples${this.where()}`);
    }
    return this.#at + 1;
  }

  /** Line and column of the last number, as the end of a message. */
  where(): string {
    const before = this.#bytes.subarray(0, this.#last);
    const start = before.lastIndexOf(codes.newline) + 1;
    const line = before.reduce((lines, byte) => lines + Number(byte === codes.newline), 1);
    return `, line ${line}, column ${this.#last - start + 1}`;
  }
}

/** A PPM file of a picture (P6), or in grey a PGM file (P5): the luminance of ITU-R BT.601. Neither has transparency. */
export function encodeNetpbm({ width, height, data }: Picture, isGrey: boolean): Uint8Array {
  const header = new TextEncoder().encode(`${isGrey ? 'P5' : 'P6'}\n${width} ${height}\n255\n`);
  const channels = isGrey ? 1 : 3;
  const bytes = new Uint8Array(header.length + width * height * channels);
  bytes.set(header);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const [red = 0, green = 0, blue = 0] = data.subarray(pixel * 4, pixel * 4 + 3);
    const at = header.length + pixel * channels;
    if (isGrey) bytes[at] = Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
    else bytes.set([red, green, blue], at);
  }
  return bytes;
}
