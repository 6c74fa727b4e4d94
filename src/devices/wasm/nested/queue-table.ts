/** The table of a device's on-device queues, as a thread sees it (words.ts). */
import type { ControlMemory } from '../../../runtime/control-memory.ts';
import { nestedWords, queueRecord } from './words.ts';

export class QueueTable {
  readonly #control: ControlMemory;
  readonly #table: number;
  #version = 0;

  /** @param table where the table is in control memory */
  constructor(control: ControlMemory, table: number) {
    this.#control = control;
    this.#table = table;
  }

  /** Queues that there are or have been; their numbers are from 1 on. */
  get count(): number {
    return Atomics.load(this.#control.words, this.#table + nestedWords.queueCount);
  }

  /** The record of a queue, within view with all that it has; 0 where there is no such queue now. */
  record(queue: number): number {
    const record = Atomics.load(this.#control.words, this.#table + nestedWords.queues + queue - 1);
    // In this order: who sees the queue sees that the version has changed.
    this.reach();
    return record;
  }

  /** A word of a queue that is there. */
  word(queue: number, word: number): number {
    const record = this.record(queue);
    return this.#control.words[record + word]!;
  }

  /** The record of the queue with a number that a kernel gave; 0 if it is none, or takes no launches. */
  openRecord(queue: number): number {
    if (queue < 1 || queue > this.count) return 0;
    const record = this.record(queue);
    return record !== 0 && this.#control.words[record + queueRecord.isOpen] === 1 ? record : 0;
  }

  /** New queues may lie beyond this thread's view of control memory. */
  reach(): void {
    const version = Atomics.load(this.#control.words, this.#table + nestedWords.version);
    if (version === this.#version) return;
    this.#control.reach(Number.MAX_SAFE_INTEGER);
    this.#version = version;
  }
}
