/**
 * Who waits for what: commands that a processor has read, and the events they wait for. Completions of its own commands
 * are told by {@link Dependencies.ended}; events of other devices, of the user, or of commands not read yet are looked
 * at whenever the processor's bell rings, which they see to (EventTable.watchFromProcessor).
 *
 * What holds, and conformance/models (`user-events`, `user-events-in-order`, `waits-of-queues`, `waits-of-devices`) looks for in every order of steps: who
 * waits is told once of each event, when that has ended and not before; it learns of every failure; it holds the event until then, and not longer; and
 * the processor does not sleep over an end, though it comes while the event is asked about.
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
  /** Told of the command when nothing is left to wait for. */
  readonly ready: ((command: Pending) => void) | undefined;
}

export class Dependencies {
  readonly #events: EventTable;
  /** Events of commands that this processor has read and not completed. */
  readonly #own = new Set<number>();
  readonly #waiters: Waiters = new Map();
  readonly #foreign: Waiters = new Map();

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
    for (const one of Array.isArray(waiting) ? waiting : [waiting]) append(this.#waiters, event, one);
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
      this.await(event, command);
    }
  }

  /** Tells `waiter` once the event has ended. The caller holds the event until then. */
  await(event: number, waiter: Waiter): void {
    if (this.#own.has(event)) append(this.#waiters, event, waiter);
    else this.awaitForeign(event, waiter);
  }

  /** The same for an event that somebody else will end, such as that of a command whose turn at the host has come. */
  awaitForeign(event: number, waiter: Waiter): void {
    append(this.#foreign, event, waiter);
    // If it has ended in between, its bell has not rung, and this pass must not be the last before sleep.
    if (!this.#events.watchFromProcessor(event)) this.#late = true;
  }

  /** An event of this processor's own has ended. */
  ended(event: number): void {
    this.#own.delete(event);
    const waiting = this.#waiters.get(event);
    if (!waiting) return;
    this.#waiters.delete(event);
    this.#tell(event, this.#events.status(event), waiting);
  }

  /** Looks at all foreign events. True if one has ended. */
  lookAround(): boolean {
    let progress = this.#late;
    this.#late = false;
    for (const [event, waiting] of this.#foreign) {
      const status = this.#events.status(event);
      if (status > 0) continue;
      this.#foreign.delete(event);
      this.#tell(event, status, waiting);
      progress = true;
    }
    return progress;
  }

  #tell(event: number, status: number, waiting: Waiter | Waiter[]): void {
    for (const waiter of Array.isArray(waiting) ? waiting : [waiting]) {
      if (typeof waiter === 'function') {
        waiter(status);
        continue;
      }
      if (status < 0) waiter.failed = true;
      this.#events.release(event);
      waiter.unresolved -= 1;
      if (waiter.unresolved === 0) waiter.ready?.(waiter);
    }
  }
}

/** A command that waits for the event among others, or a function that is called with the event's status. */
type Waiter = Pending | ((status: number) => void);

/** By event: one waiter, which is the ordinary case of very many, or several. */
type Waiters = Map<number, Waiter | Waiter[]>;

function append(map: Waiters, event: number, waiter: Waiter): void {
  const waiting = map.get(event);
  if (waiting === undefined) map.set(event, waiter);
  else if (Array.isArray(waiting)) waiting.push(waiter);
  else map.set(event, [waiting, waiter]);
}
