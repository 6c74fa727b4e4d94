/** The flags of barriers that only a run knows: the mark that stands before each (src/ir/async-marks.ts) taken out of the code. */
import { barrierFlagsMark } from '../../../ir/async-marks.ts';
import type * as ir from '../../../ir/ir.ts';

/** The flags of each such barrier. What looks at the barrier itself finds that it orders nothing, which is all that is sure. */
export function takeBarrierFlags(body: ir.Region): ReadonlyMap<ir.Instruction, ir.Value> {
  const flags = new Map<ir.Instruction, ir.Value>();
  const visit = (region: ir.Region): void => {
    let told: ir.Value | undefined;
    region.instructions = region.instructions.flatMap((instruction) => {
      for (const nested of instruction.regions) visit(nested);
      if (instruction.op === 'call' && instruction.callee.name === barrierFlagsMark) {
        told = instruction.operands[0];
        return [];
      }
      if (instruction.op !== 'barrier' || !told) return [instruction];
      const barrier: ir.Barrier = { ...instruction, spaces: [] };
      flags.set(barrier, told);
      told = undefined;
      return [barrier];
    });
  };
  visit(body);
  return flags;
}
