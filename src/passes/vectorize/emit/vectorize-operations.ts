/**
 * Pure instructions of a vector. What is the same for all lanes, or steps evenly from lane to lane, is computed once as a
 * scalar; everything else in vectors, user vectors component by component, so that their rearrangements cost nothing.
 */
import type * as ir from '../../../ir/ir.ts';
import { bool, elementOf, lanesOf, type Type, type VectorType } from '../../../ir/types.ts';
import { vectorisePatterned } from '../memory/butterfly-lanes.ts';
import type { VectorContext } from './vector-context.ts';
import type { VectorValue } from './vector-value.ts';
import type { VectorWriter } from './vector-writer.ts';

/** Vectorises a pure instruction; undefined if it has to be done lane by lane. */
export function vectoriseOperation(
  context: VectorContext,
  instruction: ir.Instruction,
): VectorValue | undefined {
  const result = instruction.results[0]!;
  const moved = vectoriseArrayOffset(context, instruction);
  if (moved) return moved;
  const shape = context.shapeOf(result);
  if (shape.kind === 'uniform') return { kind: 'uniform', value: cloneScalar(context, instruction) };
  if (shape.kind === 'affine') {
    return { kind: 'affine', first: cloneScalar(context, instruction), step: shape.step };
  }
  const strided = vectoriseStrided(context, instruction);
  if (strided) return strided;
  const patterned = vectorisePatterned(context, instruction);
  if (patterned) return patterned;
  const parts = vectoriseParts(context, instruction);
  return parts && { kind: 'lanes', parts };
}

/** The instruction again, on the scalars of its operands. */
export function cloneScalar(context: VectorContext, instruction: ir.Instruction): ir.Value {
  const { writer } = context;
  const result = instruction.results[0]!;
  if (instruction.op === 'constant') {
    return writer.once(result.type, instruction.value as ir.ScalarConstant);
  }
  const operands = instruction.operands.map((operand) => writer.scalarOf(context.vectorised(operand)));
  const value: ir.Value = { ...result };
  writer.append({ ...instruction, operands, results: [value], regions: [] });
  return value;
}

/** Moving the address of a private array moves the offset, which is kept apart. */
function vectoriseArrayOffset(context: VectorContext, instruction: ir.Instruction): VectorValue | undefined {
  if (instruction.op !== 'offset') return undefined;
  const [pointer, bytes] = instruction.operands as [ir.Value, ir.Value];
  const base = context.vectorised(pointer);
  if (base.kind !== 'array') return undefined;
  return { ...base, offset: addIntegers(context, base.offset, context.vectorised(bytes)) };
}

/** The sum of two integers of address width. */
function addIntegers(context: VectorContext, a: VectorValue, b: VectorValue): VectorValue {
  const { writer } = context;
  const type = writer.addressType;
  if (isScalar(a) && isScalar(b)) {
    const first = writer.binary('iadd', writer.scalarOf(a), writer.scalarOf(b));
    const step = stepOf(a) + stepOf(b);
    return step === 0 ? { kind: 'uniform', value: first } : { kind: 'affine', first, step };
  }
  return {
    kind: 'lanes',
    parts: [writer.binary('iadd', writer.parts(a, type)[0]!, writer.parts(b, type)[0]!)],
  };
}

function isScalar({ kind }: VectorValue): boolean {
  return kind === 'uniform' || kind === 'affine';
}

/**
 * Integers and pointers that grow evenly from lane to lane, by an amount that only the launch knows: `row * n`, and what
 * is computed from it by further sums, and products with what is the same for all.
 */
function vectoriseStrided(context: VectorContext, instruction: ir.Instruction): VectorValue | undefined {
  const { writer } = context;
  const result = instruction.results[0]!;
  const { kind } = result.type;
  if (kind !== 'int' && kind !== 'pointer') return undefined;
  const operands = instruction.operands.map((operand) => context.vectorised(operand));
  if (!operands.every((one) => isScalar(one) || one.kind === 'strided')) return undefined;
  const [a, b] = operands as [VectorValue, VectorValue];
  const type = kind === 'pointer' ? writer.addressType : result.type;
  const stride = findStride(writer, instruction, a, b, type);
  if (!stride) return undefined;
  const scalars = operands.map((one) => (one.kind === 'uniform' ? one.value : firstOf(one)));
  const first: ir.Value = { ...result };
  writer.append({ ...instruction, operands: scalars, results: [first], regions: [] });
  return { kind: 'strided', first, stride };
}

function firstOf(vectorised: VectorValue): ir.Value {
  if (vectorised.kind !== 'affine' && vectorised.kind !== 'strided')
    throw new Error('vectorise: no first lane');
  return vectorised.first;
}

/** What the result of an instruction grows by from lane to lane; undefined if it does not grow evenly. */
function findStride(
  writer: VectorWriter,
  instruction: ir.Instruction,
  a: VectorValue,
  b: VectorValue,
  type: Type,
): ir.Value | undefined {
  const strideOf = (vectorised: VectorValue): ir.Value | undefined =>
    vectorised.kind === 'strided'
      ? vectorised.stride
      : vectorised.kind === 'affine'
        ? writer.int(type, vectorised.step)
        : undefined;
  switch (instruction.op) {
    case 'offset':
      return addStrides(writer, strideOf(a), strideOf(b), 'iadd');
    case 'binary':
      switch (instruction.fn) {
        case 'iadd':
        case 'isub':
          return addStrides(writer, strideOf(a), strideOf(b), instruction.fn);
        case 'imul': {
          const [even, factor] = b.kind === 'uniform' ? [a, b] : [b, a];
          if (factor.kind !== 'uniform') return undefined;
          if (even.kind === 'affine' && even.step === 1) return factor.value;
          return writer.binary('imul', strideOf(even)!, factor.value);
        }
        case 'shl':
          return b.kind === 'uniform' ? writer.binary('shl', strideOf(a)!, b.value) : undefined;
        default:
          return undefined;
      }
    case 'convert':
      switch (instruction.fn) {
        case 'ptoi':
        case 'itop':
        case 'space':
          return strideOf(a);
        case 'trunc':
          return a.kind === 'strided' ? writer.convert('trunc', a.stride, type) : undefined;
        default:
          return undefined;
      }
    default:
      return undefined;
  }
}

