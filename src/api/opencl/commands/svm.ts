/** Commands on shared virtual memory (OpenCL 2.0, 5.6). */
import type { CommandBody } from '../../../runtime/command.ts';
import { bytesOf, type HostBytes } from '../../../runtime/device-memory.ts';
import type { RuntimeEvent } from '../../../runtime/event.ts';
import { enqueueHostAction } from '../../../runtime/host-function.ts';
import type { CommandQueue } from '../../../runtime/queue.ts';
import { OpenCLError } from '../../../runtime/status.ts';
import { readBuffer, settled, type TransferOptions, writeBuffer } from '../../../runtime/transfer.ts';
import { shown } from '../../../source/shown.ts';
import { CL } from '../constants.ts';
import type { CLEvent, WaitList } from '../event.ts';
import { isBitsOf, shownBits } from '../handle.ts';
import type { CLCommandQueue } from '../queue.ts';
import { QueueState } from '../queue-state.ts';
import { checkPattern, overlaps } from '../ranges.ts';
import {
  addressOf,
  type CLSVMBuffer,
  capabilitiesOf,
  checkSVM,
  freeSVM,
  placeOf,
  type SVMPlace,
  type SVMPointer,
} from '../svm.ts';

/** What enqueueSVMFree calls in place of freeing: the pointers are as they were given. */
export type SVMFreeCallback = (queue: CLCommandQueue, svmPointers: readonly SVMPointer[]) => void;

export abstract class SVMCommands extends QueueState {
  /**
   * clEnqueueSVMFree: frees the memory when the command's turn comes, or calls the function, which may free it.
   * @throws OpenCLError CL_INVALID_COMMAND_QUEUE, CL_INVALID_OPERATION, CL_INVALID_VALUE, CL_INVALID_EVENT_WAIT_LIST
   */
  enqueueSVMFree(
    svmPointers: readonly SVMPointer[],
    freeFunction?: SVMFreeCallback | null,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): CLEvent {
    this.checkHasSVM();
    if (!Array.isArray(svmPointers) || svmPointers.length === 0) {
      throw new OpenCLError('CL_INVALID_VALUE', 'no pointers to free');
    }
    if (freeFunction !== undefined && freeFunction !== null && typeof freeFunction !== 'function') {
      throw new OpenCLError('CL_INVALID_VALUE', 'what frees the pointers is no function');
    }
    const pointers: readonly SVMPointer[] = [...svmPointers];
    if (!freeFunction) for (const pointer of pointers) this.svmOwned(pointer);
    const waits = this.waits(eventWaitList, event);
    const { context } = this;
    const queue = this as QueueState as CLCommandQueue;
    const free = (): void => {
      if (freeFunction) freeFunction(queue, pointers);
      else for (const pointer of pointers) freeSVM(context, pointer);
    };
    const action = (end: (error?: OpenCLError) => void): void => {
      try {
        free();
        end();
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        end(new OpenCLError('CL_OUT_OF_RESOURCES', `shared memory was not freed: ${why}`));
      }
    };
    return this.give(enqueueHostAction(this.runtime, CL.COMMAND_SVM_FREE, action, [], waits), event);
  }

  /**
   * clEnqueueSVMMemcpy: both may be shared memory or arrays of the host. An array that is read may be changed as soon as this
   * returns.
   * @throws OpenCLError CL_INVALID_COMMAND_QUEUE, CL_INVALID_OPERATION, CL_INVALID_CONTEXT, CL_INVALID_VALUE,
   *   CL_INVALID_EVENT_WAIT_LIST, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CL_MEM_COPY_OVERLAP
   */
  enqueueSVMMemcpy(
    blockingCopy: boolean | number,
    dstPtr: SVMPointer,
    srcPtr: SVMPointer,
    size: number,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): CLEvent {
    this.checkHasSVM();
    const bytes = this.svmSize(size, 0);
    const [target, source] = [this.svmSide(dstPtr, bytes), this.svmSide(srcPtr, bytes)];
    const waits = this.waits(eventWaitList, event);
    const options = { type: CL.COMMAND_SVM_MEMCPY, blocking: Boolean(blockingCopy), waits };
    const { runtime } = this;
    if (blockingCopy) runtime.settle(waits);
    let done: RuntimeEvent;
    if (bytes === 0) {
      done = settled(this.marker(options.type, { kind: 'marker' }, waits, []), options);
    } else if ('memory' in target && 'memory' in source) {
      checkOverlap(target.memory.address + target.offset, source.memory.address + source.offset, bytes);
      const body: CommandBody = { kind: 'copy', source, target, bytes };
      done = settled(runtime.enqueue(options.type, body, waits, [target.memory, source.memory]), options);
    } else if ('memory' in target) {
      done = writeBuffer(runtime, target.memory, target.offset, source as Uint8Array, options);
    } else if ('memory' in source) {
      done = readBuffer(runtime, source.memory, source.offset, target, options);
    } else {
      if (target.buffer === source.buffer) checkOverlap(target.byteOffset, source.byteOffset, bytes);
      done = settled(copyOnHost(runtime, target, source, options), options);
    }
    return this.give(done, event);
  }

