/**
 * Makes one instruction of 256 bits of two of 128 that do the same to the two halves of a value, and one of 512 of two of 256. The
 * function compiler of codegen/wasm writes a value of eight lanes as parts of four, and each operation part by part; here the parts are found again,
 * from what they are loaded from, from constants and from each other, and become halves of one register. Where a loop tells nothing of that, two
 * neighbours that do the same are tried.
 *
 *     vmovups v1, [m]          vmovups v9(256), [m]
 *     vmovups v2, [m + 16]
 *     vaddps  v3, v1, v5       vaddps  v10(256), v9, v11         v11: v5 in both halves
 *     vaddps  v4, v2, v5
 *
 * A *pair* of instructions is joined at the place of the later one, if nothing in between prevents the other from being moved there. A *join* is a pair of registers all
 * of whose writes are joined: it becomes one register, whose lower half is read for free and whose upper half is taken out where it is read
 * alone. Operands that are no join are put together before the instruction. Pairs that would cost as much as they save are taken apart again
 * (weigh-pairs.ts).
 *
 * Where lanes become wider, the halves of the result come from those of one register, of which one instruction of 256 bits reads both:
 *
 *     vcvtdq2pd v2, v1              vcvtdq2pd v9(256), v1
 *     vpshufd   v3, v1, 0xee
 *     vcvtdq2pd v4, v3
 *
 * Where they become narrower again, both halves are put together for one instruction, for which nothing has to be done if they are a join:
 *
 *     vinserti128 v5(256), v2, v4   vmovaps    v5(256), v9
 *     vcvttpd2dq  v6, v5            vcvttpd2dq v6, v5
 */
import type { VectorRegister } from '../assembler/instruction.ts';
import type { MachineFunction } from '../machine/function.ts';
import {
  firstVirtual,
  isOfVector,
  type MachineItem,
  numberShift,
  reads,
  roleOf,
  writes,
} from '../machine/operation.ts';
import { gatheredBy, type HalfBits, isWidening, upperHalfOf } from './joinable.ts';
import { endsMovement, Half, type HalvesBlock, type Link, type Pair, touches } from './pair.ts';
import { TestedMasks } from './tested-masks.ts';
import { Walk } from './walk.ts';
import { PairWeights, weightsOf } from './weigh-pairs.ts';
import { type Gather, type JoinedHalves, writeJoined } from './write-joined.ts';

/** So many instructions are looked at for the second of a pair. */
const farthest = 160;
const rounds = 16;
/** More speaks for what one place in memory, or what is joined already, says; at first nothing else counts. */
const sure = 1;
/** Speaks for what cannot be joined. */
const impossible = Number.NEGATIVE_INFINITY;
/** Less than three registers of which nothing is known say against a pair. */
const leastGuess = -0.8;
/** So many pairs are tried in each loop. */
const mostGuesses = 40;

/**
 * Rewrites the function.
 * @param bits of the registers that become halves
 */
export function joinHalves(fn: MachineFunction, bits: HalfBits): void {
  if (!fn.registers.some((one) => one.kind === 'vector' && one.bits >= bits)) return;
  const halves = new Halves(fn, bits);
  if (halves.find()) writeJoined(halves);
}

class Halves implements JoinedHalves {
  readonly fn: MachineFunction;
  /** Labels, and what is between them, calls and jumps. */
  readonly parts: (Extract<MachineItem, { kind: 'label' }> | HalvesBlock)[] = [];
  readonly #blocks: HalvesBlock[] = [];
  readonly pairs: Pair[] = [];
  /** Registers whose writes are paired: of the lower half the upper one, and the other way round; -1 for others. By number, as all that follow. */
  readonly upper: Int32Array;
  readonly #lower: Int32Array;
  /** Pairs of registers that a pair of instructions would like to be joins. */
  readonly #wanted: Int32Array;
  /** All writes and reads of virtual vector registers. */
  readonly writes: (Half[] | undefined)[] = [];
  readonly reads: (Half[] | undefined)[] = [];

  /** Of registers with the upper half of another one in their lower half: that one. */
  readonly upperHalves = new Map<number, number>();

  /** What puts two registers together that could be a join, by the one that becomes the lower half: then there is nothing to be done for it. */
  readonly gathers = new Map<number, Gather>();

