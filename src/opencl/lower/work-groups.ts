/** Work-group functions (OpenCL 2.0, 6.13.15) and sub-group functions (cl_khr_subgroups). */
import { subGroupSize } from '../../ir/collectives.ts';
import type * as ir from '../../ir/ir.ts';
import { i32 } from '../../ir/types.ts';
import {
  argument,
  type BuiltinHandler,
  type BuiltinHandlers,
  elementAt,
  type LoweredCall,
} from './builtin-handler.ts';
import { barrierOf, linearId } from './work-item.ts';

type Scope = ir.Collective['scope'];

function combineFunction(call: LoweredCall, way: 'add' | 'min' | 'max'): ir.CombineFunction {
  const { floating, signed } = elementAt(call, 0);
  if (way === 'add') return floating ? 'fadd' : 'iadd';
  return `${floating ? 'f' : signed ? 's' : 'u'}${way}`;
}

/** `work_group_all` and `work_group_any`: of truth values, as integers. */
function vote(combine: 'and' | 'or', scope: Scope): BuiltinHandler {
  return (call) => {
    const { builder } = call;
    const predicate = argument(call, 0);
    const truth = builder.compare('ne', predicate, builder.integer(predicate.type, 0));
    return builder.collective('reduce', combine, scope, builder.convert('zext', truth, i32));
  };
}

function addressSized(call: LoweredCall, value: ir.Value): ir.Value {
  const { builder } = call;
  return value.type === builder.addressType ? value : builder.convert('zext', value, builder.addressType);
}

/** The work-item of the group is given by its ids in one to three dimensions, that of a sub-group by one number. */
function broadcast(scope: Scope): BuiltinHandler {
  return (call) => {
    const ids = call.args.slice(1).map((id) => addressSized(call, id));
    const index = scope === 'sub-group' ? ids[0]! : linearId(call.builder, ids, 'local_size');
    return call.builder.collective('broadcast', 'or', scope, argument(call, 0), index);
  };
}

function groupFunctions(prefix: string, scope: Scope): Record<string, BuiltinHandler> {
  const handlers: Record<string, BuiltinHandler> = {
    [`${prefix}_all`]: vote('and', scope),
    [`${prefix}_any`]: vote('or', scope),
    [`${prefix}_broadcast`]: broadcast(scope),
    [`${prefix}_barrier`]: (call) => {
      barrierOf(call, scope === 'sub-group' ? scope : undefined);
      return undefined;
    },
  };
  for (const fn of ['reduce', 'scan_inclusive', 'scan_exclusive'] as const) {
    for (const way of ['add', 'min', 'max'] as const) {
      handlers[`${prefix}_${fn}_${way}`] = (call) =>
        call.builder.collective(fn, combineFunction(call, way), scope, argument(call, 0));
    }
  }
  return handlers;
}

// ---------------------------------------------------------------------------------- who a work-item is in its sub-group

function itemCount(call: LoweredCall, fn: 'local_size' | 'enqueued_local_size'): ir.Value {
  const { builder } = call;
  const [x, y, z] = ([0, 1, 2] as const).map((dimension) => builder.query(fn, dimension));
  return builder.binary('imul', builder.binary('imul', x!, y!), z!);
}

/** As an unsigned integer of 32 bits, which these functions give. */
function toUint(call: LoweredCall, value: ir.Value): ir.Value {
  return value.type === i32 ? value : call.builder.convert('trunc', value, i32);
}

function size(call: LoweredCall): ir.Value {
  return call.builder.integer(call.builder.addressType, subGroupSize);
}

function subGroupCount(fn: 'local_size' | 'enqueued_local_size'): BuiltinHandler {
  return (call) => {
    const { builder } = call;
    const last = builder.integer(builder.addressType, subGroupSize - 1);
    const count = builder.binary('udiv', builder.binary('iadd', itemCount(call, fn), last), size(call));
    return toUint(call, count);
  };
}

export const workGroupHandlers: BuiltinHandlers = {
  ...groupFunctions('work_group', 'work-group'),
  ...groupFunctions('sub_group', 'sub-group'),
  get_sub_group_size: (call) => {
    const { builder } = call;
    const own = builder.query('linear_local_id');
    const begin = builder.binary('and', own, builder.integer(own.type, -subGroupSize));
    const left = builder.binary('isub', itemCount(call, 'local_size'), begin);
    return toUint(call, builder.binary('umin', left, size(call)));
  },
  get_max_sub_group_size: (call) =>
    toUint(call, call.builder.binary('umin', itemCount(call, 'enqueued_local_size'), size(call))),
  get_num_sub_groups: subGroupCount('local_size'),
  get_enqueued_num_sub_groups: subGroupCount('enqueued_local_size'),
  get_sub_group_id: (call) =>
    toUint(call, call.builder.binary('udiv', call.builder.query('linear_local_id'), size(call))),
  get_sub_group_local_id: (call) =>
    toUint(call, call.builder.binary('urem', call.builder.query('linear_local_id'), size(call))),
};
