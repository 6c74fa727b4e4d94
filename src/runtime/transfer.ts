/**
 * Copies between buffers and typed arrays of the host. Ordinary typed arrays belong to the host thread, so it copies
 * itself: at once when nothing is before the copy, else a write is put into staging memory (the array may be changed
 * as soon as the call returns) and a read happens when the device says that its turn has come. A write from an array that such a
 * read will fill happens when its turn has come, too (pending-reads.ts).
 */
import type { RuntimeBuffer } from './buffer.ts';
import type { CommandBody, MemoryRange, Triple } from './command.ts';
import { bytesOf, type HostBytes } from './device-memory.ts';
import type { RuntimeEvent } from './event.ts';
import type { CommandQueue } from './queue.ts';
import { executionStatus, statusCodes } from './status.ts';

/** How a transfer is enqueued. */
export interface TransferOptions {
  /** CL_COMMAND_*, for the event. */
  readonly type: number;
  readonly blocking: boolean;
  readonly waits: readonly RuntimeEvent[];
  /**
   * Whether a read leaves its array as it is until the call has returned, even if nothing is before it: the host thread
   * copies when it waits or comes back to its event loop.
   */
  readonly isDeferred?: boolean | undefined;
}

/** A rectangle of bytes, in a buffer or in a typed array: place of the first byte, and pitches (none is 0). */
export interface Rectangle {
  readonly start: number;
  readonly rowPitch: number;
  readonly slicePitch: number;
}

/** Copies all of `source` to `offset` of the buffer. */
export function writeBuffer(
  queue: CommandQueue,
  buffer: RuntimeBuffer,
  offset: number,
  source: HostBytes,
  options: TransferOptions,
): RuntimeEvent {
  const bytes = source.byteLength;
  const range = { memory: buffer, offset };
  const copy = () => buffer.view(offset, bytes).set(bytesOf(source));
  return (
    copyNow(queue, options, bytes, copy) ??
    writeLater(queue, buffer, options, bytesOf(source), copy, range, (from) => ({
      kind: 'copy',
      source: from,
      target: range,
      bytes,
    }))
  );
}

/** Copies from `offset` of the buffer until `target` is full. */
export function readBuffer(
  queue: CommandQueue,
  buffer: RuntimeBuffer,
  offset: number,
  target: HostBytes,
  options: TransferOptions,
): RuntimeEvent {
  const bytes = target.byteLength;
  const copy = () => bytesOf(target).set(buffer.view(offset, bytes));
  const immediate = copyNow(queue, options, bytes, copy);
  if (immediate) return immediate;
  const range = { memory: buffer, offset };
  const { memory } = queue.context;
  if (memory.holds(target)) {
    const body = { kind: 'copy', source: range, target: placeOf(target), bytes } as const;
    return settled(queue.enqueue(options.type, body, options.waits, [buffer]), options);
  }
  return hostCommand(queue, buffer, options, copy, { kind: 'host', reads: range, bytes }, bytesOf(target));
}

/** Copies `region` (bytes, rows, slices) from a typed array to a buffer. */
export function writeRectangle(
  queue: CommandQueue,
  buffer: RuntimeBuffer,
  to: Rectangle,
  source: HostBytes,
  from: Rectangle,
  region: Triple,
  options: TransferOptions,
): RuntimeEvent {
  const copy = () => copyRectangle(buffer.view(0, buffer.size), to, bytesOf(source), from, region);
  const immediate = copyNow(queue, options, bytesIn(region), copy);
  if (immediate) return immediate;
  const [width, height] = region;
  const tight = { start: 0, rowPitch: width, slicePitch: width * height };
  const range = { memory: buffer, offset: 0 };
  if (queue.context.reads.hold(spanOf(bytesOf(source), from, region))) {
    return hostCommand(queue, buffer, options, copy, { kind: 'host', writes: range, bytes: bytesIn(region) });
  }
  const packed = withoutGaps(bytesOf(source), from, region);
  return writeLater(queue, buffer, options, packed, copy, range, (staged) => ({
    kind: 'copy-rectangle',
    source: { ...staged, rowPitch: tight.rowPitch, slicePitch: tight.slicePitch },
    target: { memory: buffer, offset: to.start, rowPitch: to.rowPitch, slicePitch: to.slicePitch },
    region,
  }));
}

