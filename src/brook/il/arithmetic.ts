/** Operators and conversions of Brook+ in IL's instructions, by the scalars that they work on. */
import type { ScalarName, ValueType } from '../types.ts';
import { type Code, NoIl, type Operand, read, written } from './code.ts';
import { componentAt, copied, fitted, joined, laneCount, swizzled, unitOf } from './values.ts';

/** How registers hold a scalar: small integers as ints that are kept in their range, doubles in two components. */
export type Kind = 'float' | 'int' | 'uint' | 'double';

export function kindOf(scalar: ScalarName): Kind {
  if (scalar === 'double' || scalar === 'float' || scalar === 'uint') return scalar;
  return 'int';
}

/** A number as a literal of a type, in one component. */
export function numberOf(code: Code, { scalar }: ValueType, value: number): Operand {
  const kind = kindOf(scalar);
  if (kind === 'double') return code.double(value);
  return kind === 'float' ? code.float(value) : code.bits(value);
}

const smallBits: Partial<Record<ScalarName, number>> = { char: 8, uchar: 8, short: 16, ushort: 16 };

/** Bits of a small integer; undefined for all other scalars. */
export function smallBitsOf(scalar: ScalarName): number | undefined {
  return smallBits[scalar];
}

/** Cuts what was computed as int to the range of a small type. */
export function narrowed(code: Code, { scalar, width }: ValueType, value: Operand): Operand {
  const bits = smallBits[scalar];
  if (bits === undefined) return value;
  if (scalar.startsWith('u')) return code.compute('iand', width, value, code.bits(2 ** bits - 1));
  const rest = code.bits(32 - bits);
  return code.compute('ishr', width, code.compute('ishl', width, value, rest), rest);
}

/** An instruction on doubles, which takes one of each operand at a time. */
export function eachDouble(
  code: Code,
  name: string,
  type: ValueType,
  ...operands: readonly Operand[]
): Operand {
  const double: ValueType = { ...type, scalar: 'double' };
  const parts = Array.from({ length: type.width }, (_, index) =>
    code.compute(name, 2, ...operands.map((operand) => componentAt(operand, index, double))),
  );
  return parts.length === 1 ? parts[0]! : joined(code, parts);
}

export function negated(code: Code, { scalar }: ValueType, value: Operand): Operand {
  const kind = kindOf(scalar);
  const count = value.lanes.length;
  if (kind === 'int' || kind === 'uint') return code.compute('inegate', count, value);
  // A double's sign is in its high word.
  const source = kind === 'double' ? copied(code, value) : value;
  const register = code.fresh();
  const signs = kind === 'double' ? '_neg(yw)' : '_neg(xyzw)';
  code.add(`mov ${written(register, count)},${read(source, signs)}`);
  return { register, lanes: 'xyzw'.slice(0, count) };
}

const floats: Readonly<Record<string, string>> = {
  '+': 'add',
  '-': 'sub',
  '*': 'mul_ieee',
  '/': 'div_zeroop(infinity)',
};

const doubles: Readonly<Record<string, string>> = {
  '+': 'dadd',
  '-': 'dsub',
  '*': 'dmul',
  '/': 'ddiv_zeroop(infinity)',
};

const integers: Readonly<Record<string, string>> = {
  '+': 'iadd',
  '&': 'iand',
  '|': 'ior',
  '^': 'ixor',
  '<<': 'ishl',
};

/** `left operator right` of one type, which the result has, too. */
export function binary(
  code: Code,
  operator: string,
  type: ValueType,
  left: Operand,
  right: Operand,
): Operand {
  const kind = kindOf(type.scalar);
  const { width } = type;
  if (kind === 'float' || kind === 'double') {
    const name = (kind === 'float' ? floats : doubles)[operator];
    if (name === undefined) throw new NoIl(`the operator ${operator} of ${kind}s`);
    return kind === 'float'
      ? code.compute(name, width, left, right)
      : eachDouble(code, name, type, left, right);
  }
  const name = integers[operator];
  if (name !== undefined) return narrowed(code, type, code.compute(name, width, left, right));
  switch (operator) {
    case '-':
      return narrowed(
        code,
        type,
        code.compute('iadd', width, left, negated(code, type, fitted(right, type))),
      );
    case '*':
      return narrowed(code, type, code.compute(kind === 'int' ? 'imul' : 'umul', width, left, right));
    case '>>':
      return code.compute(kind === 'int' ? 'ishr' : 'ushr', width, left, right);
    case '/':
    case '%':
      return narrowed(code, type, divided(code, operator, type, fitted(left, type), fitted(right, type)));
    default:
      throw new NoIl(`the operator ${operator}`);
  }
}

/** IL divides unsigned integers only: signs are taken off and put back, that of a remainder from the dividend. */
function divided(code: Code, operator: '/' | '%', type: ValueType, left: Operand, right: Operand): Operand {
  const width = left.lanes.length;
  const name = operator === '/' ? 'udiv' : 'umod';
  if (kindOf(type.scalar) === 'uint') return code.compute(name, width, left, right);
  const absolute = (value: Operand): Operand =>
    code.compute('imax', width, value, negated(code, type, value));
  const found = code.compute(name, width, absolute(left), absolute(right));
  const signs = operator === '/' ? code.compute('ixor', width, left, right) : left;
  const isNegative = code.compute('iand', width, signs, code.bits(0x80000000));
  return code.compute('cmov_logical', width, isNegative, negated(code, type, found), found);
}

