/** Whether a function returns what its type promises (A.6.3.10): some way to its end may have no `return`. */
import type { Typed, TypedStatement } from './tree.ts';

/** How the ways through a function's body end: all in a `return`, some beyond its last statement, or none in a `return`. */
export type Returns = 'all' | 'some' | 'none';

export function returnsOf(body: readonly TypedStatement[]): Returns {
  if (!body.some(hasReturn)) return 'none';
  return goesOnAfter(body) ? 'some' : 'all';
}

function hasReturn(statement: TypedStatement): boolean {
  switch (statement.kind) {
    case 'return':
      return true;
    case 'block':
      return statement.body.some(hasReturn);
    case 'if':
      return hasReturn(statement.yes) || (statement.no !== undefined && hasReturn(statement.no));
    case 'for':
    case 'while':
    case 'do':
      return hasReturn(statement.body);
    default:
      return false;
  }
}

function goesOnAfter(body: readonly TypedStatement[]): boolean {
  return body.every(goesOn);
}

/** Whether what stands behind a statement is reached, as far as can be told without the values of variables. */
function goesOn(statement: TypedStatement): boolean {
  switch (statement.kind) {
    case 'return':
    case 'break':
    case 'continue':
      return false;
    case 'block':
      return goesOnAfter(statement.body);
    case 'if':
      return !statement.no || goesOn(statement.yes) || goesOn(statement.no);
    case 'for':
    case 'while':
      return !isAlways(statement.condition) || breaks(statement.body);
    case 'do':
      return breaks(statement.body) || (!isAlways(statement.condition) && reachesCondition(statement.body));
    default:
      return true;
  }
}

/** Whether a condition is a number other than 0, or left out. */
function isAlways(condition: Typed | undefined): boolean {
  return !condition || (condition.kind === 'literal' && Number(condition.text) !== 0);
}

function reachesCondition(body: TypedStatement): boolean {
  return goesOn(body) || leaves(body, 'continue');
}

function breaks(body: TypedStatement): boolean {
  return leaves(body, 'break');
}

/** Whether a loop's body has a `break` or `continue` of that loop. */
function leaves(statement: TypedStatement, kind: 'break' | 'continue'): boolean {
  switch (statement.kind) {
    case kind:
      return true;
    case 'block':
      return statement.body.some((one) => leaves(one, kind));
    case 'if':
      return leaves(statement.yes, kind) || (statement.no !== undefined && leaves(statement.no, kind));
    default:
      return false;
  }
}
