/**
 * How much work building a program may be. A source of a few lines can ask for more than any machine has: macros that double,
 * functions that call one another twice, loops to be unrolled.
 *
 * Work is counted, not timed, so that a program builds everywhere or nowhere. The unit is what a pass does with one instruction; what
 * else there is to do is measured in it.
 */
import type { Span } from './span.ts';

/** What a build may spend if nobody says otherwise: some thirty seconds of it. Programs that people write take a hundredth. */
export const defaultBudget = 50_000_000;

/** What things cost. */
export const unitsPer = {
  /** A token that the parser reads: it is checked and lowered as well. */
  token: 10,
  /** A token that a macro produces, whether it is read in the end or not. */
  macroToken: 12,
  /** An instruction for which code is generated. */
  generatedInstruction: 16,
} as const;

export class BuildBudget {
  readonly limit: number;
  #spent = 0;

  constructor(limit = defaultBudget) {
    this.limit = limit;
  }

  /** Units that were spent so far; at most one expense more than the limit. */
  get spent(): number {
    return this.#spent;
  }

  /** Spends so many units. @returns false if that is more than there was */
  spend(units: number): boolean {
    this.#spent += units;
    return this.#spent <= this.limit;
  }
}

/** What a message says of work that is too much; `what` is the work. */
export function overBudget(what: string, { limit }: BuildBudget): string {
  return `${what} takes more work than a build may be: ${limit} units (-millrace-budget)`;
}

/** Something that was asked of a compiler, and that is more than it can do. */
export interface Excess {
  readonly message: string;
  /** What of the source it is about. */
  readonly span?: Span | undefined;
}