/** The bytes of a rectangle one after another; a copy only where there are gaps between them. */
function withoutGaps(source: Uint8Array, from: Rectangle, region: Triple): Uint8Array {
  const [width, height, depth] = region;
  const bytes = width * height * depth;
  const hasGaps =
    (height > 1 && from.rowPitch !== width) || (depth > 1 && from.slicePitch !== width * height);
  if (!hasGaps) return source.subarray(from.start, from.start + bytes);
  const packed = new Uint8Array(bytes);
  const tight = { start: 0, rowPitch: width, slicePitch: width * height };
  copyRectangle(packed, tight, source, from, region);
  return packed;
}

/** Copies `region` (bytes, rows, slices) from a buffer to a typed array. */
export function readRectangle(
  queue: CommandQueue,
  buffer: RuntimeBuffer,
  from: Rectangle,
  target: HostBytes,
  to: Rectangle,
  region: Triple,
  options: TransferOptions,
): RuntimeEvent {
  const copy = () => copyRectangle(bytesOf(target), to, buffer.view(0, buffer.size), from, region);
  return (
    copyNow(queue, options, bytesIn(region), copy) ??
    hostCommand(
      queue,
      buffer,
      options,
      copy,
      {
        kind: 'host',
        reads: { memory: buffer, offset: 0 },
        bytes: bytesIn(region),
      },
      spanOf(bytesOf(target), to, region),
    )
  );
}

/** The bytes from the first of a rectangle to its last. */
function spanOf(
  bytes: Uint8Array,
  { start, rowPitch, slicePitch }: Rectangle,
  [width, height, depth]: Triple,
): Uint8Array {
  return bytes.subarray(start, start + (depth - 1) * slicePitch + (height - 1) * rowPitch + width);
}

/**
 * Repeats a pattern over `region` (bytes, rows, slices) of a buffer; a row is a whole number of patterns.
 * @throws OpenCLError CL_MEM_OBJECT_ALLOCATION_FAILURE without room for one row
 */
export function fillRectangle(
  queue: CommandQueue,
  buffer: RuntimeBuffer,
  to: Rectangle,
  pattern: Uint8Array,
  region: Triple,
  { type, waits }: { readonly type: number; readonly waits: readonly RuntimeEvent[] },
): RuntimeEvent {
  const { context } = queue;
  const [width] = region;
  // One row of the pattern, of which all rows are copies.
  const staging = context.allocate(width);
  fillPattern(context.memory.bytes, staging, width, pattern);
  const body: CommandBody = {
    kind: 'copy-rectangle',
    source: { memory: { address: staging, size: width }, offset: 0, rowPitch: 0, slicePitch: 0 },
    target: { memory: buffer, offset: to.start, rowPitch: to.rowPitch, slicePitch: to.slicePitch },
    region,
  };
  return enqueueStaged(queue, staging, () => queue.enqueue(type, body, waits, [buffer]));
}

/** Enqueues a command that uses staging memory, which is given back when it has ended, or if it could not be enqueued. */
function enqueueStaged(queue: CommandQueue, staging: number, enqueue: () => RuntimeEvent): RuntimeEvent {
  const { context } = queue;
  let event: RuntimeEvent;
  try {
    event = enqueue();
  } catch (error) {
    context.freeAfter(staging, []);
    throw error;
  }
  context.freeAfter(staging, [queue.mark()]);
  return event;
}

/** Repeats a pattern over `bytes` bytes from `start`. */
export function fillPattern(memory: Uint8Array, start: number, bytes: number, pattern: Uint8Array): void {
  if (pattern.length === 1) {
    memory.fill(pattern[0]!, start, start + bytes);
    return;
  }
  if (bytes === 0) return;
  memory.set(pattern, start);
  for (let done = pattern.length; done < bytes; done *= 2) {
    memory.copyWithin(start + done, start, start + Math.min(done, bytes - done));
  }
}

