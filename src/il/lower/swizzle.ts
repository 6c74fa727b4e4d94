/** What a source's swizzle picks for each of the four positions. */
import type { Selector, Source } from '../tree.ts';

/** A component's index, or a constant in its place. */
export type Pick = number | 'zero' | 'one';

const picks: Readonly<Record<Selector, Pick>> = { x: 0, y: 1, z: 2, w: 3, '0': 'zero', '1': 'one' };
const all: readonly Pick[] = [0, 1, 2, 3];
const known = new Map<string, readonly Pick[]>();

/** Four picks: without a swizzle x, y, z and w, and where fewer than four are written the last one again. */
export function swizzleOf({ swizzle }: Source): readonly Pick[] {
  if (swizzle === undefined || swizzle.length === 0) return all;
  const key = swizzle.join('');
  let list = known.get(key);
  if (!list) {
    list = all.map((_, position) => picks[swizzle[Math.min(position, swizzle.length - 1)]!]);
    known.set(key, list);
  }
  return list;
}
