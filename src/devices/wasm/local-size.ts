/**
 * Chooses the work-group size when the host leaves it open (OpenCL 1.2, 5.8: local_work_size NULL). docs/runtime.md has the rule
 * for people who write kernels.
 *
 * A size divides the range, unless groups at its end may be smaller (OpenCL 2.0). Of large ranges it is long along dimension 0 and has
 * up to 256 work-items, fewer where each thread would get less than 8 groups, but never for that less than a whole vector of 16. A
 * range of no more than that is one group. Where the range has no such divisor, being a prime, say, the divisor is taken with
 * which threads should be done first, by how many steps they take: a vector of work-items is one, a work-item that is left over is one, and
 * what comes before and after a group is one.
 */
import type { KernelCode } from '../../codegen/wasm/module/abi.ts';
import type { Triple } from '../../runtime/command.ts';
import { turnsOf } from './row-turns.ts';

/** Enough work-items that the cost of a work-group does not show, few enough that their data stay in the cache. */
const wantedItems = 256;
/** So many work-groups a thread balance well. */
const groupsPerThread = 8;

/** Groups should be of whole vectors of so many work-items, the longest that there are (CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE). */
const wholeVectors = 16;
/** A group of so many is not small, if that is what vectors of its kernel are of. */
const leastLanes = 8;

export interface SizeFacts {
  /** The most work-items that a group may have. */
  readonly limit: number;
  readonly threads: number;
  /** So many rows run together; they are in one group, if they divide the range and leave room for as many in dimension 0. Default 1. */
  readonly rows?: number;
  /** Whether groups at the end of the range may be smaller (OpenCL 2.0, 5.8). Default false. */
  readonly mayCut?: boolean;
  /** For a size in dimension 0 of whole vectors of so many work-items, if that is no less than half of what it could be. Default 1. */
  readonly multipleOf?: number;
  /** How many work-items run as one vector; 1 where they run one by one. Default 16. */
  readonly lanes?: number;
  /** Whether groups next to each other run as one, whatever their size. Default false. */
  readonly joins?: boolean;
}

/** What the code of a kernel says. */
export function sizeFactsOf(code: KernelCode, limit: number, threads: number): SizeFacts {
  const { rows, lanes, joinsGroups, attributes } = code;
  return { limit, threads, rows, lanes, joins: joinsGroups, mayCut: attributes.mayCutGroups ?? false };
}

/** A size for a range, long in dimension 0, that leaves enough work-groups for all threads if it can. */
export function chooseLocalSize(global: Triple, facts: SizeFacts): Triple {
  const {
    limit,
    threads,
    rows = 1,
    mayCut = false,
    multipleOf = 1,
    lanes = wholeVectors,
    joins = false,
  } = facts;
  const total = global[0] * global[1] * global[2];
  if (total <= Math.min(wholeVectors, limit)) return [...global];
  const most = Math.min(wantedItems, limit);
  const share = Math.min(most, Math.floor(total / (threads * groupsPerThread)));
  const items = Math.min(most, Math.max(share, wholeVectors));
  const together = global[1] % rows === 0 && rows * rows <= share ? rows : 1;
  const part = mayCut ? partUpTo : divisorUpTo;
  const room = Math.floor(items / together);
  const longest = part(global[0], room);
  const isOfVectors = longest % Math.max(lanes, leastLanes) === 0;
  if (!mayCut && !joins && !isOfVectors && isPoor(longest, Math.min(global[0], room))) {
    const size = quickest(global, { limit, threads, lanes });
    if (size > longest) return [size, 1, 1];
  }
  const whole = multipleOf > 1 ? divisorUpTo(global[0], longest, multipleOf) : longest;
  const x = 2 * whole >= longest ? whole : longest;
  const y = together * part(global[1] / together, Math.floor(items / (x * together)));
  const z = part(global[2], Math.floor(items / (x * y)));
  return [x, y, z];
}

/** Whether a size is far less than what is possible, or no whole vector where one is. */
function isPoor(size: number, possible: number): boolean {
  return 2 * size < possible || size < Math.min(wholeVectors, possible);
}

/** The length of a row in a group with which all threads should be done first; the largest of those that are alike. */
function quickest(
  [length, height, depth]: Triple,
  { limit, threads, lanes }: Required<Pick<SizeFacts, 'limit' | 'threads' | 'lanes'>>,
): number {
  let best = 1;
  let least = Number.POSITIVE_INFINITY;
  for (let size = 1; size <= Math.min(length, limit); size += 1) {
    if (length % size > 0) continue;
    const groups = (length / size) * height * depth;
    const steps = 1 + turnsOf(size, lanes);
    const time = Math.ceil(groups / threads) * steps;
    if (time > least) continue;
    best = size;
    least = time;
  }
  return best;
}

/**
 * The largest divisor, if it is no less than half of what is possible, and a whole vector where one is; else a size that leaves a
 * smaller part at the end.
 */
function partUpTo(value: number, most: number): number {
  const divisor = divisorUpTo(value, most);
  if (!isPoor(divisor, Math.min(value, most))) return divisor;
  const even = Math.ceil(value / Math.ceil(value / most));
  const whole = Math.ceil(even / wholeVectors) * wholeVectors;
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
