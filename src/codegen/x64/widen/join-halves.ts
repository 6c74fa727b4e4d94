/**
 * Makes one instruction of 256 bits of two of 128 that do the same to the two halves of a value. The function compiler of codegen/wasm writes a value
 * of eight lanes as parts of four, and each operation part by part; here the parts are found again, from what they are loaded from, from constants
 * and from each other, and become halves of one register.
 *
 *     vmovups v1, [m]          vmovups v9(256), [m]
 *     vmovups v2, [m + 16]
 *     vaddps  v3, v1, v5       vaddps  v10(256), v9, v11         v11: v5 in both halves
 *     vaddps  v4, v2, v5
 *
 * A *pair* of instructions is joined at the place of the later one, if nothing in between prevents the other from being moved there. A *join* is a pair of registers all
 * of whose writes are joined: it becomes one register, whose lower half is read for free and whose upper half is taken out where it is read
 * alone. Operands that are no join are put together before the instruction. Pairs that would cost as much as they save are taken apart again.
 *
 * Where lanes become wider, the halves of the result come from those of one register, of which one instruction of 256 bits reads both:
 *
 *     vcvtdq2pd v2, v1              vcvtdq2pd v9(256), v1
 *     vpshufd   v3, v1, 0xee
 *     vcvtdq2pd v4, v3
 */
import {
  immediate,
  instruction,
  type MemoryOperand,
  memory,
  type Operand,
  type VectorRegister,
  vector,
} from '../assembler/instruction.ts';
import type { MachineFunction } from '../machine/function.ts';
import {
  firstVirtual,
  type MachineItem,
  type MachineOperation,
  roleOf,
  visitRegisters,
} from '../machine/operation.ts';
import {
  accessOf,
  isJoinable,
  isVirtualVector,
  isWidening,
  mayMeet,
  signatureOf,
  upperHalfOf,
} from './joinable.ts';

interface Pair {
  /** What makes the lower half, and the upper one. */
  readonly first: MachineOperation;
  readonly second: MachineOperation;
  /** In the order in which they are. */
  readonly early: MachineOperation;
  readonly late: MachineOperation;
  readonly weight: number;
  isAlive: boolean;
}

/** What is asked again and again of an operation: found once. */
interface Facts {
  /** Undefined if it cannot be joined. */
  readonly signature: string | undefined;
  readonly isWidening: boolean;
  /** Whether each operand is written. */
  readonly writes: readonly boolean[];
  /** Virtual vector registers that it writes, and all general ones. */
  readonly vectors: readonly number[];
  readonly generals: readonly number[];
}

/** So many instructions are looked at for the second of a pair. */
const farthest = 160;
const loopWeight = 8;
const rounds = 16;
/** More speaks for what one place in memory, or what is joined already, says; at first nothing else counts. */
const sure = 1;

/** Rewrites the function. */
export function joinHalves(fn: MachineFunction): void {
  const halves = new Halves(fn);
  if (!halves.find()) return;
  halves.rewrite();
}

class Halves {
  readonly #fn: MachineFunction;
  /** Labels, and what is between them, calls and jumps. */
  readonly #parts: (Extract<MachineItem, { kind: 'label' }> | { readonly operations: MachineOperation[] })[] =
    [];
  readonly #pairs: Pair[] = [];
  /** Of operations: the pair that they are in. */
  readonly #pairOf = new Map<MachineOperation, Pair>();
  /** Registers whose writes are paired: of the lower half the upper one, and the other way round. */
  readonly #upper = new Map<number, number>();
  readonly #lower = new Map<number, number>();
  /** Pairs of registers that a pair of instructions would like to be joins. */
  readonly #wanted = new Map<number, number>();
  /** All writes and reads of vector registers. */
  readonly #writes = new Map<number, MachineOperation[]>();
  readonly #reads = new Map<number, MachineOperation[]>();

  readonly #facts = new Map<MachineOperation, Facts>();
  /** Of registers with the upper half of another one in their lower half: that one. */
  readonly #upperHalves = new Map<number, number>();

  readonly #out: MachineItem[] = [];
  /** The registers of joins, by their lower halves. */
  readonly #joined = new Map<number, number>();
  /** What takes upper halves that nobody reads any more. */
  readonly #leftOut = new Set<MachineOperation>();
  /** Lower halves of those whose upper halves are read alone. */
  readonly #takenOut = new Set<number>();
  /** Registers that have the value of another one twice; by that one, and by what writes that. */
  readonly #doubled = new Map<number, number>();
  readonly #doubledAt = new Map<MachineOperation, number>();
  /** Of these, those that are in the other one's place. */
  readonly #widened = new Map<number, number>();

