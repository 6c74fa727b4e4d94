/** Buffers (OpenCL 1.2, 5.2). */
import { OpenCLError } from '../../runtime/status.ts';
import { CL } from '../opencl/constants.ts';
import { type ImportedFunctions, returningObject, returningStatus, type StatusFunction } from './calls.ts';
import type { CHost } from './host.ts';

export function bufferFunctions(host: CHost): ImportedFunctions {
  const { memory, objects } = host;

  const transfer =
    (method: 'enqueueReadBuffer' | 'enqueueWriteBuffer'): StatusFunction =>
    (queue, buffer, blocking, offset, size, pointer, waitCount, waits, event) => {
      const used = objects.queue(queue);
      const memoryObject = objects.buffer(buffer);
      const bytes = memory.bytes(pointer, size);
      host.enqueue(waitCount, waits, event, (list, made) =>
        used[method](memoryObject, blocking, offset, size, bytes, list, made),
      );
    };

  const transferRect =
    (method: 'enqueueReadBufferRect' | 'enqueueWriteBufferRect'): StatusFunction =>
    (queue, buffer, blocking, origin, hostOrigin, region, ...more) => {
      const [row, slice, hostRow, hostSlice, pointer, waitCount, waits, event] = more as Eight;
      const used = objects.queue(queue);
      const memoryObject = objects.buffer(buffer);
      const [there, here, size] = [memory.triple(origin), memory.triple(hostOrigin), memory.triple(region)];
      const bytes = memory.bytesFrom(pointer);
      host.enqueue(waitCount, waits, event, (list, made) =>
        used[method](
          memoryObject,
          blocking,
          there,
          here,
          size,
          row,
          slice,
          hostRow,
          hostSlice,
          bytes,
          list,
          made,
        ),
      );
    };

  return {
    ...returningObject(host, {
      clCreateBuffer(context, flags, size, pointer) {
        const owner = objects.context(context);
        return owner.createBuffer(flags, size, hostData(host, flags, pointer, size));
      },

      clCreateBufferWithProperties(context, properties, flags, size, pointer) {
        const owner = objects.context(context);
        const list = memory.properties(properties);
        return owner.createBufferWithProperties(list, flags, size, hostData(host, flags, pointer, size));
      },

      clCreateSubBuffer(buffer, flags, type, info) {
        const whole = objects.buffer(buffer);
        if (type !== CL.BUFFER_CREATE_TYPE_REGION || info === 0) {
          throw new OpenCLError('CL_INVALID_VALUE', 'a part of a buffer is made by a region');
        }
        const [origin, size] = memory.list(info, 2);
        return whole.createSubBuffer(flags, origin!, size!);
      },

      clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size, waitCount, waits, event) {
        const used = objects.queue(queue);
        const memoryObject = objects.buffer(buffer);
        return host.enqueue(
          waitCount,
          waits,
          event,
          (list, made) =>
            used.enqueueMapBuffer(memoryObject, blocking, flags, offset, size, list, made).byteOffset,
        );
      },
    }),

    ...returningStatus(host, {
      clEnqueueReadBuffer: transfer('enqueueReadBuffer'),
      clEnqueueWriteBuffer: transfer('enqueueWriteBuffer'),
      clEnqueueReadBufferRect: transferRect('enqueueReadBufferRect'),
      clEnqueueWriteBufferRect: transferRect('enqueueWriteBufferRect'),

      clEnqueueCopyBuffer(queue, source, target, sourceOffset, targetOffset, size, waitCount, waits, event) {
        const used = objects.queue(queue);
        const [from, to] = [objects.buffer(source), objects.buffer(target)];
        host.enqueue(waitCount, waits, event, (list, made) =>
          used.enqueueCopyBuffer(from, to, sourceOffset, targetOffset, size, list, made),
        );
      },

      clEnqueueCopyBufferRect(queue, source, target, sourceOrigin, targetOrigin, region, ...more) {
        const [fromRow, fromSlice, toRow, toSlice, waitCount, waits, event] = more as Seven;
        const used = objects.queue(queue);
        const [from, to] = [objects.buffer(source), objects.buffer(target)];
        const [start, end, size] = [
          memory.triple(sourceOrigin),
          memory.triple(targetOrigin),
          memory.triple(region),
        ];
        host.enqueue(waitCount, waits, event, (list, made) =>
          used.enqueueCopyBufferRect(
            from,
            to,
            start,
            end,
            size,
            fromRow,
            fromSlice,
            toRow,
            toSlice,
            list,
            made,
          ),
        );
      },

      clEnqueueFillBuffer(queue, buffer, pattern, patternSize, offset, size, waitCount, waits, event) {
        const used = objects.queue(queue);
        const target = objects.buffer(buffer);
        const bytes = memory.bytes(pattern, patternSize);
        host.enqueue(waitCount, waits, event, (list, made) =>
          used.enqueueFillBuffer(target, bytes, offset, size, list, made),
        );
      },
    }),
  };
}

type Seven = [number, number, number, number, number, number, number];
type Eight = [...Seven, number];

/**
 * The bytes behind a host pointer for a new object; those from the pointer to the memory's end if the size is not known yet.
 * @throws OpenCLError CL_INVALID_HOST_PTR unless pointer and flags go together (5.2.1)
 */
export function hostData(
  host: CHost,
  flags: number,
  pointer: number,
  size: number | undefined,
): Uint8Array | null {
  const error = 'CL_INVALID_HOST_PTR';
  if (pointer === 0) return null;
  if ((flags & (CL.MEM_USE_HOST_PTR | CL.MEM_COPY_HOST_PTR)) === 0) {
    throw new OpenCLError(error, 'a host pointer needs USE_HOST_PTR or COPY_HOST_PTR');
  }
  return size === undefined ? host.memory.bytesFrom(pointer, error) : host.memory.bytes(pointer, size, error);
}
