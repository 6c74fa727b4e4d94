/** What keeps the work-items of a region from running together, whatever it costs. */
import { isComputation } from '../../../ir/computation.ts';
import type * as ir from '../../../ir/ir.ts';
import { walkRegion } from '../../../ir/walk.ts';
import { scalarRegion } from '../../../ir/work-item-loops.ts';
import type { Target } from '../../../target/target.ts';
import type { Uniformity } from '../../analysis/uniformity.ts';
import { vectorNesting } from './divergence.ts';

/** Why a region stays as it is. */
export interface Refusal {
  readonly reason: string;
  /** Where, if one place is to blame. */
  readonly at: ir.Instruction | undefined;
}

/**
 * A call of a function that is kept apart. The library has such functions for rare formats of images, and calls them next to
 * code that reads a common format with the vectors of one work-item. Where the format is known there are no calls. Those that deal with
 * pipes hinder nobody: they are called for one work-item after another.
 */
export function findOutlined(region: ir.Region): ir.Call | undefined {
  let found: ir.Call | undefined;
  walkRegion(region, (instruction) => {
    if (instruction.op !== 'call' || !instruction.callee.isOutlined) return;
    const { serves, isCold } = instruction.callee;
    if (serves !== 'pipes' && !(isCold && isComputation(instruction.callee))) found ??= instruction;
  });
  return found;
}

/** Says so in the words of who wrote the kernel, who has not heard of the library's functions. */
export function refuseOutlined(call: ir.Call): Refusal {
  const { name, serves } = call.callee;
  return serves === 'images'
    ? { reason: 'reads and writes of images whose formats only a launch knows', at: undefined }
    : { reason: `calls of '${name}', which stays a function`, at: call };
}

/** The first thing that cannot be vectorised. */
export function findObstacle(
  itemLoop: ir.WorkItemLoop,
  uniformity: Uniformity,
  { deepestNesting }: Target,
): Refusal | undefined {
  let found: Refusal | undefined;
  walkRegion(scalarRegion(itemLoop), (instruction) => {
    if (found) return;
    if (instruction.op === 'loop' && uniformity.isDivergent(instruction)) {
      const lock = findLock(instruction.regions[0]!, uniformity);
      if (lock) found = { reason: 'its work-items may wait for each other', at: lock };
    }
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
  if (!found && vectorNesting(scalarRegion(itemLoop), uniformity) > deepestNesting)
    found = { reason: 'its work-items leave loops and blocks in too many places', at: undefined };
  return found;
}

/**
 * An exchange of fixed values in a loop that work-items leave at different iterations looks like a lock. Who has it has left the
 * loop, and would wait with what it does next until the others have left it too.
 */
function findLock(body: ir.Region, uniformity: Uniformity): ir.Instruction | undefined {
  let lock: ir.Instruction | undefined;
  walkRegion(body, (instruction) => {
    if (instruction.op !== 'atomic') return;
    const isExchange = instruction.fn === 'exchange' || instruction.fn === 'compare_exchange';
    if (isExchange && instruction.operands.slice(1).every((value) => uniformity.isUniform(value))) {
      lock ??= instruction;
    }
  });
  return lock;
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
