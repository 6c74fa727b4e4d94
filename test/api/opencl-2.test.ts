// OpenCL C 2.0 through the host API, on our devices: what lives from launch to launch, and what the host is told.

import { CL, type CLContext, createContext, getPlatforms } from 'millrace/opencl';
import { afterAll, describe, expect, it } from 'vitest';

const platform = getPlatforms()[0]!;
const devices = [...platform.getDevices(CL.DEVICE_TYPE_CPU), ...platform.getDevices(CL.DEVICE_TYPE_CUSTOM)];
const contexts: CLContext[] = [];

afterAll(() => {
  for (const context of contexts) context.releaseAll();
});

function open(device: (typeof devices)[0], source: string, options = '-cl-std=CL2.0') {
  const context = createContext(device);
  contexts.push(context);
  const program = context.createProgram(source);
  program.build(undefined, options);
  const queue = context.createCommandQueue();
  const out = context.createBuffer(CL.MEM_READ_WRITE, 256);
  const run = (name: string, global: readonly number[], local: readonly number[] | null = null): number[] => {
    const kernel = program.createKernel(name);
    kernel.setArg(0, out);
    queue.enqueueNDRangeKernel(kernel, global.length, null, global, local);
    const result = new Int32Array(64);
    queue.enqueueReadBuffer(out, CL.TRUE, 0, 256, result);
    kernel.release();
    return [...result];
  };
  return { context, program, run };
}

describe.each(devices.map((device) => [device.getInfo(CL.DEVICE_NAME) as string, device] as const))(
  '%s',
  (_, device) => {
    const source = `
    int counter = 5;
    static global int sums[64];
    atomic_int tickets = ATOMIC_VAR_INIT(100);
    int *where = &counter;
    constant int step = 2;
    int next(void) { static int calls = 0; return ++calls; }
    kernel void count(global int *out) {
      out[0] = counter; out[1] = next(); out[2] = *where;
      counter += step;
      if (counter > 8) where = sums + 3;
      sums[3] = 77;
    }
    kernel void all(global int *out) {
      int ticket = atomic_fetch_add(&tickets, 1);
      if (get_global_id(0) < 64) out[get_global_id(0)] = ticket >= 100;
    }
    kernel void left(global int *out) { out[0] = atomic_load(&tickets); }`;

    it('variables of program scope live as long as the program', () => {
      const { program, run } = open(device, source);
      expect(run('count', [1]).slice(0, 3)).toEqual([5, 1, 5]);
      expect(run('count', [1]).slice(0, 3)).toEqual([7, 2, 7]);
      expect(run('count', [1]).slice(0, 3)).toEqual([9, 3, 77]);
      expect(run('all', [1000], [8])).toEqual(new Array(64).fill(1));
      expect(run('left', [1])[0]).toBe(1100);
      // counter, sums, tickets, where and calls.
      expect(program.getBuildInfo(device, CL.PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE)).toBe(
        4 + 256 + 4 + 4 + 4,
      );
      // Another program has its own.
      expect(open(device, source).run('count', [1]).slice(0, 3)).toEqual([5, 1, 5]);
    });

    it('images that are read and written', () => {
      const { context, program } = open(
        device,
        `kernel void k(read_write image2d_t im) {
         int2 at = (int2)(get_global_id(0), get_global_id(1));
         for (int i = 0; i < 3; i++) {
           float4 c = read_imagef(im, at);
           write_imagef(im, at, 2 * c + get_image_width(im));
           atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
         }
       }`,
      );
      const format = { channelOrder: CL.R, channelType: CL.FLOAT };
      const description = { type: CL.MEM_OBJECT_IMAGE2D, width: 4, height: 2 };
      const image = context.createImage(
        CL.MEM_READ_WRITE | CL.MEM_COPY_HOST_PTR,
        format,
        description,
        Float32Array.of(0, 1, 2, 3, 4, 5, 6, 7),
      );
      const kernel = program.createKernel('k');
      kernel.setArg(0, image);
      const queue = context.createCommandQueue();
      queue.enqueueNDRangeKernel(kernel, 2, null, [4, 2], null);
      const pixels = new Float32Array(8);
      queue.enqueueReadImage(image, CL.TRUE, [0, 0, 0], [4, 2, 1], 0, 0, pixels);
      // Three times x becomes 2x + 4.
      expect([...pixels]).toEqual([28, 36, 44, 52, 60, 68, 76, 84]);
    });

    it('work-groups at the end of a range may be smaller, if the program allows it', () => {
      const sizes = 'kernel void k(global int *out) { out[get_global_id(0)] = get_local_size(0); }';
      expect(open(device, sizes).run('k', [20], [8]).slice(0, 20)).toEqual([
        ...new Array(16).fill(8),
        ...new Array(4).fill(4),
      ]);
      for (const options of ['', '-cl-std=CL2.0 -cl-uniform-work-group-size']) {
        expect(() => open(device, sizes, options).run('k', [20], [8])).toThrow('does not divide');
      }
      const required = `__attribute__((reqd_work_group_size(8, 1, 1))) ${sizes}`;
      expect(open(device, required).run('k', [20], [8]).slice(15, 20)).toEqual([8, 4, 4, 4, 4]);
      expect(() => open(device, required, '').run('k', [20], [8])).toThrow('does not divide');
      expect(() => open(device, required).run('k', [20], [4])).toThrow('requires work-groups of 8');
    });

    it('an older program has none', () => {
      const { program } = open(
        device,
        'constant int c = 1; kernel void k(global int *out) { *out = c; }',
        '',
      );
      expect(program.getBuildInfo(device, CL.PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE)).toBe(0);
    });
  },
);
