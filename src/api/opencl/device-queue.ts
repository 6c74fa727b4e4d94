/**
 * On-device queues (OpenCL 2.0, 5.1): what kernels put launches of others into. The host makes them and hands them to
 * kernels; it enqueues nothing there itself.
 */
import type { Context } from '../../runtime/context.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { CL } from './constants.ts';
import type { CLContext } from './context.ts';
import { Handle, isBitsOf, shownBits } from './handle.ts';
import type { CLDevice } from './platform.ts';
import { type QueueAnswer, queueInfo } from './queue-info.ts';

const known =
  CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
  CL.QUEUE_PROFILING_ENABLE |
  CL.QUEUE_ON_DEVICE |
  CL.QUEUE_ON_DEVICE_DEFAULT;

export class CLDeviceQueue extends Handle {
  /** What profiles and logs call it, in minified bundles too. */
  static override readonly name: string = 'CLDeviceQueue';
  protected readonly kind = { error: 'CL_INVALID_COMMAND_QUEUE', noun: 'queue' } as const;
  readonly context: CLContext;
  readonly device: CLDevice;
  readonly properties: number;
  /** Bytes, as asked for or preferred. */
  readonly size: number;
  /** What kernels know it by. */
  readonly number: number;
  /** The list that it was created with (CL_QUEUE_PROPERTIES_ARRAY). */
  readonly propertyList: readonly number[];

  /** They come from CLContext.createCommandQueueWithProperties. */
  constructor(
    context: CLContext,
    device: CLDevice,
    properties: number,
    size: number | undefined,
    list: readonly number[],
  ) {
    super();
    const limits = device.runtime.info.deviceQueues;
    const queues = context.runtime.opened(device.runtime).onDeviceQueues;
    if (!limits || !queues) {
      throw new OpenCLError('CL_INVALID_QUEUE_PROPERTIES', 'the device has no queues of its own');
    }
    if (!isBitsOf(properties, known)) {
      throw new OpenCLError('CL_INVALID_VALUE', `queue properties ${shownBits(properties)} are not defined`);
    }
    if (!(properties & CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)) {
      throw new OpenCLError('CL_INVALID_VALUE', 'queues on the device are out of order');
    }
    const bytes = size ?? limits.preferredSize;
    if (!(bytes > 0) || bytes > limits.maxSize) {
      throw new OpenCLError(
        'CL_INVALID_QUEUE_PROPERTIES',
        `a queue of ${bytes} bytes; the device has them up to ${limits.maxSize}`,
      );
    }
    this.context = context;
    this.device = device;
    this.properties = properties;
    this.size = bytes;
    this.number = queues.create(bytes);
    this.propertyList = list;
    context.life.attach(this, giveBack(context.runtime, device, this.number));
  }

  protected override get isOver(): boolean {
    return this.context.isOver;
  }

  /** clGetCommandQueueInfo. */
  getInfo(name: number): QueueAnswer {
    this.check();
    return name === CL.QUEUE_SIZE ? this.size : queueInfo(this, name);
  }

  /** Makes functions of these names refuse their work as {@link CLCommandQueue} would do it: only kernels enqueue here. */
  static refuse(names: Iterable<string>): void {
    for (const name of names) {
      Object.defineProperty(CLDeviceQueue.prototype, name, {
        configurable: true,
        value: function (this: CLDeviceQueue): never {
          this.check();
          throw new OpenCLError(
            'CL_INVALID_COMMAND_QUEUE',
            `${name}: this queue is the device's, for kernels`,
          );
        },
      });
    }
  }

  /** Kernels under way may still use it. */
  protected destroy(): void {
    const { life, runtime } = this.context;
    life.forget(this);
    this.context.forgetDeviceQueue(this);
    giveBack(runtime, this.device, this.number)();
    life.detach();
  }
}

function giveBack(runtime: Context, device: CLDevice, number: number): () => void {
  const queues = runtime.opened(device.runtime).onDeviceQueues;
  return () => runtime.runAfter(runtime.marks(), () => queues?.release(number));
}
