/** Images in written OpenCL C: the text, and that it means what it meant. */
import { describe, expect, it } from 'vitest';
import { OpenCLCError, writeOpenCLC } from '../../../src/codegen/opencl-c/write-opencl-c.ts';
import type { Module } from '../../../src/ir/ir.ts';
import { samplerBits as bits, imageOf } from '../../support/images.ts';
import { compileForTest, runOnInterpreter, type TestImage } from '../../support/run-kernel.ts';
import { roundTrip, written } from './round-trip.ts';

const source = `
  constant sampler_t smooth = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_LINEAR;
  float4 both(read_only image2d_t image, sampler_t own, float2 at) {
    return read_imagef(image, smooth, at) + read_imagef(image, own, convert_int2(at * 4));
  }
  kernel void k(read_only image2d_t image, sampler_t own, read_only image1d_array_t lines, write_only image3d_t volume,
                write_only image1d_buffer_t numbers, write_only image2d_array_t layers) {
    int i = get_global_id(0);
    float4 c = both(image, own, (float2)(i * 0.3f, 0.4f));
    write_imagef(volume, (int4)(i, 0, i & 1, 0), c);
    int4 n = read_imagei(lines, (int2)(i, get_image_array_size(lines) - 1));
    write_imageui(numbers, i, as_uint4(n) + (uint)get_image_width(image));
    write_imagei(layers, (int4)(i, 1, 0, 0), n - get_image_dim(volume) + (get_image_channel_order(image) == CLK_RGBA));
  }`;

/** What the kernel leaves in the images that it writes. */
function results(module: Module): TestImage[] {
  const picture = Uint8Array.from({ length: 64 }, (_, index) => (index * 37) & 255);
  const outputs = [
    imageOf('image3d_t', ['RGBA', 'FLOAT'], [4, 1, 2]),
    imageOf('image1d_buffer_t', ['RG', 'UNSIGNED_INT16'], [4]),
    imageOf('image2d_array_t', ['RGBA', 'SIGNED_INT8'], [4, 2, 1]),
  ] as const;
  runOnInterpreter(module, 'k', { global: [4], local: [4] }, [
    { image: imageOf('image2d_t', ['RGBA', 'UNORM_INT8'], [4, 4], picture) },
    { sampler: bits.clamp | bits.nearest },
    { image: imageOf('image1d_array_t', ['RGBA', 'SIGNED_INT8'], [4, 2], picture.subarray(0, 32)) },
    ...outputs.map((image) => ({ image })),
  ]);
  return [...outputs];
}

describe('images', () => {
  it('are passed on, read, written and asked', () => {
    expect(written(compileForTest(source), true).replace(/^\/\/.*\n/gm, '')).toMatchInlineSnapshot(`
      "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
      #pragma OPENCL FP_CONTRACT ON

      constant sampler_t sampler_41 = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_LINEAR;

      kernel void k(
          read_only image2d_t image,
          sampler_t own,
          read_only image1d_array_t lines,
          write_only image3d_t volume,
          write_only image1d_buffer_t numbers,
          write_only image2d_array_t layers) {
        uint i = (uint)get_global_id(0);
        float2 at = (float2)((float)(int)i * 0.3f, 0.4f);
        float4 c = read_imagef(image, sampler_41, at) + read_imagef(image, own, convert_int2(at * (float2)(4.0f)));
        write_imagef(volume, as_int4((uint4)(i, 0u, i & 1u, 0u)), c);
        int4 n = read_imagei(lines, as_int2((uint2)(i, (uint)get_image_array_size(lines) + 0xffffffffu)));
        write_imageui(numbers, (int)i, as_uint4(n) + (uint4)(get_image_width(image)));
        write_imagei(layers, as_int4((uint4)(i, 1u, 0u, 0u)), as_int4(as_uint4(n) - (uint4)(get_image_width(volume), get_image_height(volume), get_image_depth(volume), 0u) + (uint4)((uint)(get_image_channel_order(image) == 4277))));
      }
      "
    `);
  });

  it('come back as they went', () => {
    const expected = results(compileForTest(source));
    expect(expected.every(({ pixels }) => pixels.some((byte) => byte !== 0))).toBe(true);
    for (const optimised of [false, true]) {
      expect(results(roundTrip(compileForTest(source), optimised))).toEqual(expected);
    }
  });

  it('of kinds that OpenCL C 1.1 has not are refused for it', () => {
    const refused = (text: string) => () => writeOpenCLC(compileForTest(text), { version: '1.1' });
    expect(refused('kernel void k(write_only image1d_t i) { write_imagef(i, 0, (float4)(0)); }')).toThrow(
      OpenCLCError,
    );
    expect(
      refused('kernel void k(image2d_t i, global float4 *o) { *o = read_imagef(i, (int2)(0)); }'),
    ).toThrow('reads of images without a sampler need OpenCL C 1.2');
  });
});
