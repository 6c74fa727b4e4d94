/** Instructions that only compute, as expressions. Integers are computed without sign, so that they wrap. */
import { oppositeOf } from '../../ir/comparisons.ts';
import { integerOf, splatOf, zeroOf } from '../../ir/constants.ts';
import { samplerType } from '../../ir/images.ts';
import type * as ir from '../../ir/ir.ts';
import { elementOf, type IntType, sizeOf, type Type, type VectorType } from '../../ir/types.ts';
import { typeText } from './c-types.ts';
import { conversion } from './conversions.ts';
import { OpenCLCError } from './error.ts';
import { binary, call, cast, type Expression, precedence, primary, unary, within } from './expression.ts';
import { imageQuery, imageRead } from './images.ts';
import { literal } from './literals.ts';
import type { ValueWriter } from './value-writer.ts';
import { build, extract, insert, shuffle, splat } from './vectors.ts';

/** The expression of a pure instruction. */
export function operation(writer: ValueWriter, instruction: ir.Instruction): Expression {
  const { operands, results } = instruction;
  const result = results[0]!;
  const [a, b, c] = operands as [ir.Value, ir.Value, ir.Value];
  switch (instruction.op) {
    case 'constant':
      if (result.type === samplerType) return primary(writer.prelude.sampler(Number(instruction.value)));
      return literal(result.type, instruction.value, false);
    case 'image_read':
      return imageRead(writer, instruction);
    case 'image_query':
      return imageQuery(writer, instruction);
    case 'undefined':
      if (result.type === samplerType) return primary(writer.prelude.sampler(0));
      return zero(result.type, writer.plan.maskBitsOf(result));
    case 'unary':
      return unaryOperation(writer, instruction.fn, a);
    case 'binary':
      return binaryOperation(writer, instruction, a, b);
    case 'fma':
      return call('fma', [writer.value(a), writer.value(b), writer.value(c)]);
    case 'compare':
      return comparison(writer, instruction.fn, a, b);
    case 'select':
      return selection(writer, result, a, b, c);
    case 'convert':
      return conversion(writer, instruction, a, result.type);
    case 'splat':
      return splat(writer, a, result);
    case 'build':
      return build(writer, operands, result);
    case 'extract':
      return extract(writer, a, instruction.lane);
    case 'insert':
      return insert(writer, a, b, instruction.lane);
    case 'shuffle':
      return shuffle(writer, instruction, a, b, result);
    case 'query':
      return query(instruction, writer.addressBits);
    case 'in_space':
      throw new OpenCLCError('generic pointers need OpenCL C 2.0');
    default:
      throw new Error(`codegen: ${instruction.op} is no expression`);
  }
}

/** Any value will do; zero is one. */
function zero(type: Type, maskBits: number): Expression {
  return literal(type, splatOf(type, zeroOf(type)), false, maskBits);
}

const unaryNames: Partial<Record<ir.UnaryFunction, string>> = {
  fabs: 'fabs',
  fsqrt: 'sqrt',
  ffloor: 'floor',
  fceil: 'ceil',
  ftrunc: 'trunc',
  frint: 'rint',
  clz: 'clz',
};

function unaryOperation(writer: ValueWriter, fn: ir.UnaryFunction, a: ir.Value): Expression {
  const name = unaryNames[fn];
  if (name) return call(name, [writer.unsigned(a)]);
  switch (fn) {
    case 'fneg':
      return unary(`-${within(writer.value(a), precedence.primary)}`);
    case 'popcount':
      return popcount(writer, writer.unsigned(a), a.type);
    case 'ctz': {
      // The bits below the lowest one that is set.
      const x = writer.atom(a);
      const one = literalOne(a.type);
      const below = `~${x.text} & (${x.text} - ${one.text})`;
      const typed = a.type.kind === 'vector' ? primary(below) : primary(`(${typeText(a.type)})(${below})`);
      return popcount(writer, typed, a.type);
    }
    default: {
      const { kind } = elementOf(a.type);
      if (kind === 'bool' && a.type.kind !== 'vector') return negated(writer, a);
      const x = kind === 'bool' ? writer.mask(a, writer.plan.maskBitsOf(a)) : writer.unsigned(a);
      const inverted = unary(`~${within(x, precedence.unary)}`, kind === 'bool');
      return kind === 'bool' ? inverted : narrow(inverted, a.type);
    }
  }
}

