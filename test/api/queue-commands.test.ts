/** Command queues are one class, composed of families of commands that stand on the queue's state alone. */
import { expect, it } from 'vitest';
import { sections } from '../../conformance/opencl-api/functions.ts';
import { BufferCommands } from '../../src/api/opencl/commands/buffers.ts';
import { GLCommands } from '../../src/api/opencl/commands/gl-objects.ts';
import { ImageCommands } from '../../src/api/opencl/commands/images.ts';
import { KernelCommands } from '../../src/api/opencl/commands/kernels.ts';
import { MarkerCommands } from '../../src/api/opencl/commands/markers.ts';
import { MemoryObjectCommands } from '../../src/api/opencl/commands/memory-objects.ts';
import { RectangleCommands } from '../../src/api/opencl/commands/rectangles.ts';
import { SVMCommands } from '../../src/api/opencl/commands/svm.ts';
import { CLDeviceQueue } from '../../src/api/opencl/device-queue.ts';
import { Handle } from '../../src/api/opencl/handle.ts';
import { CLCommandQueue } from '../../src/api/opencl/queue.ts';
import { QueueState } from '../../src/api/opencl/queue-state.ts';

/** The enqueue functions of the specification, by the methods that they are here. */
const enqueued = sections
  .flatMap(({ functions }) => functions)
  .flatMap(({ place }) => {
    const [, method] = /^CLCommandQueue\.(enqueue\w+)$/.exec(place ?? '') ?? [];
    return method === undefined ? [] : [method];
  });

it.each([
  BufferCommands,
  RectangleCommands,
  ImageCommands,
  MemoryObjectCommands,
  KernelCommands,
  MarkerCommands,
  SVMCommands,
  GLCommands,
])('%s stands on the state alone, and the queue has its methods', (family) => {
  expect(Object.getPrototypeOf(family)).toBe(QueueState);
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(family.prototype))) {
    if (name !== 'constructor')
      expect(Object.getOwnPropertyDescriptor(CLCommandQueue.prototype, name)?.value, name).toBe(value);
  }
});

it('the queue has each enqueue function of the specification itself, and queues on the device refuse them', () => {
  expect(enqueued.length).toBeGreaterThan(30);
  for (const name of enqueued) {
    expect(Object.hasOwn(CLCommandQueue.prototype, name), name).toBe(true);
    expect(Object.hasOwn(CLDeviceQueue.prototype, name), name).toBe(true);
  }
  expect(Object.getPrototypeOf(CLCommandQueue)).toBe(QueueState);
  expect(Object.getPrototypeOf(QueueState)).toBe(Handle);
});
