/**
 * Who waits for what: commands that a processor has read, and the events they wait for. Completions of its own commands
 * are told by {@link Dependencies.ended}; events of other devices, of the user, or of commands not read yet are looked
 * at whenever the processor's bell rings, which they see to (EventTable.watchFromProcessor).
 */
import type { EventTable } from '../../runtime/event-table.ts';
import type { QueueReader } from './processor.ts';

/** A command that has been read and is not complete. */
export interface Pending {
  readonly queue: QueueReader;
  readonly kind: number;
  readonly event: number;
  readonly payload: Int32Array;
  /** How much it still waits for: events, and earlier commands of an out-of-order queue. */
  unresolved: number;
  /** An event that it waited for failed. */
  failed: boolean;
  /** What to do when nothing is left to wait for. */
  ready: (() => void) | undefined;
}

export class Dependencies {
  readonly #events: EventTable;
  /** Events of commands that this processor has read and not completed. */
  readonly #own = new Set<number>();
  readonly #waiters = new Map<number, Waiter[]>();
  readonly #foreign = new Map<number, Waiter[]>();

  #late = false;

  constructor(events: EventTable) {
    this.#events = events;
  }

  /** Whether an event ended while it was being asked about, so that a look around is due. */
  get hasNews(): boolean {
    return this.#late;
  }

  /** From here on the event's end will be told by {@link ended}. */
  own(event: number): void {
    this.#own.add(event);
    // Whoever took it for foreign is told with the others.
    const waiting = this.#foreign.get(event);
    if (!waiting) return;
    this.#foreign.delete(event);
    const known = this.#waiters.get(event);
    if (known) known.push(...waiting);
    else this.#waiters.set(event, waiting);
  }

  /** Makes a command wait for events; each is released when it has ended. */
  add(command: Pending, waits: readonly number[]): void {
    for (const event of waits) {
      if (this.#events.isDone(event)) {
        if (this.#events.status(event) < 0) command.failed = true;
        this.#events.release(event);
        continue;
      }
      command.unresolved += 1;
      this.await(event, (status) => {
        if (status < 0) command.failed = true;
        this.#events.release(event);
        command.unresolved -= 1;
        if (command.unresolved === 0) command.ready?.();
      });
    }
  }

  /** Calls `then` with the event's status once it has ended. The caller holds the event until then. */
  await(event: number, then: Waiter): void {
    if (this.#own.has(event)) append(this.#waiters, event, then);
    else this.awaitForeign(event, then);
  }

  /** The same for an event that somebody else will end, such as that of a command whose turn at the host has come. */
  awaitForeign(event: number, then: Waiter): void {
    append(this.#foreign, event, then);
    // If it has ended in between, its bell has not rung, and this pass must not be the last before sleep.
    if (!this.#events.watchFromProcessor(event)) this.#late = true;
  }

  /** An event of this processor's own has ended. */
  ended(event: number): void {
    this.#own.delete(event);
    const waiting = this.#waiters.get(event);
    if (!waiting) return;
    this.#waiters.delete(event);
    const status = this.#events.status(event);
    for (const then of waiting) then(status);
  }

  /** Looks at all foreign events. True if one has ended. */
  lookAround(): boolean {
    let progress = this.#late;
    this.#late = false;
    for (const [event, waiting] of this.#foreign) {
      const status = this.#events.status(event);
      if (status > 0) continue;
      this.#foreign.delete(event);
      for (const then of waiting) then(status);
      progress = true;
    }
    return progress;
  }
}

type Waiter = (status: number) => void;

function append(map: Map<number, Waiter[]>, event: number, then: Waiter): void {
  const waiting = map.get(event);
  if (waiting) waiting.push(then);
  else map.set(event, [then]);
}
