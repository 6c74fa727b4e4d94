/**
 * Guards such as `if (get_global_id(0) < n)` around all that a region of work-items does. Work-items count up along
 * x, so the guard is an upper bound of the x loop, and is tested once a row instead of once a work-item.
 */
import { isRemovable } from '../../../ir/effects.ts';
import type * as ir from '../../../ir/ir.ts';
import type { Value } from '../../../ir/ir.ts';
import type { FunctionCompiler } from './function-compiler.ts';
import type { WorkItemLoopPlan } from './function-plan.ts';

/** "id < limit" for the work-items that do anything. */
export interface RowBound {
  readonly id: 'global_id' | 'local_id';
  readonly limit: Value;
  readonly isSigned: boolean;
  /** The x loop's instructions without the guard. */
  readonly body: readonly ir.Instruction[];
}

/** Comparisons that say "first operand below second", and those that say "first not below second". */
const below: Partial<Record<ir.CompareFunction, boolean>> = { slt: true, ult: true, sge: false, uge: false };
/** The same with the id as second operand: "first above second", "first not above second". */
const above: Partial<Record<ir.CompareFunction, boolean>> = { sgt: true, ugt: true, sle: false, ule: false };

/** Finds the guard of a region that does nothing outside it; counters of context arrays need every step. */
export function findBound(fc: FunctionCompiler, plan: WorkItemLoopPlan): RowBound | undefined {
  if (plan.strides.size > 0 || plan.queries.has('linear_local_id')) return undefined;
  const at = plan.x.findIndex((one) => !isRemovable(one));
  const branch = plan.x[at];
  if (branch?.op !== 'if' || branch.results.length > 0 || plan.x[at + 1]?.op !== 'yield') return undefined;
  const compare = fc.definition(branch.operands[0]!);
  if (compare?.op !== 'compare' || fc.info(branch.operands[0]!).uses !== 1) return undefined;
  const [a, b] = compare.operands as [Value, Value];
  const first = idOf(fc, a);
  const id = first ?? idOf(fc, b);
  const limit = first ? b : a;
  const goesOnTrue = (first ? below : above)[compare.fn];
  if (!id || goesOnTrue === undefined || fc.info(limit).level > 3) return undefined;
  const [then, otherwise] = branch.regions as [ir.Region, ir.Region];
  const taken = goesOnTrue ? then : otherwise;
  const skipped = goesOnTrue ? otherwise : then;
  if (skipped.instructions[0]?.op !== 'yield') return undefined;
  const body = [...plan.x.slice(0, at).filter((one) => one !== compare), ...taken.instructions];
  return { id, limit, isSigned: compare.fn.startsWith('s'), body };
}

function idOf(fc: FunctionCompiler, value: Value): 'global_id' | 'local_id' | undefined {
  const query = fc.definition(value);
  if (query?.op !== 'query' || query.dimension !== 0) return undefined;
  return query.fn === 'global_id' || query.fn === 'local_id' ? query.fn : undefined;
}

/** Replaces the i32 on the stack by the lesser of it and the limit. */
export function pushClamped(fc: FunctionCompiler, bound: RowBound): void {
  const { code } = fc;
  const end = code.toTemporary('i32');
  fc.push(bound.limit);
  fc.release(bound.limit);
  const limit = code.toTemporary('i32');
  code.get(limit);
  code.get(end);
  code.get(limit);
  code.get(end);
  code.op(bound.isSigned ? 'i32.lt_s' : 'i32.lt_u');
  code.op('select');
  code.release(limit);
  code.release(end);
}
