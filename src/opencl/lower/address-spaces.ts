/** Where generic pointers lead (OpenCL 2.0, 6.13.9). */
import type * as ir from '../../ir/ir.ts';
import { i32 } from '../../ir/types.ts';
import { argument, type BuiltinHandler, type BuiltinHandlers } from './builtin-handler.ts';
import { globalFence, localFence } from './work-item.ts';

/** The pointer where it leads to the space, else null. */
function inSpace(space: ir.InSpace['space']): BuiltinHandler {
  return (call) => {
    const { builder } = call;
    const pointer = argument(call, 0);
    const type = call.fn.typeOf(call.result);
    const converted = builder.convert('space', pointer, type);
    return builder.select(builder.inSpace(space, pointer), converted, builder.constant(type, 0));
  };
}

export const addressSpaceHandlers: BuiltinHandlers = {
  get_fence: (call) => {
    const { builder } = call;
    const pointer = argument(call, 0);
    const flag = (bits: bigint): ir.Value => builder.integer(i32, bits);
    const shared = builder.select(builder.inSpace('global', pointer), flag(globalFence), flag(0n));
    return builder.select(builder.inSpace('local', pointer), flag(localFence), shared);
  },
  to_global: inSpace('global'),
  to_local: inSpace('local'),
  to_private: inSpace('private'),
};