function addStrides(
  writer: VectorWriter,
  a: ir.Value | undefined,
  b: ir.Value | undefined,
  fn: 'iadd' | 'isub',
): ir.Value | undefined {
  if (!b) return a;
  if (a) return writer.binary(fn, a, b);
  return fn === 'iadd' ? b : writer.binary('isub', writer.int(b.type, 0), b);
}

function stepOf(vectorised: VectorValue): number {
  return vectorised.kind === 'affine' ? vectorised.step : 0;
}

function vectoriseParts(
  context: VectorContext,
  instruction: ir.Instruction,
): readonly ir.Value[] | undefined {
  const { writer } = context;
  const result = instruction.results[0]!;
  const partsOf = (operand: ir.Value): readonly ir.Value[] => context.parts(operand);
  const [a, b, c] = instruction.operands as [ir.Value, ir.Value, ir.Value];
  switch (instruction.op) {
    case 'unary':
      return partsOf(a).map((x) => writer.unary(instruction.fn, x));
    case 'binary': {
      const right = partsOf(b);
      const quotient = quotientFor(context, instruction);
      if (quotient) {
        return partsOf(a).map((x, at) => {
          const divisor = right[at]!;
          return writer.binary(
            'isub',
            x,
            writer.binary('imul', writer.binary(quotient, x, divisor), divisor),
          );
        });
      }
      return partsOf(a).map((x, at) => writer.binary(instruction.fn, x, right[at]!, instruction.contract));
    }
    case 'compare': {
      const right = partsOf(b);
      return partsOf(a).map((x, at) => writer.compare(instruction.fn, x, right[at]!));
    }
    case 'fma': {
      const [second, third] = [partsOf(b), partsOf(c)];
      return partsOf(a).map((x, at) => writer.fma(x, second[at]!, third[at]!));
    }
    case 'select':
      return vectoriseSelect(context, instruction);
    case 'convert':
      return vectoriseConvert(context, instruction, result.type);
    case 'splat':
      return new Array<ir.Value>(lanesOf(result.type)).fill(partsOf(a)[0]!);
    case 'build':
      return instruction.operands.map((operand) => partsOf(operand)[0]!);
    case 'extract':
      return [partsOf(a)[instruction.lane]!];
    case 'insert': {
      const parts = [...partsOf(a)];
      parts[instruction.lane] = partsOf(b)[0]!;
      return parts;
    }
    case 'shuffle': {
      const all = [...partsOf(a), ...partsOf(b)];
      return instruction.lanes.map((lane) => all[Math.max(lane, 0)]!);
    }
    case 'offset':
      return [writer.binary('iadd', partsOf(a)[0]!, partsOf(b)[0]!)];
    default:
      return undefined;
  }
}

/**
 * A remainder by a constant is computed from the quotient, which is there already where both are asked for, as in
 * `n % 10` and `n / 10`; undefined for others.
 */
function quotientFor(context: VectorContext, { fn, operands }: ir.Binary): 'sdiv' | 'udiv' | undefined {
  if (fn !== 'srem' && fn !== 'urem') return undefined;
  const divisor = context.definition(operands[1]!);
  const { type } = operands[1]!;
  if (type.kind !== 'int' || type.bits !== 32 || divisor?.op !== 'constant') return undefined;
  // By 0 or -1 there may be no quotient.
  return divisor.value === 0 || divisor.value === -1 ? undefined : fn === 'srem' ? 'sdiv' : 'udiv';
}

function vectoriseSelect(context: VectorContext, select: ir.Select): readonly ir.Value[] {
  const { writer } = context;
  const [condition, a, b] = select.operands as [ir.Value, ir.Value, ir.Value];
  const [left, right] = [context.parts(a), context.parts(b)];
  const vectorised = context.vectorised(condition);
  if (condition.type === bool && vectorised.kind === 'uniform') {
    return left.map((x, at) => writer.select(vectorised.value, x, right[at]!));
  }
  const conditions = context.parts(condition);
  return left.map((x, at) => writer.select(conditions[at] ?? conditions[0]!, x, right[at]!));
}

function vectoriseConvert(
  context: VectorContext,
  convert: ir.Convert,
  to: Type,
): readonly ir.Value[] | undefined {
  const { writer } = context;
  const operand = convert.operands[0]!;
  switch (convert.fn) {
    case 'ptoi':
    case 'itop':
    case 'space':
      return context.parts(operand);
    case 'bitcast':
      if (lanesOf(to) !== lanesOf(operand.type)) return undefined;
      break;
    default:
  }
  const type: VectorType = writer.vectorOf(elementOf(to));
  const { fn, rounding, saturate } = convert;
  const options = saturate ? { rounding, saturate } : { rounding };
  return context.parts(operand).map((x) => writer.convert(fn, x, type, rounding || saturate ? options : {}));
}
