/**
 * What the code generator asks of single instructions when it plans a function (`plan-function.ts`) and when it writes it: at
 * which level a query is answered, what is written anew at every use.
 */

import type * as ir from '../../../ir/ir.ts';
import type { Level } from './function-plan.ts';

/** What one function needs of the scopes around it, by name: `global_id.0`, `linear_local_id`, `area`. */
export function queryKey(query: ir.Query): string {
  return query.fn === 'work_dim' || query.fn === 'linear_local_id'
    ? query.fn
    : `${query.fn}.${query.dimension}`;
}

/** At which level a query's answer is known; `mayCutGroups` where groups may differ in size. */
export function queryLevel(key: string, mayCutGroups = false): Level {
  const [fn, dimension] = key.split('.');
  switch (fn) {
    case 'group_id':
      return 1;
    case 'linear_local_id':
      return 4;
    case 'global_id':
    case 'local_id':
      return dimension === '0' ? 4 : dimension === '1' ? 3 : 2;
    case 'local_size':
      return mayCutGroups ? 1 : 0;
    default:
      return 0;
  }
}

/** Whether its result is emitted anew at every use: that takes one instruction, or two. */
export function isFreeInstruction(instruction: ir.Instruction): boolean {
  switch (instruction.op) {
    case 'constant':
    case 'undefined':
    case 'query':
    case 'variable':
    case 'global_address':
    case 'function_address':
      return true;
    default:
      return false;
  }
}
