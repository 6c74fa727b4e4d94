/**
 * The device that every machine has: kernels compiled to WebAssembly, run by a pool of threads in shared memory, or in
 * slices on the host thread where memory cannot be shared.
 */
import type { WasmOptions, WasmProgram } from '../../codegen/wasm/abi.ts';
import type { Module } from '../../ir/ir.ts';
import type { KnownHandles } from '../../passes/images/known-images.ts';
import type {
  Device,
  DeviceHost,
  DeviceInfo,
  DeviceProgram,
  DeviceQueue,
  OpenDevice,
  Partition,
  Partitions,
  ProgramInput,
  QueueOptions,
} from '../../runtime/device.ts';
import { LocalDeviceQueues, type OnDeviceQueues } from '../../runtime/device-queues.ts';
import { environment, hardwareConcurrency, hasSharedMemory, now } from '../../runtime/host.ts';
import { formatsOf, type ImageFormat } from '../../runtime/image-format.ts';
import { type LaunchBody, LocalEngine, type LocalLaunch } from '../../runtime/local-engine.ts';
import { OpenCLError } from '../../runtime/status.ts';
import type { ThreadWatch } from '../../runtime/thread-watch.ts';
import { BuildBudget } from '../../source/build-budget.ts';
import { ChunkPool } from './command-stream.ts';
import { wasmDeviceInfo } from './device-info.ts';
import { addThreads, type RestingThreads, removeThreads } from './idle-threads.ts';
import { LocalLaunches } from './local-launches.ts';
import { NestedQueues } from './nested/queues.ts';
import { PrintfBuffers } from './printf-buffers.ts';
import { decodeCode, decodeOutline, encodeCode, encodeOutline } from './program-code.ts';
import { moduleOfPart, outlineOf, partsToTry } from './program-outline.ts';
import { fusesProducts } from './relaxed-simd.ts';
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
import { VisitLog, VisitRings } from './thread-visits.ts';
import { trapMessage } from './trap-message.ts';
import { type CompilePart, WasmDeviceProgram, type WasmKernel } from './wasm-program.ts';
import { WasmQueue } from './wasm-queue.ts';

export interface WasmDeviceOptions {
  /** Compute threads; default MILLRACE_THREADS, else as many as the machine runs at a time. */
  readonly threads?: number | undefined;
  /** Where the thread files are, for bundlers that move them; default beside this module. */
  readonly files?: ThreadFiles | undefined;
  /**
   * From IR to WebAssembly; `buildOptions` are those of clBuildProgram, `packs` says whether work-items are packed,
   * `known` what is known of the images and samplers that a kernel will be given, and `swap` whether its dimensions may be swapped.
   */
  readonly compile: (
    module: Module,
    options: WasmOptions,
    buildOptions: string,
    packs?: boolean,
    known?: ReadonlyMap<string, KnownHandles>,
    swap?: boolean,
  ) => WasmProgram;
  /** Brings what `compile` needs, if it is not there from the start. */
  readonly load?: () => Promise<void>;
}

export class WasmDevice implements Device {
  readonly id = 'wasm';
  readonly info: DeviceInfo;
  readonly options: WasmDeviceOptions;
  readonly threads: number;

  constructor(options: WasmDeviceOptions) {
    const asked = options.threads ?? Number(environment('MILLRACE_THREADS') ?? Number.NaN);
    if (!hasSharedMemory()) this.threads = 1;
    else this.threads = asked >= 1 ? Math.min(Math.floor(asked), 256) : hardwareConcurrency();
    this.options = options;
    this.info = wasmDeviceInfo(this.threads);
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
    await this.options.load?.();
  }

  open(host: DeviceHost): OpenWasmDevice {
    return host.memory.shared ? new ThreadedWasmDevice(this, host) : new LocalWasmDevice(this, host);
  }
}

/** What both forms share: building programs. */
export abstract class OpenWasmDevice implements OpenDevice {
  readonly device: WasmDevice;
  protected readonly host: DeviceHost;

  constructor(device: WasmDevice, host: DeviceHost) {
    this.device = device;
    this.host = host;
  }

