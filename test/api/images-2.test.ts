// What images of OpenCL 2.0 have more: the sRGB encoding, depths, 2D images of a buffer's or another image's pixels.
import { CL, type CLContext, createContext, getPlatforms, OpenCLError } from 'millrace/opencl';
import { afterAll, describe, expect, it } from 'vitest';

const platform = getPlatforms()[0]!;
const devices = [...platform.getDevices(CL.DEVICE_TYPE_CPU), ...platform.getDevices(CL.DEVICE_TYPE_CUSTOM)];
const contexts: CLContext[] = [];

afterAll(() => {
  for (const context of contexts) context.releaseAll();
});

function errorOf(action: () => unknown): string | undefined {
  try {
    action();
  } catch (error) {
    if (error instanceof OpenCLError) return error.name;
    throw error;
  }
  return undefined;
}

const source = `
kernel void read(read_only image2d_t in, global float4 *out) {
  out[get_global_id(0)] = read_imagef(in, (int2)(get_global_id(0), 0));
}
kernel void between(read_only image2d_t in, sampler_t s, global float4 *out) {
  out[0] = read_imagef(in, s, (float2)(1, 0.5f));
  out[1] = read_imagef(in, s, (float2)(-9, 0));
  out[2] = (float4)(get_image_channel_order(in) == CLK_sRGB, get_image_channel_order(in) == CLK_sBGRA, 0, 0);
}
kernel void write(write_only image2d_t image, global const float4 *in) {
  write_imagef(image, (int2)(get_global_id(0), 0), in[get_global_id(0)]);
}
kernel void depths(read_only image2d_depth_t in, sampler_t s, global float *out) {
  out[0] = read_imagef(in, (int2)(1, 0)); out[1] = read_imagef(in, s, (float2)(1, 0.5f));
  out[2] = read_imagef(in, s, (int2)(5, 0)); out[3] = get_image_width(in) + 10 * get_image_height(in);
  out[4] = get_image_channel_order(in) == CLK_DEPTH;
}
kernel void put_depths(write_only image2d_array_depth_t image) {
  for (int i = 0; i < 2; i++) write_imagef(image, (int4)(i, 0, 1, 0), i * 0.5f + 0.25f);
}
kernel void layers(read_only image2d_array_depth_t in, sampler_t s, global float *out) {
  out[0] = read_imagef(in, s, (int4)(0, 0, 1, 0)); out[1] = read_imagef(in, s, (float4)(1.5f, 0.5f, 1, 0));
  out[2] = get_image_array_size(in); out[3] = get_image_dim(in).x;
}`;

