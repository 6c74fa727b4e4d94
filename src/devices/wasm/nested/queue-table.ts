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

  /** A word of a queue that is there. */
  word(queue: number, word: number): number {
    const { words } = this.#control;
    return words[words[this.#table + nestedWords.queues + queue - 1]! + word]!;
  }

  /** The same; 0 where there is no such queue now. */
  ring(queue: number, word: number): number {
    const { words } = this.#control;
    const record = Atomics.load(words, this.#table + nestedWords.queues + queue - 1);
    return record === 0 ? 0 : words[record + word]!;
  }

  /** Whether a number that a kernel gave is a queue that takes launches. */
  isOpen(queue: number): boolean {
    const { words } = this.#control;
    this.reach();
    if (queue < 1 || queue > Atomics.load(words, this.#table + nestedWords.queueCount)) return false;
    return this.ring(queue, queueRecord.isOpen) === 1;
  }

  /** New queues may lie beyond this thread's view of control memory. */
  reach(): void {
    const version = Atomics.load(this.#control.words, this.#table + nestedWords.version);
    if (version === this.#version) return;
    this.#control.reach(Number.MAX_SAFE_INTEGER);
    this.#version = version;
  }
}
