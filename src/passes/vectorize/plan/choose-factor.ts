/**
 * Whether a region of work-items is packed, and with how many lanes: an estimate of what it costs one work-item at a
 * time and pack by pack, with the numbers of `cost-table.ts`. Both forms are always right.
 */
import type * as ir from '../../../ir/ir.ts';
import { type LaneCount, laneCounts, lanesOf } from '../../../ir/types.ts';
import { walkRegion } from '../../../ir/walk.ts';
import { scalarRegion } from '../../../ir/work-item-loops.ts';
import type { Vectors, VectorTarget } from '../../../target/target.ts';
import { isWaiting } from '../../analysis/cost/latency.ts';
import { registerPressure } from '../../analysis/cost/register-pressure.ts';
import { bitsOf } from '../../analysis/cost/registers.ts';
import { isStreaming } from '../../analysis/cost/streaming.ts';
import { thresholds } from '../../analysis/cost/thresholds.ts';
import type { Uniformity } from '../../analysis/uniformity.ts';
import type { ScalarTails } from '../control/scalar-tail.ts';
import type { TransposedLoops } from '../memory/transposed-loops.ts';
import { CostModel } from './cost-model.ts';
import { findTransposedLoopsIn, type KernelAnalysis } from './kernel-analysis.ts';
import { findObstacle, findOutlined, type Refusal, refuseOutlined } from './obstacles.ts';

/** Packs that need more than so many times the registers get fewer lanes. */
const mostTimesRegisters = 4;

/**
 * @param items of `fn`, whose single region is asked about
 * @param analysis of the kernel as it is now
 * @param forced the number of lanes to take if packing is possible at all
 */
export function chooseFactor(
  fn: ir.Function,
  items: ir.WorkItemLoop,
  analysis: KernelAnalysis,
  addressBits: 32 | 64,
  forced: LaneCount | undefined,
): LaneCount | Refusal {
  const region = scalarRegion(items);
  const { target } = analysis;
  const { vectors } = target;
  const { uniformity, walks } = findTransposedLoopsIn(region, analysis, addressBits);
  const obstacle = findObstacle(items, uniformity, analysis.target);
  if (obstacle) return obstacle;
  if (forced) return forced;
  const outlined = findOutlined(region);
  if (outlined) return refuseOutlined(outlined);
  const wanted = lanesForRegisters(
    lanesForWalks(fittingLanes(region, uniformity), walks, vectors),
    region,
    uniformity,
    vectors,
  );
  const isWider =
    (analysis.hasLongRows && isStreaming(region, analysis.plain, uniformity, vectors)) ||
    (analysis.isAlongRow && isWaiting(region, uniformity, wanted, vectors));
  const wider = isWider && wanted < 16 ? wanted * 2 : wanted;
  const rowLength = fn.attributes?.requiredWorkGroupSize?.[0];
  const lanes = laneCounts.findLast((one) => one <= Math.min(wider, rowLength ?? wider) && one !== 3);
  if (lanes === undefined) return { reason: 'a row has only one work-item', at: undefined };
  const estimate = new CostModel(uniformity, analysis.definitions, walks, lanes, target);
  estimate.region(region, 1, false);
  const single = (estimate.scalar + target.costs.workItem) * lanes;
  const packed = estimate.vector + target.costs.workItem;
  if (packed < single * thresholds.worthVectors) return lanes;
  const ratio = (packed / single).toFixed(2);
  return {
    reason: `${lanes} work-items at once would take ${ratio} of the time of one by one`,
    at: estimate.costliest,
  };
}

/** What a region's packed form is thought to cost. */
export interface VectorCost {
  readonly all: number;
  /** What of it is done with vectors, and loads of scalars: what is left where addresses are computed for nothing. */
  readonly vectors: number;
}

/** @param unlikely regions that cost nothing, for they hardly ever run */
export function vectorCost(
  region: ir.Region,
  analysis: KernelAnalysis,
  addressBits: 32 | 64,
  lanes: LaneCount,
  unlikely?: ReadonlySet<ir.Region>,
): VectorCost {
  const { target } = analysis;
  const { uniformity, walks } = findTransposedLoopsIn(region, analysis, addressBits);
  const estimate = new CostModel(uniformity, analysis.definitions, walks, lanes, target, unlikely);
  estimate.region(region, 1, false);
  return { all: estimate.vector + target.costs.workItem, vectors: estimate.vectors };
}

/**
 * The loops of a packed region that lanes leave one by one and whose turns are dear, and how many lanes are better done one by
 * one (`scalar-tail.ts`).
 * @param forced how many are taken for such, of all loops
 */
export function findScalarTails(
  region: ir.Region,
  { uniformity, walks }: { readonly uniformity: Uniformity; readonly walks: TransposedLoops },
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
  lanes: LaneCount,
  target: VectorTarget,
  forced: number | undefined,
): Map<ir.Loop, ScalarTails> {
  const found = new Map<ir.Loop, ScalarTails>();
  walkRegion(region, (loop) => {
    if (loop.op !== 'loop' || !uniformity.isDivergent(loop)) return;
    if (forced !== undefined) {
      found.set(loop, { few: forced, turns: 1 });
      return;
    }
    const turn = new CostModel(uniformity, definitions, walks, lanes, target);
    turn.region(loop.regions[0]!, 1, true);
    const few = Math.min(
      thresholds.fewLanes,
      Math.floor((turn.vector / turn.scalar) * thresholds.worthVectors),
    );
    const saved = turn.vector - few * turn.scalar;
    if (few === 0 || turn.vector < thresholds.expensiveIteration) return;
    found.set(loop, { few, turns: Math.ceil(target.costs.scalarTail / saved) });
  });
  return found;
}

/** Eight, but four where most vectors would have 64-bit lanes, and sixteen where most have small ones. */
function fittingLanes(region: ir.Region, uniformity: Uniformity): LaneCount {
  let wide = 0;
  let small = 0;
  let all = 0;
  walkRegion(region, ({ results }) => {
    for (const { type } of results.filter((result) => uniformity.of(result).kind === 'varying')) {
      const bits = bitsOf(type);
      const count = lanesOf(type);
      all += count;
      if (bits === 64) wide += count;
      else if (bits <= 16) small += count;
    }
  });
  if (wide * 2 > all) return 4;
  return small * 4 > all * 3 ? 16 : 8;
}

/**
 * Half as many where the rows that a loop walks along, of which several turns are loaded at once, would take more than
 * half of the registers. Fewer rows at a time also find room in the cache when they lie a power of two apart.
 */
function lanesForWalks(
  lanes: LaneCount,
  { loops }: TransposedLoops,
  { bits, registers }: Vectors,
): LaneCount {
  const least = 4;
  const isTooMuch = [...loops.values()].some(({ bytes }) => (lanes * bytes * 8) / bits > registers / 2);
  return isTooMuch && lanes > least ? ((lanes / 2) as LaneCount) : lanes;
}

/**
 * Four where eight would need several times the registers there are, as sums of many vectors do: what is in memory anyway is
 * half as much then.
 */
function lanesForRegisters(
  lanes: LaneCount,
  region: ir.Region,
  uniformity: Uniformity,
  vectors: Vectors,
): LaneCount {
  const least = 4;
  if (lanes <= least) return lanes;
  const pressure = registerPressure(region, uniformity, lanes, vectors);
  return pressure > mostTimesRegisters * vectors.registers ? least : lanes;
}
