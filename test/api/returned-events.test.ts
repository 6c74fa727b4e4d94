/** Calls that enqueue something give the command's event, whether or not they were given one to fill in. */
import { CL, type CLContext, CLEvent, createContext, OpenCLError, waitForEvents } from 'millrace/opencl';
import { afterEach, describe, expect, it } from 'vitest';

let context: CLContext;
afterEach(() => context?.releaseAll());

const source = `kernel void add(global int *p) { p[get_global_id(0)] += 1; }
kernel void wild(global int *p) { p[get_global_id(0) + (1 << 29)] = 1; }`;

function open(properties = 0) {
  context = createContext();
  const queue = context.createCommandQueue(null, properties);
  const program = context.createProgram(source);
  program.build();
  const buffer = context.createBuffer(CL.MEM_READ_WRITE, 64, new Int32Array(16));
  const kernel = program.createKernel('add');
  kernel.setArg(0, buffer);
  const wild = program.createKernel('wild');
  wild.setArg(0, buffer);
  return { queue, buffer, kernel, wild };
}

const complete = (event: CLEvent): boolean =>
  event.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS) === CL.COMPLETE;

describe('an enqueue call', () => {
  it('gives the event of its command', async () => {
    const { queue, buffer, kernel } = open();
    const image = context.createImage(
      CL.MEM_READ_WRITE,
      { channelOrder: CL.RGBA, channelType: CL.UNORM_INT8 },
      { type: CL.MEM_OBJECT_IMAGE2D, width: 2, height: 2 },
    );
    const other = context.createBuffer(CL.MEM_READ_WRITE, 64);
    const bytes = new Uint8Array(64);
    const [zero, two, size] = [
      [0, 0, 0],
      [2, 2, 1],
      [4, 1, 1],
    ];
    const shared = context.svmAlloc(CL.MEM_READ_WRITE, 64)!;
    // The numbers are those of OpenCL's table of commands.
    const commands: readonly (readonly [number, () => CLEvent])[] = [
      [0x11f0, () => queue.enqueueNDRangeKernel(kernel, 1, null, [16])],
      [0x11f1, () => queue.enqueueTask(kernel)],
      [0x11f2, () => queue.enqueueNativeKernel(() => {})],
      [0x11f3, () => queue.enqueueReadBuffer(buffer, false, 0, 64, bytes)],
      [0x11f3, () => queue.enqueueReadBuffer(buffer, true, 0, 64, bytes)],
      [0x11f4, () => queue.enqueueWriteBuffer(buffer, true, 0, 64, bytes)],
      [0x1201, () => queue.enqueueReadBufferRect(buffer, true, zero, zero, size, 0, 0, 0, 0, bytes)],
      [0x1202, () => queue.enqueueWriteBufferRect(buffer, true, zero, zero, size, 0, 0, 0, 0, bytes)],
      [0x11f5, () => queue.enqueueCopyBuffer(buffer, other, 0, 0, 64)],
      [0x1203, () => queue.enqueueCopyBufferRect(buffer, other, zero, zero, size, 0, 0, 0, 0)],
      [0x1207, () => queue.enqueueFillBuffer(buffer, Int32Array.of(1), 0, 64)],
      [0x11f6, () => queue.enqueueReadImage(image, true, zero, two, 0, 0, bytes)],
      [0x11f7, () => queue.enqueueWriteImage(image, true, zero, two, 0, 0, bytes)],
      [0x1208, () => queue.enqueueFillImage(image, Float32Array.of(0, 0, 0, 1), zero, two)],
      [0x11f9, () => queue.enqueueCopyImageToBuffer(image, other, zero, two, 0)],
      [0x11fa, () => queue.enqueueCopyBufferToImage(other, image, 0, zero, two)],
      [0x11fe, () => queue.enqueueMarkerWithWaitList()],
      [0x11fe, () => queue.enqueueMarker()],
      [0x1205, () => queue.enqueueBarrierWithWaitList()],
      [0x1205, () => queue.enqueueBarrier()],
      [0x1206, () => queue.enqueueMigrateMemObjects([buffer], 0)],
      [0x120b, () => queue.enqueueSVMMemFill(shared, Int32Array.of(1), 64)],
      [0x120a, () => queue.enqueueSVMMemcpy(true, shared, bytes, 64)],
      [
        0x11fd,
        () => queue.enqueueUnmapMemObject(buffer, queue.enqueueMapBuffer(buffer, true, CL.MAP_READ, 0, 64)),
      ],
    ];
    for (const [type, command] of commands) {
      const event = command();
      expect(event, command.toString()).toBeInstanceOf(CLEvent);
      expect(event.getInfo(CL.EVENT_COMMAND_TYPE), command.toString()).toBe(type);
      expect(event.getInfo(CL.EVENT_COMMAND_QUEUE)).toBe(queue);
      await event.done;
      expect(complete(event)).toBe(true);
    }
  });

  it('gives the one that it was given, and with null none', () => {
    const { queue, kernel } = open();
    const event = new CLEvent();
    expect(queue.enqueueNDRangeKernel(kernel, 1, null, [16], null, null, event)).toBe(event);
    const none = queue.enqueueNDRangeKernel(kernel, 1, null, [16], null, null, null);
    expect(none.isFilled).toBe(false);
    expect(() => none.getInfo(CL.EVENT_COMMAND_TYPE)).toThrow(OpenCLError);
    expect(queue.enqueueMarkerWithWaitList(null, null).isFilled).toBe(false);
    queue.finish();
  });

  it('may be waited for by others, without an event made before', () => {
    const { queue, buffer, kernel } = open(CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    let last: CLEvent[] = [];
    for (let turn = 0; turn < 100; turn += 1) {
      last = [queue.enqueueNDRangeKernel(kernel, 1, null, [16], null, last)];
    }
    const result = new Int32Array(16);
    queue.enqueueReadBuffer(buffer, true, 0, 64, result, last);
    expect([...result]).toEqual(Array.from({ length: 16 }, () => 100));
  });
});

describe('events that nobody keeps', () => {
  it('hold no slots in a loop that never leaves for the event loop, whether returned or made before', () => {
    const { queue, buffer } = open();
    const pattern = Int32Array.of(1);
    const { events, control } = context.runtime;
    for (const make of [() => undefined, () => new CLEvent()]) {
      const before = control.used;
      for (let index = 0; index < 100_000; index += 1) {
        queue.enqueueFillBuffer(buffer, pattern, 0, 64, null, make());
        if (index % 500 === 499) queue.finish();
      }
      expect(events.capacity).toBeLessThanOrEqual(4096);
      expect(control.used).toBeLessThan(before + (1 << 20));
    }
  });

  it('hold none after very many of them were under way', () => {
    const { queue, buffer } = open();
    const gate = context.createUserEvent();
    queue.enqueueBarrierWithWaitList([gate]);
    for (let index = 0; index < 20_000; index += 1) queue.enqueueFillBuffer(buffer, Int32Array.of(1), 0, 64);
    const { capacity } = context.runtime.events;
    expect(capacity).toBeGreaterThanOrEqual(20_000);
    gate.setStatus(CL.COMPLETE);
    queue.finish();
    for (let index = 0; index < 20_000; index += 1) {
      queue.enqueueFillBuffer(buffer, Int32Array.of(1), 0, 64);
      if (index % 500 === 499) queue.finish();
    }
    expect(context.runtime.events.capacity).toBe(capacity);
  });
});

describe('events that are kept', () => {
  it('answer long after their slots went to others', async () => {
    const { queue, buffer, kernel } = open(CL.QUEUE_PROFILING_ENABLE);
    const kept: CLEvent[] = [];
    const names = [
      CL.PROFILING_COMMAND_QUEUED,
      CL.PROFILING_COMMAND_SUBMIT,
      CL.PROFILING_COMMAND_START,
      CL.PROFILING_COMMAND_END,
      CL.PROFILING_COMMAND_COMPLETE,
    ];
    const times: bigint[][] = [];
    for (let index = 0; index < 10_000; index += 1) {
      const event = queue.enqueueFillBuffer(buffer, Int32Array.of(0), 0, 64);
      if (index % 100 !== 0) continue;
      queue.finish();
      kept.push(event);
      // While it has its slot.
      times.push(names.map((name) => event.getProfilingInfo(name)));
    }
    queue.finish();
    expect(context.runtime.events.capacity).toBeLessThanOrEqual(4096);
    expect(kept.map((event) => names.map((name) => event.getProfilingInfo(name)))).toEqual(times);
    for (const row of times) expect([...row].sort((a, b) => Number(a - b))).toEqual(row);
    expect(kept.every(complete)).toBe(true);
    waitForEvents(kept);
    await Promise.all(kept.map(({ done }) => done));
    const called: number[] = [];
    await new Promise<void>((resolve) => {
      for (const [index, event] of kept.entries()) {
        event.setCallback(CL.COMPLETE, (_, status) => {
          if (called.push(status) === kept.length) resolve();
          if (index === 0) event.release();
        });
      }
    });
    expect(new Set(called)).toEqual(new Set([CL.COMPLETE]));
    // Times are as before, with the slot that the callback has brought.
    expect(kept.slice(1).map((event) => names.map((name) => event.getProfilingInfo(name)))).toEqual(
      times.slice(1),
    );
    // As waits they are over.
    const result = new Int32Array(16);
    queue.enqueueNDRangeKernel(kernel, 1, null, [16], null, kept.slice(1));
    queue.enqueueReadBuffer(buffer, true, 0, 64, result);
    expect([...result]).toEqual(Array.from({ length: 16 }, () => 1));
    for (const event of kept.slice(1)) event.release();
    expect(() => complete(kept[5]!)).toThrow(/released/);
  });

  it('are no list of all earlier commands for a marker, when they are over', () => {
    const { queue, buffer } = open(CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const old = queue.enqueueFillBuffer(buffer, Int32Array.of(0), 0, 64);
    for (let index = 0; index < 5000; index += 1) queue.enqueueFillBuffer(buffer, Int32Array.of(0), 0, 64);
    queue.finish();
    const gate = context.createUserEvent();
    queue.enqueueFillBuffer(buffer, Int32Array.of(0), 0, 64, [gate]);
    const marker = queue.enqueueMarkerWithWaitList([old]);
    waitForEvents([marker]);
    expect(complete(marker)).toBe(true);
    gate.setStatus(CL.COMPLETE);
    queue.finish();
  });

  it('know what their command failed with', async () => {
    const { queue, buffer, wild } = open();
    const failed = queue.enqueueNDRangeKernel(wild, 1, null, [16]);
    expect(() => queue.finish()).toThrow(/out of bounds/);
    for (let index = 0; index < 5000; index += 1) {
      queue.enqueueFillBuffer(buffer, Int32Array.of(0), 0, 64);
      if (index % 500 === 499) queue.finish();
    }
    // CL_OUT_OF_RESOURCES
    expect(failed.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS)).toBe(-5);
    expect(failed.errorMessage).toMatch(/out of bounds/);
    await expect(failed.done).rejects.toThrow(/out of bounds/);
    const after = queue.enqueueMarkerWithWaitList([failed]);
    await expect(after.done).rejects.toThrow();
    expect(after.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS)).toBe(
      CL.EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
    );
  });
});
