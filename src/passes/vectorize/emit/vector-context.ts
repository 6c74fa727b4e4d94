/** What the parts of the vectoriser share: the writer, the analysis, and what each value has become. */
import type * as ir from '../../../ir/ir.ts';
import type { VectorTarget } from '../../../target/target.ts';
import type { Shape, Uniformity } from '../../analysis/uniformity.ts';
import type { ScalarTails } from '../control/scalar-tail.ts';
import type { KnownDistance } from '../memory/butterflies.ts';
import type { RowReductions } from '../memory/reduction-privatisation.ts';
import type { Block } from '../memory/transposed-loads.ts';
import type { VectorFunctions } from './vector-functions.ts';
import type { VectorReport } from './vector-report.ts';
import type { VectorValue } from './vector-value.ts';
import type { VectorWriter } from './vector-writer.ts';

export interface VectorContext {
  readonly target: VectorTarget;
  readonly writer: VectorWriter;
  /** Functions of the module for all lanes at once. */
  readonly functions: VectorFunctions;
  readonly uniformity: Uniformity;
  readonly report: VectorReport;
  /** Loads of neighbouring elements by each lane, which are done together; and those of them that have been. */
  readonly blocks: ReadonlyMap<ir.Load, Block>;
  readonly loaded: Set<ir.Load>;
  /** Loops that add up along rows, in any order. */
  readonly rowReductions: ReadonlyMap<ir.Loop, RowReductions>;
  /** Loops whose last lanes go on one by one. */
  readonly scalarTails: ReadonlyMap<ir.Loop, ScalarTails>;
  /** Pairs of accesses, and how far apart they are in what is being written. */
  readonly butterflies: KnownDistance | undefined;
  /** Element sizes of the private arrays that are laid out lane by lane. */
  readonly laneArrays: ReadonlyMap<ir.Variable, number>;
  /** Whether addresses that are not known to be neighbours may well be, so that asking pays. */
  isLikelyConsecutive(pointer: ir.Value): boolean;
  /** Whether a condition only says where ids lie, so that it is mostly `wanted` for all lanes or for none. */
  isRange(condition: ir.Value, wanted: boolean): boolean;
  /** What a value of the work-item's program has become; values from outside work-item loops are the same for all. */
  vectorised(value: ir.Value): VectorValue;
  /** The vectors of a value, one for each of its components. */
  parts(value: ir.Value): readonly ir.Value[];
  define(value: ir.Value, vectorised: VectorValue): void;
  /**
   * Whether to take the second way of an `if` without asking, which is as right as the first one: that of rows that have
   * not all passed a guard, where this is not what vectors usually come to.
   */
  takesSecond(branch: ir.If): boolean;
  /** Whether the instruction has been vectorised already, before the region that it is in. */
  isDone(instruction: ir.Instruction): boolean;
  /** Whether the value only is as `shapeOf` says where all holds that was assumed. */
  isAssumed(value: ir.Value): boolean;
  /** What computes a value; undefined for parameters. */
  definition(value: ir.Value): ir.Instruction | undefined;
  /** How the value differs from lane to lane; `affine` only for integers and pointers with a step. */
  shapeOf(value: ir.Value): Shape;
}
