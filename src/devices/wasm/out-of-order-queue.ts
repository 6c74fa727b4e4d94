/**
 * An out-of-order queue on the processor: all commands are read as they come, and each starts when what it waits for
 * has ended. Markers and barriers without a wait list wait for all earlier commands; nothing overtakes a barrier
 * (OpenCL 1.2, 5.10).
 *
 * What holds, and conformance/models looks for (`host-commands` in every order of steps; `overtaking`, `barriers` and `launch-slots` in random ones): each
 * command begins once, behind its wait list and the barriers before it, and waits for nothing else; one behind a failure ends with that, unbegun; the count
 * of what is done never goes back, and is at most that of the commands that have ended with all before them.
 */
import { waitListError } from '../../runtime/event-table.ts';
import { commandKind } from './command-stream.ts';
import type { Pending } from './dependencies.ts';
import type { CommandEngine, QueueReader } from './processor.ts';
import { QueueRecord } from './queue-record.ts';

interface OpenCommand extends Pending {
  /** How many commands of the queue came before it. */
  readonly number: number;
  ended: boolean;
  /** Later commands that wait for this one's end, if there are any. */
  followers: OpenCommand[] | undefined;
}

export class OutOfOrderQueue implements QueueReader {
  readonly #processor: CommandEngine;
  readonly #record: QueueRecord;
  #read: number;
  /** Commands read, oldest first; those before `#oldest` are complete, others may be. */
  readonly #open: OpenCommand[] = [];
  #oldest = 0;
  #ready: OpenCommand[] = [];
  /** The newest barrier that is not complete. */
  #barrier: OpenCommand | undefined;
  readonly #payloads = new PayloadStore();
  readonly #becameReady = (command: Pending): void => {
    this.#ready.push(command as OpenCommand);
  };

  constructor(processor: CommandEngine, record: number) {
    this.#processor = processor;
    this.#record = new QueueRecord(processor.control, record);
    this.#read = this.#record.completed;
  }

  retire(): boolean {
    return this.#oldest === this.#open.length && this.#record.retire(this.#read);
  }

  advance(): boolean {
    let progress = false;
    while (this.#readOne()) progress = true;
    if (this.#ready.length === 0) return progress;
    const ready = this.#ready;
    this.#ready = [];
    for (const command of ready) {
      if (this.#begin(command)) progress = true;
      else this.#ready.push(command);
    }
    return progress;
  }

  launchEnded(command: Pending): void {
    this.#ended(command as OpenCommand);
  }

  #readOne(): boolean {
    if (!this.#record.hasMore(this.#read)) return false;
    const { kind, event, waits, payload } = this.#record.stream.read();
    const command: OpenCommand = {
      queue: this,
      number: this.#read,
      kind,
      event,
      payload: this.#payloads.copy(payload),
      // One more, so that nothing makes it ready before all is added.
      unresolved: 1,
      failed: false,
      ended: false,
      ready: this.#becameReady,
      followers: undefined,
    };
    this.#read = (this.#read + 1) >>> 0;
    if (this.#barrier) this.#follow(this.#barrier, command);
    const gathers = kind === commandKind.marker || kind === commandKind.barrier;
    if (gathers && waits.length === 0) {
      for (let index = this.#oldest; index < this.#open.length; index += 1) {
        const earlier = this.#open[index]!;
        if (!earlier.ended && earlier !== this.#barrier) this.#follow(earlier, command);
      }
    }
    if (kind === commandKind.barrier) this.#barrier = command;
    this.#open.push(command);
    this.#processor.dependencies.own(event);
    this.#processor.dependencies.add(command, waits);
    command.unresolved -= 1;
    if (command.unresolved === 0) this.#ready.push(command);
    return true;
  }

  #follow(earlier: OpenCommand, later: OpenCommand): void {
    earlier.followers ??= [];
    earlier.followers.push(later);
    later.unresolved += 1;
  }

  #begin(command: OpenCommand): boolean {
    if (command.failed) {
      this.#processor.complete(command, waitListError);
      this.#ended(command);
    } else if (command.kind === commandKind.launch) {
      return this.#processor.prepare(command, this.#record.timeout, -1) >= 0;
    } else if (this.#processor.execute(command)) {
      this.#ended(command);
    } else {
      this.#processor.dependencies.awaitForeign(command.event, () => {
        this.#processor.dependencies.ended(command.event);
        this.#processor.events.release(command.event);
        this.#ended(command);
      });
    }
    return true;
  }

  #ended(command: OpenCommand): void {
    command.ended = true;
    if (this.#barrier === command) this.#barrier = undefined;
    for (const follower of command.followers ?? []) {
      follower.unresolved -= 1;
      if (follower.unresolved === 0) this.#ready.push(follower);
    }
    while (this.#open[this.#oldest]?.ended) this.#oldest += 1;
    const completed = this.#open[this.#oldest]?.number ?? this.#read;
    // Half of the list at a time, so that a command costs the same however many are open.
    if (this.#oldest > 64 && this.#oldest * 2 > this.#open.length) {
      this.#open.splice(0, this.#oldest);
      this.#oldest = 0;
    }
    this.#record.complete(completed);
  }
}

/** Words of a block of payloads. */
const blockWords = 16384;

/**
 * Copies of payloads: there may be very many, and an array with bytes of its own takes several times the bytes of a part of a
 * larger one. A block goes when no command refers to it any more.
 */
class PayloadStore {
  #block = new Int32Array(0);
  #used = 0;

  copy(payload: Int32Array): Int32Array {
    if (this.#used + payload.length > this.#block.length) {
      this.#block = new Int32Array(Math.max(blockWords, payload.length));
      this.#used = 0;
    }
    const copy = this.#block.subarray(this.#used, this.#used + payload.length);
    copy.set(payload);
    this.#used += payload.length;
    return copy;
  }
}