  /**
   * clEnqueueSVMMemFill: repeats the pattern, whose length is 1, 2, 4, 8, 16, 32, 64 or 128 bytes.
   * @throws OpenCLError CL_INVALID_COMMAND_QUEUE, CL_INVALID_OPERATION, CL_INVALID_CONTEXT, CL_INVALID_VALUE,
   *   CL_INVALID_EVENT_WAIT_LIST
   */
  enqueueSVMMemFill(
    svmPtr: SVMPointer,
    pattern: HostBytes,
    size: number,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): CLEvent {
    this.checkHasSVM();
    const address = addressOf(this.context, svmPtr, 'CL_INVALID_VALUE');
    const repeated = checkPattern(pattern, address, size);
    const bytes = this.svmSize(size, 0);
    const target = placeOf(this.context, svmPtr, bytes);
    const waits = this.waits(eventWaitList, event);
    const body: CommandBody = { kind: 'fill', target, bytes, pattern: repeated };
    return this.give(this.runtime.enqueue(CL.COMMAND_SVM_MEMFILL, body, waits, [target.memory]), event);
  }

  /**
   * clEnqueueSVMMap: from when it is complete until enqueueSVMUnmap the host may use `size` bytes of coarse-grained memory, which
   * are the result. Fine-grained memory needs no mapping.
   * @throws OpenCLError CL_INVALID_COMMAND_QUEUE, CL_INVALID_OPERATION, CL_INVALID_CONTEXT, CL_INVALID_VALUE,
   *   CL_INVALID_EVENT_WAIT_LIST, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
   */
  enqueueSVMMap(
    blockingMap: boolean | number,
    mapFlags: number,
    svmPtr: SVMPointer,
    size: number,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): Uint8Array {
    this.checkHasSVM();
    const bytes = this.svmSize(size, 1);
    const { memory, offset } = placeOf(this.context, svmPtr, bytes);
    this.checkMapFlags(mapFlags);
    const waits = this.waits(eventWaitList, event);
    if (blockingMap) this.runtime.settle(waits);
    const body: CommandBody = { kind: 'marker', reads: { memory, offset } };
    const done = this.marker(CL.COMMAND_SVM_MAP, body, waits, [memory]);
    this.give(settled(done, { blocking: Boolean(blockingMap) }), event);
    this.context.runtime.svm.map(memory.address + offset);
    return memory.view(offset, bytes);
  }

  /**
   * clEnqueueSVMUnmap: the host has done with what it has mapped from this pointer on.
   * @throws OpenCLError CL_INVALID_COMMAND_QUEUE, CL_INVALID_OPERATION, CL_INVALID_CONTEXT, CL_INVALID_VALUE,
   *   CL_INVALID_EVENT_WAIT_LIST
   */
  enqueueSVMUnmap(svmPtr: SVMPointer, eventWaitList?: WaitList, event?: CLEvent | null): CLEvent {
    this.checkHasSVM();
    const { memory, offset } = placeOf(this.context, svmPtr, 1);
    const waits = this.waits(eventWaitList, event);
    this.context.runtime.svm.unmap(memory.address + offset);
    const body: CommandBody = { kind: 'marker', writes: { memory, offset } };
    return this.give(this.marker(CL.COMMAND_SVM_UNMAP, body, waits, [memory]), event);
  }

