/**
 * Command queues (OpenCL 1.2, 5.1 and the enqueue functions of 5.4, 5.8, 5.10 and 5.13); those for buffers and images are in
 * the layers below.
 */
import type { HostBytes } from '../../runtime/device-memory.ts';
import { enqueueHostFunction } from '../../runtime/host-function.ts';
import { checkLaunchImages } from '../../runtime/image.ts';
import { planLaunch } from '../../runtime/launch.ts';
import { backInProgram } from '../../runtime/observe-calls.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { writeBuffer, writeRectangle } from '../../runtime/transfer.ts';
import { CL } from './constants.ts';
import { CLDeviceQueue } from './device-queue.ts';
import { CLEvent, type WaitList } from './event.ts';
import { checkHandle, shownBits } from './handle.ts';
import { CLKernel } from './kernel.ts';
import { numericVersion, versionIn } from './later-queries.ts';
import { CLMemory } from './memory.ts';
import { type QueueAnswer, queueInfo } from './queue-info.ts';
import { SVMQueue } from './queue-svm.ts';

export type { QueueExtras } from './queue-base.ts';

type Sizes = ArrayLike<number> | null | undefined;

/** What enqueueNativeKernel calls, on the host thread. */
export type NativeKernel = (args: unknown[]) => void;

export class CLCommandQueue extends SVMQueue {
  /** clGetCommandQueueInfo. */
  getInfo(name: number): QueueAnswer {
    this.check();
    if (name === CL.QUEUE_SIZE) {
      throw new OpenCLError('CL_INVALID_COMMAND_QUEUE', 'only queues on the device have a size');
    }
    return queueInfo(this, name);
  }