  build(input: ProgramInput): DeviceProgram {
    const { shared, maximumPages, lowestAddress, lowestAllocated } = this.host.memory;
    const packs = environment('MILLRACE_PACK') !== '0';
    const fuses = fusesProducts();
    const words = [shared ? 'shared' : 'local', packs ? 'packed' : 'single', fuses ? 'fused' : 'plain'];
    const variant = `wasm ${maximumPages} ${lowestAddress} ${words.join(' ')}`;
    const known = input.code?.find(variant);
    let module = known ? undefined : input.lower();
    const outline = known ? decodeOutline(known) : outlineOf(module!);
    const compile: CompilePart = (part, known) => {
      const name = [variant, 'part', part, ...(known ? [known.word] : [])].join(' ');
      const found = input.code?.find(name);
      if (found) return decodeCode(found);
      const whole = module ?? input.lower();
      // The passes rewrite what they get: if it is all there is, whoever asks again gets it anew.
      module = outline.parts.length === 1 ? undefined : whole;
      const own = moduleOfPart(whole, outline, part);
      const options = {
        shared,
        maximumPages,
        lowestAddress,
        lowestArea: lowestAllocated,
        fuses,
        budget: new BuildBudget(input.budget),
      };
      const handles = known?.handles && new Map([[known.name, known.handles]]);
      const program = this.device.options.compile(
        own,
        options,
        input.options,
        packs,
        handles,
        known?.maySwap,
      );
      input.code?.keep(name, encodeCode(program));
      return program;
    };
    const program = new WasmDeviceProgram(this.host, outline, compile, this.device, this.device.threads);
    program.compilesAgain = !input.options.split(/\s+/).includes('-cl-opt-disable');
    program.swaps = program.compilesAgain && packs;
    const isEarly = input.isEarly || environment('MILLRACE_EARLY') === '1';
    const tried = isEarly ? outline.parts.keys() : module ? partsToTry(module, outline) : [];
    for (const part of tried) program.part(part);
    if (!known) input.code?.keep(variant, encodeOutline(outline));
    return program;
  }

  async buildAsync(input: ProgramInput): Promise<DeviceProgram> {
    return this.build(input);
  }

  /** Takes a compiled program. */
  load(program: WasmProgram): WasmDeviceProgram {
    const forHosts = program.kernels.filter(({ attributes }) => !attributes.isBlock);
    const kernels = forHosts.map(({ name, parameters, attributes }) => ({
      name,
      part: 0,
      parameters: parameters.map(({ kind, size, align }) => ({ kind, size, align, info: undefined })),
      attributes,
    }));
    const parts = [kernels.map(({ name }) => name)];
    const outline = { kernels, parts, globalVariableBytes: program.constants.variableBytes };
    return new WasmDeviceProgram(this.host, outline, () => program, this.device, this.device.threads);
  }

  abstract readonly onDeviceQueues: OnDeviceQueues;
  abstract createQueue(options: QueueOptions): DeviceQueue;
  abstract watchThreads(): ThreadWatch;
  abstract close(): void;
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
    this.#threads?.close();
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

/** Nanoseconds between which a slice of a launch on the host thread should last. */
const shortSlice = 0.5e6;
const longSlice = 4e6;

/** Launches in slices on the host thread. */
export class LocalWasmDevice extends OpenWasmDevice {
  readonly #engine: LocalEngine;
  readonly #launches: LocalLaunches;
  readonly #visits: VisitRings;
  readonly #log: VisitLog;
  readonly onDeviceQueues = new LocalDeviceQueues();

  constructor(device: WasmDevice, host: DeviceHost) {
    super(device, host);
    this.#launches = new LocalLaunches(host, this.onDeviceQueues);
    const place = host.control.allocate(4);
    this.#visits = new VisitRings(host.control, place, 1);
    this.#log = new VisitLog(host.control, host.events, place, 0);
    this.#engine = new LocalEngine(host, (body, event) => this.launch(body, event));
  }

  createQueue(options: QueueOptions): DeviceQueue {
    return this.#engine.createQueue(options);
  }

  /** The host thread is the one that there is; each slice is a visit. */
  watchThreads(): ThreadWatch {
    return this.#visits.watch();
  }

  close(): void {
    this.#engine.close();
  }

  protected launch(body: LaunchBody, event: number): LocalLaunch {
    const kernel = body.kernel as WasmKernel;
    const { groups, entries, entry, bytes, area, calls } = this.#launches.prepare(body, event);
    const { launches } = calls;
    let running = { entry, bytes, groups };
    let first = 0;
    let count = 1;
    const slice = () => {
      this.#launches.take(calls, running.bytes);
      const end = Math.min(first + count, running.groups);
      const began = now();
      this.#log.begin(event, began);
      try {
        running.entry.run(this.#launches.block, first, end, area | 0);
      } catch (error) {
        const { part } = kernel;
        const title = running.entry.nested?.code.title;
        const number = title === undefined ? kernel.index : undefined;
        const block = () =>
          new Int32Array(this.host.memory.memory.buffer, this.#launches.block, launchBlockBytes >> 2);
        const message = trapMessage(error, () => part.accesses, number, block);
        throw new Error(title === undefined ? message : `${title}: ${message}`, { cause: error });
      }
      launches.groupEnded();
      const took = now() - began;
      this.#log.extend();
      // Short enough that the page stays alive and a time-out is noticed, long enough that the turns cost little.
      if (took < shortSlice) count *= 2;
      else if (took > longSlice) count = Math.max(1, count >> 1);
      first = end;
      if (first < running.groups) return false;
      launches.ended();
      const next = launches.next();
      if (next) {
        running = { entry: entries[next.kernel]!, bytes: next.block, groups: next.groups };
        first = 0;
        return false;
      }
      if (launches.isComplete) return true;
      throw new Error(calls.stuck());
    };
    return { slice };
  }
}