/** OpenCL 2.0, 8.3.1.2. */
const linear = (code: number): number => {
  const c = code / 255;
  return Math.fround(c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
};

describe.each(devices.map((device) => [device.getInfo(CL.DEVICE_NAME) as string, device] as const))(
  '%s',
  (_, device) => {
    const context = createContext(device);
    contexts.push(context);
    const program = context.createProgram(source);
    program.build(undefined, '-cl-std=CL2.0');
    const queue = context.createCommandQueue();
    const clamp = context.createSampler(false, CL.ADDRESS_CLAMP, CL.FILTER_LINEAR);
    const out = context.createBuffer(CL.MEM_READ_WRITE, 256 * 16);
    const run = (
      name: string,
      items: number,
      ...args: readonly Parameters<ReturnType<typeof program.createKernel>['setArg']>[1][]
    ): number[] => {
      const kernel = program.createKernel(name);
      for (const [index, value] of args.entries()) kernel.setArg(index, value);
      queue.enqueueNDRangeKernel(kernel, 1, null, [items]);
      const floats = new Float32Array(256 * 4);
      queue.enqueueReadBuffer(out, true, 0, floats.byteLength, floats);
      return [...floats];
    };
    const planar = (width: number, height: number) => ({ type: CL.MEM_OBJECT_IMAGE2D, width, height });
    const codes = Uint8Array.from(
      { length: 256 * 4 },
      (_, index) => (index % 4 === 3 ? 255 : 0) ^ (index >> 2),
    );

    it.each([
      ['sRGBA', [0, 1, 2, 3], 4],
      ['sBGRA', [2, 1, 0, 3], 4],
      ['sRGB', [0, 1, 2], 3],
      ['sRGBx', [0, 1, 2], 3],
    ] as const)('%s holds linear colours in the sRGB encoding', (order, components, bytes) => {
      const format = { channelOrder: CL[order], channelType: CL.UNORM_INT8 };
      const pixels = new Uint8Array(256 * bytes);
      // Red, green and blue run through the codes in three ways, alpha in a fourth.
      const codeOf = (pixel: number, component: number): number => (pixel * [1, 3, 5, 7][component]!) & 255;
      for (let pixel = 0; pixel < 256; pixel += 1) {
        for (const [place, component] of components.entries())
          pixels[pixel * bytes + place] = codeOf(pixel, component);
      }
      const image = context.createImage(CL.MEM_READ_WRITE, format, planar(256, 1), pixels);
      const expected = Array.from({ length: 256 }, (_, pixel) => [
        ...[0, 1, 2].map((component) => linear(codeOf(pixel, component))),
        bytes === 4 ? Math.fround(codeOf(pixel, 3) / 255) : 1,
      ]).flat();
      expect(run('read', 256, image, out)).toEqual(expected);
      // What is written is rounded to the nearest code.
      const target = context.createImage(CL.MEM_READ_WRITE, format, planar(256, 1));
      run('write', 256, target, out);
      const back = new Uint8Array(256 * bytes);
      queue.enqueueReadImage(target, true, [0, 0, 0], [256, 1, 1], 0, 0, back);
      expect(back).toEqual(pixels);
      // Filters mix linear colours.
      const [red, , , , more] = expected;
      const [mixed, , , , ...rest] = run('between', 1, image, clamp, out);
      expect(mixed).toBeCloseTo((red! + more!) / 2, 6);
      expect(rest.slice(0, 4)).toEqual([0, 0, 0, order === 'sRGB' ? 1 : 0]);
      expect(rest.slice(4, 6)).toEqual([order === 'sRGB' ? 1 : 0, order === 'sBGRA' ? 1 : 0]);
      image.release();
    });

    it('takes a colour out of bounds for the nearest inside', () => {
      const format = { channelOrder: CL.sRGBA, channelType: CL.UNORM_INT8 };
      const image = context.createImage(CL.MEM_READ_WRITE, format, planar(2, 1));
      const input = context.createBuffer(
        CL.MEM_COPY_HOST_PTR,
        Float32Array.of(-1, 2, Number.NaN, 0.5, 0, 1, 0.002, 9),
      );
      run('write', 2, image, input);
      const pixels = new Uint8Array(8);
      queue.enqueueReadImage(image, true, [0, 0, 0], [2, 1, 1], 0, 0, pixels);
      // 0.002 * 12.92 * 255 is 6.59.
      expect([...pixels]).toEqual([0, 255, 0, 128, 0, 255, 7, 255]);
    });

    it('a 2D image of a buffer is the buffer, with its pitch', () => {
      const format = { channelOrder: CL.RGBA, channelType: CL.UNORM_INT8 };
      const buffer = context.createBuffer(CL.MEM_COPY_HOST_PTR, codes.slice(0, 64));
      const image = context.createImage(CL.MEM_READ_WRITE, format, { ...planar(3, 2), rowPitch: 20, buffer });
      expect(image.getImageInfo(CL.IMAGE_ROW_PITCH)).toBe(20);
      expect(image.getImageInfo(CL.IMAGE_BUFFER)).toBe(buffer);
      expect(image.getInfo(CL.MEM_ASSOCIATED_MEMOBJECT)).toBe(buffer);
      const pixels = new Uint8Array(12);
      queue.enqueueReadImage(image, true, [0, 1, 0], [3, 1, 1], 0, 0, pixels);
      expect([...pixels]).toEqual([...codes.slice(20, 32)]);
      const colours = context.createBuffer(CL.MEM_COPY_HOST_PTR, new Float32Array(12).fill(0.2));
      run('write', 3, image, colours);
      queue.enqueueFillImage(image, [1, 1, 1, 1], [2, 1, 0], [1, 1, 1]);
      const bytes = new Uint8Array(64);
      queue.enqueueReadBuffer(buffer, true, 0, 64, bytes);
      const expected = codes.slice(0, 64);
      expected.fill(51, 0, 12);
      expected.fill(255, 28, 32);
      expect(bytes).toEqual(expected);
      expect(run('read', 3, image, out).slice(0, 4)).toEqual(new Array(4).fill(Math.fround(51 / 255)));
    });

    it('an image of another image sees the same pixels in the other encoding', () => {
      const format = (order: number) => ({ channelOrder: order, channelType: CL.UNORM_INT8 });
      const image = context.createImage(CL.MEM_READ_WRITE, format(CL.RGBA), planar(256, 1), codes);
      const view = context.createImage(CL.MEM_READ_ONLY, format(CL.sRGBA), {
        ...planar(256, 1),
        buffer: image,
      });
      expect(view.getInfo(CL.MEM_ASSOCIATED_MEMOBJECT)).toBe(image);
      expect(view.getImageInfo(CL.IMAGE_BUFFER)).toBe(null);
      const seen = run('read', 256, view, out);
      expect(seen.filter((_, index) => index % 4 === 0)).toEqual(
        Array.from({ length: 256 }, (_, code) => linear(code)),
      );
      const depths = { channelOrder: CL.DEPTH, channelType: CL.UNORM_INT8 };
      const errors: readonly [string, () => unknown][] = [
        [
          'CL_INVALID_IMAGE_FORMAT_DESCRIPTOR',
          () => context.createImage(0, format(CL.sBGRA), { ...planar(256, 1), buffer: image }),
        ],
        [
          'CL_INVALID_IMAGE_FORMAT_DESCRIPTOR',
          () => context.createImage(0, depths, { ...planar(256, 1), buffer: image }),
        ],
        [
          'CL_INVALID_IMAGE_DESCRIPTOR',
          () => context.createImage(0, format(CL.sRGBA), { ...planar(128, 2), buffer: image }),
        ],
        [
          'CL_INVALID_VALUE',
          () => context.createImage(CL.MEM_WRITE_ONLY, format(CL.RGBA), { ...planar(256, 1), buffer: view }),
        ],
      ];
      for (const [error, action] of errors) expect(errorOf(action)).toBe(error);
    });

    it('wrong images of buffers are errors', () => {
      const format = { channelOrder: CL.RGBA, channelType: CL.UNORM_INT8 };
      const buffer = context.createBuffer(CL.MEM_READ_WRITE, 64);
      const make = (width: number, height: number, rowPitch: number, data?: Uint8Array) => () =>
        context.createImage(0, format, { ...planar(width, height), rowPitch, buffer }, data);
      expect(errorOf(make(4, 4, 0))).toBe(undefined);
      expect(errorOf(make(4, 5, 0))).toBe('CL_INVALID_IMAGE_DESCRIPTOR');
      expect(errorOf(make(4, 2, 12))).toBe('CL_INVALID_IMAGE_DESCRIPTOR');
      expect(errorOf(make(4, 2, 18))).toBe('CL_INVALID_IMAGE_DESCRIPTOR');
      expect(errorOf(make(4, 4, 0, new Uint8Array(64)))).toBe('CL_INVALID_HOST_PTR');
    });

    it.each([
      ['FLOAT', Float32Array.of(0.25, 0.75)],
      ['UNORM_INT16', Uint16Array.of(16384, 49151)],
    ] as const)('depths of %s are numbers', (type, data) => {
      const format = { channelOrder: CL.DEPTH, channelType: CL[type] };
      const image = context.createImage(CL.MEM_READ_ONLY, format, planar(2, 1), data);
      const value = (index: number): number =>
        type === 'FLOAT' ? data[index]! : Math.fround(data[index]! / 65535);
      const [whole, mixed, border, size, order] = run('depths', 1, image, clamp, out);
      expect(whole).toBe(value(1));
      expect(mixed).toBeCloseTo((value(0) + value(1)) / 2, 6);
      expect([border, size, order]).toEqual([0, 12, 1]);
      expect(errorOf(() => program.createKernel('read').setArg(0, image))).toBe('CL_INVALID_ARG_VALUE');
    });

    it('depths lie in arrays too', () => {
      const format = { channelOrder: CL.DEPTH, channelType: CL.FLOAT };
      const size = { type: CL.MEM_OBJECT_IMAGE2D_ARRAY, width: 2, height: 1, arraySize: 2 };
      const image = context.createImage(CL.MEM_READ_WRITE, format, size);
      run('put_depths', 1, image);
      expect(run('layers', 1, image, clamp, out).slice(0, 4)).toEqual([0.25, 0.75, 2, 2]);
      expect(
        errorOf(() =>
          context.createImage(0, format, { type: CL.MEM_OBJECT_IMAGE3D, width: 2, height: 2, depth: 2 }),
        ),
      ).toBe('CL_IMAGE_FORMAT_NOT_SUPPORTED');
    });
  },
);
