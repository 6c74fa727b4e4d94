/**
 * The host's end of a queue whose commands go to a thread of the device through a stream: its record in control
 * memory, and what becomes of commands when the thread dies. Devices say how a command is written.
 */
import type { Command } from '../../runtime/command.ts';
import type { DeviceHost, DeviceQueue, QueueOptions } from '../../runtime/device.ts';
import { pushOnto } from '../../runtime/event-table.ts';
import type { OpenCLError } from '../../runtime/status.ts';
import { type ChunkPool, StreamWriter } from './command-stream.ts';
import { queueWords } from './shared-layout.ts';

/** The thread that reads the stream. */
export interface StreamReader {
  /** The word of control memory where it looks for new queues. */
  readonly newQueues: number;
  /** It has ended until there is work, so that it cannot be rung; see {@link wake}. */
  readonly isResting: boolean;
  /** Starts it anew. To be called before something is written that it is to read. */
  wake(): void;
  ring(): void;
}

export abstract class StreamQueue implements DeviceQueue {
  protected readonly host: DeviceHost;
  protected readonly stream: StreamWriter;
  readonly #record: number;
  readonly #reader: StreamReader;
  #completed = 0;
  #broken: OpenCLError | undefined;

  constructor(host: DeviceHost, reader: StreamReader, chunks: ChunkPool, options: QueueOptions) {
    this.host = host;
    this.#reader = reader;
    this.stream = new StreamWriter(host.control, chunks);
    this.#record = host.control.allocate(queueWords.size * 4);
    const { words } = host.control;
    words[this.#record + queueWords.outOfOrder] = options.outOfOrder ? 1 : 0;
    words[this.#record + queueWords.timeout] = Math.min(options.timeout, 0x7fffffff);
    words[this.#record + queueWords.profiling] = options.profiling ? 1 : 0;
    words[this.#record + queueWords.firstChunk] = this.stream.chunk;
    if (reader.isResting) reader.wake();
    this.#announce();
    reader.ring();
  }

  #announce(): void {
    pushOnto(this.host.control.words, this.#reader.newQueues, this.#record, this.#record + queueWords.link);
  }

  /** All commands are done. */
  get isIdle(): boolean {
    const { words } = this.host.control;
    const produced = Atomics.load(words, this.#record + queueWords.produced);
    return Atomics.load(words, this.#record + queueWords.completed) === produced;
  }

  /** How many commands there have been, of the last 2^32. */
  get submitted(): number {
    return Atomics.load(this.host.control.words, this.#record + queueWords.produced);
  }

  /** Hands the queue, which is idle, to a thread that begins anew. */
  handOver(): void {
    const { words } = this.host.control;
    if (Atomics.load(words, this.#record + queueWords.retired) !== 0) return;
    this.stream.rewind();
    words[this.#record + queueWords.firstChunk] = this.stream.chunk;
    this.#announce();
  }

  get owner(): number {
    return this.#record;
  }

  /** Puts the command into the stream. */
  protected abstract write(command: Command): void;

  submit(command: Command): void {
    if (this.#broken) throw this.#broken;
    if (this.#reader.isResting) this.#reader.wake();
    this.write(command);
    this.host.events.setOwner(command.event, this.#record);
    const { words } = this.host.control;
    Atomics.add(words, this.#record + queueWords.produced, 1);
    if (Atomics.load(words, this.#record + queueWords.hungry) === 0) return;
    Atomics.store(words, this.#record + queueWords.hungry, 0);
    this.#reader.ring();
  }

  flush(): void {}

  completed(): number {
    const low = Atomics.load(this.host.control.words, this.#record + queueWords.completed);
    this.#completed += (low - this.#completed) >>> 0;
    return this.#completed;
  }

  release(): void {
    Atomics.store(this.host.control.words, this.#record + queueWords.released, 1);
    // A thread that rests sees it when it is back.
    if (!this.#reader.isResting) this.#reader.ring();
  }

  /** Frees the record once the thread has given it up. */
  freeIfRetired(): boolean {
    if (Atomics.load(this.host.control.words, this.#record + queueWords.retired) === 0) return false;
    this.host.control.free(this.#record);
    return true;
  }

  /** The thread is gone: everything submitted that has not ended fails, and all that comes. */
  abandon(error: OpenCLError): void {
    this.#broken = error;
    const { control, events } = this.host;
    events.failOwned(this.#record, error.code, error.message);
    const produced = Atomics.load(control.words, this.#record + queueWords.produced);
    Atomics.store(control.words, this.#record + queueWords.completed, produced);
  }
}
