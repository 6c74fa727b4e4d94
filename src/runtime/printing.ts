/**
 * What kernels print (OpenCL 1.2, 6.12.13). A launch keeps its text until it has ended; the host thread prints it
 * before it tells anybody of the end, launches in the order in which they were enqueued.
 */
import type { EventTable } from './event-table.ts';
import { later, writeOutput } from './host.ts';
import type { Notifications } from './notifications.ts';

/** Takes text, at most some ten thousand characters at a time; lines may come in pieces. */
export type PrintFunction = (text: string) => void;

/** What a launch has printed; looked at once it has ended. */
export interface PrintedText {
  /** A text for each call, in order; a byte a character. */
  texts(): Iterable<string>;
  /** How many calls found no room. */
  refused(): number;
  /** Its memory may be used again. */
  release(): void;
}

interface Launch {
  readonly text: PrintedText;
  readonly print: PrintFunction | undefined;
}

/** Characters gathered for one call of a print function. */
const pieceLength = 1 << 14;

export class Printing {
  /** Where text goes that no launch has a way for: standard output, or a page's console. */
  print: PrintFunction = writeOutput;
  readonly #events: EventTable;
  readonly #notifications: Notifications;
  /** By event slot, in the order of enqueueing; each slot is held. */
  readonly #launches = new Map<number, Launch>();

  constructor(events: EventTable, notifications: Notifications) {
    this.#events = events;
    this.#notifications = notifications;
    notifications.beforeEnds(() => this.flush());
  }

  /** The launch of that event may print. `print` takes its text in the place of {@link print}. */
  expect(slot: number, text: PrintedText, print: PrintFunction | undefined): void {
    this.#events.retain(slot);
    this.#launches.set(slot, { text, print });
    this.#notifications.whenDone(slot, () => this.flush());
  }

  /** Prints what launches that have ended have left. */
  flush(): void {
    if (this.#launches.size === 0) return;
    for (const [slot, { text, print }] of this.#launches) {
      if (!this.#events.isDone(slot)) continue;
      this.#launches.delete(slot);
      this.#events.release(slot);
      write(text, print ?? this.print);
      text.release();
    }
  }
}

function write(text: PrintedText, print: PrintFunction): void {
  const decoder = new TextDecoder();
  let gathered = '';
  const hand = (isEnd: boolean): void => {
    const bytes = Uint8Array.from(gathered, (character) => character.charCodeAt(0));
    gathered = '';
    const decoded = decoder.decode(bytes, { stream: !isEnd });
    if (decoded !== '') handTo(print, decoded);
  };
  for (const one of text.texts()) {
    gathered += one;
    if (gathered.length >= pieceLength) hand(false);
  }
  hand(true);
  const refused = text.refused();
  if (refused > 0) {
    const calls = refused === 1 ? 'a call' : `${refused} calls`;
    handTo(print, `[${calls} of printf found no room: the launch had filled its buffer]\n`);
  }
}

/** A print function's error is its owner's: it must not end what the runtime is about. */
function handTo(print: PrintFunction, text: string): void {
  try {
    print(text);
  } catch (error) {
    later(() => {
      throw error;
    });
  }
}
