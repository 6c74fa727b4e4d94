/** How many work-items should run together at most, for reasons that only this back end has. */
import type * as ir from '../../ir/ir.ts';
import { walkRegion } from '../../ir/walk.ts';

/** Lanes of 32 bits of a register. */
const ofRegister = 8;

/** A register where there are atomic operations: they are done lane by lane and gain nothing from more. @param region that is to be done by vectors */
export function mostLanes(region: ir.Region): number {
  let hasAtomics = false;
  walkRegion(region, ({ op }) => {
    hasAtomics ||= op === 'atomic';
  });
  return hasAtomics ? ofRegister : Number.POSITIVE_INFINITY;
}
