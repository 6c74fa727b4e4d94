/** The WebCL 1.0 binding through the built package; the Khronos suite is run by `npm run conformance -- webcl`. */
import {
  createWebCL,
  WebCLBuffer,
  WebCLContext,
  WebCLEvent,
  WebCLException,
  WebCLImageDescriptor,
  type WebCLKernel,
  type WebCLProgram,
  webcl,
} from 'millrace/webcl';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const source = `
kernel void scale(global float *data, float factor, uint count) {
  size_t i = get_global_id(0);
  if (i < count) data[i] *= factor;
}
kernel void values(global int *out, char4 c, ulong u, local int *scratch, uchar3 three) {
  scratch[0] = c.w;
  out[0] = scratch[0]; out[1] = (int)(u >> 32); out[2] = (int)u; out[3] = three.z;
}`;

let context: WebCLContext;
beforeEach(() => {
  context = webcl.createContext();
});
afterEach(() => webcl.releaseAll());

/** The name of the WebCLException that an action throws; 'no error' if it throws nothing. */
function errorOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof TypeError) return 'TypeError';
    expect(error).toBeInstanceOf(WebCLException);
    const { name, code, message } = error as WebCLException;
    expect(message).not.toBe('');
    if (code !== 0) expect(webcl[name as keyof typeof webcl]).toBe(code);
    return name;
  }
  return 'no error';
}

function built(text = source): WebCLProgram {
  const program = context.createProgram(text);
  program.build();
  return program;
}

function result(kernel: WebCLKernel, buffer: WebCLBuffer, global: number, out: Int32Array | Float32Array) {
  const queue = context.createCommandQueue();
  queue.enqueueNDRangeKernel(kernel, 1, null, [global], null);
  queue.enqueueReadBuffer(buffer, true, 0, out.byteLength, out);
  return [...out];
}

