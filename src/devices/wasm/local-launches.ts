/**
 * Launches on the host thread, for the devices that run them there in slices: their memory, their entries, their blocks. Launches of
 * several queues take turns, so each keeps its block and brings it back for every slice.
 */
import type { DeviceHost } from '../../runtime/device.ts';
import type { LocalDeviceQueues } from '../../runtime/device-queues.ts';
import type { LaunchBody } from '../../runtime/local-engine.ts';
import { blockWords, encodeLaunch, encodeSizes, type LaunchSizes, shapeOf } from './launch-encoding.ts';
import type { KernelEntry, ModuleImports, QueueImports } from './module-cache.ts';
import { queueImports } from './nested/imports.ts';
import { LocalQueueCalls } from './nested/local-calls.ts';
import { DeviceView } from './nested/memory-view.ts';
import { PrintfBuffers } from './printf-buffers.ts';
import { launchBlockBytes } from './shared-layout.ts';
import { ThreadAreas } from './thread-areas.ts';
import type { WasmKernel } from './wasm-program.ts';

/** A launch that can run. */
export interface PreparedLaunch {
  /** Work-groups. */
  readonly groups: number;
  /** The part's kernels; what launches lead to may be any of them. */
  readonly entries: readonly KernelEntry[];
  readonly entry: KernelEntry;
  readonly bytes: Uint8Array;
  /** Where the area of the one thread lies, and how much of it this launch wants. */
  readonly area: number;
  readonly areaBytes: number;
  readonly calls: LocalQueueCalls;
}

export class LocalLaunches {
  /** Where the block of the launch that runs lies. */
  readonly block: number;
  readonly #host: DeviceHost;
  readonly #queues: LocalDeviceQueues;
  readonly #areas: ThreadAreas;
  readonly #printfs: PrintfBuffers;
  readonly #view: DeviceView;
  readonly #imports: QueueImports;
  /** Of the launch that runs. */
  #calls: LocalQueueCalls | undefined;

  constructor(host: DeviceHost, queues: LocalDeviceQueues) {
    this.#host = host;
    this.#queues = queues;
    this.#view = new DeviceView(host.memory.memory);
    this.#imports = queueImports(
      () => this.#calls!,
      (call) => call(),
    );
    this.#areas = new ThreadAreas(host, 1);
    this.#printfs = new PrintfBuffers(host);
    this.block = host.memory.allocate(launchBlockBytes);
  }

  /** @param sizes the launch with the arguments that its kernel gets, if these are others than the host gave */
  prepare(
    body: LaunchBody,
    event: number,
    sizes: LaunchSizes = body,
    imports?: ModuleImports,
  ): PreparedLaunch {
    const { code, index, part } = body.kernel as WasmKernel;
    const { groups, areaBytes } = shapeOf(sizes, code, 1);
    const area = this.#areas.ensure(Math.max(areaBytes, part.nestedAreaBytes));
    const entries = part.entries(this.#imports, imports);
    const prints = code.usesPrintf || part.nestedPrints;
    const printf = prints ? this.#printfs.take(event, body, part.printfs) : 0;
    const bytes = new Uint8Array(blockWords(code) * 4);
    const words = new Int32Array(bytes.buffer);
    encodeLaunch(sizes, code, words, bytes, 0, printf);
    encodeSizes(sizes, code, words, 0);
    const calls = new LocalQueueCalls(this.#queues, this.#view, entries, area.stride, printf);
    return { groups, entries, entry: entries[index]!, bytes, area: area.base, areaBytes, calls };
  }

  /** Before a slice: it is this launch's turn, or that of one it led to, with that block. */
  take(calls: LocalQueueCalls, bytes: Uint8Array): void {
    this.#calls = calls;
    this.#host.memory.bytes.set(bytes, this.block);
  }
}
