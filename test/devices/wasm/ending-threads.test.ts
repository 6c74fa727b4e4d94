// Compute threads that end at any of their steps: every wait ends, and what ended well has been done. `npm run campaign -- threads` ends
// them at random, the processor, too.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Bench, setUp } from './setup.ts';

let bench: Bench | undefined;
afterEach(() => bench?.close());

/** Early operations, which start a thread, take and leave a chunk and end a launch. Another in its place ends there again. */
const places = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 23, 26, 30, 40];

const folder = mkdtempSync(join(tmpdir(), 'millrace-'));
const log = join(folder, 'ended');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function open(at: number, threads = 2): Bench {
  writeFileSync(log, '');
  process.env['ENDING_AT'] = String(at);
  process.env['ENDING_LOG'] = log;
  const worker = new URL('./ending-worker.mjs', import.meta.url);
  bench = setUp({ threads, worker });
  return bench;
}

/** How many threads have ended so far. */
const ended = (): number => readFileSync(log, 'utf8').length;

let out: ReturnType<Bench['buffer']> | undefined;

// How a host that sleeps finds out that a thread has ended: src/runtime/system-threads.ts.
const tells = existsSync('/proc/thread-self');

describe.each(places)('a thread that ends at its operation %i', (at) => {
  it('leaves no awaited launch without an end', async () => {
    const of = open(at);
    out = of.buffer(4);
    for (let round = 0; round < 3 && !of.context.lost; round += 1) {
      const event = of.launch('number', 4, [out, round]);
      await event.done.catch((error: Error) => expect(error.message).toMatch(/thread/));
      expect(event.status).toBeLessThanOrEqual(0);
      if (of.context.lost) expect(() => of.launch('empty', 1, [])).toThrow(/thread/);
    }
    await expect.poll(ended, { timeout: 30_000 }).toBeGreaterThan(0);
  }, 60_000);

  it.skipIf(!tells)(
    'is noticed by a host that sleeps',
    () => {
      const of = open(at);
      out = of.buffer(4);
      for (let round = 0; round < 2 && !of.context.lost; round += 1) {
        const event = of.launch('number', 4, [out, round]);
        event.wait();
        expect(event.status).toBeLessThanOrEqual(0);
        const isRight = event.status === 0 && !of.context.lost;
        // Its own launch may find the thread ended, too; it ends all the same.
        if (isRight) expect(of.read(out, 1).data[0]).toBe(round);
      }
    },
    60_000,
  );
});

it('threads that end between their chunks keep no places of launches', async () => {
  // So many operations take a thread into the middle of its first launch.
  const of = open(11);
  out = of.buffer(4);
  // There are 32 places.
  for (let round = 0; round < 40 && !of.context.lost; round += 1) {
    const event = of.launch('number', 4, [out, round]);
    await event.done.catch(() => undefined);
    expect(event.status).toBeLessThanOrEqual(0);
  }
}, 120_000);

/** From now on, until the test ends, the system gives no more threads. Says how many have been asked for in vain. */
function refuseThreads(): () => number {
  const threads = process.getBuiltinModule('node:worker_threads') as { Worker: unknown };
  const { Worker } = threads;
  let refused = 0;
  threads.Worker = class {
    constructor() {
      refused += 1;
      throw Object.assign(new Error('EAGAIN'), { code: 'ERR_WORKER_INIT_FAILED' });
    }
  };
  onTestFinished(() => {
    threads.Worker = Worker;
  });
  return () => refused;
}

/** What is thrown where nobody catches it, in the event of a thread's end for instance. Without this it would fail the run, but no test. */
function uncaught(): unknown[] {
  const thrown: unknown[] = [];
  const note = (error: unknown) => thrown.push(error);
  for (const name of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(name, note);
    onTestFinished(() => void process.off(name, note));
  }
  return thrown;
}

describe('a thread that ends and cannot be replaced', () => {
  it('leaves its work to the others', async () => {
    bench = setUp({ threads: 2, timeout: 500 });
    await bench.queue.ready();
    const refused = refuseThreads();
    const thrown = uncaught();
    // One group is one thread's.
    const endless = bench.launch('endless', 1, []);
    await expect(endless.done).rejects.toMatchObject({ name: 'CL_OUT_OF_RESOURCES' });
    await expect.poll(refused, { timeout: 30_000 }).toBe(1);
    const queue = bench.newQueue();
    const given = bench.buffer(64);
    for (let round = 0; round < 3; round += 1) {
      await bench.launch('number', 64, [given, round], { queue }).done;
      expect(bench.read(given, 64).data[63]).toBe(round + 63);
    }
    expect(thrown).toEqual([]);
    expect(bench.context.lost).toBeUndefined();
  });

  it('is the last: the device is not available any more', async () => {
    // It ends in its first launch.
    const of = open(8, 1);
    await of.queue.ready();
    const refused = refuseThreads();
    const thrown = uncaught();
    const given = of.buffer(4);
    const first = of.launch('number', 4, [given, 1]);
    await first.done.catch(() => undefined);
    await expect.poll(refused, { timeout: 30_000 }).toBe(1);
    const later = of.launch('number', 4, [given, 2]);
    await expect(later.done).rejects.toMatchObject({ name: 'CL_DEVICE_NOT_AVAILABLE' });
    expect(thrown).toEqual([]);
  });
});
