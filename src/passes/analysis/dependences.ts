/**
 * Analysis: which accesses may meet at one place, one of them writing, and in which iterations of which loops, those over work-items and
 * groups among them.
 *
 *     for (k) a[k + 1] = a[k] + b[k];          the load meets the store of one iteration before: carried by the loop, distance 1
 *     for (k) c[y * n + k] += a[k];            each iteration in a place of its own: the loop carries nothing
 *     for (k) *sum += a[k];                    every iteration at one place
 *
 * A dependence is carried by a loop if the two accesses may meet in different iterations of it, in one iteration of each loop around it,
 * and in any of those within it. The strides of the access map say when: where they are numbers, by the greatest common divisor of them and
 * by the bounds of the loops within (Banerjee's test). What is not known is `unknown`, which is to be taken for any distance.
 *
 * Work-items share no private memory, and groups no local one. Whether a barrier is between two accesses is not looked at, nor are
 * images, nor what called functions do ({@link AccessMap.hasCalls}).
 */
import { type Access, type AccessMap, accessMap } from './access-map.ts';
import { mayAlias } from './alias.ts';
import type { Analysis } from './analyses.ts';
import { enclosing, isWithin, type NestLoop } from './loop-nests.ts';
import { constantOf, type Polynomial } from './polynomials.ts';

export type Carried =
  /** Different iterations touch different places. */
  | { readonly kind: 'none' }
  /** The second access is so many iterations after the first where they meet, or before it if that is negative. */
  | { readonly kind: 'distance'; readonly iterations: number }
  /** All iterations meet at one place. */
  | { readonly kind: 'every' }
  | { readonly kind: 'unknown' };

export interface Dependence {
  readonly first: Access;
  /** In the text it is behind the first, or is the same. */
  readonly second: Access;
}

const none: Carried = { kind: 'none' };
const unknown: Carried = { kind: 'unknown' };

/** With more pairs, nothing is known of any. */
const mostPairs = 4096;

/** What the iterations of some loops add to an address. */
interface Span {
  readonly low: number;
  readonly high: number;
  /** All that they add are multiples of it; 0 for nothing. */
  readonly grain: number;
}

/** The distance of two addresses, but for what the iterations of loops add in which they may differ. */
interface Distance {
  readonly constant: number;
  readonly ofFirst: ReadonlyMap<NestLoop, number>;
  readonly ofSecond: ReadonlyMap<NestLoop, number>;
}

export class Dependences {
  readonly #map: AccessMap;
  #pairs: readonly Dependence[] | undefined;

  constructor(map: AccessMap) {
    this.#map = map;
  }

  /** The accesses that may meet, in the order of the text; undefined if there are too many to look at each. */
  get pairs(): readonly Dependence[] | undefined {
    this.#pairs ??= this.#findPairs();
    return this.#pairs.length > mostPairs ? undefined : this.#pairs;
  }

