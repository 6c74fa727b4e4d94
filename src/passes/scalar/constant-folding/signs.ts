/**
 * Where the sign of floats is turned round. Rounding to nearest does not look at signs, so a product's sign can be turned
 * before or after it; a NaN's sign means nothing. One form for what has several lets `f(x * x)` and `f(-x * -x)` be computed
 * once:
 *
 *     fabs (fneg %x)                         =>  fabs %x
 *     fmul (fneg %x), (fneg %y)              =>  fmul %x, %y               and so for fdiv
 *     fmul (fneg %x), 2.0                    =>  fmul %x, -2.0
 *     fmul (fmul %x, 2.0), (fneg %y)         =>  fmul (fmul %x, -2.0), %y
 *     fmul (fneg %x), %y                     =>  fneg (fmul %x, %y)        and so for fdiv
 *     fadd %x, (fneg %y); fsub %x, (fneg %y) =>  fsub %x, %y; fadd %x, %y
 */
import { newValue } from '../../../ir/builder.ts';
import type * as ir from '../../../ir/ir.ts';
import { type Folds, type Simpler, unary } from './folds.ts';

/** What is under a turned sign. */
function negated(folds: Folds, value: ir.Value): ir.Value | undefined {
  const definition = folds.definition(value);
  return definition?.op === 'unary' && definition.fn === 'fneg' ? definition.operands[0]! : undefined;
}

/** The size of what is negative is the size of what is not. */
export function foldSize(folds: Folds, instruction: ir.Unary): Simpler {
  const inside = instruction.fn === 'fabs' ? negated(folds, instruction.operands[0]!) : undefined;
  return inside && { ...instruction, operands: [inside] };
}

export function foldSigns(folds: Folds, instruction: ir.Binary): Simpler {
  const [a, b] = instruction.operands as [ir.Value, ir.Value];
  const [left, right] = [negated(folds, a), negated(folds, b)];
  if (!left && !right) return undefined;
  switch (instruction.fn) {
    case 'fmul':
    case 'fdiv':
      if (left && right) return { ...instruction, operands: [left, right] };
      return foldNegatedProduct(folds, instruction, left ?? a, right ?? b);
    case 'fadd':
      if (right) return { ...instruction, fn: 'fsub', operands: [a, right] };
      return { ...instruction, fn: 'fsub', operands: [b, left!] };
    case 'fsub':
      return right && { ...instruction, fn: 'fadd', operands: [a, right] };
    default:
      return undefined;
  }
}

/** A product or quotient of a and b with its sign turned round. */
function foldNegatedProduct(folds: Folds, instruction: ir.Binary, a: ir.Value, b: ir.Value): ir.Instruction {
  const folded = negatedConstant(folds, b);
  if (folded) return { ...instruction, operands: [a, folded] };
  for (const [factor, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const product = folds.definition(factor);
    if (product?.op !== 'binary' || product.fn !== 'fmul' || instruction.fn !== 'fmul') continue;
    const constant = negatedConstant(folds, product.operands[1]!);
    if (!constant) continue;
    const result = newValue(factor.type);
    folds.append({ ...product, operands: [product.operands[0]!, constant], results: [result] });
    return { ...instruction, operands: [result, other] };
  }
  const result = newValue(a.type);
  folds.append({ ...instruction, operands: [a, b], results: [result] });
  return { ...unary('fneg', result), results: instruction.results };
}

function negatedConstant(folds: Folds, value: ir.Value): ir.Value | undefined {
  const scalar = folds.scalarConstant(value);
  return typeof scalar === 'number' ? folds.newConstant(value.type, -scalar) : undefined;
}
