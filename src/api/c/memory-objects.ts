/** What buffers and images share (OpenCL 1.2, 5.4). */
import { OpenCLError } from '../../runtime/status.ts';
import { writeAnswer } from './answers.ts';
import { type ImportedFunctions, returningStatus } from './calls.ts';
import type { CHost } from './host.ts';

export function memoryObjectFunctions(host: CHost): ImportedFunctions {
  const { objects } = host;
  return returningStatus(host, {
    clRetainMemObject(memory) {
      objects.memory(memory).retain();
    },

    clReleaseMemObject(memory) {
      objects.release(objects.memory(memory));
    },

    clSetMemObjectDestructorCallback(memory, notify, userData) {
      const object = objects.memory(memory);
      const call = host.callback(notify);
      object.setDestructorCallback(() => call(memory, userData));
    },

    clEnqueueUnmapMemObject(queue, memory, pointer, waitCount, waits, event) {
      const used = objects.queue(queue);
      const object = objects.memory(memory);
      const mapping = object.mappings.findLast(({ array }) => array.byteOffset === pointer);
      if (!mapping) throw new OpenCLError('CL_INVALID_VALUE', 'nothing of the object is mapped there');
      host.enqueue(waitCount, waits, event, (list, made) =>
        used.enqueueUnmapMemObject(object, mapping.array, list, made),
      );
    },

    clEnqueueMigrateMemObjects(queue, count, list, flags, waitCount, waits, event) {
      const used = objects.queue(queue);
      const moved = host.list(count, list, (number) => objects.memory(number));
      host.enqueue(waitCount, waits, event, (waitList, made) =>
        used.enqueueMigrateMemObjects(moved, flags, waitList, made),
      );
    },

    clGetMemObjectInfo(memory, name, size, pointer, sizePointer) {
      writeAnswer(host, name, objects.memory(memory).getInfo(name), size, pointer, sizePointer);
    },
  });
}
