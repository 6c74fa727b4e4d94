/** Reading and writing images: values worked out by hand, on the interpreter and as WebAssembly. */
import { describe, expect, it } from 'vitest';
import { samplerBits as bits, copyOf, formats, imageOf } from '../support/images.ts';
import { Random } from '../support/random.ts';
import {
  buffer,
  compileForTest,
  runOnInterpreter,
  type TestArgument,
  type TestImage,
  value,
  wasmRunner,
} from '../support/run-kernel.ts';

/** Ways to run kernel `k` of a source, made once. */
type Run = (items: number, args: readonly TestArgument[]) => void;
const machines = new Map<string, readonly Run[]>();

function machinesFor(source: string): readonly Run[] {
  let runs = machines.get(source);
  if (!runs) {
    const module = compileForTest(source);
    const run = wasmRunner(compileForTest(source), { verify: false });
    const rangeOf = (items: number) => ({ global: [items], local: [items] });
    runs = [
      (items, args) => runOnInterpreter(module, 'k', rangeOf(items), args),
      (items, args) => run('k', rangeOf(items), args),
    ];
    machines.set(source, runs);
  }
  return runs;
}

/** Runs a kernel both ways; `makeArguments` is asked for new ones each time, `result` for what to compare. */
function bothWays<T>(
  source: string,
  items: number,
  makeArguments: () => TestArgument[],
  result: (args: TestArgument[]) => T,
): T {
  const [interpreted, compiled] = machinesFor(source).map((run) => {
    const args = makeArguments();
    run(items, args);
    return result(args);
  }) as [T, T];
  expect(compiled).toEqual(interpreted);
  return compiled;
}

/** What a kernel writes to its last argument, four numbers for each of `items`. */
function colours(
  source: string,
  items: number,
  image: TestImage,
  others: readonly TestArgument[],
  isFloat = true,
): number[] {
  return bothWays(
    source,
    items,
    () => [{ image }, ...others, buffer(new Uint8Array(items * 16))],
    (args) => {
      const bytes = (args.at(-1) as { buffer: Uint8Array }).buffer;
      return [...(isFloat ? new Float32Array(bytes.buffer) : new Int32Array(bytes.buffer))];
    },
  );
}

const readFloat = `kernel void k(read_only image1d_t image, global float4 *out) {
  out[0] = read_imagef(image, 0);
}`;
const readInt = readFloat.replace('float4', 'int4').replace('imagef', 'imagei');

