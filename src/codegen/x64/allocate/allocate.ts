/**
 * Gives virtual registers registers of the machine. Values that copies join and that are never live at once become one. Then each takes the
 * first register that is free wherever it is live, those that are used most for their length first; values without a register
 * live in the frame (`spill.ts`), with short-lived registers around their uses, and all is done again.
 */

import { CodegenError } from '../../wasm/module/error.ts';
import type { Instruction, Operand } from '../assembler/instruction.ts';
import type { MachineFunction } from '../machine/function.ts';
import {
  contextRegister,
  firstVirtual,
  isCopy,
  type MachineOperation,
  memoryRegister,
  stackRegister,
  visitRegisters,
} from '../machine/operation.ts';
import { findLiveness, type Liveness, type Range } from './liveness.ts';
import { mergeRanges, RangeList, rangesMeet } from './range-list.ts';
import { type Frame, spill } from './spill.ts';

/** General registers that callees keep, among those that can be had: rbx, rbp, r12, r13. */
export const keptRegisters: readonly number[] = [3, 5, 12, 13];

const reserved: readonly number[] = [stackRegister, contextRegister, memoryRegister];
const generalRegisters = Array.from({ length: 16 }, (_, number) => number).filter(
  (number) => !reserved.includes(number),
);
/** Those that calls leave alone last, since functions must keep them. */
const generalOrder = [
  ...generalRegisters.filter((number) => !keptRegisters.includes(number)),
  ...keptRegisters,
];

/** How much more an operation counts for each loop around it. */
const loopWeight = 8;
const mostRounds = 30;

export interface Allocation {
  /** Bytes of spill slots. */
  readonly slotBytes: number;
  /** Registers of {@link keptRegisters} that are written. */
  readonly kept: readonly number[];
}

export interface AllocationOptions {
  /** Vector registers that can be had. */
  readonly vectors: number;
}

/** Replaces all virtual registers of a function. */
export function allocate(fn: MachineFunction, { vectors }: AllocationOptions): Allocation {
  const frame: Frame = { bytes: 0, slots: [] };
  /** Registers that spilling has made: they are short, and are not spilled again. */
  const fixedFrom = { number: Number.POSITIVE_INFINITY };
  setUnset(fn);
  for (let round = 0; round < mostRounds; round += 1) {
    const attempt = assign(fn, vectors, fixedFrom.number);
    if (attempt.spilled.length === 0) {
      const kept = rewrite(fn, attempt);
      return { slotBytes: frame.bytes, kept };
    }
    fixedFrom.number = Math.min(fixedFrom.number, fn.registers.length);
    spill(fn, attempt.spilled, attempt.representative, attempt.ranges, frame);
  }
  throw new CodegenError(`'${fn.name}' needs more registers than there are`);
}

/** What is read where nothing was written is zero: locals of stack code begin so. */
function setUnset(fn: MachineFunction): void {
  const { unset } = findLiveness(fn);
  const before = fn.items.length;
  fn.depth = 0;
  fn.line = undefined;
  for (const index of unset) {
    const { kind } = fn.registers[index]!;
    const number = firstVirtual + index;
    if (kind === 'general') {
      const register: Operand = { kind, number, bits: 32 };
      fn.emit('xor', register, register);
    } else {
      const register: Operand = { kind, number, bits: 128 };
      fn.emit('vxorps', register, register, register);
    }
  }
  fn.items.unshift(...fn.items.splice(before));
}

export interface Attempt {
  /** By index of the virtual register: its representative among those that are one with it. */
  readonly representative: (index: number) => number;
  readonly ranges: readonly (readonly Range[])[];
  /** By index of representatives: the machine's register. */
  readonly chosen: Int32Array;
  readonly spilled: readonly number[];
}

function assign(fn: MachineFunction, vectors: number, fixedFrom: number): Attempt {
  const liveness = findLiveness(fn);
  const { ranges, operations } = liveness;
  const representative = coalesce(fn, liveness, fixedFrom);
  const weights = weigh(fn, operations, representative);
  const chosen = new Int32Array(fn.registers.length).fill(-1);

  const general = registerFile(generalOrder, liveness.fixed.general);
  const vector = registerFile(
    Array.from({ length: vectors }, (_, number) => number),
    liveness.fixed.vector,
  );
  const callRanges = liveness.calls.map((at) => ({ start: 2 * at + 1, end: 2 * at + 2 }));
  for (const [number, list] of general.lists) if (!keptRegisters.includes(number)) addApart(list, callRanges);
  for (const list of vector.lists.values()) addApart(list, callRanges);

  const order: number[] = [];
  const priority = new Float64Array(fn.registers.length);
  ranges.forEach((list, index) => {
    if (representative(index) !== index || list.length === 0) return;
    let length = 0;
    for (const { start, end } of list) length += end - start;
    priority[index] = index >= fixedFrom ? Number.POSITIVE_INFINITY : weights[index]! / length;
    order.push(index);
  });
  order.sort((a, b) => (priority[a] === priority[b] ? a - b : priority[a]! > priority[b]! ? -1 : 1));

  const spilled: number[] = [];
  for (const index of order) {
    const file = fn.registers[index]!.kind === 'general' ? general : vector;
    const number = file.order.find((one) => !file.lists.get(one)!.meets(ranges[index]!));
    if (number === undefined) {
      if (index >= fixedFrom) throw new Error(`x64: ${fn.name}: no register for one operation`);
      spilled.push(index);
      continue;
    }
    file.lists.get(number)!.add(ranges[index]!);
    chosen[index] = number;
  }
  return { representative, ranges, chosen, spilled };
}

