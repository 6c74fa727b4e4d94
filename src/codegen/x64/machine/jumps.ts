/**
 * Makes jumps of an allocated function as few as they can be, where structured control leaves more:
 *
 *     jge L1          jl L2            je stopped      jne L3          jmp L4
 *     jmp L2                           jmp L3          jmp stopped   L4:
 *   L1:
 *
 * What leaves the function is hardly ever taken, so the other way costs one jump instead of two. Jumps to what comes next go.
 */
import { conditionNumber, conditions } from '../assembler/tables/control.ts';
import type { MachineFunction } from './function.ts';
import { type MachineItem, MachineOperation } from './operation.ts';

export function straightenJumps(fn: MachineFunction): void {
  const { items } = fn;
  const kept: MachineItem[] = [];
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at]!;
    const target = targetOf(item);
    if (item.kind === 'label' || target === undefined) {
      kept.push(item);
      continue;
    }
    if (!item.leaves && isNext(items, at + 1, target)) continue;
    const next = items[at + 1];
    const negated = negatedName(item.instruction.mnemonic);
    const isPair = negated !== undefined && next?.kind === 'operation' && next.instruction.mnemonic === 'jmp';
    if (!isPair || targetOf(next) === undefined) kept.push(item);
    else if (!item.leaves && isNext(items, at + 2, target)) {
      kept.push(renamed(next, negated));
      at += 1;
    } else if (item.leaves && !next.leaves && !isNext(items, at + 2, targetOf(next)!)) {
      kept.push(renamed(next, negated), renamed(item, 'jmp'));
      at += 1;
    } else kept.push(item);
  }
  if (kept.length < items.length || kept.some((item, at) => item !== items[at])) fn.items = kept;
}

/** Where a jump goes. */
export function targetOf(item: MachineItem | undefined): number | undefined {
  if (item?.kind !== 'operation' || item.isCall) return undefined;
  const { mnemonic, operands } = item.instruction;
  const [target] = operands;
  return mnemonic.startsWith('j') && target?.kind === 'label' ? target.label : undefined;
}

/** Whether a label is at this place, with others at most before it. */
function isNext(items: readonly MachineItem[], from: number, label: number): boolean {
  for (let at = from; at < items.length; at += 1) {
    const item = items[at]!;
    if (item.kind !== 'label') return false;
    if (item.label === label) return true;
  }
  return false;
}

/** The jump if the condition does not hold. Conditions and their opposites are next to each other. */
function negatedName(mnemonic: string): string | undefined {
  const number = conditionNumber(mnemonic.slice(1));
  return number === undefined ? undefined : `j${conditions[number ^ 1]![0]}`;
}

function renamed(jump: MachineOperation, mnemonic: string): MachineOperation {
  return new MachineOperation({ ...jump.instruction, mnemonic }, jump);
}
