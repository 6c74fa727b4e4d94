/**
 * Launches whose groups have rows that vectors of sixteen work-items do not fill. In rows of eight all of them would run one by one; such launches
 * get code for shorter vectors (`KernelAttributes.rowLength`).
 */
import { type LaneCount, laneCounts } from '../../ir/types.ts';
import { turnsOf } from './row-turns.ts';

/** The longest vectors that a kernel may have. */
const longest = laneCounts.at(-1)!;
/** Shorter ones save too little to compile a kernel again. */
const shortest = 4;
/** By how much fewer turns a row has to take. */
const worth = 1.5;

/** How many work-items may run together in a launch, if that is fewer than there may be elsewhere. @param local undefined if the device chooses */
export function shortRowOf(local: readonly number[] | null | undefined): LaneCount | undefined {
  const length = local?.[0];
  if (length === undefined) return undefined;
  const turns = (lanes: number): number => turnsOf(length, lanes);
  let best: LaneCount = longest;
  for (const lanes of laneCounts.toReversed()) {
    if (lanes >= shortest && turns(lanes) * worth <= turns(longest) && turns(lanes) < turns(best))
      best = lanes;
  }
  return best === longest ? undefined : best;
}