/** One pixel, as bytes, of a format; and what the program sees. */
const reads: readonly (readonly [format: string, pixel: readonly number[], colour: readonly number[]])[] = [
  ['RGBA UNORM_INT8', [0, 255, 51, 102], [0, 1, 0.2, 0.4]],
  ['BGRA UNORM_INT8', [0, 255, 51, 102], [0.2, 1, 0, 0.4]],
  ['ARGB UNORM_INT8', [0, 255, 51, 102], [1, 0.2, 0.4, 0]],
  ['R UNORM_INT8', [51], [0.2, 0, 0, 1]],
  ['Rx UNORM_INT8', [51], [0.2, 0, 0, 1]],
  ['A UNORM_INT8', [51], [0, 0, 0, 0.2]],
  ['RG UNORM_INT8', [51, 102], [0.2, 0.4, 0, 1]],
  ['RGx UNORM_INT8', [51, 102], [0.2, 0.4, 0, 1]],
  ['RA UNORM_INT8', [51, 102], [0.2, 0, 0, 0.4]],
  ['INTENSITY UNORM_INT8', [51], [0.2, 0.2, 0.2, 0.2]],
  ['LUMINANCE UNORM_INT8', [51], [0.2, 0.2, 0.2, 1]],
  ['RG UNORM_INT16', [0xff, 0xff, 0x33, 0x33], [1, 0.2, 0, 1]],
  ['RGBA SNORM_INT8', [0x80, 0x81, 0x7f, 0], [-1, -1, 1, 0]],
  ['RG SNORM_INT16', [0x00, 0x80, 0xff, 0x7f], [-1, 1, 0, 1]],
  ['RGB UNORM_SHORT_565', [0x1f, 0x04], [0, 32 / 63, 1, 1]],
  ['RGB UNORM_SHORT_565', [0x00, 0xf8], [1, 0, 0, 1]],
  ['RGBx UNORM_SHORT_555', [0xff, 0x7f], [1, 1, 1, 1]],
  ['RGB UNORM_SHORT_555', [0x01, 0x80], [0, 0, 1 / 31, 1]],
  ['RGB UNORM_INT_101010', [0xff, 0x03, 0xf0, 0x3f], [1, 0, 1, 1]],
  ['RGBA HALF_FLOAT', [0x00, 0x3c, 0x00, 0xc0, 0x00, 0x7c, 0x01, 0x00], [1, -2, Infinity, 2 ** -24]],
  ['R HALF_FLOAT', [0x00, 0x3c], [1, 0, 0, 1]],
  ['LUMINANCE FLOAT', [0, 0, 0x80, 0x3f], [1, 1, 1, 1]],
  ['RA FLOAT', [0, 0, 0x80, 0x3f, 0, 0, 0, 0x40], [1, 0, 0, 2]],
  ['RGBA SIGNED_INT8', [0xff, 0x80, 0x7f, 1], [-1, -128, 127, 1]],
  ['RG SIGNED_INT16', [0xff, 0xff, 1, 0x80], [-1, -32767, 0, 1]],
  ['R SIGNED_INT32', [0xfe, 0xff, 0xff, 0xff], [-2, 0, 0, 1]],
  ['BGRA UNSIGNED_INT8', [1, 2, 3, 255], [3, 2, 1, 255]],
  ['RGBA UNSIGNED_INT8', [1, 2, 3, 255], [1, 2, 3, 255]],
  ['A UNSIGNED_INT16', [0xff, 0xff], [0, 0, 0, 65535]],
  ['R UNSIGNED_INT32', [0xff, 0xff, 0xff, 0xff], [-1, 0, 0, 1]],
];

describe('a pixel is read', () => {
  it.each(reads)('of %s', (name, pixel, expected) => {
    const format = name.split(' ') as [string, string];
    const isFloat = /NORM|FLOAT/.test(name);
    const image = imageOf('image1d_t', format, [1], Uint8Array.from(pixel));
    const seen = colours(isFloat ? readFloat : readInt, 1, image, [], isFloat);
    expect(seen).toEqual(isFloat ? expected.map(Math.fround) : expected);
  });
});

const writeFloat = `kernel void k(write_only image1d_t image, float4 c) { write_imagef(image, 0, c); }`;
const writeInt = `kernel void k(write_only image1d_t image, int4 c) { write_imagei(image, 0, c); }`;
const writeUnsigned = `kernel void k(write_only image1d_t image, uint4 c) { write_imageui(image, 0, c); }`;

