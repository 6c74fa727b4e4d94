/**
 * Where each register has a value that is still needed: ranges with holes over the order of operations. Operation i reads at position
 * 2i and writes at 2i + 1. Registers of the machine that selection names have ranges, too, within one block.
 */
import type { MachineFunction } from '../machine/function.ts';
import {
  endsBlock,
  firstVirtual,
  isOfVector,
  type MachineOperation,
  numberShift,
  ofMnemonic,
  reads,
  writes,
} from '../machine/operation.ts';
import { RegisterSets } from './register-sets.ts';

/** Ranges in order, apart from each other: where each begins, and the position behind it, in turn. */
export type Ranges = readonly number[];

export interface Liveness {
  /** By number of the virtual register less `firstVirtual`. */
  readonly ranges: Ranges[];
  /** Of registers of the machine by class: by number. */
  readonly fixed: { readonly general: readonly Ranges[]; readonly vector: readonly Ranges[] };
  /** The operations, without labels. */
  readonly operations: readonly MachineOperation[];
  /** Of calls: their places among the operations. */
  readonly calls: readonly number[];
  /** Virtual registers that are read where nothing has been written to them, on the way from the function's beginning. */
  readonly unset: readonly number[];
}

/** Straight code. */
export interface Block {
  readonly first: number;
  end: number;
  readonly successors: number[];
}

/** The blocks of a function, in order; virtual registers, by number less `firstVirtual`, that are live at their beginnings and ends. */
export interface LiveBlocks {
  readonly blocks: readonly Block[];
  readonly operations: readonly MachineOperation[];
  readonly liveIn: RegisterSets;
  readonly liveOut: RegisterSets;
}

/** Registers of the machine have numbers below `firstVirtual`, in two classes. */
const fixedCount = 2 * firstVirtual;

export function findLiveness(fn: MachineFunction): Liveness {
  const { blocks, operations, liveIn, liveOut } = liveBlocks(fn);
  const builder = new RangeBuilder(fn.registers.length);
  const calls: number[] = [];
  // From the end, so that ranges grow at their beginnings; in order once they are reversed.
  for (let at = blocks.length - 1; at >= 0; at -= 1) {
    const block = blocks[at]!;
    liveOut.forEach(at, (register) => builder.reach(register, 2 * block.end));
    for (let place = block.end - 1; place >= block.first; place -= 1) {
      const operation = operations[place]!;
      if (operation.isCall) calls.push(place);
      builder.visit(operation, place);
    }
    builder.close(2 * block.first);
  }
  const unset: number[] = [];
  if (blocks.length > 0) liveIn.forEach(0, (register) => unset.push(register));
  const all = builder.ranges;
  const ranges = all.slice(0, fn.registers.length);
  const fixed = all.slice(fn.registers.length);
  return {
    ranges,
    fixed: { general: fixed.slice(0, firstVirtual), vector: fixed.slice(firstVirtual) },
    operations,
    calls: calls.reverse(),
    unset,
  };
}

export function liveBlocks(fn: MachineFunction): LiveBlocks {
  const { blocks, operations } = findBlocks(fn);
  const exposed = findExposed(fn, blocks, operations);
  // Most registers are written and read in one block: nothing flows.
  const liveIn = new RegisterSets(fn.registers.length, exposed);
  const liveOut = liveIn.empty();
  const written = liveIn.empty();
  blocks.forEach((block, number) => {
    for (let at = block.first; at < block.end; at += 1) {
      for (const access of operations[at]!.accesses) {
        const register = (access >> numberShift) - firstVirtual;
        if (register >= 0 && (access & writes) !== 0) written.add(number, register);
      }
    }
  });
  flow(blocks, liveIn, liveOut, written);
  return { blocks, operations, liveIn, liveOut };
}

const goesOn = ofMnemonic((mnemonic) => !/^(jmp|ret|ud2)$/.test(mnemonic));

function findBlocks(fn: MachineFunction): { blocks: Block[]; operations: MachineOperation[] } {
  const operations: MachineOperation[] = [];
  const blocks: Block[] = [];
  const blockOf = new Map<number, number>();
  let current: Block | undefined;
  const open = (): Block => {
    const block: Block = { first: operations.length, end: operations.length, successors: [] };
    blocks.push(block);
    return block;
  };
  for (const item of fn.items) {
    if (item.kind === 'label') {
      if (!current || current.end > current.first) current = open();
      blockOf.set(item.label, blocks.length - 1);
      continue;
    }
    current ??= open();
    operations.push(item);
    current.end = operations.length;
    if (endsBlock(item.instruction.mnemonic)) current = undefined;
  }
  blocks.forEach((block, index) => {
    const last = block.end > block.first ? operations[block.end - 1] : undefined;
    const name = last?.instruction.mnemonic ?? '';
    const target = last?.instruction.operands[0];
    if (endsBlock(name) && target?.kind === 'label' && !last!.leaves) {
      block.successors.push(blockOf.get(target.label)!);
    }
    if (goesOn(name) && index + 1 < blocks.length) block.successors.push(index + 1);
  });
  return { blocks, operations };
}

