/**
 * A command of a context: a run of a program or a copy. It is made by the call, with what was bound then, and handed to the
 * device when it is dispatched. Commands of a context that use the same resource, and not all only read it, run in the order of
 * the calls, whether they are copies or programs; others may overlap (guide, 1.2.5 and 3.4.3).
 */
import type { Context } from '../../runtime/context.ts';
import { eventTime, type RuntimeEvent } from '../../runtime/event.ts';
import type { CommandQueue } from '../../runtime/queue.ts';
import { OpenCLError } from '../../runtime/status.ts';
import type { Resource } from './resource.ts';

/** A resource, and what a command does to it. */
export interface Use {
  readonly resource: Resource;
  readonly writes: boolean;
}

/**
 * `queue`: what its queue holds, after those that the queue holds already. `host`: what the host does itself, in no queue, also with the
 * program's arrays (copies from a memory to another one).
 */
type DoneBy = 'queue' | 'host';

export class Command {
  /** On whose behalf: commands of different contexts do not wait for each other (guide, B.1). */
  readonly owner: object;
  readonly uses: readonly Use[];
  readonly queue: CommandQueue;
  readonly #doneBy: DoneBy;
  readonly #issue: (waits: readonly RuntimeEvent[]) => RuntimeEvent;
  /** That after which it counts as done; undefined before it is dispatched. */
  #event: RuntimeEvent | undefined;
  /** Its own, for the times, if another one follows. */
  #ownEvent: RuntimeEvent | undefined;
  #isDone = false;
  #failure: string | undefined;
  #times: { readonly started: bigint; readonly ended: bigint } | undefined;

  /** `issue` hands it to the queue, to be done after some events. */
  constructor(
    owner: object,
    queue: CommandQueue,
    uses: readonly Use[],
    issue: (waits: readonly RuntimeEvent[]) => RuntimeEvent,
    doneBy: DoneBy = 'queue',
  ) {
    this.#doneBy = doneBy;
    this.owner = owner;
    this.queue = queue;
    this.uses = uses;
    this.#issue = issue;
  }

  conflictsWith(uses: readonly Use[]): boolean {
    return uses.some((use) =>
      this.uses.some((own) => own.resource === use.resource && (own.writes || use.writes)),
    );
  }

  /** Hands it to the device. What fails then is told by {@link failure}. */
  dispatch(): void {
    try {
      const waits = this.#waits();
      this.#bringIn(waits);
      this.#ownEvent = this.#issue(waits);
      this.#event = this.#ownEvent;
      this.#bringBack();
      for (const { resource } of this.uses) {
        if (!resource.commands.includes(this)) resource.commands.push(this);
      }
      this.queue.flush();
    } catch (error) {
      if (!(error instanceof OpenCLError)) throw error;
      this.#isDone = true;
      this.#failure = error.message;
    }
  }

  /**
   * Brings what the program pinned to the device, but not over what an earlier command of the context has yet to write: this one follows it,
   * and the program's array is still as it was.
   */
  #bringIn(waits: readonly RuntimeEvent[]): void {
    if (this.isByHost) return;
    for (const resource of new Set(this.uses.map((use) => use.resource))) {
      if (!resource.isWrittenBy(this.owner)) resource.bringIn(this.queue, waits);
    }
  }

  /** The last of these copies ends the command, as the queue keeps their order. */
  #bringBack(): void {
    if (this.isByHost) return;
    const written = new Set(this.uses.filter(({ writes }) => writes).map(({ resource }) => resource));
    for (const resource of written) {
      const copy = resource.bringBack(this.queue);
      if (!copy) continue;
      if (this.#event !== this.#ownEvent) this.#event?.release();
      this.#event = copy;
    }
  }

  /** Whether it changes the resource. */
  writes(resource: Resource): boolean {
    return this.uses.some((use) => use.resource === resource && use.writes);
  }

  /** The events of earlier commands that it must not overtake. Its own queue keeps the order of what it holds by itself. */
  #waits(): RuntimeEvent[] {
    const waits = new Set<RuntimeEvent>();
    for (const { resource } of this.uses) {
      if (!resource.isBusy) continue;
      for (const other of resource.commands) {
        if (other.owner !== this.owner || !other.#event || this.#isAfter(other)) continue;
        if (other.conflictsWith(this.uses)) waits.add(other.#event);
      }
    }
    return [...waits];
  }

  get isByHost(): boolean {
    return this.#doneBy === 'host';
  }

  /** Whether their queue puts it behind an earlier command. */
  #isAfter(other: Command): boolean {
    return other.queue === this.queue && !other.isByHost && !this.isByHost;
  }

  /** Whether it has ended, well or not. */
  get isDone(): boolean {
    const event = this.#event;
    if (this.#isDone || !event) return this.#isDone;
    if (!event.isDone) {
      for (const context of this.#contexts()) context.notifications.lend();
      if (!event.isDone) return false;
    }
    this.#end(event);
    return true;
  }

  /** Why it failed. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** When its own work began and ended, in nanoseconds; undefined until it is done, and if it failed. */
  get times(): { readonly started: bigint; readonly ended: bigint } | undefined {
    return this.#times;
  }

  /** Those in which it has something to do: two if it copies from a device with memory of its own. */
  #contexts(): Set<Context> {
    return new Set([this.queue.context, ...this.uses.map(({ resource }) => resource.context)]);
  }

  /** Sleeps until it has ended, if it is dispatched. @throws OpenCLError where this thread may not sleep */
  wait(): void {
    if (this.isDone) return;
    // What goes through the host goes on while this asks.
    while (this.#contexts().size > 1 && !this.isDone);
    this.#event?.wait();
  }

  /** Resolves when it has ended, if it is dispatched. Unlike {@link isDone} it may be asked before the device's threads run. */
  get ended(): Promise<void> {
    const event = this.#event;
    if (this.#isDone || !event) return Promise.resolve();
    return new Promise((resolve) => event.whenDone(resolve));
  }

  #end(event: RuntimeEvent): void {
    const own = this.#ownEvent ?? event;
    this.#isDone = true;
    this.#failure = own.errorMessage ?? event.errorMessage;
    if (this.#failure === undefined) {
      this.#times = { started: own.time(eventTime.started), ended: own.time(eventTime.ended) };
    }
    own.release();
    event.release();
    this.#event = undefined;
    this.#ownEvent = undefined;
  }
}
