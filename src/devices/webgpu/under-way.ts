/**
 * What a WebGPU device's thread waits for. WebGPU tells everything by promises, so that the thread must come back to its event loop while
 * any is open; and Dawn ends the process if the thread goes before its promises are settled (leave-at-exit.ts).
 */
import { later } from '../../runtime/host.ts';

/** Milliseconds of a nap. */
const nap = 1;

export class UnderWay {
  #count = 0;
  /** WebGPU's own promises that nobody may be waiting for any more. */
  #owed = 0;
  #wake: (() => void) | undefined;
  #hasNews = false;
  readonly #failed: (error: Error) => void;

  /** `failed` is told what a work throws. */
  constructor(failed: (error: Error) => void) {
    this.#failed = failed;
  }

  /** The thread must not sleep. */
  get isAny(): boolean {
    return this.#count > 0;
  }

  /** The thread may end. */
  get isSettled(): boolean {
    return this.#count === 0 && this.#owed === 0;
  }

  /** Does something by promises, during which the thread does not sleep. */
  begin(work: () => Promise<void>): void {
    this.#count += 1;
    const done = (): void => {
      this.#count -= 1;
      this.news();
    };
    void work().then(done, (error: Error) => {
      this.#failed(error);
      done();
    });
  }

  /** Remembers a promise of WebGPU's until it is settled, also if what waits for it gives up. */
  owed<T>(promise: Promise<T>): Promise<T> {
    this.#owed += 1;
    const settled = (): void => {
      this.#owed -= 1;
      this.news();
    };
    promise.then(settled, settled);
    return promise;
  }

  /** The thread looks around once more before it naps. */
  looks(): void {
    this.#hasNews = false;
  }

  news(): void {
    this.#hasNews = true;
    this.#wake?.();
  }

  /** Until something has happened, or for a moment: the bell cannot wake who is in the event loop. */
  nap(isEager: boolean): Promise<void> {
    if (this.#hasNews) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (isEager) later(resolve);
      else setTimeout(resolve, nap);
    });
  }

  /** Until all promises are settled. */
  async settle(): Promise<void> {
    while (!this.isSettled) {
      this.looks();
      await this.nap(false);
    }
  }
}