  /**
   * clEnqueueNDRangeKernel. Sizes have `workDim` numbers; the offset and the local size may be null. Without a global size, or
   * where one of its numbers is 0, nothing runs, but the command waits and ends like others.
   */
  enqueueNDRangeKernel(
    kernel: CLKernel,
    workDim: number,
    globalWorkOffset: Sizes,
    globalWorkSize: Sizes,
    localWorkSize?: Sizes,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): CLEvent {
    return this.#launch(
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
  enqueueTask(kernel: CLKernel, eventWaitList?: WaitList, event?: CLEvent | null): CLEvent {
    return this.#launch(CL.COMMAND_TASK, kernel, 1, null, [1], [1], eventWaitList, event);
  }

  /**
   * clEnqueueNativeKernel: calls a function of JavaScript, on the host thread, when the command's turn comes. It gets a copy
   * of the list `args` in which, for each memory object, the element at its place in `argsMemLoc` is the object's bytes
   * as a Uint8Array; these are the function's until it returns. If it throws, the command fails with CL_OUT_OF_RESOURCES.
   * @throws OpenCLError CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT, CL_INVALID_VALUE, CL_INVALID_OPERATION,
   *   CL_INVALID_MEM_OBJECT, CL_INVALID_EVENT_WAIT_LIST
   */
  enqueueNativeKernel(
    userFunction: NativeKernel,
    args?: readonly unknown[] | null,
    memList?: readonly CLMemory[] | null,
    argsMemLoc?: readonly number[] | null,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): CLEvent {
    this.check();
    const given: unknown[] = Array.isArray(args) ? [...args] : [];
    const memories: readonly CLMemory[] = memList ?? [];
    const places: readonly number[] = argsMemLoc ?? [];
    const fail = (why: string): never => {
      throw new OpenCLError('CL_INVALID_VALUE', why);
    };
    if (typeof userFunction !== 'function') fail('a native kernel is a function');
    if (args !== null && args !== undefined && !Array.isArray(args)) fail('the arguments are a list');
    if (!Array.isArray(memories) || !Array.isArray(places) || memories.length !== places.length) {
      fail('there must be a place among the arguments for each memory object');
    }
    for (const place of places) {
      if (!Number.isInteger(place) || place < 0 || place >= given.length) {
        fail(`there is no place ${place} among ${given.length} arguments`);
      }
    }
    if (!this.device.runtime.info.nativeKernels) {
      throw new OpenCLError('CL_INVALID_OPERATION', 'the device has no native kernels');
    }
    for (const memory of memories) this.checkMemory(memory, CLMemory);
    const waits = this.waits(eventWaitList, event);
    const run = (bytes: readonly Uint8Array[]): void => {
      for (const [index, place] of places.entries()) given[place] = bytes[index];
      backInProgram(() => userFunction(given));
    };
    const used = memories.map((memory) => memory.runtime);
    return this.give(enqueueHostFunction(this.runtime, CL.COMMAND_NATIVE_KERNEL, run, used, waits), event);
  }

  /**
   * clSetCommandQueueProperty (OpenCL 1.0), which OpenCL 1.1 took back: a queue keeps the properties it was made with.
   * @throws OpenCLError CL_INVALID_OPERATION, always
   */
  setProperty(): never {
    this.check();
    throw new OpenCLError('CL_INVALID_OPERATION', 'the properties of a queue do not change');
  }

  /** clEnqueueUnmapMemObject: ends a mapping by the array that it gave. */
  enqueueUnmapMemObject(
    memObject: CLMemory,
    mapped: HostBytes,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): CLEvent {
    this.checkMemory(memObject, CLMemory);
    const index = memObject.mappings.findIndex(({ array }) => array === mapped);
    const mapping = memObject.mappings[index];
    if (!mapping)
      throw new OpenCLError('CL_INVALID_VALUE', 'this array is not a mapping of the memory object');
    const waits = this.waits(eventWaitList, event);
    memObject.mappings.splice(index, 1);
    const type = CL.COMMAND_UNMAP_MEM_OBJECT;
    if (!memObject.hostCopy) {
      this.context.runtime.memory.mapped -= 1;
      const writes = { memory: memObject.runtime, offset: mapping.offset };
      return this.give(this.marker(type, { kind: 'marker', writes }, waits, [memObject.runtime]), event);
    }
    if (mapping.flags === CL.MAP_READ) {
      return this.give(this.marker(type, { kind: 'marker' }, waits, [memObject.runtime]), event);
    }
    const options = { type, blocking: false, waits };
    const { array, offset, rectangle } = mapping;
    const { runtime } = memObject;
    if (rectangle) {
      const { device, host, region } = rectangle;
      return this.give(writeRectangle(this.runtime, runtime, device, array, host, region, options), event);
    }
    return this.give(writeBuffer(this.runtime, runtime, offset, array, options), event);
  }

  /** clEnqueueMigrateMemObjects: a hint, and all devices here share the context's memory. */
  enqueueMigrateMemObjects(
    memObjects: readonly CLMemory[],
    flags: number,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): CLEvent {
    this.check();
    if (!Array.isArray(memObjects) || memObjects.length === 0) {
      throw new OpenCLError('CL_INVALID_VALUE', 'no memory objects to migrate');
    }
    for (const memory of memObjects as readonly CLMemory[]) this.checkMemory(memory, CLMemory);
    const known = CL.MIGRATE_MEM_OBJECT_HOST | CL.MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    if (!Number.isInteger(flags) || (flags & ~known) !== 0) {
      throw new OpenCLError('CL_INVALID_VALUE', `migration flags ${shownBits(flags)} are not defined`);
    }
    const waits = this.waits(eventWaitList, event);
    return this.give(this.marker(CL.COMMAND_MIGRATE_MEM_OBJECTS, { kind: 'marker' }, waits, []), event);
  }

  /** clEnqueueMarkerWithWaitList: the event ends when the waits, or without them all earlier commands, have. */
  enqueueMarkerWithWaitList(eventWaitList?: WaitList, event?: CLEvent | null): CLEvent {
    return this.#synchronise(CL.COMMAND_MARKER, 'marker', eventWaitList, event);
  }

  /** clEnqueueBarrierWithWaitList: a marker that later commands do not overtake. */
  enqueueBarrierWithWaitList(eventWaitList?: WaitList, event?: CLEvent | null): CLEvent {
    return this.#synchronise(CL.COMMAND_BARRIER, 'barrier', eventWaitList, event);
  }

  /** clEnqueueMarker (OpenCL 1.1, WebCL). */
  enqueueMarker(event?: CLEvent): CLEvent {
    if (event === null) throw new OpenCLError('CL_INVALID_VALUE', 'enqueueMarker needs an event');
    return this.enqueueMarkerWithWaitList(null, event);
  }

  /** clEnqueueBarrier (OpenCL 1.1, WebCL). */
  enqueueBarrier(): CLEvent {
    return this.enqueueBarrierWithWaitList();
  }

  /** clEnqueueWaitForEvents (OpenCL 1.1, WebCL). */
  enqueueWaitForEvents(eventWaitList: readonly CLEvent[]): CLEvent {
    if (!Array.isArray(eventWaitList) || eventWaitList.length === 0) {
      throw new OpenCLError('CL_INVALID_VALUE', 'enqueueWaitForEvents needs at least one event');
    }
    return this.enqueueBarrierWithWaitList(eventWaitList);
  }

  /** clFlush. */
  flush(): void {
    this.check();
    this.runtime.flush();
  }

  /**
   * clFinish: sleeps until all commands have ended. With a callback it returns at once and calls it then, with the error that it
   * would have thrown.
   * @throws OpenCLError what a command failed with, such as CL_OUT_OF_RESOURCES, if the program has not been told (by the status of
   *   its event, or a call that waited for it); CL_INVALID_OPERATION on a thread that may not sleep: use the callback or {@link finished}
   */
  finish(whenFinished?: (error?: OpenCLError) => void): void {
    this.check();
    const { runtime } = this;
    if (whenFinished) {
      void runtime.finished().then(() => whenFinished(runtime.takeFailure()));
      return;
    }
    runtime.finish();
    const failure = runtime.takeFailure();
    if (failure) throw failure;
  }

  /** Sleeps until all commands have ended, well or not: for those who ask each event. */
  waitForEnd(): void {
    this.check();
    this.runtime.finish();
  }

  /**
   * Resolves when the device's threads run. In a worker of a page they do not start while the worker sleeps, so await this
   * once before the first blocking call there; elsewhere it is never needed.
   */
  ready(): Promise<void> {
    this.check();
    return this.runtime.ready();
  }

  /** Resolves when all commands so far have ended; rejects where {@link finish} would throw. */
  finished(): Promise<void> {
    this.check();
    const { runtime } = this;
    return runtime.finished().then(() => {
      const failure = runtime.takeFailure();
      if (failure) throw failure;
    });
  }

  protected destroy(): void {
    const { life } = this.context;
    const { runtime } = this;
    life.forget(this);
    // Implicit flush: what was enqueued still runs.
    const isIdle = runtime.isIdle;
    if (!isIdle) runtime.whenFinished(() => life.runtime.callBack(() => life.detach()));
    runtime.release();
    if (isIdle) life.detach();
  }

  #launch(
    type: number,
    kernel: CLKernel,
    workDim: number,
    offset: Sizes,
    global: Sizes,
    local: Sizes,
    eventWaitList: WaitList,
    event: CLEvent | null | undefined,
  ): CLEvent {
    this.check();
    checkHandle(kernel, CLKernel, 'CL_INVALID_KERNEL');
    if (kernel.context !== this.context) {
      throw new OpenCLError('CL_INVALID_CONTEXT', 'the kernel belongs to another context');
    }
    const built = kernel.builtFor(this.device);
    const { values, uses } = kernel.bound();
    if (
      isEmptyRange(workDim, global) &&
      versionIn(this.device.runtime.info.version) >= numericVersion(2, 1)
    ) {
      return this.#synchronise(type, 'marker', eventWaitList, event);
    }
    const body = planLaunch(built, this.device.runtime.info, values, {
      dimensions: workDim,
      offset: offset ? Array.from(offset) : null,
      global: global ? Array.from(global) : [],
      local: local ? Array.from(local) : null,
    });
    checkLaunchImages(this.device.runtime, built, values);
    const waits = this.waits(eventWaitList, event);
    if (!this.wantsNone(event)) return this.give(this.runtime.enqueue(type, body, waits, uses), event);
    this.runtime.enqueueUnseen(type, body, waits, uses);
    return new CLEvent();
  }

