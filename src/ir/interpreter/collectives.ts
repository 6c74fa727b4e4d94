/** What collectives give each work-item, from what all have brought along. */
import { identityOf, subGroupSize } from '../collectives.ts';
import type * as ir from '../ir.ts';
import { binaryOperation } from './arithmetic.ts';
import { Fault } from './memory.ts';
import type { WorkItem } from './state.ts';
import type { RuntimeValue } from './values.ts';

/** The number of the sub-group of a work-item. */
export function subGroupOf(index: number): number {
  return Math.floor(index / subGroupSize);
}

/**
 * The result for a work-item, after the barrier; `id` is that of the one meant in the work-group or sub-group. Values are
 * combined in the order of their work-items.
 */
export function collectiveResult(collective: ir.Collective): (item: WorkItem, id: number) => RuntimeValue {
  const { fn, combine, scope } = collective;
  const { type } = collective.operands[0]!;
  const isSubGroup = scope === 'sub-group';
  const combined = combination(combine, type);
  const identity = identityOf(combine, type);
  return ({ group, index }, id) => {
    const subGroup = subGroupOf(index);
    const phase = (isSubGroup ? group.subPhases[subGroup]! : group.phase) - 1;
    const offers = group.offers[scope][(phase & 1) as 0 | 1];
    const begin = isSubGroup ? subGroup * subGroupSize : 0;
    const end = isSubGroup ? Math.min(begin + subGroupSize, group.itemCount) : group.itemCount;
    if (fn === 'broadcast') {
      if (!(begin + id < end)) throw new Fault(`broadcast from work-item ${id} of ${end - begin}`);
      return offers[begin + id]!;
    }
    const last = fn === 'reduce' ? end : fn === 'scan_inclusive' ? index + 1 : index;
    let result: RuntimeValue = identity;
    for (let each = begin; each < last; each += 1) {
      result = each === begin ? offers[each]! : combined(result, offers[each]!);
    }
    return result;
  };
}

/** Combines two scalars. */
export function combination(
  combine: ir.CombineFunction,
  type: ir.Value['type'],
): (a: RuntimeValue, b: RuntimeValue) => RuntimeValue {
  if (combine === 'fmin') return (a, b) => (b < a ? b : a);
  if (combine === 'fmax') return (a, b) => (a < b ? b : a);
  return binaryOperation(combine, type);
}
