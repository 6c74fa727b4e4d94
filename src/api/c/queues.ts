/** Command queues, markers and barriers (OpenCL 1.2, 5.1, 5.10 and 5.13). */
import { OpenCLError } from '../../runtime/status.ts';
import { CL } from '../opencl/constants.ts';
import { writeAnswer } from './answers.ts';
import { type ImportedFunctions, returningObject, returningStatus } from './calls.ts';
import type { CHost } from './host.ts';

export function queueFunctions(host: CHost): ImportedFunctions {
  const { memory, objects } = host;
  return {
    ...returningObject(host, {
      clCreateCommandQueue(context, device, properties) {
        return objects.context(context).createCommandQueue(objects.device(device), properties);
      },

      clCreateCommandQueueWithProperties(context, device, list) {
        const owner = objects.context(context);
        return owner.createCommandQueue(objects.device(device), readQueueProperties(host, list));
      },
    }),

    ...returningStatus(host, {
      clRetainCommandQueue(queue) {
        objects.queue(queue).retain();
      },

      clReleaseCommandQueue(queue) {
        objects.release(objects.queue(queue));
      },

      clGetCommandQueueInfo(queue, name, size, pointer, sizePointer) {
        writeAnswer(host, name, objects.queue(queue).getInfo(name), size, pointer, sizePointer);
      },

      clSetCommandQueueProperty(queue) {
        objects.queue(queue).setProperty();
      },

      clFlush(queue) {
        objects.queue(queue).flush();
      },

      clFinish(queue) {
        objects.queue(queue).finish();
      },

      clEnqueueMarkerWithWaitList(queue, waitCount, waits, event) {
        const used = objects.queue(queue);
        host.enqueue(waitCount, waits, event, (list, made) => used.enqueueMarkerWithWaitList(list, made));
      },

      clEnqueueBarrierWithWaitList(queue, waitCount, waits, event) {
        const used = objects.queue(queue);
        host.enqueue(waitCount, waits, event, (list, made) => used.enqueueBarrierWithWaitList(list, made));
      },

      clEnqueueMarker(queue, event) {
        const used = objects.queue(queue);
        memory.check(event, 4);
        host.enqueue(0, 0, event, (_, made) => used.enqueueMarkerWithWaitList(null, made));
      },

      clEnqueueBarrier(queue) {
        objects.queue(queue).enqueueBarrier();
      },

      clEnqueueWaitForEvents(queue, count, events) {
        const used = objects.queue(queue);
        const list = host.list(count, events, (number) => objects.event(number));
        used.enqueueWaitForEvents(list);
      },
    }),
  };
}

/** The value of CL_QUEUE_PROPERTIES among the properties of a queue (OpenCL 2.0, 5.1). */
function readQueueProperties(host: CHost, pointer: number): number {
  let properties = 0;
  for (const { name, value } of host.memory.properties(pointer)) {
    if (name !== CL.QUEUE_PROPERTIES) {
      throw new OpenCLError('CL_INVALID_VALUE', `0x${name.toString(16)} is no property of a queue`);
    }
    properties = value;
  }
  if (properties & CL.QUEUE_ON_DEVICE) {
    throw new OpenCLError('CL_INVALID_QUEUE_PROPERTIES', 'no device has queues of its own');
  }
  return properties;
}
