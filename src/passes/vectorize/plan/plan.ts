/**
 * What the planner finds out about one work-item loop: the ways to run it that were looked at, what each is thought to take, and which was
 * taken. `millrace compile --emit plan` prints it (build/describe-plan.ts). What was taken is in the IR: `lanes` and `rows` of the
 * loop, and its regions.
 */
import type * as ir from '../../../ir/ir.ts';
import type { LaneCount } from '../../../ir/types.ts';
import type { Refusal } from './obstacles.ts';

/** One way to run the work-items of a loop. */
export interface Candidate {
  /** Neighbours along dimension 0 that run together; 1 for one by one. */
  readonly lanes: LaneCount | 1;
  /** Neighbours along dimension 1 that run together. */
  readonly rows: number;
  /** Time of one work-item, in simple instructions, loops counted several times. */
  readonly cost: number;
  /** Vector registers that the hottest code wants. */
  readonly registers: number;
  /** Of one by one: how many loops run several of their own iterations together (vectorize/loops). */
  readonly vectorLoops?: number;
  /** Why it was not taken; undefined for the one that was. */
  readonly rejected: string | undefined;
  /** The instruction that takes most of the time. */
  readonly costliest: ir.Instruction | undefined;
}

export interface LoopPlan {
  /** Lanes of the factor that was chosen; undefined for one by one. */
  readonly lanes: LaneCount | undefined;
  /** Why work-items run one by one, if they do. */
  readonly refusal: Refusal | undefined;
  /** The scalar one first, then by lanes. Only if somebody asked; else empty. */
  readonly candidates: readonly Candidate[];
}

/** Number of lanes and rows, for people. */
export function nameOf({ lanes, rows }: Pick<Candidate, 'lanes' | 'rows'>): string {
  const vector = lanes === 1 ? 'scalar' : `vector ${lanes}`;
  return rows === 1 ? vector : `${vector}, coarse ${rows}`;
}
