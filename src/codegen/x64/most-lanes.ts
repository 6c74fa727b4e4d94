/** How many work-items should run together at most, for reasons that only this back end has; and the reasons. */
import type * as ir from '../../ir/ir.ts';
import { walkRegion } from '../../ir/walk.ts';

/** Lanes of 32 bits of a register. */
const ofRegister = 8;

/** A register where there are atomic operations: they are done lane by lane and gain nothing from more. @param region that is to be done by vectors */
export function mostLanes(
  region: ir.Region,
): { readonly lanes: number; readonly reason: string } | undefined {
  let hasAtomics = false;
  walkRegion(region, ({ op }) => {
    hasAtomics ||= op === 'atomic';
  });
  return hasAtomics ? { lanes: ofRegister, reason: 'atomic operations go lane by lane' } : undefined;
}
