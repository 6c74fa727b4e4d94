// Compute threads that end at any of their steps: every wait ends, and what ended well has been done. `npm run campaign -- threads` ends
// them at random, the processor, too.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Bench, setUp } from './setup.ts';

let bench: Bench | undefined;
afterEach(() => bench?.close());

/** Early operations, which start a thread, take and leave a chunk and end a launch. Another in its place ends there again. */
const places = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 23, 26, 30, 40];

const folder = mkdtempSync(join(tmpdir(), 'millrace-'));
const log = join(folder, 'ended');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function open(at: number): Bench {
  writeFileSync(log, '');
  process.env['ENDING_AT'] = String(at);
  process.env['ENDING_LOG'] = log;
  const worker = new URL('./ending-worker.mjs', import.meta.url);
  bench = setUp({ threads: 2, worker });
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
