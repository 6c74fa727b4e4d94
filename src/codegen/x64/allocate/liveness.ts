/**
 * Where each register has a value that is still needed: ranges with holes over the order of operations. Operation i reads at position
 * 2i and writes at 2i + 1. Registers of the machine that selection names have ranges, too, within one block.
 */
import type { MachineFunction } from '../machine/function.ts';
import { firstVirtual, type MachineOperation, visitRegisters } from '../machine/operation.ts';

/** From `start` to before `end`. */
export interface Range {
  start: number;
  end: number;
}

export interface Liveness {
  /** By number of the virtual register less `firstVirtual`, in order, apart from each other. */
  readonly ranges: Range[][];
  /** Of registers of the machine by class: their numbers. */
  readonly fixed: { readonly general: Map<number, Range[]>; readonly vector: Map<number, Range[]> };
  /** Virtual registers that are read where nothing has been written to them, on the way from the function's beginning. */
  readonly unset: readonly number[];
  /** The operations, without labels. */
  readonly operations: readonly MachineOperation[];
  /** Of calls: their places among the operations. */
  readonly calls: readonly number[];
}

/** Straight code; registers are those that are virtual, by number less `firstVirtual`. */
export interface Block {
  readonly first: number;
  end: number;
  readonly successors: number[];
  /** Read before written, and written, in the block. */
  readonly reads: Set<number>;
  readonly writes: Set<number>;
  liveIn: Set<number>;
  liveOut: Set<number>;
}

export function findLiveness(fn: MachineFunction): Liveness {
  const { blocks, operations } = liveBlocks(fn);
  const ranges: Range[][] = fn.registers.map(() => []);
  const fixed = { general: new Map<number, Range[]>(), vector: new Map<number, Range[]>() };
  const calls: number[] = [];
  // From the end, so that ranges grow at their beginnings; in order once they are reversed.
  for (let at = blocks.length - 1; at >= 0; at -= 1) {
    build(blocks[at]!, operations, ranges, fixed, calls);
  }
  for (const list of ranges) list.reverse();
  for (const map of [fixed.general, fixed.vector]) for (const list of map.values()) list.reverse();
  return { ranges, fixed, unset: [...(blocks[0]?.liveIn ?? [])], operations, calls: calls.reverse() };
}

/** The blocks of a function, in order, with what is live at their beginnings and ends; and its operations. */
export function liveBlocks(fn: MachineFunction): {
  readonly blocks: readonly Block[];
  readonly operations: readonly MachineOperation[];
} {
  const operations: MachineOperation[] = [];
  const { blocks } = findBlocks(fn, operations);
  for (const block of blocks) collect(block, operations);
  flow(blocks);
  return { blocks, operations };
}

const endsBlock = /^(j.*|ret|ud2)$/;

function findBlocks(fn: MachineFunction, operations: MachineOperation[]): { blocks: Block[] } {
  const blocks: Block[] = [];
  const blockOf = new Map<number, number>();
  let current: Block | undefined;
  const open = (): Block => {
    const block: Block = {
      first: operations.length,
      end: operations.length,
      successors: [],
      reads: new Set(),
      writes: new Set(),
      liveIn: new Set(),
      liveOut: new Set(),
    };
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
    if (endsBlock.test(item.instruction.mnemonic)) current = undefined;
  }
  blocks.forEach((block, index) => {
    const last = block.end > block.first ? operations[block.end - 1] : undefined;
    const name = last?.instruction.mnemonic ?? '';
    const target = last?.instruction.operands[0];
    if (endsBlock.test(name) && target?.kind === 'label' && !last!.leaves) {
      block.successors.push(blockOf.get(target.label)!);
    }
    const goesOn = !/^(jmp|ret|ud2)$/.test(name);
    if (goesOn && index + 1 < blocks.length) block.successors.push(index + 1);
  });
  return { blocks };
}

