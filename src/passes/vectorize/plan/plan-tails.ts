/** Where the last lanes of divergent loops go on one by one (control/scalar-tail.ts). */
import type * as ir from '../../../ir/ir.ts';
import type { LaneCount } from '../../../ir/types.ts';
import { walkRegion } from '../../../ir/walk.ts';
import type { VectorTarget } from '../../../target/target.ts';
import { thresholds } from '../../analysis/cost/thresholds.ts';
import type { Uniformity } from '../../analysis/uniformity.ts';
import type { ScalarTails } from '../control/scalar-tail.ts';
import type { TransposedLoops } from '../memory/transposed-loops.ts';
import { CostModel } from './cost-model.ts';

/**
 * The loops of a vector region with divergent exits and expensive iterations, and how many lanes are better done one by one
 * (`scalar-tail.ts`).
 * @param forced how many are taken for such, of all loops
 */
export function findScalarTails(
  region: ir.Region,
  { uniformity, transposed }: { readonly uniformity: Uniformity; readonly transposed: TransposedLoops },
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
  lanes: LaneCount,
  target: VectorTarget,
  forced: number | undefined,
): Map<ir.Loop, ScalarTails> {
  const found = new Map<ir.Loop, ScalarTails>();
  walkRegion(region, (loop) => {
    if (loop.op !== 'loop' || !uniformity.isDivergent(loop)) return;
    if (forced !== undefined) {
      found.set(loop, { few: forced, iterations: 1 });
      return;
    }
    const iteration = new CostModel({ uniformity, definitions, transposed, lanes, target });
    iteration.region(loop.regions[0]!, 1, true);
    const few = Math.min(
      thresholds.fewLanes,
      Math.floor((iteration.vector / iteration.scalar) * thresholds.worthVectors),
    );
    const saved = iteration.vector - few * iteration.scalar;
    if (few === 0 || iteration.vector < thresholds.expensiveIteration) return;
    found.set(loop, { few, iterations: Math.ceil(target.costs.scalarTail / saved) });
  });
  return found;
}
