import { afterEach, describe, expect, it } from 'vitest';
import { WasmDevice } from '../../../src/devices/wasm/wasm-device.ts';
import { Context } from '../../../src/runtime/context.ts';
import { createUserEvent } from '../../../src/runtime/event.ts';
import { CommandQueue } from '../../../src/runtime/queue.ts';
import { type Bench, setUp } from './setup.ts';

let bench: Bench | undefined;
afterEach(() => bench?.close());

describe('a kernel without end', () => {
  // It holds for the short kernels behind it, too, whose threads the system may hold up.
  const timeout = 1000;

  it('is stopped at the time-out, on all threads, again and again', async () => {
    bench = setUp({ timeout });
    const free = bench.newQueue();
    const out = bench.buffer(100);
    for (let round = 0; round < 3; round += 1) {
      const endless = bench.launch('endless', 100, []);
      const behind = bench.launch('number', 100, [out, round]);
      await expect(endless.done).rejects.toMatchObject({ name: 'CL_OUT_OF_RESOURCES' });
      expect(endless.errorMessage).toContain(`time-out of ${timeout} ms`);
      await behind.done;
      expect(bench.read(out, 1).data[0]).toBe(round);
      await bench.launch('number', 100, [out, 0], { queue: free }).done;
    }
  });

  it('is stopped while the host sleeps', () => {
    bench = setUp({ timeout });
    const endless = bench.launch('endless', 1, []);
    endless.wait();
    expect(endless.status).toBe(-5);
    const out = bench.buffer(1);
    bench.launch('number', 1, [out, 9]);
    expect(bench.read(out, 1).data[0]).toBe(9);
  });

  it('does not keep a context from ending, and its waiters are told', async () => {
    bench = setUp();
    const { done } = bench.launch('endless', 4, []);
    bench.close();
    await expect(done).rejects.toMatchObject({ name: 'CL_INVALID_CONTEXT' });
  });
});

describe.each([
  ['with an error', './dying-processor.mjs', /made to fail/],
  ['without a word', './vanishing-processor.mjs', /does not answer|exit code 3|has ended/],
])('a processor that dies %s', (_title, file, words) => {
  const processor = new URL(file, import.meta.url);

  /** A command that waits for a user event, and one that makes the processor die. */
  function kill(of: Bench) {
    const gate = createUserEvent(of.context, 0);
    const out = of.buffer(16);
    const held = of.launch('number', 4, [out, 0], { waits: [gate] });
    const behind = of.launch('number', 4, [out, 0]);
    const range = { memory: out, offset: 0 };
    of.newQueue({ outOfOrder: true }).enqueue(
      0,
      { kind: 'copy', source: range, target: { memory: out, offset: 32 }, bytes: 13 },
      [],
    );
    return { gate, held, behind };
  }

  it('fails what a blocked host waits for, and everything else of the device', () => {
    bench = setUp({ processor });
    const { gate, held, behind } = kill(bench);
    held.wait();
    expect(held.error).toMatchObject({ name: 'CL_DEVICE_NOT_AVAILABLE' });
    expect(held.errorMessage).toMatch(words);
    expect(behind.status).toBe(held.status);
    bench.queue.finish();
    // The user's own event is none of the device's.
    expect(gate.status).toBe(2);
    expect(bench.context.lost).toMatchObject({ name: 'CL_DEVICE_NOT_AVAILABLE' });
    expect(() => bench!.launch('empty', 1, [])).toThrow(words);
    expect(() => bench!.newQueue()).toThrow(words);
    // Memory that its commands held can be had again.
    const { used } = bench.context.memory;
    bench.buffer(1000).release();
    bench.buffer(1).release();
    expect(bench.context.memory.used).toBeLessThanOrEqual(used);
  });

  it('rejects what is awaited', async () => {
    bench = setUp({ processor });
    const { held, behind } = kill(bench);
    const ends = await Promise.allSettled([held.done, behind.done, bench.queue.finished()]);
    expect(ends.map((end) => end.status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect(held.errorMessage).toMatch(words);
  });
});

it('fails a launch whose compute thread ends, and starts another', async () => {
  bench = setUp({ threads: 2, worker: new URL('./dying-worker.mjs', import.meta.url) });
  const out = bench.buffer(4);
  for (let round = 0; round < 3; round += 1) {
    const event = bench.launch('trap', 8, []);
    await expect(event.done).rejects.toThrow(/a compute thread ended/);
    bench.launch('number', 4, [out, round]);
    expect(bench.read(out, 1).data[0]).toBe(round);
  }
});

it('fails what was enqueued when the threads cannot start', async () => {
  const missing = new URL('./no-such-file.js', import.meta.url);
  const device = new WasmDevice({
    threads: 1,
    files: { processor: missing, worker: missing },
    compile: () => {
      throw new Error('not needed');
    },
  });
  const context = new Context([device]);
  const queue = new CommandQueue(context, device);
  const event = queue.enqueue(0, { kind: 'marker' }, []);
  await expect(event.done).rejects.toMatchObject({ name: 'CL_DEVICE_NOT_AVAILABLE' });
  expect(() => queue.enqueue(0, { kind: 'marker' }, [])).toThrow(/thread failed/);
  context.close();
});
