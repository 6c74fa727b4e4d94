/** Brook+'s built-in functions (A.5) in IL's instructions. Their arguments have one type. */
import type { ValueType } from '../types.ts';
import { binary, compared, kindOf, negated } from './arithmetic.ts';
import { type Code, NoIl, type Operand } from './code.ts';

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

export function builtin(code: Code, name: string, type: ValueType, args: readonly Operand[]): Operand {
  const { width } = type;
  const kind = kindOf(type.scalar);
  const [x, y, z] = args as [Operand, Operand, Operand];
  const one = direct[name];
  if (one !== undefined && kind === 'float') return code.compute(one, width, x);
  if (byComponent.has(name)) return eachComponent(code, name, x);
  const mul = (left: Operand, right: Operand): Operand => binary(code, '*', type, left, right);
  const sub = (left: Operand, right: Operand): Operand => binary(code, '-', type, left, right);
  const add = (left: Operand, right: Operand): Operand => binary(code, '+', type, left, right);
  switch (name) {
    case 'min':
    case 'max':
      return extreme(code, name, type, x, y);
    case 'clamp':
      return extreme(code, 'min', type, extreme(code, 'max', type, x, y), z);
    case 'saturate':
      return extreme(code, 'min', type, extreme(code, 'max', type, x, code.float(0)), code.float(1));
    case 'abs':
      if (kind === 'float') return code.compute('abs', width, x);
      return kind === 'uint' ? x : code.compute('imax', width, x, negated(code, kind, x));
    case 'exp':
      return code.compute('exp_vec', width, mul(x, code.float(Math.LOG2E)));
    case 'log':
      return mul(code.compute('log_vec', width, x), code.float(Math.LN2));
    case 'log10':
      return mul(code.compute('log_vec', width, x), code.float(Math.LN2 / Math.LN10));
    case 'pow':
      return code.compute('exp_vec', width, mul(y, code.compute('log_vec', width, x)));
    case 'fmod':
      return sub(x, mul(y, code.compute('round_z', width, binary(code, '/', type, x, y))));
    case 'round':
      return code.compute('round_neginf', width, add(x, code.float(0.5)));
    case 'lerp':
      return add(mul(sub(code.float(1), z), x), mul(z, y));
    case 'step':
      return chosen(code, compared(code, '>=', type, y, x), code.float(1), code.float(0), width);
    case 'sign':
      return sign(code, type, x);
    case 'dot':
      return dot(code, x, y);
    case 'length':
      return code.compute('sqrt_vec', 1, dot(code, x, x));
    case 'distance': {
      const way = sub(x, y);
      return code.compute('sqrt_vec', 1, dot(code, way, way));
    }
    case 'normalize':
      return mul(x, code.compute('rsq_vec', 1, dot(code, x, x)));
    case 'cross':
      return sub(mul(lanes(x, 'yzx'), lanes(y, 'zxy')), mul(lanes(x, 'zxy'), lanes(y, 'yzx')));
    case 'isnan':
      return asFloat(code, compared(code, '!=', type, x, x), width);
    case 'isinf':
      return asFloat(code, infinite(code, type, x), width);
    case 'isfinite': {
      const bits = code.compute('iand', width, x, code.bits(0x7f800000));
      return asFloat(code, code.compute('ine', width, bits, code.bits(0x7f800000)), width);
    }
    case 'any':
    case 'all':
      return joined(code, name, type, x);
    default:
      throw new NoIl(`the function ${name}`);
  }
}

function lanes(value: Operand, order: string): Operand {
  return {
    register: value.register,
    lanes: [...order].map((lane) => value.lanes.charAt('xyzw'.indexOf(lane))).join(''),
  };
}

function extreme(code: Code, name: 'min' | 'max', type: ValueType, x: Operand, y: Operand): Operand {
  const prefix = { float: '', int: 'i', uint: 'u' }[kindOf(type.scalar)];
  return code.compute(`${prefix}${name}${prefix === '' ? '_ieee' : ''}`, type.width, x, y);
}

function dot(code: Code, x: Operand, y: Operand): Operand {
  const width = x.lanes.length;
  if (width === 1) return code.compute('mul_ieee', 1, x, y);
  const product = code.compute('mul_ieee', width, x, y);
  let sum: Operand = { ...product, lanes: 'x' };
  for (const lane of product.lanes.slice(1)) sum = code.compute('add', 1, sum, { ...product, lanes: lane });
  return sum;
}

function chosen(code: Code, mask: Operand, yes: Operand, no: Operand, width: number): Operand {
  return code.compute('cmov_logical', width, mask, yes, no);
}

function asFloat(code: Code, mask: Operand, width: number): Operand {
  return chosen(code, mask, code.float(1), code.float(0), width);
}

function infinite(code: Code, { width }: ValueType, x: Operand): Operand {
  const bits = code.compute('iand', width, x, code.bits(0x7fffffff));
  return code.compute('ieq', width, bits, code.bits(0x7f800000));
}

function sign(code: Code, type: ValueType, x: Operand): Operand {
  const { width, scalar } = type;
  const isFloat = kindOf(scalar) === 'float';
  const [one, minus] = isFloat ? [code.float(1), code.float(-1)] : [code.bits(1), code.bits(-1)];
  const below = chosen(code, compared(code, '<', type, x, code.bits(0)), minus, code.bits(0), width);
  return chosen(code, compared(code, '>', type, x, code.bits(0)), one, below, width);
}

/** Whether any component is not 0, or all are not, as 1 of the type. */
function joined(code: Code, name: 'any' | 'all', type: ValueType, x: Operand): Operand {
  const mask = compared(code, '!=', type, x, code.bits(0));
  let found: Operand = { ...mask, lanes: 'x' };
  for (const lane of mask.lanes.slice(1))
    found = code.compute(name === 'any' ? 'ior' : 'iand', 1, found, { ...mask, lanes: lane });
  const one = kindOf(type.scalar) === 'float' ? code.float(1) : code.bits(1);
  return chosen(code, found, one, code.bits(0), 1);
}

function eachComponent(code: Code, name: string, x: Operand): Operand {
  const register = code.fresh();
  for (const [index, lane] of [...x.lanes].entries()) {
    const mask = [0, 1, 2, 3].map((at) => (at === index ? 'xyzw'.charAt(at) : '_')).join('');
    code.add(`${name} ${register}.${mask},${x.register}.${lane.repeat(4)}`);
  }
  return { register, lanes: 'xyzw'.slice(0, x.lanes.length) };
}
