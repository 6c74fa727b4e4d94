/** The OpenCL API through the built package: results, and the specification's error for each kind of wrong use. */
import {
  CL,
  type CLContext,
  CLEvent,
  createContext,
  getPlatforms,
  OpenCLError,
  waitForEvents,
} from 'millrace/opencl';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const source = `
typedef struct { int a; float4 b; } Pair;
kernel void scale(global float *data, float factor) { data[get_global_id(0)] *= factor; }
kernel void pick(global float *out, Pair pair, uchar c) { out[0] = pair.a; out[1] = pair.b.z; out[2] = c; }
kernel void reverse(global int *data, local int *tile) {
  int i = get_local_id(0), n = get_local_size(0);
  tile[i] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = tile[n - 1 - i];
}
__attribute__((reqd_work_group_size(8, 2, 1))) kernel void fixed(constant int *in, global int *restrict out) {
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = in[0] + get_local_size(0);
}`;

let context: CLContext;
beforeEach(() => {
  context = createContext();
});
afterEach(() => context.releaseAll());

function build(text = source, options = '') {
  const program = context.createProgram(text);
  program.build(null, options);
  return program;
}

function errorOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    expect(error).toBeInstanceOf(OpenCLError);
    const { name, code, message } = error as OpenCLError;
    expect(message).not.toBe('');
    expect(CL[name.slice(3) as keyof typeof CL]).toBe(code);
    return name;
  }
  return 'no error';
}