function collect(block: Block, operations: readonly MachineOperation[]): void {
  for (let at = block.first; at < block.end; at += 1) {
    const { instruction } = operations[at]!;
    visitRegisters(instruction, (_, number, role) => {
      if (number >= firstVirtual && role !== 'define' && !block.writes.has(number - firstVirtual)) {
        block.reads.add(number - firstVirtual);
      }
    });
    visitRegisters(instruction, (_, number, role) => {
      if (number >= firstVirtual && role !== 'use') block.writes.add(number - firstVirtual);
    });
  }
}

/** What is live between blocks. */
function flow(blocks: readonly Block[]): void {
  const before: number[][] = blocks.map(() => []);
  blocks.forEach((block, index) => {
    for (const successor of block.successors) before[successor]!.push(index);
    block.liveIn = new Set(block.reads);
  });
  // What is added to a block's beginning goes on to the ends of those before it.
  const pending = blocks.map((block, index) => ({ index, added: [...block.liveIn] })).reverse();
  while (pending.length > 0) {
    const { index, added } = pending.pop()!;
    for (const from of before[index]!) {
      const block = blocks[from]!;
      const next: number[] = [];
      for (const register of added) {
        if (block.liveOut.has(register)) continue;
        block.liveOut.add(register);
        if (block.writes.has(register) || block.liveIn.has(register)) continue;
        block.liveIn.add(register);
        next.push(register);
      }
      if (next.length > 0) pending.push({ index: from, added: next });
    }
  }
}

/** Adds a range at the beginning of a list that is built from its end. */
function extend(list: Range[], start: number, end: number): void {
  const last = list.at(-1);
  if (last && end >= last.start) {
    last.start = Math.min(last.start, start);
    last.end = Math.max(last.end, end);
  } else list.push({ start, end });
}

function build(
  block: Block,
  operations: readonly MachineOperation[],
  ranges: readonly Range[][],
  fixed: Liveness['fixed'],
  calls: number[],
): void {
  /** Where what is live now is live to. */
  const ends = new Map<number, number>();
  const fixedEnds = { general: new Map<number, number>(), vector: new Map<number, number>() };
  for (const register of block.liveOut) ends.set(register, 2 * block.end);
  const fixedList = (kind: 'general' | 'vector', number: number): Range[] => {
    let list = fixed[kind].get(number);
    if (!list) {
      list = [];
      fixed[kind].set(number, list);
    }
    return list;
  };
  for (let at = block.end - 1; at >= block.first; at -= 1) {
    const { instruction, implicitUses, implicitDefinitions, isCall } = operations[at]!;
    const write = (kind: 'general' | 'vector', number: number, isRead: boolean): void => {
      const isVirtual = number >= firstVirtual;
      const key = isVirtual ? number - firstVirtual : number;
      const map = isVirtual ? ends : fixedEnds[kind];
      const end = map.get(key) ?? 2 * at + 2;
      extend(isVirtual ? ranges[key]! : fixedList(kind, key), 2 * at + 1, end);
      if (isRead) map.set(key, 2 * at + 1);
      else map.delete(key);
    };
    const read = (kind: 'general' | 'vector', number: number): void => {
      const isVirtual = number >= firstVirtual;
      const key = isVirtual ? number - firstVirtual : number;
      const map = isVirtual ? ends : fixedEnds[kind];
      if (!map.has(key)) map.set(key, 2 * at + 1);
    };
    if (isCall) calls.push(at);
    for (const number of implicitDefinitions) write('general', number, false);
    visitRegisters(instruction, (kind, number, role) => {
      if (role !== 'use') write(kind, number, role === 'modify');
    });
    for (const number of implicitUses) read('general', number);
    visitRegisters(instruction, (kind, number, role) => {
      if (role !== 'define') read(kind, number);
    });
  }
  for (const [key, end] of ends) extend(ranges[key]!, 2 * block.first, end);
  for (const kind of ['general', 'vector'] as const) {
    for (const [key, end] of fixedEnds[kind]) extend(fixedList(kind, key), 2 * block.first, end);
  }
}
