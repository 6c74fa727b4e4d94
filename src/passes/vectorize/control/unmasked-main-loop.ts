/**
 * Unmasked main loops (index-set splitting), for loops that lanes leave at different iterations, but mostly not in the middle:
 *
 *     for (uint i = get_global_id(0); i < count; i += get_global_size(0)) sum += in[i];
 *
 * As long as all lanes go on, which scalars can tell (`i` steps evenly from lane to lane), iterations need no masks.
 *
 * No other pass splits a loop's iterations: masks would be kept for all of them. It is done for every loop whose exit steps evenly from lane to
 * lane, whatever the loop computes.
 */
import { isPure } from '../../../ir/effects.ts';
import type * as ir from '../../../ir/ir.ts';
import { countInstructions, isEmpty } from '../../../ir/regions.ts';
import { walkRegion } from '../../../ir/walk.ts';
import { thresholds } from '../../analysis/cost/thresholds.ts';
import type { VectorContext } from '../emit/vector-context.ts';

/** Where such a loop is left. */
export interface UnmaskedMainLoop {
  /** What is computed before it is known who goes on. */
  readonly before: readonly ir.Instruction[];
  readonly condition: ir.Compare;
  /** What the condition is for those that go on. */
  readonly wanted: boolean;
  /** The rest of an iteration; ends by going on. */
  readonly rest: readonly ir.Instruction[];
}

/** Only loops with one way out, at the start of an iteration, and one way back at its end. */
export function findUnmaskedMainLoop(context: VectorContext, loop: ir.Loop): UnmaskedMainLoop | undefined {
  const { instructions } = loop.regions[0]!;
  const at = instructions.findIndex((one) => !isPure(one));
  const exit = instructions[at];
  const last = instructions.at(-1)!;
  if (exit?.op !== 'if' || last.op !== 'continue' || last.target !== loop) return undefined;
  const [then, otherwise] = exit.regions as [ir.Region, ir.Region];
  const wanted = isEmpty(then);
  const [leaving] = (wanted ? otherwise : then).instructions;
  if (!isEmpty(wanted ? then : otherwise) || leaving?.op !== 'break' || leaving.target !== loop)
    return undefined;
  const condition = context.definition(exit.operands[0]!);
  if (condition?.op !== 'compare' || countInstructions(loop.regions[0]!) > thresholds.mostTwice)
    return undefined;
  const inside = new Set<ir.Instruction>([loop]);
  let isLeftElsewhere = false;
  walkRegion(loop.regions[0]!, (instruction) => {
    inside.add(instruction);
    if (instruction.op === 'variable') isLeftElsewhere = true;
    if (instruction.op !== 'break' && instruction.op !== 'continue') return;
    if (instruction === leaving || instruction === last) return;
    if (instruction.target === loop || !inside.has(instruction.target)) isLeftElsewhere = true;
  });
  if (isLeftElsewhere) return undefined;
  return { before: instructions.slice(0, at), condition, wanted, rest: instructions.slice(at + 1) };
}
