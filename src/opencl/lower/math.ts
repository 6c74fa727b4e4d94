/** Math functions (OpenCL 1.2, 6.12.2): those that are operations of the IR, and the calls of the library. */

import type * as ir from '../../ir/ir.ts';
import { elementOf, i32, type Type } from '../../ir/types.ts';
import {
  argument,
  type BuiltinHandler,
  type BuiltinHandlers,
  floating,
  type LoweredCall,
  library,
  shaped,
  throughFloats,
} from './builtin-handler.ts';
import { elementBits, storeThrough } from './memory-arguments.ts';

function unary(form: ir.UnaryFunction): BuiltinHandler {
  return (call) => call.builder.unary(form, argument(call, 0));
}

function binary(form: ir.BinaryFunction): BuiltinHandler {
  return (call) => {
    const x = argument(call, 0);
    return call.builder.binary(form, x, shaped(call, argument(call, 1), x.type));
  };
}

function fromLibrary(base: string): BuiltinHandler {
  return (call) => library(call, base, call.args);
}

/** The native form of a function, where arithmetic is relaxed. */
function relaxed(call: LoweredCall, base: string, args: readonly ir.Value[]): ir.Value {
  const isNative = call.fn.module.options.isRelaxed && !isDouble(args[0]!);
  return library(call, isNative ? `native_${base}` : base, args);
}

function reciprocal(call: LoweredCall, x: ir.Value): ir.Value {
  return call.builder.binary('fdiv', floating(call.builder, x.type, 1), x);
}

const recip: BuiltinHandler = (call) => reciprocal(call, argument(call, 0));
const rsqrt: BuiltinHandler = (call) => reciprocal(call, call.builder.unary('fsqrt', argument(call, 0)));

/** To nearest, halves away from zero; x + 0.5 would round up what lies just under a half. */
const round: BuiltinHandler = (call) => {
  const { builder } = call;
  const x = argument(call, 0);
  const whole = builder.unary('ftrunc', x);
  const fraction = builder.unary('fabs', builder.binary('fsub', x, whole));
  const up = builder.compare('fge', fraction, floating(builder, x.type, 0.5));
  const step = builder.select(up, floating(builder, x.type, 1), floating(builder, x.type, 0));
  const rounded = builder.binary('fadd', whole, builder.binary('fcopysign', step, x));
  return builder.binary('fcopysign', rounded, x);
};

/** Zero unless x > y; NaN passes through the subtraction. */
const fdim: BuiltinHandler = (call) => {
  const { builder } = call;
  const x = argument(call, 0);
  const y = argument(call, 1);
  const least = builder.compare('fle', x, y);
  return builder.select(least, floating(builder, x.type, 0), builder.binary('fsub', x, y));
};

/** mad may be fused or not, whichever is quicker. */
const mad: BuiltinHandler = (call) => {
  const product = call.builder.binary('fmul', argument(call, 0), argument(call, 1), true);
  return call.builder.binary('fadd', product, argument(call, 2), true, call.fn.module.options.reassociate);
};

const modf: BuiltinHandler = (call) => {
  const { builder } = call;
  const x = argument(call, 0);
  const whole = builder.unary('ftrunc', x);
  storeThrough(call, 1, whole);
  const infinite = builder.compare('feq', builder.unary('fabs', x), floating(builder, x.type, Infinity));
  const rest = builder.select(infinite, floating(builder, x.type, 0), builder.binary('fsub', x, whole));
  return builder.binary('fcopysign', rest, x);
};

const sincos: BuiltinHandler = (call) => {
  const x = argument(call, 0);
  storeThrough(call, 1, relaxed(call, 'cos', [x]));
  return relaxed(call, 'sin', [x]);
};

const frexp: BuiltinHandler = (call) => {
  const x = argument(call, 0);
  storeThrough(call, 1, library(call, 'frexp_exponent', [x], i32));
  return library(call, 'frexp_fraction', [x]);
};

const remquo: BuiltinHandler = (call) => {
  const operands = [argument(call, 0), argument(call, 1)];
  storeThrough(call, 2, library(call, 'remquo_quotient', operands, i32));
  return library(call, 'remainder', operands);
};

const lgammaWithSign: BuiltinHandler = (call) => {
  const x = argument(call, 0);
  storeThrough(call, 1, library(call, 'lgamma_sign', [x], i32));
  return library(call, 'lgamma', [x]);
};

/** The part above the whole number below, kept from rounding up to 1. */
const fract: BuiltinHandler = (call) => {
  const { builder } = call;
  const x = argument(call, 0);
  const below = builder.unary('ffloor', x);
  storeThrough(call, 1, below);
  const largest = floating(builder, x.type, 1 - 2 ** -significandBits(x.type));
  const rest = builder.binary('fsub', x, below);
  const reaches = builder.compare('fgt', rest, largest);
  const inside = builder.select(reaches, largest, rest);
  // Infinities and zeros have a zero of their own sign.
  const whole = builder.compare('feq', x, below);
  const zero = builder.binary('fcopysign', floating(builder, x.type, 0), x);
  const exact = builder.select(isZeroOrInfinite(call, x), zero, floating(builder, x.type, 0));
  return builder.select(whole, exact, inside);
};

