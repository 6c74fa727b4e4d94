/** What the meanings of collective instructions share: sub-groups, and values that change nothing when combined. */
import { integerOf, zeroOf } from './constants.ts';
import type * as ir from './ir.ts';
import type { Type } from './types.ts';

/**
 * How many work-items a sub-group has: neighbours by their linear ids, so that whole sub-groups fill the group from its
 * start and the last may be smaller. The same on every device, in vectors or not.
 */
export const subGroupSize = 8;

/** Whether a collective gives all work-items of the group one value. */
export function isSameForGroup({ fn, scope }: ir.Collective): boolean {
  return scope === 'work-group' && (fn === 'reduce' || fn === 'broadcast');
}

/** The value that changes none that it is combined with (OpenCL 2.0, 6.13.15): what an exclusive scan begins with. */
export function identityOf(combine: ir.CombineFunction, type: Type): ir.ScalarConstant {
  const bits = type.kind === 'int' || type.kind === 'float' ? type.bits : 32;
  switch (combine) {
    case 'fadd':
      return 0;
    case 'fmin':
      return Number.POSITIVE_INFINITY;
    case 'fmax':
      return Number.NEGATIVE_INFINITY;
    case 'and':
    case 'umin':
      return integerOf(type, -1);
    case 'smin':
      return integerOf(type, (1n << BigInt(bits - 1)) - 1n);
    case 'smax':
      return integerOf(type, -(1n << BigInt(bits - 1)));
    default:
      return zeroOf(type);
  }
}

/** The cells of all work-items that a work-item loop writes. */
export function combinedContextArrays({ regions }: ir.WorkItemLoop): ReadonlySet<ir.ContextArray> {
  const contextArrays = new Set<ir.ContextArray>();
  for (const instruction of regions[0]?.instructions ?? []) {
    if (instruction.op === 'context_write' && instruction.contextArray.combine)
      contextArrays.add(instruction.contextArray);
  }
  return contextArrays;
}
