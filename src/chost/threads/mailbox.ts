/**
 * Where the threads of a program and the one that serves them meet: a piece of shared memory with a bell that the server sleeps at,
 * and a box for each thread. A thread puts a call into its box and sleeps until there is an answer; while it sleeps the server may have
 * it call a function of the program. What a box says is in one word, which whoever is to move next waits for.
 */

/** What is in a box. */
export const state = {
  /** The thread runs, or there is none. */
  idle: 0,
  /** A call: the server's to take. */
  request: 1,
  /** The server has it. */
  taken: 2,
  /** Its result: the thread's to read. */
  reply: 3,
  /** A function of the program, which the thread is to call. */
  callback: 4,
  /** The result of that. */
  returned: 5,
} as const;

/** Calls that are no imports: numbers that no import has. */
export const request = {
  /** The program ends with an exit code. */
  exit: -1,
  /** Nothing but a look around. */
  attend: -2,
  /** More memory: pages. */
  grow: -3,
  /** A thread, with its argument. */
  spawn: -4,
  /** The thread has returned. */
  ended: -5,
  /** It was stopped; why is in the text. */
  stopped: -6,
} as const;

/** Instead of a pointer to a function: what the library has to write out is written out. */
export const flushCallback = -1;

export const mostThreads = 128;
export const mostArguments = 24;

const words = { bell: 0, end: 1, textLength: 2, textTaken: 3 } as const;
const firstBox = 16;
const boxWords = 64;
/** In a box: state, function, number of arguments, which are bigints; from word 8 on arguments and result, of 8 bytes each. */
const inBox = { state: 0, code: 1, count: 2, kinds: 3 } as const;
const valuesAt = 8;
const textBytes = 1 << 16;
const textAt = (firstBox + mostThreads * boxWords) * 4;

export type Value = number | bigint | undefined;

const kind = { number: 0, bigint: 1, none: 2 } as const;

export function newMailboxes(): SharedArrayBuffer {
  return new SharedArrayBuffer(textAt + textBytes);
}

/** All boxes, as the server sees them. */
export class Mailboxes {
  readonly buffer: SharedArrayBuffer;
  readonly words: Int32Array;
  readonly #text: Uint8Array;

  constructor(buffer: SharedArrayBuffer) {
    this.buffer = buffer;
    this.words = new Int32Array(buffer);
    this.#text = new Uint8Array(buffer, textAt, textBytes);
  }

  box(number: number): Box {
    return new Box(this.words, firstBox + number * boxWords);
  }

  /** How often the bell was rung, to sleep at. */
  get rung(): number {
    return Atomics.load(this.words, words.bell);
  }

  ring(): void {
    Atomics.add(this.words, words.bell, 1);
    Atomics.notify(this.words, words.bell);
  }

  /** Sleeps until the bell is rung again, or for some milliseconds. */
  sleep(rung: number, milliseconds: number): void {
    Atomics.wait(this.words, words.bell, rung, milliseconds);
  }

  /** The end of what the program has of its memory, in pages. */
  get end(): number {
    return Atomics.load(this.words, words.end);
  }

  set end(pages: number) {
    Atomics.store(this.words, words.end, pages);
  }

  /** Words of the thread that was stopped first. */
  get text(): string {
    const length = Atomics.load(this.words, words.textLength);
    return new TextDecoder().decode(this.#text.slice(0, length));
  }

  leaveText(text: string): void {
    if (Atomics.exchange(this.words, words.textTaken, 1) !== 0) return;
    const bytes = new TextEncoder().encode(text).subarray(0, textBytes);
    this.#text.set(bytes);
    Atomics.store(this.words, words.textLength, bytes.length);
  }
}

/** The box of one thread. */
export class Box {
  readonly #words: Int32Array;
  readonly #at: number;
  readonly #floats: Float64Array;
  readonly #integers: BigInt64Array;

  constructor(all: Int32Array, at: number) {
    this.#words = all;
    this.#at = at;
    this.#floats = new Float64Array(all.buffer, (at + valuesAt) * 4, mostArguments);
    this.#integers = new BigInt64Array(all.buffer, (at + valuesAt) * 4, mostArguments);
  }

  get state(): number {
    return Atomics.load(this.#words, this.#at + inBox.state);
  }

  /** Sets what is in the box; whoever sleeps at it looks again. */
  set(next: number): void {
    Atomics.store(this.#words, this.#at + inBox.state, next);
    Atomics.notify(this.#words, this.#at + inBox.state);
  }

  /** Sleeps while this is in the box. */
  sleepWhile(present: number): void {
    for (let turn = 0; turn < spins; turn += 1) if (this.state !== present) return;
    Atomics.wait(this.#words, this.#at + inBox.state, present);
  }

  /** Puts a call, or a result as the only argument, into the box. */
  put(code: number, args: readonly Value[]): void {
    let kinds = 0;
    for (const [index, value] of args.entries()) {
      if (typeof value === 'bigint') {
        kinds |= kind.bigint << (2 * (index % 16));
        this.#integers[index] = value;
      } else if (value === undefined) kinds |= kind.none << (2 * (index % 16));
      else this.#floats[index] = Number(value);
      if (index % 16 !== 15 && index !== args.length - 1) continue;
      this.#words[this.#at + inBox.kinds + Math.floor(index / 16)] = kinds;
      kinds = 0;
    }
    this.#words[this.#at + inBox.code] = code;
    this.#words[this.#at + inBox.count] = args.length;
  }

  get code(): number {
    return this.#words[this.#at + inBox.code]!;
  }

  take(): Value[] {
    const count = this.#words[this.#at + inBox.count]!;
    const values: Value[] = [];
    for (let index = 0; index < count; index += 1) {
      const kinds = this.#words[this.#at + inBox.kinds + Math.floor(index / 16)]!;
      const one = (kinds >> (2 * (index % 16))) & 3;
      if (one === kind.none) values.push(undefined);
      else values.push(one === kind.bigint ? this.#integers[index] : this.#floats[index]);
    }
    return values;
  }
}

/** Looks at a box before a thread sleeps there: some microseconds. */
const spins = 200;
