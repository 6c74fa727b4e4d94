/** What the parts of the packer share: the writer, the analysis, and what each value has become. */
import type * as ir from '../../ir/ir.ts';
import type { Shape, Uniformity } from '../uniformity.ts';
import type { Block } from './block-loads.ts';
import type { KnownDistance } from './butterflies.ts';
import type { LastLanes } from './last-lanes.ts';
import type { PackReport } from './pack-report.ts';
import type { PackWriter } from './pack-writer.ts';
import type { Packed } from './packed-value.ts';
import type { RowSums } from './row-sums.ts';

export interface PackContext {
  readonly writer: PackWriter;
  readonly uniformity: Uniformity;
  readonly report: PackReport;
  /** Loads of neighbouring elements by each lane, which are done together; and those of them that have been. */
  readonly blocks: ReadonlyMap<ir.Load, Block>;
  readonly loaded: Set<ir.Load>;
  /** Loops that add up along rows, in any order. */
  readonly rowSums: ReadonlyMap<ir.Loop, RowSums>;
  /** Loops whose last lanes go on one by one. */
  readonly lastLanes: ReadonlyMap<ir.Loop, LastLanes>;
  /** Pairs of accesses, and how far apart they are in what is being written. */
  readonly butterflies: KnownDistance | undefined;
  /** Element sizes of the private arrays that are laid out lane by lane. */
  readonly laneArrays: ReadonlyMap<ir.Variable, number>;
  /** Whether addresses that are not known to be neighbours may well be, so that asking pays. */
  isLikelyConsecutive(pointer: ir.Value): boolean;
  /** Whether a condition only says where ids lie, so that it is mostly `wanted` for all lanes or for none. */
  isRange(condition: ir.Value, wanted: boolean): boolean;
  /** What a value of the work-item's program has become; values from outside `items` are the same for all. */
  packed(value: ir.Value): Packed;
  /** The vectors of a value, one for each of its components. */
  parts(value: ir.Value): readonly ir.Value[];
  define(value: ir.Value, packed: Packed): void;
  /**
   * Whether to take the second way of an `if` without asking, which is as right as the first one: that of rows that have
   * not all passed a guard, where this is not what packs usually come to.
   */
  takesSecond(branch: ir.If): boolean;
  /** Whether the instruction has been packed already, before the region that it stands in. */
  isDone(instruction: ir.Instruction): boolean;
  /** Whether the value only is as `shapeOf` says where all holds that was assumed. */
  isAssumed(value: ir.Value): boolean;
  /** What computes a value; undefined for parameters. */
  definition(value: ir.Value): ir.Instruction | undefined;
  /** How the value differs from lane to lane; `affine` only for integers and pointers with a step. */
  shapeOf(value: ir.Value): Shape;
}
