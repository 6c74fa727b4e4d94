/** Commands that do nothing but wait and be waited for (OpenCL 1.2, 5.10; 1.1, 5.9). */
import { OpenCLError } from '../../../runtime/status.ts';
import { CL } from '../constants.ts';
import type { CLEvent, WaitList } from '../event.ts';
import { QueueState } from '../queue-state.ts';

export abstract class MarkerCommands extends QueueState {
  /** clEnqueueMarkerWithWaitList: the event ends when the waits, or without them all earlier commands, have. */
  enqueueMarkerWithWaitList(eventWaitList?: WaitList, event?: CLEvent | null): CLEvent {
    return this.synchronise(CL.COMMAND_MARKER, 'marker', eventWaitList, event);
  }

  /** clEnqueueBarrierWithWaitList: a marker that later commands do not overtake. */
  enqueueBarrierWithWaitList(eventWaitList?: WaitList, event?: CLEvent | null): CLEvent {
    return this.synchronise(CL.COMMAND_BARRIER, 'barrier', eventWaitList, event);
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
}
