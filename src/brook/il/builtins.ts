/** Brook+'s built-in functions (A.5) in IL's instructions. Their arguments have one type. */
import type { ValueType } from '../types.ts';
import { binary, chosen, compared, eachDouble, kindOf, negated, numberOf } from './arithmetic.ts';
import { type Code, NoIl, type Operand } from './code.ts';
import { componentAt, joined, swizzled } from './values.ts';

/** One instruction for all components. */
const direct: Readonly<Record<string, string>> = {
  ceil: 'round_posinf',
  cos: 'cos_vec',
  exp2: 'exp_vec',
  floor: 'round_neginf',
  frac: 'frc',
  log2: 'log_vec',
  rsqrt: 'rsq_vec',
  sin: 'sin_vec',
  sqrt: 'sqrt_vec',
};

/** One instruction a component: IL has them for one at a time. */
const byComponent: ReadonlySet<string> = new Set(['acos', 'asin', 'atan', 'tan']);

/** Of doubles. */
const ofDoubles: Readonly<Record<string, string>> = {
  abs: 'dabs',
  frac: 'dfrac',
  max: 'dmax',
  min: 'dmin',
  rsqrt: 'drsq',
  sqrt: 'dsqrt',
};

/** What graphics cards compute of floats only. */
const floatsOnly: ReadonlySet<string> = new Set(
  'acos asin atan atan2 cos exp exp2 log log10 log2 pow sin tan'.split(' '),
);

export function builtin(code: Code, name: string, type: ValueType, args: readonly Operand[]): Operand {
  const { width } = type;
  const kind = kindOf(type.scalar);
  const [x, y, z] = args as [Operand, Operand, Operand];
  if (kind === 'double' && floatsOnly.has(name)) throw new NoIl(`there is no ${name} of doubles in IL`);
  const one = kind === 'double' ? ofDoubles[name] : kind === 'float' ? direct[name] : undefined;
  if (one !== undefined)
    return kind === 'double' ? eachDouble(code, one, type, ...args) : code.compute(one, width, x);
  if (byComponent.has(name)) return eachComponent(code, name, x);
  const number = (value: number): Operand => numberOf(code, type, value);
  const operate =
    (operator: string) =>
    (left: Operand, right: Operand): Operand =>
      binary(code, operator, type, left, right);
  const [add, sub, mul] = [operate('+'), operate('-'), operate('*')];
  const floor = (of: Operand): Operand => builtin(code, 'floor', type, [of]);
  switch (name) {
    case 'min':
    case 'max':
      return extreme(code, name, type, x, y);
    case 'clamp':
      return extreme(code, 'min', type, extreme(code, 'max', type, x, y), z);
    case 'saturate':
      return extreme(code, 'min', type, extreme(code, 'max', type, x, number(0)), number(1));
    case 'abs':
      if (kind === 'float') return code.compute('abs', width, x);
      return kind === 'uint' ? x : code.compute('imax', width, x, negated(code, type, x));
    case 'floor':
      return sub(x, eachDouble(code, 'dfrac', type, x));
    case 'ceil':
      return negated(code, type, floor(negated(code, type, x)));
    case 'exp':
      return code.compute('exp_vec', width, mul(x, code.float(Math.LOG2E)));
    case 'log':
      return mul(code.compute('log_vec', width, x), code.float(Math.LN2));
    case 'log10':
      return mul(code.compute('log_vec', width, x), code.float(Math.LN2 / Math.LN10));
    case 'pow':
      return code.compute('exp_vec', width, mul(y, code.compute('log_vec', width, x)));
    case 'fmod':
      return sub(x, mul(y, towardZero(code, type, binary(code, '/', type, x, y))));
    case 'round':
      return floor(add(x, number(0.5)));
    case 'lerp':
      return add(mul(sub(number(1), z), x), mul(z, y));
    case 'step':
      return chosen(code, type, compared(code, '>=', type, y, x), number(1), number(0));
    case 'sign': {
      const below = chosen(code, type, compared(code, '<', type, x, number(0)), number(-1), number(0));
      return chosen(code, type, compared(code, '>', type, x, number(0)), number(1), below);
    }
    case 'dot':
      return dot(code, type, x, y);
    case 'length':
      return root(code, type, dot(code, type, x, x));
    case 'distance': {
      const way = sub(x, y);
      return root(code, type, dot(code, type, way, way));
    }
    case 'normalize':
      return mul(x, builtin(code, 'rsqrt', { ...type, width: 1 }, [dot(code, type, x, x)]));
    case 'cross': {
      const turned = (value: Operand, order: string): Operand => swizzled(value, order, type);
      const product = (first: string, second: string): Operand => mul(turned(x, first), turned(y, second));
      return sub(product('yzx', 'zxy'), product('zxy', 'yzx'));
    }
    case 'isnan':
      return asNumber(code, type, compared(code, '!=', type, x, x));
    case 'isinf':
    case 'isfinite': {
      const size = builtin(code, 'abs', type, [x]);
      const operator = name === 'isinf' ? '==' : '<';
      return asNumber(code, type, compared(code, operator, type, size, number(Number.POSITIVE_INFINITY)));
    }
    case 'any':
    case 'all':
      return ofAll(code, name, type, x);
    default:
      throw new NoIl(`the function ${name}`);
  }
}

function towardZero(code: Code, type: ValueType, x: Operand): Operand {
  if (type.scalar !== 'double') return code.compute('round_z', type.width, x);
  const isBelow = compared(code, '<', type, x, code.double(0));
  const [down, up] = ['floor', 'ceil'].map((name) => builtin(code, name, type, [x])) as [Operand, Operand];
  return chosen(code, type, isBelow, up, down);
}

function extreme(code: Code, name: 'min' | 'max', type: ValueType, x: Operand, y: Operand): Operand {
  const kind = kindOf(type.scalar);
  if (kind === 'double') return eachDouble(code, `d${name}`, type, x, y);
  const prefix = { float: '', int: 'i', uint: 'u' }[kind];
  return code.compute(`${prefix}${name}${prefix === '' ? '_ieee' : ''}`, type.width, x, y);
}

function dot(code: Code, type: ValueType, x: Operand, y: Operand): Operand {
  const product = binary(code, '*', type, x, y);
  const scalar: ValueType = { ...type, width: 1 };
  let sum = componentAt(product, 0, type);
  for (let index = 1; index < type.width; index += 1)
    sum = binary(code, '+', scalar, sum, componentAt(product, index, type));
  return sum;
}

function root(code: Code, type: ValueType, x: Operand): Operand {
  return builtin(code, 'sqrt', { ...type, width: 1 }, [x]);
}

function asNumber(code: Code, type: ValueType, mask: Operand): Operand {
  return chosen(code, type, mask, numberOf(code, type, 1), numberOf(code, type, 0));
}

/** Whether any component is not 0, or all are not, as 1 of the type. */
function ofAll(code: Code, name: 'any' | 'all', type: ValueType, x: Operand): Operand {
  const mask = compared(code, '!=', type, x, numberOf(code, type, 0));
  let found: Operand = { ...mask, lanes: mask.lanes.charAt(0) };
  for (const lane of mask.lanes.slice(1))
    found = code.compute(name === 'any' ? 'ior' : 'iand', 1, found, { ...mask, lanes: lane });
  return asNumber(code, { ...type, width: 1 }, found);
}

function eachComponent(code: Code, name: string, x: Operand): Operand {
  const parts = [...x.lanes].map((lane) => code.compute(name, 1, { register: x.register, lanes: lane }));
  return parts.length === 1 ? parts[0]! : joined(code, parts);
}
