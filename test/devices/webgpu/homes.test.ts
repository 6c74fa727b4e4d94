// Buffers in the arena and in buffers of WebGPU of their own: whatever order kernels of both variants run in, and whatever parts of buffers they
// are given, each sees what the one before has left. Needs the built dist/ and a WebGPU; see device.test.ts.
import '../../support/webgpu.ts';
import { type Device, requestDevice } from 'millrace';
import { CL, type CLMemory, createContext, getPlatforms } from 'millrace/opencl';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const found: Device | string = await requestDevice('webgpu').catch(({ message }: Error) => message);
const skipped = typeof found === 'string' ? ` (SKIPPED: ${found})` : '';

// `pick` compares a pointer with null, which the variant with bindings cannot.
const source = `
kernel void sum(global const uint *a, global const uint *b, global uint *c) {
  size_t i = get_global_id(0);
  c[i] = a[i] * 3 + b[i];
}
kernel void pick(global uint *a, global uint *b, uint add) {
  size_t i = get_global_id(0);
  global uint *p = (i & 1) ? a : b;
  if (p) p[i] += add;
}
kernel void twice(global uint *a) { a[get_global_id(0)] *= 2; }`;

const count = 128;
const words = (seed: number): Uint32Array => Uint32Array.from({ length: count }, (_, at) => at * 17 + seed);

describe.skipIf(skipped !== '')(`where buffers live on WebGPU${skipped}`, () => {
  function open() {
    const all = getPlatforms().flatMap((platform) => platform.getDevices(CL.DEVICE_TYPE_ALL));
    const context = createContext(
      all.find((each) => each.getInfo(CL.DEVICE_NAME) === (found as Device).name)!,
    );
    const program = context.createProgram(source);
    program.build();
    return { context, program, queue: context.createCommandQueue() };
  }
  let opened: ReturnType<typeof open>;
  beforeAll(() => {
    opened = open();
  });
  afterAll(() => opened?.context.releaseAll());

  function made(data: Uint32Array) {
    const buffer = opened.context.createBuffer(CL.MEM_READ_WRITE, data.byteLength);
    opened.queue.enqueueWriteBuffer(buffer, true, 0, data.byteLength, new Uint8Array(data.slice().buffer));
    return buffer;
  }
  function launch(name: string, ...args: (CLMemory | number)[]): void {
    const kernel = opened.program.createKernel(name);
    for (const [index, arg] of args.entries())
      kernel.setArg(index, typeof arg === 'number' ? Uint32Array.of(arg) : (arg as never));
    opened.queue.enqueueNDRangeKernel(kernel, 1, null, [count], null);
  }
  function contents(buffer: ReturnType<typeof made>, length = count): number[] {
    const out = new Uint8Array(length * 4);
    opened.queue.enqueueReadBuffer(buffer, true, 0, out.length, out);
    return [...new Uint32Array(out.buffer)];
  }

  test('kernels of both variants one after the other, more often than a buffer moves', () => {
    const [a, b, c] = [words(1), words(2), words(3)];
    const [bufferA, bufferB, bufferC] = [made(a), made(b), made(c)];
    for (let round = 0; round < 6; round += 1) {
      launch('sum', bufferA, bufferB, bufferC);
      launch('pick', bufferC, bufferA, round);
      launch('sum', bufferC, bufferA, bufferB);
      launch('twice', bufferB);
      for (let i = 0; i < count; i += 1) {
        c[i] = a[i]! * 3 + b[i]!;
        if (i & 1) c[i]! += round;
        else a[i]! += round;
        b[i] = (c[i]! * 3 + a[i]!) * 2;
      }
    }
    expect(contents(bufferA)).toEqual([...a]);
    expect(contents(bufferB)).toEqual([...b]);
    expect(contents(bufferC)).toEqual([...c]);
  });

  test('one buffer as both of those that are read, and as one that is written, too', () => {
    const [a, c] = [words(5), words(6)];
    const [bufferA, bufferC] = [made(a), made(c)];
    launch('sum', bufferA, bufferA, bufferC);
    expect(contents(bufferC)).toEqual([...a.map((each) => each * 4)]);
    launch('sum', bufferA, bufferC, bufferC);
    expect(contents(bufferC)).toEqual([...a.map((each) => each * 7)]);
    expect(contents(bufferA)).toEqual([...a]);
  });

  test('parts of one buffer that are read and written', () => {
    const data = Uint32Array.from({ length: 3 * count }, (_, at) => at * 5 + 1);
    const buffer = made(data);
    const [first, second, third] = [0, 1, 2].map((part) =>
      buffer.createSubBuffer(CL.MEM_READ_WRITE, part * count * 4, count * 4),
    ) as readonly CLMemory[] as readonly [CLMemory, CLMemory, CLMemory];
    launch('sum', first, second, third);
    launch('pick', third, first, 9);
    launch('sum', first, first, third);
    for (let i = 0; i < count; i += 1) {
      data[2 * count + i] = data[i]! * 3 + data[count + i]!;
      data[(i & 1 ? 2 * count : 0) + i]! += 9;
      data[2 * count + i] = data[i]! * 4;
    }
    expect(contents(buffer, 3 * count)).toEqual([...data]);
  });

  test('copies and fills between buffers wherever these live', () => {
    const { queue } = opened;
    const [a, b, c, d] = [words(1), words(2), words(3), words(4)];
    const [own, other, inArena, alsoInArena] = [made(a), made(b), made(c), made(d)];
    launch('sum', own, own, other);
    launch('pick', inArena, alsoInArena, 4);
    for (let i = 0; i < count; i += 1) {
      b[i] = a[i]! * 4;
      (i & 1 ? c : d)[i]! += 4;
    }
    queue.enqueueCopyBuffer(own, inArena, 0, 16, 64);
    c.set(a.subarray(0, 16), 4);
    queue.enqueueCopyBuffer(inArena, other, 32, 0, 128);
    b.set(c.subarray(8, 40), 0);
    queue.enqueueCopyBuffer(other, own, 8, 4, 40);
    a.set(b.subarray(2, 12), 1);
    queue.enqueueCopyBuffer(alsoInArena, inArena, 0, 256, 100);
    c.set(d.subarray(0, 25), 64);
    queue.enqueueFillBuffer(own, Uint8Array.of(1, 2, 3, 4), 128, 64);
    a.fill(0x04030201, 32, 48);
    // Bytes that begin within words.
    queue.enqueueCopyBuffer(other, own, 5, 259, 30);
    const bytes = new Uint8Array(a.buffer);
    bytes.set(new Uint8Array(b.buffer).subarray(5, 35), 259);
    launch('sum', own, other, alsoInArena);
    for (let i = 0; i < count; i += 1) d[i] = a[i]! * 3 + b[i]!;
    for (const [buffer, expected] of [
      [own, a],
      [other, b],
      [inArena, c],
      [alsoInArena, d],
    ] as const) {
      expect(contents(buffer)).toEqual([...expected]);
    }
  });

  test('buffers that are given up, and new ones in their place', () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b, c] = [words(round), words(round + 1), words(0)];
      const [bufferA, bufferB, bufferC] = [made(a), made(b), made(c)];
      launch('sum', bufferA, bufferB, bufferC);
      if (round & 1) launch('pick', bufferA, bufferC, 1);
      const expected = c.map((_, i) => a[i]! * 3 + b[i]! + (round & 1 && !(i & 1) ? 1 : 0));
      expect(contents(bufferC)).toEqual([...expected]);
      for (const buffer of [bufferA, bufferB, bufferC]) buffer.release();
    }
  });
});
