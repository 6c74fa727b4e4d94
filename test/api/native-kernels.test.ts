/** Native kernels (OpenCL 1.2, 5.8) and the callbacks of events (5.9): functions of the host at their turn. */
import { CL, type CLContext, CLEvent, createContext, getPlatforms, waitForEvents } from 'millrace/opencl';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorName } from '../support/error-name.ts';

let context: CLContext;
beforeEach(() => {
  context = createContext();
});
afterEach(() => context.releaseAll());

const turns = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('enqueueNativeKernel', () => {
  it('calls a function in the order of the queue, with the bytes of memory objects', () => {
    const queue = context.createCommandQueue();
    const program = context.createProgram('kernel void twice(global int *a) { a[get_global_id(0)] *= 2; }');
    program.build();
    const kernel = program.createKernel('twice');
    const buffer = context.createBuffer(0, Int32Array.of(1, 2, 3, 4));
    kernel.setArg(0, buffer);
    queue.enqueueNDRangeKernel(kernel, 1, null, [4]);
    const args = ['first', null, 100];
    queue.enqueueNativeKernel(
      (given) => {
        const bytes = given[1] as Uint8Array;
        const ints = new Int32Array(bytes.buffer, bytes.byteOffset, 4);
        for (const [index, value] of ints.entries()) ints[index] = value + (given[2] as number);
        expect(given[0]).toBe('first');
      },
      args,
      [buffer],
      [1],
    );
    queue.enqueueNDRangeKernel(kernel, 1, null, [4]);
    const result = new Int32Array(4);
    queue.enqueueReadBuffer(buffer, true, 0, 16, result);
    expect([...result]).toEqual([204, 208, 212, 216]);
    // The list is the caller's own; the function got a copy.
    expect(args).toEqual(['first', null, 100]);
  });

  it('waits for events, and its own tells of the end', async () => {
    const queue = context.createCommandQueue(null, CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const gate = context.createUserEvent();
    const event = new CLEvent();
    let called = 0;
    queue.enqueueNativeKernel(
      () => {
        called += 1;
      },
      null,
      null,
      null,
      [gate],
      event,
    );
    await turns();
    expect(called).toBe(0);
    expect(event.getInfo(CL.EVENT_COMMAND_TYPE)).toBe(CL.COMMAND_NATIVE_KERNEL);
    gate.setStatus(CL.COMPLETE);
    await event.done;
    expect(called).toBe(1);
  });

  it('fails with what the function throws', () => {
    const queue = context.createCommandQueue();
    const event = new CLEvent();
    const fail = () => {
      throw new Error('no more paper');
    };
    queue.enqueueNativeKernel(fail, [], [], [], null, event);
    expect(errorName(() => waitForEvents([event]))).toBe('CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST');
    expect(event.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS)).toBe(CL.OUT_OF_RESOURCES);
    expect(event.errorMessage).toContain('no more paper');
  });

  it('is refused as the specification says', () => {
    const queue = context.createCommandQueue();
    const buffer = context.createBuffer(0, 4);
    const nothing = () => {};
    expect(context.devices[0]!.getInfo(CL.DEVICE_EXECUTION_CAPABILITIES)).toBe(
      CL.EXEC_KERNEL | CL.EXEC_NATIVE_KERNEL,
    );
    expect(errorName(() => queue.enqueueNativeKernel(null as never))).toBe('CL_INVALID_VALUE');
    expect(errorName(() => queue.enqueueNativeKernel(nothing, null, [buffer], [0]))).toBe('CL_INVALID_VALUE');
    expect(errorName(() => queue.enqueueNativeKernel(nothing, [1], [buffer], null))).toBe('CL_INVALID_VALUE');
    expect(errorName(() => queue.enqueueNativeKernel(nothing, [1], [buffer], [1]))).toBe('CL_INVALID_VALUE');
    expect(errorName(() => queue.enqueueNativeKernel(nothing, [1], [7 as never], [0]))).toBe(
      'CL_INVALID_MEM_OBJECT',
    );
    expect(errorName(() => queue.enqueueNativeKernel(nothing, [], [], [], [new CLEvent()]))).toBe(
      'CL_INVALID_EVENT_WAIT_LIST',
    );
    expect(errorName(() => queue.setProperty())).toBe('CL_INVALID_OPERATION');
    queue.release();
    expect(errorName(() => queue.enqueueNativeKernel(nothing))).toBe('CL_INVALID_COMMAND_QUEUE');
  });

  it("runs on the interpreter and on drivers' devices that say so", () => {
    const able = getPlatforms()
      .flatMap((platform) => platform.getDevices(CL.DEVICE_TYPE_ALL))
      .filter((device) => Number(device.getInfo(CL.DEVICE_EXECUTION_CAPABILITIES)) & CL.EXEC_NATIVE_KERNEL);
    const [interpreter] = getPlatforms()[0]!.getDevices(CL.DEVICE_TYPE_CUSTOM);
    for (const device of [...able, interpreter!]) {
      const other = createContext(device);
      const queue = other.createCommandQueue();
      const buffer = other.createBuffer(0, Uint8Array.of(1, 2, 3, 4));
      queue.enqueueNativeKernel((args) => (args[0] as Uint8Array).reverse(), [null], [buffer], [0]);
      const bytes = new Uint8Array(4);
      queue.enqueueReadBuffer(buffer, true, 0, 4, bytes);
      expect([...bytes]).toEqual([4, 3, 2, 1]);
      other.releaseAll();
    }
  });
});