/** Halves round to even: 0.5 of 255 is 127.5, and 2.5 of 255 / 255 is 2.5. */
const writes: readonly (readonly [format: string, colour: readonly number[], pixel: readonly number[]])[] = [
  ['RGBA UNORM_INT8', [0.5, 2.5 / 255, 1.5, -1], [128, 2, 255, 0]],
  ['RGBA UNORM_INT8', [NaN, Infinity, -Infinity, 1], [0, 255, 0, 255]],
  ['BGRA UNORM_INT8', [0.2, 0.4, 0.6, 0.8], [153, 102, 51, 204]],
  ['ARGB UNORM_INT8', [0.2, 0.4, 0.6, 0.8], [204, 51, 102, 153]],
  ['R UNORM_INT8', [0.2, 1, 1, 1], [51]],
  ['A UNORM_INT8', [1, 1, 1, 0.2], [51]],
  ['RA UNORM_INT8', [0.2, 1, 1, 0.4], [51, 102]],
  ['RG UNORM_INT8', [0.2, 0.4, 1, 1], [51, 102]],
  ['INTENSITY UNORM_INT8', [0.2, 1, 1, 1], [51]],
  ['LUMINANCE UNORM_INT8', [0.2, 1, 1, 1], [51]],
  ['RGBA SNORM_INT8', [-1, 1, -2, 0.5], [0x81, 0x7f, 0x80, 64]],
  ['RG SNORM_INT16', [-1, 2, 0, 0], [0x01, 0x80, 0xff, 0x7f]],
  ['RG UNORM_INT16', [0.2, 2, 0, 0], [0x33, 0x33, 0xff, 0xff]],
  ['RGB UNORM_SHORT_565', [1, 0.5, 0, 0], [0x00, 0xfc]],
  ['RGB UNORM_SHORT_555', [2, -1, 1, 0], [0x1f, 0x7c]],
  ['RGB UNORM_INT_101010', [1, 0, 1, 0], [0xff, 0x03, 0xf0, 0x3f]],
  ['RGBA HALF_FLOAT', [1, -2, 65520, 2 ** -25 * 1.5], [0x00, 0x3c, 0x00, 0xc0, 0x00, 0x7c, 0x01, 0x00]],
  ['R FLOAT', [1, 2, 3, 4], [0, 0, 0x80, 0x3f]],
  ['RGBA SIGNED_INT8', [-1, -1000, 1000, 5], [0xff, 0x80, 0x7f, 5]],
  ['RG SIGNED_INT16', [-40000, 40000, 0, 0], [0x00, 0x80, 0xff, 0x7f]],
  ['A SIGNED_INT32', [0, 0, 0, -2], [0xfe, 0xff, 0xff, 0xff]],
  ['RGBA UNSIGNED_INT8', [1, 256, -1, 255], [1, 255, 255, 255]],
  ['ARGB UNSIGNED_INT8', [1, 2, 3, 4], [4, 1, 2, 3]],
  ['RG UNSIGNED_INT16', [65536, 7, 0, 0], [0xff, 0xff, 7, 0]],
  ['R UNSIGNED_INT32', [-1, 0, 0, 0], [0xff, 0xff, 0xff, 0xff]],
];

describe('a pixel is written', () => {
  it.each(writes)('of %s, %j', (name, colour, expected) => {
    const format = name.split(' ') as [string, string];
    const isFloat = /NORM|FLOAT/.test(name);
    const source = isFloat ? writeFloat : name.includes('UNSIGNED') ? writeUnsigned : writeInt;
    const bytes = new Uint8Array((isFloat ? Float32Array.from(colour) : Int32Array.from(colour)).buffer);
    const image = imageOf('image1d_t', format, [1]);
    const written = bothWays(
      source,
      1,
      () => [copyOf(image), { bytes }],
      ([first]) => [...(first as { image: TestImage }).image.pixels],
    );
    expect(written).toEqual(expected);
  });
});

const row = imageOf('image1d_t', ['R', 'FLOAT'], [4], Float32Array.of(10, 20, 30, 40));