/** Copies rows of bytes between two arrays; see {@link Rectangle}. */
export function copyRectangle(
  target: Uint8Array,
  to: Rectangle,
  source: Uint8Array,
  from: Rectangle,
  region: Triple,
): void {
  let [width, height, depth] = region;
  // Rows without gaps on both sides are one long row, and so are slices.
  if (from.rowPitch === width && to.rowPitch === width) {
    width *= height;
    height = 1;
    if (from.slicePitch === width && to.slicePitch === width) {
      width *= depth;
      depth = 1;
    }
  }
  for (let z = 0; z < depth; z += 1) {
    for (let y = 0; y < height; y += 1) {
      const start = from.start + z * from.slicePitch + y * from.rowPitch;
      target.set(source.subarray(start, start + width), to.start + z * to.slicePitch + y * to.rowPitch);
    }
  }
}

/** Does the copy on the spot if its turn is now, or if it blocks and an in-order queue can be waited for. */
function copyNow(
  queue: CommandQueue,
  options: TransferOptions,
  bytes: number,
  copy: () => void,
): RuntimeEvent | undefined {
  if (options.blocking) queue.settle(options.waits);
  if (options.isDeferred || queue.context.hasCopies || !queue.isReady(options.waits)) return undefined;
  return settled(queue.completed(options.type, options.waits, bytes, copy), options);
}

/** Bytes of a region: bytes in a row, rows, slices. */
function bytesIn([width, height, depth]: Triple): number {
  return width * height * depth;
}

function writeLater(
  queue: CommandQueue,
  buffer: RuntimeBuffer,
  options: TransferOptions,
  source: Uint8Array,
  copy: () => void,
  writes: MemoryRange,
  body: (from: MemoryRange) => CommandBody,
): RuntimeEvent {
  const { context } = queue;
  const bytes = source.length;
  if (context.memory.holds(source)) {
    const command = body(placeOf(source));
    return settled(queue.enqueue(options.type, command, options.waits, [buffer]), options);
  }
  if (context.reads.hold(source)) {
    return hostCommand(queue, buffer, options, copy, { kind: 'host', writes, bytes });
  }
  let staging: number;
  try {
    staging = context.allocateNow(bytes);
  } catch {
    // No room for a second copy: the array is read when the turn comes, as OpenCL allows.
    return hostCommand(queue, buffer, options, copy, { kind: 'host', writes, bytes });
  }
  context.memory.bytes.set(source, staging);
  const from = { memory: { address: staging, size: bytes }, offset: 0 };
  const enqueue = () => queue.enqueue(options.type, body(from), options.waits, [buffer]);
  return settled(enqueueStaged(queue, staging, enqueue), options);
}

/** A copy that the host does when its turn comes; a read says which bytes it fills. */
function hostCommand(
  queue: CommandQueue,
  buffer: RuntimeBuffer,
  options: TransferOptions,
  copy: () => void,
  body: CommandBody,
  fills?: Uint8Array,
): RuntimeEvent {
  const { events, notifications, reads } = queue.context;
  let filled = (): void => {};
  const event = queue.enqueue(options.type, body, options.waits, [buffer], (slot) =>
    notifications.setAction(slot, () => {
      filled();
      try {
        copy();
      } catch (error) {
        // The array has gone to another thread, or become shorter, since the call.
        const why = error instanceof Error ? error.message : String(error);
        const message = events.writeMessage(`the host's array cannot be used any more: ${why}`);
        events.complete(slot, statusCodes.CL_OUT_OF_RESOURCES, message);
        return;
      }
      events.complete(slot, executionStatus.complete);
    }),
  );
  if (fills && !options.blocking) {
    filled = reads.add(fills);
    // Its turn does not come if it waits for something that fails.
    event.whenDone(filled);
  }
  return settled(event, options);
}

/** For a blocking call, waits and throws the command's error. */
export function settled(event: RuntimeEvent, options: Pick<TransferOptions, 'blocking'>): RuntimeEvent {
  if (options.blocking) {
    event.wait();
    const { error } = event;
    if (error) {
      event.release();
      throw error;
    }
  }
  return event;
}

function placeOf(view: HostBytes): MemoryRange {
  return { memory: { address: view.byteOffset, size: view.byteLength }, offset: 0 };
}
