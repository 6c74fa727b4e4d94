/** How often each value is an operand: what dead-code removal, folding and rematerialisation ask first. */
import type * as ir from './ir.ts';
import { walkRegion } from './walk.ts';

/** The number of operands that are each value, in the whole body. A value that is never used has no entry. */
export function countUses(fn: ir.Function): Map<ir.Value, number> {
  return fn.body ? countUsesInRegion(fn.body) : new Map();
}

/** The same for a region and all regions nested in it; values defined outside it are counted too. */
export function countUsesInRegion(region: ir.Region): Map<ir.Value, number> {
  const uses = new Map<ir.Value, number>();
  walkRegion(region, (instruction) => {
    for (const operand of instruction.operands) uses.set(operand, (uses.get(operand) ?? 0) + 1);
  });
  return uses;
}
