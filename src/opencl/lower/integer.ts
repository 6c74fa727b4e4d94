/** Integer functions (OpenCL 1.2, 6.12.3) but min, max and clamp, which are in common.ts. */
import { zero } from '../../c/lower/conversion.ts';
import type * as ir from '../../ir/ir.ts';
import { intType, type Type, withElement } from '../../ir/types.ts';
import {
  argument,
  type BuiltinHandler,
  type BuiltinHandlers,
  elementAt,
  type LoweredCall,
} from './builtin-handler.ts';
import { elementBits } from './memory-arguments.ts';

function isSigned(call: LoweredCall): boolean {
  return elementAt(call, 0).signed;
}

function largest(call: LoweredCall, type: Type): ir.Value {
  const bits = BigInt(elementBits(type));
  return call.builder.integer(type, isSigned(call) ? (1n << (bits - 1n)) - 1n : (1n << bits) - 1n);
}

/** All bits the sign bit. */
function signMask(call: LoweredCall, x: ir.Value): ir.Value {
  return call.builder.binary('sshr', x, call.builder.integer(x.type, elementBits(x.type) - 1));
}

/** The largest or the smallest number, by the sign of `like`. */
function saturatedLike(call: LoweredCall, like: ir.Value): ir.Value {
  return call.builder.binary('xor', signMask(call, like), largest(call, like.type));
}

const abs: BuiltinHandler = (call) => {
  const { builder } = call;
  const x = argument(call, 0);
  if (!isSigned(call)) return x;
  const negative = builder.compare('slt', x, zero(call.fn, x.type));
  return builder.select(negative, builder.binary('isub', zero(call.fn, x.type), x), x);
};

const absDiff: BuiltinHandler = (call) => {
  const { builder } = call;
  const [x, y] = [argument(call, 0), argument(call, 1)];
  const signed = isSigned(call);
  const larger = builder.binary(signed ? 'smax' : 'umax', x, y);
  return builder.binary('isub', larger, builder.binary(signed ? 'smin' : 'umin', x, y));
};

function addSaturated(call: LoweredCall, x: ir.Value, y: ir.Value): ir.Value {
  const { builder } = call;
  const sum = builder.binary('iadd', x, y);
  if (!isSigned(call)) return builder.select(builder.compare('ult', sum, x), largest(call, x.type), sum);
  // It overflowed if both operands' signs differ from the sum's.
  const differ = builder.binary('and', builder.binary('xor', x, sum), builder.binary('xor', y, sum));
  const overflow = builder.compare('slt', differ, zero(call.fn, x.type));
  return builder.select(overflow, saturatedLike(call, x), sum);
}

const subSaturated: BuiltinHandler = (call) => {
  const { builder } = call;
  const [x, y] = [argument(call, 0), argument(call, 1)];
  const difference = builder.binary('isub', x, y);
  if (!isSigned(call)) {
    return builder.select(builder.compare('ult', x, y), zero(call.fn, x.type), difference);
  }
  const differ = builder.binary('and', builder.binary('xor', x, y), builder.binary('xor', x, difference));
  const overflow = builder.compare('slt', differ, zero(call.fn, x.type));
  return builder.select(overflow, saturatedLike(call, x), difference);
};

/** The average without an intermediate overflow, rounded down or up. */
function average(roundUp: boolean): BuiltinHandler {
  return (call) => {
    const { builder } = call;
    const [x, y] = [argument(call, 0), argument(call, 1)];
    const shift = isSigned(call) ? 'sshr' : 'ushr';
    const half = builder.binary(shift, builder.binary('xor', x, y), builder.integer(x.type, 1));
    return roundUp
      ? builder.binary('isub', builder.binary('or', x, y), half)
      : builder.binary('iadd', builder.binary('and', x, y), half);
  };
}

function upperProduct(call: LoweredCall): ir.Value {
  const form = isSigned(call) ? 'smulhi' : 'umulhi';
  return call.builder.binary(form, argument(call, 0), argument(call, 1));
}

/** x * y + c at double width, then clamped. */
const madSaturated: BuiltinHandler = (call) => {
  const { builder } = call;
  const c = argument(call, 2);
  const low = builder.binary('imul', argument(call, 0), argument(call, 1));
  const high = upperProduct(call);
  const sum = builder.binary('iadd', low, c);
  const carried = builder.compare('ult', sum, low);
  const none = zero(call.fn, c.type);
  const carry = builder.select(carried, builder.integer(c.type, 1), none);
  if (!isSigned(call)) {
    const overflow = builder.compare('ne', builder.binary('iadd', high, carry), none);
    return builder.select(overflow, largest(call, c.type), sum);
  }
  const upper = builder.binary('iadd', builder.binary('iadd', high, signMask(call, c)), carry);
  const overflow = builder.compare('ne', upper, signMask(call, sum));
  return builder.select(overflow, saturatedLike(call, upper), sum);
};

const upsample: BuiltinHandler = (call) => {
  const { builder } = call;
  const [high, low] = [argument(call, 0), argument(call, 1)];
  const bits = elementBits(high.type);
  const type = withElement(high.type, intType((bits * 2) as 16 | 32 | 64));
  const upper = builder.binary('shl', builder.convert('zext', high, type), builder.integer(type, bits));
  return builder.binary('or', upper, builder.convert('zext', low, type));
};

export const integerHandlers: BuiltinHandlers = {
  abs,
  abs_diff: absDiff,
  add_sat: (call) => addSaturated(call, argument(call, 0), argument(call, 1)),
  clz: (call) => call.builder.unary('clz', argument(call, 0)),
  ctz: (call) => call.builder.unary('ctz', argument(call, 0)),
  hadd: average(false),
  mad24: (call) =>
    call.builder.binary(
      'iadd',
      call.builder.binary('imul', argument(call, 0), argument(call, 1)),
      argument(call, 2),
    ),
  mad_hi: (call) => call.builder.binary('iadd', upperProduct(call), argument(call, 2)),
  mad_sat: madSaturated,
  mul24: (call) => call.builder.binary('imul', argument(call, 0), argument(call, 1)),
  mul_hi: upperProduct,
  popcount: (call) => call.builder.unary('popcount', argument(call, 0)),
  rhadd: average(true),
  rotate: (call) => call.builder.binary('rotl', argument(call, 0), argument(call, 1)),
  sub_sat: subSaturated,
  upsample,
};
