/**
 * Operations on vectors that one instruction does together with what computes their operands.
 *
 * A product and the sum that takes it, in relaxed SIMD, where OpenCL C allows contraction:
 *
 *     %p = fmul contract %a, %b : f32x8
 *     %s = fadd contract %p, %c : f32x8        f32x4.relaxed_madd a, b, c     for each part
 *     %d = fsub contract %c, %p : f32x8        f32x4.relaxed_nmadd a, b, c
 *
 * The engine rounds once or twice, whichever its processor does faster. That is what `contract` allows, and is not
 * enough for `fma`. A product that has other uses is computed anyway, so it stays by itself.
 *
 * A comparison and the choice of one of its operands, with the same answer for NaNs and zeros:
 *
 *     %l = flt %a, %b : boolx8
 *     %s = select %l, %b, %a : f32x8           f32x4.pmax a, b
 *     %s = select %l, %a, %b : f32x8           f32x4.pmin b, a
 *
 * And `and` with what has been inverted by `not`: v128.andnot.
 */
import type * as ir from '../../../ir/ir.ts';
import type { Value } from '../../../ir/ir.ts';
import type { Type } from '../../../ir/types.ts';
import type { Scope } from '../kernel/function-plan.ts';

export interface Combined {
  /** What the instruction takes, in its order. */
  readonly operands: readonly [Value, ...Value[]];
  readonly name: 'relaxed_madd' | 'relaxed_nmadd' | 'pmin' | 'pmax' | 'andnot';
}

/**
 * @param scopes the loop in which each instruction of the function is
 * @param fuses whether products may be computed together with the sums that take them
 */
export function findCombined(
  scopes: ReadonlyMap<ir.Instruction, Scope>,
  fuses: boolean,
): Map<ir.Instruction, Combined> {
  const combined = new Map<ir.Instruction, Combined>();
  if (fuses) findFusedProducts(scopes, combined);
  const comparisons = new Map<Value, ir.Compare>();
  const opposites = new Map<Value, Value>();
  for (const instruction of scopes.keys()) {
    if (instruction.op === 'unary' && instruction.fn === 'not') {
      opposites.set(instruction.results[0]!, instruction.operands[0]!);
    }
    if (instruction.op === 'binary' && instruction.fn === 'and')
      combineOpposite(instruction, opposites, combined);
    if (instruction.op === 'compare') comparisons.set(instruction.results[0]!, instruction);
    if (instruction.op !== 'select' || !isFloatVector(instruction.results[0]!.type)) continue;
    const [condition, whenTrue, whenFalse] = instruction.operands as [Value, Value, Value];
    const comparison = comparisons.get(condition);
    if (comparison?.fn !== 'flt' && comparison?.fn !== 'fgt') continue;
    const [a, b] = comparison.operands as [Value, Value];
    const [less, more] = comparison.fn === 'flt' ? [a, b] : [b, a];
    if (whenTrue === more && whenFalse === less)
      combined.set(instruction, { operands: [less, more], name: 'pmax' });
    if (whenTrue === less && whenFalse === more)
      combined.set(instruction, { operands: [more, less], name: 'pmin' });
  }
  return combined;
}

function combineOpposite(
  and: ir.Binary,
  opposites: ReadonlyMap<Value, Value>,
  combined: Map<ir.Instruction, Combined>,
): void {
  if (and.results[0]!.type.kind !== 'vector') return;
  const [a, b] = and.operands as [Value, Value];
  const [left, right] = [opposites.get(a), opposites.get(b)];
  if (right) combined.set(and, { operands: [a, right], name: 'andnot' });
  else if (left) combined.set(and, { operands: [b, left], name: 'andnot' });
}

function findFusedProducts(
  scopes: ReadonlyMap<ir.Instruction, Scope>,
  combined: Map<ir.Instruction, Combined>,
): void {
  const uses = new Map<Value, number>();
  const products = new Map<Value, ir.Instruction>();
  for (const instruction of scopes.keys()) {
    for (const operand of instruction.operands) uses.set(operand, (uses.get(operand) ?? 0) + 1);
    if (isContractible(instruction, 'fmul')) products.set(instruction.results[0]!, instruction);
  }
  for (const [instruction, scope] of scopes) {
    const isSum = isContractible(instruction, 'fadd');
    if (!isSum && !isContractible(instruction, 'fsub')) continue;
    const [left, right] = instruction.operands as [Value, Value];
    const productOf = (value: Value): ir.Instruction | undefined => {
      const product = products.get(value);
      return product && uses.get(value) === 1 && scopes.get(product) === scope ? product : undefined;
    };
    const second = productOf(right);
    const first = isSum ? productOf(left) : undefined;
    const product = second ?? first;
    if (!product) continue;
    const [a, b] = product.operands as [Value, Value];
    const operands = [a, b, second ? left : right] as const;
    combined.set(instruction, { operands, name: isSum ? 'relaxed_madd' : 'relaxed_nmadd' });
  }
}

/** Whether it is such an operation, and may be fused. */
function isContractible(instruction: ir.Instruction, fn: ir.BinaryFunction): boolean {
  if (instruction.op !== 'binary' || instruction.fn !== fn || !instruction.contract) return false;
  return isFloatVector(instruction.results[0]!.type);
}

/** Vectors of floats or doubles. */
function isFloatVector(type: Type): boolean {
  return type.kind === 'vector' && type.element.kind === 'float' && type.element.bits >= 32;
}