/** By block: the virtual registers that it reads before it writes them. */
function findExposed(
  fn: MachineFunction,
  blocks: readonly Block[],
  operations: readonly MachineOperation[],
): number[][] {
  // The last block that wrote each, or has it among those it found.
  const seen = new Int32Array(fn.registers.length).fill(-1);
  return blocks.map((block, number) => {
    const found: number[] = [];
    for (let at = block.first; at < block.end; at += 1) {
      const { accesses } = operations[at]!;
      for (const access of accesses) {
        const register = (access >> numberShift) - firstVirtual;
        if (register < 0 || (access & reads) === 0 || seen[register] === number) continue;
        seen[register] = number;
        found.push(register);
      }
      for (const access of accesses) {
        const register = (access >> numberShift) - firstVirtual;
        if (register >= 0 && (access & writes) !== 0) seen[register] = number;
      }
    }
    return found;
  });
}

/** What is live between blocks. `liveIn` begins as what they read first. */
function flow(
  blocks: readonly Block[],
  liveIn: RegisterSets,
  liveOut: RegisterSets,
  written: RegisterSets,
): void {
  const hasChanged = new Uint8Array(blocks.length).fill(1);
  let isFirst = true;
  for (let changes = true; changes; ) {
    changes = false;
    for (let index = blocks.length - 1; index >= 0; index -= 1) {
      let grows = false;
      for (const successor of blocks[index]!.successors) {
        if (hasChanged[successor]) grows = liveOut.include(index, liveIn, successor) || grows;
      }
      const isNew = grows && liveIn.includeBut(index, liveOut, written);
      // Blocks behind it see that in the next turn; those before it have not seen what it began with until now.
      hasChanged[index] = isNew || isFirst ? 1 : 0;
      changes ||= isNew;
    }
    changes ||= isFirst;
    isFirst = false;
  }
}

const nowhere: Ranges = [];

/** Ranges from the end of the function to its beginning. */
class RangeBuilder {
  /** By virtual register, then fixed general and fixed vector ones. */
  readonly #ranges: (number[] | undefined)[];
  readonly #virtual: number;
  /** Where what is live now is live to; 0 if it is not. */
  readonly #ends: Int32Array;
  /** What has been live in this block, some more than once. */
  #touched: number[] = [];

  constructor(virtual: number) {
    this.#virtual = virtual;
    this.#ranges = new Array<number[] | undefined>(virtual + fixedCount).fill(undefined);
    this.#ends = new Int32Array(virtual + fixedCount);
  }

  get ranges(): Ranges[] {
    return this.#ranges.map((list) => list?.reverse() ?? nowhere);
  }

  visit({ accesses, implicitUses, implicitDefinitions }: MachineOperation, at: number): void {
    for (const number of implicitDefinitions) this.#write(this.#virtual + number, at, false);
    for (const access of accesses) {
      if ((access & writes) !== 0) this.#write(this.#keyOf(access), at, (access & reads) !== 0);
    }
    for (const number of implicitUses) this.reach(this.#virtual + number, 2 * at + 1);
    for (const access of accesses) {
      if ((access & reads) !== 0) this.reach(this.#keyOf(access), 2 * at + 1);
    }
  }

  #keyOf(access: number): number {
    const number = access >> numberShift;
    if (number >= firstVirtual) return number - firstVirtual;
    return this.#virtual + number + ((access & isOfVector) !== 0 ? firstVirtual : 0);
  }

  /** It is live to before this position, if it is not live to farther. */
  reach(key: number, end: number): void {
    if (this.#ends[key] !== 0) return;
    this.#ends[key] = end;
    this.#touched.push(key);
  }

  #write(key: number, at: number, isRead: boolean): void {
    this.#extend(key, 2 * at + 1, this.#ends[key] || 2 * at + 2);
    this.#ends[key] = 0;
    if (isRead) this.reach(key, 2 * at + 1);
  }

  /** The block begins here. */
  close(start: number): void {
    for (const key of this.#touched) {
      if (this.#ends[key] === 0) continue;
      this.#extend(key, start, this.#ends[key]!);
      this.#ends[key] = 0;
    }
    this.#touched = [];
  }

  /** Adds a range at the beginning of a list that is built from its end. */
  #extend(key: number, start: number, end: number): void {
    const list = this.#ranges[key];
    if (!list) {
      this.#ranges[key] = [end, start];
      return;
    }
    const last = list.length - 1;
    if (end >= list[last]!) {
      list[last] = Math.min(list[last]!, start);
      list[last - 1] = Math.max(list[last - 1]!, end);
    } else list.push(end, start);
  }
}
