/**
 * What a program learns of a command that fails while it runs: from calls that wait for it (OpenCL 3.0, 5.11, 5.13 and the errors of
 * the calls that block), from its event, from the function that the context was made with (4.4). What no call waited for must be
 * told, and what has been told is not told again.
 */
import { compileHost, startProgram } from 'millrace/c-host';
import {
  CL,
  type CLCommandQueue,
  CLEvent,
  createContext,
  getPlatforms,
  type OpenCLError,
} from 'millrace/opencl';
import { afterEach, describe, expect, it } from 'vitest';
import { errorName } from '../support/error-name.ts';

const source = `kernel void wild(global int *x, int far) { x[get_global_id(0) + far] = 1; }
  kernel void good(global int *x) { x[get_global_id(0)] += 1; }`;
/** Beyond everything that a context has. */
const far = 500_000_000;

const platform = getPlatforms()[0]!;
const [wasm] = platform.getDevices(CL.DEVICE_TYPE_CPU);
const [interpreter] = platform.getDevices(CL.DEVICE_TYPE_CUSTOM);

function begin(device: 'threads' | 'one thread' | 'the interpreter') {
  const told: OpenCLError[] = [];
  const context = createContext([device === 'the interpreter' ? interpreter! : wasm!], {
    shared: device === 'threads' ? undefined : false,
    notify: (error) => told.push(error),
  });
  const program = context.createProgram(source);
  program.build();
  const buffer = context.createBuffer(CL.MEM_READ_WRITE, new Int32Array(8));
  const [wild, good] = [program.createKernel('wild'), program.createKernel('good')];
  wild.setArg(0, buffer);
  wild.setArg(1, far);
  good.setArg(0, buffer);
  const run = (queue: CLCommandQueue, kernel = wild, waits: CLEvent[] = []) => {
    const event = new CLEvent();
    queue.enqueueNDRangeKernel(kernel, 1, null, [4], null, waits, event);
    return event;
  };
  return { context, buffer, wild, good, run, told };
}

type Bench = ReturnType<typeof begin>;
let bench: Bench;
afterEach(() => bench.context.releaseAll());

const failure = {
  name: 'CL_OUT_OF_RESOURCES',
  code: -5,
  message: expect.stringContaining("kernel 'wild' failed"),
};

describe.each(['threads', 'one thread', 'the interpreter'] as const)('with %s', (device) => {
  it('finish throws, once', () => {
    bench = begin(device);
    const { context, wild, good } = bench;
    const [queue, other] = [context.createCommandQueue(), context.createCommandQueue()];
    queue.enqueueNDRangeKernel(wild, 1, null, [4], null);
    other.enqueueNDRangeKernel(good, 1, null, [4], null);
    other.finish();
    expect(() => queue.finish()).toThrow(expect.objectContaining(failure));
    queue.finish();
    queue.enqueueNDRangeKernel(good, 1, null, [4], null);
    queue.finish();
    other.finish();
  });

  it('finish throws for a queue out of order', () => {
    bench = begin(device);
    const queue = bench.context.createCommandQueue(null, CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    queue.enqueueNDRangeKernel(bench.good, 1, null, [4], null);
    queue.enqueueNDRangeKernel(bench.wild, 1, null, [4], null);
    expect(() => queue.finish()).toThrow(expect.objectContaining(failure));
    queue.finish();
  });

  it('finished() rejects, and the callback of finish gets the error', async () => {
    bench = begin(device);
    const queue = bench.context.createCommandQueue();
    queue.enqueueNDRangeKernel(bench.wild, 1, null, [4], null);
    await expect(queue.finished()).rejects.toMatchObject(failure);
    await queue.finished();
    queue.enqueueNDRangeKernel(bench.wild, 1, null, [4], null);
    const given = await new Promise((resolve) => queue.finish(resolve));
    expect(given).toMatchObject(failure);
    expect(await new Promise((resolve) => queue.finish(resolve))).toBeUndefined();
  });

  it('blocking reads, writes and maps in order throw, and do nothing', () => {
    bench = begin(device);
    const { buffer, context, wild } = bench;
    const queue = context.createCommandQueue();
    const fail = () => queue.enqueueNDRangeKernel(wild, 1, null, [4], null);
    const values = new Int32Array(8).fill(7);
    fail();
    expect(() => queue.enqueueReadBuffer(buffer, true, 0, 32, values)).toThrow(
      expect.objectContaining(failure),
    );
    expect(values).toEqual(new Int32Array(8).fill(7));
    fail();
    expect(() => queue.enqueueWriteBuffer(buffer, true, 0, 32, values)).toThrow(
      expect.objectContaining(failure),
    );
    fail();
    expect(() => queue.enqueueMapBuffer(buffer, true, CL.MAP_READ, 0, 32)).toThrow(
      expect.objectContaining(failure),
    );
    expect(buffer.getInfo(CL.MEM_MAP_COUNT)).toBe(0);
    queue.enqueueReadBuffer(buffer, true, 0, 32, values);
    expect(values).toEqual(new Int32Array(8));
  });

  it('blocking calls and clWaitForEvents name the wait list, and finish does not repeat it', () => {
    bench = begin(device);
    const { buffer, context, run } = bench;
    const queue = context.createCommandQueue();
    const inWaitList = 'CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST';
    const values = new Int32Array(8);
    const first = run(queue);
    expect(errorName(() => queue.enqueueReadBuffer(buffer, true, 0, 32, values, [first]))).toBe(inWaitList);
    const second = run(queue);
    expect(errorName(() => queue.enqueueMapBuffer(buffer, true, CL.MAP_READ, 0, 32, [second]))).toBe(
      inWaitList,
    );
    expect(buffer.getInfo(CL.MEM_MAP_COUNT)).toBe(0);
    queue.finish();
  });

  it('an event that has told is enough', async () => {
    bench = begin(device);
    const { run } = bench;
    const queue = bench.context.createCommandQueue();
    await expect(run(queue).done).rejects.toMatchObject(failure);
    queue.finish();
    const asked = run(queue);
    const follower = run(queue, bench.good, [asked]);
    await expect(follower.done).rejects.toMatchObject({ code: -14 });
    expect(asked.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS)).toBe(-5);
    queue.finish();
    // The follower's end says nothing about the first's to whoever asks only for that.
    const quiet = run(queue);
    await expect(run(queue, bench.good, [quiet]).done).rejects.toMatchObject({ code: -14 });
    expect(() => queue.finish()).toThrow(expect.objectContaining(failure));
  });

  it('there are no times, and why is said', async () => {
    bench = begin(device);
    const queue = bench.context.createCommandQueue(null, CL.QUEUE_PROFILING_ENABLE);
    const event = bench.run(queue);
    await event.done.catch(() => {});
    expect(() => event.getProfilingInfo(CL.PROFILING_COMMAND_END)).toThrow(
      expect.objectContaining({
        name: 'CL_PROFILING_INFO_NOT_AVAILABLE',
        message: expect.stringMatching(/has failed with CL_OUT_OF_RESOURCES: .*kernel 'wild' failed/),
      }),
    );
  });

  it("the context's function is called with why, though nobody waits", async () => {
    bench = begin(device);
    const { context, told, wild, good } = bench;
    const queue = context.createCommandQueue();
    queue.enqueueNDRangeKernel(wild, 1, null, [4], null);
    queue.enqueueNDRangeKernel(good, 1, null, [4], null);
    for (let wait = 0; wait < 2000 && told.length === 0; wait += 1) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(told).toMatchObject([failure]);
    // A user event that the program fails itself is no news to it, nor is what waits for that.
    const gate = context.createUserEvent();
    const waiting = bench.run(queue, good, [gate]);
    gate.setStatus(-1);
    await waiting.done.catch(() => {});
    await queue.finished().catch(() => {});
    expect(told).toHaveLength(1);
  });
});

