/** What operations do to memory: what passes that move them must know. */
import type { Instruction, MemoryOperand } from '../assembler/instruction.ts';
import { firstVirtual, type MachineOperation, memoryRegister, ofMnemonic, roleOf } from './operation.ts';

/** The operand by which an instruction accesses memory, if it does, and whether it writes there. Constants, which nobody writes, do not count. */
export function accessOf(
  one: Instruction,
): { readonly operand: MemoryOperand; readonly writes: boolean } | undefined {
  for (let index = 0; index < one.operands.length; index += 1) {
    const operand = one.operands[index]!;
    if (operand.kind !== 'memory' || one.mnemonic === 'lea' || operand.constant !== undefined) continue;
    return { operand, writes: roleOf(one, index) !== 'use' };
  }
  return undefined;
}

/** Whether two accesses, whose registers have the same values, may be to the same byte. */
export function mayMeet(one: MemoryOperand, other: MemoryOperand): boolean {
  const isKernels = ({ base }: MemoryOperand): boolean => base?.number === memoryRegister;
  if (isKernels(one) !== isKernels(other)) {
    // The frame and the context are beyond what kernels reach; another register may hold any address.
    const outside = isKernels(one) ? other : one;
    return (outside.base?.number ?? 0) >= firstVirtual;
  }
  if (one.base?.number !== other.base?.number || one.index?.number !== other.index?.number) return true;
  if ((one.scale ?? 1) !== (other.scale ?? 1) || one.index?.kind === 'vector') return true;
  const [a, b] = [one.offset ?? 0, other.offset ?? 0];
  return a < b + other.bits / 8 && b < a + one.bits / 8;
}

const isCallOrAtomic = ofMnemonic((mnemonic) => /^(call|xchg|xadd|cmpxchg|[lms]fence)/.test(mnemonic));

/** Whether accesses to memory stay on their side of it: a call, which may write anywhere, an atomic operation, a fence. */
export function ordersMemory({ isCall, instruction: { mnemonic, lock } }: MachineOperation): boolean {
  return isCall || lock === true || isCallOrAtomic(mnemonic);
}