  /** The dependences that a loop carries; undefined if there are too many accesses, or calls whose accesses are not known. */
  carriedBy(loop: NestLoop): readonly (Dependence & { readonly carried: Carried })[] | undefined {
    if (this.#map.hasCalls) return undefined;
    return this.pairs?.flatMap((pair) => {
      const carried = this.carried(pair.first, pair.second, loop);
      return carried.kind === 'none' ? [] : [{ ...pair, carried }];
    });
  }

  /** Whether the iterations of a loop may run in any order, as far as memory says. */
  isParallel(loop: NestLoop): boolean {
    return this.carriedBy(loop)?.length === 0;
  }

  /** In which iterations of a loop around both two accesses may meet. */
  carried(first: Access, second: Access, loop: NestLoop): Carried {
    if (!isWithin(first.loop, loop) || !isWithin(second.loop, loop) || !this.#mayMeet(first, second, loop))
      return none;
    const distance = this.#distance(first, second, loop.parent);
    if (!distance) return unknown;
    const [step, other] = [distance.ofFirst.get(loop) ?? 0, distance.ofSecond.get(loop) ?? 0];
    const isEven = step === other;
    const inner = spanOf([
      ...this.#movesOf(distance.ofSecond, 1, isEven ? loop : undefined),
      ...this.#movesOf(distance.ofFirst, -1, isEven ? loop : undefined),
    ]);
    const overlap = overlapOf(first, second);
    if (!isEven) return mayReach(distance.constant, inner, overlap) ? unknown : none;
    // step * iterations + what loops within add + constant is to be in the overlap
    const low = overlap.low - distance.constant - inner.high;
    const high = overlap.high - distance.constant - inner.low;
    if (step === 0) {
      if (!mayReach(distance.constant, inner, overlap)) return none;
      return inner.grain === 0 ? { kind: 'every' } : unknown;
    }
    const grain = greatestDivisor(inner.grain, step);
    if (!hasMultiple(grain, overlap.low - distance.constant, overlap.high - distance.constant)) return none;
    const most = this.#tripsOf(loop) - 1;
    const [least, last] = step > 0 ? [low / step, high / step] : [high / step, low / step];
    const from = Math.max(Math.ceil(least), -most);
    const to = Math.min(Math.floor(last), most);
    const hasOnly = from === to && from !== 0;
    if (from > to || (from === 0 && to === 0)) return none;
    return hasOnly && inner.grain === 0 ? { kind: 'distance', iterations: from } : unknown;
  }

  /** Whether two accesses may meet in the same iteration of all loops that are around both. */
  mayMeetWithin(first: Access, second: Access): boolean {
    const common = enclosing(first.loop).find((loop) => isWithin(second.loop, loop));
    if (!mayAlias(first.root, second.root)) return false;
    const distance = this.#distance(first, second, common);
    if (!distance) return true;
    const moves = [...this.#movesOf(distance.ofSecond, 1), ...this.#movesOf(distance.ofFirst, -1)];
    return mayReach(distance.constant, spanOf(moves), overlapOf(first, second));
  }

  #findPairs(): Dependence[] {
    const { accesses } = this.#map;
    const pairs: Dependence[] = [];
    for (const [index, second] of accesses.entries()) {
      for (let at = 0; at <= index; at += 1) {
        const first = accesses[at]!;
        if (pairs.length > mostPairs) return pairs;
        if (first.kind === 'read' && second.kind === 'read') continue;
        if (mayAlias(first.root, second.root)) pairs.push({ first, second });
      }
    }
    return pairs;
  }

  #mayMeet(first: Access, second: Access, loop: NestLoop): boolean {
    if (first.kind === 'read' && second.kind === 'read') return false;
    const { space } = first.root;
    if (space === second.root.space) {
      if (space === 'private' && loop.kind !== 'loop') return false;
      if (space === 'local' && loop.kind === 'group') return false;
    }
    return mayAlias(first.root, second.root);
  }

  /** @param same in one iteration of which, and of all around it, both are; undefined for none */
  #distance(first: Access, second: Access, same: NestLoop | undefined): Distance | undefined {
    if (!first.address || !second.address || first.root.value !== second.root.value) return undefined;
    const [ofFirst, ofSecond] = [this.#parts(first, same), this.#parts(second, same)];
    if (!ofFirst || !ofSecond) return undefined;
    const rest = this.#map.evolution.difference(ofSecond.rest, ofFirst.rest);
    const constant = rest && constantOf(rest);
    return constant === undefined
      ? undefined
      : { constant, ofFirst: ofFirst.moves, ofSecond: ofSecond.moves };
  }

  /** An address as what is the same for both accesses, and what the iterations of loops add. */
  #parts(
    { address, loop }: Access,
    same: NestLoop | undefined,
  ): { rest: Polynomial; moves: Map<NestLoop, number> } | undefined {
    const { evolution } = this.#map;
    const free = enclosing(loop).filter((one) => one.depth > (same?.depth ?? -1));
    const moves = new Map<NestLoop, number>();
    const rest = new Map<string, { factor: number; atoms: readonly number[] }>();
    for (const [name, monomial] of address!) {
      const isMoving = monomial.atoms.filter((atom) =>
        free.some((one) => evolution.changeOfAtom(atom, one) !== 0),
      );
      if (isMoving.length === 0) {
        rest.set(name, monomial);
        continue;
      }
      const atom = evolution.atom(monomial.atoms[0]!);
      if (monomial.atoms.length > 1 || atom.kind !== 'iteration') return undefined;
      moves.set(atom.loop, (moves.get(atom.loop) ?? 0) + monomial.factor);
    }
    return { rest, moves };
  }

  #movesOf(
    moves: ReadonlyMap<NestLoop, number>,
    sign: 1 | -1,
    but?: NestLoop,
  ): { step: number; trips: number }[] {
    return [...moves].flatMap(([loop, step]) =>
      loop === but ? [] : [{ step: sign * step, trips: this.#tripsOf(loop) }],
    );
  }

  #tripsOf(loop: NestLoop): number {
    const count = this.#map.nests.tripCount(loop);
    if (count.kind !== 'constant') return Number.POSITIVE_INFINITY;
    // What is before the exit test runs once more.
    return count.count + (loop.kind === 'loop' ? 1 : 0);
  }
}

/** For `Analyses`, by the width of addresses. */
export const dependences: Readonly<Record<32 | 64, Analysis<Dependences>>> = {
  32: (_fn, known) => new Dependences(known.get(accessMap[32])),
  64: (_fn, known) => new Dependences(known.get(accessMap[64])),
};

/** The distances from the first access to the second at which they have a byte in common. */
function overlapOf(first: Access, second: Access): { low: number; high: number } {
  return {
    low: second.bytes === undefined ? Number.NEGATIVE_INFINITY : 1 - second.bytes,
    high: first.bytes === undefined ? Number.POSITIVE_INFINITY : first.bytes - 1,
  };
}

function spanOf(moves: readonly { readonly step: number; readonly trips: number }[]): Span {
  let [low, high, grain] = [0, 0, 0];
  for (const { step, trips } of moves) {
    const far = trips <= 1 || step === 0 ? 0 : step * (trips - 1);
    if (far > 0) high += far;
    else low += far;
    if (far !== 0) grain = greatestDivisor(grain, step);
  }
  return { low, high, grain };
}

function mayReach(
  constant: number,
  { low, high, grain }: Span,
  overlap: { low: number; high: number },
): boolean {
  const from = Math.max(overlap.low - constant, low);
  const to = Math.min(overlap.high - constant, high);
  return from <= to && hasMultiple(grain, from, to);
}

/** Whether a multiple of a number, or for 0 only 0, lies between two others. */
function hasMultiple(grain: number, low: number, high: number): boolean {
  if (low > high) return false;
  if (grain === 0) return low <= 0 && high >= 0;
  if (!Number.isFinite(low) || !Number.isFinite(high)) return true;
  return Math.floor(high / grain) * grain >= low;
}

function greatestDivisor(a: number, b: number): number {
  let [large, small] = [Math.abs(a), Math.abs(b)];
  while (small !== 0) [large, small] = [small, large % small];
  return large;
}