  /**
   * clEnqueueSVMMigrateMem (OpenCL 2.1): a hint, of which nothing is made, as devices work in the context's memory. A size of 0,
   * or no sizes, mean whole buffers.
   * @throws OpenCLError CL_INVALID_COMMAND_QUEUE, CL_INVALID_OPERATION, CL_INVALID_CONTEXT, CL_INVALID_VALUE,
   *   CL_INVALID_EVENT_WAIT_LIST
   */
  enqueueSVMMigrateMem(
    svmPointers: readonly SVMPointer[],
    sizes: readonly number[] | null | undefined,
    flags: number,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): CLEvent {
    this.checkHasSVM();
    if (!Array.isArray(svmPointers) || svmPointers.length === 0) {
      throw new OpenCLError('CL_INVALID_VALUE', 'no pointers to migrate');
    }
    if (sizes && (!Array.isArray(sizes) || sizes.length !== svmPointers.length)) {
      throw new OpenCLError('CL_INVALID_VALUE', 'there must be as many sizes as pointers');
    }
    const known = CL.MIGRATE_MEM_OBJECT_HOST | CL.MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    if (!isBitsOf(flags, known)) {
      throw new OpenCLError('CL_INVALID_VALUE', `migration flags ${shownBits(flags)} are not defined`);
    }
    for (const [index, pointer] of (svmPointers as readonly SVMPointer[]).entries()) {
      const { memory, offset } = this.svmOwned(pointer);
      const size = this.svmSize(sizes?.[index] ?? 0, 0);
      if (offset + size > memory.size) {
        throw new OpenCLError('CL_INVALID_VALUE', `${size} bytes at ${offset} of ${memory.size}`);
      }
    }
    const waits = this.waits(eventWaitList, event);
    return this.give(this.marker(CL.COMMAND_SVM_MIGRATE_MEM, { kind: 'marker' }, waits, []), event);
  }

  /** @throws OpenCLError CL_INVALID_COMMAND_QUEUE, CL_INVALID_OPERATION */
  protected checkHasSVM(): void {
    this.check();
    checkSVM(capabilitiesOf(this.device.runtime.info, this.context.runtime.memory.isLent));
  }

  protected svmSize(size: number, least: number): number {
    if (Number.isInteger(size) && size >= least) return size;
    throw new OpenCLError('CL_INVALID_VALUE', `${shown(size)} bytes of shared memory`);
  }

  /** The buffer that a pointer leads to. @throws OpenCLError CL_INVALID_VALUE for pointers to other memory of the host */
  protected svmOwned(pointer: SVMPointer): SVMPlace {
    const place = placeOf(this.context, pointer, 0);
    if (place.memory.isSvm) return place;
    throw new OpenCLError('CL_INVALID_VALUE', 'a pointer to memory that does not come from svmAlloc');
  }

  /** One side of a copy: shared memory, or an ordinary array of the host. */
  protected svmSide(pointer: SVMPointer, size: number): SVMPlace | Uint8Array {
    if (!ArrayBuffer.isView(pointer) || this.context.runtime.memory.holds(pointer)) {
      return placeOf(this.context, pointer as CLSVMBuffer | number, size);
    }
    return this.hostPart(bytesOf(pointer), size);
  }
}

/** From one array of the host to another, when its turn comes; see pending-reads.ts. */
function copyOnHost(
  queue: CommandQueue,
  target: Uint8Array,
  source: Uint8Array,
  { type, waits }: TransferOptions,
): RuntimeEvent {
  const { reads } = queue.context;
  const copied = reads.hold(source) ? source : source.slice();
  let filled = (): void => {};
  const copy = (end: () => void): void => {
    filled();
    target.set(copied);
    end();
  };
  const done = enqueueHostAction(queue, type, copy, [], waits);
  filled = reads.add(target);
  done.whenDone(filled);
  return done;
}

/** @throws OpenCLError CL_MEM_COPY_OVERLAP */
function checkOverlap(target: number, source: number, bytes: number): void {
  if (overlaps(target, source, bytes)) {
    throw new OpenCLError('CL_MEM_COPY_OVERLAP', 'source and destination overlap');
  }
}
