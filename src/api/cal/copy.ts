/**
 * Copies between resources: calMemCopy. Those within one memory are the device's to do; from a device with memory of its own
 * to another one the bytes go through the host.
 */
import { completeUserEvent, createUserEvent, type RuntimeEvent } from '../../runtime/event.ts';
import type { CommandQueue } from '../../runtime/queue.ts';
import { OpenCLError, statusCodes } from '../../runtime/status.ts';
import { readBuffer, writeBuffer } from '../../runtime/transfer.ts';
import { Command } from './command.ts';
import type { CalContext } from './context.ts';
import { failed } from './error.ts';
import type { Resource } from './resource.ts';

/** @throws CalError CAL_RESULT_ERROR if the two do not have the same size and format, or one is mapped */
export function copyCommand(context: CalContext, source: Resource, target: Resource): Command {
  const from = source.shape;
  const to = target.shape;
  if (from.width !== to.width || from.height !== to.height) {
    throw failed(`${from.width} x ${from.height} elements are copied to ${to.width} x ${to.height}`);
  }
  if (from.format !== to.format) throw failed(`${from.format.name} is copied to ${to.format.name}`);
  if (source.isMapped || target.isMapped) throw failed('a resource is copied that is mapped');
  const uses = [
    { resource: source, writes: false },
    { resource: target, writes: true },
  ];
  const queue = context.copyQueue;
  if (source.context === target.context && target.context === context.device.context) {
    const body = {
      kind: 'copy',
      source: { memory: source.buffer, offset: 0 },
      target: { memory: target.buffer, offset: 0 },
      bytes: from.bytes,
    } as const;
    return new Command(context, queue, uses, (waits) =>
      queue.enqueue(0, body, waits, [source.buffer, target.buffer]),
    );
  }
  return new Command(context, queue, uses, (waits) => copyByHost(context, source, target, waits), 'host');
}

/** Its event is one of the context's, as those of its other commands are. Arrays that a program pinned are read and written here. */
function copyByHost(
  context: CalContext,
  source: Resource,
  target: Resource,
  waits: readonly RuntimeEvent[],
): RuntimeEvent {
  const done = createUserEvent(context.device.context, 0);
  const fail = (): void => void completeUserEvent(done, statusCodes.CL_OUT_OF_RESOURCES);
  const bytes = new Uint8Array(source.shape.bytes);
  const write = (): void =>
    transfer(
      target,
      fail,
      (queue) => writeBuffer(queue, target.buffer, 0, bytes, atItsTurn),
      () => {
        target.pinnedBytes?.set(bytes);
        completeUserEvent(done, 0);
      },
    );
  const read = (): void =>
    transfer(source, fail, (queue) => readBuffer(queue, source.buffer, 0, bytes, atItsTurn), write);
  whenAll(waits, () => {
    if (!source.pinnedBytes) return read();
    bytes.set(source.pinnedBytes);
    write();
  });
  return done;
}

const atItsTurn = { type: 0, blocking: false, waits: [] } as const;

/** Enqueues a transfer from or to a resource on a queue of its own, then goes on. */
function transfer(
  { owner }: Resource,
  fail: () => void,
  enqueue: (queue: CommandQueue) => RuntimeEvent,
  then: () => void,
): void {
  try {
    const queue = owner.newQueue();
    const event = enqueue(queue);
    queue.flush();
    event.whenDone(() => {
      const { error } = event;
      event.release();
      queue.release();
      if (error) fail();
      else then();
    });
  } catch (error) {
    // The device is lost, or the context is over.
    if (!(error instanceof OpenCLError)) throw error;
    fail();
  }
}

/** Events of any context. */
function whenAll(events: readonly RuntimeEvent[], then: () => void): void {
  let left = events.length;
  if (left === 0) then();
  for (const event of events) {
    event.whenDone(() => {
      left -= 1;
      if (left === 0) then();
    });
  }
}
