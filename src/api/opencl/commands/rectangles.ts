/**
 * Commands on two- and three-dimensional parts of buffers (OpenCL 1.2, 5.2.2 and 5.2.3). Origins and regions are in bytes, rows and
 * slices.
 */
import type { CommandBody } from '../../../runtime/command.ts';
import type { HostBytes } from '../../../runtime/device-memory.ts';
import { OpenCLError } from '../../../runtime/status.ts';
import { readRectangle, writeRectangle } from '../../../runtime/transfer.ts';
import { CLBuffer } from '../buffer.ts';
import { CL } from '../constants.ts';
import type { CLEvent, WaitList } from '../event.ts';
import { QueueState } from '../queue-state.ts';
import { hostBytes, rectangle, rectanglesOverlap, tripleOf } from '../ranges.ts';

export abstract class RectangleCommands extends QueueState {
  /** clEnqueueWriteBufferRect: origins and region in bytes, rows, slices; a pitch of 0 is computed. */
  enqueueWriteBufferRect(
    buffer: CLBuffer,
    blockingWrite: boolean | number,
    bufferOrigin: ArrayLike<number>,
    hostOrigin: ArrayLike<number>,
    region: ArrayLike<number>,
    bufferRowPitch: number,
    bufferSlicePitch: number,
    hostRowPitch: number,
    hostSlicePitch: number,
    hostPtr: HostBytes,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): CLEvent {
    this.checkMemory(buffer, CLBuffer);
    const size = tripleOf(region, 1, 'region');
    const host = hostBytes(hostPtr);
    const to = rectangle(bufferOrigin, size, bufferRowPitch, bufferSlicePitch, buffer.size, 'buffer');
    const from = rectangle(hostOrigin, size, hostRowPitch, hostSlicePitch, host.length, 'host');
    const waits = this.waits(eventWaitList, event);
    this.hostMayWrite(buffer);
    const options = { type: CL.COMMAND_WRITE_BUFFER_RECT, blocking: Boolean(blockingWrite), waits };
    return this.give(writeRectangle(this.runtime, buffer.runtime, to, host, from, size, options), event);
  }

  /** clEnqueueReadBufferRect. */
  enqueueReadBufferRect(
    buffer: CLBuffer,
    blockingRead: boolean | number,
    bufferOrigin: ArrayLike<number>,
    hostOrigin: ArrayLike<number>,
    region: ArrayLike<number>,
    bufferRowPitch: number,
    bufferSlicePitch: number,
    hostRowPitch: number,
    hostSlicePitch: number,
    hostPtr: HostBytes,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): CLEvent {
    this.checkMemory(buffer, CLBuffer);
    const size = tripleOf(region, 1, 'region');
    const host = hostBytes(hostPtr);
    const from = rectangle(bufferOrigin, size, bufferRowPitch, bufferSlicePitch, buffer.size, 'buffer');
    const to = rectangle(hostOrigin, size, hostRowPitch, hostSlicePitch, host.length, 'host');
    const waits = this.waits(eventWaitList, event);
    this.hostMayRead(buffer);
    const options = { type: CL.COMMAND_READ_BUFFER_RECT, blocking: Boolean(blockingRead), waits };
    return this.give(readRectangle(this.runtime, buffer.runtime, from, host, to, size, options), event);
  }

  /** clEnqueueCopyBufferRect. */
  enqueueCopyBufferRect(
    srcBuffer: CLBuffer,
    dstBuffer: CLBuffer,
    srcOrigin: ArrayLike<number>,
    dstOrigin: ArrayLike<number>,
    region: ArrayLike<number>,
    srcRowPitch: number,
    srcSlicePitch: number,
    dstRowPitch: number,
    dstSlicePitch: number,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): CLEvent {
    this.checkMemory(srcBuffer, CLBuffer);
    this.checkMemory(dstBuffer, CLBuffer);
    const waits = this.waits(eventWaitList, event);
    const size = tripleOf(region, 1, 'region');
    const from = rectangle(srcOrigin, size, srcRowPitch, srcSlicePitch, srcBuffer.size, 'source');
    const to = rectangle(dstOrigin, size, dstRowPitch, dstSlicePitch, dstBuffer.size, 'destination');
    const source = srcBuffer.runtime;
    const target = dstBuffer.runtime;
    if (rectanglesOverlap(source.address, from, target.address, to, size)) {
      throw new OpenCLError('CL_MEM_COPY_OVERLAP', 'source and destination overlap');
    }
    const body: CommandBody = {
      kind: 'copy-rectangle',
      source: { memory: source, offset: from.start, rowPitch: from.rowPitch, slicePitch: from.slicePitch },
      target: { memory: target, offset: to.start, rowPitch: to.rowPitch, slicePitch: to.slicePitch },
      region: size,
    };
    return this.give(this.runtime.enqueue(CL.COMMAND_COPY_BUFFER_RECT, body, waits, [source, target]), event);
  }
}
