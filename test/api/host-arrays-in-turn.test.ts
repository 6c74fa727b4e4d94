/**
 * A write from an array that an earlier command fills gets that command's bytes, as an in-order queue promises (OpenCL 1.2, 5.11), though
 * writes take the content of other arrays at the call; and what a write or a fill cannot be enqueued with is given back.
 */
import {
  CL,
  type CLBuffer,
  type CLContext,
  type CLEvent,
  createContext,
  getPlatforms,
} from 'millrace/opencl';
import { afterAll, describe, expect, it } from 'vitest';
import type { CommandQueue } from '../../src/runtime/queue.ts';
import { fillRectangle, writeBuffer } from '../../src/runtime/transfer.ts';
import { errorName } from '../support/error-name.ts';

const platforms = getPlatforms();
const [wasm] = platforms[0]!.getDevices(CL.DEVICE_TYPE_CPU);
const contexts: CLContext[] = [];
afterAll(() => {
  for (const context of contexts) context.releaseAll();
});

const machines: [string, () => CLContext][] = [
  ['threads', () => createContext([wasm])],
  ['one thread', () => createContext([wasm], { shared: false })],
  ...platforms.slice(1, 2).map((platform): [string, () => CLContext] => {
    const [device] = platform.getDevices();
    return ['a driver', () => createContext([device])];
  }),
];

describe.each(machines)('on %s', (_, make) => {
  const context = make();
  contexts.push(context);
  const queue = context.createCommandQueue();
  const numbers = Int32Array.from({ length: 64 }, (_, index) => index * 3 + 1);
  const filled = (): CLBuffer => context.createBuffer(CL.MEM_READ_WRITE, numbers);
  const empty = (): CLBuffer => context.createBuffer(CL.MEM_READ_WRITE, 256);
  /** What is enqueued in `commands` does not begin before all of it has been. */
  const atOnce = (commands: () => void): void => {
    const gate = context.createUserEvent();
    queue.enqueueMarkerWithWaitList([gate]);
    queue.enqueueBarrierWithWaitList([gate]);
    commands();
    gate.setStatus(CL.COMPLETE);
  };
  const contentOf = async (buffer: CLBuffer): Promise<Int32Array> => {
    const out = new Int32Array(64);
    const event = queue.enqueueReadBuffer(buffer, false, 0, 256, out);
    await event.done;
    return out;
  };

  it('takes no more memory the more writes have had to wait', () => {
    const target = context.createBuffer(CL.MEM_READ_WRITE, 1 << 20);
    const array = new Uint8Array(1 << 20).fill(7);
    const write = (): void =>
      atOnce(() => void queue.enqueueWriteBuffer(target, false, 0, array.length, array));
    write();
    queue.finish();
    const before = context.runtime.memory.used;
    for (let round = 0; round < 20; round += 1) {
      write();
      queue.finish();
    }
    expect(context.runtime.memory.used - before).toBeLessThan(2 << 20);
    target.release();
  });

  it('of a buffer, and of a part of the array', async () => {
    const [from, to] = [filled(), empty()];
    const array = new Int32Array(64);
    atOnce(() => {
      queue.enqueueReadBuffer(from, false, 0, 256, array);
      queue.enqueueWriteBuffer(to, false, 16, 64, array.subarray(4, 20));
    });
    expect([...(await contentOf(to)).subarray(4, 20)]).toEqual([...numbers.subarray(4, 20)]);
  });

  it('of rectangles', async () => {
    const [from, to] = [filled(), empty()];
    const array = new Int32Array(64);
    atOnce(() => {
      queue.enqueueReadBufferRect(from, false, [0, 0, 0], [0, 0, 0], [16, 8, 1], 32, 0, 32, 0, array);
      queue.enqueueWriteBufferRect(to, false, [0, 0, 0], [0, 0, 0], [16, 8, 1], 32, 0, 32, 0, array);
    });
    const expected = numbers.map((number, index) => (index % 8 < 4 ? number : 0));
    const out = await contentOf(to);
    expect([...out].filter((_, index) => index % 8 < 4)).toEqual(
      [...expected].filter((_, index) => index % 8 < 4),
    );
  });

  it('and a mapping that is ended before it has begun leaves the buffer as it is', async () => {
    const host = numbers.slice();
    const buffer = context.createBuffer(CL.MEM_USE_HOST_PTR, 256, host);
    const seven = Int32Array.of(7);
    atOnce(() => {
      queue.enqueueFillBuffer(buffer, seven, 0, 256);
      const mapped = queue.enqueueMapBuffer(buffer, false, CL.MAP_READ | CL.MAP_WRITE, 0, 256);
      queue.enqueueUnmapMemObject(buffer, mapped);
    });
    expect([...(await contentOf(buffer))]).toEqual(new Array(64).fill(7));
  });

  it('other arrays, and this one later, may be changed as soon as the call returns', async () => {
    const [from, to, second] = [filled(), empty(), empty()];
    const array = new Int32Array(64);
    const other = numbers.slice();
    let read: Promise<void> | undefined;
    atOnce(() => {
      read = queue.enqueueReadBuffer(from, false, 0, 256, array).done;
      queue.enqueueWriteBuffer(to, false, 0, 256, other);
      other.fill(0);
    });
    await read;
    expect([...(await contentOf(to))]).toEqual([...numbers]);
    atOnce(() => {
      queue.enqueueWriteBuffer(second, false, 0, 256, array);
      array.fill(0);
    });
    expect([...(await contentOf(second))]).toEqual([...numbers]);
  });
});

