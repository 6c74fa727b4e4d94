/**
 * Moves what only a guard's inside uses into the guard, where nearly all vectors pass it whole:
 *
 *     %v = load %p                        if %isInside {
 *     %w = fmul %v, %k                      %v = load %p
 *     if %isInside {                =>      %w = fmul %v, %k
 *       store %q, %w                        store %q, %w
 *       yield                               yield
 *     } else { yield }                    } else { yield }
 *
 * A write to an image is such a guard, for pixels outside are left alone. The way from loads to stores is then one piece
 * of straight code, of which the code generator needs to hold one register of each vector at a time (part-scheduling.ts).
 * Only what differs along a row moves: the rest is computed once a row where it is.
 *
 * Code sinking in general would move work into every branch it can, and loads would then be waited for behind the branch. So it is done
 * for guards alone that nearly all vectors pass, and licm and gvn never move code inwards.
 */
import { isPure } from '../../../ir/effects.ts';
import type * as ir from '../../../ir/ir.ts';
import { isEmpty } from '../../../ir/regions.ts';
import { walkRegion } from '../../../ir/walk.ts';
import { insert } from '../../../source/lists.ts';
import { type KernelAnalysis, uniformityFor } from '../plan/kernel-analysis.ts';

/** @param region of a work-item loop, that is to be vectorised @returns whether anything has moved */
export function sinkIntoGuard(region: ir.Region, analysis: KernelAnalysis): boolean {
  const { instructions } = region;
  const guard = instructions.at(-2);
  if (guard?.op !== 'if' || guard.results.length > 0) return false;
  const guarded = guard.regions.filter((side) => !isEmpty(side));
  if (guarded.length !== 1) return false;
  const uniformity = uniformityFor(region, analysis);
  if (uniformity.isDivergent(guard)) return false;

  const moved: ir.Instruction[] = [];
  const stays: ir.Instruction[] = [];
  /** What is used by instructions that stay before the guard, or by its condition. */
  const used = new Set(guard.operands);
  let mayMoveLoads = true;
  for (const one of instructions.slice(0, -2).reverse()) {
    const isLoad = one.op === 'load' && !one.volatile;
    const isFree = one.regions.length === 0 && (isPure(one) || (isLoad && mayMoveLoads));
    const [result] = one.results;
    if (isFree && result && !used.has(result) && !uniformity.isUniform(result)) {
      moved.unshift(one);
      continue;
    }
    stays.unshift(one);
    mayMoveLoads &&= isLoad || isPure(one);
    for (const operand of one.operands) used.add(operand);
    for (const nested of one.regions) {
      walkRegion(nested, ({ operands }) => {
        for (const operand of operands) used.add(operand);
      });
    }
  }
  if (moved.length === 0) return false;
  insert(guarded[0]!.instructions, 0, moved);
  region.instructions = [...stays, ...instructions.slice(-2)];
  return true;
}
