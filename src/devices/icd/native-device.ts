/**
 * A device of an OpenCL driver. The host thread only asks the driver for facts, which is quick; everything that can
 * take time happens on the device's own thread (NativeProcessor), one for each context.
 */
import type { ImageAccess } from '../../ir/images.ts';
import type {
  Device,
  DeviceHost,
  DeviceInfo,
  DeviceProgram,
  DeviceQueue,
  OpenDevice,
  Partitions,
  PlatformInfo,
  ProgramInput,
  QueueOptions,
} from '../../runtime/device.ts';
import { environment } from '../../runtime/host.ts';
import type { ImageFormat } from '../../runtime/image-format.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { fileBeside, type ThreadFile } from '../../runtime/thread-file.ts';
import { ChunkPool } from '../wasm/command-stream.ts';
import { BufferNumbers } from './buffer-numbers.ts';
import { type Driver, loadDriver } from './driver.ts';
import { imageFormatsOf } from './image-formats.ts';
import { eagerTime, type NativeStart } from './native-layout.ts';
import { partitionsOf } from './native-partitions.ts';
import { buildInput, NativeProgram } from './native-program.ts';
import { NativeQueue } from './native-queue.ts';
import { type CommonStart, NativeThread, type ThreadedDevice } from './native-thread.ts';

export interface NativeDeviceOptions {
  /** The thread's file, for bundlers that move it; default next to this module. */
  readonly file?: URL | undefined;
  /** Keep copies of buffers even where the device could work in the host's memory. For tests. */
  readonly copies?: boolean | undefined;
}

export class NativeDevice implements Device, ThreadedDevice {
  readonly id: string;
  readonly info: DeviceInfo;
  readonly platform: PlatformInfo;
  readonly compilesSource = true;
  /** The driver's handle. */
  readonly handle: number;
  readonly options: NativeDeviceOptions;
  readonly #formats = new Map<string, readonly ImageFormat[]>();
  #partitions: Partitions | null | undefined;

  constructor(
    id: string,
    info: DeviceInfo,
    platform: PlatformInfo,
    handle: number,
    options: NativeDeviceOptions = {},
  ) {
    this.id = id;
    this.info = info;
    this.platform = platform;
    this.handle = handle;
    this.options = options;
  }

  /**
   * Whether buffers are the context's memory itself. Processors work in the host's memory; what other devices with
   * unified memory do with a host pointer is up to their drivers, so they get copies like all others.
   */
  get zeroCopy(): boolean {
    return this.info.type === 'cpu' && !(this.options.copies ?? environment('MILLRACE_ICD_COPIES') === '1');
  }

  get eagerWait(): number {
    return this.info.type === 'cpu' ? 0 : eagerTime.other;
  }

  get threadFile(): ThreadFile | URL {
    return this.options.file ?? fileBeside('icd.js', () => new URL('./icd.js', import.meta.url));
  }

  startOf(common: CommonStart): NativeStart {
    return {
      ...common,
      device: this.handle,
      outOfOrder: this.info.outOfOrderQueues,
      zeroCopy: this.zeroCopy,
      eagerTime: this.info.type === 'cpu' ? eagerTime.processor : eagerTime.other,
    };
  }

  /** See Device. Asks the driver once. */
  imageFormats(objectType: number, way: ImageAccess): readonly ImageFormat[] {
    if (!this.info.imageSupport) return [];
    const key = `${objectType} ${way}`;
    let formats = this.#formats.get(key);
    if (!formats) {
      formats = imageFormatsOf(loadDriver() as Driver, this.handle, objectType, way);
      this.#formats.set(key, formats);
    }
    return formats;
  }

  /** What the driver says; it is asked once. */
  get partitions(): Partitions | undefined {
    this.#partitions ??= partitionsOf(
      this.handle,
      (handle, info) => new NativeDevice(this.id, info, this.platform, handle, this.options),
    );
    return this.#partitions ?? undefined;
  }

  /** The same device with other options. */
  with(options: NativeDeviceOptions): NativeDevice {
    return new NativeDevice(this.id, this.info, this.platform, this.handle, options);
  }

  /** @throws OpenCLError CL_DEVICE_NOT_AVAILABLE in a context without shared memory */
  open(host: DeviceHost): OpenDevice {
    if (!host.memory.shared) {
      throw new OpenCLError(
        'CL_DEVICE_NOT_AVAILABLE',
        `${this.info.name} needs a context whose memory threads can share`,
      );
    }
    return new OpenNativeDevice(this, host);
  }
}

class OpenNativeDevice implements OpenDevice {
  readonly device: NativeDevice;
  readonly #host: DeviceHost;
  readonly #chunks: ChunkPool;
  readonly #thread: NativeThread;
  readonly #numbers: BufferNumbers | undefined;
  #queues: NativeQueue[] = [];

  constructor(device: NativeDevice, host: DeviceHost) {
    this.device = device;
    this.#host = host;
    this.#chunks = new ChunkPool(host.control);
    this.#thread = new NativeThread(host, device, (error) => {
      for (const queue of this.#queues) queue.abandon(error);
      host.lost(error);
    });
    if (!device.zeroCopy) {
      this.#numbers = new BufferNumbers(host, (id) => this.#thread.forgetBuffer(id));
      host.keepsCopies();
    }
  }

  build(input: ProgramInput): DeviceProgram {
    const asked = buildInput(input, this.device.info);
    return new NativeProgram(this.device, this.#host, this.#thread, asked, this.#thread.build(asked));
  }

  async buildAsync(input: ProgramInput): Promise<DeviceProgram> {
    const asked = buildInput(input, this.device.info);
    const built = await this.#thread.buildAsync(asked);
    return new NativeProgram(this.device, this.#host, this.#thread, asked, built);
  }

  createQueue(options: QueueOptions): DeviceQueue {
    this.#thread.check();
    this.#queues = this.#queues.filter((queue) => !queue.freeIfRetired());
    const queue = new NativeQueue(this.#host, this.#thread, this.#chunks, this.#numbers, options);
    this.#queues.push(queue);
    return queue;
  }

  close(): void {
    this.#thread.close();
  }
}