function popcount(writer: ValueWriter, x: Expression, type: Type): Expression {
  const name = writer.version === '1.1' ? writer.prelude.popcount(type as IntType | VectorType) : 'popcount';
  return call(name, [x]);
}

function literalOne(type: Type): Expression {
  return literal(type, splatOf(type, integerOf(type, 1)), false);
}

/** Scalars narrower than int are computed as int; the type's own width must come back. */
function narrow(x: Expression, type: Type): Expression {
  return type.kind === 'int' && type.bits < 32 ? cast(typeText(type), x) : x;
}

interface Operator {
  readonly text: string;
  readonly level: number;
}

const operators: Partial<Record<ir.BinaryFunction, Operator>> = {
  iadd: { text: '+', level: precedence.add },
  isub: { text: '-', level: precedence.add },
  imul: { text: '*', level: precedence.multiply },
  and: { text: '&', level: precedence.and },
  or: { text: '|', level: precedence.or },
  xor: { text: '^', level: precedence.xor },
  fadd: { text: '+', level: precedence.add },
  fsub: { text: '-', level: precedence.add },
  fmul: { text: '*', level: precedence.multiply },
  fdiv: { text: '/', level: precedence.multiply },
};

const functions: Partial<Record<ir.BinaryFunction, { name: string; signed: boolean }>> = {
  rotl: { name: 'rotate', signed: false },
  smin: { name: 'min', signed: true },
  smax: { name: 'max', signed: true },
  umin: { name: 'min', signed: false },
  umax: { name: 'max', signed: false },
  smulhi: { name: 'mul_hi', signed: true },
  umulhi: { name: 'mul_hi', signed: false },
  fmin: { name: 'fmin', signed: false },
  fmax: { name: 'fmax', signed: false },
  fcopysign: { name: 'copysign', signed: false },
};

function binaryOperation(writer: ValueWriter, instruction: ir.Binary, a: ir.Value, b: ir.Value): Expression {
  const { fn } = instruction;
  const { type } = a;
  if (elementOf(type).kind === 'bool') return logical(writer, fn, a, b);
  const named = functions[fn];
  if (named) {
    const read = (x: ir.Value) => (named.signed ? writer.signed(x) : writer.unsigned(x));
    return call(named.name, [read(a), read(b)], named.signed);
  }
  if (fn === 'shl' || fn === 'sshr' || fn === 'ushr') return shift(writer, fn, a, b);
  if (fn === 'sdiv' || fn === 'udiv' || fn === 'srem' || fn === 'urem') return division(writer, fn, a, b);
  if (writer.fusesExplicitly && instruction.contract && fn !== 'fmul') {
    const fused = fusedSum(writer, fn === 'fsub', a, b);
    if (fused) return fused;
  }
  const operator = operators[fn]!;
  let x = writer.unsigned(a);
  // Two narrow factors are multiplied as int, and their product may not fit there.
  if (fn === 'imul' && type.kind === 'int' && type.bits < 32) x = cast('uint', x);
  return narrow(binary(operator.text, operator.level, x, writer.unsigned(b)), type);
}

/** Operators on truth values: of scalars, or of the lanes of masks. */
function logical(writer: ValueWriter, fn: ir.BinaryFunction, a: ir.Value, b: ir.Value): Expression {
  if (a.type.kind === 'vector') {
    const bits = writer.plan.maskBitsOf(a);
    const operator = operators[fn]!;
    return binary(operator.text, operator.level, writer.mask(a, bits), writer.mask(b, bits), true);
  }
  const [x, y] = [writer.value(a), writer.value(b)];
  if (fn === 'and') return binary('&&', precedence.both, x, y);
  if (fn === 'or') return binary('||', precedence.either, x, y);
  return binary('!=', precedence.equality, truth(x), truth(y));
}

/** A comparison of comparisons reads better, and warns less, in parentheses. */
function truth(x: Expression): Expression {
  return x.precedence >= precedence.unary ? x : primary(`(${x.text})`);
}

