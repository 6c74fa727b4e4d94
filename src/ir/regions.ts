/** Short questions about what a region holds, with all that is nested in it. */
import type * as ir from './ir.ts';
import { isBarrier } from './ir.ts';
import { walkRegion } from './walk.ts';

/** Whether a barrier is anywhere in it. */
export function containsBarrier(region: ir.Region): boolean {
  return region.instructions.some((one) => isBarrier(one) || one.regions.some(containsBarrier));
}

/** Whether a loop is anywhere in it. */
export function containsLoop(region: ir.Region): boolean {
  return region.instructions.some(({ op, regions }) => op === 'loop' || regions.some(containsLoop));
}

/** Whether it returns anywhere. */
export function containsReturn(region: ir.Region): boolean {
  return region.instructions.some(({ op, regions }) => op === 'return' || regions.some(containsReturn));
}

/** How many instructions there are. */
export function countInstructions(region: ir.Region): number {
  let count = 0;
  walkRegion(region, () => {
    count += 1;
  });
  return count;
}

/** The same of all functions. */
export function countModuleInstructions({ functions }: ir.Module): number {
  let count = 0;
  for (const { body } of functions) if (body) count += countInstructions(body);
  return count;
}

/** Bytes of a work-item's private variables. */
export function privateBytes(region: ir.Region): number {
  let bytes = 0;
  walkRegion(region, (instruction) => {
    if (instruction.op === 'variable' && instruction.space === 'private') bytes += instruction.size;
  });
  return bytes;
}

/** Whether it is nothing but a yield of nothing. */
export function isEmpty({ instructions }: ir.Region): boolean {
  const [only] = instructions;
  return only?.op === 'yield' && only.operands.length === 0;
}
