// Picture files of every PNG and BMP form and JPEG, and pictures in a terminal.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import jpeg from 'jpeg-js';
import { afterAll, expect, test } from 'vitest';
import { drawInTerminal, readPicture, writePicture } from '../../src/cli/picture.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-picture-'));
afterAll(() => rmSync(folder, { recursive: true }));

function chunk(type: string, data: readonly number[] | Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), Buffer.from(data)]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG file from its parts, written by the rules of the format; rows without their filter byte. */
function png(
  size: readonly [number, number],
  depth: number,
  colourType: number,
  rows: readonly (readonly number[])[],
  extra: readonly Buffer[] = [],
): string {
  const path = join(folder, `${depth}-${colourType}-${extra.length}.png`);
  const [width, height] = size;
  writeFileSync(
    path,
    Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
      chunk('IHDR', [0, 0, 0, width, 0, 0, 0, height, depth, colourType, 0, 0, 0]),
      ...extra,
      chunk('IDAT', deflateSync(Buffer.from(rows.flatMap((row) => [0, ...row])))),
      chunk('IEND', []),
    ]),
  );
  return path;
}

const pixels = (path: string): number[] => [...readPicture(path).data];
const palette = chunk('PLTE', [1, 2, 3, 10, 11, 12, 20, 21, 22, 30, 31, 32]);

test.each<[string, () => string, number[]]>([
  ['grey', () => png([2, 1], 8, 0, [[7, 200]]), [7, 7, 7, 255, 200, 200, 200, 255]],
  [
    'grey, 1 bit',
    () => png([3, 1], 1, 0, [[0b10100000]]),
    [255, 255, 255, 255, 0, 0, 0, 255, 255, 255, 255, 255],
  ],
  ['grey, 4 bits', () => png([1, 2], 4, 0, [[0x80], [0xf0]]), [136, 136, 136, 255, 255, 255, 255, 255]],
  ['grey, 16 bits', () => png([1, 1], 16, 0, [[9, 255]]), [9, 9, 9, 255]],
  ['grey and alpha', () => png([1, 1], 8, 4, [[9, 70]]), [9, 9, 9, 70]],
  ['RGB', () => png([2, 1], 8, 2, [[1, 2, 3, 4, 5, 6]]), [1, 2, 3, 255, 4, 5, 6, 255]],
  ['RGB, 16 bits', () => png([1, 1], 16, 2, [[1, 255, 2, 255, 3, 255]]), [1, 2, 3, 255]],
  ['RGBA', () => png([1, 1], 8, 6, [[1, 2, 3, 4]]), [1, 2, 3, 4]],
  ['palette', () => png([2, 1], 8, 3, [[1, 0]], [palette]), [10, 11, 12, 255, 1, 2, 3, 255]],
  [
    'palette, 2 bits, transparency',
    () => png([4, 1], 2, 3, [[0b00011011]], [palette, chunk('tRNS', [7])]),
    [1, 2, 3, 7, 10, 11, 12, 255, 20, 21, 22, 255, 30, 31, 32, 255],
  ],
])('%s', (_, make, expected) => {
  expect(pixels(make())).toEqual(expected);
});

test('JPEG, whatever the file is called', () => {
  const path = join(folder, 'jpeg.png');
  const data = new Uint8Array(8 * 8 * 4).fill(100);
  writeFileSync(path, jpeg.encode({ width: 8, height: 8, data }, 100).data);
  const picture = readPicture(path);
  expect([picture.width, picture.height]).toEqual([8, 8]);
  for (const channel of picture.data.slice(0, 3)) expect(Math.abs(channel - 100)).toBeLessThan(3);
});

