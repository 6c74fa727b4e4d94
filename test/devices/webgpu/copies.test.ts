// What stays on the device, what moves, and what commands report. Needs the built dist/ and a WebGPU; see device.test.ts.
import '../../support/webgpu.ts';
import { type Device, requestDevice } from 'millrace';
import { CL, CLEvent, createContext, getPlatforms } from 'millrace/opencl';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GpuMemory } from '../../../src/devices/webgpu/gpu-memory.ts';
import { openGpu } from '../../codegen/wgsl/setup.ts';

const found: Device | string = await requestDevice('webgpu').catch(({ message }: Error) => message);
const skipped = typeof found === 'string' ? ` (SKIPPED: ${found})` : '';

const source = `
kernel void touch(global uint *p) { p[get_global_id(0)] += 1; }
kernel void touchSlowly(global uint *p) {
  uint x = get_global_id(0), before = p[x];
  for (uint r = 0; r < 400; r++) x = x * 1664525u + 1013904223u;
  p[get_global_id(0)] = before + (x == 0x12345678u ? 2 : 1);
}
kernel void far(global int *p, int at) { p[at + get_global_id(0)] = 7; }
kernel void slow(global uint *p, uint rounds) {
  uint x = get_global_id(0);
  for (uint r = 0; r < rounds; r++) x = x * 1664525u + 1013904223u;
  p[get_global_id(0) & 1023] = x;
}`;

