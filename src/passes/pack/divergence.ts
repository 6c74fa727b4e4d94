/**
 * Which structures some work-items of a pack leave for a place further out while others stay. Behind such a structure
 * the mask is smaller than before it, perhaps empty.
 */
import type * as ir from '../../ir/ir.ts';
import type { Uniformity } from '../uniformity.ts';

export interface Divergence {
  /** Whether lanes may leave the structure for a target outside of it, one by one. */
  isLeft(structure: ir.Structured): boolean;
  /** How many `continue`s lead back to the loop. */
  repeats(loop: ir.Loop): number;
}

export function findDivergence(region: ir.Region, uniformity: Uniformity): Divergence {
  const left = new Set<ir.Structured>();
  const repeats = new Map<ir.Loop, number>();
  const visit = (inner: ir.Region, path: readonly ir.Structured[]): void => {
    for (const instruction of inner.instructions) {
      if (instruction.op === 'break' || instruction.op === 'continue') {
        const { target } = instruction;
        if (instruction.op === 'continue')
          repeats.set(instruction.target, (repeats.get(instruction.target) ?? 0) + 1);
        if (uniformity.isDivergent(target)) {
          for (const structure of path.slice(path.lastIndexOf(target) + 1)) left.add(structure);
        }
      }
      for (const nested of instruction.regions) visit(nested, [...path, instruction as ir.Structured]);
    }
  };
  visit(region, []);
  return {
    isLeft: (structure) => left.has(structure),
    repeats: (loop) => repeats.get(loop) ?? 0,
  };
}
