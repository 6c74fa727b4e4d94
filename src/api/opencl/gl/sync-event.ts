/** Events of fences of OpenGL: clCreateEventFromGLsyncKHR (OpenCL 1.2 extensions, 9.8). */
import { completeUserEvent, createUserEvent } from '../../../runtime/event.ts';
import { executionStatus, OpenCLError } from '../../../runtime/status.ts';
import { shown } from '../../../source/shown.ts';
import { CL } from '../constants.ts';
import type { CLContext } from '../context.ts';
import { CLEvent } from '../event.ts';
import { isObject, shareGroupOf } from './create.ts';

/** An event that ends when OpenGL has passed a fence. Of all commands only an acquire may wait for it. */
export class CLSyncEvent extends CLEvent {
  /** What profiles and logs call it, in minified bundles too. */
  static override readonly name: string = 'CLSyncEvent';
  override get isOfFence(): boolean {
    return true;
  }
}

/** See CLContext.createEventFromGLsyncKHR. */
export function createEventFromGLsync(context: CLContext, sync: object): CLEvent {
  const group = shareGroupOf(context);
  const fence = sync as WebGLSync;
  if (!isObject(sync, 'WebGLSync') || !group.gl.isSync(fence)) {
    throw new OpenCLError('CL_INVALID_GL_OBJECT', `${shown(sync)} is no fence of the WebGL context`);
  }
  const runtime = createUserEvent(context.runtime, CL.COMMAND_GL_FENCE_SYNC_OBJECT_KHR);
  const event = new CLSyncEvent();
  event.fill(runtime, context, undefined);
  group.gl.flush();
  const { events } = context.runtime;
  events.retain(runtime.slot);
  group.whenPassed(fence, () => {
    if (context.runtime.closed) return;
    completeUserEvent(runtime, executionStatus.complete);
    events.release(runtime.slot);
  });
  return event;
}