/** Red at coordinates of the row above, 0 being the border. */
const addressing: readonly (readonly [
  name: string,
  sampler: number,
  pairs: readonly (readonly [number, number])[],
])[] = [
  [
    'clamp to edge',
    bits.clampToEdge | bits.nearest,
    [
      [-5, 10],
      [0, 10],
      [0.99, 10],
      [1, 20],
      [3.5, 40],
      [4, 40],
      [1e9, 40],
      [-1e9, 10],
    ],
  ],
  [
    'clamp',
    bits.clamp | bits.nearest,
    [
      [-0.01, 0],
      [0, 10],
      [2.5, 30],
      [3.99, 40],
      [4, 0],
      [1e30, 0],
      [-1e30, 0],
    ],
  ],
  [
    'normalized',
    bits.clampToEdge | bits.nearest | bits.normalized,
    [
      [-1, 10],
      [0.24, 10],
      [0.25, 20],
      [0.5, 30],
      [1, 40],
      [7, 40],
    ],
  ],
  [
    'repeat',
    bits.repeat | bits.nearest | bits.normalized,
    [
      [0, 10],
      [0.25, 20],
      [1, 10],
      [1.5, 30],
      [-0.25, 40],
      [-1, 10],
      [100.75, 40],
    ],
  ],
  [
    'mirrored repeat',
    bits.mirroredRepeat | bits.nearest | bits.normalized,
    [
      [0.1, 10],
      [0.9, 40],
      [1.1, 40],
      [1.9, 10],
      [2.1, 10],
      [-0.3, 20],
    ],
  ],
  [
    'linear, to edge',
    bits.clampToEdge | bits.linear,
    [
      [0.5, 10],
      [1, 15],
      [1.25, 17.5],
      [0, 10],
      [4, 40],
      [-100, 10],
      [1e9, 40],
    ],
  ],
  [
    'linear, clamp',
    bits.clamp | bits.linear,
    [
      [0.5, 10],
      [0, 5],
      [0.25, 7.5],
      [4, 20],
      [4.5, 0],
      [-7, 0],
      [1e9, 0],
    ],
  ],
  [
    'linear, repeat',
    bits.repeat | bits.linear | bits.normalized,
    [
      [0, 25],
      [0.125, 10],
      [0.25, 15],
      [1.25, 15],
      [-0.0625, 32.5],
    ],
  ],
  [
    'linear, mirrored',
    bits.mirroredRepeat | bits.linear | bits.normalized,
    [
      [0, 10],
      [0.25, 15],
      [1, 40],
      [1.75, 15],
      [-0.25, 15],
    ],
  ],
  [
    'linear, normalized',
    bits.clampToEdge | bits.linear | bits.normalized,
    [
      [0, 10],
      [0.25, 15],
      [0.125, 10],
      [1, 40],
    ],
  ],
];

describe('coordinates lead to pixels', () => {
  it.each(addressing)('%s', (_name, sampler, pairs) => {
    const at = buffer(Float32Array.from(pairs, ([coordinate]) => coordinate));
    const read = (declared: string, parameter: string) => `${declared}
      kernel void k(read_only image1d_t image, ${parameter} global const float *at, global float4 *out) {
        int i = get_global_id(0);
        out[i] = read_imagef(image, s, at[i]);
      }`;
    const expected = pairs.flatMap(([, red]) => [red, 0, 0, 1]);
    const constant = read(`constant sampler_t s = ${sampler};`, '');
    expect(colours(constant, pairs.length, row, [at])).toEqual(expected);
    const argument = read('', 'sampler_t s,');
    expect(colours(argument, pairs.length, row, [{ sampler }, at])).toEqual(expected);
  });

  it('of images in two and three dimensions, and of arrays', () => {
    const source = `constant sampler_t s = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
      constant sampler_t l = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
      kernel void k(read_only KIND image, global float4 *out) {
        if (get_global_id(0) > 0) return;
        out[0] = read_imagef(image, s, FIRST);
        out[1] = read_imagef(image, l, SECOND);
        out[2] = read_imagef(image, THIRD);
      }`;
    const numbers = Float32Array.from({ length: 24 }, (_, index) => index);
    const seen = (kind: string, sizes: number[], first: string, second: string, third: string): number[] => {
      const texts = { KIND: kind, FIRST: first, SECOND: second, THIRD: third };
      const text = source.replace(/KIND|FIRST|SECOND|THIRD/g, (word) => texts[word as 'KIND']);
      const image = imageOf(kind, ['R', 'FLOAT'], sizes, numbers);
      return colours(text, 3, image, []).filter((_, index) => index % 4 === 0);
    };
    // Each pixel holds its number: x + width * (y + height * z).
    expect(seen('image2d_t', [4, 6], '(int2)(1, 2)', '(float2)(1, 3)', '(int2)(3, 5)')).toEqual([
      9, 10.5, 23,
    ]);
    expect(
      seen(
        'image3d_t',
        [4, 3, 2],
        '(float4)(1.5f, 2.5f, 1.5f, 9)',
        '(float4)(1, 1, 1, 9)',
        '(int4)(3, 1, 1, 9)',
      ),
    ).toEqual([21, 8.5, 19]);
    expect(
      seen(
        'image2d_array_t',
        [4, 3, 2],
        '(int4)(1, 2, 7, 9)',
        '(float4)(1, 1, 0.6f, 9)',
        '(int4)(0, 1, 1, 9)',
      ),
    ).toEqual([21, 14.5, 16]);
    expect(seen('image1d_array_t', [4, 6], '(int2)(1, -3)', '(float2)(1, 2.5f)', '(int2)(1, 5)')).toEqual([
      1, 8.5, 21,
    ]);
  });

  it('and far outside without a sampler to nothing bad', () => {
    const source = `kernel void k(read_only image2d_t image, global float4 *out) {
      out[0] = read_imagef(image, (int2)(0x7fffffff, -1));
    }`;
    const image = imageOf('image2d_t', ['RGBA', 'FLOAT'], [2, 2], new Float32Array(16).fill(7));
    expect(() => colours(source, 1, image, [])).not.toThrow();
  });
});

