/**
 * The cost table of a target: what instructions cost, by class, in units of about one simple instruction. `npm run calibrate` measures each
 * class on a machine and prints it next to the table in use (docs/benchmarks.md). The planner only needs the order of candidates to be
 * right, so that a figure of two digits is exact enough.
 */
export interface Costs {
  /** Counting one work-item, and the ids that come with it. */
  readonly workItem: number;

  // One scalar, or one vector register, of each.
  readonly simple: number;
  /** Of a float, or of a scalar integer. */
  readonly divide: number;
  readonly divideByConstant: number;
  /** Of a register of 32-bit integers. */
  readonly vectorDivide: number;
  readonly vectorDivideByConstant: number;
  /** Of a register of 32-bit integers, each by a count of its own. */
  readonly vectorShift: number;
  /** Of a register of integers: `popcount` where the machine has it for whole vectors, or makes it of a few instructions. */
  readonly vectorBitCount: number;
  readonly squareRoot: number;
  readonly load: number;
  readonly call: number;
  /** Atomic operations in memory that other threads see, and in local memory, where threads do not meet. */
  readonly sharedAtomic: number;
  readonly localAtomic: number;

  // What vectors add.
  /** Taking a scalar out of a vector or putting it in. */
  readonly laneMove: number;
  /** What taking one out comes to once the rest has been optimised (vectorize/emit/scalarise.ts). */
  readonly extractedLane: number;
  /** Asking whether any lane takes part, and the branch. */
  readonly maskTest: number;
  /** One lane of an access with a constant stride. */
  readonly stridedLane: number;
  /** One lane of an element that is loaded together with its neighbours: its part of the loads, and of the shuffles. */
  readonly transposedLane: number;
  /** One lane of a gather or scatter. */
  readonly gatheredLane: number;
  /**
   * What a lane of a gather from global memory takes more when each may read in a line of the cache of its own. One by one, work-items
   * mostly read on in one row of a matrix; a vector reads in as many rows as it has lanes, which compete for the same places of the cache.
   */
  readonly missingLane: number;
  /** What a mask adds to one lane of a store, or of what is done lane by lane. */
  readonly maskedLane: number;
  /** A register of a consecutive store with a mask, where mostly all lanes take part. */
  readonly maskedStore: number;
  /** A shuffle, of which each register of an interleaved access needs about two; there are fewer units for them than for arithmetic. */
  readonly shuffle: number;
  /** Taking the last lanes of a loop out of vectors, what they come to back in, and the mispredicted branches. */
  readonly scalarTail: number;
  /** A value that does not find a register: its store, or its load. */
  readonly spill: number;
}
