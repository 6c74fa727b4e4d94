/**
 * Writes a function with the pairs that join-halves.ts has found: an instruction of twice the bits at the place of the later one of each. What reads a half
 * alone reads the lower half for free; the upper one is taken out where it is written, or once in each block that reads it, whichever is less often.
 */
import {
  type Instruction,
  immediate,
  instruction,
  type MemoryOperand,
  memory,
  type Operand,
  vector,
} from '../assembler/instruction.ts';
import type { MachineFunction } from '../machine/function.ts';
import {
  firstVirtual,
  isOfVector,
  type MachineItem,
  type MachineOperation,
  numberShift,
  reads,
  writes,
} from '../machine/operation.ts';
import { gatheredBy, type HalfBits, halfMoves, isWidened } from './joinable.ts';
import { type Half, type HalvesBlock, keyOfBoth, type Pair, weightAt } from './pair.ts';
import type { Walk } from './walk.ts';
import { wholeForm } from './whole-form.ts';

/** Which instructions are to be one. Of registers, all by number. */
export interface JoinedHalves {
  readonly fn: MachineFunction;
  /** Of the registers that become halves. */
  readonly bits: HalfBits;
  /** Labels, and what is between them. */
  readonly parts: readonly (Extract<MachineItem, { kind: 'label' }> | HalvesBlock)[];
  readonly pairs: readonly Pair[];
  /** Of the register of a lower half that of the upper one. */
  readonly upper: Int32Array;
  readonly writes: readonly (readonly Half[] | undefined)[];
  readonly reads: readonly (readonly Half[] | undefined)[];
  /** Of registers with the upper half of another one in their lower half: that one. */
  readonly upperHalves: ReadonlyMap<number, number>;
  /** By the register of the lower half. */
  readonly gathers: ReadonlyMap<number, Gather>;
  readonly walk: Walk;
  /** Whether a register and its upper half become one. */
  isJoin(low: number): boolean;
  /** Whether the upper half is read by what is not joined; by anything, or by this. */
  isReadAlone(high: number): boolean;
  readsAlone(read: Half, high: number): boolean;
}

/** An instruction that does nothing but put two registers together, and the one that becomes the upper half. */
export interface Gather {
  readonly half: Half;
  readonly high: number;
}

export function writeJoined(halves: JoinedHalves): void {
  new JoinedCode(halves).write();
}

class JoinedCode {
  readonly #halves: JoinedHalves;
  readonly #out: MachineItem[] = [];
  /** The registers of joins, by their lower halves. */
  readonly #joined = new Map<number, number>();
  /** What takes upper halves that nobody reads any more. */
  readonly #leftOut = new Set<Half>();
  /** Lower halves of those whose upper halves are read alone. */
  readonly #takenOut = new Set<number>();
  /** Upper halves that are taken out where they are read instead, with their lower ones; and those that are there in this block. */
  readonly #lateHalves = new Map<number, number>();
  readonly #there = new Set<number>();
  /** Registers that have the value of another one twice; by that one, and by what writes that. */
  readonly #doubled = new Map<number, number>();
  readonly #doubledAt = new Map<Half, number>();
  /** Of these, those that are in the other one's place. */
  readonly #widened = new Map<number, number>();
  /** Two registers that are no join, put together within the block: by {@link keyOfBoth}. */
  readonly #gathered = new Map<number, Gathered>();
  /** How often each register has been written in what is written out. */
  readonly #versions: Int32Array;

  readonly #whole: 256 | 512;
  readonly #names: { readonly insert: string; readonly extract: string };

  constructor(halves: JoinedHalves) {
    this.#halves = halves;
    this.#whole = halves.bits === 128 ? 256 : 512;
    this.#names = halfMoves[halves.bits];
    this.#versions = new Int32Array(halves.upper.length);
  }