describe('every format', () => {
  const random = new Random(1);
  const count = 24;

  /** Coordinates around the image, whole ones and those between among them. */
  const places = Float32Array.from({ length: count * 4 }, (_, index) =>
    index % 3 === 0 ? random.below(9) - 2 : random.next() * 8 - 2,
  );
  const isFloat = (type: string): boolean => /NORM|FLOAT/.test(type);

  /** Pixels of any value but NaN, of which there are many. */
  function randomImage(kind: string, format: readonly [string, string], sizes: readonly number[]): TestImage {
    const image = imageOf(kind, format, sizes);
    const { pixels } = image;
    const highest = format[1] === 'HALF_FLOAT' ? 2 : 4;
    for (let at = 0; at < pixels.length; at += 1) {
      const isTop = format[1].endsWith('FLOAT') && (at + 1) % highest === 0;
      pixels[at] = isTop ? random.pick([0x3b, 0x3c, 0x40, 0xbc]) : random.below(256);
    }
    return image;
  }

  const kinds = [
    ['image1d_t', [5], 'x', 'x'],
    ['image1d_array_t', [5, 3], 'xy', 'xy'],
    ['image2d_t', [5, 4], 'xy', 'xy'],
    ['image2d_array_t', [5, 4, 3], 'xyzw', 'xyzw'],
    ['image3d_t', [5, 4, 3], 'xyzw', 'xyzw'],
  ] as const;

  it.each(kinds)('is read alike, %s', (kind, sizes, lanes) => {
    const whole = lanes.length === 1 ? 'convert_int' : `convert_int${lanes.length}`;
    const read = (colour: string, letter: string) => `
      kernel void k(read_only ${kind} image, sampler_t s, float scale, global const float4 *at, global ${colour}4 *out) {
        int i = get_global_id(0);
        out[2 * i] = read_image${letter}(image, s, at[i].${lanes} * scale);
        out[2 * i + 1] = read_image${letter}(image, s, ${whole}(at[i].${lanes}));
      }`;
    const sources = { float: read('float', 'f'), integer: read('int', 'i') };
    const modes = [0, bits.clampToEdge, bits.clamp, bits.repeat, bits.mirroredRepeat];
    formats.forEach((format, index) => {
      const image = randomImage(kind, format, sizes);
      const mode = modes[index % modes.length]!;
      const filter = index % 2 === 0 ? bits.linear : bits.nearest;
      const isRepeat = mode === bits.repeat || mode === bits.mirroredRepeat;
      const normalized = isRepeat || index % 3 === 0 ? bits.normalized : 0;
      const scale = value.float(normalized ? 0.25 : 1);
      const args = (): TestArgument[] => [
        { image },
        { sampler: mode | filter | normalized },
        scale,
        buffer(places),
        buffer(new Uint8Array(count * 32)),
      ];
      const source = isFloat(format[1]) ? sources.float : sources.integer;
      bothWays(source, count, args, (list) => (list.at(-1) as { buffer: Uint8Array }).buffer);
    });
  });

  it.each(kinds)('is written alike, %s', (kind, sizes, _, lanes) => {
    const whole = lanes.length === 1 ? 'convert_int' : `convert_int${lanes.length}`;
    const write = (colour: string, letter: string) => `
      kernel void k(write_only ${kind} image, global const float4 *at, global const ${colour}4 *colours) {
        for (int i = 0; i < ${count}; i++) write_image${letter}(image, ${whole}(at[i].${lanes}), colours[i]);
      }`;
    const colour = { float: 'float', integer: 'int', unsigned: 'uint' };
    const sources = {
      float: write(colour.float, 'f'),
      integer: write(colour.integer, 'i'),
      unsigned: write(colour.unsigned, 'ui'),
    };
    const floats = Float32Array.from({ length: count * 4 }, () => random.next() * 2.5 - 1.2);
    const integers = Int32Array.from({ length: count * 4 }, () => random.below(2 ** 32) >> random.below(32));
    for (const format of formats) {
      const type = isFloat(format[1]) ? 'float' : format[1].startsWith('U') ? 'unsigned' : 'integer';
      // The kinds differ in where a pixel lies, not in what it holds.
      if (type !== 'float' && kind !== 'image2d_t') continue;
      bothWays(
        sources[type],
        1,
        () => [
          { image: imageOf(kind, format, sizes) },
          buffer(places),
          buffer(type === 'float' ? floats : integers),
        ],
        ([image]) => (image as { image: TestImage }).image.pixels,
      );
    }
  });
});

