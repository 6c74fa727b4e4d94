/**
 * Whether addresses that are not known to step evenly may well do so mostly: those computed from ids by arithmetic, such
 * as `clamp(x - 1, 0, width - 1)`, as against those that were read from memory. It is then worth asking at run time.
 */
import type * as ir from '../../../ir/ir.ts';
import type { Shape, Uniformity } from '../../analysis/uniformity.ts';

/** How far back an address is followed. */
const deepest = 24;

export function isLikelyConsecutive(
  pointer: ir.Value,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
  uniformity: Uniformity,
): boolean {
  let steps = 0;
  let budget = 64;
  const follow = (value: ir.Value, depth: number): boolean => {
    const shape = uniformity.of(value);
    if (shape.kind === 'uniform') return true;
    if (shape.kind === 'affine') {
      if (shape.step !== 0) steps += 1;
      return true;
    }
    const definition = definitions.get(value);
    budget -= 1;
    if (!definition || depth > deepest || budget < 0) return false;
    switch (definition.op) {
      case 'binary':
        // `row * n` lies apart by what only the launch knows, and hardly ever by one element.
        if (isScaled(definition, uniformity)) return false;
        return definition.operands.every((operand) => follow(operand, depth + 1));
      case 'unary':
      case 'compare':
      case 'convert':
      case 'offset':
      case 'select':
        return definition.operands.every((operand) => follow(operand, depth + 1));
      default:
        return false;
    }
  };
  return follow(pointer, 0) && steps > 0;
}

/** Whether what steps evenly is multiplied by what is the same for all; a constant would have left an even step. */
function isScaled({ fn, operands }: ir.Binary, uniformity: Uniformity): boolean {
  const [left, right] = operands.map((operand) => uniformity.of(operand));
  const isEven = (shape: Shape | undefined): boolean => shape?.kind === 'affine' && shape.step !== 0;
  if (fn === 'shl') return isEven(left) && right?.kind === 'uniform';
  return fn === 'imul' && (isEven(left) || isEven(right));
}
