/** Where instructions touch memory. */
import type * as ir from '../../../ir/ir.ts';
import { sizeOf } from '../../../ir/types.ts';

export type Access = 'load' | 'store' | 'atomic' | 'copy';

/** The pointers through which an instruction touches memory, and how many bytes. */
export function accessesOf(
  instruction: ir.Instruction,
): { readonly pointer: ir.Value; readonly bytes: number | ir.Value }[] {
  const { operands } = instruction;
  switch (instruction.op) {
    case 'load':
      return [{ pointer: operands[0]!, bytes: sizeOf(instruction.results[0]!.type) }];
    case 'store':
      return [{ pointer: operands[0]!, bytes: sizeOf(operands[1]!.type) }];
    case 'atomic':
      return [{ pointer: operands[0]!, bytes: sizeOf((instruction.results[0] ?? operands[1])!.type) }];
    case 'copy':
      return [
        { pointer: operands[0]!, bytes: operands[2]! },
        { pointer: operands[1]!, bytes: operands[2]! },
      ];
    case 'fill':
      return [{ pointer: operands[0]!, bytes: operands[1]! }];
    default:
      return [];
  }
}
