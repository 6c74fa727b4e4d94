/**
 * Geometric functions (OpenCL 1.2, 6.12.5). Lengths must not overflow on the way: float is computed in double,
 * double is scaled by a power of two when it is very large or very small.
 */

import type * as ir from '../../ir/ir.ts';
import { elementOf, f64, lanesOf, withElement } from '../../ir/types.ts';
import {
  add,
  argument,
  type BuiltinHandler,
  type BuiltinHandlers,
  floating,
  type LoweredCall,
  multiply,
  subtract,
  throughFloats,
} from './builtin-handler.ts';
import { isDouble } from './math.ts';

function lanes(call: LoweredCall, x: ir.Value): ir.Value[] {
  if (x.type.kind !== 'vector') return [x];
  return Array.from({ length: lanesOf(x.type) }, (_, lane) => call.builder.extract(x, lane));
}

/** @param isFree its terms may be added up in any order */
function dotProduct(call: LoweredCall, x: ir.Value, y: ir.Value, isFree = false): ir.Value {
  const products = lanes(call, multiply(call, x, y));
  return products.reduce((sum, product) => add(call, sum, product, isFree));
}

const cross: BuiltinHandler = (call) => {
  const { builder } = call;
  const [x, y] = [argument(call, 0), argument(call, 1)];
  const turned = (v: ir.Value, order: readonly number[]) =>
    builder.shuffle(v, v, lanesOf(v.type) === 4 ? [...order, 3] : order);
  const left = multiply(call, turned(x, [1, 2, 0]), turned(y, [2, 0, 1]));
  const right = multiply(call, turned(x, [2, 0, 1]), turned(y, [1, 2, 0]));
  const result = subtract(call, left, right);
  const element = elementOf(x.type);
  return lanesOf(x.type) === 4 ? builder.insert(result, floating(builder, element, 0), 3) : result;
};

/** A vector made longer or not, and the length of `shrink` times that. */
interface Measured {
  readonly vector: ir.Value;
  readonly length: ir.Value;
  /** Powers of two that keep the squares of doubles in range, each 1 if it is not needed; floats need none. */
  readonly scale?: { readonly lift: ir.Value; readonly shrink: ir.Value };
}

function measure(call: LoweredCall, x: ir.Value): Measured {
  const { builder } = call;
  if (!isDouble(x)) {
    const vector = builder.convert('fwiden', x, withElement(x.type, f64));
    // In double, but no program has asked for that: nobody may rely on the order of its terms.
    return { vector, length: builder.unary('fsqrt', dotProduct(call, vector, vector, true)) };
  }
  const sizes = lanes(call, builder.unary('fabs', x));
  const size = sizes.reduce((a, b) => builder.binary('fmax', a, b));
  const constant = (value: number) => floating(builder, size.type, value);
  const tiny = builder.compare('flt', size, constant(2 ** -480));
  const huge = builder.compare('fgt', size, constant(2 ** 500));
  const lift = builder.select(tiny, constant(2 ** 590), constant(1));
  const shrink = builder.select(huge, constant(2 ** -600), constant(1));
  const vector = multiply(call, x, spread(call, lift, x.type));
  const small = multiply(call, vector, spread(call, shrink, x.type));
  return { vector, length: builder.unary('fsqrt', dotProduct(call, small, small)), scale: { lift, shrink } };
}

/** The scalar in all lanes of a type. */
function spread(call: LoweredCall, scalar: ir.Value, type: ir.Value['type']): ir.Value {
  return type.kind === 'vector' ? call.builder.splat(scalar, type) : scalar;
}

function lengthOf(call: LoweredCall, x: ir.Value): ir.Value {
  const { length, scale } = measure(call, x);
  if (!scale) return call.builder.convert('fnarrow', length, elementOf(x.type));
  return call.builder.binary('fdiv', length, multiply(call, scale.lift, scale.shrink));
}

const normalize: BuiltinHandler = (call) => {
  const { builder } = call;
  const x = argument(call, 0);
  const { vector, length, scale } = measure(call, x);
  const isZero = builder.compare('feq', length, floating(builder, length.type, 0));
  const divisor = builder.select(isZero, floating(builder, length.type, 1), length);
  const result = builder.binary('fdiv', vector, spread(call, divisor, vector.type));
  // Only now, for a lane that is small beside the others would lose bits before.
  return scale
    ? multiply(call, result, spread(call, scale.shrink, x.type))
    : builder.convert('fnarrow', result, x.type);
};

const fastNormalize: BuiltinHandler = (call) => {
  const { builder } = call;
  const x = argument(call, 0);
  const length = builder.unary('fsqrt', dotProduct(call, x, x));
  const isZero = builder.compare('feq', length, floating(builder, length.type, 0));
  const one = floating(builder, length.type, 1);
  const inverse = builder.binary('fdiv', one, builder.select(isZero, one, length));
  return builder.binary('fmul', x, x.type.kind === 'vector' ? builder.splat(inverse, x.type) : inverse);
};

function fastLength(call: LoweredCall, x: ir.Value): ir.Value {
  return call.builder.unary('fsqrt', dotProduct(call, x, x));
}

function difference(call: LoweredCall): ir.Value {
  return call.builder.binary('fsub', argument(call, 0), argument(call, 1));
}

export const geometricHandlers: BuiltinHandlers = {
  cross: throughFloats(cross),
  distance: throughFloats((call) => lengthOf(call, difference(call))),
  dot: throughFloats((call) => dotProduct(call, argument(call, 0), argument(call, 1))),
  fast_distance: (call) => fastLength(call, difference(call)),
  fast_length: (call) => fastLength(call, argument(call, 0)),
  fast_normalize: fastNormalize,
  length: throughFloats((call) => lengthOf(call, argument(call, 0))),
  normalize: throughFloats(normalize),
};
