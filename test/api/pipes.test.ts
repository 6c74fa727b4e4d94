// Pipes through the host API, on our devices: objects and their errors, kernels of several launches, all threads at both ends.
import { CL, type CLContext, createContext, getPlatforms, OpenCLError } from 'millrace/opencl';
import { afterAll, describe, expect, it } from 'vitest';

const platform = getPlatforms()[0]!;
const devices = [...platform.getDevices(CL.DEVICE_TYPE_CPU), ...platform.getDevices(CL.DEVICE_TYPE_CUSTOM)];
const contexts: CLContext[] = [];

afterAll(() => {
  for (const context of contexts) context.releaseAll();
});

const source = `
kernel void produce(global const uint *in, write_only pipe uint p, volatile global uint *refused) {
  uint x = in[get_global_id(0)];
  if (x % 3 == 0) return;
  if (write_pipe(p, &x) != 0) atomic_inc(refused);
}
kernel void consume(read_only pipe uint p, volatile global uint *seen, volatile global uint *count) {
  uint x;
  while (read_pipe(p, &x) == 0) { atomic_inc(seen + x); atomic_inc(count); }
}
// Both ends at once: each work-item writes so often as there is room, and reads what others wrote.
kernel void write_many(write_only pipe uint p, volatile global uint *next, uint total) {
  for (int tries = 0; tries < 4; tries++) {
    uint many = 1 + get_global_id(0) % 3;
    reserve_id_t id = reserve_write_pipe(p, many);
    if (!is_valid_reserve_id(id)) continue;
    uint first = atomic_add(next, many);
    for (uint i = 0; i < many; i++) { uint x = min(first + i, total); write_pipe(p, id, i, &x); }
    commit_write_pipe(p, id);
  }
}
kernel void read_many(read_only pipe uint p, volatile global uint *seen) {
  for (int tries = 0; tries < 6; tries++) {
    uint many = 1 + get_global_id(0) % 2, x;
    reserve_id_t id = reserve_read_pipe(p, many);
    if (!is_valid_reserve_id(id)) continue;
    for (uint i = 0; i < many; i++) { read_pipe(p, id, i, &x); atomic_inc(seen + x); }
    commit_read_pipe(p, id);
  }
}
kernel void left(read_only pipe uint p, global uint *out) { out[0] = get_pipe_num_packets(p); }
kernel void others(read_only pipe float4 p) {}`;

function errorOf(action: () => unknown): string | undefined {
  try {
    action();
  } catch (error) {
    if (error instanceof OpenCLError) return error.name;
    throw error;
  }
  return undefined;
}

