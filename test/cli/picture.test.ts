// Picture files of every PNG form and JPEG, and pictures in a terminal.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

test('a picture written is the picture read', () => {
  const path = join(folder, 'again.png');
  const picture = { width: 2, height: 2, data: Uint8Array.from({ length: 16 }, (_, i) => i * 16) };
  writePicture(path, picture);
  expect(readPicture(path)).toEqual(picture);
});

test('damaged files', () => {
  const path = join(folder, 'cut.png');
  writePicture(path, { width: 2, height: 2, data: new Uint8Array(16) });
  const whole = readPicture(path);
  expect(whole.width).toBe(2);
  writeFileSync(path, Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]));
  expect(() => readPicture(path)).toThrow(`${path} is not a picture that can be read: it is damaged`);
  writeFileSync(path, Buffer.from([0xff, 0xd8, 0xff]));
  expect(() => readPicture(path)).toThrow(`${path} is not a picture that can be read`);
});

test('in a terminal: two pixels a character', () => {
  const data = new Uint8Array([255, 0, 0, 255, 0, 0, 255, 255]);
  expect(drawInTerminal({ width: 1, height: 2, data }, 80)).toBe('\x1b[38;2;255;0;0;48;2;0;0;255m▀\x1b[0m\n');
});