describe('a whole host program', () => {
  it('writes, runs, reads', () => {
    const queue = context.createCommandQueue(null, CL.QUEUE_PROFILING_ENABLE);
    const kernel = build().createKernel('scale');
    const data = Float32Array.from({ length: 1000 }, (_, index) => index);
    const buffer = context.createBuffer(CL.MEM_READ_WRITE, data.byteLength);
    queue.enqueueWriteBuffer(buffer, false, 0, data.byteLength, data);
    kernel.setArg(0, buffer);
    kernel.setArg(1, new Float32Array([2.5]));
    const event = new CLEvent();
    queue.enqueueNDRangeKernel(kernel, 1, null, [1000], null, null, event);
    const result = new Float32Array(1000);
    queue.enqueueReadBuffer(buffer, true, 0, result.byteLength, result);
    expect(result).toEqual(data.map((value) => value * 2.5));
    expect(event.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS)).toBe(CL.COMPLETE);
    expect(event.getInfo(CL.EVENT_COMMAND_TYPE)).toBe(CL.COMMAND_NDRANGE_KERNEL);
    const [queued, submit, start, end] = [
      CL.PROFILING_COMMAND_QUEUED,
      CL.PROFILING_COMMAND_SUBMIT,
      CL.PROFILING_COMMAND_START,
      CL.PROFILING_COMMAND_END,
    ].map((name) => event.getProfilingInfo(name)) as [bigint, bigint, bigint, bigint];
    expect(queued <= submit && submit <= start && start <= end).toBe(true);
  });

  it('reads without blocking, and tells by promise and callback', async () => {
    const queue = context.createCommandQueue();
    const kernel = build().createKernel('scale');
    const buffer = context.createBuffer(CL.MEM_COPY_HOST_PTR, new Float32Array(64).fill(3));
    kernel.setArg(0, buffer);
    kernel.setArg(1, 7);
    queue.enqueueNDRangeKernel(kernel, 1, null, [64], [16]);
    const result = new Float32Array(64);
    const event = new CLEvent();
    queue.enqueueReadBuffer(buffer, false, 0, 256, result, null, event);
    const statuses: number[] = [];
    event.setCallback(CL.COMPLETE, (_, status) => statuses.push(status));
    await event.done;
    await queue.finished();
    expect(result).toEqual(new Float32Array(64).fill(21));
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(statuses).toEqual([0]);
  });

  it('passes structs, local memory and three dimensions', () => {
    const queue = context.createCommandQueue();
    const program = build();
    const out = context.createBuffer(0, 1024);
    const pick = program.createKernel('pick');
    pick.setArg(0, out);
    pick.setArg(1, { a: -5, b: [1, 2, 3, 4] });
    pick.setArg(2, 200);
    queue.enqueueTask(pick);
    const floats = new Float32Array(3);
    queue.enqueueReadBuffer(out, true, 0, 12, floats);
    expect([...floats]).toEqual([-5, 3, 200]);

    const reverse = program.createKernel('reverse');
    queue.enqueueWriteBuffer(out, true, 0, 32, Int32Array.of(1, 2, 3, 4, 5, 6, 7, 8));
    reverse.setArg(0, out);
    reverse.setArg(1, 16, null);
    queue.enqueueNDRangeKernel(reverse, 1, null, [8], [4]);
    const ints = new Int32Array(8);
    queue.enqueueReadBuffer(out, true, 0, 32, ints);
    expect([...ints]).toEqual([4, 3, 2, 1, 8, 7, 6, 5]);

    const fixed = program.createKernel('fixed');
    fixed.setArg(0, context.createBuffer(0, Int32Array.of(30)));
    fixed.setArg(1, out);
    queue.enqueueNDRangeKernel(fixed, 2, null, [16, 2], [8, 2]);
    const all = new Int32Array(32);
    queue.enqueueReadBuffer(out, true, 0, 128, all);
    expect(all).toEqual(new Int32Array(32).fill(38));
  });

  it('copies, fills, maps without a copy, and divides buffers', () => {
    const queue = context.createCommandQueue();
    const a = context.createBuffer(0, 1024);
    const b = context.createBuffer(0, 1024);
    queue.enqueueFillBuffer(a, Uint16Array.of(0x1234), 0, 1024);
    queue.enqueueCopyBuffer(a, b, 2, 100, 10);
    const mapped = queue.enqueueMapBuffer(b, true, CL.MAP_READ | CL.MAP_WRITE, 96, 16);
    expect([...mapped.slice(4, 8)]).toEqual([0x34, 0x12, 0x34, 0x12]);
    mapped[5] = 99;
    queue.enqueueUnmapMemObject(b, mapped);
    const result = new Uint8Array(4);
    queue.enqueueReadBuffer(b, true, 100, 4, result);
    expect([...result]).toEqual([0x34, 99, 0x34, 0x12]);
    const part = a.createSubBuffer(0, 256, 128);
    queue.enqueueFillBuffer(part, Uint8Array.of(7), 0, 128);
    const around = new Uint8Array(130);
    queue.enqueueReadBuffer(a, true, 255, 130, around);
    expect([around[0], around[1], around[128], around[129]]).toEqual([0x12, 7, 7, 0x34]);
  });

  it('copies rectangles', () => {
    const queue = context.createCommandQueue();
    const buffer = context.createBuffer(0, new Uint8Array(64));
    const host = Uint8Array.from({ length: 64 }, (_, index) => index);
    // Three columns and two rows from (1, 2) of an 8 x 8 host array to (4, 5) of an 8 x 8 buffer.
    queue.enqueueWriteBufferRect(buffer, true, [4, 5, 0], [1, 2, 0], [3, 2, 1], 8, 0, 8, 0, host);
    queue.enqueueCopyBufferRect(buffer, buffer, [4, 5, 0], [0, 0, 0], [3, 2, 1], 8, 0, 8, 0);
    const out = new Uint8Array(6);
    queue.enqueueReadBufferRect(buffer, true, [0, 0, 0], [0, 0, 0], [3, 2, 1], 8, 0, 0, 0, out);
    expect([...out]).toEqual([17, 18, 19, 25, 26, 27]);
  });

  it('keeps commands behind a user event, and passes its error on', async () => {
    const queue = context.createCommandQueue(null, CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const buffer = context.createBuffer(0, Int32Array.of(1));
    const gate = context.createUserEvent();
    const held = new CLEvent();
    queue.enqueueFillBuffer(buffer, Int32Array.of(2), 0, 4, [gate], held);
    const free = new CLEvent();
    queue.enqueueMarkerWithWaitList([], new CLEvent());
    queue.enqueueFillBuffer(context.createBuffer(0, 4), Int32Array.of(2), 0, 4, null, free);
    await free.done;
    expect(held.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS)).toBeGreaterThan(0);
    gate.setStatus(CL.COMPLETE);
    await held.done;
    const second = context.createUserEvent();
    const failing = new CLEvent();
    queue.enqueueFillBuffer(buffer, Int32Array.of(3), 0, 4, [second], failing);
    second.setStatus(-42);
    expect(errorOf(() => waitForEvents([failing]))).toBe('CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST');
    const data = new Int32Array(1);
    queue.enqueueReadBuffer(buffer, true, 0, 4, data);
    expect(data[0]).toBe(2);
    expect(errorOf(() => second.setStatus(0))).toBe('CL_INVALID_OPERATION');
  });

  it('stops an endless kernel at the time-out and goes on', async () => {
    // The short kernel has no more time than the endless one, and its threads may be held up by the system.
    const queue = context.createCommandQueue(null, 0, { timeout: 1000 });
    const text = `kernel void endless(global volatile int *x) { while (x[0] == 0) ; }
      kernel void one(global int *x) { x[1] = 1; }`;
    const program = build(text);
    const buffer = context.createBuffer(0, new Int32Array(2));
    const endless = program.createKernel('endless');
    endless.setArg(0, buffer);
    const event = new CLEvent();
    queue.enqueueNDRangeKernel(endless, 1, null, [64], [1], null, event);
    await expect(event.done).rejects.toMatchObject({ name: 'CL_OUT_OF_RESOURCES' });
    expect(event.errorMessage).toMatch(/time-out of 1000 ms/);
    const one = program.createKernel('one');
    one.setArg(0, buffer);
    queue.enqueueNDRangeKernel(one, 1, null, [64], [1]);
    const again = new CLEvent();
    queue.enqueueNDRangeKernel(endless, 1, null, [64], [1], null, again);
    // The same while the host sleeps.
    expect(errorOf(() => waitForEvents([again]))).toBe('CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST');
    const data = new Int32Array(2);
    queue.enqueueReadBuffer(buffer, true, 0, 8, data);
    expect([...data]).toEqual([0, 1]);
  });

  it('answers every device query of the specification', () => {
    const [device] = getPlatforms()[0]!.getDevices(CL.DEVICE_TYPE_CPU);
    const names = Object.entries(CL).filter(
      ([name, value]) => /^(DEVICE_|DRIVER_VERSION)/.test(name) && value >= 0x1000 && value <= 0x1049,
    );
    for (const [name, value] of names) expect(device!.getInfo(value), name).toBeDefined();
    expect(device!.getInfo(CL.DEVICE_MAX_WORK_ITEM_DIMENSIONS)).toBe(3);
    expect(device!.getInfo(CL.DEVICE_VERSION)).toMatch(/^OpenCL 3\.0 /);
    expect(device!.getInfo(CL.DEVICE_OPENCL_C_VERSION)).toMatch(/^OpenCL C 1\.2/);
  });

  it('reports what the source says about a kernel', () => {
    const program = build(source, '-cl-kernel-arg-info');
    expect(program.getInfo(CL.PROGRAM_KERNEL_NAMES)).toBe('scale;pick;reverse;fixed');
    const fixed = program.createKernel('fixed');
    expect(fixed.getArgInfo(0)).toMatchObject({ name: 'in', typeName: 'int*', addressQualifier: 'constant' });
    expect(fixed.getArgInfo(1, CL.KERNEL_ARG_TYPE_QUALIFIER)).toBe(CL.KERNEL_ARG_TYPE_RESTRICT);
    expect(fixed.getWorkGroupInfo(null, CL.KERNEL_COMPILE_WORK_GROUP_SIZE)).toEqual([8, 2, 1]);
    expect(fixed.getInfo(CL.KERNEL_NUM_ARGS)).toBe(2);
    expect(fixed.getInfo(CL.KERNEL_ATTRIBUTES)).toContain('reqd_work_group_size(8,2,1)');
  });
});

