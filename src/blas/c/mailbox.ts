/**
 * Where a program in C and the thread that computes its routines meet: one call at a time, in shared memory. The program's thread puts a call
 * there and sleeps until the state says that it is done.
 */

/** What the state says. */
export const state = { starting: 0, idle: 1, called: 2, done: 3, refused: 4, broken: 5 } as const;

const words = { state: 0, code: 1, count: 2, parameter: 3, length: 4 } as const;
const valuesAt = 8;
const mostValues = 24;
const textAt = 4 * valuesAt + 8 * mostValues;
const textBytes = 4096;

export const newMailbox = (): SharedArrayBuffer => new SharedArrayBuffer(textAt + textBytes);

export class Mailbox {
  readonly #words: Int32Array;
  readonly #values: Float64Array;
  readonly #text: Uint8Array;

  constructor(buffer: SharedArrayBuffer) {
    this.#words = new Int32Array(buffer);
    this.#values = new Float64Array(buffer, 4 * valuesAt, mostValues);
    this.#text = new Uint8Array(buffer, textAt, textBytes);
  }

  get state(): number {
    return Atomics.load(this.#words, words.state);
  }

  /** Sets the state; whoever sleeps at it looks again. */
  set(next: number): void {
    Atomics.store(this.#words, words.state, next);
    Atomics.notify(this.#words, words.state);
  }

  /** Sleeps while this is the state, at most so many milliseconds. */
  sleepWhile(present: number, milliseconds?: number): void {
    for (let look = 0; look < looks; look += 1) if (this.state !== present) return;
    Atomics.wait(this.#words, words.state, present, milliseconds);
  }

  /** A call, or the result of one as the only value. */
  put(code: number, values: readonly number[]): void {
    this.#words[words.code] = code;
    this.#words[words.count] = values.length;
    this.#values.set(values);
  }

  get code(): number {
    return this.#words[words.code]!;
  }

  get values(): number[] {
    return [...this.#values.subarray(0, this.#words[words.count])];
  }

  /** Which argument is wrong, and why. */
  putText(parameter: number, text: string): void {
    const bytes = new TextEncoder().encode(text).subarray(0, textBytes);
    this.#text.set(bytes);
    this.#words[words.parameter] = parameter;
    this.#words[words.length] = bytes.length;
  }

  get parameter(): number {
    return this.#words[words.parameter]!;
  }

  get text(): string {
    return new TextDecoder().decode(this.#text.slice(0, this.#words[words.length]));
  }
}

/** Looks at the state before a thread sleeps: some microseconds. */
const looks = 2000;
