/** Whether control can reach the end of a statement: for the warning of functions that end without a value. */
import type { Expression, Statement } from '../ast.ts';
import { evaluateConstant, isTrue } from '../constant.ts';
import { hasAttribute } from './attributes.ts';

/** True if what follows the statement may be reached. Labels that a goto may jump to count as reached. */
export function canFallThrough(statement: Statement): boolean {
  return flow(statement).falls;
}

interface Flow {
  /** control may come out at the end */
  readonly falls: boolean;
  /** a break in it leaves the loop or switch around it */
  readonly breaks: boolean;
  /** it holds a label, so it may be entered though what is before it does not fall through */
  readonly entered: boolean;
  /** a continue in it belongs to the loop around it */
  readonly continues: boolean;
  /** a default label in it belongs to the switch around it */
  readonly hasDefault: boolean;
}

const straight: Flow = { falls: true, breaks: false, entered: false, continues: false, hasDefault: false };
const away: Flow = { ...straight, falls: false };

function flow(statement: Statement): Flow {
  switch (statement.kind) {
    case 'compound': {
      let falls = true;
      let breaks = false;
      let entered = false;
      let continues = false;
      let hasDefault = false;
      for (const inner of statement.statements) {
        const result = flow(inner);
        breaks ||= result.breaks && (falls || result.entered);
        falls = (falls || result.entered) && result.falls;
        entered ||= result.entered;
        continues ||= result.continues;
        hasDefault ||= result.hasDefault;
      }
      return { falls, breaks, entered, continues, hasDefault };
    }
    case 'return':
    case 'goto':
      return away;
    case 'continue':
      return { ...away, continues: true };
    case 'break':
      return { ...away, breaks: true };
    case 'if': {
      let falls = false;
      let breaks = false;
      let entered = false;
      let continues = false;
      let hasDefault = false;
      let isReached = true;
      for (const one of [statement, ...statement.elseIfs, undefined]) {
        const taken = one ? one.then : statement.else;
        const arm = taken ? flow(taken) : straight;
        const known = !one || constantTruth(one.condition);
        falls ||= isReached && known !== false && arm.falls;
        isReached &&= known !== true;
        breaks ||= arm.breaks;
        entered ||= arm.entered;
        continues ||= arm.continues;
        hasDefault ||= arm.hasDefault;
      }
      return { falls, breaks, entered, continues, hasDefault };
    }
    case 'while':
    case 'for': {
      const body = flow(statement.body);
      const isEndless = statement.condition === undefined || constantTruth(statement.condition) === true;
      const { entered, hasDefault } = body;
      return { falls: !isEndless || body.breaks, breaks: false, entered, continues: false, hasDefault };
    }
    case 'do': {
      const body = flow(statement.body);
      const isEndless = constantTruth(statement.condition) === true;
      const reachesEnd = body.falls || body.continues;
      const { entered, hasDefault } = body;
      const falls = (reachesEnd && !isEndless) || body.breaks;
      return { falls, breaks: false, entered, continues: false, hasDefault };
    }
    case 'switch': {
      const body = flow(statement.body);
      const falls = body.falls || body.breaks || !body.hasDefault;
      return { ...straight, falls, continues: body.continues };
    }
    case 'case':
    case 'label':
      return { ...flow(statement.body), entered: true };
    case 'default':
      return { ...flow(statement.body), entered: true, hasDefault: true };
    case 'expression':
      return statement.expression && neverReturns(statement.expression) ? away : straight;
    default:
      return straight;
  }
}

const leavingBuiltins = new Set(['__builtin_unreachable', '__builtin_trap', '__builtin_abort']);

/** A call of a function that does not come back. */
function neverReturns(expression: Expression): boolean {
  if (expression.kind === 'builtin-call') return leavingBuiltins.has(expression.builtin.name);
  if (expression.kind !== 'call' || expression.callee.kind !== 'function') return false;
  return hasAttribute(expression.callee.attributes, 'noreturn');
}

function constantTruth(condition: Expression): boolean | undefined {
  const value = evaluateConstant(condition);
  return value && isTrue(value);
}
