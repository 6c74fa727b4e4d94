/**
 * Events and queues in great numbers: nothing leaks, callbacks keep their order, failures reach the end of long chains,
 * and several threads wait at once. `MILLRACE_EVENTS=10000000` makes the first test that long.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { CL, type CLBuffer, type CLContext, CLEvent, createContext } from 'millrace/opencl';
import { afterEach, describe, expect, it } from 'vitest';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const count = Number(process.env['MILLRACE_EVENTS'] ?? 50_000);
const mebibyte = 1 << 20;

let context: CLContext;
afterEach(() => context?.releaseAll());

/** Bytes in use: JavaScript's heap after a collection, control memory, device memory. */
async function inUse() {
  const { control, memory } = context.runtime;
  for (let round = 0; round < 5; round += 1) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return { heap: process.memoryUsage().heapUsed, control: control.used, device: memory.used };
}

describe('events', () => {
  const batch = 10_000;

  /**
   * Ten thousand commands with an event each, on two queues of which one waits for the other now and then; most events are
   * released, some are dropped, some are watched.
   */
  async function runBatch(
    queues: readonly ReturnType<CLContext['createCommandQueue']>[],
    buffer: CLBuffer,
  ): Promise<number> {
    let called = 0;
    let previous: CLEvent | undefined;
    const pattern = Int32Array.of(1);
    for (let index = 0; index < batch; index += 1) {
      const queue = queues[index % 2]!;
      const event = new CLEvent();
      if (previous && index % 5 === 0) queue.enqueueMarkerWithWaitList([previous], event);
      else queue.enqueueFillBuffer(buffer, pattern, 0, 64, null, event);
      if (index % 100 === 0) event.setCallback(CL.COMPLETE, () => (called += 1));
      if (index % 50 !== 0) previous?.release();
      previous = event;
    }
    for (const queue of queues) await queue.finished();
    previous?.release();
    await new Promise((resolve) => setTimeout(resolve, 0));
    return called;
  }

  it(
    `leave nothing behind: ${count} of them`,
    async () => {
      context = createContext();
      const outOfOrder = CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
      const queues = [context.createCommandQueue(), context.createCommandQueue(null, outOfOrder)];
      const buffer = context.createBuffer(CL.MEM_READ_WRITE, 64);
      // What comes first makes the room that stays.
      for (let round = 0; round < 3; round += 1) await runBatch(queues, buffer);
      const before = await inUse();
      const slots = context.runtime.events.capacity;
      const began = performance.now();
      let called = 0;
      for (let done = 0; done < count; done += batch) called += await runBatch(queues, buffer);
      const seconds = (performance.now() - began) / 1000;
      const after = await inUse();
      if (count > 1_000_000) {
        const shown = (use: typeof before) =>
          Object.entries(use)
            .map(([name, bytes]) => `${name} ${(bytes / mebibyte).toFixed(2)} MiB`)
            .join(', ');
        console.log(
          `${count} events in ${seconds.toFixed(1)} s; before: ${shown(before)}; after: ${shown(after)}`,
        );
        console.log(`event slots: ${slots} before, ${context.runtime.events.capacity} after`);
      }
      expect(called).toBe(count / 100);
      // Slots of events that were dropped are used again when the collector has found them.
      expect(context.runtime.events.capacity).toBeLessThanOrEqual(32 * 1024);
      expect(after.control).toBeLessThan(before.control + 2 * mebibyte);
      expect(after.device).toBeLessThanOrEqual(before.device + 1024);
      expect(after.heap).toBeLessThan(before.heap + 2 * mebibyte);
    },
    60_000 + count / 4,
  );

  it('call back in the order of the queue', async () => {
    context = createContext();
    const queue = context.createCommandQueue();
    const order: number[] = [];
    const total = 5000;
    for (let index = 0; index < total; index += 1) {
      const event = new CLEvent();
      queue.enqueueMarkerWithWaitList(null, event);
      event.setCallback(CL.COMPLETE, () => order.push(index));
      event.release();
    }
    await queue.finished();
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(order).toEqual(Array.from({ length: total }, (_, index) => index));
  });
});