it('programs in C are told by the same codes, and by pfn_notify', async () => {
  bench = begin('threads');
  const text = `#include <CL/cl.h>
    #include <stdio.h>
    static void notify(const char *why, const void *info, size_t size, void *data) { printf("notify %d: %s\\n", *(int *)data, why); }
    int main(void) {
      cl_platform_id platform; cl_device_id device; cl_int error; int number = 42;
      clGetPlatformIDs(1, &platform, 0);
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, 0);
      cl_context context = clCreateContext(0, 1, &device, notify, &number, &error);
      cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &error);
      const char *source = "kernel void wild(global int *x, int far) { x[far] = 1; }";
      cl_program program = clCreateProgramWithSource(context, 1, &source, 0, &error);
      clBuildProgram(program, 0, 0, 0, 0, 0);
      cl_kernel kernel = clCreateKernel(program, "wild", &error);
      cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, 0, &error);
      int far = ${far}, values[4] = {0};
      clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
      clSetKernelArg(kernel, 1, sizeof far, &far);
      cl_event event; cl_ulong time; cl_int status;
      clEnqueueTask(queue, kernel, 0, 0, 0);
      printf("finish %d", clFinish(queue));
      printf(", then %d\\n", clFinish(queue));
      clEnqueueTask(queue, kernel, 0, 0, 0);
      printf("read %d\\n", clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 16, values, 0, 0, 0));
      clEnqueueTask(queue, kernel, 0, 0, &event);
      printf("wait %d\\n", clWaitForEvents(1, &event));
      clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, 0);
      printf("status %d, times %d\\n", status, clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 8, &time, 0));
      printf("finish %d\\n", clFinish(queue));
      return 0;
    }`;
  const { bytes, log } = compileHost([{ name: 'host.c', text }]);
  expect(log).toBe('');
  let out = '';
  const decoder = new TextDecoder();
  const program = startProgram(bytes!, { stdout: (part) => (out += decoder.decode(part, { stream: true })) });
  expect((await program.ended).exitCode).toBe(0);
  const lines = out.trim().split('\n');
  expect(lines.filter((line) => !line.startsWith('notify'))).toEqual([
    'finish -5, then 0',
    'read -5',
    'wait -14',
    'status -5, times -7',
    'finish 0',
  ]);
  const told = lines.filter((line) => line.startsWith('notify'));
  expect(told).toHaveLength(3);
  for (const line of told) expect(line).toContain("notify 42: kernel 'wild' failed");
});
