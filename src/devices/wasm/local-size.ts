/** Chooses the work-group size when the host leaves it open (OpenCL 1.2, 5.8: local_work_size NULL). */
import type { Triple } from '../../runtime/command.ts';

/** Enough work-items that the cost of a work-group does not show, few enough that their data stay in the cache. */
const wantedItems = 256;
/** So many work-groups a thread balance well. */
const groupsPerThread = 8;

/**
 * A size that divides `global` in every dimension, long in dimension 0, of at most `limit` work-items, leaving enough
 * work-groups for `threads` if it can. So many `rows` as run together are in one group, if they divide `global` and
 * leave room for as many in dimension 0.
 */
export function chooseLocalSize(global: Triple, limit: number, threads: number, rows = 1): Triple {
  const total = global[0] * global[1] * global[2];
  const share = Math.max(1, Math.floor(total / (threads * groupsPerThread)));
  const items = Math.max(1, Math.min(wantedItems, limit, share));
  const together = global[1] % rows === 0 && rows * rows <= items ? rows : 1;
  const x = divisorUpTo(global[0], Math.floor(items / together));
  const y = together * divisorUpTo(global[1] / together, Math.floor(items / (x * together)));
  const z = divisorUpTo(global[2], Math.floor(items / (x * y)));
  return [x, y, z];
}

/** The largest divisor of `value` that is at most `most`. */
function divisorUpTo(value: number, most: number): number {
  for (let candidate = Math.min(value, most); candidate > 1; candidate -= 1) {
    if (value % candidate === 0) return candidate;
  }
  return 1;
}
