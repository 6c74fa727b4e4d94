/**
 * Arithmetic in double whose operands are floats and whose result becomes one, which programs have who write `2.0` where they mean `2.0f`:
 *
 *     fnarrow (fmul (fwiden %a), 2.0)    =>    fmul %a, 2.0f
 *
 * It is the same for every value: a double has more than twice the digits of a float and two, so that rounding a sum, product, quotient or
 * root of floats to double and then to float is rounding it once (Figueroa, "When is double rounding innocuous?"). Comparisons of
 * floats are the same in both, too.
 */
import type * as ir from '../../../ir/ir.ts';
import { elementOf, f32, f64, lanesOf, type Type, vectorType } from '../../../ir/types.ts';
import type { Folds, Simpler } from './folds.ts';

const sums: ReadonlySet<string> = new Set(['fadd', 'fsub', 'fmul', 'fdiv']);

/** @param instruction rounds a double to a float */
export function foldNarrowed(folds: Folds, { operands, results, rounding }: ir.Convert): Simpler {
  const { type } = results[0]!;
  const inner = folds.definition(operands[0]!);
  if (!inner || elementOf(type) !== f32 || elementOf(operands[0]!.type) !== f64) return undefined;
  if (inner.op === 'convert' && inner.fn === 'fwiden' && inner.operands[0]!.type === type)
    return inner.operands[0];
  if (rounding !== undefined && rounding !== 'rte') return undefined;
  const isRoot = inner.op === 'unary' && inner.fn === 'fsqrt';
  if (!isRoot && !(inner.op === 'binary' && sums.has(inner.fn))) return undefined;
  const floats = asFloats(folds, inner.operands, type);
  if (!floats) return undefined;
  const of = { operands: floats, results, regions: [] };
  return inner.op === 'unary'
    ? { ...of, op: 'unary', fn: 'fsqrt' }
    : { ...of, op: 'binary', fn: (inner as ir.Binary).fn };
}

/** A comparison of doubles that are floats. */
export function foldNarrowComparison(folds: Folds, instruction: ir.Compare): Simpler {
  const [{ type }] = instruction.operands as [ir.Value];
  if (elementOf(type) !== f64) return undefined;
  const operands = asFloats(
    folds,
    instruction.operands,
    lanesOf(type) === 1 ? f32 : vectorType(f32, lanesOf(type) as 2),
  );
  return operands && { ...instruction, operands };
}

/** The operands as values of a type of floats; undefined if they are not all floats, or no more than constants. */
function asFloats(folds: Folds, operands: readonly ir.Value[], type: Type): ir.Value[] | undefined {
  const wide = operands.map((operand) => {
    const definition = folds.definition(operand);
    if (definition?.op === 'convert') {
      const [origin] = definition.operands as [ir.Value];
      return definition.fn === 'fwiden' && origin.type === type ? origin : undefined;
    }
    const constant = folds.scalarConstant(operand);
    return typeof constant === 'number' && Object.is(Math.fround(constant), constant) ? constant : undefined;
  });
  if (wide.includes(undefined) || !wide.some((each) => typeof each === 'object')) return undefined;
  return wide.map((each) => (typeof each === 'number' ? folds.newConstant(type, each) : each!));
}