/** A BMP file from its parts, written by the rules of the format (BITMAPFILEHEADER, BITMAPINFOHEADER and what follows). */
function bmp(
  size: readonly [number, number],
  bits: number,
  compression: number,
  afterHeader: readonly number[],
  pixelBytes: readonly number[],
): string {
  const path = join(folder, `${bits}-${compression}-${size.join('-')}.bmp`);
  const header = Buffer.alloc(54);
  header.write('BM', 'latin1');
  header.writeUInt32LE(54 + afterHeader.length + pixelBytes.length, 2);
  header.writeUInt32LE(54 + afterHeader.length, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(size[0], 18);
  header.writeInt32LE(size[1], 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(bits, 28);
  header.writeUInt32LE(compression, 30);
  writeFileSync(path, Buffer.concat([header, Buffer.from(afterHeader), Buffer.from(pixelBytes)]));
  return path;
}

/** Black, red, green and blue, as entries of blue, green, red and a spare byte. */
const bmpPalette = [0, 0, 0, 0, 0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0];
const [black, red, green, blue] = [
  [0, 0, 0, 255],
  [255, 0, 0, 255],
  [0, 255, 0, 255],
  [0, 0, 255, 255],
];

test.each<[string, () => string, readonly (readonly number[] | undefined)[]]>([
  // Rows from the bottom, each filled up to four bytes.
  ['24 bits', () => bmp([1, 2], 24, 0, [], [0, 255, 0, 9, 0, 0, 255, 9]), [red, green]],
  ['32 bits, from the top', () => bmp([1, -2], 32, 0, [], [0, 0, 255, 9, 255, 0, 0, 9]), [red, blue]],
  ['1 bit', () => bmp([3, 1], 1, 0, bmpPalette, [0b01000000, 0, 0, 0]), [black, red, black]],
  ['4 bits', () => bmp([3, 1], 4, 0, bmpPalette, [0x12, 0x30, 0, 0]), [red, green, blue]],
  ['8 bits', () => bmp([2, 1], 8, 0, bmpPalette, [3, 1, 0, 0]), [blue, red]],
  ['16 bits', () => bmp([2, 1], 16, 0, [], [0x00, 0x7c, 0x1f, 0x00]), [red, blue]],
  [
    '16 bits with masks of 5, 6 and 5',
    () => bmp([2, 1], 16, 3, [0, 0xf8, 0, 0, 0xe0, 7, 0, 0, 0x1f, 0, 0, 0], [0xe0, 0x07, 0x1f, 0x00]),
    [green, blue],
  ],
  // Three of colour 1, the end of the row; a run of 2, 3 and 0 as they are, filled up; the end.
  [
    '8 bits in runs',
    () => bmp([3, 2], 8, 1, bmpPalette, [3, 1, 0, 0, 0, 3, 2, 3, 0, 0, 0, 1]),
    [green, blue, black, red, red, red],
  ],
  // Four of colours 1 and 2 in turn; a step of one to the right and one up; one of colour 3.
  [
    '4 bits in runs',
    () => bmp([4, 2], 4, 2, bmpPalette, [2, 0x12, 0, 2, 1, 1, 1, 0x30, 0, 1]),
    [black, black, black, blue, red, green, black, black],
  ],
])('BMP, %s', (_, make, expected) => {
  expect(pixels(make())).toEqual(expected.flat());
});

test.each(['again.png', 'again.bmp'])('a picture written is the picture read: %s', (name) => {
  const path = join(folder, name);
  const picture = { width: 2, height: 2, data: Uint8Array.from({ length: 16 }, (_, i) => i * 16) };
  writePicture(path, picture);
  expect(readPicture(path)).toEqual(picture);
});

test('an opaque BMP is that of the format, a JPEG nearly the picture', () => {
  const data = Uint8Array.of(1, 2, 3, 255, 4, 5, 6, 255);
  const path = join(folder, 'opaque.bmp');
  writePicture(path, { width: 1, height: 2, data });
  const header = [
    66, 77, 62, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 24, 0,
  ];
  expect([...readFileSync(path)].slice(0, 30)).toEqual(header);
  expect([...readFileSync(path)].slice(54)).toEqual([6, 5, 4, 0, 3, 2, 1, 0]);
  const lossy = join(folder, 'grey.jpg');
  writePicture(lossy, { width: 8, height: 8, data: new Uint8Array(256).fill(77) });
  for (const channel of readPicture(lossy).data.slice(0, 3)) expect(Math.abs(channel - 77)).toBeLessThan(3);
});

/** A file of netpbm's from its header and its samples. */
function netpbm(name: string, header: string, ...samples: number[]): string {
  const path = join(folder, name);
  writeFileSync(path, Buffer.concat([Buffer.from(header), Buffer.from(samples)]));
  return path;
}

test.each<[string, () => string, number[]]>([
  ['P2', () => netpbm('a.pgm', 'P2\n# grey\n2 1 # wide, high\n4\n0\n2'), [0, 0, 0, 255, 128, 128, 128, 255]],
  ['P3', () => netpbm('a.ppm', 'P3 1 2 255\n1 2 3\t# red\n 4\n5 6\n'), [1, 2, 3, 255, 4, 5, 6, 255]],
  // Samples may look like white space or comments.
  ['P5', () => netpbm('b.pgm', 'P5 1 2 255\n', 35, 10), [35, 35, 35, 255, 10, 10, 10, 255]],
  ['P6', () => netpbm('b.ppm', 'P6\n#\n#\n1 1\n255 ', 1, 2, 3, 99), [1, 2, 3, 255]],
  [
    'P5 of two bytes',
    () => netpbm('c.pgm', 'P5 3 1 65535\n', 255, 255, 128, 0, 0, 128),
    [255, 255, 255, 255, 128, 128, 128, 255, 0, 0, 0, 255],
  ],
  ['P6 of two bytes', () => netpbm('c.ppm', 'P6 1 1 1000\n', 3, 232, 1, 244, 0, 4), [255, 128, 1, 255]],
  ['P3 of any depth', () => netpbm('d.ppm', 'P3 1 1 65535 65535 32768 128'), [255, 128, 0, 255]],
])('%s', (_, make, expected) => {
  expect(pixels(make())).toEqual(expected);
});

test.each([
  ['P1 1 1\n1', "it is of netpbm's kind P1: PGM and PPM (P2, P3, P5, P6) can be read"],
  ['P7\nWIDTH 1', "it is of netpbm's kind P7: PGM and PPM (P2, P3, P5, P6) can be read"],
  ['P8 1 1 255', 'it is neither PNG nor JPEG nor BMP nor PGM nor PPM'],
  ['P6', 'it ends before its width'],
  ['P6 1 1', 'it ends before its largest sample'],
  ['P61 1 255\nabc', "it is damaged: '1' is no number, where its width would be, line 1, column 3"],
  ['P6\n2 -1 255\n', "it is damaged: '-' is no number, where its height would be, line 2, column 3"],
  ['P6 0 1 255\n', 'it is damaged: 0 x 1 pixels'],
  ['P6 99999 99999 255\n', 'it is damaged: 99999 x 99999 pixels'],
  ['P6 99999999999999999999999 1 255\n', 'it is damaged: 4294967296 x 1 pixels'],
  ['P5 1 1\n0\n7', 'it is damaged: 0 for the largest sample, which is from 1 to 65535, line 2, column 1'],
  [
    'P5 1 1 65536\n7',
    'it is damaged: 65536 for the largest sample, which is from 1 to 65535, line 1, column 8',
  ],
  ['P5 1 1 255x', 'it is damaged: no white space before the samples, line 1, column 11'],
  ['P5 1 1 255', 'it ends before its last row: 0 bytes of samples, not 1'],
  ['P6 2 1 255\nabcde', 'it ends before its last row: 5 bytes of samples, not 6'],
  ['P6 1 1 256\nabcde', 'it ends before its last row: 5 bytes of samples, not 6'],
  ['P5 2 1 96\n!a', 'it is damaged: a sample of 97 where 96 is the largest, sample 2 of 2'],
  ['P2 2 1 255\n1 256', 'it is damaged: a sample of 256 where 255 is the largest, line 2, column 3'],
  ['P3 1 1 255\n1 # 2', 'it ends before sample 2 of 3'],
  ['P3 1 1 255\n1 2\n  x', "it is damaged: 'x' is no number, where sample 3 of 3 would be, line 3, column 3"],
  ['P3 1 1 255\n1 2 3x', undefined],
])('damaged: %j', (text, words) => {
  const path = netpbm('damaged.ppm', text);
  if (words === undefined) expect(pixels(path)).toEqual([1, 2, 3, 255]);
  else expect(() => readPicture(path)).toThrow(`${path} is not a picture that can be read: ${words}`);
});

test('PPM and PGM are written as bytes, PGM in grey', () => {
  const picture = { width: 2, height: 1, data: Uint8Array.of(255, 0, 0, 255, 10, 20, 30, 0) };
  const written = (name: string): Buffer => {
    writePicture(join(folder, name), picture);
    return readFileSync(join(folder, name));
  };
  const colours = Buffer.concat([Buffer.from('P6\n2 1\n255\n'), Buffer.of(255, 0, 0, 10, 20, 30)]);
  expect([written('w.ppm'), written('w.PNM')]).toEqual([colours, colours]);
  // 0.299 * 255 is 76.2; 0.299 * 10 + 0.587 * 20 + 0.114 * 30 is 18.2.
  expect(written('w.pgm')).toEqual(Buffer.concat([Buffer.from('P5\n2 1\n255\n'), Buffer.of(76, 18)]));
  expect(pixels(join(folder, 'w.ppm'))).toEqual([255, 0, 0, 255, 10, 20, 30, 255]);
});

test('damaged files', () => {
  const path = join(folder, 'cut.png');
  writePicture(path, { width: 2, height: 2, data: new Uint8Array(16) });
  const whole = readPicture(path);
  expect(whole.width).toBe(2);
  writeFileSync(path, Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]));
  expect(() => readPicture(path)).toThrow(`${path} is not a picture that can be read: it is damaged`);
  const bitmap = readFileSync(bmp([2, 2], 24, 0, [], new Array(16).fill(7)));
  for (let length = 2; length < bitmap.length; length += 1) {
    writeFileSync(path, bitmap.subarray(0, length));
    expect(() => readPicture(path)).toThrow(`${path} is not a picture that can be read: it`);
  }
  for (const [at, value] of [
    [14, 7],
    [18, 0],
    [28, 3],
    [30, 5],
  ] as const) {
    const wrong = Buffer.from(bitmap);
    wrong[at] = value;
    writeFileSync(path, wrong);
    expect(() => readPicture(path)).toThrow(`${path} is not a picture that can be read`);
  }
  writeFileSync(path, Buffer.from([0xff, 0xd8, 0xff]));
  expect(() => readPicture(path)).toThrow(`${path} is not a picture that can be read`);
});

test('in a terminal: two pixels a character', () => {
  const data = new Uint8Array([255, 0, 0, 255, 0, 0, 255, 255]);
  expect(drawInTerminal({ width: 1, height: 2, data }, 80)).toBe('\x1b[38;2;255;0;0;48;2;0;0;255m▀\x1b[0m\n');
});
