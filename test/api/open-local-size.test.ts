/** Launches whose local size is left to the device: small, odd and prime ranges, as kernels and the specification see them. */
import { CL, createContext, getPlatforms } from 'millrace/opencl';
import { afterAll, describe, expect, it } from 'vitest';

/** @param whole asks for the size of all groups but perhaps the last */
const sourceOf = (whole: string): string => `
kernel void sizes(global uint *out) {
  uint at = get_global_id(0);
  out[at * 4] = ${whole}(0);
  out[at * 4 + 1] = get_local_size(0);
  out[at * 4 + 2] = get_group_id(0) * ${whole}(0) + get_local_id(0);
  out[at * 4 + 3] = get_num_groups(0);
}`;

const [wasm] = getPlatforms()[0]!.getDevices(CL.DEVICE_TYPE_CPU);
const context = createContext(wasm!);
afterAll(() => context.releaseAll());

describe.each([
  ['OpenCL C 1.2, where the local size divides the range', 'get_local_size', '-cl-std=CL1.2'],
  ['OpenCL C 2.0, where the last group may be smaller', 'get_enqueued_local_size', '-cl-std=CL2.0'],
])('%s', (_title, whole, options) => {
  const program = context.createProgram(sourceOf(whole));
  program.build(null, options);
  const kernel = program.createKernel('sizes');
  const queue = context.createCommandQueue();

  it.each([1, 2, 7, 10, 16, 17, 48, 97, 100, 1000, 1009, 2018, 5003])('%i work-items', (range) => {
    const buffer = context.createBuffer(CL.MEM_READ_WRITE, range * 16);
    kernel.setArg(0, buffer);
    queue.enqueueNDRangeKernel(kernel, 1, null, [range]);
    const out = new Uint32Array(range * 4);
    queue.enqueueReadBuffer(buffer, true, 0, out.byteLength, out);
    const size = out[0]!;
    const groups = Math.ceil(range / size);
    for (let at = 0; at < range; at += 1) {
      const own = Math.min(size, range - Math.floor(at / size) * size);
      expect([...out.subarray(at * 4, at * 4 + 4)]).toEqual([size, own, at, groups]);
    }
    if (range <= 16) expect(size).toBe(range);
    else if (options.includes('1.2')) expect(range % size).toBe(0);
    else expect(size).toBeGreaterThanOrEqual(16);
    const limit = kernel.getWorkGroupInfo(wasm!, CL.KERNEL_WORK_GROUP_SIZE);
    expect(size).toBeLessThanOrEqual(limit);
  });
});
