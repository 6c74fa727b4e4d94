/** Atomic functions of OpenCL 1.2 (6.12.11) and the extensions whose names begin with atom_. */

import type * as ir from '../../ir/ir.ts';
import { argument, type BuiltinHandler, type BuiltinHandlers, elementAt } from './builtin-handler.ts';

function operation(signed: ir.AtomicFunction, unsigned = signed): BuiltinHandler {
  return (call) => {
    const value = argument(call, 1);
    const form = elementAt(call, 1).signed ? signed : unsigned;
    return call.builder.atomic(form, [argument(call, 0), value], value.type);
  };
}

/** Adds or subtracts one. */
function step(form: 'add' | 'sub'): BuiltinHandler {
  return (call) => {
    const type = call.fn.typeOf(call.result);
    return call.builder.atomic(form, [argument(call, 0), call.builder.integer(type, 1)], type);
  };
}

const operations: BuiltinHandlers = {
  add: operation('add'),
  and: operation('and'),
  cmpxchg: (call) => {
    const type = call.fn.typeOf(call.result);
    return call.builder.atomic('compare_exchange', [...call.args], type);
  },
  dec: step('sub'),
  inc: step('add'),
  max: operation('smax', 'umax'),
  min: operation('smin', 'umin'),
  or: operation('or'),
  sub: operation('sub'),
  xchg: operation('exchange'),
  xor: operation('xor'),
};

function named(): Record<string, BuiltinHandler> {
  const handlers: Record<string, BuiltinHandler> = {};
  for (const [name, handler] of Object.entries(operations)) {
    handlers[`atomic_${name}`] = handler;
    handlers[`atom_${name}`] = handler;
  }
  return handlers;
}

export const atomicHandlers: BuiltinHandlers = named();
