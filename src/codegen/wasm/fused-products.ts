/**
 * Which sums of vectors take their product along in one instruction of relaxed SIMD, where OpenCL C allows contraction:
 *
 *     %p = fmul contract %a, %b : f32x8
 *     %s = fadd contract %p, %c : f32x8        f32x4.relaxed_madd a, b, c     for each part
 *     %d = fsub contract %c, %p : f32x8        f32x4.relaxed_nmadd a, b, c
 *
 * The engine rounds once or twice, whichever its processor does faster. That is what `contract` allows, and is not
 * enough for `fma`. A product that has other uses is computed anyway, so it stays by itself.
 */
import type * as ir from '../../ir/ir.ts';
import type { Value } from '../../ir/ir.ts';
import type { Scope } from './function-plan.ts';

export interface FusedProduct {
  /** Both factors, and what is added to their product. */
  readonly operands: readonly [Value, Value, Value];
  /** Whether the product is subtracted. */
  readonly isSubtracted: boolean;
}

/** @param scopes the loop in which each instruction of the function stands */
export function findFusedProducts(
  scopes: ReadonlyMap<ir.Instruction, Scope>,
): Map<ir.Instruction, FusedProduct> {
  const uses = new Map<Value, number>();
  const products = new Map<Value, ir.Instruction>();
  for (const instruction of scopes.keys()) {
    for (const operand of instruction.operands) uses.set(operand, (uses.get(operand) ?? 0) + 1);
    if (isContractible(instruction, 'fmul')) products.set(instruction.results[0]!, instruction);
  }
  const fused = new Map<ir.Instruction, FusedProduct>();
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
    fused.set(instruction, { operands: [a, b, second ? left : right], isSubtracted: !isSum });
  }
  return fused;
}

/** Whether it is such an operation on vectors of floats or doubles, and may be fused. */
function isContractible(instruction: ir.Instruction, fn: ir.BinaryFunction): boolean {
  if (instruction.op !== 'binary' || instruction.fn !== fn || !instruction.contract) return false;
  const { type } = instruction.results[0]!;
  return type.kind === 'vector' && type.element.kind === 'float' && type.element.bits >= 32;
}
