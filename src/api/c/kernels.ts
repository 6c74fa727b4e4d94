/** Kernels and their launches (OpenCL 1.2, 5.7 and 5.8). */
import { OpenCLError } from '../../runtime/status.ts';
import { CL } from '../opencl/constants.ts';
import { CLDeviceQueue } from '../opencl/device-queue.ts';
import type { CLKernel } from '../opencl/kernel.ts';
import { writeAnswer, writeObjects } from './answers.ts';
import { type ImportedFunctions, returningObject, returningStatus } from './calls.ts';
import type { CHost } from './host.ts';

export function kernelFunctions(host: CHost): ImportedFunctions {
  const { memory, objects } = host;

  /** As many sizes as the launch has dimensions; wrong numbers of dimensions are found later. */
  const sizes = (pointer: number, dimensions: number): number[] | null =>
    pointer === 0 || dimensions < 1 || dimensions > 3 ? null : memory.list(pointer, dimensions);

  return {
    ...returningObject(host, {
      clCreateKernel(program, name) {
        return objects.program(program).createKernel(memory.text(name));
      },

      clCloneKernel(kernel) {
        return objects.kernel(kernel).clone();
      },
    }),

    ...returningStatus(host, {
      clCreateKernelsInProgram(program, room, pointer, countPointer) {
        const owner = objects.program(program);
        const kernels = owner.createKernelsInProgram();
        const discard = (): void => {
          for (const kernel of kernels) kernel.release();
        };
        if (pointer === 0) {
          discard();
          if (countPointer !== 0) memory.setU32(countPointer, kernels.length);
          return;
        }
        if (room < kernels.length) {
          discard();
          throw new OpenCLError('CL_INVALID_VALUE', `${kernels.length} kernels, and room for ${room}`);
        }
        writeObjects(host, kernels, room, pointer, countPointer);
      },

      clRetainKernel(kernel) {
        objects.kernel(kernel).retain();
      },

      clReleaseKernel(kernel) {
        objects.release(objects.kernel(kernel));
      },

      clSetKernelArg(kernel, index, size, pointer) {
        setArgument(host, objects.kernel(kernel), index, size, pointer);
      },

      clSetKernelArgSVMPointer(kernel, index, pointer) {
        objects.kernel(kernel).setArgSVMPointer(index, pointer === 0 ? null : pointer);
      },

      clSetKernelExecInfo(kernel, name, size, pointer) {
        const used = objects.kernel(kernel);
        const isList = name === CL.KERNEL_EXEC_INFO_SVM_PTRS;
        if ((isList && size % 4 !== 0) || (!isList && size !== 4)) {
          throw new OpenCLError('CL_INVALID_VALUE', `${size} bytes of information for a kernel`);
        }
        const values = size === 0 ? [] : memory.list(pointer, size / 4);
        used.setExecInfo(name, isList ? values : values[0]!);
      },

      clGetKernelInfo(kernel, name, size, pointer, sizePointer) {
        writeAnswer(host, name, objects.kernel(kernel).getInfo(name), size, pointer, sizePointer);
      },

      clGetKernelArgInfo(kernel, index, name, size, pointer, sizePointer) {
        const answer = objects.kernel(kernel).getArgInfo(index, name);
        writeAnswer(host, name, answer, size, pointer, sizePointer);
      },

      clGetKernelWorkGroupInfo(kernel, device, name, size, pointer, sizePointer) {
        const asked = objects.kernel(kernel);
        const answer = asked.getWorkGroupInfo(device === 0 ? null : objects.device(device), name);
        writeAnswer(host, name, answer, size, pointer, sizePointer);
      },

      clGetKernelSubGroupInfo(kernel, device, name, inputSize, input, size, pointer, sizePointer) {
        const asked = objects.kernel(kernel);
        const given = input === 0 ? [] : memory.list(input, inputSize >> 2);
        const answer = asked.getSubGroupInfo(
          device === 0 ? null : objects.device(device),
          name,
          given,
          size >> 2,
        );
        writeAnswer(host, name, answer, size, pointer, sizePointer);
      },

      clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, waitCount, waits, event) {
        const used = objects.queue(queue);
        const launched = objects.kernel(kernel);
        const start = sizes(offset, dimensions);
        const total = sizes(global, dimensions);
        const group = sizes(local, dimensions);
        host.enqueue(waitCount, waits, event, (list, made) =>
          used.enqueueNDRangeKernel(launched, dimensions, start, total, group, list, made),
        );
      },

      clEnqueueTask(queue, kernel, waitCount, waits, event) {
        const used = objects.queue(queue);
        const launched = objects.kernel(kernel);
        host.enqueue(waitCount, waits, event, (list, made) => used.enqueueTask(launched, list, made));
      },

      clEnqueueNativeKernel(queue, pointer, args, size, memoryCount, memories, places, ...more) {
        const [waitCount, waits, event] = more as [number, number, number];
        const used = objects.queue(queue);
        if (pointer === 0) throw new OpenCLError('CL_INVALID_VALUE', 'a native kernel is a function');
        if ((args === 0) !== (size === 0) || (args === 0 && memoryCount > 0)) {
          throw new OpenCLError('CL_INVALID_VALUE', 'arguments need both a pointer and a size');
        }
        const call = host.callback(pointer);
        const given = host.list(memoryCount, memories, (number) => objects.memory(number));
        const offsets = host.list(memoryCount, places, (place) => place - args);
        for (const offset of offsets) {
          if (offset >= 0 && offset + 4 <= size) continue;
          throw new OpenCLError(
            'CL_INVALID_VALUE',
            'the place of a memory object is not among the arguments',
          );
        }
        // The program may change its arguments as soon as this returns.
        const bytes = size === 0 ? new Uint8Array() : memory.bytes(args, size).slice();
        const run = (found: unknown[]): void =>
          host.shield(() => callNative(host, call, bytes, offsets, found as Uint8Array[]));
        host.enqueue(waitCount, waits, event, (list, made) =>
          used.enqueueNativeKernel(
            run,
            given.map(() => null),
            given,
            [...given.keys()],
            list,
            made,
          ),
        );
      },
    }),
  };
}

