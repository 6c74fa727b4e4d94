/** The host's hold on a native device's thread: starts it, asks it things, and ends it with the context. */
import type { DeviceHost } from '../../runtime/device.ts';
import { pushOnto } from '../../runtime/event-table.ts';
import { Heartbeat } from '../../runtime/heartbeat.ts';
import { mayBlock, startThread, type Thread } from '../../runtime/host.ts';
import { roundUp } from '../../runtime/range-allocator.ts';
import { OpenCLError } from '../../runtime/status.ts';
import type { ThreadFile } from '../../runtime/thread-file.ts';
import { ringProcessor } from '../wasm/processor-words.ts';
import { leaveAtExit } from './leave-at-exit.ts';
import { processorWords, requestKind, requestWords, setWide, wideAt } from './native-layout.ts';

/** What every thread of a device is started with. */
export interface CommonStart {
  readonly control: WebAssembly.Memory;
  readonly memory: WebAssembly.Memory;
  /** Word index of {@link processorWords}. */
  readonly processor: number;
}

/** A device that has such a thread. */
export interface ThreadedDevice {
  readonly info: { readonly name: string };
  /** The thread's file. */
  readonly threadFile: ThreadFile | URL;
  /** The process must not end while its thread is at work, which says so by `processorWords.hold`. */
  readonly holdsProcess?: true;
  /** What the thread is started with. */
  startOf(common: CommonStart): unknown;
}

/** What a driver's compiler is given. */
export interface BuildText {
  /** OpenCL C, or a binary as the driver gave it. */
  readonly source: string | Uint8Array;
  readonly options: string;
}

/** What it made of it. */
export interface BuildAnswer {
  /** The driver's handle; 0 if there is not even a program. */
  readonly program: number;
  /** 0 or a CL error code. */
  readonly status: number;
  /** What went wrong, where the thread says more than the status. */
  readonly message: string | undefined;
}

/**
 * How often the host looks in vain before the thread counts as dead; see {@link Heartbeat}. A driver's compiler may take
 * minutes.
 */
const patience = { starting: 600, working: 100, busy: 24_000 } as const;

export class NativeThread {
  readonly processor: number;
  readonly #host: DeviceHost;
  readonly #device: ThreadedDevice;
  readonly #failed: (error: OpenCLError) => void;
  #thread: Thread | undefined;
  #broken: OpenCLError | undefined;
  #closed = false;
  readonly #heartbeat = new Heartbeat();
  /** Requests under way, to be answered if the thread dies. */
  readonly #open = new Set<(error: OpenCLError) => void>();

