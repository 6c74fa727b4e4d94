/**
 * The functions that kernels have (A.5). Which types each takes is brcc's table, of which a row says: which scalars, how
 * many arguments, and what comes of it. Those marked as older are of Brook before Brook+, whose programs use them.
 */
import { isFloating, type ScalarName, scalarNames, type ValueType, valueType } from '../types.ts';

interface Builtin {
  readonly scalars: readonly ScalarName[];
  readonly arity: number;
  /** `same` as the arguments, or `scalar`: one component of them */
  readonly result: 'same' | 'scalar';
  /** How many components arguments may have; any by default. */
  readonly widths?: readonly number[];
}

const floating: readonly ScalarName[] = ['float', 'double'];
const signed: readonly ScalarName[] = ['char', 'short', 'int', 'float', 'double'];
const all: readonly ScalarName[] = scalarNames;

const unary: Builtin = { scalars: floating, arity: 1, result: 'same' };
const binary: Builtin = { scalars: floating, arity: 2, result: 'same' };
const vectors = [2, 3, 4];

const table: Readonly<Record<string, Builtin>> = {
  abs: { ...unary, scalars: signed },
  acos: unary,
  all: { scalars: all, arity: 1, result: 'scalar', widths: vectors },
  any: { scalars: all, arity: 1, result: 'scalar', widths: vectors },
  asin: unary,
  clamp: { scalars: all, arity: 3, result: 'same' },
  cos: unary,
  cross: { ...binary, widths: [3] },
  dot: { scalars: floating, arity: 2, result: 'scalar' },
  exp: unary,
  floor: unary,
  fmod: binary,
  frac: unary,
  isfinite: unary,
  isinf: unary,
  isnan: unary,
  lerp: { scalars: floating, arity: 3, result: 'same' },
  log: unary,
  max: { ...binary, scalars: all },
  min: { ...binary, scalars: all },
  normalize: { ...unary, widths: vectors },
  pow: binary,
  round: unary,
  rsqrt: unary,
  sign: { ...unary, scalars: signed },
  sin: unary,
  sqrt: unary,
  // older
  atan: unary,
  atan2: binary,
  ceil: unary,
  distance: { scalars: floating, arity: 2, result: 'scalar' },
  exp2: unary,
  length: { scalars: floating, arity: 1, result: 'scalar' },
  log10: unary,
  log2: unary,
  saturate: unary,
  step: binary,
  tan: unary,
};

export interface BuiltinChoice {
  /** What all arguments become. */
  readonly parameter: ValueType;
  readonly result: ValueType;
}

/** Their names, and how many arguments each takes. */
export function builtinArities(): ReadonlyMap<string, number> {
  return new Map(Object.entries(table).map(([name, { arity }]) => [name, arity]));
}

export function isBuiltin(name: string): boolean {
  return Object.hasOwn(table, name);
}

/** The function that a call means; undefined if none fits. `common` is what the arguments have in common. */
export function chooseBuiltin(
  name: string,
  args: readonly ValueType[],
  common: ValueType,
  strongTypes: boolean,
): BuiltinChoice | undefined {
  const builtin = Object.hasOwn(table, name) ? table[name] : undefined;
  if (!builtin || builtin.arity !== args.length) return undefined;
  let parameter = common;
  if (!builtin.scalars.includes(common.scalar)) {
    // Without strong typing integers become numbers that the function takes.
    if (strongTypes || isFloating(common)) return undefined;
    parameter = valueType('float', common.width);
  }
  if (builtin.widths && !builtin.widths.includes(parameter.width)) return undefined;
  const result = builtin.result === 'same' ? parameter : valueType(parameter.scalar, 1);
  return { parameter, result };
}