describe('a program for WebCL', () => {
  it('computes', () => {
    const kernel = built().createKernel('scale');
    const buffer = context.createBuffer(webcl.MEM_READ_WRITE, 16, Float32Array.of(1, 2, 3, 4));
    kernel.setArg(0, buffer);
    kernel.setArg(1, Float32Array.of(2.5));
    kernel.setArg(2, Uint32Array.of(3));
    expect(result(kernel, buffer, 4, new Float32Array(4))).toEqual([2.5, 5, 7.5, 4]);
  });

  it('gives memory that nobody has written as zeros', () => {
    const used = context.createBuffer(webcl.MEM_READ_WRITE, 1 << 20, new Uint8Array(1 << 20).fill(0xaa));
    used.release();
    const queue = context.createCommandQueue();
    queue.finish();
    const bytes = new Uint8Array(1 << 20);
    queue.enqueueReadBuffer(context.createBuffer(webcl.MEM_READ_WRITE, 1 << 20), true, 0, 1 << 20, bytes);
    expect(bytes.every((byte) => byte === 0)).toBe(true);
  });

  it('gives back the objects that were made', () => {
    const queue = context.createCommandQueue();
    const buffer = context.createBuffer(webcl.MEM_READ_ONLY, 1024);
    const part = buffer.createSubBuffer(webcl.MEM_READ_ONLY, 128, 64);
    const program = built();
    const event = new WebCLEvent();
    queue.enqueueMarker(event);
    webcl.waitForEvents([event]);
    const [platform] = webcl.getPlatforms();
    const [device] = platform!.getDevices();
    expect(queue.getInfo(webcl.QUEUE_CONTEXT)).toBe(context);
    expect(queue.getInfo(webcl.QUEUE_DEVICE)).toBe(device);
    expect(part.getInfo(webcl.MEM_ASSOCIATED_MEMOBJECT)).toBe(buffer);
    expect(part.getInfo(webcl.MEM_OFFSET)).toBe(128);
    expect(buffer.getInfo(webcl.MEM_FLAGS)).toBe(webcl.MEM_READ_ONLY);
    expect(program.createKernel('scale').getInfo(webcl.KERNEL_PROGRAM)).toBe(program);
    expect(program.createKernelsInProgram()).toHaveLength(2);
    expect(event.getInfo(webcl.EVENT_COMMAND_QUEUE)).toBe(queue);
    expect(context.createUserEvent().getInfo(webcl.EVENT_COMMAND_QUEUE)).toBeNull();
    expect(device!.getInfo(webcl.DEVICE_PLATFORM)).toBe(platform);
    expect(webcl.getPlatforms()[0]).toBe(platform);
    expect(buffer).toBeInstanceOf(WebCLBuffer);
    expect(context).toBeInstanceOf(WebCLContext);
    expect(program.createKernel('scale').getArgInfo(0)).toEqual({
      name: 'data',
      typeName: 'float',
      addressQualifier: 'global',
      accessQualifier: 'none',
    });
  });

  it('has 2D images that describe themselves', () => {
    const descriptor = new WebCLImageDescriptor(webcl.RGBA, webcl.UNORM_INT8, 2, 2);
    const pixels = Uint8Array.from({ length: 16 }, (_, index) => index);
    const image = context.createImage(webcl.MEM_READ_WRITE, descriptor, pixels);
    expect(image.getInfo()).toEqual(new WebCLImageDescriptor(webcl.RGBA, webcl.UNORM_INT8, 2, 2, 8));
    const queue = context.createCommandQueue();
    const row = new Uint8Array(8);
    queue.enqueueReadImage(image, true, [0, 1], [2, 1], 0, row);
    expect([...row]).toEqual([8, 9, 10, 11, 12, 13, 14, 15]);
    expect(errorOf(() => queue.enqueueReadImage(image, true, [0, 1, 0], [2, 1, 1], 0, row))).toBe(
      'INVALID_VALUE',
    );
    expect(context.getSupportedImageFormats()[0]).toMatchObject({ channelOrder: webcl.RGBA });
  });

  it('is called back: builds, queues, events', async () => {
    const program = context.createProgram(source);
    const same = await new Promise((resolve) => program.build(null, null, resolve));
    expect(same).toBe(program);
    const queue = context.createCommandQueue();
    const gate = context.createUserEvent();
    const event = new WebCLEvent();
    const buffer = context.createBuffer(webcl.MEM_READ_WRITE, 4);
    queue.enqueueReadBuffer(buffer, false, 0, 4, new Int32Array(1), [gate], event);
    const told: unknown[] = [];
    const ended = new Promise((resolve) => webcl.waitForEvents([event], resolve));
    event.setCallback(webcl.COMPLETE, (which) => told.push(which));
    const released = context.createUserEvent();
    released.setCallback(webcl.COMPLETE, () => told.push('of a released event'));
    released.release();
    expect(told).toEqual([]);
    gate.setStatus(webcl.COMPLETE);
    expect(await ended).toBe(event);
    await new Promise<void>((resolve) => queue.finish(() => resolve()));
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(told).toEqual([event]);
  });
});

describe('arguments', () => {
  it('are typed arrays of the type of the parameter', () => {
    const kernel = built().createKernel('values');
    const out = context.createBuffer(webcl.MEM_READ_WRITE, 16);
    kernel.setArg(0, out);
    kernel.setArg(1, Int8Array.of(1, 2, 3, -4));
    // The low half first.
    kernel.setArg(2, Uint32Array.of(7, 9));
    kernel.setArg(3, Uint32Array.of(64));
    kernel.setArg(4, Uint8Array.of(10, 20, 30));
    expect(result(kernel, out, 1, new Int32Array(4))).toEqual([-4, 9, 7, 30]);
    expect(errorOf(() => kernel.setArg(1, Uint8Array.of(1, 2, 3, 4)))).toBe('INVALID_ARG_VALUE');
    expect(errorOf(() => kernel.setArg(1, Int8Array.of(1, 2, 3)))).toBe('INVALID_ARG_SIZE');
    expect(errorOf(() => kernel.setArg(2, Int32Array.of(1, 2)))).toBe('INVALID_ARG_VALUE');
    expect(errorOf(() => kernel.setArg(3, Int32Array.of(64)))).toBe('INVALID_ARG_VALUE');
    expect(errorOf(() => kernel.setArg(3, new Uint32Array(0)))).toBe('INVALID_ARG_SIZE');
    expect(errorOf(() => kernel.setArg(0, Int32Array.of(1)))).toBe('INVALID_ARG_VALUE');
    expect(errorOf(() => kernel.setArg(1, 5 as never))).toBe('INVALID_ARG_VALUE');
    expect(errorOf(() => kernel.setArg(9, out))).toBe('INVALID_ARG_INDEX');
    expect(errorOf(() => kernel.setArg(1, out))).toBe('INVALID_ARG_VALUE');
  });
});

