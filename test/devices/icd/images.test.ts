/** Images and samplers on a driver's device, in the context's memory and with copies, against values worked out by hand. */
import { compile, devices, OpenCLError, type Program, sampler } from 'millrace';
import { CL, type CLCommandQueue, type CLContext, createContext, getPlatforms } from 'millrace/opencl';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { native, skipped } from './setup.ts';

const source = `
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

const ways = [{ way: "in the context's memory" }, { way: 'with copies' }];

describe.skipIf(!native).each(ways)(`images of a native device, $way${skipped}`, ({ way }) => {
  beforeAll(() => {
    if (way === 'with copies') process.env['MILLRACE_ICD_COPIES'] = '1';
  });
  afterAll(() => {
    delete process.env['MILLRACE_ICD_COPIES'];
  });

  describe('in the short form', () => {
    let program: Program;
    beforeEach(async () => {
      const device = devices().find(({ id }) => id === native!.id)!;
      // A time-out of its own keeps the session of one way from the other.
      program = await compile(source, { device, timeout: way === 'with copies' ? 60_000 : 59_000 });
    });
    afterEach(() => program.release());

    it('takes pictures and gives them back', async () => {
      const data = Uint8Array.from({ length: 5 * 3 * 4 }, (_, index) => index * 4);
      const out = { width: 5, height: 3, data: new Uint8Array(data.length) };
      const negate = program.kernel('negate');
      await negate({ global: [5, 3] }, { width: 5, height: 3, data }, out, sampler());
      expect(out.data).toEqual(data.map((value) => 255 - value));
      const image = program.image({ width: 5, height: 3 });
      await negate({ global: [5, 3] }, out, image, sampler());
      expect(await image.read(Uint8Array)).toEqual(data);
      await image.write(new Uint8Array(data.length).fill(255));
      await negate({ global: [5, 3] }, image, out, sampler());
      expect(out.data.every((value) => value === 0)).toBe(true);
      // A kernel that writes one pixel leaves the others.
      const whole = { width: 2, height: 2, type: 'UNSIGNED_INT8', data: new Uint8Array(16).fill(1) } as const;
      await program.kernel('mark')({ global: [1] }, whole);
      expect([...whole.data]).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 9, 8, 7, 6]);
    });

    it('gives samplers their modes', async () => {
      const picture = { width: 2, height: 1, data: Float32Array.of(0, 1) };
      const read = async (settings: Parameters<typeof sampler>[0], x: number) => {
        const out = new Float32Array(4);
        const at = Float32Array.of(x, 0.5);
        await program.kernel('sample')({ global: [1] }, picture, sampler(settings), at, out);
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
      await program.kernel('slices')(
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
      const line = program.kernel('line');
      await line({ global: [2] }, { width: 2, data: Int32Array.of(1, 2, -3, 4, 5, 6, 7, 8) }, out);
      expect([...out]).toEqual([1, 2, -3, 4, 5, 6, 7, 8]);
      const buffer = program.buffer(new Int32Array(12));
      const image = program.image({ width: 2, buffer, order: 'RGBA', type: 'SIGNED_INT32' });
      await buffer.write(Int32Array.of(9, 8, 7, 6, 5, 4, 3, 2));
      await line({ global: [2] }, image, out);
      expect([...out]).toEqual([9, 8, 7, 6, 5, 4, 3, 2]);
    });

    it('refuses what does not fit', async () => {
      const negate = program.kernel('negate');
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
      // Two channels: a format that PoCL does not have.
      const pair = { width: 1, height: 1, data: new Uint8Array(2) };
      expect(await call(pair, picture, sampler())).toBe('CL_IMAGE_FORMAT_NOT_SUPPORTED');
      expect(() => program.image({ ...pair })).toThrow(OpenCLError);
    });
  });

  describe('in the OpenCL API', () => {
    const rgba8 = { channelOrder: CL.RGBA, channelType: CL.UNSIGNED_INT8 };
    let context: CLContext;
    let queue: CLCommandQueue;
    beforeEach(() => {
      const platform = getPlatforms().find((each) =>
        each.getDevices().some(({ runtime }) => runtime.id === native!.id),
      )!;
      context = createContext(platform);
      queue = context.createCommandQueue();
    });
    afterEach(() => context.releaseAll());

    it('lets kernels and transfers see what each other did', () => {
      const program = context.createProgram(source);
      program.build();
      const mark = program.createKernel('mark');
      const descriptor = { type: CL.MEM_OBJECT_IMAGE2D, width: 3, height: 2 };
      const image = context.createImage(CL.MEM_READ_WRITE, rgba8, descriptor, new Uint8Array(24).fill(1));
      const run = () => {
        mark.setArg(0, image);
        queue.enqueueNDRangeKernel(mark, 1, null, [1]);
      };
      const content = () => {
        const out = new Uint8Array(24);
        queue.enqueueReadImage(image, true, [0, 0, 0], [3, 2, 1], 0, 0, out);
        return [...out];
      };
      const ones = (count: number) => new Array<number>(count).fill(1);
      run();
      expect(content()).toEqual([...ones(16), 9, 8, 7, 6, ...ones(4)]);
      queue.enqueueFillImage(image, [2, 3, 4, 5], [0, 1, 0], [2, 1, 1]);
      expect(content()).toEqual([...ones(12), 2, 3, 4, 5, 2, 3, 4, 5, ...ones(4)]);
      run();
      queue.enqueueCopyImage(image, image, [1, 1, 0], [0, 0, 0], [1, 1, 1]);
      expect(content()).toEqual([9, 8, 7, 6, ...ones(8), 2, 3, 4, 5, 9, 8, 7, 6, ...ones(4)]);
      const buffer = context.createBuffer(CL.MEM_READ_WRITE, 8);
      queue.enqueueCopyImageToBuffer(image, buffer, [0, 1, 0], [2, 1, 1], 0);
      queue.enqueueCopyBufferToImage(buffer, image, 4, [2, 0, 0], [1, 1, 1]);
      expect(content().slice(8, 12)).toEqual([9, 8, 7, 6]);
      const row = [0];
      const mapped = queue.enqueueMapImage(image, true, CL.MAP_WRITE, [0, 1, 0], [3, 1, 1], row);
      expect([...mapped.subarray(4, 8)]).toEqual([9, 8, 7, 6]);
      mapped[0] = 50;
      queue.enqueueUnmapMemObject(image, mapped);
      run();
      expect(content().slice(12, 20)).toEqual([50, 3, 4, 5, 9, 8, 7, 6]);
    });

    it('tells the formats of the driver', () => {
      const formats = context.getSupportedImageFormats(CL.MEM_READ_ONLY, CL.MEM_OBJECT_IMAGE2D);
      expect(formats).toContainEqual(rgba8);
      const packed = { channelOrder: CL.RGB, channelType: CL.UNORM_SHORT_565 };
      expect(formats).not.toContainEqual(packed);
      const descriptor = { type: CL.MEM_OBJECT_IMAGE2D, width: 3, height: 2 };
      expect(() => context.createImage(0, packed, descriptor)).toThrow(
        expect.objectContaining({ name: 'CL_IMAGE_FORMAT_NOT_SUPPORTED' }),
      );
    });

    it('refuses arguments that do not fit', () => {
      const program = context.createProgram(source);
      program.build();
      const negate = program.createKernel('negate');
      const errorOf = (index: number, value: unknown) => {
        try {
          negate.setArg(index, value as never);
        } catch (error) {
          return (error as OpenCLError).name;
        }
        return 'no error';
      };
      const flat = { type: CL.MEM_OBJECT_IMAGE2D, width: 3, height: 2 };
      const writeOnly = context.createImage(CL.MEM_WRITE_ONLY, rgba8, flat);
      const readOnly = context.createImage(CL.MEM_READ_ONLY, rgba8, flat);
      const line = context.createImage(0, rgba8, { type: CL.MEM_OBJECT_IMAGE1D, width: 3 });
      expect(errorOf(0, writeOnly)).toBe('CL_INVALID_ARG_VALUE');
      expect(errorOf(1, readOnly)).toBe('CL_INVALID_ARG_VALUE');
      expect(errorOf(0, line)).toBe('CL_INVALID_ARG_VALUE');
      expect(errorOf(0, readOnly)).toBe('no error');
      expect(errorOf(0, context.createBuffer(0, 16))).toBe('CL_INVALID_MEM_OBJECT');
      expect(errorOf(0, null)).toBe('CL_INVALID_MEM_OBJECT');
      expect(errorOf(2, readOnly)).toBe('CL_INVALID_SAMPLER');
      expect(errorOf(2, 5)).toBe('CL_INVALID_SAMPLER');
      const linear = context.createSampler(false, CL.ADDRESS_CLAMP, CL.FILTER_LINEAR);
      expect(errorOf(2, linear)).toBe('no error');
      negate.setArg(1, writeOnly);
      linear.release();
      expect(() => queue.enqueueNDRangeKernel(negate, 2, null, [3, 2])).toThrow(
        expect.objectContaining({ name: 'CL_INVALID_SAMPLER' }),
      );
    });

    it('gives thousands of images back', () => {
      const program = context.createProgram(source);
      program.build();
      const mark = program.createKernel('mark');
      const { memory } = context.runtime;
      const before = memory.used;
      const out = new Uint8Array(4);
      for (let round = 0; round < 1500; round += 1) {
        const size = 2 + (round % 700);
        const image = context.createImage(0, rgba8, { type: CL.MEM_OBJECT_IMAGE2D, width: size, height: 2 });
        mark.setArg(0, image);
        queue.enqueueNDRangeKernel(mark, 1, null, [1]);
        if (round % 100 === 0) {
          queue.enqueueReadImage(image, true, [1, 1, 0], [1, 1, 1], 0, 0, out);
          expect([...out]).toEqual([9, 8, 7, 6]);
          out.fill(0);
        }
        image.release();
      }
      queue.finish();
      context.createBuffer(0, 16).release();
      expect(memory.used - before).toBeLessThan(1 << 20);
    });
  });
});