  /** A command that does nothing but wait. */
  #synchronise(
    type: number,
    kind: 'marker' | 'barrier',
    eventWaitList: WaitList,
    event: CLEvent | null | undefined,
  ): CLEvent {
    this.check();
    const waits = this.waits(eventWaitList, event);
    // Waits that are over leave an empty list, which would mean all earlier commands.
    if (waits.length > 0 && waits.every((wait) => wait.status === CL.COMPLETE)) {
      return this.give(this.runtime.completed(type, waits), event);
    }
    return this.give(this.runtime.enqueue(type, { kind }, waits), event);
  }
}

/** The functions that give a host's queue work, or wait for it. */
function* namesOfWork(): Iterable<string> {
  for (
    let layer: object = CLCommandQueue.prototype;
    layer !== Object.prototype;
    layer = Object.getPrototypeOf(layer)
  ) {
    for (const name of Object.getOwnPropertyNames(layer)) {
      if (/^(enqueue|flush|finish)/.test(name)) yield name;
    }
  }
}
CLDeviceQueue.refuse(namesOfWork());

/** Whether a launch has no work-items, which is no mistake from OpenCL 2.1 on (3.0, 5.8). */
function isEmptyRange(workDim: number, global: Sizes): boolean {
  if (workDim !== 1 && workDim !== 2 && workDim !== 3) return false;
  if (!global) return true;
  if (global.length < workDim) return false;
  for (let axis = 0; axis < workDim; axis += 1) if (global[axis] === 0) return true;
  return false;
}
