/**
 * Which structures some work-items of a vector leave for a place further out while others stay. Behind such a structure
 * the mask is smaller than before it, perhaps empty.
 */
import type * as ir from '../../../ir/ir.ts';
import type { Uniformity } from '../../analysis/uniformity.ts';

export interface Divergence {
  /** Whether lanes may leave the structure for a target outside of it, one by one. */
  isLeft(structure: ir.Structured): boolean;
  /** How many `continue`s lead back to the loop from inside its body, besides that at the body's end. */
  nestedRepeats(loop: ir.Loop): number;
}

export function findDivergence(region: ir.Region, uniformity: Uniformity): Divergence {
  const left = new Set<ir.Structured>();
  const repeats = new Map<ir.Structured, number>();
  const visit = (inner: ir.Region, path: readonly ir.Structured[]): void => {
    for (const instruction of inner.instructions) {
      if (instruction.op === 'break' || instruction.op === 'continue') {
        const { target } = instruction;
        if (instruction.op === 'continue' && path.at(-1) !== target)
          repeats.set(target, (repeats.get(target) ?? 0) + 1);
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
    nestedRepeats: (loop) => repeats.get(loop) ?? 0,
  };
}

/**
 * How deep the vector form of a region nests, at most: what follows a structure that all lanes may have left goes into an
 * `if`, so that a hundred ways out of a loop nest a hundred deep.
 */
export function vectorNesting(region: ir.Region, uniformity: Uniformity): number {
  const divergence = findDivergence(region, uniformity);
  const depthOf = ({ instructions }: ir.Region, nests: boolean): number => {
    let most = 0;
    let level = 0;
    for (const instruction of instructions) {
      const stays =
        instruction.op === 'loop' &&
        uniformity.isDivergent(instruction) &&
        divergence.nestedRepeats(instruction) === 0;
      for (const inner of instruction.regions) most = Math.max(most, level + 1 + depthOf(inner, !stays));
      if (nests && instruction.regions.length > 0 && divergence.isLeft(instruction as ir.Structured))
        level += 1;
    }
    return Math.max(most, level);
  };
  return depthOf(region, true);
}
