/**
 * The device that every machine has: kernels compiled to WebAssembly, run by a pool of threads in shared memory, or in
 * slices on the host thread where memory cannot be shared.
 */
import type { WasmOptions, WasmProgram } from '../../codegen/wasm/module/abi.ts';
import type { Module } from '../../ir/ir.ts';
import { Part } from '../../parts/part.ts';
import type {
  Device,
  DeviceHost,
  DeviceInfo,
  DeviceQueue,
  Partition,
  Partitions,
  QueueOptions,
} from '../../runtime/device.ts';
import { environment, hardwareConcurrency, hasSharedMemory } from '../../runtime/host.ts';
import { formatsOf, type ImageFormat } from '../../runtime/image-format.ts';
import { OpenCLError } from '../../runtime/status.ts';
import type { ThreadWatch } from '../../runtime/thread-watch.ts';
import { ChunkPool } from './command-stream.ts';
import { wasmDeviceInfo } from './device-info.ts';
import { addThreads, type RestingThreads, removeThreads } from './idle-threads.ts';
import type { LocalWasmDevice } from './local-wasm-device.ts';
import type { MachineCode } from './machine-code.ts';
import { NestedQueues } from './nested/queues.ts';
import type { OnMachines } from './on-machines.ts';
import { OpenWasmDevice } from './open-wasm-device.ts';
import { PrintfBuffers } from './printf-buffers.ts';
import {
  launchBlockBytes,
  launchSlots,
  layOut,
  poolWords,
  processorWords,
  type SharedLayout,
} from './shared-layout.ts';
import { ThreadAreas } from './thread-areas.ts';
import { threadFiles } from './thread-files.ts';
import { type ThreadFiles, ThreadPool } from './thread-pool.ts';
import { VisitRings } from './thread-visits.ts';
import type { VectorWish } from './vector-wish.ts';
import type { KnownLaunch } from './wasm-program.ts';
import { WasmQueue } from './wasm-queue.ts';

export interface WasmDeviceOptions {
  /** Compute threads; default MILLRACE_THREADS, else as many as the machine runs at a time. */
  readonly threads?: number | undefined;
  /** Where the thread files are, for bundlers that move them; default next to this module. */
  readonly files?: ThreadFiles | undefined;
  /**
   * From IR to WebAssembly; `buildOptions` are those of clBuildProgram, `vectorise` says whether work-items run together, `known` what is
   * known of the launches of one of the kernels.
   */
  readonly compile: (
    module: Module,
    options: WasmOptions,
    buildOptions: string,
    vectorise?: VectorWish['vectorise'],
    known?: KnownLaunch,
  ) => WasmProgram;
  /** What `compile` makes modules hold, if it is not WebAssembly. */
  readonly machine?: MachineCode;
  /** What only machines have, where it is provided. */
  readonly onMachines?: () => OnMachines | undefined;
  /** Brings what `compile` needs, if it is not there from the start. */
  readonly load?: () => Promise<void>;
}

/** The form of the device that needs no shared memory. */
export const localDevice = /* @__PURE__ */ new Part<typeof LocalWasmDevice>(
  'the device for one thread',
  async () => (await import('./local-wasm-device.ts')).LocalWasmDevice,
);

export class WasmDevice implements Device {
  readonly id: string;
  /** What its code is told apart by in caches. */
  readonly variant: string;
  readonly info: DeviceInfo;
  readonly options: WasmDeviceOptions;
  readonly threads: number;

  constructor(options: WasmDeviceOptions) {
    const asked = options.threads ?? Number(environment('MILLRACE_THREADS') ?? Number.NaN);
    if (!hasSharedMemory()) this.threads = 1;
    else this.threads = asked >= 1 ? Math.min(Math.floor(asked), 256) : hardwareConcurrency();
    this.options = options;
    const { machine } = options;
    this.id = machine?.id ?? 'wasm';
    this.variant = machine?.variant ?? 'wasm';
    this.info = wasmDeviceInfo(this.threads, machine?.who);
  }

  imageFormats(objectType: number): readonly ImageFormat[] {
    return formatsOf(objectType);
  }

