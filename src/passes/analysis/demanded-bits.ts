/**
 * How many of the low bits of each integer anything asks for. What is cut to a byte, or stored as one, needs eight bits of a sum, and of its
 * terms, whatever lies above them:
 *
 *     %s = iadd %a, %b : i32       8
 *     %t = trunc %s : i8
 */
import type * as ir from '../../ir/ir.ts';
import { elementOf } from '../../ir/types.ts';
import { walkRegion } from '../../ir/walk.ts';

type Definitions = ReadonlyMap<ir.Value, ir.Instruction>;

/** For integers of a region that are used there; all bits for those that are not in it. */
export function findDemandedBits(region: ir.Region, definitions: Definitions): ReadonlyMap<ir.Value, number> {
  const order: ir.Instruction[] = [];
  walkRegion(region, (instruction) => {
    order.push(instruction);
  });
  const demanded = new Map<ir.Value, number>();
  // Uses come behind definitions, but for what loops carry, of which all is demanded.
  for (const instruction of order.toReversed()) {
    const own = Math.max(0, ...instruction.results.map((result) => demanded.get(result) ?? 0));
    instruction.operands.forEach((operand, index) => {
      const element = elementOf(operand.type);
      if (element.kind !== 'int') return;
      const bits = Math.min(element.bits, demandOf(instruction, index, own, definitions));
      demanded.set(operand, Math.max(bits, demanded.get(operand) ?? 0));
    });
  }
  return demanded;
}

const all = Number.POSITIVE_INFINITY;

/** @param own how much is demanded of the result */
function demandOf(instruction: ir.Instruction, index: number, own: number, definitions: Definitions): number {
  switch (instruction.op) {
    case 'convert': {
      const isCut = ['trunc', 'zext', 'sext'].includes(instruction.fn);
      return isCut ? own : all;
    }
    case 'select':
      return index === 0 ? all : own;
    case 'splat':
      return own;
    case 'unary':
      return instruction.fn === 'not' ? own : all;
    case 'binary':
      switch (instruction.fn) {
        case 'iadd':
        case 'isub':
        case 'imul':
        case 'or':
        case 'xor':
          return own;
        case 'and': {
          const mask = constantOf(instruction.operands[1 - index]!, definitions);
          return mask !== undefined && mask >= 0 ? Math.min(own, Math.ceil(Math.log2(mask + 1))) : own;
        }
        case 'shl': {
          const count = constantOf(instruction.operands[1]!, definitions);
          if (index !== 0 || count === undefined) return all;
          // Counts are taken modulo the width.
          const { bits } = elementOf(instruction.operands[0]!.type) as { bits: number };
          return bits <= 32 ? Math.max(0, own - (count & (bits - 1))) : all;
        }
        default:
          return all;
      }
    default:
      return all;
  }
}

/** The number that is the same in all lanes of a constant. */
export function constantOf(value: ir.Value, definitions: Definitions): number | undefined {
  const definition = definitions.get(value);
  if (definition?.op === 'splat') return constantOf(definition.operands[0]!, definitions);
  if (definition?.op !== 'constant') return undefined;
  const [first, ...others] = [definition.value].flat();
  return typeof first === 'number' && others.every((other) => other === first) ? first : undefined;
}