describe('the language', () => {
  const refusal = (text: string, options?: string) => {
    const program = context.createProgram(text);
    const name = errorOf(() => program.build(null, options));
    const [device] = context.getInfo(webcl.CONTEXT_DEVICES) as never[];
    const log = program.getBuildInfo(device!, webcl.PROGRAM_BUILD_LOG);
    const isError = program.getBuildInfo(device!, webcl.PROGRAM_BUILD_STATUS) === webcl.BUILD_ERROR;
    return { name, log, isError, kernel: errorOf(() => program.createKernel('f')) };
  };

  it('is that of OpenCL 1.1, without structures from the host', () => {
    const image = refusal('kernel void f(read_only image1d_t i, global int *x) { }');
    expect(image).toMatchObject({
      name: 'BUILD_PROGRAM_FAILURE',
      isError: true,
      kernel: 'INVALID_PROGRAM_EXECUTABLE',
    });
    expect(image.log).toMatch(/:1:25: error: 'image1d_t' is not a type of WebCL/);
    expect(refusal('typedef struct { int a; } S; kernel void f(S s, global int *x) { }')).toMatchObject({
      name: 'BUILD_PROGRAM_FAILURE',
      log: expect.stringContaining("parameter 0 of kernel 'f' is a structure"),
      kernel: 'INVALID_PROGRAM_EXECUTABLE',
    });
    const name = 'f'.repeat(256);
    expect(refusal(`kernel void ${name}(global int *x) { }`).name).toBe('BUILD_PROGRAM_FAILURE');
    expect(refusal('kernel void f() { }').name).toBe('BUILD_PROGRAM_FAILURE');
    expect(refusal('kernel void f( {').name).toBe('BUILD_PROGRAM_FAILURE');
    for (const option of ['-cl-std=CL1.2', '-I /', '-cl-kernel-arg-info', '-D']) {
      expect(refusal('kernel void f(global int *x) { }', option).name, option).toBe('INVALID_BUILD_OPTIONS');
    }
    expect(refusal('kernel void f(global int *x) { x[0] = N; }', '-D N=1 -Werror').name).toBe('no error');
  });

  it('has double and half when a program asks for them', () => {
    const doubles = 'kernel void f(global double *x) { x[0] *= 2; }';
    expect(refusal(doubles).name).toBe('WEBCL_EXTENSION_NOT_ENABLED');
    expect(
      refusal('#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nkernel void f(global int *x) { }').name,
    ).toBe('WEBCL_EXTENSION_NOT_ENABLED');
    // A pointer to half is in the core.
    expect(refusal('kernel void f(global half *x, global float *y) { y[0] = vload_half(0, x); }').name).toBe(
      'no error',
    );
    const [device] = context.getInfo(webcl.CONTEXT_DEVICES) as ReturnType<
      ReturnType<typeof webcl.getPlatforms>[0]['getDevices']
    >;
    expect(device!.getInfo(webcl.DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE)).toBe(0);
    expect(webcl.enableExtension('KHR_gl_sharing')).toBe(false);
    expect(device!.enableExtension('KHR_fp64')).toBe(true);
    expect(device!.getInfo(webcl.DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE)).toBeGreaterThan(0);
    expect(refusal(doubles).name).toBe('no error');
  });
});