  /** The round of looking for pairs. */
  #round = 0;

  readonly walk: Walk;
  readonly bits: HalfBits;

  constructor(fn: MachineFunction, bits: HalfBits) {
    this.fn = fn;
    this.bits = bits;
    const count = firstVirtual + fn.registers.length;
    this.upper = new Int32Array(count).fill(-1);
    this.#lower = new Int32Array(count).fill(-1);
    this.#wanted = new Int32Array(count).fill(-1);
    this.walk = new Walk(count);
    const signatures = new Map<string, number>();
    const masks = bits === 256 ? new TestedMasks(fn) : undefined;
    let block: HalvesBlock | undefined;
    let at = 0;
    for (const [index, item] of fn.items.entries()) {
      if (item.kind === 'label') {
        this.parts.push(item);
        block = undefined;
        continue;
      }
      if (!block) {
        block = { halves: [], first: at, open: 0, touched: 0, mayMove: true };
        this.parts.push(block);
        this.#blocks.push(block);
      }
      const half = new Half(item, at, block, signatures, bits);
      half.isWaitedFor = masks?.isWaitedFor(index) ?? false;
      if (masks?.staysHalf(half, index)) half.signature = -1;
      block.halves.push(half);
      if (half.signature >= 0) block.open += 1;
      at += 1;
      for (const access of item.accesses) {
        const number = access >> numberShift;
        if ((access & isOfVector) === 0 || number < firstVirtual) continue;
        if ((access & writes) !== 0) listIn(this.writes, number).push(half);
        if ((access & reads) !== 0) listIn(this.reads, number).push(half);
      }
      if (endsMovement(item)) block = undefined;
    }
    this.#findUpperHalves();
    this.#findGathers();
  }

