/**
 * An in-order queue on the processor. Commands stay in the stream until it is their turn. Launches that wait for nothing
 * but their predecessor are prepared ahead and chained in the launch table, where the workers start one after another
 * by themselves.
 *
 * What holds, and conformance/models looks for (`host-in-order`, `user-events-in-order` in every order of steps; `launch-chains` in random ones): each
 * command begins once, when all before it have ended, those of the host too, and ends behind them also if it has failed for its wait list.
 */
import { waitListError } from '../../runtime/event-table.ts';
import { commandKind } from './command-stream.ts';
import type { Pending } from './dependencies.ts';
import type { CommandEngine, QueueReader } from './processor.ts';
import { QueueRecord } from './queue-record.ts';

/** How many launches of one queue may be prepared at a time. */
const chainLength = 8;

export class InOrderQueue implements QueueReader {
  readonly #processor: CommandEngine;
  readonly #record: QueueRecord;
  readonly #chain: number;
  #read: number;
  #completed: number;
  /** The next command, which has not started. */
  #head: Pending | undefined;
  /** Launches prepared or running, in order; `done` when ended before an earlier one. */
  readonly #launches: { readonly command: Pending; readonly slot: number; done: boolean }[] = [];
  #hostCommand = false;

  /** `chain`: how many launches may be prepared at a time. */
  constructor(processor: CommandEngine, record: number, chain: number = chainLength) {
    this.#chain = chain;
    this.#processor = processor;
    this.#record = new QueueRecord(processor.control, record);
    this.#completed = this.#record.completed;
    this.#read = this.#completed;
  }

  retire(): boolean {
    return this.#record.retire(this.#completed);
  }

  advance(): boolean {
    let progress = false;
    for (;;) {
      this.#head ??= this.#next();
      const command = this.#head;
      if (!command || command.unresolved > 0 || this.#hostCommand || !this.#begin(command)) return progress;
      this.#head = undefined;
      progress = true;
    }
  }

  launchEnded(command: Pending): void {
    const entry = this.#launches.find((launch) => launch.command === command);
    if (entry) entry.done = true;
    while (this.#launches[0]?.done) {
      this.#launches.shift();
      this.#count();
    }
  }

  #next(): Pending | undefined {
    if (!this.#record.hasMore(this.#read)) return undefined;
    this.#read = (this.#read + 1) >>> 0;
    const { kind, event, waits, payload } = this.#record.stream.read();
    const command: Pending = {
      queue: this,
      kind,
      event,
      payload,
      unresolved: 0,
      failed: false,
      ready: undefined,
    };
    this.#processor.dependencies.add(command, waits);
    return command;
  }

  /** Starts a command if everything before it allows. */
  #begin(command: Pending): boolean {
    if (command.kind === commandKind.launch && !command.failed) {
      if (this.#launches.length >= this.#chain) return false;
      // A launch can be found done before its predecessor is, whose worker was slow to say so; its slot is free then.
      const tail = this.#launches.at(-1);
      const previous = tail && !tail.done ? tail.slot : -1;
      const slot = this.#processor.prepare(command, this.#record.timeout, previous);
      if (slot < 0) return false;
      this.#launches.push({ command, slot, done: false });
      return true;
    }
    if (this.#launches.length > 0) return false;
    if (command.failed) {
      this.#processor.complete(command, waitListError);
      this.#count();
    } else if (this.#processor.execute(command)) {
      this.#count();
    } else {
      this.#hostCommand = true;
      this.#processor.dependencies.await(command.event, () => {
        this.#processor.events.release(command.event);
        this.#hostCommand = false;
        this.#count();
      });
    }
    return true;
  }

  #count(): void {
    this.#completed = (this.#completed + 1) >>> 0;
    this.#record.complete(this.#completed);
  }
}