describe.each(devices.map((device) => [device.getInfo(CL.DEVICE_NAME) as string, device] as const))(
  '%s',
  (name, device) => {
    const context = createContext(device);
    contexts.push(context);
    const program = context.createProgram(source);
    program.build(undefined, '-cl-std=CL2.0 -cl-kernel-arg-info');
    const isFast = !name.includes('interpreter');

    it('tells what they are', () => {
      expect(device.getInfo(CL.DEVICE_MAX_PIPE_ARGS)).toBeGreaterThanOrEqual(16);
      expect(device.getInfo(CL.DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS)).toBeGreaterThanOrEqual(1);
      expect(device.getInfo(CL.DEVICE_PIPE_MAX_PACKET_SIZE)).toBeGreaterThanOrEqual(1024);
      const pipe = context.createPipe(0, 12, 34);
      expect(pipe.getInfo(CL.MEM_TYPE)).toBe(CL.MEM_OBJECT_PIPE);
      expect(pipe.getInfo(CL.MEM_FLAGS)).toBe(CL.MEM_READ_WRITE | CL.MEM_HOST_NO_ACCESS);
      expect(pipe.getPipeInfo(CL.PIPE_PACKET_SIZE)).toBe(12);
      expect(pipe.getPipeInfo(CL.PIPE_MAX_PACKETS)).toBe(34);
      expect(errorOf(() => pipe.getPipeInfo(CL.MEM_TYPE))).toBe('CL_INVALID_VALUE');
      pipe.release();
      expect(errorOf(() => pipe.getPipeInfo(CL.PIPE_PACKET_SIZE))).toBe('CL_INVALID_MEM_OBJECT');
      expect(program.createKernel('produce').getArgInfo(1)).toEqual({
        name: 'p',
        typeName: 'uint',
        addressQualifier: 'global',
        accessQualifier: 'write_only',
        typeQualifiers: ['pipe'],
      });
    });

    it('are made with each of their flags, and both', () => {
      for (const flags of [
        CL.MEM_READ_WRITE,
        CL.MEM_HOST_NO_ACCESS,
        CL.MEM_READ_WRITE | CL.MEM_HOST_NO_ACCESS,
      ])
        expect(context.createPipe(flags, 4, 1).getPipeInfo(CL.PIPE_PACKET_SIZE)).toBe(4);
    });

    it.each([
      ['CL_INVALID_PIPE_SIZE', () => context.createPipe(0, 0, 1)],
      ['CL_INVALID_PIPE_SIZE', () => context.createPipe(0, 4, 0)],
      ['CL_INVALID_PIPE_SIZE', () => context.createPipe(0, 2 ** 30, 1)],
      ['CL_INVALID_VALUE', () => context.createPipe(CL.MEM_USE_HOST_PTR, 4, 1)],
      ['CL_INVALID_VALUE', () => context.createPipe(CL.MEM_HOST_READ_ONLY, 4, 1)],
      ['CL_INVALID_VALUE', () => context.createPipe(CL.MEM_READ_ONLY, 4, 1)],
      ['CL_INVALID_VALUE', () => context.createPipe(CL.MEM_WRITE_ONLY | CL.MEM_HOST_NO_ACCESS, 4, 1)],
      ['CL_INVALID_VALUE', () => context.createPipe(2 ** 40, 4, 1)],
      ['CL_INVALID_VALUE', () => context.createPipe(0, 4, 1, [1, 2, 0])],
      ['CL_MEM_OBJECT_ALLOCATION_FAILURE', () => context.createPipe(0, 2 ** 20, 2 ** 20)],
      ['CL_INVALID_MEM_OBJECT', () => program.createKernel('left').setArg(0, context.createBuffer(0, 64))],
      ['CL_INVALID_MEM_OBJECT', () => program.createKernel('left').setArg(1, context.createPipe(0, 4, 1))],
      ['CL_INVALID_MEM_OBJECT', () => program.createKernel('left').setArg(0, null)],
      ['CL_INVALID_ARG_VALUE', () => program.createKernel('others').setArg(0, context.createPipe(0, 4, 1))],
    ] as const)('%s: %s', (error, action) => {
      expect(errorOf(action)).toBe(error);
    });

    it('carries packets from one launch to the next, and goes on when it has been full', () => {
      const queue = context.createCommandQueue();
      const count = 600;
      const numbers = Uint32Array.from({ length: count }, (_, index) => index);
      const kept = [...numbers].filter((x) => x % 3 !== 0);
      const capacity = 150;
      const pipe = context.createPipe(0, 4, capacity);
      const input = context.createBuffer(CL.MEM_COPY_HOST_PTR, numbers);
      const results = context.createBuffer(CL.MEM_READ_WRITE, 4 * (count + 2));
      const [produce, consume] = [program.createKernel('produce'), program.createKernel('consume')];
      for (const [index, value] of [input, pipe].entries()) produce.setArg(index, value);
      const seen = new Uint32Array(count + 1);
      for (let round = 0; round < 3; round += 1) {
        queue.enqueueFillBuffer(results, new Uint32Array(1), 0, 4 * (count + 2));
        const counter = context.createBuffer(CL.MEM_COPY_HOST_PTR, new Uint32Array(2));
        produce.setArg(2, counter);
        queue.enqueueNDRangeKernel(produce, 1, null, [count], [60]);
        const refused = new Uint32Array(1);
        queue.enqueueReadBuffer(counter, CL.TRUE, 0, 4, refused);
        expect(refused[0]).toBe(kept.length - capacity);
        consume.setArg(0, pipe);
        consume.setArg(1, results);
        consume.setArg(2, counter);
        queue.enqueueNDRangeKernel(consume, 1, null, [48], [8]);
        queue.enqueueReadBuffer(results, CL.TRUE, 0, 4 * (count + 1), seen);
        queue.enqueueReadBuffer(counter, CL.TRUE, 0, 4, refused);
        expect(refused[0]).toBe(kept.length);
        // Each once at most, and only such as were written.
        expect(Math.max(...seen)).toBe(1);
        expect(seen.reduce((sum, x) => sum + x, 0)).toBe(capacity);
        expect([...seen.keys()].filter((x) => seen[x] && x % 3 === 0)).toEqual([]);
      }
    });

    it('loses nothing and doubles nothing with all threads at both ends', () => {
      const writers = context.createCommandQueue();
      const readers = context.createCommandQueue();
      const total = isFast ? 30_000 : 500;
      const items = isFast ? 4096 : 64;
      const pipe = context.createPipe(0, 4, 61);
      const next = context.createBuffer(CL.MEM_COPY_HOST_PTR, new Uint32Array(1));
      const seenBuffer = context.createBuffer(CL.MEM_COPY_HOST_PTR, new Uint32Array(total + 1));
      const write = program.createKernel('write_many');
      write.setArg(0, pipe);
      write.setArg(1, next);
      write.setArg(2, new Uint32Array([total]));
      const read = program.createKernel('read_many');
      read.setArg(0, pipe);
      read.setArg(1, seenBuffer);
      const written = new Uint32Array(1);
      for (let rounds = 0; written[0]! < total && rounds < 2000; rounds += 1) {
        for (let times = 0; times < 4; times += 1) {
          writers.enqueueNDRangeKernel(write, 1, null, [items], [32]);
          readers.enqueueNDRangeKernel(read, 1, null, [items], [16]);
        }
        writers.enqueueReadBuffer(next, CL.TRUE, 0, 4, written);
        readers.finish();
      }
      const rest = context.createBuffer(CL.MEM_COPY_HOST_PTR, new Uint32Array(1));
      const drain = program.createKernel('consume');
      drain.setArg(0, pipe);
      drain.setArg(1, seenBuffer);
      drain.setArg(2, rest);
      readers.enqueueNDRangeKernel(drain, 1, null, [4], [1]);
      const seen = new Uint32Array(total + 1);
      readers.enqueueReadBuffer(seenBuffer, CL.TRUE, 0, seen.byteLength, seen);
      expect(written[0]).toBeGreaterThanOrEqual(total);
      expect(seen.subarray(0, total).findIndex((times) => times !== 1)).toBe(-1);
      expect(seen[total]).toBe(written[0]! - total);
    });
  },
);
