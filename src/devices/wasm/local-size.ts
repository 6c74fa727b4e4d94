/** Chooses the work-group size when the host leaves it open (OpenCL 1.2, 5.8: local_work_size NULL). */
import type { Triple } from '../../runtime/command.ts';

/** Enough work-items that the cost of a work-group does not show, few enough that their data stay in the cache. */
const wantedItems = 256;
/** So many work-groups a thread balance well. */
const groupsPerThread = 8;

/** Groups that are cut off should be of whole packs of so many work-items, but for the last. */
const wholePacks = 16;

/**
 * A size that divides `global` in every dimension, or may leave smaller groups at the end, long in dimension 0, of at most `limit` work-items, leaving enough
 * work-groups for `threads` if it can. So many `rows` as run together are in one group, if they divide `global` and
 * leave room for as many in dimension 0.
 * @param packs for a size in dimension 0 of whole packs of so many work-items, if that is no less than half of what it could be
 * @param mayCut whether groups at the end of the range may be smaller (OpenCL 2.0, 5.8)
 */
export function chooseLocalSize(
  global: Triple,
  limit: number,
  threads: number,
  rows = 1,
  mayCut = false,
  packs = 1,
): Triple {
  const total = global[0] * global[1] * global[2];
  const share = Math.max(1, Math.floor(total / (threads * groupsPerThread)));
  const items = Math.max(1, Math.min(wantedItems, limit, share));
  const together = global[1] % rows === 0 && rows * rows <= items ? rows : 1;
  const part = mayCut ? partUpTo : divisorUpTo;
  const longest = part(global[0], Math.floor(items / together));
  const whole = packs > 1 ? divisorUpTo(global[0], longest, packs) : longest;
  const x = 2 * whole >= longest ? whole : longest;
  const y = together * part(global[1] / together, Math.floor(items / (x * together)));
  const z = part(global[2], Math.floor(items / (x * y)));
  return [x, y, z];
}

/** The largest divisor, if it is no less than half of what is possible; else a size that leaves a smaller part at the end. */
function partUpTo(value: number, most: number): number {
  const divisor = divisorUpTo(value, most);
  if (2 * divisor >= Math.min(value, most)) return divisor;
  const even = Math.ceil(value / Math.ceil(value / most));
  const whole = Math.ceil(even / wholePacks) * wholePacks;
  return whole <= most ? whole : even;
}

/** The largest divisor of `value` that is at most `most` and a multiple of `unit`; 1 if there is none. */
function divisorUpTo(value: number, most: number, unit = 1): number {
  const longest = Math.min(value, most);
  for (let candidate = longest - (longest % unit); candidate > 1; candidate -= unit) {
    if (value % candidate === 0) return candidate;
  }
  return 1;
}