describe('a command that cannot be enqueued', () => {
  it('gives its staging memory back', () => {
    const whole = createContext([wasm]);
    contexts.push(whole);
    const context = whole.runtime;
    const buffer = whole.createBuffer(0, 4096).runtime;
    const queue = (whole.createCommandQueue() as unknown as { runtime: CommandQueue }).runtime;
    const failing = Object.create(queue, {
      context: { value: context },
      isReady: { value: () => false },
      mark: { value: () => queue.mark() },
      enqueue: {
        value: () => {
          throw new Error('no room in the stream');
        },
      },
    }) as CommandQueue;
    const before = context.memory.used;
    const rows = { start: 0, rowPitch: 64, slicePitch: 4096 };
    const options = { type: 0, blocking: false, waits: [] };
    expect(() => fillRectangle(failing, buffer, rows, Uint8Array.of(1), [64, 64, 1], options)).toThrow(
      'no room',
    );
    expect(() => writeBuffer(failing, buffer, 0, new Uint8Array(4096), options)).toThrow('no room');
    expect(context.memory.used).toBe(before);
  });
});

describe('a mapping of an image that fails', () => {
  it('leaves those that were made while it waited', () => {
    const context = createContext([wasm]);
    contexts.push(context);
    const outOfOrder = context.createCommandQueue(null, CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const [called, others] = [context.createCommandQueue(), context.createCommandQueue()];
    const format = { channelOrder: CL.RGBA, channelType: CL.UNORM_INT8 };
    const size = { type: CL.MEM_OBJECT_IMAGE2D, width: 4, height: 4 };
    const image = context.createImage(CL.MEM_READ_WRITE, format, size);
    const map = (queue: typeof others, waits: CLEvent[] | null) =>
      queue.enqueueMapImage(image, true, CL.MAP_WRITE, [0, 0, 0], [4, 4, 1], [0], null, waits);
    const gate = context.createUserEvent();
    let mapped: Uint8Array | undefined;
    // The host calls it while it waits for the other mapping.
    called.enqueueNativeKernel(() => {
      mapped = map(others, null);
      gate.setStatus(-5);
    });
    expect(errorName(() => map(outOfOrder, [gate]))).toBe('CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST');
    expect(image.getInfo(CL.MEM_MAP_COUNT)).toBe(1);
    expect(errorName(() => others.enqueueUnmapMemObject(image, mapped!))).toBe('no error');
    expect(image.getInfo(CL.MEM_MAP_COUNT)).toBe(0);
  });
});
