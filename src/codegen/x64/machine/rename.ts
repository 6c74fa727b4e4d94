/** Instructions with other registers. */
import type { Instruction, Operand } from '../assembler/instruction.ts';

/** The instruction with other numbers of registers, which may depend on the operands that these are of. */
export function renamed(one: Instruction, number: (before: number, operand: number) => number): Instruction {
  let operands: Operand[] | undefined;
  for (let index = 0; index < one.operands.length; index += 1) {
    const before = one.operands[index]!;
    const after = renamedOperand(before, index, number);
    if (after === before) continue;
    operands ??= [...one.operands];
    operands[index] = after;
  }
  return operands ? { ...one, operands } : one;
}

function renamedOperand(
  operand: Operand,
  index: number,
  number: (before: number, operand: number) => number,
): Operand {
  switch (operand.kind) {
    case 'general':
    case 'vector': {
      const after = number(operand.number, index);
      return after === operand.number ? operand : { ...operand, number: after };
    }
    case 'memory': {
      const { base, index: scaled } = operand;
      const newBase = base && (renamedOperand(base, index, number) as typeof base);
      const newIndex = scaled && (renamedOperand(scaled, index, number) as typeof scaled);
      if (newBase === base && newIndex === scaled) return operand;
      return { ...operand, ...(newBase && { base: newBase }), ...(newIndex && { index: newIndex }) };
    }
    default:
      return operand;
  }
}
