/**
 * Whether addresses that are not known to step evenly may well do so mostly: those computed from ids by arithmetic, such
 * as `clamp(x - 1, 0, width - 1)`, as against those that were read from memory. It is then worth asking at run time.
 */
import type * as ir from '../../ir/ir.ts';
import type { Uniformity } from '../uniformity.ts';

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
      case 'unary':
      case 'binary':
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
