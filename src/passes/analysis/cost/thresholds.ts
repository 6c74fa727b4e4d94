/**
 * What passes decide by, whatever the machine: how often loops are thought to run, what gain is worth its code, how much code may be written
 * twice. Facts about a machine are in its target (src/target).
 */
import type { Vectors } from '../../../target/target.ts';

export const thresholds = {
  /** How often a loop is thought to run for each time that what is around it runs. */
  loopWeight: 8,

  /**
   * So many times as long as with all lanes does a divergent loop within a divergent loop keep a vector. Measured on the backtracking and
   * sorting kernels of the bench (docs/benchmarks.md).
   */
  idleLanes: 3,
  /** That is of so many lanes; of more as many do something as of these. */
  idleOf: 8,

  /** The part of work-items for which a value that differs between them equals one that does not, other than zero: that of equal bytes. */
  rare: 1 / 256,

  /** Registers that hold a value as a rule: one operation of each begins while the other is under way. */
  registersOfValue: 2,
  /** What an iteration of vectors of two registers takes, with what is left over at the loop's end, in iterations of one element. */
  vectorIteration: 2.5,

  // What gain is worth more code.
  /** Vector code must take less than this part of the time. */
  worthVectors: 0.9,
  /** Coarsened code must take less than this part of the time, a work-item. */
  worthCoarsening: 0.9,
  /** The same for code that streams: memory is then read in more places at a time. */
  worthCoarseningStreams: 0.95,
  /** And what coarsened code does with vectors and loads must take less than this part: addresses computed together save next to nothing. */
  sharedVectors: 0.95,
  /** So many times longer must a loop wait for its own last iteration than it is busy to get twice the lanes. */
  worthWaiting: 1.25,

  // How much code may be written twice (vectorize/emit).
  /** So many instructions with masks and without. */
  mostTwice: 250,
  /** And so many of several rows, half of which are for rows that have not all passed a guard. */
  mostRowsTwice: 450,
  /** And so many once for each distance of pairs (butterflies.ts). */
  mostForDistance: 60,
  /** So many computations of a side run without asking whether any lane takes it. */
  mostUnasked: 6,

  // What the last lanes of a loop do one by one (scalar-tail.ts).
  /** An iteration that costs less is not worth asking how many lanes are left. */
  expensiveIteration: 32,
  /** So many lanes are few. */
  fewLanes: 2,

  /** How many rows of work-items thread coarsening tries to run together, in this order. */
  rows: [4, 2],
} as const;

/**
 * What streaming code may hold in registers (streaming.ts): the code generator writes straight code for one register of each vector after
 * another, and an operand that is used once costs little when it comes from memory.
 */
export function streamingLimits({ registers }: Vectors): {
  /** Values that a region keeps for nested ones. */
  readonly kept: number;
  /** Values that straight code takes from elsewhere: the stencils of three planes take 36. */
  readonly held: number;
  /** Computations for each access. */
  readonly computed: number;
  /** Registers that several rows may fill. */
  readonly coarse: number;
} {
  return { kept: registers / 2, held: registers * 2.5, computed: 2, coarse: registers * 1.5 };
}
