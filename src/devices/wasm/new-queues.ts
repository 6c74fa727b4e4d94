/** Queues that hosts have made since a device's thread last looked, each with what reads its commands. */
import { takeAll } from '../../runtime/event-table.ts';
import { InOrderQueue } from './in-order-queue.ts';
import { OutOfOrderQueue } from './out-of-order-queue.ts';
import type { CommandEngine, QueueReader } from './processor.ts';
import { queueWords } from './shared-layout.ts';

export interface NewQueue {
  readonly reader: QueueReader;
  readonly outOfOrder: boolean;
  /** Whether it asks for the times of its commands. */
  readonly profiling: boolean;
}

/**
 * Hands out the queues of the list whose head is at `list` in control memory.
 * @param chain how many launches of an in-order queue may be prepared at a time; by default as many as suit the wasm device
 * @returns whether there was one
 */
export function takeNewQueues(
  engine: CommandEngine,
  list: number,
  chain: number | undefined,
  take: (queue: NewQueue) => void,
): boolean {
  const { control } = engine;
  return takeAll(control, list, queueWords, (record) => {
    const outOfOrder = control.words[record + queueWords.outOfOrder] !== 0;
    const profiling = control.words[record + queueWords.profiling] !== 0;
    const reader = outOfOrder ? new OutOfOrderQueue(engine, record) : new InOrderQueue(engine, record, chain);
    take({ reader, outOfOrder, profiling });
  });
}
