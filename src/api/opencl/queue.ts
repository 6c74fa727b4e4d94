/** Command queues (OpenCL 1.2, 5.1 and the enqueue functions of 5.2, 5.8, 5.10 and 5.13). */
import type { CommandBody } from '../../runtime/command.ts';
import type { HostBytes } from '../../runtime/device-memory.ts';
import type { RuntimeEvent } from '../../runtime/event.ts';
import { planLaunch } from '../../runtime/launch.ts';
import { CommandQueue } from '../../runtime/queue.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { readBuffer, readRectangle, writeBuffer, writeRectangle } from '../../runtime/transfer.ts';
import { CL } from './constants.ts';
import type { CLContext } from './context.ts';
import { CLEvent, type WaitList, waitListOf } from './event.ts';
import { checkHandle, Handle, invalidQuery } from './handle.ts';
import { CLKernel } from './kernel.ts';
import { CLBuffer } from './memory.ts';
import type { CLDevice } from './platform.ts';
import { checkRange, hostBytes, overlaps, rectangle, rectanglesOverlap, tripleOf } from './ranges.ts';

/** What clCreateCommandQueue has no parameter for. */
export interface QueueExtras {
  /** Milliseconds that one launch may run before it fails with CL_OUT_OF_RESOURCES; default 0, for ever. */
  readonly timeout?: number | undefined;
}

type Sizes = ArrayLike<number> | null | undefined;

export class CLCommandQueue extends Handle {
  protected readonly kind = { error: 'CL_INVALID_COMMAND_QUEUE', noun: 'command queue' } as const;
  readonly context: CLContext;
  readonly device: CLDevice;
  readonly properties: number;
  readonly #runtime: CommandQueue;

  /** Queues come from CLContext.createCommandQueue. */
  constructor(context: CLContext, device: CLDevice, properties: number, extras: QueueExtras) {
    super();
    const known = CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL.QUEUE_PROFILING_ENABLE;
    if (!Number.isInteger(properties) || (properties & ~known) !== 0) {
      throw new OpenCLError(
        'CL_INVALID_VALUE',
        `queue properties 0x${Number(properties).toString(16)} are not defined`,
      );
    }
    const outOfOrder = (properties & CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) !== 0;
    if (outOfOrder && !device.runtime.info.outOfOrderQueues) {
      throw new OpenCLError('CL_INVALID_QUEUE_PROPERTIES', 'the device has no out-of-order queues');
    }
    const { timeout = 0 } = extras;
    if (!(timeout >= 0)) throw new OpenCLError('CL_INVALID_VALUE', `a time-out of ${timeout} ms`);
    this.context = context;
    this.device = device;
    this.properties = properties;
    this.#runtime = new CommandQueue(context.runtime, device.runtime, { outOfOrder, timeout });
    context.attach();
  }

  get isProfiling(): boolean {
    return (this.properties & CL.QUEUE_PROFILING_ENABLE) !== 0;
  }

  /** clGetCommandQueueInfo. */
  getInfo(name: number): number | CLContext | CLDevice {
    this.check();
    switch (name) {
      case CL.QUEUE_CONTEXT:
        return this.context;
      case CL.QUEUE_DEVICE:
        return this.device;
      case CL.QUEUE_REFERENCE_COUNT:
        return this.references;
      case CL.QUEUE_PROPERTIES:
        return this.properties;
      default:
        return invalidQuery(name);
    }
  }

