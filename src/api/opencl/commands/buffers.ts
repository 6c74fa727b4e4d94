/** Commands on buffers (OpenCL 1.2, 5.2.2 to 5.2.4); those on rectangles of them are in rectangles.ts. */
import type { CommandBody } from '../../../runtime/command.ts';
import type { HostBytes } from '../../../runtime/device-memory.ts';
import type { RuntimeEvent } from '../../../runtime/event.ts';
import { OpenCLError } from '../../../runtime/status.ts';
import { readBuffer, settled, type TransferOptions, writeBuffer } from '../../../runtime/transfer.ts';
import { CLBuffer } from '../buffer.ts';
import { CL } from '../constants.ts';
import type { CLEvent, WaitList } from '../event.ts';
import { QueueState } from '../queue-state.ts';
import { checkPattern, checkRange, overlaps } from '../ranges.ts';

export abstract class BufferCommands extends QueueState {
  /** clEnqueueWriteBuffer. The array may be changed as soon as this returns. */
  enqueueWriteBuffer(
    buffer: CLBuffer,
    blockingWrite: boolean | number,
    bufferOffset: number,
    numBytes: number,
    hostPtr: HostBytes,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): CLEvent {
    const bytes = this.bufferTransfer(buffer, bufferOffset, numBytes, hostPtr);
    const waits = this.waits(eventWaitList, event);
    this.hostMayWrite(buffer);
    const options = { type: CL.COMMAND_WRITE_BUFFER, blocking: Boolean(blockingWrite), waits };
    const done =
      numBytes === 0
        ? this.movesNothing(options)
        : writeBuffer(this.runtime, buffer.runtime, bufferOffset, bytes, options);
    return this.give(done, event);
  }

  /** clEnqueueReadBuffer. The array's content counts when the event is complete. */
  enqueueReadBuffer(
    buffer: CLBuffer,
    blockingRead: boolean | number,
    bufferOffset: number,
    numBytes: number,
    hostPtr: HostBytes,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): CLEvent {
    const bytes = this.bufferTransfer(buffer, bufferOffset, numBytes, hostPtr);
    const waits = this.waits(eventWaitList, event);
    this.hostMayRead(buffer);
    const options = { type: CL.COMMAND_READ_BUFFER, blocking: Boolean(blockingRead), waits };
    const done =
      numBytes === 0
        ? this.movesNothing(options)
        : readBuffer(this.runtime, buffer.runtime, bufferOffset, bytes, options);
    return this.give(done, event);
  }

  /** clEnqueueCopyBuffer. */
  enqueueCopyBuffer(
    srcBuffer: CLBuffer,
    dstBuffer: CLBuffer,
    srcOffset: number,
    dstOffset: number,
    numBytes: number,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): CLEvent {
    this.checkMemory(srcBuffer, CLBuffer);
    this.checkMemory(dstBuffer, CLBuffer);
    const waits = this.waits(eventWaitList, event);
    checkRange(srcOffset, numBytes, srcBuffer.size, 'source');
    checkRange(dstOffset, numBytes, dstBuffer.size, 'destination');
    if (numBytes === 0) {
      return this.give(this.movesNothing({ type: CL.COMMAND_COPY_BUFFER, blocking: false, waits }), event);
    }
    const source = srcBuffer.runtime;
    const target = dstBuffer.runtime;
    if (overlaps(source.address + srcOffset, target.address + dstOffset, numBytes)) {
      throw new OpenCLError('CL_MEM_COPY_OVERLAP', 'source and destination overlap');
    }
    const body: CommandBody = {
      kind: 'copy',
      source: { memory: source, offset: srcOffset },
      target: { memory: target, offset: dstOffset },
      bytes: numBytes,
    };
    return this.give(this.runtime.enqueue(CL.COMMAND_COPY_BUFFER, body, waits, [source, target]), event);
  }

  /** clEnqueueFillBuffer: repeats the pattern, whose length is 1, 2, 4, 8, 16, 32, 64 or 128 bytes. */
  enqueueFillBuffer(
    buffer: CLBuffer,
    pattern: HostBytes,
    offset: number,
    numBytes: number,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): CLEvent {
    this.checkMemory(buffer, CLBuffer);
    checkRange(offset, numBytes, buffer.size, 'fill');
    const bytes = checkPattern(pattern, offset, numBytes);
    const waits = this.waits(eventWaitList, event);
    if (numBytes === 0) {
      return this.give(this.movesNothing({ type: CL.COMMAND_FILL_BUFFER, blocking: false, waits }), event);
    }
    const target = buffer.runtime;
    const body: CommandBody = {
      kind: 'fill',
      target: { memory: target, offset },
      bytes: numBytes,
      pattern: bytes,
    };
    return this.give(this.runtime.enqueue(CL.COMMAND_FILL_BUFFER, body, waits, [target]), event);
  }

  /**
   * clEnqueueMapBuffer: the buffer's own bytes as a typed array, not copied (for USE_HOST_PTR: the host's array). When it
   * does not block, the content counts once the event is complete.
   */
  enqueueMapBuffer(
    buffer: CLBuffer,
    blockingMap: boolean | number,
    mapFlags: number,
    offset: number,
    numBytes: number,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): Uint8Array {
    this.checkMemory(buffer, CLBuffer);
    this.checkMapFlags(mapFlags);
    checkRange(offset, numBytes, buffer.size, 'map', 1);
    const waits = this.waits(eventWaitList, event);
    this.checkMapAccess(buffer, mapFlags);
    if (blockingMap) this.runtime.settle(waits);
    const invalidates = (mapFlags & CL.MAP_WRITE_INVALIDATE_REGION) !== 0;
    const { runtime } = buffer;
    const host = buffer.hostCopy?.subarray(offset, offset + numBytes);
    let done: RuntimeEvent;
    if (host && !invalidates) {
      const options = { type: CL.COMMAND_MAP_BUFFER, blocking: Boolean(blockingMap), waits };
      done = readBuffer(this.runtime, runtime, offset, host, options);
    } else {
      const reads = { memory: runtime, offset };
      done = this.marker(CL.COMMAND_MAP_BUFFER, { kind: 'marker', reads }, waits, [runtime]);
      settled(done, { blocking: Boolean(blockingMap) });
    }
    const array = host ?? runtime.view(offset, numBytes);
    buffer.mappings.push({ flags: mapFlags, offset, array, count: 1 });
    if (!host) this.context.runtime.memory.mapped += 1;
    this.give(done, event);
    return array;
  }

  /**
   * A command that moves no byte. For fills it always was one like any other; reads, writes and copies of none were
   * CL_INVALID_VALUE up to OpenCL 2.0.
   */
  protected movesNothing(options: TransferOptions): RuntimeEvent {
    return settled(this.marker(options.type, { kind: 'marker' }, options.waits, []), options);
  }

  protected bufferTransfer(
    buffer: CLBuffer,
    offset: number,
    numBytes: number,
    hostPtr: HostBytes,
  ): Uint8Array {
    this.checkMemory(buffer, CLBuffer);
    checkRange(offset, numBytes, buffer.size, 'buffer');
    return this.hostPart(hostPtr, numBytes);
  }
}
