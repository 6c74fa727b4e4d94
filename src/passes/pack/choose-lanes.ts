/** Whether a region of work-items is packed, and with how many lanes. */
import type * as ir from '../../ir/ir.ts';
import type { LaneCount } from '../../ir/types.ts';
import { walkRegion } from '../../ir/walk.ts';
import type { Uniformity } from '../uniformity.ts';

/** Why a region stays as it is. */
export interface Refusal {
  readonly reason: string;
  readonly at: ir.Instruction | undefined;
}

/** @param forced the number of lanes to take if packing is possible at all */
export function chooseLanes(
  items: ir.Items,
  uniformity: Uniformity,
  forced: LaneCount | undefined,
): LaneCount | Refusal {
  return findObstacle(items, uniformity) ?? forced ?? 8;
}

/** The first thing that cannot be packed. */
function findObstacle(items: ir.Items, uniformity: Uniformity): Refusal | undefined {
  let found: Refusal | undefined;
  walkRegion(items.regions[0]!, (instruction) => {
    if (found) return;
    if (instruction.op === 'call' && asksWho(instruction.callee, new Set())) {
      found = {
        reason: `calls ${instruction.callee.name}, which asks for ids of its work-item`,
        at: instruction,
      };
    }
    for (const value of [...instruction.operands, ...instruction.results]) {
      const isHandle = value.type.kind === 'opaque';
      if (isHandle && !uniformity.isUniform(value)) {
        found = { reason: 'a handle that differs between work-items', at: instruction };
      }
    }
  });
  return found;
}

function asksWho(fn: ir.Function, seen: Set<ir.Function>): boolean {
  if (seen.has(fn) || !fn.body) return false;
  seen.add(fn);
  let asks = false;
  walkRegion(fn.body, (instruction) => {
    if (instruction.op === 'query') {
      asks ||= ['local_id', 'global_id', 'linear_local_id'].includes(instruction.fn);
    }
    if (instruction.op === 'call') asks ||= asksWho(instruction.callee, seen);
  });
  return asks;
}