  /** A compute unit is a thread, and which caches it shares with others nobody tells. */
  get partitions(): Partitions {
    return { kinds: ['equally', 'by-counts'], affinityDomains: 0, divide: (how) => this.#divide(how) };
  }

  /** Each part has threads of its own in a context. */
  #divide(partition: Partition): WasmDevice[] {
    if (partition.kind === 'by-affinity-domain') return [];
    const counts =
      partition.kind === 'by-counts'
        ? partition.counts
        : new Array<number>(Math.floor(this.threads / partition.units)).fill(partition.units);
    return counts.map((threads) => new WasmDevice({ ...this.options, threads }));
  }

  async load(): Promise<void> {
    await Promise.all([this.options.load?.(), hasSharedMemory() ? undefined : localDevice.load()]);
  }

  open(host: DeviceHost): OpenWasmDevice {
    return host.memory.shared || this.options.machine
      ? new ThreadedWasmDevice(this, host)
      : new (localDevice.get())(this, host);
  }
}

class ThreadedWasmDevice extends OpenWasmDevice implements RestingThreads {
  readonly onDeviceQueues: NestedQueues;
  readonly #layout: SharedLayout;
  readonly #areas: ThreadAreas;
  readonly #printfs: PrintfBuffers;
  readonly #chunks: ChunkPool;
  readonly #visits: VisitRings;
  readonly #doorbell: number;
  /** Started with the first queue: building a program must not share the processor with starting threads. */
  #threads: ThreadPool | undefined;
  #queues: WasmQueue[] = [];
  #broken: OpenCLError | undefined;

  constructor(device: WasmDevice, host: DeviceHost) {
    super(device, host);
    const blocks = host.memory.allocate(launchSlots * launchBlockBytes);
    this.#layout = layOut(host.control, device.threads, blocks);
    this.#areas = new ThreadAreas(host, device.threads);
    this.#printfs = new PrintfBuffers(host);
    this.#chunks = new ChunkPool(host.control);
    this.#visits = new VisitRings(host.control, this.#layout.pool + poolWords.visits, device.threads);
    this.onDeviceQueues = new NestedQueues(host.control, host.memory, this.#layout.nested);
    this.#doorbell = this.#layout.processor + processorWords.bell;
    this.host.keeper = device.options.machine?.open(host, this.#layout);
    host.addDoorbell(this.#doorbell);
  }

  createQueue(options: QueueOptions): DeviceQueue {
    if (this.#broken) throw this.#broken;
    this.#queues = this.#queues.filter((queue) => !queue.freeIfRetired());
    const threads = this.#threads ?? this.#startThreads();
    this.#threads = threads;
    const queue = new WasmQueue(this.host, this.#layout, this.#chunks, this.#areas, this.#printfs, options, {
      newQueues: this.#layout.processor + processorWords.newQueues,
      get isResting() {
        return threads.isResting;
      },
      wake: () => this.#wake(threads),
      ring: () => threads.ring(),
      started: () => {
        if (threads.isResting) this.#wake(threads);
        return threads.started();
      },
    });
    this.#queues.push(queue);
    return queue;
  }

  #wake(threads: ThreadPool): void {
    threads.wake(() => {
      this.#queues = this.#queues.filter((queue) => !queue.freeIfRetired());
      for (const queue of this.#queues) queue.handOver();
    });
    addThreads(this);
  }

  /** See {@link RestingThreads}. */
  get context(): object {
    return this.host.control;
  }

  get mayRest(): boolean {
    return (this.#threads?.mayRest ?? false) && this.#queues.every((queue) => queue.isIdle);
  }

  get activity(): number {
    return this.#queues.reduce((sum, queue) => sum + queue.submitted, this.#queues.length);
  }

  rest(): void {
    this.#threads?.rest();
  }

  watchThreads(): ThreadWatch {
    return this.#visits.watch();
  }

  close(): void {
    this.host.removeDoorbell(this.#doorbell);
    removeThreads(this);
    const end = () => this.#threads?.close();
    const { keeper } = this.host;
    if (keeper) keeper.close(end);
    else end();
  }

  #startThreads(): ThreadPool {
    const files = this.device.options.files;
    const pool = new ThreadPool(this.host, this.#layout, files ?? threadFiles(), (error) => {
      removeThreads(this);
      this.#broken = new OpenCLError(
        'CL_DEVICE_NOT_AVAILABLE',
        `the command processor's thread failed: ${error.message}`,
        { cause: error },
      );
      for (const queue of this.#queues) queue.abandon(this.#broken);
      this.host.lost(this.#broken);
    });
    addThreads(this);
    return pool;
  }
}
