/** Command queues, markers and barriers (OpenCL 1.2, 5.1, 5.10 and 5.13). */
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
        return owner.createCommandQueueWithProperties(objects.device(device), memory.properties(list));
      },
    }),

    ...returningStatus(host, {
      clSetDefaultDeviceCommandQueue(context, device, queue) {
        const owner = objects.context(context);
        owner.setDefaultDeviceCommandQueue(objects.device(device), objects.deviceQueue(queue));
      },

      clRetainCommandQueue(queue) {
        objects.anyQueue(queue).retain();
      },

      clReleaseCommandQueue(queue) {
        objects.release(objects.anyQueue(queue));
      },

      clGetCommandQueueInfo(queue, name, size, pointer, sizePointer) {
        writeAnswer(host, name, objects.anyQueue(queue).getInfo(name), size, pointer, sizePointer);
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
