/**
 * What contexts hold outside of JavaScript's heap: memory that threads share, and threads. Engines do not count it, so a program that
 * drops contexts or buffers without releasing them could fill the machine while its heap stays small and nothing is ever collected.
 * So it is counted here, and each time it has grown by some amount the engine gets a reason to collect: a large array that
 * nobody keeps. Engines count those, and the system gives them no memory before somebody writes there.
 */

/** So many bytes more than there have been without a reason to collect are one. */
const step = 128 << 20;

/** In all contexts of this thread of JavaScript; and how much there was when it last was such a reason. */
let held = 0;
let known = 0;

interface Count {
  bytes: number;
}

// It keeps no more than the numbers: whoever is counted may be collected together with all that refers to it.
const collected = new FinalizationRegistry<Count>((count) => {
  held -= count.bytes;
  noticeCollection();
});

/** Something has been collected that nobody had released: there may be less than there was. */
export function noticeCollection(): void {
  known = Math.min(known, held);
}

export class OutsideHeap {
  readonly #count: Count = { bytes: 0 };

  /** Counts until `owner` has been collected. */
  constructor(owner: object) {
    collected.register(owner, this.#count);
  }

  /** So many bytes it is now. */
  set(bytes: number): void {
    held += bytes - this.#count.bytes;
    this.#count.bytes = bytes;
    if (held <= known + step) return;
    known = held;
    askForCollection();
  }
}

function askForCollection(): void {
  try {
    new ArrayBuffer(step);
  } catch {
    // Where there is no room even for that, the engine has collected by now.
  }
}
