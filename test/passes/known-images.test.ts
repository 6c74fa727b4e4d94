/**
 * Kernels compiled for the formats of their images and the bits of their samplers, with vectors and without, against the
 * interpreter, which looks at descriptors and has code of its own for every format.
 */
import { describe, expect, it } from 'vitest';
import type { LaneCount } from '../../src/ir/types.ts';
import type { KnownHandles } from '../../src/passes/images/known-images.ts';
import { samplerBits as bits, copyOf, formats, imageOf } from '../support/images.ts';
import { Random } from '../support/random.ts';
import {
  buffer,
  compileForTest,
  runOnInterpreter,
  type TestArgument,
  type TestImage,
  wasmRunner,
} from '../support/run-kernel.ts';

/** Neighbours, places in between, and a pixel of the other image; through a helper, as programs do. */
function sourceFor(isFloat: boolean): string {
  const [colour, letter] = isFloat ? ['float4', 'f'] : ['int4', 'i'];
  return `
  ${colour} fetch(read_only image2d_t in, sampler_t s, float2 at) { return read_image${letter}(in, s, at); }
  kernel void k(read_only image2d_t in, write_only image2d_t copy, sampler_t s, sampler_t whole, global ${colour} *out) {
    int x = get_global_id(0), y = get_global_id(1), n = get_global_size(0);
    ${colour} a = read_image${letter}(in, whole, (int2)(x - 1, y));
    ${colour} b = fetch(in, s, (float2)(x * 0.083f - 0.4f, y * 0.31f - 0.2f));
    ${colour} c = fetch(in, s, (float2)(x + 0.5f, y));
    ${colour} d = read_image${letter}(in, (int2)(n - 1 - x, y));
    out[4 * (y * n + x)] = a;
    out[4 * (y * n + x) + 1] = b;
    out[4 * (y * n + x) + 2] = c;
    out[4 * (y * n + x) + 3] = d;
    write_image${letter}(copy, (int2)(x - 1, y), d);
  }`;
}

const sources = [true, false].map(sourceFor);
const range = { global: [16, 3], local: [16, 1] };
const size = [17, 3];

const samplers: readonly number[] = [
  bits.clamp | bits.linear,
  bits.repeat | bits.linear | bits.normalized,
  bits.clampToEdge | bits.nearest,
  bits.mirroredRepeat | bits.linear | bits.normalized,
  bits.clamp | bits.nearest,
  bits.clampToEdge | bits.linear | bits.normalized,
  bits.repeat | bits.nearest | bits.normalized,
];

function known(image: TestImage): KnownHandles[number] {
  const { channelOrder: order, channelType: type, pixelBytes } = image.shape;
  return { kind: 'image', order, type, pixelBytes };
}

/** Pixels of all kinds, but no NaNs, whose bits may differ. */
function pixelsFor(type: string, bytes: number, seed: number): Uint8Array {
  const random = new Random(seed);
  const pixels = Uint8Array.from({ length: bytes }, () => random.below(256));
  if (!type.endsWith('FLOAT')) return pixels;
  if (type === 'FLOAT')
    return new Uint8Array(Float32Array.from({ length: bytes / 4 }, () => random.below(999) / 7).buffer);
  return pixels.map((byte, at) => (at % 2 === 1 ? 0x30 + (byte & 0xf) : byte));
}

/** Some formats of each order and type; MILLRACE_FORMATS=all takes all. */
const numbered = formats.map((format, index) => [...format, index] as const);
const tried =
  process.env['MILLRACE_FORMATS'] === 'all' ? numbered : numbered.filter(([, , at]) => at % 5 === 2);

describe('what is known of images', () => {
  it.each(tried)('%s %s', (order, type, index) => {
    const isFloat = /NORM|FLOAT/.test(type);
    const source = sources[isFloat ? 0 : 1]!;
    const { length } = imageOf('image2d_t', [order, type], size).pixels;
    const image = imageOf('image2d_t', [order, type], size, pixelsFor(type, length, index));
    const copy = imageOf('image2d_t', [order, type], size);
    const sampler = samplers[index % samplers.length]!;
    const whole = index % 2 === 0 ? bits.clamp : bits.clampToEdge;
    const run = (on: (args: TestArgument[]) => void): unknown[] => {
      const out = new Uint8Array(range.global[0]! * range.global[1]! * 4 * 16);
      const target = copyOf(copy);
      on([{ image }, target, { sampler }, { sampler: whole }, buffer(out)]);
      return [(target as { image: TestImage }).image.pixels, isFloat ? new Float32Array(out.buffer) : out];
    };
    const expected = run((args) => runOnInterpreter(compileForTest(source), 'k', range, args));
    const handles: KnownHandles = [
      known(image),
      known(copy),
      { kind: 'sampler', bits: sampler },
      { kind: 'sampler', bits: whole },
      undefined,
    ];
    const lanes: LaneCount | undefined = ([4, 8, undefined, 16] as const)[index % 4];
    const runner = wasmRunner(compileForTest(source), {
      known: handles,
      verify: index % 2 === 0,
      ...(lanes ? { lanes } : {}),
    });
    expect(run((args) => runner('k', range, args))).toEqual(expected);
  });
});
