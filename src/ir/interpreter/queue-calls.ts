/**
 * Kernels that launch others (src/ir/device-queues.ts): reads what such a call was given out of the machine's memory. When
 * the launches begin, the device's scheduler says (launch-scheduler.ts).
 */
import {
  enqueueFlags,
  kernelTitle,
  type LaunchRequest,
  type QueueFunctionName,
  queueStatus,
  rangeFields,
} from '../device-queues.ts';
import type * as ir from '../ir.ts';
import type { LaunchArgument, LaunchRange } from './launch.ts';
import type { LaunchScheduler, NewScheduler } from './launch-scheduler.ts';
import { Fault, type Memory } from './memory.ts';
import type { RuntimeValue } from './values.ts';

/** A launch as {@link Interpreter.begin} takes it. */
export interface NestedLaunch {
  readonly kernel: ir.Function;
  readonly range: LaunchRange;
  readonly arguments: readonly LaunchArgument[];
}

/** What the machine can do. */
export interface QueueLimits {
  readonly maxWorkGroupSize: number;
  readonly localMemory: number;
}

const limits: QueueLimits = { maxWorkGroupSize: 4096, localMemory: 65536 };

export class QueueCalls {
  readonly launches: LaunchScheduler<NestedLaunch>;
  readonly #memory: Memory;
  readonly #addressBytes: 4 | 8;
  readonly #functionAt: (address: number) => ir.Function;

  constructor(
    newScheduler: NewScheduler,
    memory: Memory,
    addressBytes: 4 | 8,
    functionAt: (address: number) => ir.Function,
  ) {
    this.#memory = memory;
    this.#addressBytes = addressBytes;
    this.#functionAt = functionAt;
    this.launches = newScheduler(
      () => performance.now() * 1e6,
      (place, execution, completion) => {
        const view = this.#view(place, 16, 8, 'profiling information');
        view.setBigUint64(0, execution, true);
        view.setBigUint64(8, completion, true);
      },
    );
  }

  /** What a launch that cannot go on says. */
  stuck(): Fault {
    return new Fault(this.launches.stuck(({ kernel }) => kernelTitle(kernel)));
  }

  /** The result of a call, as a number. */
  call(name: QueueFunctionName, operands: readonly RuntimeValue[]): number {
    const args: readonly number[] = operands.map(Number);
    const [first = 0, second = 0, third = 0] = args;
    const { launches } = this;
    switch (name) {
      case 'enqueue_kernel':
        return this.#enqueue(args as LaunchRequest);
      case 'enqueue_marker':
        return this.#submit(first, enqueueFlags.noWait, second, third, args[3]!, undefined);
      case 'get_default_queue':
        return launches.defaultQueue;
      case 'create_user_event':
        return launches.createUserEvent();
      case 'retain_event':
        launches.retain(first);
        return 0;
      case 'release_event':
        launches.releaseEvent(first);
        return 0;
      case 'set_user_event_status':
        launches.setStatus(first, second | 0);
        return 0;
      case 'is_valid_event':
        return launches.isValid(first) ? 1 : 0;
      case 'capture_event_profiling_info':
        launches.capture(first, second, third);
        return 0;
      case 'get_kernel_work_group_size':
        return this.#functionAt(first) ? limits.maxWorkGroupSize : 0;
      case 'get_kernel_preferred_work_group_size_multiple':
        return 1;
    }
  }

  #enqueue([address, queue, flags, range, count, waits, event, captures, sizes]: LaunchRequest): number {
    const kernel = this.#functionAt(address);
    const read = this.#range(range, kernel);
    if (!read) return queueStatus.invalidRange;
    const given: LaunchArgument[] = [];
    let localBytes = 0;
    for (const { aggregate } of kernel.parameters) {
      if (aggregate) {
        const view = this.#view(captures, aggregate.size, aggregate.align, 'captures');
        given.push({
          kind: 'bytes',
          bytes: new Uint8Array(view.buffer, view.byteOffset, aggregate.size).slice(),
        });
        continue;
      }
      const index = given.filter(({ kind }) => kind === 'local').length;
      const size = this.#view(sizes + 4 * index, 4, 4, 'a local size').getUint32(0, true);
      if (size === 0) return queueStatus.invalidArgumentSize;
      localBytes += size;
      given.push({ kind: 'local', size });
    }
    if (localBytes > limits.localMemory) return queueStatus.outOfResources;
    return this.#submit(queue, flags, count, waits, event, { kernel, range: read, arguments: given });
  }

  #submit(
    queue: number,
    flags: number,
    count: number,
    waits: number,
    place: number,
    body: NestedLaunch | undefined,
  ): number {
    const { status, event } = this.launches.enqueue({
      queue,
      flags,
      waits: this.#waits(count >>> 0, waits),
      wantsEvent: place !== 0,
      body,
    });
    if (place !== 0 && status === queueStatus.success) {
      const view = this.#view(place, this.#addressBytes, this.#addressBytes, 'an event');
      view.setUint32(0, event, true);
      if (this.#addressBytes === 8) view.setUint32(4, 0, true);
    }
    return status;
  }

  /** The events of a list; undefined where there is a list or a number, and not both. */
  #waits(count: number, place: number): number[] | undefined {
    if ((count === 0) !== (place === 0)) return undefined;
    return Array.from({ length: count }, (_, index) =>
      this.#word(place + index * this.#addressBytes, 'an event'),
    );
  }

  /** Undefined if no kernel can be launched so. */
  #range(place: number, { attributes }: ir.Function): LaunchRange | undefined {
    const bytes = this.#addressBytes;
    const fields = rangeFields(bytes);
    const dimensions = this.#view(place, 4, 4, 'an ndrange_t').getUint32(0, true);
    if (dimensions < 1 || dimensions > 3) return undefined;
    const list = (field: number): number[] =>
      Array.from({ length: dimensions }, (_, axis) =>
        this.#word(place + field + axis * bytes, 'an ndrange_t'),
      );
    const globalSize = list(fields.global);
    const globalOffset = list(fields.offset);
    let localSize = list(fields.local);
    if (globalSize.some((size, axis) => size < 1 || size + globalOffset[axis]! > 2 ** 31 - 1))
      return undefined;
    if (localSize.every((size) => size === 0)) localSize = localSize.map(() => 1);
    if (localSize.some((size) => size < 1)) return undefined;
    if (localSize.reduce((product, size) => product * size, 1) > limits.maxWorkGroupSize) return undefined;
    const isWhole = globalSize.every((size, axis) => size % localSize[axis]! === 0);
    return isWhole || attributes?.mayCutGroups ? { globalSize, localSize, globalOffset } : undefined;
  }

  #word(address: number, what: string): number {
    const view = this.#view(address, this.#addressBytes, this.#addressBytes, what);
    return this.#addressBytes === 4 ? view.getUint32(0, true) : Number(view.getBigUint64(0, true));
  }

  /** The bytes at an address. */
  #view(address: number, size: number, align: number, what: string): DataView {
    const allocation = this.#memory.access(address, size, align, 'generic', what);
    allocation.written?.fill(1, address - allocation.start, address - allocation.start + size);
    const { view } = allocation;
    return new DataView(view.buffer, view.byteOffset + address - allocation.start, size);
  }
}
