/**
 * What the pairs that join-halves.ts has found cost, and what they gain. A pair saves an instruction; it costs to put the halves of its operands together
 * where they are no halves of one register, and to take out those that are read alone. What hangs together by its registers is worth it together or not
 * at all: what does not pay is taken apart again, which tells something new of what is left.
 */
import { DisjointSets } from '../machine/disjoint-sets.ts';
import { isWidened } from './joinable.ts';
import { type Half, type HalvesBlock, keyOfBoth, type Pair, weightAt } from './pair.ts';
import { wholeCost } from './whole-form.ts';
import type { JoinedHalves } from './write-joined.ts';

/** What it counts to put halves together, or to take one out, where the next iteration waits for it: such moves take three cycles. */
const waitedMove = 3;

/** What joining two operations counts for, whatever their operands are. */
export function weightsOf(first: Half, early: Half): Pick<Pair, 'weight' | 'gain' | 'move'> {
  const weight = weightAt(early.operation);
  const gain = weight * (1 - wholeCost(first.operation.instruction));
  const move = weight * (early.isWaitedFor ? waitedMove : 1);
  return { weight, gain, move };
}

/** What must be known of pairs and their registers. */
type WeighedHalves = Pick<
  JoinedHalves,
  'bits' | 'pairs' | 'upper' | 'writes' | 'reads' | 'gathers' | 'isJoin' | 'isReadAlone'
>;

/** Pairs that have registers in common. */
interface Cluster {
  readonly pairs: Pair[];
  /** Whether one of them has been taken apart since it was seen that the others pay. */
  mayCost: boolean;
}

/** Weighs pairs when all of them have been found. */
export class PairWeights {
  readonly #halves: WeighedHalves;
  /** What one pair costs tells nothing of pairs of another cluster. */
  readonly #clusters: Cluster[] = [];
  readonly #clusterOf = new Map<Pair, Cluster>();

  constructor(halves: WeighedHalves) {
    this.#halves = halves;
    const { pairs } = halves;
    const sets = new DisjointSets(pairs.length);
    /** By register: a pair that has it. */
    const last = new Map<number, number>();
    pairs.forEach(({ links }, at) => {
      for (const { x, y } of links) {
        for (const number of [x, y]) {
          const known = last.get(number);
          if (known === undefined) last.set(number, at);
          else sets.join(at, known);
        }
      }
    });
    const clusters: (Cluster | undefined)[] = [];
    pairs.forEach((pair, at) => {
      const set = sets.find(at);
      let cluster = clusters[set];
      if (!cluster) {
        cluster = { pairs: [], mayCost: true };
        clusters[set] = cluster;
        this.#clusters.push(cluster);
      }
      this.#clusterOf.set(pair, cluster);
      cluster.pairs.push(pair);
    });
  }

  takeApart(pair: Pair): void {
    pair.isAlive = false;
    pair.first.block.mayMove = true;
    this.#clusterOf.get(pair)!.mayCost = true;
  }

  /** Takes apart what does not pay. False if everything does. */
  takeApartWhatCosts(): boolean {
    const looked = this.#clusters.filter(({ mayCost }) => mayCost);
    const weighed = looked.map(({ pairs }) => this.#weigh(pairs.filter(({ isAlive }) => isAlive)));
    if (weighed.includes(undefined)) return true;
    let changed = false;
    looked.forEach((cluster, index) => {
      cluster.mayCost = false;
      for (const pair of weighed[index]!) {
        this.takeApart(pair);
        changed = true;
      }
    });
    return changed;
  }

  /**
   * The pairs of a cluster that cost more than they save; undefined if some could not be joined, which have been taken apart.
   * @param alive those that are left
   */
  #weigh(alive: readonly Pair[]): Pair[] | undefined {
    const joins = new Map<number, boolean>();
    const isJoin = (low: number): boolean => {
      let known = joins.get(low);
      if (known === undefined) {
        known = this.#halves.isJoin(low);
        joins.set(low, known);
      }
      return known;
    };
    // Groups of pairs that hang together by joins are worth it together or not at all.
    const groups = new DisjointSets(alive.length);
    const gains = new Float64Array(alive.length);
    const burdens = new Map<Pair, number>();
    /** By register: the place of a pair that writes it. */
    const writerOf = new Map<number, number>();
    alive.forEach(({ first }, at) => {
      for (const low of first.vectors) {
        const known = writerOf.get(low);
        if (known === undefined) writerOf.set(low, at);
        else groups.join(at, known);
      }
    });
    /** The block in which two registers have been put together last. */
    const gathered = new Map<number, HalvesBlock>();
    /** Whether two registers are put together for a pair before this one, too. */
    const isGathered = ({ first: { block } }: Pair, x: number, y: number): boolean => {
      if (this.#halves.writes[x]?.length !== 1 || this.#halves.writes[y]?.length !== 1) return false;
      const key = keyOfBoth(x, y);
      if (gathered.get(key) === block) return true;
      gathered.set(key, block);
      return false;
    };
    let changed = false;
    for (const [at, pair] of alive.entries()) {
      let { gain } = pair;
      for (const { x, y, role } of pair.links) {
        if (role === 'use' && pair.first.isWidening) {
          // What takes the upper half is not needed.
          gain += weightAt(this.#halves.writes[y]![0]!.operation);
        } else if (role !== 'define') {
          const writer = writerOf.get(x);
          if (x !== y && this.#halves.upper[x] === y && isJoin(x)) {
            if (writer !== undefined) groups.join(at, writer);
          } else if (x !== y) {
            if (!isGathered(pair, x, y)) gain -= pair.move;
          } else {
            // It would have to be taken out of what it is half of, each time: that is for those to pay.
            const owner = this.#halves.writes[x]?.[0]?.pair;
            if (owner?.isAlive) burdens.set(owner, (burdens.get(owner) ?? 0) + pair.weight);
            else gain -= this.#doublingCost(x);
          }
        }
        if (role !== 'use') {
          if (!isJoin(x)) gain = Number.NEGATIVE_INFINITY;
          else {
            if (this.#halves.isReadAlone(y)) gain -= pair.move;
            // What puts the two together is not needed.
            const gather = this.#halves.gathers.get(x);
            const isFirst = this.#halves.writes[x]![0]!.pair === pair;
            if (gather?.high === y && isFirst) gain += weightAt(gather.half.operation);
          }
        }
      }
      if (gain === Number.NEGATIVE_INFINITY) {
        this.takeApart(pair);
        changed = true;
        continue;
      }
      gains[at] = gain;
    }
    if (changed) return undefined;
    const sums = new Float64Array(alive.length);
    alive.forEach((pair, at) => {
      sums[groups.find(at)]! += gains[at]! - (burdens.get(pair) ?? 0);
    });
    return alive.filter((_, at) => sums[groups.find(at)]! <= 0);
  }

  /** A register in both halves: made where it is written. */
  #doublingCost(number: number): number {
    const written = this.#halves.writes[number] ?? [];
    const [write] = written;
    if (!write) return 0;
    if (written.length === 1 && isWidened(write.operation.instruction, this.#halves.bits)) return 0;
    // Shared by all that read it so: what each pays is little.
    return weightAt(write.operation) / Math.max(1, (this.#halves.reads[number] ?? []).length / 2);
  }
}