describe('wrong use', () => {
  it('of programs and kernels', () => {
    const wrong = context.createProgram('kernel void f( {');
    expect(errorOf(() => wrong.createKernel('f'))).toBe('CL_INVALID_PROGRAM_EXECUTABLE');
    expect(errorOf(() => wrong.build())).toBe('CL_BUILD_PROGRAM_FAILURE');
    const [device] = context.devices;
    expect(wrong.getBuildInfo(device!, CL.PROGRAM_BUILD_STATUS)).toBe(CL.BUILD_ERROR);
    expect(wrong.getBuildInfo(device!, CL.PROGRAM_BUILD_LOG)).toMatch(/:1:\d+: error/);
    expect(errorOf(() => build(source, '-no-such-option'))).toBe('CL_INVALID_BUILD_OPTIONS');
    // OpenCL 3.0, 5.8.1: an error if there are no strings or one of them is NULL; one without letters is a string.
    expect(errorOf(() => context.createProgram([]))).toBe('CL_INVALID_VALUE');
    expect(errorOf(() => context.createProgram(null as never))).toBe('CL_INVALID_VALUE');
    const without = context.createProgram('');
    without.build();
    expect(without.getInfo(CL.PROGRAM_NUM_KERNELS)).toBe(0);
    without.release();
    const program = build();
    expect(errorOf(() => program.createKernel('nothing'))).toBe('CL_INVALID_KERNEL_NAME');
    expect(errorOf(() => program.getInfo(0x9999))).toBe('CL_INVALID_VALUE');
    const kernel = program.createKernel('scale');
    expect(errorOf(() => program.build())).toBe('CL_INVALID_OPERATION');
    expect(errorOf(() => program.build(null, '-no-such-option'))).toBe('CL_INVALID_OPERATION');
    expect(program.getBuildInfo(device!, CL.PROGRAM_BUILD_STATUS)).toBe(CL.BUILD_SUCCESS);
    kernel.release();
    expect(errorOf(() => kernel.setArg(0, null))).toBe('CL_INVALID_KERNEL');
    program.release();
    expect(errorOf(() => program.createKernel('scale'))).toBe('CL_INVALID_PROGRAM');
  });

  it('of kernel arguments', () => {
    const program = build();
    const kernel = program.createKernel('scale');
    const queue = context.createCommandQueue();
    expect(errorOf(() => kernel.setArg(2, 1))).toBe('CL_INVALID_ARG_INDEX');
    expect(errorOf(() => kernel.setArg(0, 1))).toBe('CL_INVALID_MEM_OBJECT');
    expect(errorOf(() => kernel.setArg(1, new Float64Array(1)))).toBe('CL_INVALID_ARG_SIZE');
    expect(errorOf(() => kernel.setArg(1, 8, new Float64Array(1)))).toBe('CL_INVALID_ARG_SIZE');
    expect(errorOf(() => kernel.setArg(1, null))).toBe('CL_INVALID_ARG_VALUE');
    expect(errorOf(() => program.createKernel('reverse').setArg(1, 0, null))).toBe('CL_INVALID_ARG_SIZE');
    expect(errorOf(() => queue.enqueueNDRangeKernel(kernel, 1, null, [4]))).toBe('CL_INVALID_KERNEL_ARGS');
    const foreign = createContext();
    expect(errorOf(() => kernel.setArg(0, foreign.createBuffer(0, 4)))).toBe('CL_INVALID_MEM_OBJECT');
    foreign.releaseAll();
    const released = context.createBuffer(0, 4);
    kernel.setArg(0, released);
    kernel.setArg(1, 1);
    released.release();
    expect(errorOf(() => queue.enqueueNDRangeKernel(kernel, 1, null, [1]))).toBe('CL_INVALID_MEM_OBJECT');
    expect(errorOf(() => kernel.setArg(0, released))).toBe('CL_INVALID_MEM_OBJECT');
    kernel.release();
    expect(errorOf(() => queue.enqueueNDRangeKernel(kernel, 1, null, [1]))).toBe('CL_INVALID_KERNEL');
    expect(errorOf(() => queue.enqueueTask(null as never))).toBe('CL_INVALID_KERNEL');
  });

  it('of too much local memory, the kernel’s own and its arguments’ together', () => {
    const queue = context.createCommandQueue();
    const program = build(`kernel void f(global int *x, local int *l) {
      local int t[8192]; t[0] = 1; l[0] = t[0]; x[0] = l[0];
    }`);
    const kernel = program.createKernel('f');
    kernel.setArg(0, context.createBuffer(0, 4));
    kernel.setArg(1, 32768, null);
    queue.enqueueTask(kernel);
    kernel.setArg(1, 32772, null);
    expect(errorOf(() => queue.enqueueTask(kernel))).toBe('CL_OUT_OF_RESOURCES');
    expect(kernel.getWorkGroupInfo(null, CL.KERNEL_LOCAL_MEM_SIZE)).toBe(65540);
    queue.finish();
  });

  it('of released events and contexts', () => {
    const queue = context.createCommandQueue();
    const event = new CLEvent();
    queue.enqueueMarkerWithWaitList(null, event);
    event.release();
    expect(errorOf(() => waitForEvents([event]))).toBe('CL_INVALID_EVENT');
    expect(errorOf(() => queue.enqueueMarkerWithWaitList([event]))).toBe('CL_INVALID_EVENT_WAIT_LIST');
    expect(errorOf(() => event.release())).toBe('CL_INVALID_EVENT');
    queue.release();
    const bytes = new Uint8Array(4);
    const buffer = context.createBuffer(0, 4);
    expect(errorOf(() => queue.enqueueReadBuffer(buffer, true, 0, 4, bytes))).toBe(
      'CL_INVALID_COMMAND_QUEUE',
    );
    expect(errorOf(() => queue.release())).toBe('CL_INVALID_COMMAND_QUEUE');
    const other = createContext();
    other.release();
    for (const action of [
      () => other.createCommandQueue(),
      () => other.createProgram('kernel void f() {}'),
      () => other.createUserEvent(),
      () => other.release(),
    ]) {
      expect(errorOf(action)).toBe('CL_INVALID_CONTEXT');
    }
  });

  it('of launch sizes', () => {
    const queue = context.createCommandQueue();
    const program = build();
    const kernel = program.createKernel('scale');
    const buffer = context.createBuffer(0, 65536);
    kernel.setArg(0, buffer);
    kernel.setArg(1, 1);
    const run = (
      dimensions: number,
      global: number[],
      local: number[] | null,
      offset: number[] | null = null,
    ) => errorOf(() => queue.enqueueNDRangeKernel(kernel, dimensions, offset, global, local));
    expect(run(0, [1], null)).toBe('CL_INVALID_WORK_DIMENSION');
    expect(run(4, [1, 1, 1, 1], null)).toBe('CL_INVALID_WORK_DIMENSION');
    expect(run(1, [-1], null)).toBe('CL_INVALID_GLOBAL_WORK_SIZE');
    expect(run(2, [8], null)).toBe('CL_INVALID_GLOBAL_WORK_SIZE');
    expect(run(1, [8], null, [0xffffffff])).toBe('CL_INVALID_GLOBAL_OFFSET');
    // Where the ids of a 32-bit device end, one behind the last of them, must be an int: 2^31 - 1 is the largest.
    expect(run(1, [8], [8], [2 ** 31 - 8])).toBe('CL_INVALID_GLOBAL_OFFSET');
    expect(run(2, [1, 2 ** 31], null)).toBe('CL_INVALID_GLOBAL_OFFSET');
    expect(run(1, [8], null, [-1])).toBe('CL_INVALID_GLOBAL_OFFSET');
    expect(run(1, [8], [0])).toBe('CL_INVALID_WORK_GROUP_SIZE');
    expect(run(1, [1.5], null)).toBe('CL_INVALID_GLOBAL_WORK_SIZE');
    expect(run(2, [2 ** 31 - 1, 2], [1, 1])).toBe('CL_OUT_OF_RESOURCES');
    expect(run(1, [10], [4])).toBe('CL_INVALID_WORK_GROUP_SIZE');
    expect(run(1, [1 << 20], [1 << 20])).toBe('CL_INVALID_WORK_GROUP_SIZE');
    const fixed = program.createKernel('fixed');
    fixed.setArg(0, buffer);
    fixed.setArg(1, buffer);
    expect(errorOf(() => queue.enqueueNDRangeKernel(fixed, 2, null, [16, 16], [4, 4]))).toBe(
      'CL_INVALID_WORK_GROUP_SIZE',
    );
    expect(errorOf(() => queue.enqueueNDRangeKernel(fixed, 2, null, [16, 16]))).toBe(
      'CL_INVALID_WORK_GROUP_SIZE',
    );
    const reverse = program.createKernel('reverse');
    reverse.setArg(0, buffer);
    reverse.setArg(1, 1 << 20, null);
    expect(errorOf(() => queue.enqueueNDRangeKernel(reverse, 1, null, [8], [4]))).toBe('CL_OUT_OF_RESOURCES');
  });

  it('none of launches without work-items (OpenCL 3.0, 5.8), which wait as others do', () => {
    const queue = context.createCommandQueue();
    const kernel = build().createKernel('scale');
    const gate = context.createUserEvent();
    const launched = new CLEvent();
    const run = () => queue.enqueueNDRangeKernel(kernel, 2, null, [3, 0], null, [gate], launched);
    expect(errorOf(run)).toBe('CL_INVALID_KERNEL_ARGS');
    const bytes = new Uint8Array(16).fill(7);
    const buffer = context.createBuffer(CL.MEM_COPY_HOST_PTR, 16, bytes);
    kernel.setArg(0, buffer);
    kernel.setArg(1, 1);
    run();
    expect(launched.getInfo(CL.EVENT_COMMAND_TYPE)).toBe(CL.COMMAND_NDRANGE_KERNEL);
    expect(launched.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS)).not.toBe(CL.COMPLETE);
    gate.setStatus(CL.COMPLETE);
    queue.finish();
    expect(launched.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS)).toBe(CL.COMPLETE);
    const after = new Uint8Array(16);
    queue.enqueueReadBuffer(buffer, true, 0, 16, after);
    expect(after).toEqual(bytes);
  });

  it('of buffers', () => {
    const create = (flags: number, size: number, data?: ArrayBufferView) =>
      errorOf(() => context.createBuffer(flags, size, data));
    expect(create(0, 0)).toBe('CL_INVALID_BUFFER_SIZE');
    expect(create(0, 2 ** 40)).toBe('CL_INVALID_BUFFER_SIZE');
    expect(create(CL.MEM_READ_ONLY | CL.MEM_WRITE_ONLY, 4)).toBe('CL_INVALID_VALUE');
    expect(create(1 << 20, 4)).toBe('CL_INVALID_VALUE');
    expect(create(CL.MEM_USE_HOST_PTR | CL.MEM_COPY_HOST_PTR, 4, new Uint8Array(4))).toBe('CL_INVALID_VALUE');
    expect(create(CL.MEM_COPY_HOST_PTR, 4)).toBe('CL_INVALID_HOST_PTR');
    expect(create(CL.MEM_COPY_HOST_PTR, 8, new Uint8Array(4))).toBe('CL_INVALID_HOST_PTR');
    const buffer = context.createBuffer(CL.MEM_READ_WRITE, 1024);
    expect(errorOf(() => buffer.createSubBuffer(0, 8, 16))).toBe('CL_MISALIGNED_SUB_BUFFER_OFFSET');
    expect(errorOf(() => buffer.createSubBuffer(0, 1024, 16))).toBe('CL_INVALID_VALUE');
    expect(errorOf(() => buffer.createSubBuffer(0, 0, 0))).toBe('CL_INVALID_BUFFER_SIZE');
    // As C has it.
    const region = { origin: 0, size: 16 } as never;
    expect(() => buffer.createSubBuffer(0, CL.BUFFER_CREATE_TYPE_REGION, region)).toThrow(
      'a part is made by flags, origin and size in bytes, not origin 4640 and size an object',
    );
    const queue = context.createCommandQueue();
    const bytes = new Uint8Array(1024);
    expect(errorOf(() => queue.enqueueReadBuffer(buffer, true, 1000, 25, bytes))).toBe('CL_INVALID_VALUE');
    expect(errorOf(() => queue.enqueueWriteBuffer(buffer, true, 0, 1024, new Uint8Array(10)))).toBe(
      'CL_INVALID_VALUE',
    );
    expect(errorOf(() => queue.enqueueCopyBuffer(buffer, buffer, 0, 10, 100))).toBe('CL_MEM_COPY_OVERLAP');
    expect(errorOf(() => queue.enqueueFillBuffer(buffer, new Uint8Array(3), 0, 30))).toBe('CL_INVALID_VALUE');
    expect(errorOf(() => queue.enqueueUnmapMemObject(buffer, bytes))).toBe('CL_INVALID_VALUE');
    const secret = context.createBuffer(CL.MEM_HOST_NO_ACCESS, 1024);
    expect(errorOf(() => queue.enqueueReadBuffer(secret, true, 0, 4, bytes))).toBe('CL_INVALID_OPERATION');
    buffer.release();
    expect(errorOf(() => queue.enqueueReadBuffer(buffer, true, 0, 4, bytes))).toBe('CL_INVALID_MEM_OBJECT');
    expect(errorOf(() => buffer.release())).toBe('CL_INVALID_MEM_OBJECT');
  });

  it('of queues, events and contexts', () => {
    const queue = context.createCommandQueue();
    expect(errorOf(() => context.createCommandQueue(null, 64))).toBe('CL_INVALID_VALUE');
    expect(errorOf(() => queue.enqueueMarkerWithWaitList([new CLEvent()]))).toBe(
      'CL_INVALID_EVENT_WAIT_LIST',
    );
    expect(errorOf(() => new CLEvent().getInfo(CL.EVENT_CONTEXT))).toBe('CL_INVALID_EVENT');
    expect(errorOf(() => waitForEvents([]))).toBe('CL_INVALID_VALUE');
    const event = new CLEvent();
    queue.enqueueMarkerWithWaitList(null, event);
    expect(errorOf(() => queue.enqueueMarkerWithWaitList(null, event))).toBe('CL_INVALID_EVENT');
    waitForEvents([event]);
    expect(errorOf(() => event.getProfilingInfo(CL.PROFILING_COMMAND_END))).toBe(
      'CL_PROFILING_INFO_NOT_AVAILABLE',
    );
    const foreign = createContext();
    expect(errorOf(() => foreign.createCommandQueue().enqueueMarkerWithWaitList([event]))).toBe(
      'CL_INVALID_CONTEXT',
    );
    foreign.releaseAll();
    queue.release();
    expect(errorOf(() => queue.finish())).toBe('CL_INVALID_COMMAND_QUEUE');
    expect(errorOf(() => createContext([]))).toBe('CL_INVALID_VALUE');
    expect(errorOf(() => getPlatforms()[0]!.getDevices(CL.DEVICE_TYPE_GPU))).toBe('CL_DEVICE_NOT_FOUND');
    expect(errorOf(() => getPlatforms()[0]!.getDevices(1 << 9))).toBe('CL_INVALID_DEVICE_TYPE');
    const other = createContext();
    other.release();
    expect(errorOf(() => other.createBuffer(0, 4))).toBe('CL_INVALID_CONTEXT');
  });
});
