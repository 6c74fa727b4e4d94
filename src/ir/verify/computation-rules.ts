/** What instructions that compute values from values demand of the types and of their fields. */
import { samplerType } from '../images.ts';
import type * as ir from '../ir.ts';
import { elementOf, type IntType, i32, lanesOf, sizeOf, type Type, typeName } from '../types.ts';
import { mustBe, type Problem } from './demands.ts';

export function constantProblem(value: ir.Constant['value'], type: Type): Problem {
  if (type.kind !== 'vector') {
    return typeof value === 'object' ? 'lanes for a scalar' : scalarProblem(value, type);
  }
  if (typeof value !== 'object') return 'one value for a vector';
  if (value.length !== type.lanes) return `${value.length} lanes, expected ${type.lanes}`;
  for (const lane of value) {
    const problem = scalarProblem(lane, type.element);
    if (problem) return problem;
  }
  return undefined;
}

export function scalarProblem(value: ir.ScalarConstant, type: Type): Problem {
  return isCanonical(value, type)
    ? undefined
    : `${typeof value} ${String(value)} is no canonical constant of ${typeName(type)}`;
}

function isCanonical(value: ir.ScalarConstant, type: Type): boolean {
  switch (type.kind) {
    case 'bool':
      return typeof value === 'boolean';
    case 'int':
      if (type.bits === 64) return typeof value === 'bigint' && BigInt.asIntN(64, value) === value;
      if (typeof value !== 'number' || !Number.isInteger(value) || Object.is(value, -0)) return false;
      return value >= -(2 ** (type.bits - 1)) && value < 2 ** (type.bits - 1);
    case 'float':
      return typeof value === 'number' && isRounded(value, type.bits);
    case 'pointer':
      return value === 0;
    case 'opaque':
      return type === samplerType && isCanonical(value, i32);
    default:
      return false;
  }
}

/** Whether a number is one of the float format. */
function isRounded(value: number, bits: 16 | 32 | 64): boolean {
  if (!Number.isFinite(value) || bits === 64) return true;
  if (bits === 32) return Math.fround(value) === value;
  return Math.abs(value) <= 65504 && Number.isInteger(value / halfStep(value));
}

/** The distance between half-precision numbers around `value`. */
function halfStep(value: number): number {
  let step = 2 ** -24;
  while (step * 2048 <= Math.abs(value)) step *= 2;
  return step;
}

export function unaryProblem(fn: ir.UnaryFunction, type: Type): Problem {
  const { kind } = elementOf(type);
  const fits =
    fn === 'not' ? kind === 'bool' || kind === 'int' : fn.startsWith('f') ? kind === 'float' : kind === 'int';
  return fits ? undefined : `${fn} of ${typeName(type)}`;
}

export function binaryProblem({ fn, contract, reassociate }: ir.Binary, type: Type): Problem {
  const { kind } = elementOf(type);
  const logical = fn === 'and' || fn === 'or' || fn === 'xor';
  const fits = fn.startsWith('f') ? kind === 'float' : kind === 'int' || (logical && kind === 'bool');
  if (!fits) return `${fn} of ${typeName(type)}`;
  if (contract && fn !== 'fadd' && fn !== 'fsub' && fn !== 'fmul') return `${fn} cannot be contracted`;
  if (reassociate && fn !== 'fadd' && fn !== 'fsub' && fn !== 'fdiv') return `${fn} cannot be reassociated`;
  return undefined;
}

export function compareProblem(fn: ir.CompareFunction, type: Type): Problem {
  const { kind } = elementOf(type);
  const equality = fn === 'eq' || fn === 'ne';
  const fits = fn.startsWith('f')
    ? kind === 'float'
    : kind === 'int' ||
      (kind === 'pointer' && (equality || fn.startsWith('u'))) ||
      ((kind === 'bool' || kind === 'opaque') && equality);
  return fits ? undefined : `${fn} of ${typeName(type)}`;
}

export function convertProblem(instruction: ir.Convert, from: Type, to: Type, addressType: IntType): Problem {
  const { fn, rounding, saturate } = instruction;
  if (fn === 'bitcast') {
    const ok = isNumeric(from) && isNumeric(to) && sizeOf(from) === sizeOf(to);
    return ok ? fieldProblem() : wrong();
  }
  if (lanesOf(from) !== lanesOf(to)) return wrong();
  return fits(elementOf(from), elementOf(to)) ? fieldProblem() : wrong();

  function wrong(): string {
    return `${fn} from ${typeName(from)} to ${typeName(to)}`;
  }

  function fieldProblem(): Problem {
    const toInteger = fn === 'ftos' || fn === 'ftou';
    if (saturate && !toInteger) return `${fn} cannot saturate`;
    const rounds = toInteger || fn === 'stof' || fn === 'utof' || fn === 'fnarrow';
    return rounding && !rounds ? `${fn} does not round` : undefined;
  }

  function fits(x: Type, y: Type): boolean {
    switch (fn) {
      case 'sext':
      case 'zext':
        return y.kind === 'int' && (x.kind === 'bool' || (x.kind === 'int' && x.bits < y.bits));
      case 'trunc':
        return x.kind === 'int' && y.kind === 'int' && x.bits > y.bits;
      case 'stof':
      case 'utof':
        return x.kind === 'int' && y.kind === 'float';
      case 'ftos':
      case 'ftou':
        return x.kind === 'float' && y.kind === 'int';
      case 'fwiden':
        return x.kind === 'float' && y.kind === 'float' && x.bits < y.bits;
      case 'fnarrow':
        return x.kind === 'float' && y.kind === 'float' && x.bits > y.bits;
      case 'ptoi':
        return x.kind === 'pointer' && y === addressType;
      case 'itop':
        return x === addressType && y.kind === 'pointer';
      case 'space':
        return x.kind === 'pointer' && y.kind === 'pointer';
      default:
        return false;
    }
  }
}

function isNumeric(type: Type): boolean {
  const { kind } = elementOf(type);
  return kind === 'int' || kind === 'float';
}

export function buildProblem(instruction: ir.Build, result: Type): Problem {
  if (result.kind !== 'vector') return `a result of type ${typeName(result)}, expected a vector`;
  if (instruction.operands.length !== result.lanes) {
    return `${instruction.operands.length} operands, expected ${result.lanes}`;
  }
  for (const [index, operand] of instruction.operands.entries()) {
    const problem = mustBe(`operand ${index + 1}`, operand.type, result.element);
    if (problem) return problem;
  }
  return undefined;
}

export function laneProblem(lane: number, type: Type): Problem {
  if (type.kind !== 'vector') return `operand 1 has type ${typeName(type)}, expected a vector`;
  return Number.isInteger(lane) && lane >= 0 && lane < type.lanes
    ? undefined
    : `lane ${lane} of ${typeName(type)}`;
}

export function shuffleProblem(lanes: readonly number[], a: Type, b: Type, result: Type): Problem {
  if (a.kind !== 'vector') return `operand 1 has type ${typeName(a)}, expected a vector`;
  if (result.kind !== 'vector' || result.element !== a.element || result.lanes !== lanes.length) {
    return `a result of type ${typeName(result)}, expected ${lanes.length} lanes of ${typeName(a.element)}`;
  }
  for (const lane of lanes) {
    if (!Number.isInteger(lane) || lane >= a.lanes * 2) return `lane ${lane} of two ${typeName(a)}`;
  }
  return mustBe('operand 2', b, a);
}