describe('wrong use', () => {
  it('is a WebCLException with the name of the specification', () => {
    const queue = context.createCommandQueue();
    const buffer = context.createBuffer(webcl.MEM_READ_WRITE, 64);
    const floats = new Float32Array(16);
    expect(errorOf(() => webcl.createContext(9999))).toBe('INVALID_DEVICE_TYPE');
    expect(errorOf(() => webcl.createContext([]))).toBe('INVALID_VALUE');
    expect(errorOf(() => context.createProgram(''))).toBe('INVALID_VALUE');
    expect(errorOf(() => webcl.createContext([{}] as never))).toBe('INVALID_DEVICE');
    expect(errorOf(() => context.createBuffer(webcl.MEM_READ_WRITE | webcl.MEM_COPY_HOST_PTR, 4))).toBe(
      'INVALID_VALUE',
    );
    expect(errorOf(() => context.createBuffer(webcl.MEM_READ_WRITE, 0))).toBe('INVALID_BUFFER_SIZE');
    expect(errorOf(() => context.createSampler(false, webcl.ADDRESS_REPEAT, webcl.FILTER_LINEAR))).toBe(
      'INVALID_VALUE',
    );
    expect(errorOf(() => queue.enqueueReadBuffer(buffer, true, 0, 65, floats))).toBe('INVALID_VALUE');
    expect(errorOf(() => queue.enqueueReadBuffer(buffer, true, 0, 6, floats))).toBe('INVALID_VALUE');
    expect(errorOf(() => queue.enqueueReadBuffer(null as never, true, 0, 4, floats))).toBe(
      'INVALID_MEM_OBJECT',
    );
    const open = context.createUserEvent();
    expect(errorOf(() => queue.enqueueReadBuffer(buffer, true, 0, 4, floats, [open]))).toBe(
      'INVALID_EVENT_WAIT_LIST',
    );
    expect(errorOf(() => webcl.waitForEvents([open]))).toBe('INVALID_EVENT_WAIT_LIST');
    expect(errorOf(() => webcl.waitForEvents([new WebCLEvent()], () => {}))).toBe('INVALID_EVENT_WAIT_LIST');
    open.setStatus(-1);
    expect(errorOf(() => webcl.waitForEvents([open], () => {}))).toBe(
      'EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST',
    );
    expect(errorOf(() => queue.finish({} as never))).toBe('TypeError');
    expect(errorOf(() => new WebCLEvent().getInfo(webcl.EVENT_CONTEXT))).toBe('INVALID_EVENT');
    expect(errorOf(() => buffer.getInfo(webcl.MEM_REFERENCE_COUNT))).toBe('INVALID_VALUE');
    const kernel = built().createKernel('scale');
    expect(errorOf(() => queue.enqueueNDRangeKernel(kernel, 1, null, [1]))).toBe('INVALID_KERNEL_ARGS');
    expect(errorOf(() => queue.enqueueNDRangeKernel(kernel, 1, null, null as never))).toBe('TypeError');
    buffer.release();
    expect(errorOf(() => buffer.getInfo(webcl.MEM_SIZE))).toBe('INVALID_MEM_OBJECT');
  });

  it('of everything in a context that has been released with all in it', () => {
    const queue = context.createCommandQueue();
    const buffer = context.createBuffer(webcl.MEM_READ_WRITE, 4);
    const program = built();
    const kernel = program.createKernel('scale');
    const event = context.createUserEvent();
    context.releaseAll();
    expect(errorOf(() => queue.finish())).toBe('INVALID_COMMAND_QUEUE');
    expect(errorOf(() => buffer.getInfo(webcl.MEM_SIZE))).toBe('INVALID_MEM_OBJECT');
    expect(errorOf(() => program.build())).toBe('INVALID_PROGRAM');
    expect(errorOf(() => kernel.setArg(0, buffer))).toBe('INVALID_KERNEL');
    expect(errorOf(() => event.setStatus(webcl.COMPLETE))).toBe('INVALID_EVENT');
    expect(errorOf(() => context.createUserEvent())).toBe('INVALID_CONTEXT');
  });

  it('works on one thread too', () => {
    const alone = createWebCL({ shared: false });
    context = alone.createContext();
    const kernel = built().createKernel('scale');
    const buffer = context.createBuffer(webcl.MEM_READ_WRITE, 4, Float32Array.of(3));
    kernel.setArg(0, buffer);
    kernel.setArg(1, Float32Array.of(2));
    kernel.setArg(2, Uint32Array.of(1));
    expect(result(kernel, buffer, 1, new Float32Array(1))).toEqual([6]);
    alone.releaseAll();
  });
});
