/**
 * When launches begin and end on the device, for queues that profile: a pair of timestamps for each, where the adapter has them. They are
 * written into a set of queries, which each submission resolves into a buffer of its own.
 */
import {
  type GpuBuffer,
  type GpuDevice,
  type GpuEncoder,
  type GpuObject,
  mapRead,
  usage,
} from './gpu-api.ts';

/** Launches of a submission that can be timed. */
const pairs = 256;

/** The times of one submission, to be read when it is done. */
export interface TimerReading {
  /** Nanoseconds on the device's clock: begin and end of each pair. */
  read(): Promise<BigUint64Array>;
}

export class GpuTimers {
  readonly #device: GpuDevice;
  readonly #queries: GpuObject;
  readonly #resolved: GpuBuffer;
  #next = 0;

  /** The device must have the feature `timestamp-query`. */
  constructor(device: GpuDevice) {
    this.#device = device;
    this.#queries = device.createQuerySet({ type: 'timestamp', count: 2 * pairs });
    this.#resolved = device.createBuffer({
      size: 16 * pairs,
      usage: usage.queryResolve | usage.copyFrom,
      label: 'times',
    });
  }

  /** No pair is left before the next submission. */
  get isFull(): boolean {
    return this.#next === pairs;
  }

  /** A new pair's number among those of the submission. */
  take(): number {
    this.#next += 1;
    return this.#next - 1;
  }

  /**
   * The descriptor of the empty pass before one that is timed, whose end is the begin of the launch. A pass may say that it has begun while
   * what is before it is still going on, such as the copy of what the host has written: it says that it has ended when all of that has.
   */
  passBefore(pair: number): object {
    return { timestampWrites: { querySet: this.#queries, endOfPassWriteIndex: 2 * pair } };
  }

  /** The descriptor of a pass that is timed. */
  passOf(pair: number): object {
    return { timestampWrites: { querySet: this.#queries, endOfPassWriteIndex: 2 * pair + 1 } };
  }

  /** To be called at the end of each submission, with its encoder. */
  resolve(encoder: GpuEncoder): TimerReading | undefined {
    const count = 2 * this.#next;
    if (count === 0) return undefined;
    this.#next = 0;
    const staging = this.#device.createBuffer({
      size: count * 8,
      usage: usage.mapRead | usage.copyTo,
      label: 'times read',
    });
    encoder.resolveQuerySet(this.#queries, 0, count, this.#resolved, 0);
    encoder.copyBufferToBuffer(this.#resolved, 0, staging, 0, count * 8);
    return {
      read: async () => {
        await staging.mapAsync(mapRead);
        const times = new BigUint64Array(staging.getMappedRange().slice(0));
        staging.destroy();
        return times;
      },
    };
  }
}
