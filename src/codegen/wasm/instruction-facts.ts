/**
 * What the code generator asks of single instructions when it plans a function (`plan-function.ts`) and when it writes it: at
 * which level a query is answered, which constant offsets a memory access takes in, what is written anew at every use.
 */

import type * as ir from '../../ir/ir.ts';
import type { Value } from '../../ir/ir.ts';
import type { Level, ValueInfo } from './function-plan.ts';

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

/** An address as a base and a constant number of bytes after it. */
export interface Address {
  readonly base: Value;
  readonly offset: number;
}

/** The largest offset that is folded into a memory instruction. */
const largestOffset = 0x7fffffff;

/** Follows constant, non-negative moves inside an object back to where they started. */
export function addressOf(pointer: Value, values: ReadonlyMap<Value, ValueInfo>): Address {
  let base = pointer;
  let offset = 0;
  for (;;) {
    const definition = values.get(base)?.definition;
    if (definition?.op !== 'offset') return { base, offset };
    const bytes = values.get(definition.operands[1]!)?.definition;
    if (bytes?.op !== 'constant' || typeof bytes.value !== 'number') return { base, offset };
    if (bytes.value < 0 || offset + bytes.value > largestOffset) return { base, offset };
    offset += bytes.value;
    base = definition.operands[0]!;
  }
}

/** Whether the instruction's first operand is an address into which constant offsets fold. */
export function foldsAddress(instruction: ir.Instruction): boolean {
  switch (instruction.op) {
    case 'load':
    case 'store':
    case 'atomic':
    case 'masked_load':
    case 'masked_store':
    case 'gather':
    case 'scatter':
      return true;
    default:
      return false;
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
