/** Collects what a device's threads tell of the launches that the recorder holds, until it asks for it. */
import type { Context } from '../../runtime/context.ts';
import { eventTime } from '../../runtime/event-table.ts';
import type { ThreadVisit, ThreadWatch } from '../../runtime/thread-watch.ts';
import type { ThreadSpan } from './profile.ts';

/** A launch that has not been recorded, and its visits by thread and number: the latest may be told again. */
interface Expected {
  readonly queued: number;
  readonly visits: Map<string, ThreadVisit>;
}

export class WatchedThreads {
  readonly context: Context;
  readonly #watch: ThreadWatch;
  /** By the slots of their events. */
  readonly #expected = new Map<number, Expected>();
  /** Of launches that began before, something may have been overwritten. */
  #lostBefore = 0;

  constructor(context: Context, watch: ThreadWatch) {
    this.context = context;
    this.#watch = watch;
  }

  /** A launch is about to be enqueued; its slot is held until {@link spansOf} is asked about it. */
  expect(slot: number): void {
    const queued = this.context.events.time(slot, eventTime.queued);
    this.#expected.set(slot, { queued, visits: new Map() });
  }

  /** Reads what there is; gives how many visits were overwritten before. */
  read(): number {
    const { count, before } = this.#watch.read((visit) => {
      const expected = this.#expected.get(visit.event);
      if (expected?.queued === visit.queued) expected.visits.set(`${visit.thread} ${visit.number}`, visit);
    });
    this.#lostBefore = Math.max(this.#lostBefore, before);
    return count;
  }

  /**
   * What threads did for a launch that is complete, by their start; undefined if something may be missing. `time` makes a time of
   * the profile of one on the clock of events, within those of the launch.
   */
  spansOf(slot: number, time: (nanoseconds: number) => number): ThreadSpan[] | undefined {
    const { visits } = this.#expected.get(slot)!;
    this.#expected.delete(slot);
    if (this.context.events.time(slot, eventTime.started) < this.#lostBefore) return undefined;
    const spans = [...visits.values()].map(({ thread, started, ended }): ThreadSpan => {
      // One that ends no chunk was cut short with its launch.
      return { thread, started: time(started), ended: time(ended || Number.POSITIVE_INFINITY) };
    });
    return spans.sort((a, b) => a.started - b.started || a.thread - b.thread);
  }

  /** No launch will be enqueued any more, and of those that were everything is there. */
  end(): void {
    this.#watch.end();
  }

  /** Of launches that have not been recorded nothing more is wanted. */
  abandon(): void {
    this.#lostBefore = Number.POSITIVE_INFINITY;
    this.end();
  }
}
