/** Which loops need not count their turns, because they end soon, whatever the kernel is given. */
import type * as ir from '../../../ir/ir.ts';
import { containsLoop } from '../../../ir/regions.ts';
import { walkRegion } from '../../../ir/walk.ts';
import { countTrips } from '../../../passes/analysis/trip-count.ts';
import type { ConstantValue } from '../../../passes/scalar/constant-folding/evaluate.ts';
import { endsInOnlyContinue } from '../../../passes/scalar/unroll.ts';

/** Turns that the host's clock is not looked at in. */
const mostTurns = 64;

/** Loops without loops inside that make a known, small number of turns at most. */
export function shortLoops(body: ir.Region): ReadonlySet<ir.Loop> {
  const constants = new Map<ir.Value, ConstantValue>();
  const innermost: ir.Loop[] = [];
  walkRegion(body, (instruction) => {
    if (instruction.op === 'constant') constants.set(instruction.results[0]!, instruction.value);
    if (
      instruction.op === 'loop' &&
      !instruction.regions.some(containsLoop) &&
      endsInOnlyContinue(instruction)
    ) {
      innermost.push(instruction);
    }
  });
  const limits = { trips: mostTurns, cost: Number.POSITIVE_INFINITY };
  return new Set(innermost.filter((loop) => countTrips(loop, constants, limits, 32)));
}
