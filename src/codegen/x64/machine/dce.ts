/**
 * Leaves out what computes a virtual register that is read nowhere, or only to compute itself: dead code elimination of machine code. Flags
 * are read by the next instruction or not at all.
 */
import type { Instruction } from '../assembler/instruction.ts';
import type { MachineFunction } from './function.ts';
import {
  firstVirtual,
  type MachineOperation,
  numberShift,
  ofMnemonic,
  reads,
  roleOf,
  writes,
} from './operation.ts';

const readsFlags = ofMnemonic((mnemonic) => /^(set|j|cmov|adc|sbb|rcl|rcr)/.test(mnemonic));
const isRemovable = ofMnemonic((mnemonic) =>
  /^(add|sub|imul|and|or|xor|shl|shr|sar|mov|movzx|movsx|movsxd|lea|neg|not)$/.test(mnemonic),
);
/** Vector instructions that do nothing but give a register: none fails, and those that set flags write none. */
const isRemovableVector = ofMnemonic((mnemonic) => /^v(?!p?gather|zeroupper)/.test(mnemonic));

export function dce(fn: MachineFunction): void {
  const { items } = fn;
  /** By virtual register: how many operations read it that stay. */
  const readers = new Int32Array(fn.registers.length);
  /** By virtual register: the places of what may be left out once nobody reads it. */
  const makers: (number[] | undefined)[] = [];
  const isLeftOut = new Uint8Array(items.length);
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
    if (item.kind === 'label') return;
    count(item, 1);
    const { mnemonic, operands } = item.instruction;
    const [to, from] = operands;
    if (item.isCall || roleOf(item.instruction, 0) === 'use') return;
    if (isRemovable(mnemonic)) {
      if (from?.kind === 'memory' && mnemonic !== 'lea') return;
    } else if (!isRemovableVector(mnemonic)) return;
    if ((to?.kind !== 'general' && to?.kind !== 'vector') || to.number < firstVirtual) return;
    const index = to.number - firstVirtual;
    makers[index] ??= [];
    makers[index].push(at);
  });
  const unread = Array.from(readers.keys()).filter((index) => makers[index] && readers[index] === 0);
  while (unread.length > 0) {
    for (const at of makers[unread.pop()!]!) {
      const item = items[at] as MachineOperation;
      let next = at + 1;
      while (isLeftOut[next]) next += 1;
      const behind = items[next];
      if (isLeftOut[at] || (behind?.kind === 'operation' && readsFlags(behind.instruction.mnemonic)))
        continue;
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

/** The register that an operation modifies, for itself alone if that is all that reads it. */
function ownNumber({ mnemonic, operands: [to] }: Instruction): number | undefined {
  if ((!isRemovable(mnemonic) && !isRemovableVector(mnemonic)) || to?.kind === 'memory') return undefined;
  return (to as { readonly number?: number } | undefined)?.number;
}
