/**
 * Many commands of random kinds and sizes on several queues, to find lost wake-ups and lost work. The model is exact: each
 * launch of `count` adds its work-groups to a counter, and each in-order queue's `step` chain has one possible result.
 */
import { afterEach, describe, expect, it } from 'vitest';
import type { RuntimeEvent } from '../../../src/runtime/event.ts';
import { Random } from '../../support/random.ts';
import { type Bench, setUp } from './setup.ts';

let bench: Bench | undefined;
afterEach(() => bench?.close());

/** MILLRACE_STRESS multiplies the work. */
const { MILLRACE_STRESS = '1' } = process.env;
const scale = Number(MILLRACE_STRESS);

describe.each([[1], [2], [5]])('with %d compute threads', (threads) => {
  it('loses nothing over launches of random sizes, queues, waits and ways of waiting', {
    timeout: 600_000,
  }, async () => {
    bench = setUp({ threads });
    const random = new Random(threads);
    const queues = [bench.queue, bench.newQueue(), bench.newQueue({ outOfOrder: true })];
    const counter = bench.buffer(1);
    bench.write(counter, new Int32Array(1), true);
    const chains = [bench.buffer(16), bench.buffer(16)];
    for (const chain of chains) bench.write(chain, new Int32Array(16), true);
    const expected = [0, 0];
    let groups = 0;
    let recent: RuntimeEvent[] = [];
    for (let round = 0; round < 4000 * scale; round += 1) {
      const which = random.below(3);
      const queue = queues[which]!;
      const waits = random.below(4) === 0 ? recent.slice(-random.below(3)) : [];
      let event: RuntimeEvent;
      if (which < 2 && random.below(2) === 0) {
        event = bench.launch('step', 16, [chains[which]!, round], { queue, waits });
        expected[which] = (Math.imul(expected[which]!, 3) + round) | 0;
      } else {
        const size = random.below(10) === 0 ? 1 + random.below(3000) : 1 + random.below(8);
        event = bench.launch('count', size, [counter], { queue, waits });
        groups += size;
      }
      const way = random.below(200);
      if (way === 0) queue.finish();
      else if (way === 1) event.wait();
      else if (way === 2) await event.done;
      else if (way === 3) await queue.finished();
      recent.push(event);
      if (recent.length > 8) for (const old of recent.splice(0, 5)) old.release();
    }
    for (const queue of queues) await queue.finished();
    expect(bench.read(counter, 1).data[0]).toBe(groups | 0);
    chains.forEach((chain, index) => {
      expect(bench!.read(chain, 16).data).toEqual(new Int32Array(16).fill(expected[index]!));
    });
    recent = [];
  });

  it('keeps reads and writes that do not block in their order', async () => {
    bench = setUp({ threads });
    const buffer = bench.buffer(64);
    const reads: { data: Int32Array; event: RuntimeEvent }[] = [];
    for (let round = 0; round < 200; round += 1) {
      bench.write(buffer, new Int32Array(64).fill(round)).release();
      bench.launch('step', 64, [buffer, 1]).release();
      reads.push(bench.read(buffer, 64, false));
    }
    await Promise.all(reads.map(({ event }) => event.done));
    for (const [round, { data }] of reads.entries()) {
      expect(data).toEqual(new Int32Array(64).fill(round * 3 + 1));
    }
  });
});

it('uses event slots and memory again', async () => {
  bench = setUp();
  const { context, queue } = bench;
  await bench.launch('empty', 1, []).done;
  const used = context.memory.used;
  for (let round = 0; round < 20; round += 1) {
    for (let command = 0; command < 1000; command += 1) bench.launch('empty', 1, []).release();
    for (let buffer = 0; buffer < 100; buffer += 1) {
      const memory = bench.buffer(1000);
      bench.launch('number', 10, [memory, 0]).release();
      memory.release();
    }
    queue.finish();
  }
  expect(context.events.capacity).toBeLessThanOrEqual(4096);
  // The device counts the last command a moment after its event.
  bench.buffer(1).release();
  expect(context.memory.used).toBeLessThan(used + 200 * 4096);
});

it('runs a long chain of dependent commands, out of order too', async () => {
  bench = setUp();
  const queue = bench.newQueue({ outOfOrder: true });
  const out = bench.buffer(1);
  bench.write(out, new Int32Array(1), true);
  let previous: RuntimeEvent | undefined;
  let expected = 0;
  for (let step = 0; step < 5000; step += 1) {
    const next = bench.launch('step', 1, [out, step], { queue, waits: previous ? [previous] : [] });
    previous?.release();
    previous = next;
    expected = (Math.imul(expected, 3) + step) | 0;
  }
  await previous!.done;
  expect(bench.read(out, 1).data[0]).toBe(expected);
});
