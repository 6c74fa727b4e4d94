/**
 * Leaves out what computes a virtual register that is read nowhere, or only to compute itself, or that has another value before it is read: dead code
 * elimination of machine code.
 */
import type { Instruction } from '../assembler/instruction.ts';
import { givesFlags } from './flags.ts';
import type { MachineFunction } from './function.ts';
import {
  endsBlock,
  firstVirtual,
  type MachineItem,
  type MachineOperation,
  numberShift,
  ofMnemonic,
  onlyGivesVector,
  reads,
  roleOf,
  writes,
} from './operation.ts';

const isRemovable = ofMnemonic((mnemonic) =>
  /^(add|sub|imul|and|or|xor|shl|shr|sar|mov|movzx|movsx|movsxd|lea|neg|not)$/.test(mnemonic),
);

export function dce(fn: MachineFunction): void {
  const { items } = fn;
  /** By virtual register: how many operations read it that stay. */
  const readers = new Int32Array(fn.registers.length);
  /** By virtual register: the places of what may be left out once nobody reads it. */
  const makers: (number[] | undefined)[] = [];
  const isLeftOut = findOverwritten(items);
  const count = ({ accesses, instruction }: MachineOperation, by: 1 | -1): void => {
    const own = ownNumber(instruction);
    for (const access of accesses) {
      const number = access >> numberShift;
      if (number < firstVirtual || (access & reads) === 0) continue;
      if ((access & writes) !== 0 && number === own) continue;
      readers[number - firstVirtual]! += by;
    }
  };
  items.forEach((item, at) => {
    if (item.kind === 'label' || isLeftOut[at]) return;
    count(item, 1);
    const number = numberOfResult(item);
    if (number === undefined) return;
    const index = number - firstVirtual;
    makers[index] ??= [];
    makers[index].push(at);
  });
  const unread = Array.from(readers.keys()).filter((index) => makers[index] && readers[index] === 0);
  while (unread.length > 0) {
    const places = makers[unread.pop()!]!.filter((at) => !isLeftOut[at]);
    // The flags come from the register's value: all that makes it stays.
    if (places.some((at) => givesFlags(items, at, isLeftOut))) continue;
    for (const at of places) {
      const item = items[at] as MachineOperation;
      isLeftOut[at] = 1;
      count(item, -1);
      for (const access of item.accesses) {
        const index = (access >> numberShift) - firstVirtual;
        if (index >= 0 && readers[index] === 0 && makers[index]) unread.push(index);
      }
    }
  }
  const kept = items.filter((_, at) => isLeftOut[at] === 0);
  if (kept.length < items.length) fn.items = kept;
}

/** The virtual register that an operation gives, if it does nothing else. */
function numberOfResult({ isCall, instruction }: MachineOperation): number | undefined {
  const { mnemonic, operands } = instruction;
  const [to, from] = operands;
  if (isCall || roleOf(instruction, 0) === 'use') return undefined;
  if (isRemovable(mnemonic)) {
    if (from?.kind === 'memory' && mnemonic !== 'lea') return undefined;
  } else if (!onlyGivesVector(mnemonic)) return undefined;
  if ((to?.kind !== 'general' && to?.kind !== 'vector') || to.number < firstVirtual) return undefined;
  return to.number;
}

/** Marks what gives registers that are written as a whole in the same block before anybody reads them. */
function findOverwritten(items: readonly MachineItem[]): Uint8Array {
  const isOverwritten = new Uint8Array(items.length);
  /** By register: the place of what gave its value, which nobody has read yet. */
  const unread = new Map<number, number>();
  items.forEach((item, at) => {
    if (item.kind === 'label' || item.isCall || endsBlock(item.instruction.mnemonic)) {
      unread.clear();
      return;
    }
    for (const access of item.accesses) if ((access & reads) !== 0) unread.delete(access >> numberShift);
    const { operands, mask } = item.instruction;
    const result = numberOfResult(item);
    for (const access of item.accesses) {
      const number = access >> numberShift;
      if ((access & writes) === 0 || number < firstVirtual) continue;
      // Of a part of a register the rest stays.
      const isWhole =
        mask === undefined &&
        operands.every((one) => one.kind !== 'general' || one.number !== number || one.bits >= 32);
      const before = unread.get(number);
      if (before !== undefined && isWhole) isOverwritten[before] = 1;
      if (isWhole && result === number && (access & reads) === 0) unread.set(number, at);
      else unread.delete(number);
    }
  });
  return isOverwritten;
}

/** The register that an operation modifies, for itself alone if that is all that reads it. */
function ownNumber({ mnemonic, operands: [to] }: Instruction): number | undefined {
  if ((!isRemovable(mnemonic) && !onlyGivesVector(mnemonic)) || to?.kind === 'memory') return undefined;
  return (to as { readonly number?: number } | undefined)?.number;
}