/** A fusible product that is used only here, as the function that may fuse it. */
function fusedSum(writer: ValueWriter, minus: boolean, a: ir.Value, b: ir.Value): Expression | undefined {
  const product = (value: ir.Value): ir.Instruction | undefined => {
    const definition = writer.inlinedDefinition(value);
    const fuses = definition?.op === 'binary' && definition.fn === 'fmul' && definition.contract;
    return fuses ? definition : undefined;
  };
  const negative = (x: Expression, yes: boolean): Expression =>
    yes ? unary(`-${within(x, precedence.primary)}`) : x;
  const name = (): string => writer.prelude.multiplyAdd(a.type as VectorType);
  const left = product(a);
  if (left) {
    const [x, y] = left.operands as [ir.Value, ir.Value];
    return call(name(), [writer.value(x), writer.value(y), negative(writer.value(b), minus)]);
  }
  const right = product(b);
  if (!right) return undefined;
  const [x, y] = right.operands as [ir.Value, ir.Value];
  return call(name(), [negative(writer.value(x), minus), writer.value(y), writer.value(a)]);
}

/** OpenCL C takes counts modulo the width, but that of int for narrower scalars. */
function shift(writer: ValueWriter, fn: 'shl' | 'sshr' | 'ushr', a: ir.Value, b: ir.Value): Expression {
  const { type } = a;
  const x = fn === 'sshr' ? writer.signed(a) : writer.unsigned(a);
  let count = writer.unsigned(b);
  const isNarrow = type.kind === 'int' && type.bits < 32;
  const definition = writer.inlinedDefinition(b);
  if (type.kind === 'int' && definition?.op === 'constant') {
    count = primary(
      String(BigInt.asUintN(Math.log2(type.bits), BigInt(definition.value as number | bigint))),
    );
  } else if (isNarrow) {
    count = binary('&', precedence.and, count, primary(String(type.bits - 1)));
  }
  const shifted = binary(fn === 'shl' ? '<<' : '>>', precedence.shift, x, primaryOf(count), fn === 'sshr');
  return isNarrow ? cast(typeText(type, fn === 'sshr'), shifted, fn === 'sshr') : shifted;
}

function primaryOf(x: Expression): Expression {
  return x.precedence >= precedence.unary ? x : primary(`(${x.text})`);
}

/** Division by what may be zero, or by -1, is any value here, but must not trap. */
function division(
  writer: ValueWriter,
  fn: 'sdiv' | 'udiv' | 'srem' | 'urem',
  a: ir.Value,
  b: ir.Value,
): Expression {
  const { type } = a;
  const signed = fn === 'sdiv' || fn === 'srem';
  const read = (x: ir.Value): Expression => (signed ? writer.signed(x) : writer.unsigned(x));
  if (isSafeDivisor(writer, b, signed)) {
    const quotient = binary(
      fn === 'sdiv' || fn === 'udiv' ? '/' : '%',
      precedence.multiply,
      read(a),
      read(b),
      signed,
    );
    return type.kind === 'int' && type.bits < 32 ? cast(typeText(type, signed), quotient, signed) : quotient;
  }
  if (fn === 'sdiv') return call(writer.prelude.divide(type), [read(a), read(b)], true);
  if (fn === 'srem') return call(writer.prelude.remainder(type), [read(a), read(b)], true);
  const positive = call('max', [read(b), literalOne(type)]);
  return narrow(binary(fn === 'udiv' ? '/' : '%', precedence.multiply, read(a), positive), type);
}

function isSafeDivisor(writer: ValueWriter, b: ir.Value, signed: boolean): boolean {
  const definition = writer.inlinedDefinition(b);
  if (definition?.op !== 'constant') return false;
  const lanes = Array.isArray(definition.value) ? definition.value : [definition.value];
  return lanes.every((lane) => Number(lane) !== 0 && !(signed && Number(lane) === -1));
}

interface Comparison extends Operator {
  readonly reading: 'signed' | 'unsigned' | 'any';
}

const { relation, equality } = precedence;
const comparisons: Record<ir.CompareFunction, Comparison> = {
  eq: { text: '==', level: equality, reading: 'any' },
  ne: { text: '!=', level: equality, reading: 'any' },
  slt: { text: '<', level: relation, reading: 'signed' },
  sle: { text: '<=', level: relation, reading: 'signed' },
  sgt: { text: '>', level: relation, reading: 'signed' },
  sge: { text: '>=', level: relation, reading: 'signed' },
  ult: { text: '<', level: relation, reading: 'unsigned' },
  ule: { text: '<=', level: relation, reading: 'unsigned' },
  ugt: { text: '>', level: relation, reading: 'unsigned' },
  uge: { text: '>=', level: relation, reading: 'unsigned' },
  feq: { text: '==', level: equality, reading: 'any' },
  fne: { text: '!=', level: equality, reading: 'any' },
  flt: { text: '<', level: relation, reading: 'any' },
  fle: { text: '<=', level: relation, reading: 'any' },
  fgt: { text: '>', level: relation, reading: 'any' },
  fge: { text: '>=', level: relation, reading: 'any' },
};

