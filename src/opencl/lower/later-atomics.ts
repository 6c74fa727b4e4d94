/** The atomic functions that OpenCL C 2.0 has from C11 (6.13.11). */
import type * as ir from '../../ir/ir.ts';
import { elementOf, i8, i32, i64, type Type } from '../../ir/types.ts';
import {
  argument,
  type BuiltinHandler,
  type BuiltinHandlers,
  elementAt,
  type LoweredCall,
} from './builtin-handler.ts';
import { constantArgument, fencedSpaces } from './work-item.ts';

/** By the numbers of the memory_order_ constants; 1 is C11's consume. */
const orders: readonly ir.MemoryOrder[] = ['relaxed', 'acquire', 'acquire', 'release', 'acq_rel', 'seq_cst'];

/** By the numbers of the memory_scope_ constants. */
const scopes: readonly ir.MemoryScope[] = ['work-item', 'work-group', 'device', 'all-devices', 'sub-group'];

interface Ordering {
  readonly order: ir.MemoryOrder;
  readonly scope: ir.MemoryScope;
}

/** Arguments `first` and `first + scopeAfter`, as far as they are there; what is not known is the strictest. */
function orderingAt(call: LoweredCall, first: number, scopeAfter = 1): Ordering {
  const order = constantArgument(call, first);
  const scope = constantArgument(call, first + scopeAfter);
  return {
    order: (order === undefined ? undefined : orders[Number(order)]) ?? 'seq_cst',
    scope:
      (scope === undefined ? undefined : scopes[Number(scope)]) ??
      (call.args.length > first + scopeAfter ? 'all-devices' : 'device'),
  };
}

/** What takes a pointer and a value. */
function operation(signed: ir.AtomicFunction, unsigned = signed): BuiltinHandler {
  return (call) => {
    const value = argument(call, 1);
    const fn = elementAt(call, 1).signed ? signed : unsigned;
    const { order, scope } = orderingAt(call, 2);
    return call.builder.atomic(fn, [argument(call, 0), value], value.type, order, scope);
  };
}

const load: BuiltinHandler = (call) => {
  const { order, scope } = orderingAt(call, 1);
  return call.builder.atomic('load', [argument(call, 0)], call.fn.typeOf(call.result), order, scope);
};

/** Nobody else may look at the object yet, so it is an ordinary store (6.13.11.1). */
const init: BuiltinHandler = (call) => {
  const pointer = call.types[0];
  const align = pointer?.kind === 'pointer' ? call.fn.module.alignOf(pointer.pointee.type) : 1;
  call.builder.store(argument(call, 0), argument(call, 1), align);
  return undefined;
};

/** Bytes are compared, so floats are compared as integers. The weak form never fails without a reason. */
const compareExchange: BuiltinHandler = (call) => {
  const { builder } = call;
  const [object, place, wish] = [argument(call, 0), argument(call, 1), argument(call, 2)];
  const { order, scope } = orderingAt(call, 3, 2);
  const { type } = wish;
  const bits = integerLike(type);
  const align = bits === i64 ? 8 : 4;
  const expected = builder.load(bits, place, align);
  const desired = bits === type ? wish : builder.convert('bitcast', wish, bits);
  const old = builder.atomic('compare_exchange', [object, expected, desired], bits, order, scope)!;
  const isSame = builder.compare('eq', old, expected);
  const choice = builder.if(isSame);
  builder.within(choice.regions[0]!, () => builder.yield());
  builder.within(choice.regions[1]!, () => {
    builder.store(place, old, align);
    builder.yield();
  });
  return builder.convert('zext', isSame, i8);
};

function integerLike(type: Type): Type {
  const element = elementOf(type);
  if (element.kind !== 'float') return type;
  return element.bits === 64 ? i64 : i32;
}

const functions: BuiltinHandlers = {
  atomic_store: operation('store'),
  atomic_load: load,
  atomic_exchange: operation('exchange'),
  atomic_compare_exchange_strong: compareExchange,
  atomic_compare_exchange_weak: compareExchange,
  atomic_fetch_add: operation('add'),
  atomic_fetch_sub: operation('sub'),
  atomic_fetch_or: operation('or'),
  atomic_fetch_xor: operation('xor'),
  atomic_fetch_and: operation('and'),
  atomic_fetch_min: operation('smin', 'umin'),
  atomic_fetch_max: operation('smax', 'umax'),
  atomic_flag_test_and_set: (call) => {
    const { builder } = call;
    const { order, scope } = orderingAt(call, 1);
    const old = builder.atomic('exchange', [argument(call, 0), builder.integer(i32, 1)], i32, order, scope)!;
    return builder.convert('zext', builder.compare('ne', old, builder.integer(i32, 0)), i8);
  },
  atomic_flag_clear: (call) => {
    const { order, scope } = orderingAt(call, 1);
    call.builder.atomic('store', [argument(call, 0), call.builder.integer(i32, 0)], i32, order, scope);
    return undefined;
  },
};

function withExplicitForms(): Record<string, BuiltinHandler> {
  const handlers: Record<string, BuiltinHandler> = {};
  for (const [name, handler] of Object.entries(functions)) {
    handlers[name] = handler;
    handlers[`${name}_explicit`] = handler;
  }
  return handlers;
}

export const laterAtomicHandlers: BuiltinHandlers = {
  ...withExplicitForms(),
  atomic_init: init,
  atomic_work_item_fence: (call) => {
    const { order, scope } = orderingAt(call, 1);
    call.builder.fence(fencedSpaces(call), order, scope);
    return undefined;
  },
};
