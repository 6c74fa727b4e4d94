/** Relational functions (OpenCL 1.2, 6.12.6). Scalars give 1 or 0, vectors -1 or 0 in each lane. */
import { fromTruth, isNonZero, signBits } from '../../c/lower/conversion.ts';
import type * as ir from '../../ir/ir.ts';
import { elementOf, intType, lanesOf, type Type, withElement } from '../../ir/types.ts';
import {
  argument,
  type BuiltinHandler,
  type BuiltinHandlers,
  floating,
  type LoweredCall,
} from './builtin-handler.ts';
import { elementBits } from './memory-arguments.ts';

function truth(compute: (call: LoweredCall) => ir.Value): BuiltinHandler {
  return (call) => fromTruth(call.fn, compute(call), call.result);
}

function comparing(form: ir.CompareFunction): BuiltinHandler {
  return truth((call) => call.builder.compare(form, argument(call, 0), argument(call, 1)));
}

function bothNumbers(call: LoweredCall): ir.Value {
  const [x, y] = [argument(call, 0), argument(call, 1)];
  return call.builder.binary('and', call.builder.compare('feq', x, x), call.builder.compare('feq', y, y));
}

function magnitude(call: LoweredCall): ir.Value {
  return call.builder.unary('fabs', argument(call, 0));
}

function finite(call: LoweredCall): ir.Value {
  const size = magnitude(call);
  return call.builder.compare('flt', size, floating(call.builder, size.type, Infinity));
}

function isNormal(call: LoweredCall): ir.Value {
  const { builder } = call;
  const size = magnitude(call);
  const smallest = { 16: 2 ** -14, 32: 2 ** -126, 64: 2 ** -1022 }[elementBits(size.type)] ?? 0;
  return builder.binary(
    'and',
    finite(call),
    builder.compare('fge', size, floating(builder, size.type, smallest)),
  );
}

function bitsOf(call: LoweredCall, x: ir.Value): ir.Value {
  const type = integerShape(x.type);
  return type === x.type ? x : call.builder.convert('bitcast', x, type);
}

function integerShape(type: Type): Type {
  return withElement(type, intType(elementBits(type) as 8 | 16 | 32 | 64));
}

/** Whether the sign bit of some lane, or of every lane, is set. */
function reduced(form: 'or' | 'and'): BuiltinHandler {
  return (call) => {
    const { builder } = call;
    const x = argument(call, 0);
    let combined = x;
    if (x.type.kind === 'vector') {
      combined = builder.extract(x, 0);
      for (let lane = 1; lane < lanesOf(x.type); lane += 1) {
        combined = builder.binary(form, combined, builder.extract(x, lane));
      }
    }
    return fromTruth(call.fn, signBits(call.fn, combined), call.result);
  };
}

const bitselect: BuiltinHandler = (call) => {
  const { builder } = call;
  const type = argument(call, 0).type;
  const [a, b, c] = [0, 1, 2].map((index) => bitsOf(call, argument(call, index)));
  const kept = builder.binary('and', a!, builder.unary('not', c!));
  const bits = builder.binary('or', kept, builder.binary('and', b!, c!));
  return bits.type === type ? bits : builder.convert('bitcast', bits, type);
};

/** select(a, b, c) is b where c is true: its sign bit in a vector, any bit in a scalar. */
const select: BuiltinHandler = (call) => {
  const c = argument(call, 2);
  const condition = elementOf(c.type) === c.type ? isNonZero(call.fn, c) : signBits(call.fn, c);
  return call.builder.select(condition, argument(call, 1), argument(call, 0));
};

export const relationalHandlers: BuiltinHandlers = {
  all: reduced('and'),
  any: reduced('or'),
  bitselect,
  isequal: comparing('feq'),
  isfinite: truth(finite),
  isgreater: comparing('fgt'),
  isgreaterequal: comparing('fge'),
  isinf: truth((call) => {
    const size = magnitude(call);
    return call.builder.compare('feq', size, floating(call.builder, size.type, Infinity));
  }),
  isless: comparing('flt'),
  islessequal: comparing('fle'),
  islessgreater: truth((call) => {
    const [x, y] = [argument(call, 0), argument(call, 1)];
    return call.builder.binary('or', call.builder.compare('flt', x, y), call.builder.compare('fgt', x, y));
  }),
  isnan: truth((call) => call.builder.compare('fne', argument(call, 0), argument(call, 0))),
  isnormal: truth(isNormal),
  isnotequal: comparing('fne'),
  isordered: truth(bothNumbers),
  isunordered: truth((call) => call.builder.unary('not', bothNumbers(call))),
  select,
  signbit: truth((call) => signBits(call.fn, bitsOf(call, argument(call, 0)))),
};