describe.skipIf(skipped !== '')(`memory and commands on WebGPU${skipped}`, () => {
  function open() {
    const all = getPlatforms().flatMap((platform) => platform.getDevices(CL.DEVICE_TYPE_ALL));
    const context = createContext(
      all.find((each) => each.getInfo(CL.DEVICE_NAME) === (found as Device).name)!,
    );
    const program = context.createProgram(source);
    program.build();
    return { context, program, queue: context.createCommandQueue(null, CL.QUEUE_PROFILING_ENABLE) };
  }
  let opened: ReturnType<typeof open>;
  beforeAll(() => {
    opened = open();
  });
  afterAll(() => opened?.context.releaseAll());

  /** A buffer that the device has written last, with these bytes plus one in each word. */
  function onDevice(bytes: Uint8Array) {
    const { context, program, queue } = opened;
    const buffer = context.createBuffer(CL.MEM_READ_WRITE, bytes.length);
    queue.enqueueWriteBuffer(buffer, true, 0, bytes.length, bytes);
    const touch = program.createKernel('touch');
    touch.setArg(0, buffer);
    queue.enqueueNDRangeKernel(touch, 1, null, [bytes.length / 4], null);
    return buffer;
  }
  const made = (seed: number): Uint8Array =>
    Uint8Array.from({ length: 512 }, (_, at) => (at * 7 + seed) & 0x7f);
  const touched = (bytes: Uint8Array): Uint8Array => {
    const copy = bytes.slice();
    const words = new Uint32Array(copy.buffer);
    words.forEach((word, at) => {
      words[at] = word + 1;
    });
    return copy;
  };
  function contents(buffer: ReturnType<typeof onDevice>): Uint8Array {
    const out = new Uint8Array(512);
    opened.queue.enqueueReadBuffer(buffer, true, 0, 512, out);
    return out;
  }

  test.each([
    [0, 0, 512],
    [16, 64, 128],
    [3, 5, 100],
    [1, 2, 1],
    [7, 4, 505],
  ])('copies on the device from %i to %i, %i bytes', (from, to, size) => {
    const [a, b] = [made(1), made(50)];
    const [source, target] = [onDevice(a), onDevice(b)];
    opened.queue.enqueueCopyBuffer(source, target, from, to, size);
    const expected = touched(b);
    expected.set(touched(a).subarray(from, from + size), to);
    expect(contents(target)).toEqual(expected);
  });

  test.each([
    [[4, 1, 0], [8, 2, 0], [12, 3, 1], 16, 32],
    [[1, 0, 0], [2, 1, 0], [5, 4, 1], 15, 33],
  ] as const)('rectangles from %j to %j of %j', (from, to, region, pitchFrom, pitchTo) => {
    const [a, b] = [made(1), made(50)];
    const [source, target] = [onDevice(a), onDevice(b)];
    opened.queue.enqueueCopyBufferRect(
      source,
      target,
      [...from],
      [...to],
      [...region],
      pitchFrom,
      0,
      pitchTo,
      0,
    );
    const expected = touched(b);
    for (let row = 0; row < region[1]; row += 1) {
      const start = from[0] + (from[1] + row) * pitchFrom;
      expected.set(touched(a).subarray(start, start + region[0]), to[0] + (to[1] + row) * pitchTo);
    }
    expect(contents(target)).toEqual(expected);
  });

  test.each([
    [1, 0, 512],
    [4, 8, 64],
    [2, 6, 10],
    [16, 32, 48],
  ])('fills with a pattern of %i bytes at %i, %i bytes', (length, at, size) => {
    const bytes = made(9);
    const target = onDevice(bytes);
    const pattern = Uint8Array.from({ length }, (_, index) => 200 + index);
    opened.queue.enqueueFillBuffer(target, pattern, at, size);
    const expected = touched(bytes);
    for (let index = 0; index < size; index += 1) expected[at + index] = pattern[index % length]!;
    expect(contents(target)).toEqual(expected);
  });

  test.each([false, true])(
    'launches while something is mapped go on from what others have left, waiting: %s',
    (isWaiting) => {
      const { context, program, queue } = opened;
      const bytes = made(4);
      const buffer = onDevice(bytes);
      const other = context.createBuffer(CL.MEM_READ_WRITE, 256);
      const touch = program.createKernel('touch');
      touch.setArg(0, buffer);
      const mapped = queue.enqueueMapBuffer(other, true, CL.MAP_READ, 0, 256);
      for (let round = 0; round < 3; round += 1) {
        queue.enqueueNDRangeKernel(touch, 1, null, [128], null);
        if (isWaiting) queue.finish();
      }
      queue.enqueueUnmapMemObject(other, mapped);
      queue.enqueueNDRangeKernel(touch, 1, null, [128], null);
      const expected = new Uint32Array(bytes.buffer).map((word) => word + 5);
      expect(new Uint32Array(contents(buffer).buffer)).toEqual(expected);
    },
  );

  test('a read of one part of a buffer takes nothing from a long range that writes another one', async () => {
    const { context, program, queue } = opened;
    const half = 1 << 20;
    const buffer = context.createBuffer(CL.MEM_READ_WRITE, 2 * half);
    const parts = [0, half].map((origin) => buffer.createSubBuffer(CL.MEM_READ_WRITE, origin, half));
    const touch = program.createKernel('touchSlowly');
    for (const part of parts) {
      queue.enqueueFillBuffer(part, Uint8Array.of(0), 0, half);
      touch.setArg(0, part);
      queue.enqueueNDRangeKernel(touch, 1, null, [half / 4], [4], null);
    }
    queue.finish();
    const begun = new CLEvent();
    // More groups than are tried at once: the device gets them piece by piece.
    touch.setArg(0, parts[0]!);
    queue.enqueueNDRangeKernel(touch, 1, null, [half / 4], [4], null, begun);
    queue.flush();
    const second = context.createCommandQueue();
    while (begun.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS) === CL.QUEUED)
      await new Promise((done) => setTimeout(done));
    const out = new Uint32Array(half / 4);
    second.enqueueReadBuffer(parts[1]!, true, 0, half, out);
    expect(out.every((word) => word === 1)).toBe(true);
    queue.enqueueReadBuffer(parts[0]!, true, 0, half, out);
    expect(out.findIndex((word) => word !== 2)).toBe(-1);
  });

  test('a copied rectangle leaves what the host has written between its rows', () => {
    const { context, queue } = opened;
    const source = onDevice(new Uint8Array(512));
    const target = context.createBuffer(CL.MEM_READ_WRITE | CL.MEM_COPY_HOST_PTR, 512, made(8));
    queue.enqueueCopyBufferRect(source, target, [0, 0, 0], [0, 0, 0], [4, 3, 1], 16, 0, 32, 0);
    const expected = made(8);
    for (const row of [0, 32, 64]) expected.set([1, 0, 0, 0], row);
    expect(contents(target)).toEqual(expected);
  });

  test('what the host writes into a small part that it has mapped stays', () => {
    const { queue } = opened;
    const buffer = onDevice(made(3));
    const mapped = queue.enqueueMapBuffer(buffer, true, CL.MAP_WRITE, 480, 32);
    mapped.fill(9);
    queue.enqueueUnmapMemObject(buffer, mapped);
    const expected = touched(made(3)).fill(9, 480);
    expect(contents(buffer)).toEqual(expected);
  });

  test('what is out of bounds stays within its own buffer', () => {
    const { program, queue } = opened;
    const far = program.createKernel('far');
    const [first, second, third] = [onDevice(made(1)), onDevice(made(2)), onDevice(made(3))];
    far.setArg(0, second);
    for (const at of [128, 160, 1000, -32, -160, 1 << 20]) {
      far.setArg(1, Int32Array.of(at));
      queue.enqueueNDRangeKernel(far, 1, null, [32], null);
    }
    expect(contents(first)).toEqual(touched(made(1)));
    expect(contents(third)).toEqual(touched(made(3)));
  });

  test('profiling times follow one another, and lie in the time of the host', () => {
    const { context, program, queue } = opened;
    const slow = program.createKernel('slow');
    slow.setArg(0, context.createBuffer(CL.MEM_READ_WRITE, 4096));
    slow.setArg(1, Uint32Array.of(20_000));
    const events: CLEvent[] = [];
    const run = (count: number): number => {
      const start = performance.now();
      for (let index = 0; index < count; index += 1) {
        const event = new CLEvent();
        queue.enqueueNDRangeKernel(slow, 1, null, [1024], [64], null, event);
        events.push(event);
      }
      queue.finish();
      return performance.now() - start;
    };
    run(4);
    events.length = 0;
    const wall = run(20);
    let sum = 0;
    let last = 0;
    for (const event of events) {
      const [queued, submitted, started, ended] = [
        CL.PROFILING_COMMAND_QUEUED,
        CL.PROFILING_COMMAND_SUBMIT,
        CL.PROFILING_COMMAND_START,
        CL.PROFILING_COMMAND_END,
      ].map((name) => Number(event.getProfilingInfo(name)));
      expect(submitted).toBeGreaterThanOrEqual(queued!);
      expect(started).toBeGreaterThanOrEqual(submitted!);
      expect(ended).toBeGreaterThan(started!);
      expect(started).toBeGreaterThanOrEqual(last);
      last = ended!;
      sum += ended! - started!;
    }
    expect(sum / 1e6).toBeLessThanOrEqual(wall);
    expect(sum / 1e6).toBeGreaterThan(wall / 50);
  });
});

