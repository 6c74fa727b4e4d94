// Shared virtual memory through the JavaScript API: pointers inside data, what the commands do, their errors, and host and
// kernel at work on the same words at once.
import { Worker } from 'node:worker_threads';
import {
  CL,
  type CLCommandQueue,
  type CLContext,
  CLEvent,
  createContext,
  getPlatforms,
} from 'millrace/opencl';
import { afterAll, describe, expect, it } from 'vitest';
import { errorName } from '../support/error-name.ts';

const platform = getPlatforms()[0]!;
const [wasm] = platform.getDevices(CL.DEVICE_TYPE_CPU);
const [interpreter] = platform.getDevices(CL.DEVICE_TYPE_CUSTOM);
const contexts: CLContext[] = [];

afterAll(() => {
  for (const context of contexts) context.releaseAll();
});

function open(device: typeof wasm, source = '', extras = {}) {
  const context = createContext(device!, extras);
  contexts.push(context);
  const queue = context.createCommandQueue();
  const program = context.createProgram(source || 'kernel void nothing() {}');
  program.build(null, '-cl-std=CL2.0');
  const kernel = (name: string) => program.createKernel(name);
  return { context, queue, kernel };
}

const lists = `
  typedef struct node { int value; global struct node *next; } node;
  int total = 0;
  kernel void sum(global const node *first, global int *out) {
    int s = 0;
    for (global const node *n = first; n; n = n->next) s += n->value;
    *out = s; total += s; out[1] = total;
  }
  // Every work-item puts its node in front of the list, whose head is an address.
  kernel void push(global node *nodes, global atomic_uint *head) {
    global node *mine = nodes + get_global_id(0);
    mine->value = (int)get_global_id(0);
    uint old = atomic_load(head);
    do { mine->next = (global node *)old; }
    while (!atomic_compare_exchange_strong(head, &old, (uint)mine));
  }
  kernel void through(global int *global *table, int n) { for (int i = 0; i < n; i++) table[i][0] = i + 1; }
  kernel void twice(global int *a) { a[get_global_id(0)] *= 2; }
  kernel void beyond(global int *a) { a[64] = 1; }
`;

const devices = [
  ['wasm', wasm, {}],
  ['wasm on one thread', wasm, { shared: false }],
  ['interpreter', interpreter, {}],
] as const;

