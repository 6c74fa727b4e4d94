/** Functions of the host as commands: native kernels (OpenCL 1.2, 5.8). */
import type { RuntimeBuffer } from './buffer.ts';
import type { RuntimeEvent } from './event.ts';
import type { CommandQueue } from './queue.ts';
import { executionStatus, statusCodes } from './status.ts';

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
  const { events, notifications, hasCopies } = queue.context;
  const act = (slot: number): void => {
    try {
      run(memories.map((memory) => memory.view(0, memory.size)));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const text = `the native kernel failed: ${message}`;
      events.complete(slot, statusCodes.CL_OUT_OF_RESOURCES, events.writeMessage(text));
      return;
    }
    events.complete(slot, executionStatus.complete);
  };
  const prepare = (slot: number): void => notifications.setAction(slot, () => act(slot));
  if (!hasCopies || memories.length === 0) {
    return queue.enqueue(type, { kind: 'host' }, waits, memories, prepare);
  }
  // A command names one range that the host reads or writes, so each object has one of its own before and after.
  const before = memories.map((memory) =>
    queue.enqueue(0, { kind: 'marker', reads: { memory, offset: 0 } }, waits, [memory]),
  );
  const called = queue.enqueue(type, { kind: 'host' }, before, memories, prepare);
  const after = memories.map((memory) =>
    queue.enqueue(0, { kind: 'marker', writes: { memory, offset: 0 } }, [called], [memory]),
  );
  const end = queue.enqueue(type, { kind: 'marker' }, [called, ...after], memories);
  for (const event of [...before, called, ...after]) event.release();
  return end;
}
