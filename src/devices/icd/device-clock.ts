/**
 * Brings a driver's profiling times to the clock of our threads. A command's QUEUED time lies between two readings of
 * our clock around the enqueue call; the narrower that interval, the better it tells how far the clocks are apart.
 */
import { now } from '../../runtime/host.ts';

/** Clocks drift, so a measurement is worth less as it ages: after so long (nanoseconds) half as much. */
const lifetime = 10e9;

export class DeviceClock {
  #offset = 0;
  #width = Number.POSITIVE_INFINITY;
  #measured = 0;

  /** A command was enqueued between two readings of our clock, and the driver says when. All in nanoseconds. */
  learn(before: number, after: number, queued: number): void {
    const width = after - before;
    const age = after - this.#measured;
    if (width > this.#width * (1 + age / lifetime)) return;
    this.#width = width;
    this.#measured = after;
    this.#offset = (before + after) / 2 - queued;
  }

  /** A driver's time on our clock, not before `earliest` and not in the future. */
  convert(time: number, earliest: number): number {
    return Math.max(earliest, Math.min(time + this.#offset, now()));
  }
}
