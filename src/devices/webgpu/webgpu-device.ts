/**
 * A graphics card that WebGPU reaches. The host thread compiles kernels to WGSL and writes commands; a thread of the device owns
 * WebGPU's device, one for each context (GpuProcessor).
 */

import { embedded as singles } from '../../library/embedded/singles.ts';
import { provideSingles } from '../../library/singles.ts';
import { withParts } from '../../parts/part.ts';
import type {
  Device,
  DeviceHost,
  DeviceInfo,
  DeviceProgram,
  DeviceQueue,
  OpenDevice,
  ProgramInput,
  QueueOptions,
} from '../../runtime/device.ts';
import { formatsOf, type ImageFormat } from '../../runtime/image-format.ts';
import type { DeviceScreen } from '../../runtime/screen.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { fileBeside, type ThreadFile } from '../../runtime/thread-file.ts';
import { BufferNumbers } from '../icd/buffer-numbers.ts';
import { processorWords } from '../icd/native-layout.ts';
import { type CommonStart, NativeThread, type ThreadedDevice } from '../icd/native-thread.ts';
import { ChunkPool } from '../wasm/command-stream.ts';
import { PrintfBuffers } from '../wasm/printf-buffers.ts';
import type { GpuStart } from './gpu-layout.ts';
import { buildText, compileProgram, GpuProgram } from './gpu-program.ts';
import { GpuQueue } from './gpu-queue.ts';
import { openGpuScreen } from './gpu-screen.ts';

// The library's functions that its programs get are loaded with it.
provideSingles(singles);

export class WebGpuDevice implements Device, ThreadedDevice {
  readonly id = 'webgpu';
  readonly info: DeviceInfo;
  /** Its messages name places in the source. */
  readonly namesPlaces = true;
  readonly holdsProcess = true;

  constructor(info: DeviceInfo) {
    this.info = info;
  }

  get threadFile(): ThreadFile {
    return fileBeside('gpu.js', () => new URL('./gpu.js', import.meta.url));
  }

  startOf(common: CommonStart): GpuStart {
    return common;
  }

  imageFormats(objectType: number): readonly ImageFormat[] {
    return formatsOf(objectType);
  }

  /** @throws OpenCLError CL_DEVICE_NOT_AVAILABLE in a context without shared memory */
  open(host: DeviceHost): OpenDevice {
    if (!host.memory.shared) {
      throw new OpenCLError(
        'CL_DEVICE_NOT_AVAILABLE',
        `${this.info.name} needs a context whose memory threads can share`,
      );
    }
    return new OpenWebGpuDevice(this, host);
  }
}

class OpenWebGpuDevice implements OpenDevice {
  readonly device: WebGpuDevice;
  readonly #host: DeviceHost;
  readonly #chunks: ChunkPool;
  readonly #thread: NativeThread;
  readonly #numbers: BufferNumbers;
  readonly #printing: PrintfBuffers;
  #queues: GpuQueue[] = [];
  #isLost = false;

  constructor(device: WebGpuDevice, host: DeviceHost) {
    this.device = device;
    this.#host = host;
    this.#chunks = new ChunkPool(host.control);
    this.#printing = new PrintfBuffers(host);
    this.#thread = new NativeThread(host, device, (error) => {
      for (const queue of this.#queues) queue.abandon(error);
      host.lost(error);
    });
    this.#numbers = new BufferNumbers(host, (id) => this.#thread.forgetBuffer(id));
    host.keepsCopies();
    host.onPump(() => this.#lookAfterDevice());
  }

  /** A context whose device is gone keeps its data; who makes a new one gets a new device. */
  #lookAfterDevice(): boolean {
    const { control, events, lost } = this.#host;
    const message = Atomics.load(control.words, this.#thread.processor + processorWords.deviceLost);
    if (message === 0 || this.#isLost) return false;
    this.#isLost = true;
    lost(new OpenCLError('CL_DEVICE_NOT_AVAILABLE', events.text(message) ?? 'the device is gone'));
    return true;
  }

  build(input: ProgramInput): DeviceProgram {
    const compiled = compileProgram(input);
    const built = this.#thread.build(buildText(compiled));
    return new GpuProgram(this.device.info, this.#host, this.#thread, this.#numbers, input, compiled, built);
  }

  async buildAsync(input: ProgramInput): Promise<DeviceProgram> {
    const compiled = await withParts(() => compileProgram(input));
    const built = await this.#thread.buildAsync(buildText(compiled));
    return new GpuProgram(this.device.info, this.#host, this.#thread, this.#numbers, input, compiled, built);
  }

  createQueue(options: QueueOptions): DeviceQueue {
    this.#thread.check();
    this.#queues = this.#queues.filter((queue) => !queue.freeIfRetired());
    const queue = new GpuQueue(
      this.#host,
      this.#thread,
      this.#chunks,
      this.#numbers,
      this.#printing,
      options,
    );
    this.#queues.push(queue);
    return queue;
  }

  openScreen(canvas: OffscreenCanvas): Promise<DeviceScreen> {
    return openGpuScreen(this.#thread, canvas);
  }

  close(): void {
    this.#thread.close();
  }
}
