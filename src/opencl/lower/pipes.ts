/**
 * Pipes (OpenCL 2.0, 6.13.16). Who owns which packets the library decides (src/library/pipes.cl); a packet itself is
 * copied here, where its type is known.
 */
import { subGroupSize } from '../../ir/collectives.ts';
import type * as ir from '../../ir/ir.ts';
import { i8, i32, i64, type Type } from '../../ir/types.ts';
import { argument, type BuiltinHandler, type BuiltinHandlers, type LoweredCall } from './builtin-handler.ts';

/** As the library numbers them. */
const ways = { write: 0, read: 1 } as const;
type Way = keyof typeof ways;
type Scope = ir.Collective['scope'];

/** Bytes from the beginning of a pipe to the word that says where its packets begin. */
const firstPacketAt = 8;

function callLibrary(
  { builder, fn }: LoweredCall,
  name: string,
  args: readonly ir.Value[],
  result?: Type,
): ir.Value | undefined {
  const types = args.map(({ type }) => type);
  const callee = fn.module.externalFunction(`__millrace_pipe_${name}`, types, result);
  return builder.call(callee, [...args]);
}

/** What the pipe holds. */
function packetOf({ types }: LoweredCall) {
  const [pipe] = types;
  if (pipe?.kind !== 'opaque' || !pipe.packet) throw new Error('not a pipe');
  return pipe.packet.type;
}

/** The address of the packet in a slot. */
function packetAddress(call: LoweredCall, slotAndOne: ir.Value): ir.Value {
  const { builder, fn } = call;
  const pipe = argument(call, 0);
  const first = builder.load(
    i32,
    builder.offset(pipe, builder.integer(builder.addressType, firstPacketAt)),
    4,
  );
  const slot = builder.binary('isub', slotAndOne, builder.integer(i32, 1));
  const wide = (value: ir.Value): ir.Value =>
    builder.addressType === i32 ? value : builder.convert('zext', value, builder.addressType);
  const bytes = builder.integer(builder.addressType, fn.module.sizeOf(packetOf(call)));
  return builder.offset(pipe, builder.binary('iadd', wide(first), builder.binary('imul', wide(slot), bytes)));
}

function copyPacket(call: LoweredCall, target: ir.Value, source: ir.Value): void {
  const { builder, fn } = call;
  const packet = packetOf(call);
  const align = fn.module.alignOf(packet);
  if (packet.kind === 'record') {
    const bytes = builder.integer(builder.addressType, fn.module.sizeOf(packet));
    builder.copy(target, source, bytes, align);
  } else builder.store(target, builder.load(fn.typeOf(packet), source, align), align);
}

/** `read_pipe` and `write_pipe`, of one packet at the pipe's end or of one that has been reserved. */
function transfer(way: Way): BuiltinHandler {
  return (call) => {
    const { builder } = call;
    const pipe = argument(call, 0);
    const isReserved = call.args.length === 4;
    const slot = isReserved
      ? callLibrary(call, 'slot', [pipe, argument(call, 1), argument(call, 2)], i32)!
      : callLibrary(call, 'take', [pipe, builder.integer(i32, ways[way])], i32)!;
    const outside = argument(call, isReserved ? 3 : 1);
    const isThere = builder.if(builder.compare('ne', slot, builder.integer(i32, 0)), [i32]);
    builder.within(isThere.regions[0]!, () => {
      const inside = packetAddress(call, slot);
      if (way === 'read') copyPacket(call, outside, inside);
      else copyPacket(call, inside, outside);
      if (!isReserved) callLibrary(call, 'pass', [pipe, slot]);
      builder.yield([builder.integer(i32, 0)]);
    });
    builder.within(isThere.regions[1]!, () => builder.yield([builder.integer(i32, -1)]));
    return isThere.results[0];
  };
}

/** Whether this work-item is the first of its group, which acts for all. */
function isFirst({ builder }: LoweredCall, scope: Scope): ir.Value {
  const id = builder.query('linear_local_id');
  const inGroup =
    scope === 'work-group' ? id : builder.binary('urem', id, builder.integer(id.type, subGroupSize));
  return builder.compare('eq', inGroup, builder.integer(id.type, 0));
}

function reserve(way: Way, scope?: Scope): BuiltinHandler {
  return (call) => {
    const { builder } = call;
    const make = (): ir.Value =>
      callLibrary(
        call,
        'reserve',
        [argument(call, 0), argument(call, 1), builder.integer(i32, ways[way])],
        i64,
      )!;
    if (!scope) return make();
    const choice = builder.if(isFirst(call, scope), [i64]);
    builder.within(choice.regions[0]!, () => builder.yield([make()]));
    builder.within(choice.regions[1]!, () => builder.yield([builder.integer(i64, 0)]));
    const first = builder.integer(builder.addressType, 0);
    return builder.collective('broadcast', 'or', scope, choice.results[0]!, first);
  };
}

/** A group's packets are whole, or have been read, when all its work-items have come by. */
function commit(scope?: Scope): BuiltinHandler {
  return (call) => {
    const { builder } = call;
    const make = (): void => {
      callLibrary(call, 'commit', [argument(call, 0), argument(call, 1)]);
    };
    if (!scope) {
      make();
      return undefined;
    }
    builder.barrier(['global'], scope === 'sub-group' ? scope : undefined);
    const choice = builder.if(isFirst(call, scope));
    builder.within(choice.regions[0]!, () => {
      make();
      builder.yield();
    });
    builder.within(choice.regions[1]!, () => builder.yield());
    return undefined;
  };
}

const handlers: Record<string, BuiltinHandler> = {
  read_pipe: transfer('read'),
  write_pipe: transfer('write'),
  is_valid_reserve_id: (call) => {
    const { builder } = call;
    return builder.convert('zext', builder.compare('ne', argument(call, 0), builder.integer(i64, 0)), i8);
  },
  get_pipe_num_packets: (call) => callLibrary(call, 'packets', [argument(call, 0)], i32),
  get_pipe_max_packets: (call) => callLibrary(call, 'slots', [argument(call, 0)], i32),
};
for (const way of ['read', 'write'] as const) {
  for (const [prefix, scope] of [
    ['', undefined],
    ['work_group_', 'work-group'],
    ['sub_group_', 'sub-group'],
  ] as const) {
    handlers[`${prefix}reserve_${way}_pipe`] = reserve(way, scope);
    handlers[`${prefix}commit_${way}_pipe`] = commit(scope);
  }
}

export const pipeHandlers: BuiltinHandlers = handlers;