describe.each(devices)('shared virtual memory: %s', (name, device, extras) => {
  const { context, queue, kernel } = open(device, lists, extras);
  const int32 = (bytes: Uint8Array) => new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const finish = () => queue.finish();

  it('says what it can do', () => {
    const buffers = CL.DEVICE_SVM_COARSE_GRAIN_BUFFER | CL.DEVICE_SVM_FINE_GRAIN_BUFFER;
    const capabilities = name === 'interpreter' ? buffers : buffers | CL.DEVICE_SVM_ATOMICS;
    expect(device!.getInfo(CL.DEVICE_SVM_CAPABILITIES)).toBe(capabilities);
  });

  it('a list that the host has made is read by a kernel, by its addresses', () => {
    const nodes = context.svmAlloc(CL.MEM_READ_WRITE, 8 * 100);
    const out = context.svmAlloc(0, 8);
    const words = int32(queue.enqueueSVMMap(CL.TRUE, CL.MAP_WRITE, nodes, nodes.size));
    for (let i = 0; i < 100; i += 1) {
      // Not one after another: 37 has no divisor in common with 100.
      const at = (i * 37) % 100;
      words[at * 2] = i * i;
      words[at * 2 + 1] = i === 99 ? 0 : nodes.address + (((i + 1) * 37) % 100) * 8;
    }
    queue.enqueueSVMUnmap(nodes);
    const sum = kernel('sum');
    sum.setArgSVMPointer(0, nodes.address);
    sum.setArg(1, out);
    queue.enqueueNDRangeKernel(sum, 1, null, [1]);
    const seen = queue.enqueueSVMMap(CL.TRUE, CL.MAP_READ, out, 8);
    // The squares up to 99 * 99.
    expect([...int32(seen)]).toEqual([328350, 328350]);
    queue.enqueueSVMUnmap(out);
    // From the middle of the list: a pointer with an offset.
    sum.setArgSVMPointer(0, new Uint8Array(nodes.bytes.buffer, nodes.address + ((98 * 37) % 100) * 8));
    queue.enqueueNDRangeKernel(sum, 1, null, [1]);
    finish();
    expect([...out.view(Int32Array)]).toEqual([98 * 98 + 99 * 99, 328350 + 98 * 98 + 99 * 99]);
    context.svmFree(nodes);
    context.svmFree(out);
  });

  it('a list that a kernel has made is read by the host', () => {
    const nodes = context.svmAlloc(CL.MEM_READ_WRITE | CL.MEM_SVM_FINE_GRAIN_BUFFER, 8 * 500);
    const head = context.svmAlloc(CL.MEM_READ_WRITE | CL.MEM_SVM_FINE_GRAIN_BUFFER, 4);
    head.view(Uint32Array)[0] = 0;
    const push = kernel('push');
    push.setArgSVMPointer(0, nodes);
    push.setArgSVMPointer(1, head);
    queue.enqueueNDRangeKernel(push, 1, null, [500], [5]);
    finish();
    const seen = new Set<number>();
    const words = nodes.view(Uint32Array);
    for (let at = head.view(Uint32Array)[0]!; at !== 0; at = words[(at - nodes.address) / 4 + 1]!) {
      seen.add(words[(at - nodes.address) / 4]!);
    }
    expect(seen.size).toBe(500);
    context.svmFree(nodes);
    context.svmFree(head.address);
  });

  it('memory that is reached through other memory', () => {
    const parts = Array.from({ length: 9 }, () => context.svmAlloc(0, 4, 4));
    const table = context.svmAlloc(CL.MEM_READ_ONLY, 36);
    table.view(Uint32Array).set(parts.map(({ address }) => address));
    const through = kernel('through');
    through.setArgSVMPointer(0, table);
    through.setArg(1, 9);
    through.setExecInfo(CL.KERNEL_EXEC_INFO_SVM_PTRS, parts);
    queue.enqueueNDRangeKernel(through, 1, null, [1]);
    finish();
    expect(parts.map((part) => part.view(Int32Array)[0])).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    // A clone knows the same, and can be set apart.
    const clone = through.clone();
    clone.setArg(1, 2);
    for (const part of parts) part.view(Int32Array)[0] = 0;
    queue.enqueueNDRangeKernel(clone, 1, null, [1]);
    finish();
    expect(parts.map((part) => part.view(Int32Array)[0])).toEqual([1, 2, 0, 0, 0, 0, 0, 0, 0]);
    queue.enqueueNDRangeKernel(through, 1, null, [1]);
    finish();
    expect(parts[8]!.view(Int32Array)[0]).toBe(9);
    queue.enqueueSVMFree([...parts, table]);
    finish();
    expect(parts.every((part) => part.isFreed) && table.isFreed).toBe(true);
  });

  it('copies and fills, between shared memory and arrays of the host', () => {
    const a = context.svmAlloc(0, 64);
    const b = context.svmAlloc(0, 64);
    queue.enqueueSVMMemFill(a, Int16Array.of(1, -1), 64);
    queue.enqueueSVMMemFill(a.address + 4, Uint8Array.of(9), 1);
    queue.enqueueSVMMemcpy(CL.FALSE, b.address + 8, a, 16);
    const read = new Int16Array(10);
    queue.enqueueSVMMemcpy(CL.TRUE, read, b.address + 6, 20);
    expect([...read.subarray(1, 9)]).toEqual([1, -1, 9, -1, 1, -1, 1, -1]);
    queue.enqueueSVMMemcpy(CL.FALSE, a, Uint8Array.of(5, 6, 7), 2);
    const copied = new Uint8Array(3);
    queue.enqueueSVMMemcpy(CL.TRUE, copied, a.bytes.subarray(0, 3), 3);
    expect([...copied]).toEqual([5, 6, 255]);
    queue.enqueueSVMMemcpy(CL.TRUE, copied, Uint8Array.of(1, 2, 3), 2);
    expect([...copied]).toEqual([1, 2, 255]);
    const done = new CLEvent();
    queue.enqueueSVMMemcpy(CL.FALSE, a, b, 0, null, done);
    queue.enqueueSVMMigrateMem([a, b.address + 4], [0, 60], 0);
    finish();
    expect(done.getInfo(CL.EVENT_COMMAND_TYPE)).toBe(CL.COMMAND_SVM_MEMCPY);
    context.svmFree(a);
    context.svmFree(b);
  });

  it('buffers over shared memory are that memory', () => {
    const memory = context.svmAlloc(0, 256);
    memory.view(Int32Array).fill(21);
    const buffer = context.createBuffer(CL.MEM_USE_HOST_PTR, 128, memory.bytes.subarray(128));
    expect(buffer.getInfo(CL.MEM_USES_SVM_POINTER)).toBe(true);
    const twice = kernel('twice');
    twice.setArg(0, buffer);
    queue.enqueueNDRangeKernel(twice, 1, null, [32]);
    const mapped = queue.enqueueMapBuffer(buffer, CL.TRUE, CL.MAP_READ, 0, 128);
    expect(mapped.byteOffset).toBe(memory.address + 128);
    queue.enqueueUnmapMemObject(buffer, mapped);
    expect([...memory.view(Int32Array, 120, 4)]).toEqual([21, 21, 42, 42]);
    const other = context.createBuffer(CL.MEM_USE_HOST_PTR, 4, new Uint8Array(4));
    expect(other.getInfo(CL.MEM_USES_SVM_POINTER)).toBe(false);
    const tooLong = () => context.createBuffer(CL.MEM_USE_HOST_PTR, 129, memory.bytes.subarray(128, 257));
    expect(errorName(tooLong)).toBe('CL_INVALID_BUFFER_SIZE');
    finish();
    buffer.release();
    context.svmFree(memory);
  });

  it('frees by a function, when its turn has come', () => {
    const memory = context.svmAlloc(0, 16);
    const gate = context.createUserEvent();
    const calls: [CLCommandQueue, readonly unknown[]][] = [];
    queue.enqueueSVMFree([memory, memory.address], (used, pointers) => calls.push([used, pointers]), [gate]);
    expect(calls).toEqual([]);
    gate.setStatus(CL.COMPLETE);
    finish();
    expect(calls).toEqual([[queue, [memory, memory.address]]]);
    expect(memory.isFreed).toBe(false);
    queue.enqueueSVMFree([memory]);
    finish();
    expect(memory.isFreed).toBe(true);
    expect(errorName(() => memory.bytes)).toBe('CL_INVALID_VALUE');
  });

  it('addresses and arrays stay valid when memory grows', () => {
    const memory = context.svmAlloc(CL.MEM_READ_WRITE, 128);
    memory.view(Int32Array).fill(3);
    const before = memory.view(Int32Array);
    const big = context.createBuffer(CL.MEM_READ_WRITE, 200 << 20);
    const twice = kernel('twice');
    twice.setArg(0, memory);
    queue.enqueueNDRangeKernel(twice, 1, null, [32]);
    finish();
    expect(memory.view(Int32Array)[31]).toBe(6);
    // Without shared memory an array of JavaScript ends with a growth; the memory gives a new one.
    if (context.runtime.memory.shared) expect(before[31]).toBe(6);
    big.release();
    context.svmFree(memory);
  });

  it('the errors of wrong calls', () => {
    const memory = context.svmAlloc(0, 64);
    const other = open(device);
    const foreign = other.context.svmAlloc(0, 64);
    const twice = kernel('twice');
    const through = kernel('through');
    const one = Uint8Array.of(1);
    const failed = context.createUserEvent();
    failed.setStatus(-5);
    const calls: [string, () => unknown][] = [
      ['CL_INVALID_VALUE', () => context.svmAlloc(0, 0)],
      ['CL_INVALID_VALUE', () => context.svmAlloc(0, 2 ** 33)],
      ['CL_INVALID_VALUE', () => context.svmAlloc(0, 1.5)],
      ['CL_INVALID_VALUE', () => context.svmAlloc(CL.MEM_USE_HOST_PTR, 4)],
      ['CL_INVALID_VALUE', () => context.svmAlloc(CL.MEM_READ_ONLY | CL.MEM_WRITE_ONLY, 4)],
      ['CL_INVALID_VALUE', () => context.svmAlloc(CL.MEM_SVM_ATOMICS, 4)],
      ['CL_INVALID_VALUE', () => context.svmAlloc(0, 4, 3)],
      ['CL_INVALID_VALUE', () => context.svmAlloc(0, 4, 256)],
      ['CL_INVALID_VALUE', () => context.svmFree(memory.address + 4)],
      ['CL_INVALID_VALUE', () => context.svmFree(foreign)],
      ['CL_INVALID_ARG_INDEX', () => twice.setArgSVMPointer(1, memory)],
      ['CL_INVALID_ARG_VALUE', () => twice.setArgSVMPointer(0, 12)],
      ['CL_INVALID_ARG_VALUE', () => twice.setArgSVMPointer(0, new Uint8Array(4))],
      ['CL_INVALID_ARG_VALUE', () => through.setArgSVMPointer(1, memory)],
      ['CL_INVALID_VALUE', () => twice.setExecInfo(CL.KERNEL_EXEC_INFO_SVM_PTRS, [12])],
      ['CL_INVALID_VALUE', () => twice.setExecInfo(CL.KERNEL_EXEC_INFO_SVM_PTRS, 12)],
      ['CL_INVALID_VALUE', () => twice.setExecInfo(0x1, null)],
      ['CL_INVALID_OPERATION', () => twice.setExecInfo(CL.KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, true)],
      ['CL_INVALID_VALUE', () => queue.enqueueSVMFree([])],
      ['CL_INVALID_VALUE', () => queue.enqueueSVMFree([12])],
      ['CL_INVALID_EVENT_WAIT_LIST', () => queue.enqueueSVMFree([memory], null, [new CLEvent()])],
      ['CL_INVALID_VALUE', () => queue.enqueueSVMMemcpy(CL.TRUE, memory, foreign, 4)],
      ['CL_INVALID_VALUE', () => queue.enqueueSVMMemcpy(CL.TRUE, memory, one, 4)],
      ['CL_INVALID_VALUE', () => queue.enqueueSVMMemcpy(CL.TRUE, memory.address + 62, memory, 4)],
      ['CL_MEM_COPY_OVERLAP', () => queue.enqueueSVMMemcpy(CL.TRUE, memory.address + 3, memory, 4)],
      [
        'CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST',
        () => queue.enqueueSVMMemcpy(CL.TRUE, memory.address + 4, memory, 4, [failed]),
      ],
      ['CL_INVALID_VALUE', () => queue.enqueueSVMMemFill(memory.address + 1, Int16Array.of(1), 4)],
      ['CL_INVALID_VALUE', () => queue.enqueueSVMMemFill(memory, new Uint8Array(3), 6)],
      ['CL_INVALID_VALUE', () => queue.enqueueSVMMemFill(memory, Int16Array.of(1), 5)],
      ['CL_INVALID_VALUE', () => queue.enqueueSVMMemFill(memory, one, 65)],
      ['CL_INVALID_VALUE', () => queue.enqueueSVMMap(CL.TRUE, CL.MAP_READ, memory, 0)],
      ['CL_INVALID_VALUE', () => queue.enqueueSVMMap(CL.TRUE, 0x100, memory, 4)],
      ['CL_INVALID_VALUE', () => queue.enqueueSVMMap(CL.TRUE, CL.MAP_READ, 0, 4)],
      [
        'CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST',
        () => queue.enqueueSVMMap(CL.TRUE, CL.MAP_READ, memory, 4, [failed]),
      ],
      ['CL_INVALID_VALUE', () => queue.enqueueSVMUnmap(12)],
      ['CL_INVALID_VALUE', () => queue.enqueueSVMMigrateMem([], null, 0)],
      ['CL_INVALID_VALUE', () => queue.enqueueSVMMigrateMem([memory], [65], 0)],
      ['CL_INVALID_VALUE', () => queue.enqueueSVMMigrateMem([memory], [1, 2], 0)],
      ['CL_INVALID_VALUE', () => queue.enqueueSVMMigrateMem([memory], null, 4)],
    ];
    expect(calls.map(([, call]) => errorName(call))).toEqual(calls.map(([error]) => error));
    // Memory that has gone is no argument any more.
    twice.setArg(0, memory);
    context.svmFree(memory);
    expect(errorName(() => queue.enqueueNDRangeKernel(twice, 1, null, [1]))).toBe('CL_INVALID_KERNEL_ARGS');
  });
});

