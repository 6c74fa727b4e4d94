/** Events (OpenCL 1.2, 5.9 to 5.12). */
import { OpenCLError } from '../../runtime/status.ts';
import { CLUserEvent, waitForEvents } from '../opencl/event.ts';
import { writeAnswer } from './answers.ts';
import { type ImportedFunctions, returningObject, returningStatus } from './calls.ts';
import type { CHost } from './host.ts';

export function eventFunctions(host: CHost): ImportedFunctions {
  const { objects } = host;
  return {
    ...returningObject(host, {
      clCreateUserEvent(context) {
        return objects.context(context).createUserEvent();
      },
    }),

    ...returningStatus(host, {
      clSetUserEventStatus(event, status) {
        const found = objects.event(event);
        if (!(found instanceof CLUserEvent)) {
          throw new OpenCLError('CL_INVALID_EVENT', 'the event is no user event');
        }
        found.setStatus(status | 0);
      },

      clSetEventCallback(event, type, notify, userData) {
        const found = objects.event(event);
        const call = host.callback(notify);
        found.setCallback(type | 0, (_, status) => {
          call(event, status, userData);
          objects.release(found);
        });
        // The function may use its event though the program has released it.
        found.retain();
      },

      clWaitForEvents(count, events) {
        waitForEvents(host.list(count, events, (number) => objects.event(number)));
      },

      clGetEventInfo(event, name, size, pointer, sizePointer) {
        writeAnswer(host, name, objects.event(event).getInfo(name), size, pointer, sizePointer);
      },

      clGetEventProfilingInfo(event, name, size, pointer, sizePointer) {
        writeAnswer(host, name, objects.event(event).getProfilingInfo(name), size, pointer, sizePointer);
      },

      clRetainEvent(event) {
        objects.event(event).retain();
      },

      clReleaseEvent(event) {
        objects.release(objects.event(event));
      },
    }),
  };
}
