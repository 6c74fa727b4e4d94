/**
 * Kernels that launch others on a device without threads: nested-launches.ts says what runs when, and this reads what they
 * ask for out of device memory and keeps the launch blocks.
 */
import { launchOffsets } from '../../../codegen/wasm/module/abi.ts';
import { enqueueFlags, type LaunchRequest, queueStatus } from '../../../ir/device-queues.ts';
import { now } from '../../../runtime/host.ts';
import { type DeviceQueues, NestedLaunches } from '../../../runtime/nested-launches.ts';
import { encodeLaunch, shapeOf } from '../launch-encoding.ts';
import type { QueueCalls } from './imports.ts';
import { type MemoryView, type NestedKernel, readRequest } from './read-request.ts';

/** A launch, ready to be run. */
export interface LocalNestedLaunch {
  readonly kernel: number;
  /** Its launch block. */
  readonly block: Uint8Array<ArrayBuffer>;
  readonly groups: number;
}

export class LocalQueueCalls implements QueueCalls {
  readonly launches: NestedLaunches<LocalNestedLaunch>;
  readonly #memory: MemoryView;
  readonly #kernels: readonly { readonly nested: NestedKernel | undefined }[];
  readonly #areaBytes: number;
  readonly #printf: number;

  /**
   * @param areaBytes how large the thread's area is
   * @param printf the address of the buffer for what is printed, or 0
   */
  constructor(
    queues: DeviceQueues,
    memory: MemoryView,
    kernels: readonly { readonly nested: NestedKernel | undefined }[],
    areaBytes: number,
    printf: number,
  ) {
    this.#memory = memory;
    this.#kernels = kernels;
    this.#areaBytes = areaBytes;
    this.#printf = printf;
    this.launches = new NestedLaunches(queues, now, (place, execution, completion) => {
      memory.words(place, 16);
      const { bytes } = memory;
      const view = new DataView(bytes.buffer, bytes.byteOffset + (place >>> 0), 16);
      view.setBigUint64(0, execution, true);
      view.setBigUint64(8, completion, true);
    });
  }

  /** What a launch fails with that is not complete, and of which nothing can run. */
  stuck(): string {
    return this.launches.stuck(({ kernel }) => this.#kernels[kernel]!.nested!.code.title);
  }

  enqueueKernel(
    ...[kernel, queue, flags, range, count, waits, event, captures, sizes]: LaunchRequest
  ): number {
    const nested = this.#kernels[kernel]?.nested;
    if (!nested) throw new RangeError('enqueue_kernel of what is no block');
    const read = readRequest(this.#memory, nested, range, captures, sizes, 1);
    if (typeof read === 'number') return read;
    const { code } = nested;
    const { groups, areaBytes } = shapeOf(read, code, 1);
    if (areaBytes > this.#areaBytes) return queueStatus.outOfResources;
    const block = new Uint8Array((launchOffsets.arguments + code.argumentBytes + 3) & ~3);
    encodeLaunch(read, code, new Int32Array(block.buffer), block, 0, this.#printf);
    return this.#submit(queue, flags, count, waits, event, { kernel, block, groups });
  }

  enqueueMarker(queue: number, count: number, waits: number, event: number): number {
    return this.#submit(queue, enqueueFlags.noWait, count, waits, event, undefined);
  }

  #submit(
    queue: number,
    flags: number,
    count: number,
    waits: number,
    place: number,
    body: LocalNestedLaunch | undefined,
  ): number {
    if (place !== 0) this.#memory.words(place, 4);
    const { status, event } = this.launches.enqueue({
      queue,
      flags,
      waits: this.#waits(count >>> 0, waits),
      wantsEvent: place !== 0,
      body,
    });
    if (place !== 0 && status === queueStatus.success) this.#memory.words(place, 4)[place >>> 2] = event;
    return status;
  }

  /** The events of a list; undefined where there is a list or a number, and not both. */
  #waits(count: number, place: number): number[] | undefined {
    if ((count === 0) !== (place === 0)) return undefined;
    const words = this.#memory.words(place, 4 * count);
    return [...words.subarray(place >>> 2, (place >>> 2) + count)];
  }

  get defaultQueue(): number {
    return this.launches.defaultQueue;
  }

  createUserEvent(): number {
    return this.launches.createUserEvent();
  }

  retainEvent(handle: number): void {
    this.launches.retain(handle);
  }

  releaseEvent(handle: number): void {
    this.launches.releaseEvent(handle);
  }

  isValidEvent(handle: number): boolean {
    return this.launches.isValid(handle);
  }

  setStatus(handle: number, status: number): void {
    this.launches.setStatus(handle, status);
  }

  capture(handle: number, what: number, place: number): void {
    this.#memory.words(place, 16);
    this.launches.capture(handle, what, place);
  }

  workGroupSize(kernel: number): number {
    return this.#kernels[kernel]?.nested?.maxWorkGroupSize ?? 0;
  }
}
