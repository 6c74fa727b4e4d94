/**
 * Tells whether a thread still lives where no event of it is heard of: while the host is blocked. The thread counts its
 * turns in a word, its beat; a host that waits looks at the beat every now and then and rings the thread's bell. One that
 * does not beat for many looks is dead. Looks are counted, not time, so that a machine that slept or a stopped process is
 * no death.
 */
import { now } from './host.ts';

/** Nanoseconds between two looks that count. */
const lookTime = 40e6;

export class Heartbeat {
  /** The last known beat, when the host last looked at it, and how many looks have found it unchanged. */
  #beat = 0;
  #lastLook = 0;
  #vainLooks = 0;

  /** Looks at the beat. `ring` makes a living thread beat. False if it has stood still for more than `patience` looks. */
  isAlive(beat: number, patience: number, ring: () => void): boolean {
    const time = now();
    if (beat !== this.#beat) {
      this.#beat = beat;
      this.#vainLooks = 0;
      this.#lastLook = time;
      return true;
    }
    if (time - this.#lastLook < lookTime) return true;
    this.#lastLook = time;
    this.#vainLooks += 1;
    ring();
    return this.#vainLooks <= patience;
  }
}