describe('the border', () => {
  const source = `constant sampler_t s = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    kernel void k(read_only image2d_t image, global COLOUR *out) { out[0] = READ(image, s, (int2)(0, 5)); }`;
  it.each([
    ['R FLOAT', 1],
    ['RG FLOAT', 1],
    ['RGB UNORM_SHORT_565', 1],
    ['LUMINANCE FLOAT', 1],
    ['A FLOAT', 0],
    ['RA FLOAT', 0],
    ['RGBA UNORM_INT8', 0],
    ['BGRA UNORM_INT8', 0],
    ['INTENSITY FLOAT', 0],
    ['Rx FLOAT', 0],
    ['RGx FLOAT', 0],
    ['RGBx UNORM_SHORT_565', 0],
  ])('of %s has alpha %d', (name, alpha) => {
    const image = imageOf('image2d_t', name.split(' ') as [string, string], [2, 2]);
    image.pixels.fill(0x3f);
    const text = source.replace('COLOUR', 'float4').replace('READ', 'read_imagef');
    expect(colours(text, 1, image, [])).toEqual([0, 0, 0, alpha]);
  });

  it('of integers', () => {
    const text = source.replace('COLOUR', 'uint4').replace('READ', 'read_imageui');
    const red = imageOf('image2d_t', ['R', 'UNSIGNED_INT8'], [2, 2]);
    expect(colours(text, 1, red, [], false)).toEqual([0, 0, 0, 1]);
  });
});

describe('writes', () => {
  it('outside the image are dropped', () => {
    const source = `kernel void k(write_only image2d_t a, write_only image3d_t b, write_only image1d_array_t c) {
      int i = (int)get_global_id(0) - 1;
      write_imageui(a, (int2)(i, 0), (uint4)(1));
      write_imageui(a, (int2)(0, i), (uint4)(2));
      write_imageui(b, (int4)(0, 0, i, 9), (uint4)(3));
      write_imageui(c, (int2)(1, i), (uint4)(4));
    }`;
    const images = [
      imageOf('image2d_t', ['R', 'UNSIGNED_INT8'], [2, 2]),
      imageOf('image3d_t', ['R', 'UNSIGNED_INT8'], [1, 1, 2]),
      imageOf('image1d_array_t', ['R', 'UNSIGNED_INT8'], [2, 2]),
    ];
    const pixels = bothWays(
      source,
      4,
      () => images.map(copyOf),
      (args) => args.map((argument) => [...(argument as { image: TestImage }).image.pixels]),
    );
    expect(pixels).toEqual([
      [2, 1, 2, 0],
      [3, 3],
      [0, 4, 0, 4],
    ]);
  });
});

