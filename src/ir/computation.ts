/** Functions that only compute: same arguments, same result, and nothing else comes of them. */
import type * as ir from './ir.ts';
import { walkRegion } from './walk.ts';

const known = new WeakMap<ir.Region, boolean>();

/**
 * Whether an outlined function's result depends on its arguments alone, and nothing else comes of a call. It may read constants and use
 * variables of its own. Others are not asked: they are inlined as a rule, and their bodies may still change.
 */
export function isComputation({ isOutlined, body, parameters }: ir.Function): boolean {
  if (!isOutlined || !body) return false;
  let answer = known.get(body);
  if (answer === undefined) {
    // A call of itself is none.
    known.set(body, false);
    answer = parameters.every(({ value }) => isNumber(value)) && onlyComputes(body);
    known.set(body, answer);
  }
  return answer;
}

function isNumber({ type }: ir.Value): boolean {
  return type.kind !== 'pointer' && type.kind !== 'opaque';
}

function onlyComputes(body: ir.Region): boolean {
  let only = true;
  walkRegion(body, (instruction) => {
    only &&= mayStand(instruction);
  });
  return only;
}

function mayStand(instruction: ir.Instruction): boolean {
  switch (instruction.op) {
    case 'load':
      return !instruction.volatile && isIn(instruction.operands[0]!, ['constant', 'private']);
    case 'store':
      return !instruction.volatile && isIn(instruction.operands[0]!, ['private']);
    case 'variable':
      return instruction.space === 'private';
    case 'call':
      return isComputation(instruction.callee);
    case 'global_address':
      return isIn(instruction.results[0]!, ['constant']);
    case 'constant':
    case 'undefined':
    case 'unary':
    case 'binary':
    case 'fma':
    case 'compare':
    case 'select':
    case 'convert':
    case 'splat':
    case 'build':
    case 'extract':
    case 'insert':
    case 'shuffle':
    case 'test':
    case 'offset':
    case 'if':
    case 'switch':
    case 'block':
    case 'loop':
    case 'yield':
    case 'break':
    case 'continue':
    case 'return':
      return true;
    default:
      return false;
  }
}

function isIn({ type }: ir.Value, spaces: readonly string[]): boolean {
  return type.kind === 'pointer' && spaces.includes(type.space);
}
