// The JPEG sample with real files: what jpeg-js writes and what cameras write is decoded, what it encodes jpeg-js decodes.
import { readFileSync } from 'node:fs';
import jpeg from 'jpeg-js';
import { compile } from 'millrace';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeOn, type EncodeOptions, emptyFile, encodeOn } from '../../samples/jpeg/codec.ts';
import { JpegError, readJpeg } from '../../samples/jpeg/read-file.ts';
import { signalToNoise } from '../../samples/jpeg/reference.ts';
import { writeJpeg } from '../../samples/jpeg/write-file.ts';
import type { Program } from '../../samples/support/device.ts';
import type { Picture } from '../../samples/support/sample.ts';

let program: Program;
beforeAll(async () => {
  program = await compile(readFileSync('samples/jpeg/jpeg.cl', 'utf8'));
});
afterAll(() => program.release());

/** Soft colours with an edge, of any size. */
function drawn(width: number, height: number): Picture {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const wave = 60 * Math.sin(x / 9) + 50 * Math.cos((x + 2 * y) / 13);
      const edge = x > y + 5 ? 40 : 0;
      data.set([128 + wave, 110 + edge, 120 - wave / 2 + edge, 255], (y * width + x) * 4);
    }
  }
  return { width, height, data };
}

async function encoded(picture: Picture, options: EncodeOptions): Promise<Uint8Array> {
  const file = emptyFile(picture, options);
  const pixels = program.buffer(picture.data);
  await encodeOn(program, pixels, file);
  pixels.release();
  return writeJpeg(file);
}

function decodedByJpegJs(bytes: Uint8Array): Picture {
  const { width, height, data } = jpeg.decode(bytes, { useTArray: true, formatAsRGBA: true });
  return { width, height, data };
}

/**
 * jpeg-js computes transforms in whole numbers, which may leave a sample 1 beside the right one (as IEEE 1180 lets decoders do), and cuts
 * colours off instead of rounding them: 1 of luminance, 1.772 of blue's difference, 1 of rounding.
 */
function expectNear(ours: Picture, theirs: Picture): void {
  expect([ours.width, ours.height]).toEqual([theirs.width, theirs.height]);
  let [most, sum] = [0, 0];
  for (let i = 0; i < theirs.data.length; i++) {
    const difference = Math.abs(ours.data[i]! - theirs.data[i]!);
    most = Math.max(most, difference);
    sum += difference;
  }
  expect(most).toBeLessThanOrEqual(4);
  expect(sum / theirs.data.length).toBeLessThan(1);
}

describe('decoding', () => {
  it('a photograph of 2560 x 1440 pixels', async () => {
    const bytes = readFileSync('samples/photo/dandelions.jpg');
    expectNear(await decodeOn(program, readJpeg(bytes)), decodedByJpegJs(bytes));
  }, 120_000);

  it.each([
    [8, 8],
    [17, 9],
    [1, 1],
    [100, 75],
  ])('what jpeg-js writes: %i x %i', async (width, height) => {
    const { data } = jpeg.encode(drawn(width, height), 90);
    expectNear(await decodeOn(program, readJpeg(data)), decodedByJpegJs(data));
  });

  it('files of all samplings, with restart markers', async () => {
    for (const sampling of ['4:4:4', '4:2:0', 'grey'] as const) {
      for (const restartInterval of [0, 1, 3]) {
        const bytes = await encoded(drawn(61, 47), { quality: 75, sampling, restartInterval });
        const file = readJpeg(bytes);
        expect(file.restartInterval).toBe(restartInterval);
        expectNear(await decodeOn(program, file), decodedByJpegJs(bytes));
      }
    }
  });

  it('refuses in words what it does not read, and what is damaged', async () => {
    const bytes = await encoded(drawn(32, 32), { quality: 75, sampling: '4:2:0', restartInterval: 2 });
    const frame = bytes.findIndex((byte, at) => byte === 0xff && bytes[at + 1] === 0xc0);
    const changed = (at: number, value: number): Uint8Array => {
      const copy = bytes.slice();
      copy[at] = value;
      return copy;
    };
    expect(() => readJpeg(changed(frame + 1, 0xc2))).toThrow(
      'it is progressive: only baseline JPEG is read here',
    );
    expect(() => readJpeg(changed(frame + 1, 0xc9))).toThrow('not baseline');
    expect(() => readJpeg(changed(frame + 4, 12))).toThrow('it has 12 bits a sample: only 8 are read here');
    expect(() => readJpeg(changed(0, 0x89))).toThrow('it does not begin as a JPEG file does');
    const restart = bytes.findIndex((byte, at) => byte === 0xff && bytes[at + 1] === 0xd0);
    expect(() => readJpeg(changed(restart + 1, 0xd5))).toThrow(JpegError);
    for (let length = 0; length < bytes.length - 2; length += 1)
      expect(() => readJpeg(bytes.subarray(0, length))).toThrow(JpegError);
    for (let at = 2; at < bytes.length; at += 1) {
      try {
        readJpeg(changed(at, bytes[at]! ^ 0x5a));
      } catch (error) {
        expect(error).toBeInstanceOf(JpegError);
      }
    }
  });
});

describe('encoding', () => {
  it.each([
    ['4:4:4', 90, 36],
    ['4:2:0', 90, 34],
    ['4:4:4', 50, 30],
    ['4:4:4', 100, 44],
  ] as const)(
    '%s at quality %i: jpeg-js decodes what was drawn, to %i dB',
    async (sampling, quality, least) => {
      const picture = drawn(150, 101);
      const bytes = await encoded(picture, { quality, sampling });
      const decoded = decodedByJpegJs(bytes);
      expect([decoded.width, decoded.height]).toEqual([150, 101]);
      expect(signalToNoise(picture, decoded)).toBeGreaterThan(least);
      // As good as jpeg-js's own encoder, which has 4:4:4.
      const { data } = jpeg.encode(picture, quality);
      if (sampling === '4:4:4')
        expect(signalToNoise(picture, decoded)).toBeGreaterThan(
          signalToNoise(picture, decodedByJpegJs(data)) - 0.5,
        );
    },
  );

  it('grey, black and white to the last level', async () => {
    const picture = { width: 16, height: 8, data: new Uint8Array(16 * 8 * 4).fill(255) };
    for (let pixel = 0; pixel < 128; pixel++)
      if (pixel % 16 < 8) picture.data.fill(0, pixel * 4, pixel * 4 + 3);
    const decoded = decodedByJpegJs(await encoded(picture, { quality: 100, sampling: 'grey' }));
    for (const [i, value] of decoded.data.entries())
      expect(Math.abs(value - picture.data[i]!)).toBeLessThanOrEqual(1);
  });
});
