/**
 * Kernels with images in the short form, and what they must compute, worked out by hand: for each device that is to pass
 * them.
 */
import { OpenCLError, type Program, sampler } from 'millrace';
import { expect, it } from 'vitest';

export const imageKernels = `
kernel void negate(read_only image2d_t in, write_only image2d_t out, sampler_t s) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, p, 1.0f - read_imagef(in, s, p));
}
kernel void sample(read_only image2d_t in, sampler_t s, global const float2 *at, global float4 *out) {
  size_t i = get_global_id(0);
  out[i] = read_imagef(in, s, at[i]);
}
kernel void slices(read_only image3d_t in, read_only image2d_array_t layers, read_only image1d_array_t lines,
                   sampler_t s, global uint4 *out) {
  int i = get_global_id(0);
  out[3 * i] = read_imageui(in, s, (int4)(1, 0, i, 0));
  out[3 * i + 1] = read_imageui(layers, s, (int4)(0, 1, i, 0));
  out[3 * i + 2] = read_imageui(lines, s, (int2)(1, i));
}
kernel void line(read_only image1d_buffer_t in, global int4 *out) {
  out[get_global_id(0)] = read_imagei(in, (int)get_global_id(0));
}
kernel void mark(write_only image2d_t out) { write_imageui(out, (int2)(1, 1), (uint4)(9, 8, 7, 6)); }`;

/** The tests, on the program of {@link imageKernels} that `current` gives. `hasPairs`: images of two channels exist. */
export function testImageKernels(current: () => Program, hasPairs: boolean): void {
  it('takes pictures and gives them back', async () => {
    const data = Uint8Array.from({ length: 5 * 3 * 4 }, (_, index) => index * 4);
    const out = { width: 5, height: 3, data: new Uint8Array(data.length) };
    const negate = current().kernel('negate');
    await negate({ global: [5, 3] }, { width: 5, height: 3, data }, out, sampler());
    expect(out.data).toEqual(data.map((value) => 255 - value));
    const image = current().image({ width: 5, height: 3 });
    await negate({ global: [5, 3] }, out, image, sampler());
    expect(await image.read(Uint8Array)).toEqual(data);
    await image.write(new Uint8Array(data.length).fill(255));
    await negate({ global: [5, 3] }, image, out, sampler());
    expect(out.data.every((value) => value === 0)).toBe(true);
    // A kernel that writes one pixel leaves the others.
    const whole = { width: 2, height: 2, type: 'UNSIGNED_INT8', data: new Uint8Array(16).fill(1) } as const;
    await current().kernel('mark')({ global: [1] }, whole);
    expect([...whole.data]).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 9, 8, 7, 6]);
  });

  it('gives samplers their modes', async () => {
    const picture = { width: 2, height: 1, data: Float32Array.of(0, 1) };
    const read = async (settings: Parameters<typeof sampler>[0], x: number) => {
      const out = new Float32Array(4);
      const at = Float32Array.of(x, 0.5);
      await current().kernel('sample')({ global: [1] }, picture, sampler(settings), at, out);
      return out[0];
    };
    expect(await read({}, 1.9)).toBe(1);
    expect(await read({ normalized: true }, 0.6)).toBe(1);
    expect(await read({ filter: 'linear' }, 1.25)).toBe(0.75);
    expect(await read({}, 7)).toBe(1);
    expect(await read({ addressing: 'clamp' }, 7)).toBe(0);
    expect(await read({ normalized: true, addressing: 'repeat' }, 1.1)).toBe(0);
    expect(await read({ normalized: true, addressing: 'mirrored-repeat' }, 1.1)).toBe(1);
  });

  it('has 3D images and arrays of images', async () => {
    const counted = (length: number) => Uint8Array.from({ length }, (_, index) => index);
    const bytes = { order: 'R', type: 'UNSIGNED_INT8' } as const;
    const out = new Uint32Array(4 * 6);
    await current().kernel('slices')(
      { global: [2] },
      { width: 2, height: 2, depth: 2, ...bytes, data: counted(8) },
      { width: 2, height: 2, arraySize: 2, ...bytes, data: counted(8) },
      { width: 2, arraySize: 2, ...bytes, data: counted(4) },
      sampler(),
      out,
    );
    expect(Array.from({ length: 6 }, (_, index) => out[4 * index])).toEqual([1, 2, 1, 5, 6, 3]);
  });

  it('shares the bytes of a buffer', async () => {
    const out = new Int32Array(8);
    const line = current().kernel('line');
    await line({ global: [2] }, { width: 2, data: Int32Array.of(1, 2, -3, 4, 5, 6, 7, 8) }, out);
    expect([...out]).toEqual([1, 2, -3, 4, 5, 6, 7, 8]);
    const buffer = current().buffer(new Int32Array(12));
    const image = current().image({ width: 2, buffer, order: 'RGBA', type: 'SIGNED_INT32' });
    await buffer.write(Int32Array.of(9, 8, 7, 6, 5, 4, 3, 2));
    await line({ global: [2] }, image, out);
    expect([...out]).toEqual([9, 8, 7, 6, 5, 4, 3, 2]);
  });

  it('refuses what does not fit', async () => {
    const negate = current().kernel('negate');
    const picture = { width: 1, height: 1, data: new Uint8Array(4) };
    const call = (...args: unknown[]) =>
      negate({ global: [1, 1] }, ...(args as never[])).then(
        () => 'no error',
        (error: OpenCLError) => error.name,
      );
    expect(await call({ width: 4, data: new Uint8Array(4) }, picture, sampler())).toBe(
      'CL_INVALID_ARG_VALUE',
    );
    expect(await call({ width: 2, height: 1, data: new Uint8Array(6) }, picture, sampler())).toBe(
      'CL_INVALID_IMAGE_DESCRIPTOR',
    );
    expect(await call(new Uint8Array(4), picture, sampler())).toBe('CL_INVALID_MEM_OBJECT');
    expect(await call(picture, picture, 3)).toBe('CL_INVALID_SAMPLER');
    const pair = { width: 1, height: 1, data: new Uint8Array(2) };
    expect(await call(pair, picture, sampler())).toBe(
      hasPairs ? 'no error' : 'CL_IMAGE_FORMAT_NOT_SUPPORTED',
    );
    if (!hasPairs) expect(() => current().image(pair)).toThrow(OpenCLError);
  });
}
