/** Shared virtual memory (OpenCL 2.0, 5.6): the program's memory is the device's, so every pointer is shared already. */
import { OpenCLError } from '../../runtime/status.ts';
import type { SVMFreeCallback } from '../opencl/commands/svm.ts';
import { type ImportedFunctions, returningPointer, returningStatus } from './calls.ts';
import type { CHost } from './host.ts';

export function svmFunctions(host: CHost): ImportedFunctions {
  const { memory, objects } = host;
  return {
    ...returningPointer(host, {
      clSVMAlloc(context, flags, size, alignment) {
        return objects.context(context).svmAlloc(flags, size, alignment).address;
      },
    }),

    ...returningStatus(host, {
      // The program does not see that this fails, for a pointer from elsewhere.
      clSVMFree(context, pointer) {
        objects.context(context).svmFree(pointer);
      },

      clEnqueueSVMFree(queue, count, pointers, free, userData, waitCount, waits, event) {
        const used = objects.queue(queue);
        const list = host.list(count, pointers, (pointer) => pointer);
        const call = free === 0 ? null : freeing(host, free, queue, userData);
        host.enqueue(waitCount, waits, event, (waitList, made) =>
          used.enqueueSVMFree(list, call, waitList, made),
        );
      },

      clEnqueueSVMMemcpy(queue, blocking, target, source, size, waitCount, waits, event) {
        const used = objects.queue(queue);
        host.enqueue(waitCount, waits, event, (list, made) =>
          used.enqueueSVMMemcpy(blocking, target, source, size, list, made),
        );
      },

      clEnqueueSVMMemFill(queue, pointer, pattern, patternSize, size, waitCount, waits, event) {
        const used = objects.queue(queue);
        const bytes = memory.bytes(pattern, patternSize);
        host.enqueue(waitCount, waits, event, (list, made) =>
          used.enqueueSVMMemFill(pointer, bytes, size, list, made),
        );
      },

      clEnqueueSVMMap(queue, blocking, flags, pointer, size, waitCount, waits, event) {
        const used = objects.queue(queue);
        host.enqueue(waitCount, waits, event, (list, made) =>
          used.enqueueSVMMap(blocking, flags, pointer, size, list, made),
        );
      },

      clEnqueueSVMUnmap(queue, pointer, waitCount, waits, event) {
        const used = objects.queue(queue);
        host.enqueue(waitCount, waits, event, (list, made) => used.enqueueSVMUnmap(pointer, list, made));
      },

      clEnqueueSVMMigrateMem(queue, count, pointers, sizes, flags, waitCount, waits, event) {
        const used = objects.queue(queue);
        const list = host.list(count, pointers, (pointer) => pointer);
        const lengths = sizes === 0 ? null : memory.list(sizes, count);
        host.enqueue(waitCount, waits, event, (waitList, made) =>
          used.enqueueSVMMigrateMem(list, lengths, flags, waitList, made),
        );
      },
    }),
  };
}

/** pfn_free_func, which gets a list of its own, as the program may have changed that of the call. */
function freeing(host: CHost, pointer: number, queue: number, userData: number): SVMFreeCallback {
  const call = host.callback(pointer);
  return (_, pointers) => {
    const { memory } = host;
    const block = memory.pool.take(pointers.length * 4);
    if (!block) throw new OpenCLError('CL_OUT_OF_HOST_MEMORY', 'no room for a list of pointers');
    memory.refresh();
    memory.setList(block.start, pointers as readonly number[]);
    try {
      host.shield(() => call(queue, pointers.length, block.start, userData));
    } finally {
      memory.pool.giveBack(block);
      memory.refresh();
    }
  };
}
