/**
 * Gives virtual registers registers of the machine. Values that copies join and that never differ while both are live become one. Then each takes the
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
  isOfVector,
  type MachineOperation,
  memoryRegister,
  numberShift,
  stackRegister,
  writes,
} from '../machine/operation.ts';
import { renamed } from '../machine/rename.ts';
import { type Coalesced, coalesce, setApart } from './coalesce.ts';
import { findLiveness, type Liveness, type Ranges } from './liveness.ts';
import { RangeList } from './range-list.ts';
import { type Frame, spill } from './spill.ts';
import { findLowOnly, firstUpper, forUpperRegisters } from './upper-registers.ts';

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

const vectorRegisters = Array.from({ length: firstUpper }, (_, number) => number);
const upperRegisters = vectorRegisters.map((number) => firstUpper + number);

/** So often values that found no register are taken apart in a round. */
const mostRetries = 2;
/** How much more an operation counts for each loop around it. */
const loopWeight = 8;
const mostRounds = 30;
/** In so many of them values that are put into the frame are split; behind that it is to come to an end. */
const splitRounds = 12;

export interface Allocation {
  /** Bytes of spill slots. */
  readonly slotBytes: number;
  /** Registers of {@link keptRegisters} that are written. */
  readonly kept: readonly number[];
}

export interface AllocationOptions {
  /** Whether there are vector registers from 16 on. */
  readonly avx512: boolean;
}

/** Replaces all virtual registers of a function. */
export function allocate(fn: MachineFunction, { avx512 }: AllocationOptions): Allocation {
  const frame: Frame = { bytes: 0, locals: new Map() };
  /** Registers that spilling has made. Those that are for one operation are not spilled again. */
  let fixedFrom = Number.POSITIVE_INFINITY;
  let liveness = findLiveness(fn);
  if (liveness.unset.length > 0) {
    setUnset(fn, liveness.unset);
    liveness = findLiveness(fn);
  }
  /** Whether sixteen vector registers are too few. Encodings that reach more are longer: they are for functions that want them. */
  let isCrowded = false;
  /** What finds no register as long as it is one with others that have its value. */
  const isApart = new Set<number>();
  for (let round = 0; round < mostRounds; round += 1) {
    if (round > 0) liveness = findLiveness(fn);
    const mayMove = (index: number): boolean => index < fixedFrom || frame.locals.has(index);
    const tryAll = (): Attempt => {
      const coalesced = coalesce(fn, liveness, { fixedFrom, isApart });
      const { representative } = coalesced;
      const tryWith = (mayBeUpper?: (index: number) => boolean): Attempt =>
        assign(fn, { ...liveness, ranges: coalesced.ranges }, coalesced, mayMove, mayBeUpper);
      const attempt = tryWith(isCrowded ? upperOnes(fn, representative) : undefined);
      const isOfVector = (index: number): boolean => fn.registers[index]!.kind === 'vector';
      if (!avx512 || isCrowded || !attempt.spilled.some(isOfVector)) return attempt;
      isCrowded = true;
      return tryWith(upperOnes(fn, representative));
    };
    let attempt = tryAll();
    for (let again = 0; again < mostRetries && setApart(fn, attempt, attempt.spilled, isApart); again += 1)
      attempt = tryAll();
    if (attempt.spilled.length === 0) {
      const kept = rewrite(fn, attempt);
      return { slotBytes: frame.bytes, kept };
    }
    fixedFrom = Math.min(fixedFrom, fn.registers.length);
    spill(fn, attempt.spilled, attempt.representative, attempt.ranges, frame, round < splitRounds);
  }
  throw new CodegenError(`'${fn.name}' needs more registers than there are`);
}

/** What is read where nothing was written is zero: locals of stack code begin so. */
function setUnset(fn: MachineFunction, unset: readonly number[]): void {
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
  fn.items = [...fn.items.slice(before), ...fn.items.slice(0, before)];
}

export interface Attempt extends Coalesced {
  /** By index of representatives: the machine's register. */
  readonly chosen: Int32Array;
  readonly spilled: readonly number[];
}

/** Which representatives may be one of the registers from 16 on: those of which all that are one with them may. */
function upperOnes(
  fn: MachineFunction,
  representative: (index: number) => number,
): (index: number) => boolean {
  const isLow = findLowOnly(fn);
  isLow.forEach((low, index) => {
    if (low) isLow[representative(index)] = 1;
  });
  return (index) => isLow[index] === 0;
}

