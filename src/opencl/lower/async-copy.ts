/**
 * Async copies and prefetch (OpenCL 1.2, 6.12.10). The work-items of the group share the copying between them at
 * once; waiting for the events is then a barrier.
 */

import type * as ir from '../../ir/ir.ts';
import { argument, type BuiltinHandler, type BuiltinHandlers, type LoweredCall } from './builtin-handler.ts';

/** How many elements apart the copied ones are on either side. */
interface Strides {
  readonly source?: ir.Value;
  readonly destination?: ir.Value;
}

function copy(call: LoweredCall, strides: Strides): void {
  const { builder, fn } = call;
  const type = call.types[0];
  if (type?.kind !== 'pointer') throw new Error(`${call.name} copies through pointers`);
  const element = fn.typeOf(type.pointee.type);
  const size = fn.module.sizeOf(type.pointee.type);
  const align = fn.module.alignOf(type.pointee.type);
  const count = argument(call, 2);
  const items = builder.binary(
    'imul',
    builder.binary('imul', builder.query('local_size', 0), builder.query('local_size', 1)),
    builder.query('local_size', 2),
  );
  const address = (pointer: ir.Value, index: ir.Value, stride: ir.Value | undefined) => {
    const elements = stride ? builder.binary('imul', index, stride) : index;
    return builder.offset(
      pointer,
      builder.binary('imul', elements, builder.integer(builder.addressType, size)),
    );
  };

  const loop = builder.loop([builder.query('linear_local_id')]);
  const body = loop.regions[0]!;
  const index = body.parameters[0]!;
  builder.within(body, () => {
    const inside = builder.if(builder.compare('ult', index, count));
    builder.within(inside.regions[0]!, () => {
      const from = address(argument(call, 1), index, strides.source);
      const to = address(argument(call, 0), index, strides.destination);
      builder.store(to, builder.load(element, from, align), align);
      builder.yield();
    });
    builder.within(inside.regions[1]!, () => builder.break(loop));
    builder.continue(loop, [builder.binary('iadd', index, items)]);
  });
}

const plain: BuiltinHandler = (call) => {
  copy(call, {});
  return argument(call, 3);
};

/** The stride belongs to the side in global memory. */
const strided: BuiltinHandler = (call) => {
  const stride = argument(call, 3);
  const type = call.types[0];
  const toGlobal = type?.kind === 'pointer' && type.pointee.space === 'global';
  copy(call, toGlobal ? { destination: stride } : { source: stride });
  return argument(call, 4);
};

export const asyncHandlers: BuiltinHandlers = {
  async_work_group_copy: plain,
  async_work_group_strided_copy: strided,
  prefetch: () => undefined,
  wait_group_events: (call) => {
    call.builder.barrier(['local', 'global']);
    return undefined;
  },
};