  constructor(fn: MachineFunction) {
    this.#fn = fn;
    let block: MachineOperation[] | undefined;
    for (const item of fn.items) {
      if (item.kind === 'label') {
        this.#parts.push(item);
        block = undefined;
        continue;
      }
      if (!block) {
        block = [];
        this.#parts.push({ operations: block });
      }
      block.push(item);
      const vectors: number[] = [];
      const generals = [...item.implicitDefinitions];
      visitRegisters(item.instruction, (kind, number, role) => {
        if (kind === 'general') {
          if (role !== 'use') generals.push(number);
          return;
        }
        if (number < firstVirtual) return;
        if (role !== 'use') {
          vectors.push(number);
          listIn(this.#writes, number).push(item);
        }
        if (role !== 'define') listIn(this.#reads, number).push(item);
      });
      const { instruction } = item;
      this.#facts.set(item, {
        signature: isJoinable(instruction) ? signatureOf(instruction) : undefined,
        isWidening: isWidening(instruction),
        writes: instruction.operands.map((_, index) => roleOf(instruction, index) !== 'use'),
        vectors,
        generals,
      });
      if (endsBlock(item)) block = undefined;
    }
    this.#findUpperHalves();
  }

  /** Finds registers that have the upper half of another one, to be made wider as that one's lower half is. They are no halves of joins. */
  #findUpperHalves(): void {
    const isWidened = (number: number, mnemonic: string | undefined, every: boolean): boolean => {
      const test = ({ instruction }: MachineOperation): boolean =>
        instruction.mnemonic === mnemonic && isWidening(instruction);
      const reads = this.#reads.get(number) ?? [];
      return every ? reads.every(test) : reads.some(test);
    };
    for (const [number, writes] of this.#writes) {
      const [write] = writes;
      const from = upperHalfOf(write!.instruction);
      if (from === undefined || writes.length > 1) continue;
      const mnemonic = this.#reads.get(number)?.[0]?.instruction.mnemonic;
      if (!isWidened(number, mnemonic, true) || !isWidened(from, mnemonic, false)) continue;
      this.#upperHalves.set(number, from);
      this.#facts.set(write!, { ...this.#facts.get(write!)!, signature: undefined });
    }
  }

  get #blocks(): MachineOperation[][] {
    return this.#parts.flatMap((part) => ('label' in part ? [] : [part.operations]));
  }

  /** Finds pairs that are worth it. False if there are none. */
  find(): boolean {
    for (let round = 0; round < rounds; round += 1) {
      const before = this.#pairs.length;
      for (const block of this.#blocks) this.#pairUp(block, round === 0 ? sure : 0);
      if (this.#pairs.length === before) break;
    }
    if (this.#pairs.length === 0) return false;
    for (;;) {
      for (const block of this.#blocks) this.#takeApartWhatCannotMove(block);
      if (!this.#takeApartWhatCosts()) break;
    }
    return this.#pairs.some(({ isAlive }) => isAlive);
  }

  // ---------------------------------------------------------------------------------------------------- pairs

  /** @param least what must speak for a pair, and more */
  #pairUp(block: readonly MachineOperation[], least: number): void {
    /** Operations without a partner, by what they do. */
    const open = new Map<string, { readonly at: number; readonly operation: MachineOperation }[]>();
    const written = new Map<number, number>();
    const vectorsWritten = new Map<number, number>();
    block.forEach((operation, at) => {
      const { signature, generals, vectors } = this.#facts.get(operation)!;
      if (signature !== undefined && !this.#pairOf.has(operation)) {
        const candidates = listIn(open, signature);
        let best = least;
        let chosen = -1;
        let isReversed = false;
        for (let index = candidates.length - 1; index >= 0; index -= 1) {
          const candidate = candidates[index]!;
          if (at - candidate.at > farthest) break;
          for (const order of [false, true]) {
            const [first, second] = order
              ? [operation, candidate.operation]
              : [candidate.operation, operation];
            const score = this.#score(first, second, candidate.at, written, vectorsWritten);
            // The later one must not need what the other gives.
            if (score > best && !touches(operation, this.#facts.get(candidate.operation)!.vectors)) {
              best = score;
              chosen = index;
              isReversed = order;
            }
          }
        }
        if (chosen < 0) candidates.push({ at, operation });
        else this.#pair(candidates.splice(chosen, 1)[0]!.operation, operation, isReversed);
      }
      for (const number of generals) written.set(number, at);
      for (const number of vectors) vectorsWritten.set(number, at);
    });
  }

  /** How much speaks for joining two operations; 0 if they cannot be. */
  #score(
    first: MachineOperation,
    second: MachineOperation,
    at: number,
    written: ReadonlyMap<number, number>,
    vectorsWritten: ReadonlyMap<number, number>,
  ): number {
    let score = 0;
    const a = first.instruction.operands;
    const b = second.instruction.operands;
    const { writes, isWidening } = this.#facts.get(first)!;
    for (let index = 0; index < a.length; index += 1) {
      const x = a[index]!;
      const y = b[index]!;
      if (x.kind === 'memory' && y.kind === 'memory') {
        if (x.constant !== undefined) {
          const { constants } = this.#fn.program;
          if (constants[x.constant]!.bytes.length !== 16 || constants[y.constant!]!.bytes.length !== 16)
            return 0;
          // Of equal ones nobody knows which is the lower half's.
          if (x.constant !== y.constant) score += 0.5;
          continue;
        }
        const isSame = [x.base, x.index].every((part) => !part || (written.get(part.number) ?? -1) < at);
        if (!isSame || (y.offset ?? 0) !== (x.offset ?? 0) + 16) return 0;
        score += 2;
        continue;
      }
      if (!isVirtualVector(x) || !isVirtualVector(y)) continue;
      const isWrite = writes[index]!;
      if (isWidening && !isWrite) {
        // The upper half was taken in this block, from what the register still has.
        const taken = vectorsWritten.get(y.number);
        if (this.#upperHalves.get(y.number) !== x.number || taken === undefined) return 0;
        if ((vectorsWritten.get(x.number) ?? -1) > taken) return 0;
        score += 2;
        continue;
      }
      const upper = this.#upper.get(x.number);
      if (x.number === y.number) {
        if (isWrite) return 0;
        continue;
      }
      if (upper === y.number) {
        score += 2;
        continue;
      }
      if (upper !== undefined || this.#lower.has(x.number)) return 0;
      if (this.#upper.has(y.number) || this.#lower.has(y.number)) return 0;
      if (this.#wanted.get(x.number) === y.number) score += 2;
      else if (!isWrite) score -= 0.25;
    }
    return score;
  }

  #pair(early: MachineOperation, late: MachineOperation, isReversed: boolean): void {
    const [first, second] = isReversed ? [late, early] : [early, late];
    const weight = loopWeight ** Math.min(early.depth, 6);
    const pair: Pair = { first, second, early, late, weight, isAlive: true };
    this.#pairs.push(pair);
    this.#pairOf.set(first, pair);
    this.#pairOf.set(second, pair);
    first.instruction.operands.forEach((x, index) => {
      const y = second.instruction.operands[index]!;
      if (!isVirtualVector(x) || !isVirtualVector(y) || x.number === y.number) return;
      if (roleOf(first.instruction, index) === 'use') {
        if (this.#facts.get(first)!.isWidening) return;
        if (!this.#wanted.has(x.number)) this.#wanted.set(x.number, y.number);
        return;
      }
      this.#upper.set(x.number, y.number);
      this.#lower.set(y.number, x.number);
    });
  }

  // ------------------------------------------------------------------------------------------------- movement

  /** Goes through a block as `rewrite` will, and takes apart the pairs whose first operation would be moved past what it must not. */
  #takeApartWhatCannotMove(block: readonly MachineOperation[]): void {
    this.#walk(block, (operation) => {
      const pair = this.#pairOf.get(operation);
      if (pair) pair.isAlive = false;
    });
  }

  /**
   * Calls for each operation, or pair of them, in the order in which they are to be: `alone` also for the first of a pair that cannot wait for the second.
   */
  #walk(
    block: readonly MachineOperation[],
    alone: (operation: MachineOperation) => void,
    joined: (pair: Pair) => void = () => {},
    plain: (operation: MachineOperation) => void = () => {},
  ): void {
    const waiting: MachineOperation[] = [];
    const release = (one: MachineOperation): void => {
      const at = waiting.indexOf(one);
      if (at < 0) return;
      waiting.splice(at, 1);
      // What it needs must be before it.
      for (const other of waiting.slice(0, at)) if (mustStay(other, one)) release(other);
      alone(one);
    };
    for (const operation of block) {
      if (endsBlock(operation)) for (const one of [...waiting]) release(one);
      const pair = this.#pairOf.get(operation);
      const isAlive = pair?.isAlive ?? false;
      if (isAlive && pair!.early === operation) {
        waiting.push(operation);
        continue;
      }
      const own = isAlive ? pair!.early : undefined;
      for (const one of [...waiting]) {
        if (one === own || !waiting.includes(one)) continue;
        const isBefore = own !== undefined && waiting.indexOf(one) < waiting.indexOf(own);
        if (mustStay(one, operation) || (isBefore && mustStay(one, own!))) release(one);
      }
      if (own && waiting.includes(own) && pair!.isAlive) {
        waiting.splice(waiting.indexOf(own), 1);
        joined(pair!);
      } else plain(operation);
    }
    for (const one of [...waiting]) release(one);
  }

  // ---------------------------------------------------------------------------------------------------- costs

  /** Whether a register and another are halves of one: all their writes are joined. */
  #isJoin(low: number): boolean {
    const high = this.#upper.get(low);
    if (high === undefined) return false;
    return [low, high].every((number) =>
      (this.#writes.get(number) ?? []).every((write) => {
        const pair = this.#pairOf.get(write);
        return (
          pair?.isAlive &&
          this.#facts.get(pair.first)!.vectors.includes(low) &&
          this.#facts.get(pair.second)!.vectors.includes(high)
        );
      }),
    );
  }

  /** Takes apart what does not pay. False if everything does. */
  #takeApartWhatCosts(): boolean {
    let changed = false;
    const joins = new Map<number, boolean>();
    const isJoin = (low: number): boolean => {
      let known = joins.get(low);
      if (known === undefined) {
        known = this.#isJoin(low);
        joins.set(low, known);
      }
      return known;
    };
    // Groups of pairs that hang together by joins are worth it together or not at all.
    const groupOf = new Map<Pair, Pair>();
    const find = (pair: Pair): Pair => {
      let at = pair;
      while (groupOf.has(at)) at = groupOf.get(at)!;
      return at;
    };
    const gains = new Map<Pair, number>();
    const burdens = new Map<Pair, number>();
    const writerOf = new Map<number, Pair>();
    const alive = this.#pairs.filter(({ isAlive }) => isAlive);
    for (const pair of alive) {
      for (const low of this.#facts.get(pair.first)!.vectors) {
        const known = writerOf.get(low);
        if (known && find(known) !== find(pair)) groupOf.set(find(pair), find(known));
        else if (!known) writerOf.set(low, pair);
      }
    }
    for (const pair of alive) {
      let gain = pair.weight;
      pair.first.instruction.operands.forEach((x, index) => {
        const y = pair.second.instruction.operands[index]!;
        if (!isVirtualVector(x) || !isVirtualVector(y)) return;
        if (roleOf(pair.first.instruction, index) === 'use' && this.#facts.get(pair.first)!.isWidening) {
          // What takes the upper half is not needed.
          gain += pair.weight;
        } else if (roleOf(pair.first.instruction, index) !== 'define') {
          const writer = writerOf.get(x.number);
          if (x.number !== y.number && this.#upper.get(x.number) === y.number && isJoin(x.number)) {
            if (writer && find(writer) !== find(pair)) groupOf.set(find(pair), find(writer));
          } else if (x.number !== y.number) gain -= pair.weight;
          else {
            // It would have to be taken out of what it is half of, each time: that is for those to pay.
            const [write] = this.#writes.get(x.number) ?? [];
            const owner = write && this.#pairOf.get(write);
            if (owner?.isAlive) burdens.set(owner, (burdens.get(owner) ?? 0) + pair.weight);
            else gain -= this.#doublingCost(x.number);
          }
        }
        if (roleOf(pair.first.instruction, index) !== 'use') {
          if (!isJoin(x.number)) gain = Number.NEGATIVE_INFINITY;
          else if (this.#isReadAlone(y.number)) gain -= pair.weight;
        }
      });
      if (gain === Number.NEGATIVE_INFINITY) {
        pair.isAlive = false;
        changed = true;
        continue;
      }
      gains.set(pair, gain);
    }
    if (changed) return true;
    const sums = new Map<Pair, number>();
    for (const [pair, gain] of gains) {
      sums.set(find(pair), (sums.get(find(pair)) ?? 0) + gain - (burdens.get(pair) ?? 0));
    }
    for (const pair of alive) {
      if (sums.get(find(pair))! > 0) continue;
      pair.isAlive = false;
      changed = true;
    }
    return changed;
  }

  /** A register in both halves: made where it is written. */
  #doublingCost(number: number): number {
    const writes = this.#writes.get(number) ?? [];
    const [write] = writes;
    if (!write) return 0;
    if (writes.length === 1 && isWidened(write)) return 0;
    // Shared by all that read it so: what each pays is little.
    const weight = loopWeight ** Math.min(write.depth, 6);
    return weight / Math.max(1, (this.#reads.get(number) ?? []).length / 2);
  }

  /** Whether the upper half is read by what is not joined. */
  #isReadAlone(high: number): boolean {
    return (this.#reads.get(high) ?? []).some((read) => {
      const pair = this.#pairOf.get(read);
      if (!pair?.isAlive || pair.second !== read) return true;
      return read.instruction.operands.some((operand, index) => {
        if (!isVirtualVector(operand) || operand.number !== high) return false;
        const x = pair.first.instruction.operands[index] as VectorRegister;
        return x.number !== this.#lower.get(high);
      });
    });
  }

  // -------------------------------------------------------------------------------------------------- writing

  rewrite(): void {
    for (const number of this.#upperHalves.keys()) {
      const reads = this.#reads.get(number) ?? [];
      const isLeftOut = reads.every((read) => {
        const pair = this.#pairOf.get(read);
        return pair?.isAlive && pair.second === read;
      });
      if (isLeftOut) this.#leftOut.add(this.#writes.get(number)![0]!);
    }
    for (const low of this.#upper.keys()) {
      const [write] = this.#writes.get(low) ?? [];
      if (!write || !this.#pairOf.get(write)?.isAlive || !this.#isJoin(low)) continue;
      this.#joined.set(low, this.#fn.newVector(256));
      if (this.#isReadAlone(this.#upper.get(low)!)) this.#takenOut.add(low);
    }
    this.#double();
    for (const part of this.#parts) {
      if ('label' in part) this.#out.push(part);
      else this.#walk(part.operations, this.#plain, this.#join, this.#plain);
    }
    this.#fn.items.length = 0;
    this.#fn.items.push(...this.#out);
  }

  /** Finds the registers that pairs read in both places, and are written once: they are doubled there. */
  #double(): void {
    for (const { first, second, isAlive } of this.#pairs) {
      if (!isAlive) continue;
      first.instruction.operands.forEach((x, index) => {
        const y = second.instruction.operands[index]!;
        if (!isVirtualVector(x) || !isVirtualVector(y) || x.number !== y.number) return;
        const [write, ...others] = this.#writes.get(x.number) ?? [];
        if (!write || others.length > 0 || this.#pairOf.get(write)?.isAlive || this.#doubled.has(x.number))
          return;
        this.#doubled.set(x.number, this.#fn.newVector(256));
        this.#doubledAt.set(write, x.number);
        if (isWidened(write)) this.#widened.set(x.number, this.#doubled.get(x.number)!);
      });
    }
  }

  /** Where the value of a register of 128 bits is. */
  #low(number: number): number {
    return this.#joined.get(number) ?? this.#widened.get(number) ?? number;
  }

  readonly #plain = (operation: MachineOperation): void => {
    if (this.#leftOut.has(operation)) return;
    const number = this.#doubledAt.get(operation);
    if (number === undefined) {
      this.#out.push(this.#renamed(operation));
      return;
    }
    const both = this.#doubled.get(number)!;
    const { mnemonic, operands } = operation.instruction;
    if (isWidened(operation)) {
      const wide = operands.map((operand): Operand => {
        if (operand.kind === 'vector' && operand.number === number) return vector(both, 256);
        if (operand.kind === 'memory' && operand.constant !== undefined && operand.bits === 128)
          return this.#constants(operand.constant, operand.constant);
        return operand.kind === 'vector' ? { ...operand, number: this.#low(operand.number) } : operand;
      });
      this.#emit(operation, mnemonic === 'vmovddup' ? 'vbroadcastsd' : mnemonic, ...wide);
      return;
    }
    this.#out.push(this.#renamed(operation));
    this.#emit(
      operation,
      'vinserti128',
      vector(both, 256),
      vector(number, 256),
      vector(number, 128),
      immediate(1),
    );
  };

  readonly #join = ({ first, second }: Pair): void => {
    const operands = first.instruction.operands.map((x, index): Operand => {
      const y = second.instruction.operands[index]!;
      if (x.kind === 'memory' && y.kind === 'memory') {
        return x.constant === undefined ? { ...x, bits: 256 } : this.#constants(x.constant, y.constant!);
      }
      if (!isVirtualVector(x) || !isVirtualVector(y)) return x;
      if (this.#facts.get(first)!.isWidening && index > 0) return vector(this.#low(x.number), 128);
      const whole = this.#joined.get(x.number);
      if (whole !== undefined && this.#upper.get(x.number) === y.number) return vector(whole, 256);
      const both = x.number === y.number ? this.#doubled.get(x.number) : undefined;
      if (both !== undefined) return vector(both, 256);
      const to = vector(this.#fn.newVector(256), 256);
      const low = vector(this.#low(x.number), 256);
      this.#emit(first, 'vinserti128', to, low, vector(this.#low(y.number), 128), immediate(1));
      return to;
    });
    this.#out.push({ ...first, instruction: { ...first.instruction, operands } });
    for (const number of this.#facts.get(first)!.vectors) {
      if (!this.#takenOut.has(number)) continue;
      const high = vector(this.#upper.get(number)!, 128);
      this.#emit(first, 'vextracti128', high, vector(this.#joined.get(number)!, 256), immediate(1));
    }
  };

  #renamed(operation: MachineOperation): MachineOperation {
    const operands = operation.instruction.operands.map(
      (operand): Operand =>
        operand.kind === 'vector' && operand.number >= firstVirtual
          ? { ...operand, number: this.#low(operand.number) }
          : operand,
    );
    return { ...operation, instruction: { ...operation.instruction, operands } };
  }

  #emit(like: MachineOperation, mnemonic: string, ...operands: Operand[]): void {
    const { line } = like.instruction;
    const made = instruction(mnemonic, ...operands);
    this.#out.push({ ...like, instruction: line === undefined ? made : { ...made, line } });
  }

  #constants(low: number, high: number): MemoryOperand {
    const { program } = this.#fn;
    const bytes = Uint8Array.of(...program.constants[low]!.bytes, ...program.constants[high]!.bytes);
    return memory(256, { constant: program.constant(bytes) });
  }
}

/** A jump or a call, past which nothing is moved. */
function endsBlock({ isCall, instruction: { mnemonic } }: MachineOperation): boolean {
  return isCall || /^(j|ret|ud2|call)/.test(mnemonic);
}

function listIn<K, T>(map: Map<K, T[]>, key: K): T[] {
  let list = map.get(key);
  if (!list) {
    list = [];
    map.set(key, list);
  }
  return list;
}

/** Whether an operation reads or writes one of these registers. */
function touches({ instruction: one }: MachineOperation, registers: readonly number[]): boolean {
  let found = false;
  visitRegisters(one, (kind, number) => {
    if (kind === 'vector' && registers.includes(number)) found = true;
  });
  return found;
}

/** Whether it has the same value in all its lanes, or is a constant, and has a form of 256 bits that reads no more. */
function isWidened({ instruction: { mnemonic, operands } }: MachineOperation): boolean {
  if (/^vbroadcastss$|^vpbroadcast[bwdq]$|^vmovddup$/.test(mnemonic)) return true;
  const [to, from] = operands;
  if (/^vmovup[sd]$/.test(mnemonic) && from?.kind === 'memory')
    return from.constant !== undefined && from.bits === 128;
  return (
    /^(vxorp[sd]|vpxor[dq]?|vpcmpeq[bwdq])$/.test(mnemonic) &&
    operands.every((one) => one.kind === 'vector' && one.number === (to as VectorRegister).number)
  );
}

/** Whether an operation must be before another one. */
function mustStay(before: MachineOperation, after: MachineOperation): boolean {
  let meets = false;
  const roles = new Map<number, boolean>();
  const key = (kind: string, number: number): number => (kind === 'vector' ? number + 0x1000_0000 : number);
  visitRegisters(before.instruction, (kind, number, role) => {
    const at = key(kind, number);
    roles.set(at, (roles.get(at) ?? false) || role !== 'use');
  });
  visitRegisters(after.instruction, (kind, number, role) => {
    const isWritten = roles.get(key(kind, number));
    if (isWritten !== undefined && (isWritten || role !== 'use')) meets = true;
  });
  if (meets || after.implicitDefinitions.some((number) => roles.has(number))) return true;
  const one = accessOf(before.instruction);
  const other = accessOf(after.instruction);
  return (
    one !== undefined &&
    other !== undefined &&
    (one.writes || other.writes) &&
    mayMeet(one.operand, other.operand)
  );
}