function comparison(writer: ValueWriter, fn: ir.CompareFunction, a: ir.Value, b: ir.Value): Expression {
  const { text, level, reading } = comparisons[fn];
  const { type } = a;
  const element = elementOf(type);
  if (element.kind === 'bool' && type.kind === 'vector') {
    const bits = writer.plan.maskBitsOf(a);
    return binary(text, level, writer.mask(a, bits), writer.mask(b, bits), true);
  }
  if (element.kind === 'bool') return binary(text, level, truth(writer.value(a)), truth(writer.value(b)));
  if (element.kind === 'pointer' && reading === 'unsigned') {
    const word = writer.addressBits === 64 ? 'ulong' : 'uint';
    return binary(text, level, cast(word, writer.value(a)), cast(word, writer.value(b)));
  }
  const signed = reading === 'signed' || (reading === 'any' && prefersSigned(writer, a, b));
  const read = (x: ir.Value): Expression => (signed ? writer.signed(x) : writer.unsigned(x));
  return binary(text, level, read(a), read(b), true);
}

/** Whether an equality is shorter to write with signed operands. */
function prefersSigned(writer: ValueWriter, a: ir.Value, b: ir.Value): boolean {
  return writer.value(a).signed && (writer.value(b).signed || writer.inlinedDefinition(b)?.op === 'constant');
}

/** `!x` of a scalar truth value, as the opposite comparison where there is one. */
export function negated(writer: ValueWriter, value: ir.Value): Expression {
  const definition = writer.inlinedDefinition(value);
  if (definition?.op === 'compare') {
    const inverse = oppositeOf(definition.fn);
    const [a, b] = definition.operands as [ir.Value, ir.Value];
    if (inverse) return comparison(writer, inverse, a, b);
  }
  if (definition?.op === 'unary' && definition.fn === 'not') return writer.value(definition.operands[0]!);
  return unary(`!${within(writer.value(value), precedence.unary)}`);
}

function selection(
  writer: ValueWriter,
  result: ir.Value,
  condition: ir.Value,
  a: ir.Value,
  b: ir.Value,
): Expression {
  const { type } = result;
  const isMask = type.kind === 'vector' && type.element.kind === 'bool';
  const bits = isMask ? writer.plan.maskBitsOf(result) : sizeOf(elementOf(type), 8) * 8;
  const read = (x: ir.Value): Expression => (isMask ? writer.mask(x, bits) : writer.unsigned(x));
  if (condition.type.kind === 'vector')
    return call('select', [read(b), read(a), writer.mask(condition, bits)], isMask);
  const [x, y] = [within(read(a), precedence.conditional + 1), within(read(b), precedence.conditional)];
  const text = `${within(writer.value(condition), precedence.conditional + 1)} ? ${x} : ${y}`;
  const chosen: Expression = { text, precedence: precedence.conditional, signed: isMask };
  return narrow(chosen, type);
}

const queryNames: Record<Exclude<ir.QueryFunction, 'linear_local_id'>, string> = {
  global_id: 'get_global_id',
  local_id: 'get_local_id',
  group_id: 'get_group_id',
  global_size: 'get_global_size',
  local_size: 'get_local_size',
  enqueued_local_size: 'get_local_size',
  num_groups: 'get_num_groups',
  global_offset: 'get_global_offset',
  work_dim: 'get_work_dim',
};

function query({ fn, dimension }: ir.Query, addressBits: 32 | 64): Expression {
  if (fn === 'work_dim') return primary('get_work_dim()');
  const asked: Expression =
    fn === 'linear_local_id'
      ? {
          text: '(get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0)',
          precedence: precedence.add,
          signed: false,
        }
      : primary(`${queryNames[fn]}(${dimension})`);
  // A module with small addresses means the same on a device with large ones as long as it keeps none in memory.
  return addressBits === 32 ? cast('uint', asked) : asked;
}
