/**
 * Short loops do several iterations at once, with one test for all of them (`unrollCounted` of counted-loops.ts shows the form); the loop
 * as it was does what is left. For machines that run very many work-items, none of them out of order: there the loads of all these
 * iterations are on their way together, where otherwise each iteration would wait for its own.
 *
 * runtime-unroll is for machines that run one work-item out of order: it keeps a test for each iteration.
 */
import { isComputation } from '../../ir/computation.ts';
import { findDefinitions } from '../../ir/definitions.ts';
import { isPure } from '../../ir/effects.ts';
import type * as ir from '../../ir/ir.ts';
import { walkRegion, walkRegionsInsideOut } from '../../ir/walk.ts';
import { type CountedLoop, findCount, unrollCounted } from '../analysis/counted-loops.ts';

/** Instructions of an iteration: longer ones have enough to do while they wait. */
const longestIteration = 40;
/** Ways that lead on within an iteration; `findCount` has seen that no other leads out of the loop. */
const jumps: ReadonlySet<ir.Instruction['op']> = new Set(['if', 'yield', 'continue', 'break']);
/** How many instructions a kernel may grow by: drivers take minutes for very long shaders. */
const mostGrowth = 1500;

/** @param iterations how many loops do at once */
export function unrollPartially(fn: ir.Function, iterations: number, addressBits: 32 | 64): void {
  if (!fn.body) return;
  let definitions: ReadonlyMap<ir.Value, ir.Instruction> | undefined;
  let growth = 0;
  walkRegionsInsideOut(fn.body, (region) => {
    region.instructions = region.instructions.flatMap((loop) => {
      if (loop.op !== 'loop' || loop.unroll !== undefined) return [loop];
      const size = sizeOf(loop);
      if (size === undefined || growth + size * iterations > mostGrowth) return [loop];
      definitions ??= findDefinitions(fn.body!);
      const counted = findCount(loop, definitions);
      if (!counted || !mayRepeat(counted)) return [loop];
      growth += size * iterations;
      return unrollCounted(counted, iterations, addressBits, new Set());
    });
  });
}

/**
 * Instructions of an iteration of a loop that is to be unrolled: it loads something, and has no loop, barrier, atomic operation or call
 * but of what only computes.
 */
function sizeOf(loop: ir.Loop): number | undefined {
  let size = 0;
  let hasLoad = false;
  let isPlain = true;
  walkRegion(loop.regions[0]!, (instruction) => {
    const { op } = instruction;
    size += 1;
    hasLoad ||= op === 'load';
    const computes = isPure(instruction) || (op === 'call' && isComputation(instruction.callee));
    isPlain &&= op === 'load' || op === 'store' || jumps.has(op) || computes;
  });
  return isPlain && hasLoad && size <= longestIteration ? size : undefined;
}

/** Where the test comes first but for what computes it, whole iterations follow one another. */
function mayRepeat({ loop, testAt }: CountedLoop): boolean {
  return loop.regions[0]!.instructions.slice(0, testAt).every(isPure);
}