it('halves are read and written', () => {
  const source = `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
    kernel void k(read_only image1d_t in, write_only image1d_t out, global half *seen) {
      half4 c = read_imageh(in, 0);
      vstore4(c, 0, seen);
      write_imageh(out, 0, c + (half4)(0.25h));
    }`;
  const out = imageOf('image1d_t', ['RGBA', 'UNORM_INT8'], [1]);
  const [seen, pixel] = bothWays(
    source,
    1,
    () => [
      { image: imageOf('image1d_t', ['RGBA', 'FLOAT'], [1], Float32Array.of(1, 0.1, 70000, 0.25)) },
      copyOf(out),
      buffer(new Uint8Array(8)),
    ],
    (args) => [
      [...new Uint16Array((args[2] as { buffer: Uint8Array }).buffer.buffer)],
      [...(args[1] as { image: TestImage }).image.pixels],
    ],
  );
  // 1, the half nearest to 0.1, infinity, 0.25
  expect(seen).toEqual([0x3c00, 0x2e66, 0x7c00, 0x3400]);
  expect(pixel).toEqual([255, 89, 255, 128]);
});

describe('queries', () => {
  it('give sizes and the format', () => {
    const source = `kernel void k(read_only KIND image, global int *out) {
      out[0] = get_image_width(image);
      out[1] = get_image_channel_data_type(image) == CLK_UNORM_INT8;
      out[2] = get_image_channel_order(image) == CLK_BGRA;
      MORE
    }`;
    const seen = (kind: string, sizes: number[], more: string): number[] => {
      const image = imageOf(kind, ['BGRA', 'UNORM_INT8'], sizes);
      const text = source.replace('KIND', kind).replace('MORE', more);
      return bothWays(
        text,
        1,
        () => [{ image }, buffer(new Uint8Array(28))],
        ([, out]) => [...new Int32Array((out as { buffer: Uint8Array }).buffer.buffer)],
      );
    };
    expect(seen('image1d_t', [5], '')).toEqual([5, 1, 1, 0, 0, 0, 0]);
    expect(seen('image1d_buffer_t', [5], '')).toEqual([5, 1, 1, 0, 0, 0, 0]);
    expect(
      seen(
        'image2d_t',
        [5, 7],
        'vstore2(get_image_dim(image), 0, out + 3); out[5] = get_image_height(image);',
      ),
    ).toEqual([5, 1, 1, 5, 7, 7, 0]);
    expect(
      seen(
        'image3d_t',
        [5, 7, 9],
        'vstore4(get_image_dim(image), 0, out + 3); out[2] = get_image_depth(image);',
      ),
    ).toEqual([5, 1, 9, 5, 7, 9, 0]);
    expect(
      seen(
        'image2d_array_t',
        [5, 7, 9],
        'vstore2(get_image_dim(image), 0, out + 3); out[5] = get_image_array_size(image);',
      ),
    ).toEqual([5, 1, 1, 5, 7, 9, 0]);
    expect(seen('image1d_array_t', [5, 7], 'out[3] = get_image_array_size(image);')).toEqual([
      5, 1, 1, 7, 0, 0, 0,
    ]);
  });
});

/** Channel types whose numbers are divided: pixels from all numbers, and what each is as a colour. */
const dividing: readonly {
  format: readonly [string, string];
  count: number;
  pixels: (numbers: number[]) => ArrayBufferView;
  colour: (number: number) => number;
}[] = [
  {
    format: ['R', 'UNORM_INT8'],
    count: 256,
    pixels: (numbers) => Uint8Array.from(numbers),
    colour: (number) => number / 255,
  },
  {
    format: ['R', 'SNORM_INT8'],
    count: 256,
    pixels: (numbers) => Uint8Array.from(numbers),
    colour: (number) => Math.max(((number << 24) >> 24) / 127, -1),
  },
  {
    format: ['R', 'UNORM_INT16'],
    count: 65536,
    pixels: (numbers) => Uint16Array.from(numbers),
    colour: (number) => number / 65535,
  },
  {
    format: ['R', 'SNORM_INT16'],
    count: 65536,
    pixels: (numbers) => Uint16Array.from(numbers),
    colour: (number) => Math.max(((number << 16) >> 16) / 32767, -1),
  },
  {
    format: ['RGB', 'UNORM_SHORT_565'],
    count: 32,
    pixels: (numbers) => Uint16Array.from(numbers, (number) => number << 11),
    colour: (number) => number / 31,
  },
  {
    format: ['RGB', 'UNORM_INT_101010'],
    count: 1024,
    pixels: (numbers) => Uint32Array.from(numbers, (number) => number << 20),
    colour: (number) => number / 1023,
  },
];

