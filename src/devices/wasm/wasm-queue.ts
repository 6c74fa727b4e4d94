/** The host's end of a queue on the wasm device: writes commands into the stream to the processor. */
import type { Command } from '../../runtime/command.ts';
import type { DeviceHost, DeviceQueue, QueueOptions } from '../../runtime/device.ts';
import { pushOnto } from '../../runtime/event-table.ts';
import type { LaunchBody } from '../../runtime/local-engine.ts';
import type { OpenCLError } from '../../runtime/status.ts';
import { type ChunkPool, commandKind, StreamWriter } from './command-stream.ts';
import { encodeLaunch, shapeOf } from './launch-encoding.ts';
import { launchPayload } from './launch-payload.ts';
import { encodeTransfer, transferWords } from './memory-commands.ts';
import type { PrintfBuffers } from './printf-buffers.ts';
import { processorWords, queueWords, type SharedLayout } from './shared-layout.ts';
import type { ThreadAreas } from './thread-areas.ts';
import type { WasmKernel } from './wasm-program.ts';

export class WasmQueue implements DeviceQueue {
  readonly #host: DeviceHost;
  readonly #layout: SharedLayout;
  readonly #areas: ThreadAreas;
  readonly #printfs: PrintfBuffers;
  readonly #stream: StreamWriter;
  readonly #record: number;
  readonly #ring: () => void;
  readonly #started: () => Promise<void>;
  #completed = 0;
  #broken: OpenCLError | undefined;

  constructor(
    host: DeviceHost,
    layout: SharedLayout,
    chunks: ChunkPool,
    areas: ThreadAreas,
    printfs: PrintfBuffers,
    options: QueueOptions,
    threads: { ring(): void; started(): Promise<void> },
  ) {
    this.#host = host;
    this.#layout = layout;
    this.#areas = areas;
    this.#printfs = printfs;
    this.#ring = () => threads.ring();
    this.#started = () => threads.started();
    this.#stream = new StreamWriter(host.control, chunks);
    this.#record = host.control.allocate(queueWords.size * 4);
    const { words } = host.control;
    words[this.#record + queueWords.outOfOrder] = options.outOfOrder ? 1 : 0;
    words[this.#record + queueWords.timeout] = Math.min(options.timeout, 0x7fffffff);
    words[this.#record + queueWords.firstChunk] = this.#stream.firstChunk;
    pushOnto(
      words,
      layout.processor + processorWords.newQueues,
      this.#record,
      this.#record + queueWords.link,
    );
    threads.ring();
  }

  submit(command: Command): void {
    if (this.#broken) throw this.#broken;
    const { body, event, waits } = command;
    switch (body.kind) {
      case 'launch':
        this.#launch(body, event, waits);
        break;
      case 'copy':
      case 'copy-rectangle':
      case 'fill': {
        const kind = body.kind === 'copy-rectangle' ? commandKind.copyRectangle : commandKind[body.kind];
        const at = this.#stream.begin(kind, event, waits, transferWords(body));
        encodeTransfer(body, this.#host.control.words, this.#host.control.bytes, at);
        break;
      }
      default:
        this.#stream.begin(commandKind[body.kind], event, waits, 0);
    }
    this.#host.events.setOwner(event, this.#record);
    const { words } = this.#host.control;
    Atomics.add(words, this.#record + queueWords.produced, 1);
    if (Atomics.load(words, this.#record + queueWords.hungry) === 0) return;
    Atomics.store(words, this.#record + queueWords.hungry, 0);
    this.#ring();
  }

  flush(): void {}

  ready(): Promise<void> {
    return this.#started();
  }

  completed(): number {
    const low = Atomics.load(this.#host.control.words, this.#record + queueWords.completed);
    this.#completed += (low - this.#completed) >>> 0;
    return this.#completed;
  }

  release(): void {
    Atomics.store(this.#host.control.words, this.#record + queueWords.released, 1);
    this.#ring();
  }

  /** Frees the record once the processor has given it up. */
  freeIfRetired(): boolean {
    if (Atomics.load(this.#host.control.words, this.#record + queueWords.retired) === 0) return false;
    this.#host.control.free(this.#record);
    return true;
  }

  /** The processor is gone: everything submitted that has not ended fails, and all that comes. */
  abandon(error: OpenCLError): void {
    this.#broken = error;
    const { control, events } = this.#host;
    events.failOwned(this.#record, error.code, error.message);
    const produced = Atomics.load(control.words, this.#record + queueWords.produced);
    Atomics.store(control.words, this.#record + queueWords.completed, produced);
  }

  #launch(body: LaunchBody, event: number, waits: readonly number[]): void {
    const { code, index, program } = body.kernel as WasmKernel;
    const shape = shapeOf(body, code, this.#layout.workerCount);
    const area = this.#areas.ensure(shape.areaBytes);
    const printf = code.usesPrintf ? this.#printfs.take(event, body, program.printfs) : 0;
    const blockWords = (64 + code.argumentBytes + 3) >> 2;
    const at = this.#stream.begin(commandKind.launch, event, waits, launchPayload.block + blockWords);
    const { words, bytes } = this.#host.control;
    words[at + launchPayload.module] = program.record;
    words[at + launchPayload.moduleId] = program.id;
    words[at + launchPayload.kernel] = index;
    words[at + launchPayload.area] = area.base;
    words[at + launchPayload.areaStride] = area.stride;
    words[at + launchPayload.groups] = shape.groups;
    words[at + launchPayload.groupsPerChunk] = shape.groupsPerChunk;
    words[at + launchPayload.chunks] = shape.chunks;
    encodeLaunch(body, code, words, bytes, (at + launchPayload.block) * 4, printf);
  }
}
