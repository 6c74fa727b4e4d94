/** Profiles of programs that run: what is recorded, and that hosts need not ask for it. */
import { compile, startProfiling, summarise } from 'millrace';
import { CL, CLEvent, createContext, getPlatforms } from 'millrace/opencl';
import { describe, expect, it } from 'vitest';

const source = `kernel void twice(global int *data) { data[get_global_id(0)] *= 2; }
kernel void wild(global int *data) { data[500000000 + get_global_id(0)] = 1; }`;

/** A device of the machine's OpenCL drivers, if there is one. */
const driver = getPlatforms()[1]?.getDevices(CL.DEVICE_TYPE_ALL)[0];

describe('a profile', () => {
  it('has the commands of a queue that was made without profiling, with their sizes and in order', () => {
    const profiler = startProfiling();
    const device = getPlatforms()[0]!.getDevices(CL.DEVICE_TYPE_ALL)[0]!;
    const context = createContext([device]);
    const queue = context.createCommandQueue(device, 0);
    const program = context.createProgram(source);
    program.build([device]);
    const kernel = program.createKernel('twice');
    const buffer = context.createBuffer(CL.MEM_READ_WRITE, 4096);
    kernel.setArg(0, buffer);
    queue.enqueueWriteBuffer(buffer, true, 0, 4096, new Int32Array(1024).fill(3));
    for (let round = 0; round < 100; round += 1) {
      queue.enqueueNDRangeKernel(kernel, 1, null, [1024], [64]);
    }
    const result = new Int32Array(1024);
    queue.enqueueReadBuffer(buffer, true, 0, 4096, result);
    queue.enqueueFillBuffer(buffer, new Int32Array([1]), 0, 256);
    queue.finish();
    const profile = profiler.stop();
    const { devices, commands, builds, unfinished, missed } = profile;
    queue.enqueueFillBuffer(buffer, new Int32Array([1]), 0, 256);
    queue.finish();
    context.release();

    expect(devices).toEqual([
      { name: device.getInfo(CL.DEVICE_NAME), units: device.getInfo(CL.DEVICE_MAX_COMPUTE_UNITS) },
    ]);
    expect(commands).toHaveLength(103);
    expect([unfinished, missed]).toEqual([0, 0]);
    expect(commands[0]).toMatchObject({ device: 0, queue: 1, kind: 'write buffer', bytes: 4096, status: 0 });
    expect(commands[1]).toMatchObject({
      kind: 'kernel',
      kernel: 'twice',
      global: [1024],
      local: [64],
      bytes: 0,
    });
    const last = commands.slice(-2).map(({ kind, bytes }) => [kind, bytes]);
    expect(last).toEqual([
      ['read buffer', 4096],
      ['fill buffer', 256],
    ]);
    for (const { queued, submitted, started, ended } of commands) {
      expect([queued, submitted, started, ended]).toEqual(
        [queued, submitted, started, ended].sort((a, b) => a - b),
      );
    }
    // An in-order queue runs one command after another.
    const launches = commands.filter(({ kernel }) => kernel === 'twice');
    for (const [index, launch] of launches.entries()) {
      if (index > 0) expect(launch.started).toBeGreaterThanOrEqual(launches[index - 1]!.started);
    }
    expect(summarise(profile).rows.find(({ name }) => name === 'twice')!.total).toBeGreaterThan(0);
    expect(builds.map(({ kind, kernels }) => [kind, kernels])).toEqual([
      ['build', ['twice', 'wild']],
      ['compile', ['twice']],
    ]);
  });

  it('has failures, and counts what has not ended and what is beyond its limit', async () => {
    const profiler = startProfiling({ limit: 3 });
    const device = getPlatforms()[0]!.getDevices(CL.DEVICE_TYPE_ALL)[0]!;
    const context = createContext([device]);
    const queue = context.createCommandQueue(device, 0);
    const program = context.createProgram(source);
    program.build([device]);
    const kernel = program.createKernel('wild');
    kernel.setArg(0, context.createBuffer(CL.MEM_READ_WRITE, 4096));
    const event = new CLEvent();
    queue.enqueueNDRangeKernel(kernel, 1, null, [64], null, null, event);
    await expect(event.done).rejects.toThrow();
    const gate = context.createUserEvent();
    queue.enqueueBarrierWithWaitList([gate]);
    queue.enqueueMarkerWithWaitList([gate]);
    queue.enqueueMarkerWithWaitList([gate]);
    const held = profiler.profile();
    gate.setStatus(CL.COMPLETE);
    queue.finish();
    const { commands, unfinished, missed } = profiler.stop();
    context.release();

    expect(held.commands.map(({ kernel, status }) => [kernel, status < 0])).toEqual([['wild', true]]);
    expect([held.unfinished, held.missed]).toEqual([2, 1]);
    expect(commands.map(({ kind }) => kind)).toEqual(['kernel', 'barrier', 'marker']);
    expect([unfinished, missed]).toEqual([0, 1]);
  });

  it.skipIf(!driver)('counts what the host does once, where a device keeps copies of buffers', () => {
    const profiler = startProfiling();
    const device = getPlatforms()[0]!.getDevices(CL.DEVICE_TYPE_ALL)[0]!;
    const context = createContext([device, driver!]);
    const queue = context.createCommandQueue(device, CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const buffer = context.createBuffer(CL.MEM_READ_WRITE, 256);
    const bytes = new Uint8Array(256);
    queue.enqueueNativeKernel(([memory]) => (memory as Uint8Array).fill(7), [null], [buffer], [0]);
    queue.finish();
    queue.enqueueReadBuffer(buffer, true, 0, 256, bytes);
    const { commands } = profiler.stop();
    context.release();

    expect(bytes[255]).toBe(7);
    expect(commands.map(({ kind, bytes }) => [kind, bytes])).toEqual([
      ['native kernel', 0],
      ['read buffer', 256],
    ]);
  });

  it('has what the short form does, for each of two who watch', async () => {
    const [first, second] = [startProfiling(), startProfiling()];
    const program = await compile(source);
    await program.kernel('twice')({ global: [16] }, new Int32Array(16));
    const names = (profile: ReturnType<typeof first.stop>) =>
      profile.commands.map(({ kernel, kind }) => kernel ?? kind);
    expect(names(first.stop())).toEqual(['twice', 'read buffer']);
    await program.kernel('twice')({ global: [16] }, new Int32Array(16));
    expect(names(second.stop())).toHaveLength(4);
    program.release();
  });
});
