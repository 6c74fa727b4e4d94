/** Where in a list of instructions each value is used last. */
import type * as ir from '../../../ir/ir.ts';

/** By value, the index of the last instruction that uses it, itself or in its regions; values made in the list only. */
export function lastUses(instructions: readonly ir.Instruction[]): ReadonlyMap<ir.Value, number> {
  const last = new Map<ir.Value, number>();
  const use = (instruction: ir.Instruction, index: number): void => {
    for (const operand of instruction.operands) if (last.has(operand)) last.set(operand, index);
    for (const region of instruction.regions) for (const inner of region.instructions) use(inner, index);
  };
  for (const [index, instruction] of instructions.entries()) {
    use(instruction, index);
    for (const result of instruction.results) last.set(result, index);
  }
  return last;
}
