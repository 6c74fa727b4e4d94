/** Work-item functions (OpenCL 1.2, 6.12.1) and synchronisation (6.12.8, 6.12.9). */
import { evaluateInteger } from '../../c/constant.ts';
import { barrierFlagsMark } from '../../ir/async-marks.ts';
import type { Builder } from '../../ir/builder.ts';
import type * as ir from '../../ir/ir.ts';
import type { AddressSpace } from '../../ir/types.ts';
import { argument, type BuiltinHandler, type BuiltinHandlers, type LoweredCall } from './builtin-handler.ts';

/** CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE and CLK_IMAGE_MEM_FENCE; images lie in global memory. */
export const localFence = 1n;
export const globalFence = 2n;
const imageFence = 4n;

export function constantArgument(call: LoweredCall, index: number): bigint | undefined {
  const expression = call.node.arguments[index];
  return expression && evaluateInteger(expression, call.fn.module.addressBytes);
}

/** A query of one dimension; `outside` is the answer for dimensions that are not there. */
function query(form: ir.QueryFunction, outside: 0 | 1): BuiltinHandler {
  return (call) => {
    const { builder } = call;
    const known = constantArgument(call, 0);
    if (known === 0n || known === 1n || known === 2n) return builder.query(form, Number(known) as 0 | 1 | 2);
    let result = builder.integer(builder.addressType, outside);
    if (known !== undefined) return result;
    const dimension = argument(call, 0);
    for (const each of [2, 1, 0] as const) {
      const isEach = builder.compare('eq', dimension, builder.integer(dimension.type, each));
      result = builder.select(isEach, builder.query(form, each), result);
    }
    return result;
  };
}

/** The spaces that the flags in the first argument name. */
export function fencedSpaces(call: LoweredCall): AddressSpace[] {
  const flags = constantArgument(call, 0) ?? localFence | globalFence;
  const spaces: AddressSpace[] = [];
  if (flags & localFence) spaces.push('local');
  if (flags & (globalFence | imageFence)) spaces.push('global');
  return spaces;
}

/** A barrier; flags that only a run knows are told to those who look into programs. */
export function barrierOf(call: LoweredCall, scope?: ir.Barrier['scope']): void {
  const { builder, fn } = call;
  if (constantArgument(call, 0) === undefined) {
    const flags = argument(call, 0);
    builder.call(fn.module.externalFunction(barrierFlagsMark, [flags.type], undefined), [flags]);
  }
  builder.barrier(fencedSpaces(call), scope);
}

/** The number of a place in the order x first, then y, then z; `sizes` says of how large a range. */
export function linearId(builder: Builder, ids: readonly ir.Value[], sizes: ir.QueryFunction): ir.Value {
  let linear = ids.at(-1)!;
  for (let dimension = ids.length - 2; dimension >= 0; dimension -= 1) {
    const rows = builder.binary('imul', linear, builder.query(sizes, dimension as 0 | 1 | 2));
    linear = builder.binary('iadd', rows, ids[dimension]!);
  }
  return linear;
}

const dimensions = [0, 1, 2] as const;

function fence(order: ir.MemoryOrder): BuiltinHandler {
  return (call) => {
    call.builder.fence(fencedSpaces(call), order, 'work-group');
    return undefined;
  };
}

export const workItemHandlers: BuiltinHandlers = {
  get_work_dim: (call) => call.builder.query('work_dim'),
  get_global_size: query('global_size', 1),
  get_global_id: query('global_id', 0),
  get_local_size: query('local_size', 1),
  get_local_id: query('local_id', 0),
  get_num_groups: query('num_groups', 1),
  get_group_id: query('group_id', 0),
  get_enqueued_local_size: query('enqueued_local_size', 1),
  get_global_linear_id: ({ builder }) => {
    const ids = dimensions.map((each) =>
      builder.binary('isub', builder.query('global_id', each), builder.query('global_offset', each)),
    );
    return linearId(builder, ids, 'global_size');
  },
  get_local_linear_id: ({ builder }) => builder.query('linear_local_id'),
  get_global_offset: query('global_offset', 0),
  barrier: (call) => {
    barrierOf(call);
    return undefined;
  },
  mem_fence: fence('acq_rel'),
  read_mem_fence: fence('acquire'),
  write_mem_fence: fence('release'),
};