describe('numbers are divided as a division would', () => {
  const source = `kernel void k(read_only image1d_t image, global float *out) {
    out[get_global_id(0)] = read_imagef(image, (int)get_global_id(0)).x;
  }`;
  const run = wasmRunner(compileForTest(source), { lanes: 8 });
  it.each(dividing)('$format', ({ format, count, pixels, colour }) => {
    const numbers = Array.from({ length: count }, (_, index) => index);
    const image = imageOf('image1d_t', format, [count], pixels(numbers));
    const out = new Float32Array(count);
    const result = buffer(out);
    run('k', { global: [count], local: [32] }, [{ image }, result]);
    expect(out).toEqual(Float32Array.from(numbers, colour));
  });

  // Stencils of 0xa5 beside them are no part of it.
  it('of depths of 24 bits, and back', () => {
    const both = `kernel void k(read_only image1d_t image, global float *out, write_only image1d_t copy) {
      int i = get_global_id(0);
      out[i] = read_imagef(image, i).x;
      write_imagef(copy, i, (float4)(out[i], 7, 8, 9));
    }`;
    const count = 2 ** 16;
    const runBoth = wasmRunner(compileForTest(both));
    const depthImage = (pixels?: Uint32Array) => {
      const { shape, pixels: bytes } = imageOf('image1d_t', ['R', 'UNSIGNED_INT32'], [count], pixels);
      return { image: { shape: { ...shape, channelOrder: 0x10be, channelType: 0x10df }, pixels: bytes } };
    };
    let wrong = 0;
    for (let first = 0; first < 2 ** 24; first += 31 * count) {
      const depths = Uint32Array.from({ length: count }, (_, index) => (first + index) * 256 + 0xa5);
      const out = new Float32Array(count);
      const copy = depthImage();
      runBoth('k', { global: [count], local: [64] }, [depthImage(depths), buffer(out), copy]);
      const copied = new Uint32Array(copy.image.pixels.buffer);
      for (let index = 0; index < count; index += 1) {
        const depth = first + index;
        if (out[index] !== Math.fround(depth / 0xffffff) || copied[index]! >>> 8 !== depth) wrong += 1;
      }
    }
    expect(wrong).toBe(0);
    const some = Uint32Array.of(0, 0x1a5, 0x8000_00ff, 0x8000_0100, 0xffff_ffff, 0x1234_5678);
    const interpreted = (run: Run) => {
      const [out, copy] = [new Float32Array(some.length), depthImage()];
      run(some.length, [depthImage(some), buffer(out), copy]);
      return [...out, ...new Uint32Array(copy.image.pixels.buffer).slice(0, some.length)];
    };
    const [first, second] = machinesFor(both).map(interpreted);
    expect(first).toEqual(
      [...some]
        .map((word) => Math.fround((word >>> 8) / 0xffffff))
        .concat([...some].map((word) => word - (word % 256))),
    );
    expect(second).toEqual(first);
  });

  it('of green, too', () => {
    const greens = source.replace('.x;', '.y;');
    const pixels = Uint16Array.from({ length: 64 }, (_, index) => index << 5);
    const image = imageOf('image1d_t', ['RGB', 'UNORM_SHORT_565'], [64], pixels);
    const out = new Float32Array(64);
    wasmRunner(compileForTest(greens))('k', { global: [64], local: [32] }, [{ image }, buffer(out)]);
    expect(out).toEqual(Float32Array.from(out, (_, index) => index / 63));
  });
});
