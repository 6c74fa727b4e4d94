/** What computes each value. */
import type * as ir from './ir.ts';
import { walkRegion } from './walk.ts';

/** By value, the instruction whose result it is; parameters have none. */
export function findDefinitions(body: ir.Region): Map<ir.Value, ir.Instruction> {
  const definitions = new Map<ir.Value, ir.Instruction>();
  walkRegion(body, (instruction) => {
    for (const result of instruction.results) definitions.set(result, instruction);
  });
  return definitions;
}
