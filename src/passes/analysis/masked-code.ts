/**
 * Analysis: which instructions only some of the work-items that go together may run, so that a vector of them needs a mask.
 *
 *     if slt %x, %n { A } else { B }         both, where %x differs
 *     if sge %x, %n { return } ...           what follows, to the end of the kernel
 *     loop { if sge %k, %x { break } ... }   the whole body: some have left it before
 */
import type * as ir from '../../ir/ir.ts';
import type { Uniformity } from './uniformity.ts';

/** @param uniformity says whose ways are compared */
export function findMasked(body: ir.Region, uniformity: Uniformity): ReadonlySet<ir.Instruction> {
  const left = findLeft(body, uniformity);
  const masked = new Set<ir.Instruction>();
  const visit = (region: ir.Region, isMasked: boolean): void => {
    let isHere = isMasked;
    for (const instruction of region.instructions) {
      if (isHere) masked.add(instruction);
      if (instruction.regions.length === 0) continue;
      const structure = instruction as ir.Structured;
      // Lanes leave a block from within it: what they leave out there is behind what they have left.
      const parts = structure.op !== 'block' && uniformity.isDivergent(structure);
      for (const nested of structure.regions) visit(nested, isHere || parts);
      if (left.has(structure)) isHere = true;
    }
  };
  visit(body, false);
  return masked;
}

/** The structures that some may leave for a place further out while others stay. */
function findLeft(body: ir.Region, uniformity: Uniformity): ReadonlySet<ir.Structured> {
  const left = new Set<ir.Structured>();
  const path: ir.Structured[] = [];
  const visit = (region: ir.Region): void => {
    for (const instruction of region.instructions) {
      const { op } = instruction;
      if (op === 'break' || op === 'continue' || op === 'return') {
        const between = path.slice(op === 'return' ? 0 : path.lastIndexOf(instruction.target) + 1);
        if (between.some((structure) => uniformity.isDivergent(structure))) {
          for (const structure of between) left.add(structure);
        }
      }
      if (instruction.regions.length === 0) continue;
      path.push(instruction as ir.Structured);
      for (const nested of instruction.regions) visit(nested);
      path.pop();
    }
  };
  visit(body);
  return left;
}
