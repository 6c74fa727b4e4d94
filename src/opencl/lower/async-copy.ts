/**
 * Async copies and prefetch (OpenCL 1.2, 6.12.10). The work-items of the group share the copying between them at
 * once; waiting for the events is then a barrier. Calls of library functions that do nothing (src/library/async.cl) stand before
 * both, for those who look into programs: the checker sees there what is copied, and which events are made and awaited.
 */
import { asyncMarks, everyEvent } from '../../ir/async-marks.ts';
import type * as ir from '../../ir/ir.ts';
import { sizeOf } from '../../ir/types.ts';
import { argument, type BuiltinHandler, type BuiltinHandlers, type LoweredCall } from './builtin-handler.ts';

/** Events of one call that are told one by one. */
const mostMarked = 8;

/** How many elements apart the copied ones are on either side. */
interface Strides {
  readonly source?: ir.Value;
  readonly destination?: ir.Value;
}

/** @param event of the copies that this one is to belong to, 0 for an event of its own */
function copy(call: LoweredCall, strides: Strides, event: ir.Value): ir.Value {
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

  const { addressType } = builder;
  const mark = fn.module.externalFunction(
    asyncMarks.copy,
    Array.from({ length: 7 }, () => addressType),
    addressType,
  );
  const numberOf = (pointer: ir.Value) => builder.convert('ptoi', pointer, addressType);
  const bytes = builder.integer(addressType, size);
  const step = (stride: ir.Value | undefined): ir.Value =>
    stride ? builder.binary('imul', stride, bytes) : bytes;
  const result = builder.call(mark, [
    numberOf(argument(call, 0)),
    numberOf(argument(call, 1)),
    count,
    event,
    bytes,
    step(strides.destination),
    step(strides.source),
  ])!;
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
  return result;
}

/** Tells of each event of a list whose length the program says outright, else of all. */
function wait(call: LoweredCall): void {
  const { builder, fn } = call;
  const [count, list] = [argument(call, 0), argument(call, 1)];
  const { addressType } = builder;
  const definition = builder.region.instructions.find(({ results }) => results[0] === count);
  const length = definition?.op === 'constant' ? Number(definition.value) : 0;
  const mark = fn.module.externalFunction(asyncMarks.wait, [addressType], undefined);
  if (definition?.op !== 'constant' || length > mostMarked) {
    builder.call(mark, [builder.integer(addressType, everyEvent)]);
    return;
  }
  const size = sizeOf(addressType);
  for (let index = 0; index < length; index += 1) {
    const place = builder.offset(list, builder.integer(addressType, index * size));
    builder.call(mark, [builder.load(addressType, place, size)]);
  }
}

const plain: BuiltinHandler = (call) => copy(call, {}, argument(call, 3));

/** The stride belongs to the side in global memory. */
const strided: BuiltinHandler = (call) => {
  const stride = argument(call, 3);
  const type = call.types[0];
  const toGlobal = type?.kind === 'pointer' && type.pointee.space === 'global';
  return copy(call, toGlobal ? { destination: stride } : { source: stride }, argument(call, 4));
};

export const asyncHandlers: BuiltinHandlers = {
  async_work_group_copy: plain,
  async_work_group_strided_copy: strided,
  prefetch: () => undefined,
  wait_group_events: (call) => {
    wait(call);
    call.builder.barrier(['local', 'global']);
    return undefined;
  },
};
