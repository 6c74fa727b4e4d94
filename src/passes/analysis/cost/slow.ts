/** Which single computations take several times as long as an addition. */
import type * as ir from '../../../ir/ir.ts';

/** Divisions and square roots: dozens of cycles. */
export function isSlow(instruction: ir.Instruction): boolean {
  if (instruction.op === 'unary') return instruction.fn === 'fsqrt';
  if (instruction.op !== 'binary') return false;
  switch (instruction.fn) {
    case 'sdiv':
    case 'udiv':
    case 'srem':
    case 'urem':
    case 'fdiv':
      return true;
    default:
      return false;
  }
}

/**
 * Whether a computation takes too long to be done where its result may not be wanted. Where a machine has no exact `fma`, and none for the
 * upper half of a product, they are many instructions.
 */
export function isSlowToWaste(instruction: ir.Instruction): boolean {
  if (instruction.op === 'fma') return true;
  if (instruction.op === 'binary' && (instruction.fn === 'smulhi' || instruction.fn === 'umulhi'))
    return true;
  return isSlow(instruction);
}
