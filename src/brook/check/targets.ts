/** What may stand on the left of an assignment, and as the argument of an `out` parameter. */
import type { Expression } from '../syntax/ast.ts';
import { fail } from './expressions.ts';
import { groups } from './groups.ts';
import type { Scope } from './scope.ts';
import { sharedWriteProblem } from './shared-writes.ts';
import type { Typed } from './tree.ts';

/** Whether a value can be assigned to; says so if not. */
export function checkTarget(scope: Scope, target: Typed, at: Expression): boolean {
  const refuse = (text: string, group: string = groups.target): false => {
    fail(scope, at, group, text);
    return false;
  };
  switch (target.kind) {
    case 'local':
      return target.local.isConst ? refuse('lvalue is a constant type') : true;
    case 'formal':
      if (target.formal.role === 'stream') return refuse('Input streams are read only streams');
      if (target.formal.role === 'value')
        return refuse('Non-stream/Non Array inputs are not allowed to modify inside kernel');
      return true;
    case 'element':
    case 'element-at':
      return target.array.role === 'scatter' ? true : refuse('Gather arrays are read only arrays');
    case 'shared': {
      if (at.kind !== 'index' || scope.groupSize === undefined) return true;
      const problem = sharedWriteProblem(at, target.array, scope.groupSize);
      return problem === undefined ? true : refuse(problem, groups.expression);
    }
    case 'swizzle':
      if (new Set(target.lanes).size < target.lanes.length)
        return refuse('illegal to use components repetition in lvalue expression', groups.expression);
      return checkTarget(scope, target.object, at.kind === 'member' ? at.object : at);
    case 'field':
      return checkTarget(scope, target.object, at.kind === 'member' ? at.object : at);
    case 'literal':
      return refuse('lvalue is a constant');
    case 'call':
    case 'builtin':
      return refuse('lvalue is a function call');
    default:
      return refuse('lvalue is a constant');
  }
}