it('the interpreter finds what leaves shared memory', () => {
  const { context, queue, kernel } = open(interpreter, lists);
  const memory = context.svmAlloc(0, 256);
  const beyond = kernel('beyond');
  beyond.setArg(0, memory);
  const event = new CLEvent();
  queue.enqueueNDRangeKernel(beyond, 1, null, [1], null, null, event);
  expect(() => queue.finish()).toThrow(/store of 4 bytes at byte 256/);
  expect(event.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS)).toBe(CL.OUT_OF_RESOURCES);
});

describe('host and kernel at once', () => {
  const source = `
    // Adds 1 to a counter so often, beside others who do the same.
    kernel void count(global atomic_int *counter, int times) {
      for (int i = 0; i < times; i++) atomic_fetch_add_explicit(counter, 1, memory_order_relaxed, memory_scope_all_svm_devices);
    }
    // Answers each number of the host by its negative, until that is 0.
    kernel void answer(global atomic_int *words) {
      int seen = 0;
      for (;;) {
        int asked = atomic_load_explicit(words, memory_order_acquire, memory_scope_all_svm_devices);
        if (asked == seen) continue;
        seen = asked;
        atomic_store_explicit(words + 16, -asked, memory_order_release, memory_scope_all_svm_devices);
        if (asked == 0) return;
      }
    }
    // One work-item hands over, the other takes, with plain memory in between and fences around it.
    kernel void taken(global atomic_int *flag, global int *data, global int *out) {
      while (atomic_load_explicit(flag, memory_order_relaxed, memory_scope_all_svm_devices) == 0);
      atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_all_svm_devices);
      out[0] = data[0] + data[255];
    }`;
  const { context, queue, kernel } = open(wasm, source);
  const flags = CL.MEM_READ_WRITE | CL.MEM_SVM_FINE_GRAIN_BUFFER | CL.MEM_SVM_ATOMICS;

  it("Atomics of a worker and of the host and the kernel's atomics add up", async () => {
    const counter = context.svmAlloc(flags, 128);
    const words = counter.view(Int32Array);
    words.fill(0);
    const worker = new Worker(
      `const { workerData, parentPort } = require('node:worker_threads');
       for (let i = 0; i < 50_000; i++) Atomics.add(workerData, 0, 1);
       parentPort.postMessage('done');`,
      { eval: true, workerData: words },
    );
    const done = new Promise((resolve) => worker.once('message', resolve));
    const count = kernel('count');
    count.setArg(0, counter);
    count.setArg(1, 1000);
    queue.enqueueNDRangeKernel(count, 1, null, [64], [8]);
    queue.flush();
    for (let i = 0; i < 50_000; i += 1) Atomics.add(words, 0, 1);
    queue.finish();
    await done;
    await worker.terminate();
    expect(Atomics.load(words, 0)).toBe(64_000 + 50_000 + 50_000);
  });

  it('a kernel that runs answers the host', () => {
    const memory = context.svmAlloc(flags, 128);
    const words = memory.view(Int32Array);
    words.fill(0);
    const answer = kernel('answer');
    answer.setArg(0, memory);
    queue.enqueueNDRangeKernel(answer, 1, null, [1], [1]);
    queue.flush();
    const answers: number[] = [];
    for (const asked of [3, 7, 11, 0]) {
      const before = Atomics.load(words, 16);
      Atomics.store(words, 0, asked);
      while (Atomics.load(words, 16) === before);
      answers.push(Atomics.load(words, 16));
    }
    queue.finish();
    expect(answers).toEqual([-3, -7, -11, 0]);
  });

  it('what was written before a flag is seen after it', () => {
    const memory = context.svmAlloc(flags, 4096);
    const words = memory.view(Int32Array);
    words.fill(0);
    const taken = kernel('taken');
    taken.setArg(0, memory);
    taken.setArgSVMPointer(1, memory.address + 1024);
    taken.setArgSVMPointer(2, memory.address + 4);
    queue.enqueueNDRangeKernel(taken, 1, null, [1], [1]);
    queue.flush();
    words[256] = 40;
    words[511] = 2;
    Atomics.store(words, 0, 1);
    queue.finish();
    expect(words[1]).toBe(42);
  });
});