function isZeroOrInfinite(call: LoweredCall, x: ir.Value): ir.Value {
  const { builder } = call;
  // Only these are their own double.
  return builder.compare('feq', x, builder.binary('fadd', x, x));
}

/** The argument of larger (smaller) magnitude; where there is none, what fmax (fmin) says. */
function byMagnitude(form: 'fgt' | 'flt', otherwise: 'fmax' | 'fmin'): BuiltinHandler {
  return (call) => {
    const { builder } = call;
    const [x, y] = [argument(call, 0), argument(call, 1)];
    const [a, b] = [builder.unary('fabs', x), builder.unary('fabs', y)];
    const second = builder.select(builder.compare(form, b, a), y, builder.binary(otherwise, x, y));
    return builder.select(builder.compare(form, a, b), x, second);
  };
}

/** By width: the bits of a NaN that a program may choose, and those of a quiet one. */
const nanBits: Readonly<Record<number, readonly [payload: bigint, quiet: bigint]>> = {
  16: [0x1ffn, 0x7e00n],
  32: [0x3fffffn, 0x7fc00000n],
  64: [0x7ffffffffffffn, 0x7ff8000000000000n],
};

/** A quiet NaN with the low bits of the argument. */
const nan: BuiltinHandler = (call) => {
  const { builder } = call;
  const code = argument(call, 0);
  const [payloadBits, quietBits] = nanBits[elementBits(code.type)]!;
  const payload = builder.integer(code.type, payloadBits);
  const quiet = builder.integer(code.type, quietBits);
  const bits = builder.binary('or', builder.binary('and', code, payload), quiet);
  return builder.convert('bitcast', bits, call.fn.typeOf(call.result));
};

const fromScalarLibrary = (
  'acos acosh acospi asin asinh asinpi atan atan2 atan2pi atanh atanpi cbrt cos cosh cospi erf erfc exp exp2 ' +
  'exp10 expm1 fmod hypot ldexp lgamma log log2 log10 log1p logb nextafter pow pown powr remainder rootn sin sinh ' +
  'sinpi tan tanh tanpi tgamma'
).split(' ');

/** half_ and native_ functions may be less exact. Native ones are the machine's own where it has any, else these. */
const fastForms = ['powr', 'cos', 'exp', 'exp2', 'exp10', 'log', 'log2', 'log10', 'sin', 'tan'] as const;

function libraryHandlers(): Record<string, BuiltinHandler> {
  const handlers: Record<string, BuiltinHandler> = {};
  for (const name of fromScalarLibrary) handlers[name] = fromLibrary(name);
  for (const name of fastForms) {
    handlers[`half_${name}`] = fromLibrary(name);
    handlers[`native_${name}`] = fromLibrary(`native_${name}`);
    // Of 0 and infinity relaxed powers are what others are.
    if (name !== 'powr') handlers[name] = (call) => relaxed(call, name, call.args);
  }
  return handlers;
}

export const mathHandlers: BuiltinHandlers = {
  ...libraryHandlers(),
  ceil: unary('fceil'),
  fabs: unary('fabs'),
  floor: unary('ffloor'),
  rint: unary('frint'),
  sqrt: unary('fsqrt'),
  trunc: unary('ftrunc'),
  half_sqrt: unary('fsqrt'),
  native_sqrt: unary('fsqrt'),
  copysign: binary('fcopysign'),
  fmax: binary('fmax'),
  fmin: binary('fmin'),
  half_divide: binary('fdiv'),
  native_divide: binary('fdiv'),
  half_recip: recip,
  native_recip: recip,
  rsqrt: throughFloats(rsqrt),
  half_rsqrt: rsqrt,
  native_rsqrt: rsqrt,
  fdim,
  fract,
  fma: (call) => call.builder.fma(argument(call, 0), argument(call, 1), argument(call, 2)),
  frexp,
  ilogb: (call) => library(call, 'ilogb', call.args, i32),
  lgamma_r: lgammaWithSign,
  mad,
  maxmag: byMagnitude('fgt', 'fmax'),
  minmag: byMagnitude('flt', 'fmin'),
  modf,
  nan,
  remquo,
  round,
  sincos,
};

/** The precision of a floating type's lanes. */
function significandBits(type: Type): number {
  return { 16: 11, 32: 24, 64: 53 }[elementBits(type)] ?? 0;
}

/** Whether a function's lanes are doubles, for handlers that choose by precision. */
export function isDouble(value: ir.Value): boolean {
  const element = elementOf(value.type);
  return element.kind === 'float' && element.bits === 64;
}