  /** clEnqueueNDRangeKernel. Sizes have `workDim` numbers; the offset and the local size may be null. */
  enqueueNDRangeKernel(
    kernel: CLKernel,
    workDim: number,
    globalWorkOffset: Sizes,
    globalWorkSize: ArrayLike<number>,
    localWorkSize?: Sizes,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): void {
    this.#launch(
      CL.COMMAND_NDRANGE_KERNEL,
      kernel,
      workDim,
      globalWorkOffset,
      globalWorkSize,
      localWorkSize,
      eventWaitList,
      event,
    );
  }

  /** clEnqueueTask: one work-item. */
  enqueueTask(kernel: CLKernel, eventWaitList?: WaitList, event?: CLEvent | null): void {
    this.#launch(CL.COMMAND_TASK, kernel, 1, null, [1], [1], eventWaitList, event);
  }

  /** clEnqueueWriteBuffer. The array may be changed as soon as this returns. */
  enqueueWriteBuffer(
    buffer: CLBuffer,
    blockingWrite: boolean | number,
    bufferOffset: number,
    numBytes: number,
    hostPtr: HostBytes,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): void {
    const bytes = this.#transferChecks(buffer, bufferOffset, numBytes, hostPtr, event);
    this.#hostMayWrite(buffer);
    const waits = waitListOf(eventWaitList, this.context);
    const options = { type: CL.COMMAND_WRITE_BUFFER, blocking: Boolean(blockingWrite), waits };
    this.#give(writeBuffer(this.#runtime, buffer.runtime, bufferOffset, bytes, options), event);
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
  ): void {
    const bytes = this.#transferChecks(buffer, bufferOffset, numBytes, hostPtr, event);
    this.#hostMayRead(buffer);
    const waits = waitListOf(eventWaitList, this.context);
    const options = { type: CL.COMMAND_READ_BUFFER, blocking: Boolean(blockingRead), waits };
    this.#give(readBuffer(this.#runtime, buffer.runtime, bufferOffset, bytes, options), event);
  }

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
  ): void {
    this.#checkBuffer(buffer, event);
    const size = tripleOf(region, 1, 'region');
    const host = hostBytes(hostPtr);
    const to = rectangle(bufferOrigin, size, bufferRowPitch, bufferSlicePitch, buffer.size, 'buffer');
    const from = rectangle(hostOrigin, size, hostRowPitch, hostSlicePitch, host.length, 'host');
    this.#hostMayWrite(buffer);
    const waits = waitListOf(eventWaitList, this.context);
    const options = { type: CL.COMMAND_WRITE_BUFFER_RECT, blocking: Boolean(blockingWrite), waits };
    this.#give(writeRectangle(this.#runtime, buffer.runtime, to, host, from, size, options), event);
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
  ): void {
    this.#checkBuffer(buffer, event);
    const size = tripleOf(region, 1, 'region');
    const host = hostBytes(hostPtr);
    const from = rectangle(bufferOrigin, size, bufferRowPitch, bufferSlicePitch, buffer.size, 'buffer');
    const to = rectangle(hostOrigin, size, hostRowPitch, hostSlicePitch, host.length, 'host');
    this.#hostMayRead(buffer);
    const waits = waitListOf(eventWaitList, this.context);
    const options = { type: CL.COMMAND_READ_BUFFER_RECT, blocking: Boolean(blockingRead), waits };
    this.#give(readRectangle(this.#runtime, buffer.runtime, from, host, to, size, options), event);
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
  ): void {
    this.#checkBuffer(srcBuffer, event);
    this.#checkBuffer(dstBuffer, event);
    const waits = waitListOf(eventWaitList, this.context);
    checkRange(srcOffset, numBytes, srcBuffer.size, 'source');
    checkRange(dstOffset, numBytes, dstBuffer.size, 'destination');
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
    this.#give(this.#runtime.enqueue(CL.COMMAND_COPY_BUFFER, body, waits, [source, target]), event);
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
  ): void {
    this.#checkBuffer(srcBuffer, event);
    this.#checkBuffer(dstBuffer, event);
    const waits = waitListOf(eventWaitList, this.context);
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
    this.#give(this.#runtime.enqueue(CL.COMMAND_COPY_BUFFER_RECT, body, waits, [source, target]), event);
  }

  /** clEnqueueFillBuffer: repeats the pattern, whose length is 1, 2, 4, 8, 16, 32, 64 or 128 bytes. */
  enqueueFillBuffer(
    buffer: CLBuffer,
    pattern: HostBytes,
    offset: number,
    numBytes: number,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): void {
    this.#checkBuffer(buffer, event);
    checkRange(offset, numBytes, buffer.size, 'fill');
    const bytes = hostBytes(pattern).slice();
    const { length } = bytes;
    if (length < 1 || length > 128 || (length & (length - 1)) !== 0) {
      throw new OpenCLError(
        'CL_INVALID_VALUE',
        `a pattern of ${length} bytes: it must be a power of two up to 128`,
      );
    }
    if (offset % length !== 0 || numBytes % length !== 0) {
      throw new OpenCLError(
        'CL_INVALID_VALUE',
        `offset and size must be multiples of the pattern's ${length} bytes`,
      );
    }
    const waits = waitListOf(eventWaitList, this.context);
    const target = buffer.runtime;
    const body: CommandBody = {
      kind: 'fill',
      target: { memory: target, offset },
      bytes: numBytes,
      pattern: bytes,
    };
    this.#give(this.#runtime.enqueue(CL.COMMAND_FILL_BUFFER, body, waits, [target]), event);
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
    this.#checkBuffer(buffer, event);
    const waits = waitListOf(eventWaitList, this.context);
    const known = CL.MAP_READ | CL.MAP_WRITE | CL.MAP_WRITE_INVALIDATE_REGION;
    const invalidates = (mapFlags & CL.MAP_WRITE_INVALIDATE_REGION) !== 0;
    if (
      !Number.isInteger(mapFlags) ||
      (mapFlags & ~known) !== 0 ||
      (invalidates && (mapFlags & (CL.MAP_READ | CL.MAP_WRITE)) !== 0)
    ) {
      throw new OpenCLError(
        'CL_INVALID_VALUE',
        `map flags 0x${Number(mapFlags).toString(16)} are not defined together`,
      );
    }
    checkRange(offset, numBytes, buffer.size, 'map');
    if (mapFlags & CL.MAP_READ) this.#hostMayRead(buffer);
    if (mapFlags & (CL.MAP_WRITE | CL.MAP_WRITE_INVALIDATE_REGION)) this.#hostMayWrite(buffer);
    const { runtime } = buffer;
    const host = buffer.hostArray?.subarray(offset, offset + numBytes);
    let done: RuntimeEvent;
    if (host && !invalidates) {
      const options = { type: CL.COMMAND_MAP_BUFFER, blocking: Boolean(blockingMap), waits };
      done = readBuffer(this.#runtime, runtime, offset, host, options);
    } else {
      const reads = { memory: runtime, offset };
      done = this.#marker(CL.COMMAND_MAP_BUFFER, { kind: 'marker', reads }, waits, [runtime]);
      if (blockingMap) done.wait();
    }
    const array = host ?? runtime.view(offset, numBytes);
    buffer.mappings.push({ flags: mapFlags, offset, array, count: 1 });
    if (!host) this.context.runtime.memory.mapped += 1;
    this.#give(done, event);
    return array;
  }

  /** clEnqueueUnmapMemObject: ends a mapping by the array that it gave. */
  enqueueUnmapMemObject(
    memObject: CLBuffer,
    mapped: HostBytes,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): void {
    this.#checkBuffer(memObject, event);
    const index = memObject.mappings.findIndex(({ array }) => array === mapped);
    const mapping = memObject.mappings[index];
    if (!mapping)
      throw new OpenCLError('CL_INVALID_VALUE', 'this array is not a mapping of the memory object');
    const waits = waitListOf(eventWaitList, this.context);
    memObject.mappings.splice(index, 1);
    const type = CL.COMMAND_UNMAP_MEM_OBJECT;
    if (!memObject.hostArray) {
      this.context.runtime.memory.mapped -= 1;
      const writes = { memory: memObject.runtime, offset: mapping.offset };
      this.#give(this.#marker(type, { kind: 'marker', writes }, waits, [memObject.runtime]), event);
      return;
    }
    if (mapping.flags === CL.MAP_READ) {
      this.#give(this.#marker(type, { kind: 'marker' }, waits, [memObject.runtime]), event);
      return;
    }
    const options = { type, blocking: false, waits };
    this.#give(writeBuffer(this.#runtime, memObject.runtime, mapping.offset, mapping.array, options), event);
  }

  /** clEnqueueMigrateMemObjects: a hint, and all devices here share the context's memory. */
  enqueueMigrateMemObjects(
    memObjects: readonly CLBuffer[],
    flags: number,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): void {
    this.check();
    if (!Array.isArray(memObjects) || memObjects.length === 0) {
      throw new OpenCLError('CL_INVALID_VALUE', 'no memory objects to migrate');
    }
    for (const buffer of memObjects as readonly CLBuffer[]) this.#checkBuffer(buffer, event);
    if ((flags & ~(CL.MIGRATE_MEM_OBJECT_HOST | CL.MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)) !== 0) {
      throw new OpenCLError('CL_INVALID_VALUE', `migration flags 0x${flags.toString(16)} are not defined`);
    }
    const waits = waitListOf(eventWaitList, this.context);
    this.#give(this.#marker(CL.COMMAND_MIGRATE_MEM_OBJECTS, { kind: 'marker' }, waits, []), event);
  }

  /** clEnqueueMarkerWithWaitList: the event ends when the waits, or without them all earlier commands, have. */
  enqueueMarkerWithWaitList(eventWaitList?: WaitList, event?: CLEvent | null): void {
    this.#synchronise(CL.COMMAND_MARKER, 'marker', eventWaitList, event);
  }

  /** clEnqueueBarrierWithWaitList: a marker that later commands do not overtake. */
  enqueueBarrierWithWaitList(eventWaitList?: WaitList, event?: CLEvent | null): void {
    this.#synchronise(CL.COMMAND_BARRIER, 'barrier', eventWaitList, event);
  }

  /** clEnqueueMarker (OpenCL 1.1, WebCL). */
  enqueueMarker(event: CLEvent): void {
    if (!event) throw new OpenCLError('CL_INVALID_VALUE', 'enqueueMarker needs an event');
    this.enqueueMarkerWithWaitList(null, event);
  }

  /** clEnqueueBarrier (OpenCL 1.1, WebCL). */
  enqueueBarrier(): void {
    this.enqueueBarrierWithWaitList();
  }

  /** clEnqueueWaitForEvents (OpenCL 1.1, WebCL). */
  enqueueWaitForEvents(eventWaitList: readonly CLEvent[]): void {
    if (!Array.isArray(eventWaitList) || eventWaitList.length === 0) {
      throw new OpenCLError('CL_INVALID_VALUE', 'enqueueWaitForEvents needs at least one event');
    }
    this.enqueueBarrierWithWaitList(eventWaitList);
  }

  /** clFlush. */
  flush(): void {
    this.check();
    this.#runtime.flush();
  }

  /**
   * clFinish: sleeps until all commands have ended. With a callback it returns at once and calls it then.
   * @throws OpenCLError CL_INVALID_OPERATION on a thread that may not sleep; use the callback or {@link finished}
   */
  finish(whenFinished?: () => void): void {
    this.check();
    if (whenFinished) void this.#runtime.finished().then(() => whenFinished());
    else this.#runtime.finish();
  }

  /**
   * Resolves when the device's threads run. In a worker of a page they do not start while the worker sleeps, so await this
   * once before the first blocking call there; elsewhere it is never needed.
   */
  ready(): Promise<void> {
    this.check();
    return this.#runtime.ready();
  }

  /** Resolves when all commands so far have ended. */
  finished(): Promise<void> {
    this.check();
    return this.#runtime.finished();
  }

  protected destroy(): void {
    const { context } = this;
    // Implicit flush: what was enqueued still runs.
    void this.#runtime.finished().then(() => context.detach());
    this.#runtime.release();
  }

  #launch(
    type: number,
    kernel: CLKernel,
    workDim: number,
    offset: Sizes,
    global: ArrayLike<number>,
    local: Sizes,
    eventWaitList: WaitList,
    event: CLEvent | null | undefined,
  ): void {
    this.check();
    checkHandle(kernel, CLKernel, 'CL_INVALID_KERNEL');
    if (kernel.context !== this.context) {
      throw new OpenCLError('CL_INVALID_CONTEXT', 'the kernel belongs to another context');
    }
    const built = kernel.builtFor(this.device);
    const { values, buffers } = kernel.bound();
    const body = planLaunch(built, this.device.runtime.info, values, {
      dimensions: workDim,
      offset: offset ? Array.from(offset) : null,
      global: global ? Array.from(global) : [],
      local: local ? Array.from(local) : null,
    });
    const waits = waitListOf(eventWaitList, this.context);
    this.#checkEvent(event);
    const uses = buffers.map((buffer) => buffer.runtime);
    this.#give(this.#runtime.enqueue(type, body, waits, uses), event);
  }

  #synchronise(
    type: number,
    kind: 'marker' | 'barrier',
    eventWaitList: WaitList,
    event: CLEvent | null | undefined,
  ): void {
    this.check();
    this.#checkEvent(event);
    const waits = waitListOf(eventWaitList, this.context);
    // Waits that are over leave an empty list, which would mean all earlier commands.
    if (waits.length > 0 && waits.every((wait) => wait.status === CL.COMPLETE)) {
      this.#give(this.#runtime.completed(type, waits), event);
      return;
    }
    this.#give(this.#runtime.enqueue(type, { kind }, waits), event);
  }

  #marker(
    type: number,
    body: CommandBody,
    waits: readonly RuntimeEvent[],
    uses: readonly CLBuffer['runtime'][],
  ): RuntimeEvent {
    if (!this.context.runtime.hasCopies && this.#runtime.isReady(waits))
      return this.#runtime.completed(type, waits);
    return this.#runtime.enqueue(type, body, waits, uses);
  }

  #transferChecks(
    buffer: CLBuffer,
    offset: number,
    numBytes: number,
    hostPtr: HostBytes,
    event: CLEvent | null | undefined,
  ): Uint8Array {
    this.#checkBuffer(buffer, event);
    checkRange(offset, numBytes, buffer.size, 'buffer');
    const bytes = hostBytes(hostPtr);
    if (bytes.length < numBytes) {
      throw new OpenCLError(
        'CL_INVALID_VALUE',
        `the host array has ${bytes.length} bytes; ${numBytes} are needed`,
      );
    }
    return bytes.subarray(0, numBytes);
  }

  #checkBuffer(buffer: CLBuffer, event: CLEvent | null | undefined): void {
    this.check();
    checkHandle(buffer, CLBuffer, 'CL_INVALID_MEM_OBJECT');
    if (buffer.context !== this.context) {
      throw new OpenCLError('CL_INVALID_CONTEXT', 'the memory object belongs to another context');
    }
    this.#checkEvent(event);
  }

  #checkEvent(event: CLEvent | null | undefined): void {
    if (event === null || event === undefined) return;
    checkHandle(event, CLEvent, 'CL_INVALID_EVENT');
    if (event.isFilled) throw new OpenCLError('CL_INVALID_EVENT', 'the event already belongs to a command');
  }

  #hostMayRead(buffer: CLBuffer): void {
    if (buffer.flags & (CL.MEM_HOST_WRITE_ONLY | CL.MEM_HOST_NO_ACCESS)) {
      throw new OpenCLError(
        'CL_INVALID_OPERATION',
        'the buffer was created without read access for the host',
      );
    }
  }

  #hostMayWrite(buffer: CLBuffer): void {
    if (buffer.flags & (CL.MEM_HOST_READ_ONLY | CL.MEM_HOST_NO_ACCESS)) {
      throw new OpenCLError(
        'CL_INVALID_OPERATION',
        'the buffer was created without write access for the host',
      );
    }
  }

  #give(runtime: RuntimeEvent, event: CLEvent | null | undefined): void {
    if (event) event.fill(runtime, this.context, this);
    else runtime.release();
  }
}