  #findGathers(): void {
    for (const { halves } of this.#blocks) {
      for (const half of halves) {
        const operands = gatheredBy(half.operation.instruction, this.bits);
        if (!operands || this.gathers.has(operands.low)) continue;
        this.gathers.set(operands.low, { half, high: operands.high });
        this.#wanted[operands.low] = operands.high;
      }
    }
  }

  /** Finds registers that have the upper half of another one, to be made wider as that one's lower half is. They are no halves of joins. */
  #findUpperHalves(): void {
    const isWidened = (number: number, mnemonic: string | undefined, every: boolean): boolean => {
      const test = ({ operation: { instruction } }: Half): boolean =>
        instruction.mnemonic === mnemonic && isWidening(instruction, this.bits);
      const reads = this.reads[number] ?? [];
      return every ? reads.every(test) : reads.some(test);
    };
    this.writes.forEach((written, number) => {
      const [write] = written!;
      const from = upperHalfOf(write!.operation.instruction, this.bits);
      if (from === undefined || written!.length > 1) return;
      const mnemonic = this.reads[number]?.[0]?.operation.instruction.mnemonic;
      if (!isWidened(number, mnemonic, true) || !isWidened(from, mnemonic, false)) return;
      this.upperHalves.set(number, from);
      if (write!.signature >= 0) write!.block.open -= 1;
      write!.signature = -1;
    });
  }

  /** Finds pairs that are worth it. False if there are none. */
  find(): boolean {
    let guesses = 0;
    const written = new Int32Array(this.upper.length);
    const vectorsWritten = new Int32Array(this.upper.length);
    for (let round = 0; round < rounds + guesses; round += 1) {
      const before = this.pairs.length;
      written.fill(-1);
      vectorsWritten.fill(-1);
      this.#round = round;
      for (const block of this.#blocks) {
        if (block.open > 1 && this.#isNew(block))
          this.#pairUp(block, round === 0 ? sure : 0, written, vectorsWritten);
      }
      if (this.pairs.length > before) continue;
      // Nothing speaks for any more of them. In each loop two neighbours that do the same are tried, from which others follow: what that costs, and
      // saves, is weighed when all have been found.
      if (guesses === mostGuesses) break;
      guesses += 1;
      for (const block of this.#blocks) {
        if (block.open < 2 || block.halves[0]!.operation.depth === 0) continue;
        this.#pairUp(block, leastGuess, written.fill(-1), vectorsWritten.fill(-1), 1);
      }
      if (this.pairs.length === before) break;
    }
    if (this.pairs.length === 0) return false;
    const weights = new PairWeights(this);
    for (;;) {
      let isSettled = true;
      for (const block of this.#blocks) {
        if (block.mayMove && !this.#takeApartWhatCannotMove(block, weights)) isSettled = false;
      }
      if (!weights.takeApartWhatCosts() && isSettled) break;
    }
    return this.pairs.some(({ isAlive }) => isAlive);
  }

  // ---------------------------------------------------------------------------------------------------- pairs

  /**
   * @param least what must speak for a pair, and more
   * @param most at most so many pairs
   * @param written where general registers were last written, by number; places in blocks before count as nowhere
   */
  #pairUp(
    { halves, first }: HalvesBlock,
    least: number,
    written: Int32Array,
    vectorsWritten: Int32Array,
    most = Number.POSITIVE_INFINITY,
  ): void {
    let made = 0;
    /** Halves without a partner, by what they do. */
    const open = new Map<number, Half[]>();
    for (const half of halves) {
      const { signature, at, operation } = half;
      if (signature >= 0 && !half.pair && (most === 1 || this.#isNew(half))) {
        let candidates = open.get(signature);
        if (!candidates) {
          candidates = [];
          open.set(signature, candidates);
        }
        let best = least;
        let chosen = -1;
        let isReversed = false;
        for (let index = candidates.length - 1; index >= 0; index -= 1) {
          const candidate = candidates[index]!;
          if (at - candidate.at > farthest) break;
          // The later one must not need what the other gives.
          const score = this.#score(candidate, half, candidate.at, first, written, vectorsWritten);
          if (score > best && !touches(half, candidate.vectors)) {
            best = score;
            chosen = index;
            isReversed = false;
          }
          const reversed = this.#score(half, candidate, candidate.at, first, written, vectorsWritten);
          if (reversed > best && !touches(half, candidate.vectors)) {
            best = reversed;
            chosen = index;
            isReversed = true;
          }
        }
        if (chosen < 0) candidates.push(half);
        else {
          this.#pair(candidates.splice(chosen, 1)[0]!, half, isReversed);
          made += 1;
          if (made === most) return;
        }
      }
      for (const number of operation.implicitDefinitions) written[number] = at;
      for (const access of operation.accesses) {
        if ((access & writes) === 0) continue;
        ((access & isOfVector) === 0 ? written : vectorsWritten)[access >> numberShift] = at;
      }
    }
  }

  /** Whether more may speak for it than the last time it was looked at: if more is known of registers since. The first two rounds ask for different things. */
  #isNew({ touched }: { readonly touched: number }): boolean {
    return this.#round < 2 || touched >= this.#round - 1;
  }

  /** More is known of a register. */
  #touch(number: number): void {
    for (const lists of [this.reads, this.writes]) {
      for (const half of lists[number] ?? []) {
        half.touched = this.#round;
        half.block.touched = this.#round;
      }
    }
  }

  /** How much speaks for joining two operations. */
  #score(
    lower: Half,
    upper: Half,
    at: number,
    blockStart: number,
    written: Int32Array,
    vectorsWritten: Int32Array,
  ): number {
    let score = 0;
    const bytes = this.bits / 8;
    const a = lower.operation.instruction.operands;
    const b = upper.operation.instruction.operands;
    for (let index = 0; index < a.length; index += 1) {
      const x = a[index]!;
      const y = b[index]!;
      if (x.kind === 'memory' && y.kind === 'memory') {
        if (x.constant !== undefined) {
          const { constants } = this.fn.program;
          const low = constants[x.constant]!.bytes;
          const high = constants[y.constant!]!.bytes;
          if (low.length !== bytes || high.length !== bytes) return impossible;
          // Of equal ones nobody knows which is the lower half's.
          if (x.constant === y.constant) continue;
          // The halves of one value in all lanes are equal.
          if (isSplat(low) && isSplat(high)) return impossible;
          score += 0.5;
          continue;
        }
        if ((y.offset ?? 0) !== (x.offset ?? 0) + bytes) return impossible;
        if (x.base && written[x.base.number]! >= at) return impossible;
        if (x.index && written[x.index.number]! >= at) return impossible;
        score += 2;
        continue;
      }
      const isWrite = lower.writes[index]!;
      if (x.kind !== 'vector' || y.kind !== 'vector') continue;
      if (lower.isWidening && !isWrite) {
        // The upper half was taken from what the register still has: in this block, or of a value that never changes.
        if (this.upperHalves.get(y.number) !== x.number) return impossible;
        const taken = vectorsWritten[y.number]!;
        const isInBlock = taken >= blockStart && vectorsWritten[x.number]! <= taken;
        if (!isInBlock && (this.writes[x.number]?.length !== 1 || this.writes[y.number]?.length !== 1))
          return impossible;
        score += 2;
        continue;
      }
      const other = this.upper[x.number]!;
      if (x.number === y.number) {
        if (isWrite) return impossible;
        continue;
      }
      if (other === y.number) {
        score += 2;
        continue;
      }
      if (other >= 0 || this.#lower[x.number]! >= 0) return impossible;
      if (this.upper[y.number]! >= 0 || this.#lower[y.number]! >= 0) return impossible;
      if (this.#wanted[x.number] === y.number) score += 2;
      else if (!isWrite) score -= 0.25;
    }
    return score;
  }

  #pair(early: Half, late: Half, isReversed: boolean): void {
    const [first, second] = isReversed ? [late, early] : [early, late];
    const links: Link[] = [];
    first.operation.instruction.operands.forEach((x, index) => {
      const y = second.operation.instruction.operands[index]!;
      if (x.kind !== 'vector' || y.kind !== 'vector') return;
      links.push({ x: x.number, y: y.number, role: roleOf(first.operation.instruction, index) });
    });
    const pair: Pair = { first, second, early, late, ...weightsOf(first, early), links, isAlive: true };
    this.pairs.push(pair);
    first.pair = pair;
    second.pair = pair;
    first.block.open -= 2;
    for (const { x, y, role } of links) {
      if (x === y) continue;
      if (role !== 'use') {
        this.upper[x] = y;
        this.#lower[y] = x;
      } else if (!first.isWidening && this.#wanted[x]! < 0) this.#wanted[x] = y;
      else continue;
      this.#touch(x);
      this.#touch(y);
    }
  }

  /**
   * Goes through a block as `writeJoined` will, and takes apart the pairs whose first operation would be moved past what it must not. True if there
   * are none.
   */
  #takeApartWhatCannotMove(block: HalvesBlock, weights: PairWeights): boolean {
    block.mayMove = false;
    this.walk.go(block, {
      alone: ({ pair }) => {
        // What is alone now stays where it was, which may be in the way of others.
        if (pair) weights.takeApart(pair);
      },
      joined: () => {},
      plain: () => {},
    });
    return !block.mayMove;
  }

  /** Whether a register and another are halves of one: all their writes are joined. */
  isJoin(low: number): boolean {
    const high = this.upper[low]!;
    if (high < 0) return false;
    const isJoined = ({ pair }: Half): boolean =>
      pair?.isAlive === true && pair.first.vectors.includes(low) && pair.second.vectors.includes(high);
    return (this.writes[low] ?? []).every(isJoined) && (this.writes[high] ?? []).every(isJoined);
  }

  /** Whether the upper half is read by what is not joined. */
  isReadAlone(high: number): boolean {
    return (this.reads[high] ?? []).some((read) => this.readsAlone(read, high));
  }

  readsAlone(read: Half, high: number): boolean {
    const { pair } = read;
    const gather = this.gathers.get(this.#lower[high]!);
    if (gather?.half === read && gather.high === high) return false;
    if (!pair?.isAlive || pair.second !== read) return true;
    return read.operation.instruction.operands.some((operand, index) => {
      if (operand.kind !== 'vector' || operand.number !== high) return false;
      const x = pair.first.operation.instruction.operands[index] as VectorRegister;
      return x.number !== this.#lower[high];
    });
  }
}

/** Whether all its 64 bits are equal: no lane is wider. */
function isSplat(bytes: Uint8Array): boolean {
  for (let at = 8; at < bytes.length; at += 1) if (bytes[at] !== bytes[at - 8]) return false;
  return true;
}

function listIn(lists: (Half[] | undefined)[], key: number): Half[] {
  lists[key] ??= [];
  return lists[key];
}
