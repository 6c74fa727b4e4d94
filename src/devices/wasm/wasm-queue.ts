/** The host's end of a queue on the wasm device: writes commands into the stream to the processor. */
import type { Command } from '../../runtime/command.ts';
import type { DeviceHost, QueueOptions } from '../../runtime/device.ts';
import type { LaunchBody } from '../../runtime/local-engine.ts';
import { encodeMemoryCommand, isMemoryCommand } from '../../runtime/memory-commands.ts';
import { type ChunkPool, commandKind } from './command-stream.ts';
import { blockWords, encodeLaunch, encodeSizes, shapeOf } from './launch-encoding.ts';
import { launchPayload } from './launch-payload.ts';
import type { PrintfBuffers } from './printf-buffers.ts';
import type { SharedLayout } from './shared-layout.ts';
import { StreamQueue, type StreamReader } from './stream-queue.ts';
import type { ThreadAreas } from './thread-areas.ts';
import type { WasmKernel } from './wasm-program.ts';

export class WasmQueue extends StreamQueue {
  readonly #layout: SharedLayout;
  readonly #areas: ThreadAreas;
  readonly #printfs: PrintfBuffers;
  readonly #started: () => Promise<void>;

  constructor(
    host: DeviceHost,
    layout: SharedLayout,
    chunks: ChunkPool,
    areas: ThreadAreas,
    printfs: PrintfBuffers,
    options: QueueOptions,
    threads: StreamReader & { started(): Promise<void> },
  ) {
    super(host, threads, chunks, options);
    this.#layout = layout;
    this.#areas = areas;
    this.#printfs = printfs;
    this.#started = () => threads.started();
  }

  ready(): Promise<void> {
    return this.#started();
  }

  protected write({ body, event, waits }: Command): void {
    const kind = commandKind[body.kind];
    if (body.kind === 'launch') this.#launch(body, event, waits);
    else if (isMemoryCommand(body)) {
      const encoded = encodeMemoryCommand(body);
      const at = this.stream.begin(kind, event, waits, encoded.words);
      encoded.write(this.host.control.words, this.host.control.bytes, at);
    } else this.stream.begin(kind, event, waits, 0);
  }

  #launch(body: LaunchBody, event: number, waits: readonly number[]): void {
    const { code, index, part } = body.kernel as WasmKernel;
    const shape = shapeOf(body, code, this.#layout.workerCount);
    const area = this.#areas.ensure(Math.max(shape.areaBytes, part.nestedAreaBytes));
    const prints = code.usesPrintf || part.nestedPrints;
    const printf = prints ? this.#printfs.take(event, body, part.printfs) : 0;
    const at = this.stream.begin(commandKind.launch, event, waits, launchPayload.block + blockWords(code));
    const { words, bytes } = this.host.control;
    words[at + launchPayload.module] = part.record;
    words[at + launchPayload.moduleId] = part.id;
    words[at + launchPayload.kernel] = index;
    words[at + launchPayload.area] = area.base;
    words[at + launchPayload.areaStride] = area.stride;
    words[at + launchPayload.groups] = shape.groups;
    words[at + launchPayload.groupsPerChunk] = shape.groupsPerChunk;
    words[at + launchPayload.chunks] = shape.chunks;
    words[at + launchPayload.wholeChunks] = shape.wholeChunks;
    words[at + launchPayload.mayWait] = code.mayWait ? 1 : 0;
    encodeLaunch(body, code, words, bytes, (at + launchPayload.block) * 4, printf);
    encodeSizes(body, code, words, (at + launchPayload.block) * 4);
  }
}