  write(): void {
    for (const number of this.#halves.upperHalves.keys()) {
      const isLeftOut = (this.#halves.reads[number] ?? []).every(
        (read) => read.pair?.isAlive && read.pair.second === read,
      );
      if (isLeftOut) this.#leftOut.add(this.#halves.writes[number]![0]!);
    }
    this.#halves.writes.forEach((written, low) => {
      const high = this.#halves.upper[low]!;
      if (high < 0 || !written![0]!.pair?.isAlive || !this.#halves.isJoin(low)) return;
      this.#joined.set(low, this.#halves.fn.newVector(this.#whole));
      if (!this.#halves.isReadAlone(high)) return;
      if (this.#isReadLessOften(low, high)) this.#lateHalves.set(high, low);
      else this.#takenOut.add(low);
    });
    this.#double();
    const written = { alone: this.#plain, joined: this.#join, plain: this.#plain };
    for (const part of this.#halves.parts) {
      if ('label' in part) this.#out.push(part);
      else {
        this.#gathered.clear();
        this.#there.clear();
        this.#halves.walk.go(part, written);
      }
    }
    this.#halves.fn.items = this.#out;
  }

  /** Whether to take an upper half out once in each block that reads it alone costs no more than to do so wherever it is written. */
  #isReadLessOften(low: number, high: number): boolean {
    let written = 0;
    for (const { pair } of this.#halves.writes[low]!) written += pair!.weight;
    const blocks = new Map<HalvesBlock, number>();
    for (const read of this.#halves.reads[high]!) {
      if (this.#halves.readsAlone(read, high)) blocks.set(read.block, weightAt(read.operation));
    }
    let read = 0;
    for (const weight of blocks.values()) read += weight;
    return read <= written;
  }

  /** Finds the registers that pairs read in both places, and are written once: they are doubled there. */
  #double(): void {
    for (const { first, second, isAlive } of this.#halves.pairs) {
      if (!isAlive) continue;
      first.operation.instruction.operands.forEach((x, index) => {
        const y = second.operation.instruction.operands[index]!;
        if (x.kind !== 'vector' || y.kind !== 'vector' || x.number !== y.number) return;
        const [write, ...others] = this.#halves.writes[x.number] ?? [];
        if (!write || others.length > 0 || write.pair?.isAlive || this.#doubled.has(x.number)) return;
        this.#doubled.set(x.number, this.#halves.fn.newVector(this.#whole));
        this.#doubledAt.set(write, x.number);
        if (isWidened(write.operation.instruction, this.#halves.bits))
          this.#widened.set(x.number, this.#doubled.get(x.number)!);
      });
    }
  }

  /** Where the value of a register that may be half of one is. */
  #low(number: number): number {
    return this.#joined.get(number) ?? this.#widened.get(number) ?? number;
  }

  readonly #plain = (half: Half): void => {
    if (this.#leftOut.has(half)) return;
    const { operation } = half;
    const together = this.#gatheredAlready(operation.instruction);
    if (together !== undefined) {
      this.#noteWrites(operation);
      const [to] = operation.instruction.operands;
      this.#emit(operation, 'vmovaps', to!, vector(together, this.#whole));
      return;
    }
    for (const access of operation.accesses) {
      if ((access & reads) !== 0) this.#takeOut(operation, access >> numberShift);
    }
    this.#noteWrites(operation);
    const number = this.#doubledAt.get(half);
    if (number === undefined) {
      this.#out.push(this.#renamed(operation));
      return;
    }
    const both = this.#doubled.get(number)!;
    const { mnemonic, operands } = operation.instruction;
    if (isWidened(operation.instruction, this.#halves.bits)) {
      const wide = operands.map((operand): Operand => {
        if (operand.kind === 'vector' && operand.number === number) return vector(both, this.#whole);
        if (operand.kind === 'memory' && operand.constant !== undefined && operand.bits === this.#halves.bits)
          return this.#constants(operand.constant, operand.constant);
        return operand.kind === 'vector' ? { ...operand, number: this.#low(operand.number) } : operand;
      });
      const one = instruction(mnemonic === 'vmovddup' ? 'vbroadcastsd' : mnemonic, ...wide);
      for (const made of wholeForm(this.#halves.fn, one)) this.#out.push(this.#placed(operation, made));
      return;
    }
    this.#out.push(this.#renamed(operation));
    this.#emit(
      operation,
      this.#names.insert,
      vector(both, this.#whole),
      vector(number, this.#whole),
      vector(number, this.#halves.bits),
      immediate(1),
    );
  };

  /** The register of the join that an instruction would put together. */
  #gatheredAlready(one: Instruction): number | undefined {
    const operands = gatheredBy(one, this.#halves.bits);
    if (!operands || this.#halves.upper[operands.low] !== operands.high) return undefined;
    return this.#joined.get(operands.low);
  }

  readonly #join = ({ first, second }: Pair): void => {
    const { operation } = first;
    const operands = operation.instruction.operands.map((x, index): Operand => {
      const y = second.operation.instruction.operands[index]!;
      if (x.kind === 'memory' && y.kind === 'memory') {
        return x.constant === undefined
          ? { ...x, bits: this.#whole }
          : this.#constants(x.constant, y.constant!);
      }
      if (x.kind !== 'vector' || y.kind !== 'vector') return x;
      if (first.isWidening && index > 0) {
        this.#takeOut(operation, x.number);
        return vector(this.#low(x.number), this.#halves.bits);
      }
      const whole = this.#joined.get(x.number);
      if (whole !== undefined && this.#halves.upper[x.number] === y.number) return vector(whole, this.#whole);
      const both = x.number === y.number ? this.#doubled.get(x.number) : undefined;
      return vector(both ?? this.#bothOf(operation, x.number, y.number), this.#whole);
    });
    for (const one of wholeForm(this.#halves.fn, { ...operation.instruction, operands }))
      this.#out.push(this.#placed(operation, one));
    this.#noteWrites(operation);
    this.#noteWrites(second.operation);
    for (const number of first.vectors) {
      this.#there.delete(this.#halves.upper[number]!);
      if (this.#takenOut.has(number)) this.#emitUpper(operation, number);
    }
  };

  /** A register with two others in its halves, which have been put together before, perhaps. */
  #bothOf(like: MachineOperation, x: number, y: number): number {
    const key = keyOfBoth(x, y);
    const known = this.#gathered.get(key);
    const [xVersion, yVersion] = [this.#versions[x]!, this.#versions[y]!];
    if (known?.xVersion === xVersion && known.yVersion === yVersion) return known.number;
    this.#takeOut(like, x);
    this.#takeOut(like, y);
    const number = this.#halves.fn.newVector(this.#whole);
    const low = vector(this.#low(x), this.#whole);
    this.#emit(
      like,
      this.#names.insert,
      vector(number, this.#whole),
      low,
      vector(this.#low(y), this.#halves.bits),
      immediate(1),
    );
    this.#gathered.set(key, { number, xVersion, yVersion });
    return number;
  }

  /** Before an upper half is read that is taken out late. */
  #takeOut(like: MachineOperation, high: number): void {
    const low = this.#lateHalves.get(high);
    if (low === undefined || this.#there.has(high)) return;
    this.#there.add(high);
    this.#emitUpper(like, low);
  }

  #emitUpper(like: MachineOperation, low: number): void {
    const high = vector(this.#halves.upper[low]!, this.#halves.bits);
    this.#emit(like, this.#names.extract, high, vector(this.#joined.get(low)!, this.#whole), immediate(1));
  }

  #noteWrites({ accesses }: MachineOperation): void {
    for (const access of accesses) if ((access & writes) !== 0) this.#versions[access >> numberShift]! += 1;
  }

  #renamed(operation: MachineOperation): MachineOperation {
    const low = (number: number): number => (number < firstVirtual ? number : this.#low(number));
    const isRenamed = operation.accesses.some(
      (access) => (access & isOfVector) !== 0 && low(access >> numberShift) !== access >> numberShift,
    );
    if (!isRenamed) return operation;
    const operands = operation.instruction.operands.map(
      (operand): Operand =>
        operand.kind === 'vector' ? { ...operand, number: low(operand.number) } : operand,
    );
    return operation.with({ ...operation.instruction, operands });
  }

  #emit(like: MachineOperation, mnemonic: string, ...operands: Operand[]): void {
    this.#out.push(this.#placed(like, instruction(mnemonic, ...operands)));
  }

  /** As of the line that another one comes from. */
  #placed(like: MachineOperation, made: Instruction): MachineOperation {
    const { line } = like.instruction;
    return like.with(line === undefined ? made : { ...made, line });
  }

  #constants(low: number, high: number): MemoryOperand {
    const { program } = this.#halves.fn;
    const bytes = Uint8Array.of(...program.constants[low]!.bytes, ...program.constants[high]!.bytes);
    return memory(this.#whole, { constant: program.constant(bytes) });
  }
}

/** A register that has two others in its halves, and how often these had been written. */
interface Gathered {
  readonly number: number;
  readonly xVersion: number;
  readonly yVersion: number;
}
