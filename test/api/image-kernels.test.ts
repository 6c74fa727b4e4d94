/** Images in the short form on Millrace's own devices, and in a context that holds several devices. */
import { compile, devices, type Program } from 'millrace';
import { CL, CLEvent, createContext, getPlatforms } from 'millrace/opencl';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareFills } from '../support/image-fills.ts';
import { imageKernels, testImageKernels } from '../support/image-kernels.ts';

describe.each(['wasm', 'interpreter'])('images on %s', (id) => {
  let program: Program;
  beforeAll(async () => {
    const device = devices().find((each) => each.id === id)!;
    program = await compile(imageKernels, { device });
  });
  afterAll(() => program.release());
  testImageKernels(() => program, true);
});

it('a fill writes what a kernel writes, in every format', () => {
  const context = createContext();
  expect(compareFills(context, 0)).toEqual({ count: 114, differences: [] });
  context.releaseAll();
});

it('images work on one thread, where memory moves when it grows', async () => {
  const context = createContext(undefined, { shared: false });
  const program = context.createProgram(imageKernels);
  program.build();
  const queue = context.createCommandQueue();
  const format = { channelOrder: CL.RGBA, channelType: CL.UNORM_INT8 };
  const size = { type: CL.MEM_OBJECT_IMAGE2D, width: 2, height: 2 };
  const from = context.createImage(CL.MEM_READ_ONLY, format, size, new Uint8Array(16).fill(40));
  const to = context.createImage(CL.MEM_WRITE_ONLY, format, size);
  context.createBuffer(CL.MEM_READ_WRITE, 200 << 20);
  const negate = program.createKernel('negate');
  negate.setArg(0, from);
  negate.setArg(1, to);
  negate.setArg(2, context.createSampler(false, CL.ADDRESS_CLAMP, CL.FILTER_NEAREST));
  queue.enqueueNDRangeKernel(negate, 2, null, [2, 2]);
  const done = new CLEvent();
  const out = new Uint8Array(16);
  queue.enqueueReadImage(to, false, [0, 0, 0], [2, 2, 1], 0, 0, out, null, done);
  await done.done;
  expect(out.every((value) => value === 215)).toBe(true);
  context.releaseAll();
});

it('images go from device to device', async () => {
  const all = getPlatforms().flatMap((platform) => platform.getDevices(CL.DEVICE_TYPE_ALL));
  const able = all.filter(({ runtime }) => runtime.id === 'wasm' || runtime.id.startsWith('icd:pocl'));
  const context = createContext(able);
  const program = context.createProgram(imageKernels);
  program.build();
  const format = { channelOrder: CL.RGBA, channelType: CL.UNORM_INT8 };
  const size = { type: CL.MEM_OBJECT_IMAGE2D, width: 4, height: 4 };
  const images = [new Uint8Array(64).fill(20), new Uint8Array(64)].map((data) =>
    context.createImage(CL.MEM_READ_WRITE, format, size, data),
  );
  const sampler = context.createSampler(false, CL.ADDRESS_CLAMP, CL.FILTER_NEAREST);
  let last: CLEvent | undefined;
  for (let round = 0; round < 5; round += 1) {
    const queue = context.createCommandQueue(able[round % able.length]);
    const negate = program.createKernel('negate');
    negate.setArg(0, images[round % 2]!);
    negate.setArg(1, images[(round + 1) % 2]!);
    negate.setArg(2, sampler);
    const event = new CLEvent();
    queue.enqueueNDRangeKernel(negate, 2, null, [4, 4], null, last ? [last] : null, event);
    queue.flush();
    last = event;
  }
  const out = new Uint8Array(64);
  const queue = context.createCommandQueue();
  queue.enqueueReadImage(images[1]!, true, [0, 0, 0], [4, 4, 1], 0, 0, out, [last!]);
  expect(out.every((value) => value === 235)).toBe(true);
  context.releaseAll();
});
