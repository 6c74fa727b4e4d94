/**
 * Functions that only compute, as a mathematical function does: calls with the same arguments have the same result and no effect.
 *
 *     function @f(%x: f32) -> f32 outlined {     it may load from constant memory and from variables of its own, not from other memory
 *
 * Calls of them are merged (gvn), are uniform where their arguments are (uniformity), and are vectorised (vector-functions).
 */
import { effectsOf, hasEffect } from './effects.ts';
import type * as ir from './ir.ts';
import { walkRegion } from './walk.ts';

const known = new WeakMap<ir.Region, boolean>();

/**
 * Whether a function is outlined and only computes. Others are not asked: they are inlined as a rule, and their bodies may still change.
 * The answer is kept for the function's body: passes that change it leave what it computes as it is.
 */
export function isComputation({ isOutlined, body, parameters }: ir.Function): boolean {
  if (!isOutlined || !body) return false;
  let answer = known.get(body);
  if (answer === undefined) {
    // A function that calls itself is not one.
    known.set(body, false);
    answer = parameters.every(({ value }) => isNumber(value));
    walkRegion(body, (instruction) => {
      answer &&= onlyComputes(instruction);
    });
    known.set(body, answer);
  }
  return answer;
}

/** Whether pointers lead to constants and to variables of the function: none is loaded, or made of a number. */
function onlyComputes(instruction: ir.Instruction): boolean {
  const { op, operands, results } = instruction;
  switch (op) {
    case 'load':
      return !instruction.volatile && isIn(operands[0]!, 'constant', 'private') && isNumber(results[0]!);
    case 'store':
      return !instruction.volatile && isIn(operands[0]!, 'private');
    case 'variable':
      return instruction.space === 'private';
    case 'global_address':
      return isIn(results[0]!, 'constant');
    case 'offset':
    case 'select':
      return true;
    case 'query':
      return false;
    default:
      return (
        !hasEffect(instruction) &&
        (op === 'call' || !effectsOf(instruction).reads) &&
        [...operands, ...results].every(isNumber)
      );
  }
}

function isNumber({ type }: ir.Value): boolean {
  return type.kind !== 'pointer' && type.kind !== 'opaque';
}

function isIn({ type }: ir.Value, ...spaces: readonly string[]): boolean {
  return type.kind === 'pointer' && spaces.includes(type.space);
}
