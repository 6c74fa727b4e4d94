/** Whether control can reach the end of a statement: for the warning of functions that end without a value. */
import type { Expression, Statement } from '../ast.ts';
import { evaluateConstant, isTrue } from '../constant.ts';

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
}

const straight: Flow = { falls: true, breaks: false, entered: false };

function flow(statement: Statement): Flow {
  switch (statement.kind) {
    case 'compound': {
      let falls = true;
      let breaks = false;
      let entered = false;
      for (const inner of statement.statements) {
        const result = flow(inner);
        breaks ||= result.breaks && (falls || result.entered);
        falls = (falls || result.entered) && result.falls;
        entered ||= result.entered;
      }
      return { falls, breaks, entered };
    }
    case 'return':
    case 'goto':
    case 'continue':
      return { falls: false, breaks: false, entered: false };
    case 'break':
      return { falls: false, breaks: true, entered: false };
    case 'if': {
      const yes = flow(statement.then);
      const no = statement.else ? flow(statement.else) : straight;
      const known = constantTruth(statement.condition);
      return {
        falls: (known !== false && yes.falls) || (known !== true && no.falls),
        breaks: yes.breaks || no.breaks,
        entered: yes.entered || no.entered,
      };
    }
    case 'while':
    case 'for': {
      const body = flow(statement.body);
      const isEndless = statement.condition === undefined || constantTruth(statement.condition) === true;
      return { falls: !isEndless || body.breaks, breaks: false, entered: body.entered };
    }
    case 'do': {
      const body = flow(statement.body);
      const isEndless = constantTruth(statement.condition) === true;
      const reachesEnd = body.falls || continues(statement.body);
      return { falls: (reachesEnd && !isEndless) || body.breaks, breaks: false, entered: body.entered };
    }
    case 'switch': {
      const body = flow(statement.body);
      const falls = body.falls || body.breaks || !hasDefault(statement.body);
      return { falls, breaks: false, entered: false };
    }
    case 'case':
    case 'default':
    case 'label':
      return { ...flow(statement.body), entered: true };
    default:
      return straight;
  }
}

function constantTruth(condition: Expression): boolean | undefined {
  const value = evaluateConstant(condition);
  return value && isTrue(value);
}

/** A default label of this switch, not of one inside it. */
function hasDefault(statement: Statement): boolean {
  switch (statement.kind) {
    case 'default':
      return true;
    case 'compound':
      return statement.statements.some(hasDefault);
    case 'if':
      return hasDefault(statement.then) || (statement.else !== undefined && hasDefault(statement.else));
    case 'case':
    case 'label':
    case 'while':
    case 'do':
    case 'for':
      return hasDefault(statement.body);
    default:
      return false;
  }
}

/** A continue of this loop, not of one inside it. */
function continues(statement: Statement): boolean {
  switch (statement.kind) {
    case 'continue':
      return true;
    case 'compound':
      return statement.statements.some(continues);
    case 'if':
      return continues(statement.then) || (statement.else !== undefined && continues(statement.else));
    case 'case':
    case 'default':
    case 'label':
    case 'switch':
      return continues(statement.body);
    default:
      return false;
  }
}
