/** The processor's end of a queue: the record (shared-layout.ts) in which the host counts up what comes, and it what is done. */
import type { ControlMemory } from '../../runtime/control-memory.ts';
import { StreamReader } from './command-stream.ts';
import { queueWords } from './shared-layout.ts';

export class QueueRecord {
  readonly stream: StreamReader;
  /** Milliseconds that a launch may run; 0 for ever. */
  readonly timeout: number;
  readonly #control: ControlMemory;
  readonly #record: number;

  /** @param record its word index */
  constructor(control: ControlMemory, record: number) {
    this.#control = control;
    this.#record = record;
    this.stream = new StreamReader(control, control.words[record + queueWords.firstChunk]!);
    this.timeout = control.words[record + queueWords.timeout]!;
  }

  /** How many commands were done before this reader came. */
  get completed(): number {
    return Atomics.load(this.#control.words, this.#record + queueWords.completed) >>> 0;
  }

  /** Whether there are commands behind so many. If not, the host will ring for the next. */
  hasMore(read: number): boolean {
    if (read !== this.#produced()) return true;
    const { words } = this.#control;
    Atomics.store(words, this.#record + queueWords.hungry, 1);
    if (read === this.#produced()) return false;
    Atomics.store(words, this.#record + queueWords.hungry, 0);
    return true;
  }

  /** So many commands are done, and all before them. */
  complete(count: number): void {
    Atomics.store(this.#control.words, this.#record + queueWords.completed, count);
  }

  /** Gives the record up, if the host has, and no command is left behind so many that are done; says whether. */
  retire(done: number): boolean {
    const { words } = this.#control;
    if (Atomics.load(words, this.#record + queueWords.released) === 0) return false;
    if (done !== this.#produced()) return false;
    this.stream.close();
    Atomics.store(words, this.#record + queueWords.retired, 1);
    return true;
  }

  #produced(): number {
    return Atomics.load(this.#control.words, this.#record + queueWords.produced) >>> 0;
  }
}
