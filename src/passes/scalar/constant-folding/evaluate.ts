/**
 * Computes instructions whose operands are constants, with the interpreter's own arithmetic. Folding uses it, and
 * the search for trip counts.
 */
import {
  binaryOperation,
  compareOperation,
  fmaOperation,
  selectValue,
  unaryOperation,
} from '../../../ir/interpreter/arithmetic.ts';
import { convertOperation } from '../../../ir/interpreter/convert.ts';
import type { RuntimeValue, Scalar } from '../../../ir/interpreter/values.ts';
import type * as ir from '../../../ir/ir.ts';

export type ConstantValue = ir.Constant['value'];

/**
 * The value of an instruction's only result, when it is a computation and all its operands are constants.
 * @param constant the constant that a value is, if it is one
 */
export function evaluate(
  instruction: ir.Instruction,
  constant: (value: ir.Value) => ConstantValue | undefined,
  addressBits: 32 | 64,
): ConstantValue | undefined {
  if (instruction.op === 'constant' || instruction.operands.length === 0) return undefined;
  // Mostly the first is none.
  for (const operand of instruction.operands) if (constant(operand) === undefined) return undefined;
  const values = instruction.operands.map((operand) => constant(operand) as RuntimeValue);
  return compute(instruction, values, addressBits) as ConstantValue | undefined;
}

function compute(
  instruction: ir.Instruction,
  values: readonly RuntimeValue[],
  addressBits: 32 | 64,
): RuntimeValue | undefined {
  const [a, b, c] = values as [RuntimeValue, RuntimeValue, RuntimeValue];
  const { type } = instruction.operands[0]!;
  switch (instruction.op) {
    case 'unary':
      return unaryOperation(instruction.fn, type)(a);
    case 'binary':
      return binaryOperation(instruction.fn, type)(a, b);
    case 'fma':
      return fmaOperation(type)(a, b, c);
    case 'compare':
      return compareOperation(instruction.fn, type)(a, b);
    case 'select':
      return selectValue(a, b, c);
    case 'convert': {
      const to = instruction.results[0]!.type;
      const value = convertOperation(instruction, type, to, addressBits)(a);
      // A NaN's other bits would get lost on the way.
      const isLossy = instruction.fn === 'bitcast' && (hasNaN(a) || hasNaN(value));
      return isLossy || (to.kind === 'pointer' && value !== 0) ? undefined : value;
    }
    case 'splat': {
      const to = instruction.results[0]!.type;
      return new Array<Scalar>(to.kind === 'vector' ? to.lanes : 1).fill(a as Scalar);
    }
    case 'build':
      return [...values] as Scalar[];
    case 'extract':
      return (a as readonly Scalar[])[instruction.lane]!;
    case 'insert': {
      const lanes = [...(a as readonly Scalar[])];
      lanes[instruction.lane] = b as Scalar;
      return lanes;
    }
    case 'shuffle': {
      const both = [...(a as readonly Scalar[]), ...(b as readonly Scalar[])];
      return instruction.lanes.map((lane) => both[Math.max(lane, 0)]!);
    }
    default:
      return undefined;
  }
}

function hasNaN(value: RuntimeValue): boolean {
  return typeof value === 'object' ? value.some((lane) => Number.isNaN(lane)) : Number.isNaN(value);
}