function registerFile(
  order: readonly number[],
  fixed: ReadonlyMap<number, readonly Range[]>,
): { readonly order: readonly number[]; readonly lists: Map<number, RangeList> } {
  const lists = new Map(
    order.map((number) => {
      const list = new RangeList();
      list.add(fixed.get(number) ?? []);
      return [number, list] as const;
    }),
  );
  return { order, lists };
}

/** Adds those ranges that are not taken yet. */
function addApart(list: RangeList, ranges: readonly Range[]): void {
  list.add(ranges.filter((range) => !list.meets([range])));
}

/** Joins what copies connect, in inner loops first. Gives each register's representative; its ranges become those of all. */
function coalesce(
  fn: MachineFunction,
  { ranges, operations }: Liveness,
  fixedFrom: number,
): (index: number) => number {
  const parents = Int32Array.from(fn.registers, (_, index) => index);
  const find = (index: number): number => {
    let at = index;
    while (parents[at] !== at) {
      parents[at] = parents[parents[at]!]!;
      at = parents[at]!;
    }
    return at;
  };
  const copies = operations.filter(({ instruction }) => isCopy(instruction));
  copies.sort((a, b) => b.depth - a.depth);
  for (const { instruction } of copies) {
    const [to, from] = instruction.operands as unknown as [
      { number: number; bits: number },
      { number: number },
    ];
    const a = to.number - firstVirtual;
    const b = from.number - firstVirtual;
    if (a < 0 || b < 0) continue;
    const [x, y] = [find(a), find(b)];
    if (x === y || x >= fixedFrom || y >= fixedFrom) continue;
    const [left, right] = [fn.registers[x]!, fn.registers[y]!];
    if (left.kind === 'general' && (left.bits !== right.bits || to.bits !== left.bits)) continue;
    if (rangesMeet(ranges[x]!, ranges[y]!)) continue;
    parents[y] = x;
    ranges[x] = mergeRanges(ranges[x]!, ranges[y]!);
    fn.registers[x] = { kind: left.kind, bits: Math.max(left.bits, right.bits) };
  }
  return find;
}

/** How often each is read or written, as far as loops tell. */
function weigh(
  fn: MachineFunction,
  operations: readonly MachineOperation[],
  representative: (index: number) => number,
): Float64Array {
  const weights = new Float64Array(fn.registers.length);
  for (const { instruction, depth } of operations) {
    const weight = loopWeight ** Math.min(depth, 10);
    visitRegisters(instruction, (_, number) => {
      if (number >= firstVirtual) weights[representative(number - firstVirtual)]! += weight;
    });
  }
  return weights;
}

/** Writes the registers into the operations, and leaves out copies that copy nothing. */
function rewrite(fn: MachineFunction, { representative, chosen }: Attempt): number[] {
  const kept = new Set<number>();
  const machine = (number: number): number => {
    if (number < firstVirtual) return number;
    const found = chosen[representative(number - firstVirtual)]!;
    if (found < 0) throw new Error(`x64: ${fn.name}: a register that is written nowhere is read`);
    return found;
  };
  const items = fn.items.filter((item) => {
    if (item.kind === 'label') return true;
    const before = item.instruction;
    const after = renamed(before, machine);
    visitRegisters(after, (kind, number, role) => {
      if (kind === 'general' && role !== 'use' && keptRegisters.includes(number)) kept.add(number);
    });
    item.instruction = after;
    const [to, from] = after.operands as unknown as [{ number: number; bits: number }, { number: number }];
    // A 32-bit move of a 64-bit register to itself clears the upper half.
    if (!isCopy(after) || to.number !== from.number) return true;
    return after.mnemonic === 'mov' && to.bits === 32 && !hasZeros(fn, before);
  });
  fn.items.length = 0;
  fn.items.push(...items);
  return keptRegisters.filter((number) => kept.has(number));
}

/** Whether what is moved is a register of 32 bits already. */
function hasZeros(fn: MachineFunction, { operands }: Instruction): boolean {
  const from = operands[1] as { number: number };
  return from.number >= firstVirtual && fn.registers[from.number - firstVirtual]!.bits === 32;
}

/** The instruction with other numbers of registers. */
export function renamed(one: Instruction, number: (before: number) => number): Instruction {
  const operands = one.operands.map((operand): Operand => {
    switch (operand.kind) {
      case 'general':
      case 'vector':
        return { ...operand, number: number(operand.number) };
      case 'memory': {
        const { base, index } = operand;
        return {
          ...operand,
          ...(base && { base: { ...base, number: number(base.number) } }),
          ...(index && { index: { ...index, number: number(index.number) } }),
        };
      }
      default:
        return operand;
    }
  });
  return { ...one, operands };
}
