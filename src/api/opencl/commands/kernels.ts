/** Commands that run kernels, and functions of the host (OpenCL 1.2, 5.8). */
import { enqueueHostFunction } from '../../../runtime/host-function.ts';
import { checkLaunchImages } from '../../../runtime/image.ts';
import { planLaunch } from '../../../runtime/launch.ts';
import { backInProgram } from '../../../runtime/observe-calls.ts';
import { OpenCLError } from '../../../runtime/status.ts';
import { CL } from '../constants.ts';
import { CLEvent, type WaitList } from '../event.ts';
import { checkHandle } from '../handle.ts';
import { CLKernel } from '../kernel.ts';
import { numericVersion, versionIn } from '../later-queries.ts';
import { CLMemory } from '../memory.ts';
import { QueueState } from '../queue-state.ts';

type Sizes = ArrayLike<number> | null | undefined;

/** What enqueueNativeKernel calls, on the host thread. */
export type NativeKernel = (args: unknown[]) => void;

export abstract class KernelCommands extends QueueState {
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
    return this.launch(
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
    return this.launch(CL.COMMAND_TASK, kernel, 1, null, [1], [1], eventWaitList, event);
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

  protected launch(
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
      const waits = this.waits(eventWaitList, event);
      return this.give(this.marker(type, { kind: 'marker' }, waits, []), event);
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
}

/** Whether a launch has no work-items, which is no mistake from OpenCL 2.1 on (3.0, 5.8). */
function isEmptyRange(workDim: number, global: Sizes): boolean {
  if (workDim !== 1 && workDim !== 2 && workDim !== 3) return false;
  if (!global) return true;
  if (global.length < workDim) return false;
  for (let axis = 0; axis < workDim; axis += 1) if (global[axis] === 0) return true;
  return false;
}