const comparisons: Readonly<
  Record<Kind, readonly [less: string, atLeast: string, same: string, other: string]>
> = {
  float: ['lt', 'ge', 'eq', 'ne'],
  double: ['dlt', 'dge', 'deq', 'dne'],
  int: ['ilt', 'ige', 'ieq', 'ine'],
  uint: ['ult', 'uge', 'ieq', 'ine'],
};

/** A comparison: for each component of the type one of a register, all of its bits set where it is true. */
export function compared(
  code: Code,
  operator: string,
  type: ValueType,
  left: Operand,
  right: Operand,
): Operand {
  const [less, atLeast, same, other] = comparisons[kindOf(type.scalar)];
  const made = (name: string, first: Operand, second: Operand): Operand =>
    type.scalar === 'double'
      ? comparedDoubles(code, name, type, first, second)
      : code.compute(name, type.width, first, second);
  switch (operator) {
    case '<':
      return made(less, left, right);
    case '>':
      return made(less, right, left);
    case '>=':
      return made(atLeast, left, right);
    case '<=':
      return made(atLeast, right, left);
    case '==':
      return made(same, left, right);
    case '!=':
      return made(other, left, right);
    default:
      throw new NoIl(`the operator ${operator}`);
  }
}

function comparedDoubles(code: Code, name: string, type: ValueType, left: Operand, right: Operand): Operand {
  const parts = Array.from({ length: type.width }, (_, index): Operand => {
    const operands = [left, right].map((one) => componentAt(one, index, type));
    return { ...code.compute(name, 2, ...operands), lanes: 'x' };
  });
  return joined(code, parts);
}

/** All bits of a component set where it is not 0. */
export function truth(code: Code, type: ValueType, value: Operand): Operand {
  return compared(code, '!=', type, value, numberOf(code, type, 0));
}

/** Brook+'s 1 for what is true. */
export function asOne(code: Code, mask: Operand): Operand {
  return code.compute('iand', mask.lanes.length, mask, code.bits(1));
}

/** Component by component one of two values of a type, as a comparison says. */
export function chosen(code: Code, type: ValueType, mask: Operand, yes: Operand, no: Operand): Operand {
  const unit = unitOf(type);
  const lanes = [...mask.lanes].map((lane) => lane.repeat(unit)).join('');
  const condition = fitted({ register: mask.register, lanes }, type);
  return code.compute('cmov_logical', laneCount(type), condition, fitted(yes, type), fitted(no, type));
}

/** As another type: a scalar goes to all components, a longer vector loses its last ones, a shorter one gets zeros. */
export function converted(code: Code, from: ValueType, to: ValueType, value: Operand): Operand {
  const width = (from.width === 1 ? 1 : Math.min(from.width, to.width)) as ValueType['width'];
  const kept = swizzled(value, 'xyzw'.slice(0, width), from);
  const same = scalarConverted(code, { ...from, width }, { ...to, width }, kept);
  if (width === to.width) return same;
  if (from.width === 1) return fitted(same, to);
  const zeros = Array.from({ length: to.width - width }, () => numberOf(code, to, 0));
  return joined(code, [same, ...zeros]);
}

function scalarConverted(code: Code, from: ValueType, to: ValueType, value: Operand): Operand {
  const [source, target] = [kindOf(from.scalar), kindOf(to.scalar)];
  if (from.scalar === to.scalar) return value;
  const { width } = to;
  if (source === 'double' || target === 'double') return betweenDoubles(code, from, to, value);
  if (source !== 'float' && target !== 'float') return narrowed(code, to, value);
  if (target === 'float') return code.compute(source === 'int' ? 'itof' : 'utof', width, value);
  return narrowed(code, to, code.compute(target === 'int' ? 'ftoi' : 'ftou', width, value));
}

/** A value of a type combined with one of another, in which that is computed. */
export function combined(
  code: Code,
  operator: string,
  type: ValueType,
  common: ValueType,
  before: Operand,
  value: Operand,
): Operand {
  if (common.scalar === type.scalar) return binary(code, operator, type, before, value);
  const made = binary(code, operator, common, converted(code, type, common, before), value);
  return converted(code, common, type, made);
}

/** One component at a time, as the instructions are. */
function betweenDoubles(code: Code, from: ValueType, to: ValueType, value: Operand): Operand {
  const [source, target] = [kindOf(from.scalar), kindOf(to.scalar)];
  const name =
    source === 'double'
      ? { float: 'd2f', int: 'dtoi', uint: 'dtou', double: '' }[target]
      : { float: 'f2d', int: 'itod', uint: 'utod', double: '' }[source];
  const parts = Array.from({ length: to.width }, (_, index) => {
    const part = componentAt(value, index, from);
    const found = code.compute(name, 2, part);
    return source === 'double' ? { ...found, lanes: 'x' } : found;
  });
  return narrowed(code, to, parts.length === 1 ? parts[0]! : joined(code, parts));
}
