/** A kind of faults: what is under way, what goes wrong in it, and what must be true afterwards. */
import type { Random } from '../../test/support/random.ts';

export interface FaultKind {
  /** For people: what goes wrong. */
  readonly about: string;
  /** Is called once in a process. */
  start?(): void | Promise<void>;
  /**
   * Lets one thing go wrong.
   * @returns what became of it, in a word or two
   * @throws Error what is wrong with us: a wait that does not end, wrong bytes, something left behind
   */
  run(random: Random): Promise<string>;
}
