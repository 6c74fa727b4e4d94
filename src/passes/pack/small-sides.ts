/** What is small enough to be written twice, or to run without asking whether anybody takes part. */
import type * as ir from '../../ir/ir.ts';

/** So many instructions may be written with masks and without. */
export const mostTwice = 250;

/** So many computations of a side run without asking whether anybody takes it. */
export const mostUnasked = 6;

export function isCheap(instruction: ir.Instruction): boolean {
  switch (instruction.op) {
    case 'unary':
      return instruction.fn !== 'fsqrt';
    case 'binary':
      switch (instruction.fn) {
        case 'sdiv':
        case 'udiv':
        case 'srem':
        case 'urem':
        case 'fdiv':
        case 'smulhi':
        case 'umulhi':
          return false;
        default:
          return true;
      }
    case 'fma':
    case 'image_read':
      return false;
    default:
      return true;
  }
}
