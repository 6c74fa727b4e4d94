/** Commands for objects of OpenGL (OpenCL 1.2 extensions, 9.7.6). */
import { enqueueHostAction, type HostAction } from '../../../runtime/host-function.ts';
import { OpenCLError } from '../../../runtime/status.ts';
import { CL } from '../constants.ts';
import type { CLEvent, WaitList } from '../event.ts';
import { shareGroupOf } from '../gl/create.ts';
import type { GLLink } from '../gl/links.ts';
import { checkHandle } from '../handle.ts';
import { CLMemory } from '../memory.ts';
import { QueueState } from '../queue-state.ts';

export abstract class GLCommands extends QueueState {
  /**
   * clEnqueueAcquireGLObjects: takes over from OpenGL. When the command's turn has come and OpenGL has done what it was given
   * before this call, the objects get OpenGL's bytes.
   * @throws OpenCLError CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT, CL_INVALID_VALUE, CL_INVALID_MEM_OBJECT,
   *   CL_INVALID_GL_OBJECT, CL_INVALID_EVENT_WAIT_LIST
   */
  enqueueAcquireGLObjects(
    memObjects: readonly CLMemory[] | null,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): CLEvent {
    return this.exchangeWithGL(CL.COMMAND_ACQUIRE_GL_OBJECTS, memObjects, eventWaitList, event);
  }

  /**
   * clEnqueueReleaseGLObjects: gives back to OpenGL. When the command's turn has come OpenGL gets the bytes of all objects
   * that are not MEM_READ_ONLY; commands given to OpenGL after the end of this one see them.
   * @throws OpenCLError as {@link enqueueAcquireGLObjects}
   */
  enqueueReleaseGLObjects(
    memObjects: readonly CLMemory[] | null,
    eventWaitList?: WaitList,
    event?: CLEvent | null,
  ): CLEvent {
    return this.exchangeWithGL(CL.COMMAND_RELEASE_GL_OBJECTS, memObjects, eventWaitList, event);
  }

  protected exchangeWithGL(
    type: number,
    memObjects: readonly CLMemory[] | null,
    eventWaitList: WaitList,
    event: CLEvent | null | undefined,
  ): CLEvent {
    this.check();
    const group = shareGroupOf(this.context);
    if (memObjects !== null && !Array.isArray(memObjects)) {
      throw new OpenCLError('CL_INVALID_VALUE', 'the memory objects are a list');
    }
    const memories: readonly CLMemory[] = memObjects ?? [];
    for (const memory of memories) checkHandle(memory, CLMemory, 'CL_INVALID_MEM_OBJECT');
    const links: GLLink[] = memories.map((memory) => {
      this.checkMemory(memory, CLMemory);
      if (memory.gl) return memory.gl;
      throw new OpenCLError('CL_INVALID_GL_OBJECT', 'a memory object was not created from one of OpenGL');
    });
    const isAcquire = type === CL.COMMAND_ACQUIRE_GL_OBJECTS;
    const waits = this.waits(eventWaitList, event, isAcquire);
    const used = memories.map((memory) => memory.runtime);
    const copy = (): void => {
      group.checkAlive();
      for (const [index, link] of links.entries()) {
        const { flags } = memories[index]!;
        const bytes = used[index]!.view(0, used[index]!.size);
        if (isAcquire) link.acquire(bytes);
        else if (!(flags & CL.MEM_READ_ONLY)) link.release(bytes);
      }
    };
    const fence = isAcquire && links.length > 0 ? group.fence() : undefined;
    const action: HostAction = (end) =>
      group.whenPassed(fence, () => {
        if (fence) group.gl.deleteSync(fence);
        end(failureOf(copy));
      });
    return this.give(enqueueHostAction(this.runtime, type, action, used, waits), event);
  }
}

/** Does something; the error that it ended with, undefined for none. */
function failureOf(action: () => void): OpenCLError | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof OpenCLError) return error;
    throw error;
  }
}
