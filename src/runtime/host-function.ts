/** What the host thread itself does as a command: native kernels (OpenCL 1.2, 5.8), exchanges with OpenGL. */
import type { RuntimeBuffer } from './buffer.ts';
import type { RuntimeEvent } from './event.ts';
import type { CommandQueue } from './queue.ts';
import { executionStatus, OpenCLError } from './status.ts';

/** Begins the host's part of a command. It is done when `end` is called, then or later; with an error it has failed. */
export type HostAction = (end: (error?: OpenCLError) => void) => void;

/**
 * Calls a function on the host thread when the command's turn comes, with the bytes of memory objects, which it may read
 * and change until it returns. If it throws, the command fails with CL_OUT_OF_RESOURCES and its message.
 */
export function enqueueHostFunction(
  queue: CommandQueue,
  type: number,
  run: (bytes: readonly Uint8Array[]) => void,
  memories: readonly RuntimeBuffer[],
  waits: readonly RuntimeEvent[],
): RuntimeEvent {
  const action: HostAction = (end) => {
    try {
      run(memories.map((memory) => memory.view(0, memory.size)));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      end(new OpenCLError('CL_OUT_OF_RESOURCES', `the native kernel failed: ${message}`));
      return;
    }
    end();
  };
  return enqueueHostAction(queue, type, action, memories, waits);
}

/** Begins an action of the host thread when the command's turn comes; it may read and change the bytes of memory objects. */
export function enqueueHostAction(
  queue: CommandQueue,
  type: number,
  action: HostAction,
  memories: readonly RuntimeBuffer[],
  waits: readonly RuntimeEvent[],
): RuntimeEvent {
  const { context } = queue;
  const { events, notifications, hasCopies } = context;
  const act = (slot: number): void =>
    action((error) => {
      if (context.closed) return;
      if (error) events.complete(slot, error.code, events.writeMessage(error.message));
      else events.complete(slot, executionStatus.complete);
    });
  const prepare = (slot: number): void => notifications.setAction(slot, () => act(slot));
  if (!hasCopies || memories.length === 0) {
    return queue.enqueue(type, { kind: 'host' }, waits, memories, prepare);
  }
  // A command names one range that the host reads or writes, so each object has one of its own before and after.
  const before = memories.map((memory) =>
    queue.enqueue(0, { kind: 'marker', reads: { memory, offset: 0 }, gathers: false }, waits, [memory]),
  );
  const called = queue.enqueue(type, { kind: 'host' }, before, memories, prepare);
  const after = memories.map((memory) =>
    queue.enqueue(0, { kind: 'marker', writes: { memory, offset: 0 } }, [called], [memory]),
  );
  const end = queue.enqueue(type, { kind: 'marker' }, [called, ...after], memories);
  for (const event of [...before, called, ...after]) event.release();
  return end;
}
