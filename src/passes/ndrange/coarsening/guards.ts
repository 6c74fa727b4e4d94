/**
 * Guards such as `if (row < n && column < n)` around what a kernel does. Nearly always all rows that run together pass
 * what is asked of rows, so that is asked once for all of them, and what is asked of columns stays as it was. So it is with
 * `if (row == 0 || column == 0)` where the border is treated in another way, and with `if (row <= column)`, which holds for most rows
 * alike but at the diagonal.
 */
import type * as ir from '../../../ir/ir.ts';
import { isEmpty } from '../../../ir/regions.ts';
import type { Uniformity } from '../../analysis/uniformity.ts';
import type { JamFacts } from './unroll-and-jam.ts';

/** What is guarded is done where all conditions are `wanted`, and the rest otherwise, which may be nothing. */
export interface Guard {
  readonly guarded: ir.Region;
  readonly rest: ir.Region;
  readonly wanted: boolean;
  /** Conditions that differ between rows, comparisons of what steps evenly between them, and along them if at all. */
  readonly ofRows: readonly ir.Value[];
  /** Conditions that are the same for all rows. */
  readonly ofAll: readonly ir.Value[];
}

/** More conditions than this are no guard. */
const mostConditions = 8;

export function findGuard(branch: ir.If, facts: JamFacts): Guard | undefined {
  if (branch.results.length > 0) return undefined;
  const [then, otherwise] = branch.regions as [ir.Region, ir.Region];
  const condition = branch.operands[0]!;
  const isEither = !isEmpty(then) && !isEmpty(otherwise);
  const wanted = isEither ? isAllOf('ne', condition, 'and', facts) : isEmpty(otherwise);
  // Of two sides the rare one must be that of a row or a column.
  if (isEither && !wanted && !isAllOf('eq', condition, 'or', facts)) return undefined;
  const [guarded, rest] = wanted ? [then, otherwise] : [otherwise, then];
  if ([guarded, rest].some(({ instructions }) => instructions.at(-1)!.op !== 'yield')) return undefined;
  const conditions: ir.Value[] = [];
  divide(condition, wanted ? 'and' : 'or', facts, conditions);
  if (conditions.length > mostConditions) return undefined;
  const ofAll = conditions.filter((condition) => facts.column.isUniform(condition));
  const ofRows = conditions.filter((condition) => !facts.column.isUniform(condition));
  return ofRows.every((condition) => isRange(condition, wanted, facts))
    ? { guarded, rest, wanted, ofRows, ofAll }
    : undefined;
}

/** Whether the condition joins comparisons of one kind. */
function isAllOf(fn: ir.Compare['fn'], condition: ir.Value, join: 'and' | 'or', facts: JamFacts): boolean {
  const conditions: ir.Value[] = [];
  divide(condition, join, facts, conditions);
  return conditions.every((one) => {
    const definition = facts.definitions.get(one);
    return definition?.op === 'compare' && definition.fn === fn;
  });
}

/** The conditions that are joined. */
function divide(condition: ir.Value, join: 'and' | 'or', facts: JamFacts, into: ir.Value[]): void {
  const definition = facts.definitions.get(condition);
  if (definition?.op === 'binary' && definition.fn === join) {
    for (const operand of definition.operands) divide(operand, join, facts, into);
  } else into.push(condition);
}

function isRange(condition: ir.Value, wanted: boolean, { column, row, definitions }: JamFacts): boolean {
  const definition = definitions.get(condition);
  if (definition?.op !== 'compare' || definition.fn === (wanted ? 'eq' : 'ne')) return false;
  const isEven = (along: Uniformity): boolean =>
    definition.operands.every((operand) => along.of(operand).kind !== 'varying');
  return isEven(column) && (row.isUniform(condition) || isEven(row));
}
