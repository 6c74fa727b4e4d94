/**
 * What must be known of a function before its code is written in one go: where each value is defined and used,
 * in which loop its computation is, and which computations wait until their only use.
 *
 * A *deferred* value is emitted as an operand of its user instead of through a local. That is allowed for a pure
 * computation or a load with a single use in the same loop; loads that would be carried past a write are
 * stored in a local just before it (see `function-compiler.ts`).
 *
 * Constants, queries and addresses of variables are *free*: emitted anew at every use, never counted.
 *
 * A kernel in work-group form becomes five nested scopes: launch, group, and the z, y and x loops of its work-item loops.
 * Pure computations directly in its body or in a work-item loop region move out to the outermost scope that has what
 * they need; that is what {@link Level} is for. `plan-function.ts` finds all this.
 */
import type * as ir from '../../../ir/ir.ts';
import type { Value } from '../../../ir/ir.ts';
import type { IterationEnd } from '../engine/iteration-order.ts';
import type { FoldingLimits } from '../memory/address-folding.ts';
import type { Combined } from '../vector/fused-operations.ts';
import type { RowClip } from './row-clip.ts';

/** 0: once a launch; 1: once a work-group; 2, 3, 4: once a step of the z, y, x loop over work-items. */
export type Level = 0 | 1 | 2 | 3 | 4;

/** A loop, or the function as a whole. */
export interface Scope {
  readonly depth: number;
}

/** What is known of a value, and, during emission, where it is. */
export interface ValueInfo {
  readonly definition: ir.Instruction | undefined;
  /** The loop in which it is computed. */
  readonly scope: Scope;
  readonly level: Level;
  /** The lane width if it is a mask. */
  readonly maskBits: number;
  readonly parts: number;
  readonly isFree: boolean;
  uses: number;
  /** The loop of the only use, when there is one. */
  useScope: Scope | undefined;
  /** Uses not yet emitted. */
  remaining: number;
  /** The locals that hold its parts, once computed. */
  locals: readonly number[] | undefined;
  /** Deferred and not yet emitted. */
  pending: boolean;
  /** How deep the tree of pending operands is. */
  height: number;
}

/** The parts of a work-item loop region by the loop they belong to. */
export interface WorkItemLoopPlan {
  readonly before: ir.Instruction[];
  readonly z: ir.Instruction[];
  readonly y: ir.Instruction[];
  readonly x: ir.Instruction[];
  /** What the vector region does, if there is one; its loop is next to that of `x`. */
  readonly vector: ir.Instruction[];
  readonly vectorScope: Scope;
  /** What several rows do together, where the region has a form for that: once for those rows, and at each step along x. */
  readonly coarseY: ir.Instruction[];
  readonly coarse: ir.Instruction[];
  readonly coarseScopes: readonly [Scope, Scope];
  readonly scopes: readonly [Scope, Scope, Scope];
  /** The loop over groups around it, where they are fused (work-group-fusion.ts). */
  readonly groupsScope: Scope | undefined;
  /** Per-item queries in the region, as {@link queryKey} names them. */
  readonly queries: Set<string>;
  /** Strides of the context arrays that it touches. */
  readonly strides: Set<number>;
  /** Which work-items of a row cannot do anything. */
  clip: RowClip | undefined;
}

export interface FunctionPlan {
  readonly values: ReadonlyMap<Value, ValueInfo>;
  /** How far constants of addresses become offsets of memory instructions. */
  readonly folding: FoldingLimits;
  readonly itemLoops: ReadonlyMap<ir.WorkItemLoop, WorkItemLoopPlan>;
  readonly loops: ReadonlyMap<ir.Loop, Scope>;
  readonly root: Scope;
  /** Kernels: the instructions of the body by level. */
  readonly launchBody: readonly ir.Instruction[];
  readonly groupBody: readonly ir.Instruction[];
  readonly groupScope: Scope;
  /** Whether a work-item loop has a vector region. */
  readonly hasVectors: boolean;
  /** Structured instructions that write memory, or do something that loads must not be carried past. */
  readonly writers: ReadonlySet<ir.Instruction>;
  /** What is computed together with what computes its operands. */
  readonly combined: ReadonlyMap<ir.Instruction, Combined>;
  /** Computations of vectors that stay where they are; see `instruction-order.ts`. */
  readonly pinned: ReadonlySet<ir.Instruction>;
  /** The ends of iterations in loops of vectors; see `iteration-order.ts`. */
  readonly iterationEnds: ReadonlyMap<ir.Instruction, IterationEnd>;
}
