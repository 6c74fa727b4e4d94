/** Operators and conversions of Brook+ in IL's instructions, by the scalars that they work on. */
import type { ScalarName, ValueType } from '../types.ts';
import { type Code, NoIl, type Operand, read, spread, written } from './code.ts';

/** How registers hold a scalar: small integers as ints that are kept in their range. */
export type Kind = 'float' | 'int' | 'uint';

export function kindOf(scalar: ScalarName): Kind {
  if (scalar === 'double') throw new NoIl('doubles are not written as IL yet');
  if (scalar === 'float' || scalar === 'uint') return scalar;
  return 'int';
}

const smallBits: Partial<Record<ScalarName, number>> = { char: 8, uchar: 8, short: 16, ushort: 16 };

/** Cuts what was computed as int to the range of a small type. */
export function narrowed(code: Code, { scalar, width }: ValueType, value: Operand): Operand {
  const bits = smallBits[scalar];
  if (bits === undefined) return value;
  if (scalar.startsWith('u')) return code.compute('iand', width, value, code.bits(2 ** bits - 1));
  const rest = code.bits(32 - bits);
  return code.compute('ishr', width, code.compute('ishl', width, value, rest), rest);
}

export function negated(code: Code, kind: Kind, value: Operand): Operand {
  const width = value.lanes.length;
  if (kind !== 'float') return code.compute('inegate', width, value);
  const register = code.fresh();
  code.add(`mov ${written(register, width)},${read(value, '_neg(xyzw)')}`);
  return { register, lanes: 'xyzw'.slice(0, width) };
}

const floats: Readonly<Record<string, string>> = {
  '+': 'add',
  '-': 'sub',
  '*': 'mul_ieee',
  '/': 'div_zeroop(infinity)',
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
  if (kind === 'float') {
    const name = floats[operator];
    if (name === undefined) throw new NoIl(`the operator ${operator} of floats`);
    return code.compute(name, width, left, right);
  }
  const name = integers[operator];
  if (name !== undefined) return narrowed(code, type, code.compute(name, width, left, right));
  switch (operator) {
    case '-':
      return narrowed(
        code,
        type,
        code.compute('iadd', width, left, negated(code, kind, spread(right, width))),
      );
    case '*':
      return narrowed(code, type, code.compute(kind === 'int' ? 'imul' : 'umul', width, left, right));
    case '>>':
      return code.compute(kind === 'int' ? 'ishr' : 'ushr', width, left, right);
    case '/':
    case '%':
      return narrowed(code, type, divided(code, operator, kind, spread(left, width), spread(right, width)));
    default:
      throw new NoIl(`the operator ${operator}`);
  }
}

/** IL divides unsigned integers only: signs are taken off and put back, that of a remainder from the dividend. */
function divided(code: Code, operator: '/' | '%', kind: Kind, left: Operand, right: Operand): Operand {
  const width = left.lanes.length;
  const name = operator === '/' ? 'udiv' : 'umod';
  if (kind === 'uint') return code.compute(name, width, left, right);
  const absolute = (value: Operand): Operand =>
    code.compute('imax', width, value, negated(code, kind, value));
  const found = code.compute(name, width, absolute(left), absolute(right));
  const signs = operator === '/' ? code.compute('ixor', width, left, right) : left;
  const isNegative = code.compute('iand', width, signs, code.bits(0x80000000));
  return code.compute('cmov_logical', width, isNegative, negated(code, kind, found), found);
}

const comparisons: Readonly<
  Record<Kind, readonly [less: string, atLeast: string, same: string, other: string]>
> = {
  float: ['lt', 'ge', 'eq', 'ne'],
  int: ['ilt', 'ige', 'ieq', 'ine'],
  uint: ['ult', 'uge', 'ieq', 'ine'],
};

/** A comparison, all bits set where it is true. */
export function compared(
  code: Code,
  operator: string,
  type: ValueType,
  left: Operand,
  right: Operand,
): Operand {
  const [less, atLeast, same, other] = comparisons[kindOf(type.scalar)];
  const { width } = type;
  switch (operator) {
    case '<':
      return code.compute(less, width, left, right);
    case '>':
      return code.compute(less, width, right, left);
    case '>=':
      return code.compute(atLeast, width, left, right);
    case '<=':
      return code.compute(atLeast, width, right, left);
    case '==':
      return code.compute(same, width, left, right);
    case '!=':
      return code.compute(other, width, left, right);
    default:
      throw new NoIl(`the operator ${operator}`);
  }
}

/** All bits of a component set where it is not 0. */
export function truth(code: Code, type: ValueType, value: Operand): Operand {
  return compared(code, '!=', type, value, code.bits(0));
}

/** Brook+'s 1 for what is true. */
export function asOne(code: Code, mask: Operand): Operand {
  return code.compute('iand', mask.lanes.length, mask, code.bits(1));
}

/** As another type: a scalar goes to all components, a longer vector loses its last ones, a shorter one gets zeros. */
export function converted(code: Code, from: ValueType, to: ValueType, value: Operand): Operand {
  const sized = resized(code, value, from.width === 1 ? 1 : Math.min(from.width, to.width));
  const scalars = scalarConverted(code, from, { ...to, width: sized.lanes.length as 1 | 2 | 3 | 4 }, sized);
  if (from.width === 1) return spread(scalars, to.width);
  return resized(code, scalars, to.width);
}

function resized(code: Code, value: Operand, width: number): Operand {
  const { lanes, register } = value;
  if (width <= lanes.length) return { register, lanes: lanes.slice(0, width) };
  const wider = code.fresh();
  code.add(`mov ${written(wider, width)},${read(value)}`);
  return { register: wider, lanes: 'xyzw'.slice(0, width) };
}

function scalarConverted(code: Code, from: ValueType, to: ValueType, value: Operand): Operand {
  const [source, target] = [kindOf(from.scalar), kindOf(to.scalar)];
  const { width } = to;
  if (source === target || (source !== 'float' && target !== 'float'))
    return from.scalar === to.scalar ? value : narrowed(code, to, value);
  if (target === 'float') return code.compute(source === 'int' ? 'itof' : 'utof', width, value);
  return narrowed(code, to, code.compute(target === 'int' ? 'ftoi' : 'ftou', width, value));
}
