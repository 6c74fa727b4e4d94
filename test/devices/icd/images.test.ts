/** Images and samplers on a driver's device, in the context's memory and with copies, against values worked out by hand. */
import { compile, devices, type OpenCLError, type Program } from 'millrace';
import {
  CL,
  type CLCommandQueue,
  type CLContext,
  type CLImageFormat,
  createContext,
  getPlatforms,
} from 'millrace/opencl';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allFormats } from '../../../src/runtime/image-format.ts';
import { compareFills } from '../../support/image-fills.ts';
import { imageKernels, testImageKernels } from '../../support/image-kernels.ts';
import { native, skipped } from './setup.ts';

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
      program = await compile(imageKernels, { device, timeout: way === 'with copies' ? 60_000 : 59_000 });
    });
    afterEach(() => program.release());

    const formats = native?.imageFormats(CL.MEM_OBJECT_IMAGE2D, 'read_only') ?? [];
    const hasPairs = formats.some(({ order, type }) => order === CL.RG && type === CL.UNORM_INT8);
    testImageKernels(() => program, hasPairs);
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
      const program = context.createProgram(imageKernels);
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
      const all = allFormats.map(({ order, type }) => ({ channelOrder: order, channelType: type }));
      const has = (format: CLImageFormat) =>
        formats.some((each) => Object.entries(each).join() === Object.entries(format).join());
      // PoCL has no packed formats; NVIDIA's driver neither.
      expect(all.filter((format) => !has(format))).not.toEqual([]);
      for (const format of all.filter((each) => !has(each))) {
        const descriptor = { type: CL.MEM_OBJECT_IMAGE2D, width: 3, height: 2 };
        expect(() => context.createImage(CL.MEM_READ_ONLY, format, descriptor)).toThrow(
          expect.objectContaining({ name: 'CL_IMAGE_FORMAT_NOT_SUPPORTED' }),
        );
      }
    });

    it('writes the pixels that a fill writes', () => {
      // PoCL 3.1 writes zeros to images of one half a pixel (orders 0x10b0 and 0x10b1, type 0x10dd).
      const differences = compareFills(context, 1).differences.filter((text) => !/^10b[01],10dd/.test(text));
      expect(differences).toEqual([]);
    });

    it('refuses arguments that do not fit', () => {
      const program = context.createProgram(imageKernels);
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
      const program = context.createProgram(imageKernels);
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