describe('a chain of commands', () => {
  /** Each command waits for the one before it, the first for a user event, in an out-of-order queue. */
  async function runChain(length: number, status: number) {
    context = createContext();
    const before = process.memoryUsage().rss;
    const queue = context.createCommandQueue(null, CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const gate = context.createUserEvent();
    const kept: CLEvent[] = [];
    let previous: CLEvent = gate;
    for (let index = 0; index < length; index += 1) {
      const event = new CLEvent();
      queue.enqueueMarkerWithWaitList([previous], event);
      kept.push(event);
      previous = event;
    }
    expect(previous.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS)).toBeGreaterThanOrEqual(CL.SUBMITTED);
    const memory = process.memoryUsage().rss - before;
    gate.setStatus(status);
    await queue.finished();
    const statuses = new Set(kept.map((event) => event.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS)));
    const last = await previous.done.then(
      () => undefined,
      (error: Error) => error.name,
    );
    return { statuses: [...statuses], last, memory };
  }

  it('ends when its user event does', async () => {
    const { statuses, last } = await runChain(10_000, CL.COMPLETE);
    expect(statuses).toEqual([CL.COMPLETE]);
    expect(last).toBeUndefined();
  });

  it('of 100,000 passes the failure of its user event on to its end, in less than 200 MB', async () => {
    const { statuses, last, memory } = await runChain(100_000, -9999);
    expect(statuses).toEqual([CL.EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST]);
    expect(last).toBe('CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST');
    expect(memory).toBeLessThan(200e6);
  });
});

describe('several threads of JavaScript', () => {
  /** Runs a module's text in a thread and resolves to what it posts. */
  function inThread(text: string, workerData: unknown): Promise<unknown> {
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(text)}`), { workerData });
    return new Promise((resolve, reject) => {
      worker.once('message', (message) => {
        resolve(message);
        void worker.terminate();
      });
      worker.once('error', reject);
    });
  }

  it('have contexts of their own and wait in them at once', async () => {
    const text = `
      import { parentPort, workerData } from 'node:worker_threads';
      const { CL, CLEvent, createContext, waitForEvents } = await import(workerData.opencl);
      const context = createContext();
      const queue = context.createCommandQueue(null, CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
      const program = context.createProgram('kernel void add(global int *x, int by) { x[get_global_id(0)] += by; }');
      program.build();
      const kernel = program.createKernel('add');
      const buffer = context.createBuffer(CL.MEM_READ_WRITE, 4000, new Int32Array(1000));
      kernel.setArg(0, buffer);
      kernel.setArg(1, workerData.by);
      let previous = null;
      for (let round = 0; round < 200; round++) {
        const event = new CLEvent();
        queue.enqueueNDRangeKernel(kernel, 1, null, [1000], null, previous && [previous], event);
        if (round % 20 === 19) waitForEvents([event]);
        previous = event;
      }
      queue.finish();
      const result = new Int32Array(1000);
      queue.enqueueReadBuffer(buffer, true, 0, 4000, result);
      parentPort.postMessage(result.filter((value) => value !== 200 * workerData.by).length);
    `;
    const opencl = new URL('../../dist/opencl.js', import.meta.url).href;
    const wrong = await Promise.all([1, 2, 3].map((by) => inThread(text, { opencl, by })));
    expect(wrong).toEqual([0, 0, 0]);
  });

  it('wait for an event of another thread by way of its callback', async () => {
    context = createContext();
    const gate = context.createUserEvent();
    const queue = context.createCommandQueue();
    const event = new CLEvent();
    queue.enqueueMarkerWithWaitList([gate], event);
    const status = new Int32Array(new SharedArrayBuffer(4)).fill(CL.QUEUED);
    event.setCallback(CL.COMPLETE, (_, reached) => {
      Atomics.store(status, 0, reached);
      Atomics.notify(status, 0);
    });
    const ready = new Int32Array(new SharedArrayBuffer(4));
    const text = `
      import { parentPort, workerData } from 'node:worker_threads';
      const { status, ready, queued } = workerData;
      Atomics.add(ready, 0, 1);
      Atomics.wait(status, 0, queued);
      parentPort.postMessage(Atomics.load(status, 0));
    `;
    const waiting = [1, 2, 3].map(() => inThread(text, { status, ready, queued: CL.QUEUED }));
    while (Atomics.load(ready, 0) < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    gate.setStatus(-77);
    const failed = CL.EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    expect(await Promise.all(waiting)).toEqual([failed, failed, failed]);
  });
});
