/**
 * The memory in which each compute thread keeps private variables, context arrays and local memory of the work-group
 * it runs. All threads' areas are one range of device memory; when a launch needs larger ones, a new range is taken,
 * and the old one is freed when the launches that were told of it are done.
 */
import { leastAreaBytes } from '../../codegen/wasm/module/abi.ts';
import type { DeviceHost } from '../../runtime/device.ts';
import { roundUp } from '../../runtime/range-allocator.ts';

export interface Areas {
  /** Address of the first thread's area. */
  readonly base: number;
  /** Bytes from one thread's area to the next. */
  readonly stride: number;
}

export class ThreadAreas {
  readonly #host: DeviceHost;
  readonly #threads: number;
  #areas: Areas;

  constructor(host: DeviceHost, threads: number) {
    this.#host = host;
    this.#threads = threads;
    this.#areas = { base: host.memory.allocate(leastAreaBytes * threads), stride: leastAreaBytes };
  }

  /** Areas of at least so many bytes. */
  ensure(bytes: number): Areas {
    if (bytes > this.#areas.stride) {
      const areas = this.#take(roundUp(bytes * 1.25, 4096)) ?? this.#take(roundUp(bytes, 4096));
      if (!areas) throw this.#refusal;
      this.#host.freeLater(this.#areas.base);
      this.#areas = areas;
    }
    return this.#areas;
  }

  /** Why the last areas were refused. */
  #refusal: unknown;

  /** Undefined where there is no room for them; with many threads they may be most of the memory. */
  #take(stride: number): Areas | undefined {
    try {
      return { base: this.#host.memory.allocate(stride * this.#threads), stride };
    } catch (error) {
      this.#refusal = error;
      return undefined;
    }
  }
}
