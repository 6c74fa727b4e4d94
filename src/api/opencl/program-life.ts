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

  /** It has ended, and has called back. */
  end(): void {
    this.#pending -= 1;
    this.#settle();
  }

  /** Whether kernels or a build under way still need the program. */
  get isUsed(): boolean {
    return this.#kernels > 0 || this.#pending > 0;
  }

  /** A released program has references again, which somebody got from a kernel. */
  revive(program: object): void {
    this.#isReleased = false;
    // It counts as one object of the context already.
    this.watch(program);
    this.#context.detach();
  }

  release(program: object): void {
    this.#isReleased = true;
    this.#context.forget(program);
    this.#settle();
  }

  /** Gives everything back if nobody needs it. */
  #settle(): void {
    if (!this.#isReleased || this.isUsed) return;
    releaseStates(this.#states);
    this.#context.detach();
  }

  #detach(): void {
    this.#kernels -= 1;
    this.#settle();
  }
}