describe.skipIf(skipped !== '')(`bytes that move${skipped}`, () => {
  const range = { id: 1, address: 1 << 20, wholeSize: 4096, offset: 0, size: 4096, access: 3 };

  async function openMemory() {
    const device = await openGpu();
    if (typeof device === 'string') throw new Error(device);
    const memory = new WebAssembly.Memory({ initial: 64, maximum: 64, shared: true });
    const gpu = new GpuMemory(device, memory, () => {}, {
      gone: new Promise(() => {}),
      owed: (promise) => promise,
    });
    return { device, gpu };
  }

  test('each of several that wait for bytes at once has them when it goes on', async () => {
    const { device, gpu } = await openMemory();
    gpu.prepare(range, false, 'own');
    gpu.written(range);
    const first = gpu.publish(range);
    // So that the first is on its way.
    for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
    gpu.written(range);
    const second = gpu.publish(range);
    await gpu.publish(range);
    expect(gpu.moved.toHost).toBe(2 * 4096);
    await Promise.all([first, second]);
    device.destroy();
  });

  test('words that the host overwrites leave the others of their buffer where they are', async () => {
    const { device, gpu } = await openMemory();
    gpu.prepare(range, false, 'own');
    gpu.written(range);
    await gpu.giveUp({ ...range, offset: 64, size: 16, access: 2 });
    gpu.hostChanged({ ...range, offset: 64, size: 16 });
    gpu.prepare(range, false, 'own');
    expect(gpu.moved).toEqual({ toDevice: 4096 + 16, toHost: 0 });
    await gpu.publish(range);
    expect(gpu.moved.toHost).toBe(4096 - 16);
    // Of a word, both sides would have newer bytes.
    gpu.written(range);
    await gpu.giveUp({ ...range, offset: 64, size: 15, access: 2 });
    expect(gpu.moved.toHost).toBe(4096 - 16 + 4096 - 15);
    device.destroy();
  });

  test('a buffer that nobody changed is not copied', async () => {
    const { device, gpu } = await openMemory();
    const { moved } = gpu;
    gpu.prepare(range, false, 'own');
    gpu.prepare(range, false, 'own');
    expect(moved).toEqual({ toDevice: 4096, toHost: 0 });
    // A launch that only reads it leaves the host's bytes as new as the device's.
    await gpu.publish(range);
    expect(moved).toEqual({ toDevice: 4096, toHost: 0 });
    gpu.written({ ...range, offset: 1024, size: 512 });
    gpu.prepare(range, false, 'own');
    await gpu.publish({ ...range, offset: 0, size: 1024, access: 1 });
    expect(moved).toEqual({ toDevice: 4096, toHost: 0 });
    // A small part of what is newer comes alone, the rest when it is asked for; nothing comes twice, for the host may have changed it.
    await gpu.publish({ ...range, offset: 1024, size: 16, access: 1 });
    expect(moved.toHost).toBe(16);
    await gpu.publish(range);
    await gpu.publish(range);
    expect(moved).toEqual({ toDevice: 4096, toHost: 512 });
    // What is overwritten as a whole, on either side, is not brought there first.
    gpu.written(range);
    await gpu.giveUp({ ...range, access: 2 });
    gpu.hostChanged(range);
    gpu.prepareToOverwrite({ ...range, access: 2 });
    expect(moved).toEqual({ toDevice: 4096, toHost: 512 });
    device.destroy();
  });
});
