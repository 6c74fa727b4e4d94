/**
 * What devices hold of a program, and for how long: until the program and its kernels have been released and no build is under way
 * that will call back. As ContextLife it refers to no handle.
 */
import type { ContextLife } from './context-life.ts';
import { releaseStates, type States } from './program-state.ts';

export class ProgramLife {
  readonly #context: ContextLife;
  readonly #states: States;
  #kernels = 0;
  #pending = 0;
  #isReleased = false;

  constructor(context: ContextLife, states: States) {
    this.#context = context;
    this.#states = states;
  }

  /** `program` is the handle. Its kernels refer to it: when it has been collected, they have. */
  watch(program: object): void {
    this.#context.attach(program, () => releaseStates(this.#states));
  }

  /** Kernels keep the built program. */
  get hasKernels(): boolean {
    return this.#kernels > 0;
  }

  /** A kernel has been made. */
  attach(kernel: object): void {
    this.#kernels += 1;
    const { runtime } = this.#context;
    if (!runtime.releasesAll) runtime.whenCollected(kernel, () => this.#detach());
  }

  /** A kernel has been released. */
  detach(kernel: object): void {
    this.#context.forget(kernel);
    this.#detach();
  }

  /** A build begins that calls back when it has ended: what it makes must be given back, too. */
  begin(): void {
    this.#pending += 1;
  }

  /** It has ended, and {@link settle} follows. */
  end(): void {
    this.#pending -= 1;
  }

  release(program: object): void {
    this.#isReleased = true;
    this.#context.forget(program);
    this.settle();
  }

  /** Gives everything back if nobody needs it. */
  settle(): void {
    if (!this.#isReleased || this.#kernels > 0 || this.#pending > 0) return;
    releaseStates(this.#states);
    this.#context.detach();
  }

  #detach(): void {
    this.#kernels -= 1;
    this.settle();
  }
}
