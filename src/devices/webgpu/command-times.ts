/**
 * When commands of queues that profile began and ended, on our clock, from the timestamps of their submission. How far the device's clock is
 * apart is known within bounds: the device began after it was given the commands and after what it did before, and had ended when
 * we heard of it.
 */
import { type EventTable, eventTime } from '../../runtime/event-table.ts';

export interface TimedCommand {
  readonly event: number;
  /** Its pair among the timestamps of the submission, if it has one: a long range that ran in pieces has none. */
  readonly timer: number | undefined;
}

/** A submission on our clock, in nanoseconds: when it was handed over, and when we heard of its end. */
export interface Submitted {
  readonly since: number;
  readonly end: number;
}

interface Span {
  readonly began: number;
  readonly ended: number;
}

export class CommandTimes {
  readonly #events: EventTable;
  /** The device's clock when it was first read, whose nanoseconds are too many for a number. */
  #firstTime: bigint | undefined;
  /** What to add to nanoseconds since then for our clock. */
  #clocksApart = Number.POSITIVE_INFINITY;
  #lastEnded = 0;

  constructor(events: EventTable) {
    this.#events = events;
  }

  /**
   * Sets the times of a submission's commands, in their order. One without timestamps took until the next one with some began, or until the
   * submission ended.
   * @param times undefined where the device has no timestamps
   */
  tell(commands: readonly TimedCommand[], submitted: Submitted, times: BigUint64Array | undefined): void {
    const spans = times ? this.#spansOf(commands, submitted, times) : new Map<TimedCommand, Span>();
    for (const [index, one] of commands.entries()) {
      const { event } = one;
      const span = spans.get(one);
      const started = Math.max(span?.began ?? this.#events.time(event, eventTime.started), this.#lastEnded);
      const next = span ? undefined : commands.slice(index + 1).find((other) => spans.has(other));
      const ended = span?.ended ?? (next ? spans.get(next)!.began : submitted.end);
      this.#lastEnded = Math.max(ended, started);
      this.#events.setTime(event, eventTime.started, started);
      this.#events.setTime(event, eventTime.ended, this.#lastEnded);
      // No kernel here leads to others.
      this.#events.setTime(event, eventTime.completed, this.#lastEnded);
    }
  }

  #spansOf(
    commands: readonly TimedCommand[],
    { since, end }: Submitted,
    times: BigUint64Array,
  ): Map<TimedCommand, Span> {
    const timed = commands.filter(({ timer }) => timer !== undefined);
    if (timed.length === 0) return new Map();
    this.#firstTime ??= times[2 * timed[0]!.timer!]!;
    const zero = this.#firstTime;
    const timeOf = ({ timer }: TimedCommand, last: 0 | 1): number => Number(times[2 * timer! + last]! - zero);
    const earliest = Math.max(since, this.#lastEnded) - timeOf(timed[0]!, 0);
    const latest = end - timeOf(timed.at(-1)!, 1);
    // Clocks drift: the last answer that was possible is still the best, if it is.
    const apart = Math.min(Math.max(this.#clocksApart, earliest), latest);
    this.#clocksApart = apart;
    return new Map(
      timed.map((one) => [one, { began: timeOf(one, 0) + apart, ended: timeOf(one, 1) + apart }]),
    );
  }
}