  /** `failed` is told if the thread cannot start or dies. */
  constructor(host: DeviceHost, device: ThreadedDevice, failed: (error: OpenCLError) => void) {
    this.#host = host;
    this.#device = device;
    this.#failed = failed;
    this.processor = host.control.allocate(processorWords.size * 4);
    host.addDoorbell(this.processor + processorWords.bell);
    host.onPump(() => this.#lookAfterThread());
  }

  /** Starts the thread if it does not run. @throws OpenCLError CL_DEVICE_NOT_AVAILABLE if it has died */
  check(): void {
    if (this.#broken) throw this.#broken;
    this.#thread ??= this.#start();
  }

  /** Makes the thread look around. */
  ring(): void {
    ringProcessor(this.#host.control.words, this.processor);
  }

  /** Builds a program and sleeps meanwhile. @throws OpenCLError CL_INVALID_OPERATION where this thread may not sleep */
  build(text: BuildText): BuildAnswer {
    if (!mayBlock()) {
      throw new OpenCLError('CL_INVALID_OPERATION', 'this thread may not block: build with a callback');
    }
    this.check();
    const request = this.#writeBuild(text, 0);
    const { words } = this.#host.control;
    while (Atomics.wait(words, request + requestWords.state, 0, 50) === 'timed-out') {
      if (this.#lookAfterThread()) throw this.#broken!;
    }
    return this.#readAnswer(request);
  }

  async buildAsync(text: BuildText): Promise<BuildAnswer> {
    this.check();
    const done = this.#host.events.allocate(2);
    return this.#answerOf(this.#writeBuild(text, done), done);
  }

  /** The answer to a request that ends with an event. */
  async #answerOf(request: number, done: number): Promise<BuildAnswer> {
    const { events } = this.#host;
    await new Promise<void>((resolve, reject) => {
      this.#open.add(reject);
      this.#host.whenDone(done, () => {
        this.#open.delete(reject);
        if (events.isDone(done)) resolve();
        else reject(new OpenCLError('CL_INVALID_CONTEXT', 'the context was released during the build'));
      });
    });
    events.release(done);
    return this.#readAnswer(request);
  }

  /** Builds a program under a number that the thread does not give itself. Launches that name it wait for it, or say what went wrong. */
  buildAs(number: number, text: BuildText): void {
    this.check();
    this.#freeLater(this.#writeBuild(text, 0, number));
  }

  /** Has the thread draw on a canvas, which it is sent, under a number. */
  openScreen(number: number, canvas: OffscreenCanvas): Promise<BuildAnswer> {
    this.check();
    const request = this.#allocate(requestKind.openScreen, 0);
    const { words } = this.#host.control;
    const done = this.#host.events.allocate(2);
    words[request + requestWords.event] = done;
    setWide(words, request + requestWords.handle, number);
    this.#thread!.post({ screen: number, canvas }, [canvas]);
    this.#post(request);
    return this.#answerOf(request, done);
  }

  releaseScreen(number: number): void {
    if (this.#closed || this.#broken) return;
    const request = this.#allocate(requestKind.releaseScreen, 0);
    setWide(this.#host.control.words, request + requestWords.handle, number);
    this.#post(request);
    this.#freeLater(request);
  }

  /** Gives a program and its kernels back. */
  releaseProgram(
    program: number,
    kernels: readonly { readonly number: number; readonly handle: number }[],
  ): void {
    if (this.#closed || this.#broken) return;
    const request = this.#allocate(requestKind.releaseProgram, kernels.length * 12);
    const { words } = this.#host.control;
    setWide(words, request + requestWords.handle, program);
    words[request + requestWords.first] = kernels.length;
    for (const [index, kernel] of kernels.entries()) {
      const at = request + requestWords.data + index * 3;
      words[at] = kernel.number;
      setWide(words, at + 1, kernel.handle);
    }
    this.#post(request);
    this.#freeLater(request);
  }

  /** The buffer of this number is gone. */
  forgetBuffer(id: number): void {
    if (this.#closed || this.#broken) return;
    const request = this.#allocate(requestKind.forgetBuffer, 0);
    this.#host.control.words[request + requestWords.first] = id;
    this.#post(request);
    this.#freeLater(request);
  }

  /** The thread leaves by itself once the driver is out of the context's memory. */
  close(): void {
    this.#closed = true;
    this.#host.removeDoorbell(this.processor + processorWords.bell);
    Atomics.store(this.#host.control.words, this.processor + processorWords.shutdown, 1);
    this.ring();
  }

  /** Requests answered but not yet freed. */
  #answered: number[] = [];

  #freeLater(request: number): void {
    this.#answered.push(request);
    if (this.#answered.length < 64) return;
    const { control } = this.#host;
    this.#answered = this.#answered.filter((open) => {
      if (Atomics.load(control.words, open + requestWords.state) === 0) return true;
      control.free(open);
      return false;
    });
  }

  #writeBuild({ source, options }: BuildText, event: number, program = 0): number {
    const encoder = new TextEncoder();
    const isText = typeof source === 'string';
    const sourceBytes = isText ? encoder.encode(source) : source;
    const optionBytes = encoder.encode(`${options}\0`);
    const sourceRoom = roundUp(sourceBytes.length, 4);
    const request = this.#allocate(
      isText ? requestKind.build : requestKind.buildBinary,
      sourceRoom + optionBytes.length,
    );
    const { words, bytes } = this.#host.control;
    words[request + requestWords.event] = event;
    setWide(words, request + requestWords.handle, program);
    words[request + requestWords.first] = sourceBytes.length;
    words[request + requestWords.second] = optionBytes.length;
    const start = (request + requestWords.data) * 4;
    bytes.set(sourceBytes, start);
    bytes.set(optionBytes, start + sourceRoom);
    this.#post(request);
    return request;
  }

  #readAnswer(request: number): BuildAnswer {
    const { control } = this.#host;
    const program = wideAt(control.words, request + requestWords.handle);
    const status = control.words[request + requestWords.status]!;
    const message = this.#host.events.text(control.words[request + requestWords.message]!);
    control.free(request);
    return { program, status, message };
  }

  #allocate(kind: number, dataBytes: number): number {
    const request = this.#host.control.allocate(requestWords.data * 4 + dataBytes);
    this.#host.control.words[request + requestWords.kind] = kind;
    return request;
  }

  #post(request: number): void {
    const { words } = this.#host.control;
    pushOnto(words, this.processor + processorWords.requests, request, request + requestWords.link);
    this.ring();
  }

  #start(): Thread {
    const start = this.#device.startOf({
      control: this.#host.control.memory!,
      memory: this.#host.memory.memory,
      processor: this.processor,
    });
    const thread = startThread(this.#device.threadFile, start, {
      message: () => this.#host.pump(),
      failed: (error) => {
        if (!this.#closed) this.#break(error);
      },
    });
    this.#host.setKeepAlive((on) => thread.keepAlive(on));
    if (this.#device.holdsProcess) leaveAtExit(this.#host.control.words, this.processor);
    return thread;
  }

  /** Notices the thread's death where no event of it is heard of: while the host is blocked. True if it is dead now. */
  #lookAfterThread(): boolean {
    if (!this.#thread || this.#closed || this.#broken) return false;
    const { words } = this.#host.control;
    if (Atomics.load(words, this.processor + processorWords.died) !== 0) {
      const said = this.#host.events.text(words[this.processor + processorWords.lastWords]!);
      this.#break(new Error(said ?? 'internal error'));
      return true;
    }
    const beat = Atomics.load(words, this.processor + processorWords.beat);
    const isBusy = Atomics.load(words, this.processor + processorWords.busy) !== 0;
    const state = beat === 0 ? 'starting' : isBusy ? 'busy' : 'working';
    if (this.#heartbeat.isAlive(beat, patience[state], () => this.ring())) return false;
    this.#break(new Error(beat === 0 ? 'it does not start' : 'it does not answer any more'));
    return true;
  }

  #break(cause: Error): OpenCLError {
    if (this.#broken) return this.#broken;
    this.#broken = new OpenCLError(
      'CL_DEVICE_NOT_AVAILABLE',
      `the thread of ${this.#device.info.name} failed: ${cause.message}`,
      { cause },
    );
    for (const reject of this.#open) reject(this.#broken);
    this.#open.clear();
    this.#failed(this.#broken);
    return this.#broken;
  }
}
