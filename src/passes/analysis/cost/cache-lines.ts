/**
 * Lines of the cache: how many an access touches, and what its neighbours along a dimension or a loop share with it. All follows from the
 * strides of the access map.
 *
 *     b[k * n + x], eight floats at once, lines of 64 bytes         the lanes: 1.4 lines, for they may begin anywhere
 *                                                                   along k: nothing shared; as many again in each iteration
 *     a[y * n + k]                                                  the lanes: one place, 1 line
 *                                                                   along k: the same line, 1/16 of a line in each iteration
 */
import type { Access, AccessMap } from '../access-map.ts';
import type { NestLoop } from '../loop-nests.ts';

/** What an access of the next iteration has of this one's. */
export type Reuse =
  /** It is at the same place. */
  | 'same place'
  /** It is mostly in the same line. */
  | 'same line'
  /** It is in another line, perhaps next to it. */
  | 'none'
  /** It may be anywhere. */
  | 'unknown';

/** What neighbours along a loop, which may be one over work-items or groups, share. */
export function reuseAlong(map: AccessMap, access: Access, loop: NestLoop, lineBytes: number): Reuse {
  const stride = map.along(access, loop);
  // By a distance that only the launch knows, rows say, they are hardly ever in one line.
  if (stride === 'unknown') return 'none';
  if (stride === 'varying') return 'unknown';
  if (stride === 0) return 'same place';
  return Math.abs(stride) < lineBytes ? 'same line' : 'none';
}

/**
 * How many lines one access touches that `lanes` neighbours along dimension 0 do together, as a mean over where it may begin.
 */
export function linesTouched(map: AccessMap, access: Access, lanes: number, lineBytes: number): number {
  const bytes = access.bytes ?? lineBytes;
  const stride = map.alongItems(access, 0);
  const ofOne = linesOfSpan(bytes, access.align, lineBytes);
  if (typeof stride !== 'number') return lanes * ofOne;
  const distance = Math.abs(stride);
  if (distance >= lineBytes) return lanes * ofOne;
  return Math.min(lanes * ofOne, linesOfSpan(distance * (lanes - 1) + bytes, access.align, lineBytes));
}

/**
 * How many lines `lanes` neighbours touch in an iteration of a loop that they have not touched in the one before.
 */
export function newLinesAlong(
  map: AccessMap,
  access: Access,
  loop: NestLoop,
  lanes: number,
  lineBytes: number,
): number {
  const touched = linesTouched(map, access, lanes, lineBytes);
  const stride = map.along(access, loop);
  if (stride === 0) return 0;
  if (typeof stride !== 'number' || Math.abs(stride) >= lineBytes) return touched;
  const across = map.alongItems(access, 0);
  // Lanes in one piece move on together, others each in lines of its own.
  const pieces = typeof across === 'number' && Math.abs(across) < lineBytes ? 1 : lanes;
  return Math.min(touched, (pieces * Math.abs(stride)) / lineBytes);
}

/** Of so many bytes in one piece, whose start is a multiple of `align`. */
function linesOfSpan(bytes: number, align: number, lineBytes: number): number {
  const grain = Math.min(align, lineBytes);
  return 1 + Math.max(0, bytes - grain) / lineBytes;
}
