/** The queues that devices have for their kernels to launch others with (OpenCL 2.0, 5.1: on-device queues). */
import { mostDeviceEvents } from './device-events.ts';
import type { DeviceQueues } from './nested-launches.ts';
import { OpenCLError } from './status.ts';

/**
 * How many on-device queues a context can have on a device. CL_DEVICE_MAX_ON_DEVICE_QUEUES says less: programs make so many
 * beside a default queue, or while launches in released ones still run.
 */
export const mostDeviceQueues = 24;

/** Bytes of a queue's size that a launch counts for. */
const launchBytes = 256;

/** What a device says of its on-device queues. */
export interface DeviceQueueLimits {
  /** Bytes that are enough for most programs, and the most (CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, ..._MAX_SIZE). */
  readonly preferredSize: number;
  readonly maxSize: number;
  readonly maxQueues: number;
  readonly maxEvents: number;
}

export const deviceQueueLimits: DeviceQueueLimits = {
  preferredSize: 1 << 20,
  maxSize: 1 << 24,
  maxQueues: 16,
  maxEvents: mostDeviceEvents,
};

/** How many launches a queue of so many bytes has room for. */
export function launchesFor(bytes: number): number {
  return Math.max(1, Math.floor(bytes / launchBytes));
}

/** The on-device queues of a device in one context, known by numbers from 1 on, which kernels get. */
export interface OnDeviceQueues {
  /**
   * Makes a queue of so many bytes.
   * @throws OpenCLError CL_OUT_OF_RESOURCES, CL_MEM_OBJECT_ALLOCATION_FAILURE
   */
  create(bytes: number): number;
  /** What get_default_queue gives; 0 for none. */
  setDefault(number: number): void;
  /** Kernels can put nothing into it any more; what is in it still runs. */
  release(number: number): void;
}

/** Those of a device without threads. */
export class LocalDeviceQueues implements OnDeviceQueues, DeviceQueues {
  readonly #capacities: (number | undefined)[] = [];
  defaultQueue = 0;

  create(bytes: number): number {
    let index = this.#capacities.indexOf(undefined);
    if (index < 0) index = this.#capacities.length;
    if (index >= mostDeviceQueues) throw tooManyQueues();
    this.#capacities[index] = launchesFor(bytes);
    return index + 1;
  }

  setDefault(number: number): void {
    this.defaultQueue = number;
  }

  release(number: number): void {
    this.#capacities[number - 1] = undefined;
    if (this.defaultQueue === number) this.defaultQueue = 0;
  }

  capacityOf(queue: number): number | undefined {
    return this.#capacities[queue - 1];
  }
}

export function tooManyQueues(): OpenCLError {
  return new OpenCLError(
    'CL_OUT_OF_RESOURCES',
    `a device has at most ${mostDeviceQueues} on-device queues in a context`,
  );
}
