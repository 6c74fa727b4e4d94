/** Brook+'s built-in functions (A.5) by OpenCL C's. */
import type { ValueType } from '../types.ts';
import { isFloating, typeName } from '../types.ts';
import type { Source } from './source.ts';

/** Functions that OpenCL C has by the same or another name. */
const renamed: Readonly<Record<string, string>> = {
  acos: 'acos',
  asin: 'asin',
  atan: 'atan',
  atan2: 'atan2',
  ceil: 'ceil',
  clamp: 'clamp',
  cos: 'cos',
  cross: 'cross',
  distance: 'distance',
  dot: 'dot',
  exp: 'exp',
  exp2: 'exp2',
  floor: 'floor',
  fmod: 'fmod',
  length: 'length',
  log: 'log',
  log10: 'log10',
  log2: 'log2',
  max: 'max',
  min: 'min',
  normalize: 'normalize',
  pow: 'pow',
  rsqrt: 'rsqrt',
  sin: 'sin',
  sqrt: 'sqrt',
  step: 'step',
  tan: 'tan',
};

/** Others: their bodies with arguments x, y and z of the type T. */
const bodies: Readonly<Record<string, (type: ValueType) => string>> = {
  frac: () => 'x - floor(x)',
  // The nearest integer, found by adding 0.5, as the guide has it and rnd of IL does it.
  round: () => 'floor(x + (T)0.5)',
  saturate: () => 'clamp(x, (T)0, (T)1)',
  lerp: () => '((T)1 - z) * x + z * y',
  sign: (type) => (isFloating(type) ? 'sign(x)' : `${truth(type, 'x > (T)0')} - ${truth(type, 'x < (T)0')}`),
  isfinite: (type) => truth(type, 'isfinite(x)'),
  isinf: (type) => truth(type, 'isinf(x)'),
  isnan: (type) => truth(type, 'isnan(x)'),
};

/** What comparisons give (1, or -1 in each component of a vector) as 1 of a type. */
function truth(type: ValueType, comparison: string): string {
  return type.width === 1 ? `(T)(${comparison})` : `convert_${typeName(type)}(-(${comparison}))`;
}

/** The call of a built-in function whose arguments have one type, as text. */
export function emitBuiltin(
  source: Source,
  name: string,
  parameter: ValueType,
  result: ValueType,
  args: readonly string[],
): string {
  const list = args.join(', ');
  if (name === 'any' || name === 'all')
    return `(${result.scalar})${name}((${list}) != (${typeName(parameter)})(0))`;
  if (name === 'abs')
    return isFloating(parameter) ? `fabs(${list})` : `convert_${typeName(result)}(abs(${list}))`;
  const own = renamed[name];
  if (own) return `${own}(${list})`;
  const type = typeName(parameter);
  const helper = `brook_${name}_${type}`;
  const parameters = ['x', 'y', 'z']
    .slice(0, args.length)
    .map((one) => `${type} ${one}`)
    .join(', ');
  const body = bodies[name]!(parameter).replace(/\bT\b/g, type);
  source.need(helper, `${type} ${helper}(${parameters}) {\n  return ${body};\n}`);
  return `${helper}(${list})`;
}
