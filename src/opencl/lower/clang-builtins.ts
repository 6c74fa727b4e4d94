/** The few `__builtin_` functions of clang that public kernels call though no version of OpenCL C has them. */
import type * as ir from '../../ir/ir.ts';
import { i32 } from '../../ir/types.ts';
import {
  argument,
  type BuiltinHandler,
  type BuiltinHandlers,
  elementAt,
  type LoweredCall,
} from './builtin-handler.ts';
import { elementBits, storeThrough } from './memory-arguments.ts';

/** A count of bits as an int. */
function toInt(call: LoweredCall, value: ir.Value): ir.Value {
  const bits = elementBits(value.type);
  if (bits === 32) return value;
  return call.builder.convert(bits > 32 ? 'trunc' : 'zext', value, i32);
}

function countOf(operator: 'clz' | 'ctz' | 'popcount'): BuiltinHandler {
  return (call) => toInt(call, call.builder.unary(operator, argument(call, 0)));
}

/** One more than the position of the lowest bit that is set, 0 if none is. */
const findFirstSet: BuiltinHandler = (call) => {
  const { builder } = call;
  const x = argument(call, 0);
  const place = toInt(call, builder.unary('ctz', x));
  const isZero = builder.compare('eq', x, builder.integer(x.type, 0));
  return builder.select(
    isZero,
    builder.integer(i32, 0),
    builder.binary('iadd', place, builder.integer(i32, 1)),
  );
};

/** The bytes the other way round. */
const swapBytes: BuiltinHandler = (call) => {
  const { builder } = call;
  const x = argument(call, 0);
  const bits = elementBits(x.type);
  let result: ir.Value | undefined;
  for (let from = 0; from < bits; from += 8) {
    const byte = builder.binary(
      'and',
      builder.binary('ushr', x, builder.integer(x.type, from)),
      builder.integer(x.type, 255),
    );
    const moved = builder.binary('shl', byte, builder.integer(x.type, bits - 8 - from));
    result = result ? builder.binary('or', result, moved) : moved;
  }
  return result;
};

/** Stores the wrapped result, and says whether the true one differs. */
function withOverflow(operation: 'add' | 'sub' | 'mul'): BuiltinHandler {
  return (call) => {
    const { builder } = call;
    const [a, b] = [argument(call, 0), argument(call, 1)];
    const { signed } = elementAt(call, 0);
    const result = builder.binary(`i${operation}`, a, b);
    storeThrough(call, 2, result);
    const overflow = signed
      ? signedOverflow(call, operation, a, b, result)
      : unsignedOverflow(call, operation, a, b, result);
    return builder.select(overflow, builder.integer(i32, 1), builder.integer(i32, 0));
  };
}

function unsignedOverflow(
  call: LoweredCall,
  operation: 'add' | 'sub' | 'mul',
  a: ir.Value,
  b: ir.Value,
  result: ir.Value,
): ir.Value {
  const { builder } = call;
  if (operation === 'add') return builder.compare('ult', result, a);
  if (operation === 'sub') return builder.compare('ult', a, b);
  return builder.compare('ne', builder.binary('umulhi', a, b), builder.integer(a.type, 0));
}

function signedOverflow(
  call: LoweredCall,
  operation: 'add' | 'sub' | 'mul',
  a: ir.Value,
  b: ir.Value,
  result: ir.Value,
): ir.Value {
  const { builder } = call;
  const last = builder.integer(a.type, elementBits(a.type) - 1);
  if (operation === 'mul') {
    // The upper half must be nothing but copies of the sign.
    return builder.compare('ne', builder.binary('smulhi', a, b), builder.binary('sshr', result, last));
  }
  // A sum overflows if its sign differs from both operands'; a difference if it differs from a's, and a's from b's.
  const other = operation === 'add' ? builder.binary('xor', b, result) : builder.binary('xor', a, b);
  const signs = builder.binary('and', builder.binary('xor', a, result), other);
  return builder.compare('slt', signs, builder.integer(a.type, 0));
}

const overflowHandlers: Record<string, BuiltinHandler> = {};
for (const operation of ['add', 'sub', 'mul'] as const) {
  for (const suffix of ['', 'l', 'll']) {
    for (const sign of ['s', 'u']) {
      overflowHandlers[`__builtin_${sign}${operation}${suffix}_overflow`] = withOverflow(operation);
    }
  }
}

export const clangHandlers: BuiltinHandlers = {
  ...overflowHandlers,
  __builtin_bswap16: swapBytes,
  __builtin_bswap32: swapBytes,
  __builtin_bswap64: swapBytes,
  __builtin_clz: countOf('clz'),
  __builtin_clzl: countOf('clz'),
  __builtin_clzll: countOf('clz'),
  __builtin_ctz: countOf('ctz'),
  __builtin_ctzl: countOf('ctz'),
  __builtin_ctzll: countOf('ctz'),
  __builtin_ffs: findFirstSet,
  __builtin_ffsl: findFirstSet,
  __builtin_ffsll: findFirstSet,
  __builtin_popcount: countOf('popcount'),
  __builtin_popcountl: countOf('popcount'),
  __builtin_popcountll: countOf('popcount'),
  // A hint which way a branch goes; the value is the first argument.
  __builtin_expect: (call) => argument(call, 0),
};