describe('callbacks of events', () => {
  it('tell of SUBMITTED and RUNNING before the end, in this order', async () => {
    const queue = context.createCommandQueue();
    const program = context.createProgram(`kernel void wait(global volatile int *flag) {
      while (atomic_add(flag, 0) == 0) ;
    }`);
    program.build();
    const kernel = program.createKernel('wait');
    const flag = context.createBuffer(0, Int32Array.of(0));
    kernel.setArg(0, flag);
    const view = queue.enqueueMapBuffer(flag, true, CL.MAP_WRITE, 0, 4);
    const gate = context.createUserEvent();
    const event = new CLEvent();
    queue.enqueueNDRangeKernel(kernel, 1, null, [1], null, [gate], event);
    const told: string[] = [];
    event.setCallback(CL.COMPLETE, (_, status) => told.push(`complete ${status}`));
    event.setCallback(CL.SUBMITTED, (_, status) => told.push(`submitted ${status}`));
    const running = new Promise<void>((resolve) =>
      event.setCallback(CL.RUNNING, (_, status) => {
        told.push(`running ${status}`);
        resolve();
      }),
    );
    await turns();
    expect(told).toEqual([]);
    gate.setStatus(CL.COMPLETE);
    // The kernel runs until it is let go, so this comes before its end.
    await running;
    expect(told).toEqual(['submitted 2', 'running 1']);
    view[0] = 1;
    await event.done;
    await turns();
    expect(told).toEqual(['submitted 2', 'running 1', 'complete 0']);
  });

  it('pass an error on to all of them, and come at once when the command has ended', async () => {
    const queue = context.createCommandQueue();
    const gate = context.createUserEvent();
    const event = new CLEvent();
    queue.enqueueMarkerWithWaitList([gate], event);
    const told: number[] = [];
    for (const type of [CL.RUNNING, CL.SUBMITTED, CL.COMPLETE]) {
      event.setCallback(type, (_, status) => told.push(status));
    }
    gate.setStatus(-5);
    await event.done.catch(() => {});
    await turns();
    const code = CL.EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    expect(told).toEqual([code, code, code]);
    event.setCallback(CL.RUNNING, (_, status) => told.push(status));
    await turns();
    expect(told).toHaveLength(4);
    expect(errorName(() => event.setCallback(CL.QUEUED, () => {}))).toBe('CL_INVALID_VALUE');
    expect(errorName(() => event.setCallback(CL.COMPLETE, null as never))).toBe('CL_INVALID_VALUE');
    expect(errorName(() => new CLEvent().setCallback(CL.COMPLETE, () => {}))).toBe('CL_INVALID_EVENT');
  });

  it('come in the order in which commands of a queue end', async () => {
    const queue = context.createCommandQueue();
    const buffer = context.createBuffer(0, 4);
    const order: number[] = [];
    let last = new CLEvent();
    for (let index = 0; index < 500; index += 1) {
      last = new CLEvent();
      queue.enqueueFillBuffer(buffer, Int32Array.of(index), 0, 4, null, last);
      last.setCallback(CL.COMPLETE, () => order.push(index));
    }
    await last.done;
    await turns();
    expect(order).toEqual(Array.from({ length: 500 }, (_, index) => index));
  });
});

describe('contexts, platforms and extensions', () => {
  it('keep the properties they are made with', () => {
    const [platform] = getPlatforms();
    const properties = [CL.CONTEXT_PLATFORM, platform!, CL.CONTEXT_INTEROP_USER_SYNC, true, 0];
    const other = createContext(null, { properties });
    expect(other.getInfo(CL.CONTEXT_PROPERTIES)).toEqual(properties);
    expect(other.devices[0]!.platform).toBe(platform);
    other.releaseAll();
    expect(context.getInfo(CL.CONTEXT_PROPERTIES)).toEqual([]);
    const refusal = (list: readonly unknown[]) =>
      errorName(() => createContext(null, { properties: list as never }));
    expect(refusal([CL.CONTEXT_PLATFORM, 7, 0])).toBe('CL_INVALID_PLATFORM');
    expect(refusal([0x7777, 1, 0])).toBe('CL_INVALID_PROPERTY');
    expect(refusal([CL.CONTEXT_PLATFORM, platform, CL.CONTEXT_PLATFORM, platform, 0])).toBe(
      'CL_INVALID_PROPERTY',
    );
    expect(errorName(() => createContext(null, { notify: 3 as never }))).toBe('CL_INVALID_VALUE');
  });

  it('have no functions of extensions', () => {
    const [platform] = getPlatforms();
    expect(platform!.getExtensionFunctionAddress('clNoSuchFunctionKHR')).toBeNull();
    expect(errorName(() => platform!.getExtensionFunctionAddress(1 as never))).toBe('CL_INVALID_VALUE');
    platform!.unloadCompiler();
  });
});
