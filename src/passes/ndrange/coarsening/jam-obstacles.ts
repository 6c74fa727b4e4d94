/** What keeps work-items of several rows from being done together. */
import { hasEffect, isPure } from '../../../ir/effects.ts';
import type * as ir from '../../../ir/ir.ts';
import { walkRegion } from '../../../ir/walk.ts';
import type { Uniformity } from '../../analysis/uniformity.ts';

/** Regions with more instructions are not written several times. */
const mostInstructions = 600;

/** Bytes of private arrays a work-item; with more of them the rows push each other out of the cache. */
const mostPrivateBytes = 1024;

/** Whether `unrollAndJam` can take the region, as far as its instructions say, and it makes any sense. */
export function isJammable(region: ir.Region): boolean {
  let count = 0;
  let privateBytes = 0;
  let asksForRow = false;
  let isOutlined = false;
  let isInOrder = false;
  walkRegion(region, (instruction) => {
    count += 1;
    if (instruction.op === 'variable' && instruction.space === 'private') privateBytes += instruction.size;
    if (instruction.op === 'query') {
      asksForRow ||=
        instruction.dimension === 1 && (instruction.fn === 'local_id' || instruction.fn === 'global_id');
    }
    isOutlined ||= instruction.op === 'call' && hasEffect(instruction);
    isInOrder ||= instruction.op === 'context_write' && instruction.scan !== undefined;
  });
  return (
    asksForRow && !isOutlined && !isInOrder && count <= mostInstructions && privateBytes <= mostPrivateBytes
  );
}

/**
 * Whether a guard without loops is all that the region does: rows and ends of rows that it keeps out are skipped
 * where rows are done one by one (`row-clip.ts` of the code generator), which may be most of them. But not if it asks
 * only for single rows and columns, such as the border.
 */
export function isBareGuard(region: ir.Region, definitions: ReadonlyMap<ir.Value, ir.Instruction>): boolean {
  let loops = 0;
  walkRegion(region, ({ op }) => {
    if (op === 'loop') loops += 1;
  });
  const acting = region.instructions.filter((one) => !isPure(one) && one.op !== 'load' && one.op !== 'yield');
  const [guard] = acting;
  const isGuard =
    guard?.op === 'if' && guard.regions.some(({ instructions }) => instructions[0]?.op === 'yield');
  return loops === 0 && acting.length === 1 && isGuard && asksForRange(guard.operands[0]!, definitions);
}

/** Whether an order of numbers is among what a condition joins, or something that is no comparison. */
function asksForRange(condition: ir.Value, definitions: ReadonlyMap<ir.Value, ir.Instruction>): boolean {
  const definition = definitions.get(condition);
  if (definition?.op === 'binary' && (definition.fn === 'and' || definition.fn === 'or')) {
    return definition.operands.some((operand) => asksForRange(operand, definitions));
  }
  return definition?.op !== 'compare' || (definition.fn !== 'eq' && definition.fn !== 'ne');
}

/**
 * Whether a jump leaves a structure that is written row by row for one further out: the first row to take it would take
 * the others along.
 */
export function leavesRowsBehind(region: ir.Region, column: Uniformity): boolean {
  let found = false;
  const visit = (
    inner: ir.Region,
    outside: ReadonlySet<ir.Instruction> | undefined,
    around: ir.Structured[],
  ): void => {
    for (const instruction of inner.instructions) {
      if (instruction.op === 'break' || instruction.op === 'continue') {
        found ||= outside?.has(instruction.target) ?? false;
      }
      if (instruction.regions.length === 0) continue;
      const structure = instruction as ir.Structured;
      const isApart = outside === undefined && column.isDivergent(structure);
      const inside = isApart ? new Set(around) : outside;
      for (const nested of structure.regions) visit(nested, inside, [...around, structure]);
    }
  };
  visit(region, undefined, []);
  return found;
}
