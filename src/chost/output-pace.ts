/**
 * Keeps a program that prints without end, or calls what fails, from filling the memory of who listens, and its event loop: so many
 * messages may be on the way, and with more of them the program waits, as it would at a pipe that is full.
 */

/** Messages that have not been heard yet. */
const mostOnTheWay = 256;

/** The program's end. It may block. */
export class OutputPace {
  readonly #heard: Int32Array;
  #sent = 0;

  /** @param heard of {@link newPace}, which the listener counts up */
  constructor(heard: Int32Array) {
    this.#heard = heard;
  }

  /** A message has been posted: waits until there may be another. */
  sent(): void {
    this.#sent = (this.#sent + 1) | 0;
    for (;;) {
      const heard = Atomics.load(this.#heard, 0);
      // The counts go round.
      if (((this.#sent - heard) | 0) < mostOnTheWay) return;
      Atomics.wait(this.#heard, 0, heard);
    }
  }
}

/** What both ends share. */
export function newPace(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4));
}

/** The listener's end: it has heard a message. */
export function countHeard(heard: Int32Array): void {
  Atomics.add(heard, 0, 1);
  Atomics.notify(heard, 0);
}