/**
 * @param mayMove whether a register may be put into the frame
 * @param mayBeUpper whether a vector register may be one of those from 16 on; left out if there are none
 */
function assign(
  fn: MachineFunction,
  liveness: Omit<Liveness, 'ranges'> & Pick<Coalesced, 'ranges'>,
  { representative, isShared }: Coalesced,
  mayMove: (index: number) => boolean,
  mayBeUpper?: (index: number) => boolean,
): Attempt {
  const { ranges, operations } = liveness;
  const weights = weigh(fn, operations, representative);
  const chosen = new Int32Array(fn.registers.length).fill(-1);

  const general = registerFile(generalOrder, liveness.fixed.general);
  const lower = registerFile(vectorRegisters, liveness.fixed.vector);
  const upper = mayBeUpper ? registerFile(upperRegisters, liveness.fixed.vector) : [];
  // What has a choice leaves the first sixteen to what has none.
  const all = [...upper, ...lower];
  for (const at of liveness.calls) {
    const range = [2 * at + 1, 2 * at + 2];
    general.forEach(({ number, list }) => {
      if (!keptRegisters.includes(number)) addApart(list, range);
    });
    for (const { list } of all) addApart(list, range);
  }

  const order: number[] = [];
  const priority = new Float64Array(fn.registers.length);
  ranges.forEach((list, index) => {
    if (representative(index) !== index || list.length === 0) return;
    let length = 0;
    for (let at = 0; at < list.length; at += 2) length += list[at + 1]! - list[at]!;
    priority[index] = mayMove(index) ? weights[index]! / length : Number.POSITIVE_INFINITY;
    order.push(index);
  });
  order.sort((a, b) => (priority[a] === priority[b] ? a - b : priority[a]! > priority[b]! ? -1 : 1));

  const spilled: number[] = [];
  for (const index of order) {
    const file = fn.registers[index]!.kind === 'general' ? general : mayBeUpper?.(index) ? all : lower;
    const own = ranges[index]!;
    const found = file.find(({ list }) => !list.meets(own));
    if (!found) {
      if (!mayMove(index)) throw new Error(`x64: ${fn.name}: no register for one operation`);
      spilled.push(index);
      continue;
    }
    found.list.add(own);
    chosen[index] = found.number;
  }
  return { representative, isShared, ranges, chosen, spilled };
}

/** Registers of a class, in the order in which they are taken, with what they hold where. */
function registerFile(
  order: readonly number[],
  fixed: readonly Ranges[],
): readonly { readonly number: number; readonly list: RangeList }[] {
  return order.map((number) => {
    const list = new RangeList();
    list.add(fixed[number]!);
    return { number, list };
  });
}

/** Adds a range that is not taken yet. */
function addApart(list: RangeList, range: Ranges): void {
  if (!list.meets(range)) list.add(range);
}

/** How often each is read or written, as far as loops tell. */
function weigh(
  fn: MachineFunction,
  operations: readonly MachineOperation[],
  representative: (index: number) => number,
): Float64Array {
  const weights = new Float64Array(fn.registers.length);
  for (const { accesses, depth } of operations) {
    const weight = loopWeight ** Math.min(depth, 10);
    for (const access of accesses) {
      const index = (access >> numberShift) - firstVirtual;
      if (index >= 0) weights[representative(index)]! += weight;
    }
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
    for (const access of item.accesses) {
      if ((access & isOfVector) !== 0 || (access & writes) === 0) continue;
      const number = machine(access >> numberShift);
      if (keptRegisters.includes(number)) kept.add(number);
    }
    const after = forUpperRegisters(renamed(before, machine));
    item.instruction = after;
    const [to, from] = after.operands as unknown as [{ number: number; bits: number }, { number: number }];
    // A 32-bit move of a 64-bit register to itself clears the upper half.
    if (!isCopy(after) || to.number !== from.number) return true;
    return after.mnemonic === 'mov' && to.bits === 32 && !hasZeros(fn, before);
  });
  fn.items = items;
  return keptRegisters.filter((number) => kept.has(number));
}

/** Whether what is moved is a register of 32 bits already. */
function hasZeros(fn: MachineFunction, { operands }: Instruction): boolean {
  const from = operands[1] as { number: number };
  return from.number >= firstVirtual && fn.registers[from.number - firstVirtual]!.bits === 32;
}
