/** Common functions (OpenCL 1.2, 6.12.4), and min, max and clamp of integers (6.12.3). */
import {
  add,
  argument,
  type BuiltinHandler,
  type BuiltinHandlers,
  elementAt,
  floating,
  multiply,
  shaped,
  subtract,
  throughFloats,
} from './builtin-handler.ts';

function extreme(signed: 'smin' | 'smax', unsigned: 'umin' | 'umax', float: 'flt' | 'fgt'): BuiltinHandler {
  return (call) => {
    const { builder } = call;
    const x = argument(call, 0);
    const y = shaped(call, argument(call, 1), x.type);
    const element = elementAt(call, 0);
    if (!element.floating) return builder.binary(element.signed ? signed : unsigned, x, y);
    // max(x, y) is y if x < y, else x: cheaper than fmax, which must also look for NaNs.
    return float === 'flt'
      ? builder.select(builder.compare('flt', x, y), y, x)
      : builder.select(builder.compare('flt', y, x), y, x);
  };
}

const clamp: BuiltinHandler = (call) => {
  const { builder } = call;
  const x = argument(call, 0);
  const low = shaped(call, argument(call, 1), x.type);
  const high = shaped(call, argument(call, 2), x.type);
  const element = elementAt(call, 0);
  if (element.floating) return builder.binary('fmin', builder.binary('fmax', x, low), high);
  const raised = builder.binary(element.signed ? 'smax' : 'umax', x, low);
  return builder.binary(element.signed ? 'smin' : 'umin', raised, high);
};

function scaled(factor: number): BuiltinHandler {
  return (call) => {
    const x = argument(call, 0);
    return multiply(call, x, floating(call.builder, x.type, factor));
  };
}

const mix: BuiltinHandler = (call) => {
  const x = argument(call, 0);
  const part = shaped(call, argument(call, 2), x.type);
  return add(call, x, multiply(call, subtract(call, argument(call, 1), x), part));
};

const step: BuiltinHandler = (call) => {
  const { builder } = call;
  const x = argument(call, 1);
  const below = builder.compare('flt', x, shaped(call, argument(call, 0), x.type));
  return builder.select(below, floating(builder, x.type, 0), floating(builder, x.type, 1));
};

const smoothstep: BuiltinHandler = (call) => {
  const { builder } = call;
  const x = argument(call, 2);
  const constant = (value: number) => floating(builder, x.type, value);
  const from = shaped(call, argument(call, 0), x.type);
  const to = shaped(call, argument(call, 1), x.type);
  const ratio = builder.binary('fdiv', subtract(call, x, from), subtract(call, to, from));
  const t = builder.binary('fmin', builder.binary('fmax', ratio, constant(0)), constant(1));
  return multiply(call, multiply(call, t, t), subtract(call, constant(3), multiply(call, constant(2), t)));
};

/** 1 or -1, the zero itself for a zero, 0 for NaN. */
const sign: BuiltinHandler = (call) => {
  const { builder } = call;
  const x = argument(call, 0);
  const zero = floating(builder, x.type, 0);
  const ordered = builder.compare('feq', x, x);
  const isZero = builder.compare('feq', x, zero);
  const one = builder.binary('fcopysign', floating(builder, x.type, 1), x);
  return builder.select(ordered, builder.select(isZero, x, one), zero);
};

export const commonHandlers: BuiltinHandlers = {
  clamp,
  degrees: throughFloats(scaled(180 / Math.PI)),
  max: extreme('smax', 'umax', 'flt'),
  min: extreme('smin', 'umin', 'fgt'),
  mix: throughFloats(mix),
  radians: throughFloats(scaled(Math.PI / 180)),
  sign,
  smoothstep: throughFloats(smoothstep),
  step,
};