/** @throws OpenCLError CL_INVALID_DEVICE_QUEUE */
function queueArgument({ objects }: CHost, number: number): CLDeviceQueue {
  const queue = objects.find(number);
  if (queue instanceof CLDeviceQueue) return queue;
  throw new OpenCLError('CL_INVALID_DEVICE_QUEUE', `0x${number.toString(16)} is no queue of a device`);
}

/** clSetKernelArg (5.7.2): what the bytes mean depends on the kernel's parameter. */
function setArgument(host: CHost, kernel: CLKernel, index: number, size: number, pointer: number): void {
  const { memory, objects } = host;
  const kind = kernel.argumentKind(index);
  const wrongSize = (): never => {
    throw new OpenCLError(
      'CL_INVALID_ARG_SIZE',
      `argument ${index} of kernel '${kernel.name}' is an object's handle, of 4 bytes, not ${size}`,
    );
  };
  switch (kind) {
    case undefined:
      // The kernel says what is wrong.
      kernel.setArg(index, null);
      return;
    case 'local':
      kernel.setArg(index, size, pointer === 0 ? null : memory.bytes(pointer, 1));
      return;
    case 'global':
    case 'constant': {
      if (size !== 4) wrongSize();
      const number = pointer === 0 ? 0 : memory.u32(pointer);
      kernel.setArg(index, number === 0 ? null : objects.buffer(number));
      return;
    }
    case 'image':
      if (size !== 4) wrongSize();
      kernel.setArg(index, pointer === 0 ? null : objects.image(memory.u32(pointer)));
      return;
    case 'pipe':
      if (size !== 4) wrongSize();
      kernel.setArg(index, pointer === 0 ? null : objects.pipe(memory.u32(pointer)));
      return;
    case 'queue':
      if (size !== 4) wrongSize();
      kernel.setArg(index, pointer === 0 ? null : queueArgument(host, memory.u32(pointer)));
      return;
    case 'sampler':
      if (size !== 4) wrongSize();
      kernel.setArg(index, pointer === 0 ? null : objects.sampler(memory.u32(pointer)));
      return;
    default:
      kernel.setArg(
        index,
        size,
        pointer === 0 ? null : memory.bytes(pointer, size, 'CL_INVALID_ARG_VALUE').slice(),
      );
  }
}

/** Gives a native kernel a copy of its arguments in which places of memory objects are pointers to their bytes. */
function callNative(
  host: CHost,
  call: (pointer: number) => unknown,
  args: Uint8Array,
  offsets: readonly number[],
  memories: readonly Uint8Array[],
): void {
  const { memory } = host;
  if (args.length === 0) {
    call(0);
    return;
  }
  const block = memory.pool.take(args.length);
  if (!block) throw new OpenCLError('CL_OUT_OF_HOST_MEMORY', 'no room for the arguments of a native kernel');
  memory.refresh();
  memory.bytes(block.start, args.length).set(args);
  for (const [index, offset] of offsets.entries()) {
    memory.setU32(block.start + offset, memories[index]!.byteOffset);
  }
  try {
    call(block.start);
  } finally {
    memory.pool.giveBack(block);
    memory.refresh();
  }
}
