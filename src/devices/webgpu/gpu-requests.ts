/** What the host asks a WebGPU device's thread for outside all queues: programs, canvases, and what to forget (native-layout.ts, requestWords). */
import type { ControlMemory } from '../../runtime/control-memory.ts';
import type { EventTable } from '../../runtime/event-table.ts';
import { statusCodes } from '../../runtime/status.ts';
import { processorWords, requestKind, requestWords, setWide, wideAt } from '../icd/native-layout.ts';
import type { GpuProgramCode } from './gpu-layout.ts';
import type { GpuMemory } from './gpu-memory.ts';
import type { GpuScreens } from './gpu-screens.ts';
import type { GpuShaders } from './gpu-shaders.ts';

const deviceGone = statusCodes.CL_DEVICE_NOT_AVAILABLE;

/** The thread, as requests need it. */
export interface RequestsHost {
  readonly control: ControlMemory;
  readonly events: EventTable;
  readonly shaders: GpuShaders;
  readonly screens: GpuScreens;
  readonly memory: GpuMemory;
  /** Why the device is gone. */
  readonly lost: string | undefined;
  /** Resolves when it is. */
  readonly gone: Promise<void>;
  /** Does something by promises. */
  begin(work: () => Promise<void>): void;
}

export class GpuRequests {
  readonly #host: RequestsHost;
  /** The word that heads their list. */
  readonly #list: number;

  constructor(host: RequestsHost, processor: number) {
    this.#host = host;
    this.#list = processor + processorWords.requests;
  }

  /** Takes what has been asked since it last looked. True if there was anything. */
  answer(): boolean {
    const { control } = this.#host;
    if (Atomics.load(control.words, this.#list) === 0) return false;
    let request = Atomics.exchange(control.words, this.#list, 0);
    const requests: number[] = [];
    while (request !== 0) {
      control.reach(request + requestWords.data);
      requests.push(request);
      request = control.words[request + requestWords.link]!;
    }
    for (const next of requests.reverse()) this.#take(next);
    return true;
  }

  #take(request: number): void {
    const { control, screens, shaders, memory, begin } = this.#host;
    const { words } = control;
    const first = words[request + requestWords.first]!;
    switch (words[request + requestWords.kind]) {
      case requestKind.build:
        begin(() => this.#build(request, first));
        return;
      case requestKind.openScreen:
        begin(() => this.#openScreen(request));
        return;
      case requestKind.releaseScreen:
        screens.release(wideAt(words, request + requestWords.handle));
        break;
      case requestKind.releaseProgram:
        shaders.forget(wideAt(words, request + requestWords.handle));
        break;
      default:
        memory.forget(first);
    }
    this.#end(request, statusCodes.CL_SUCCESS);
  }

  #end(request: number, status: number): void {
    const { control, events } = this.#host;
    const { words } = control;
    const event = words[request + requestWords.event]!;
    words[request + requestWords.status] = status;
    Atomics.store(words, request + requestWords.state, 1);
    Atomics.notify(words, request + requestWords.state);
    if (event !== 0) {
      events.complete(event, statusCodes.CL_SUCCESS);
      events.release(event);
    }
  }

  #tell(request: number, text: string): void {
    const { control, events } = this.#host;
    control.words[request + requestWords.message] = events.writeMessage(text);
  }

  async #openScreen(request: number): Promise<void> {
    const { control, screens, gone } = this.#host;
    let status: number = statusCodes.CL_SUCCESS;
    const number = wideAt(control.words, request + requestWords.handle);
    try {
      await Promise.race([screens.open(number), gone]);
    } catch (error) {
      status = statusCodes.CL_OUT_OF_RESOURCES;
      this.#tell(request, (error as Error).message);
    }
    this.#end(request, this.#host.lost === undefined ? status : deviceGone);
  }

  async #build(request: number, bytes: number): Promise<void> {
    const { control, shaders, gone } = this.#host;
    const start = (request + requestWords.data) * 4;
    control.reach((start + bytes + 3) >> 2);
    const text = new TextDecoder().decode(control.bytes.slice(start, start + bytes));
    const { kernels } = JSON.parse(text) as GpuProgramCode;
    const given = wideAt(control.words, request + requestWords.handle);
    const isGone = gone.then(() => this.#host.lost ?? 'the device is gone');
    let loaded: number | string;
    try {
      // What is asked of the device waits for what it does, which may never end.
      loaded = this.#host.lost ?? (await Promise.race([shaders.load(kernels, given || undefined), isGone]));
    } catch (error) {
      loaded = (error as Error).message;
    }
    if (typeof loaded === 'string') {
      this.#tell(request, loaded);
      this.#end(request, this.#host.lost === undefined ? statusCodes.CL_BUILD_PROGRAM_FAILURE : deviceGone);
      return;
    }
    setWide(control.words, request + requestWords.handle, loaded);
    this.#end(request, statusCodes.CL_SUCCESS);
  }
}
