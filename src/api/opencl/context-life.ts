/**
 * How long the insides of a context live, as OpenCL counts references (1.2, 4.4): until the context and all that was made in it
 * have been released. What nobody can reach any more counts as released, as soon as the engine has collected it; and a context of
 * which nothing can be reached ends with everything in it.
 *
 * The engine tells of objects by functions that are kept until then. These must not refer to any handle of the context, for
 * each handle refers to the context. That is why this is an object of its own.
 */
import type { Context } from '../../runtime/context.ts';

export class ContextLife {
  readonly runtime: Context;
  /** Objects of the context that have not been released. */
  #attached = 0;
  #isReleased = false;
  /** What is done when a released context ends. */
  #atEnd: (() => void) | undefined;

  constructor(runtime: Context) {
    this.runtime = runtime;
  }

  /** `handle` is the context: all of its objects refer to it, so that they cannot be reached either once it has been collected. */
  watch(handle: object): void {
    this.runtime.whenCollected(handle, () => this.runtime.abandon());
  }

  /** The context has been released. `atEnd` is called when all that was made in it has been, too. */
  release(atEnd: () => void): void {
    this.#isReleased = true;
    this.#atEnd = atEnd;
    this.#closeIfUnused();
  }

  /** A released context has references again, which somebody got from what was made in it. */
  revive(): void {
    this.#isReleased = false;
    this.#atEnd = undefined;
  }

  /** Whether something that was made in the context has not been released. */
  get isUsed(): boolean {
    return this.#attached > 0 && !this.runtime.closed;
  }

  /** An object of the context has been made. `giveBack` does what its release does, and must not refer to it. */
  attach(object: object, giveBack: () => void = () => {}): void {
    this.#attached += 1;
    if (this.runtime.releasesAll) return;
    this.runtime.whenCollected(object, () => {
      giveBack();
      this.detach();
    });
  }

  /** It is being released: its collection means nothing from now on. {@link detach} follows. */
  forget(object: object): void {
    this.runtime.forget(object);
  }

  /** It is gone. */
  detach(): void {
    this.#attached -= 1;
    this.#closeIfUnused();
  }

  #closeIfUnused(): void {
    if (!this.#isReleased || this.#attached > 0) return;
    this.#atEnd?.();
    this.#atEnd = undefined;
    this.runtime.close();
  }
}
