/**
 * The host's hold on a device's threads: starts them, ends a worker that is stuck in a kernel and starts another in its
 * place, and ends all when the context goes. While there is nothing to do they can also *rest*: all end by themselves, and
 * others take their places before the next command. What they know lies in control memory or can be learnt again.
 */
import type { DeviceHost } from '../../runtime/device.ts';
import { Heartbeat } from '../../runtime/heartbeat.ts';
import {
  mayBlock,
  now,
  startThread,
  type Thread,
  threadEndingTime,
  threadsAreIndependent,
} from '../../runtime/host.ts';
import { OpenCLError } from '../../runtime/status.ts';
import type { ThreadFile } from '../../runtime/thread-file.ts';
import { ringProcessor } from './processor-words.ts';
import {
  poolWords,
  processorWords,
  type SharedLayout,
  type ThreadStart,
  workerWords,
} from './shared-layout.ts';

/** Where the files of the threads are. */
export interface ThreadFiles {
  readonly processor: ThreadFile | URL;
  readonly worker: ThreadFile | URL;
}

/** How often the host looks in vain before the processor counts as dead; see {@link Heartbeat}. */
const patience = { starting: 600, working: 100, copying: 1200 } as const;

/** Nanoseconds that threads with nothing to do have to leave, on a machine however busy. */
const longestLeave = 10e9;

export class ThreadPool {
  readonly #host: DeviceHost;
  readonly #layout: SharedLayout;
  readonly #files: ThreadFiles;
  #processor: Thread;
  #workers: Thread[] = [];
  /** Workers told to end, and when. */
  readonly #ending = new Map<number, number>();
  readonly #failed: (error: Error) => void;
  /** Threads that have not said yet that they run. */
  readonly #starting = new Set<Thread>();
  #whenStarted: (() => void)[] = [];
  /** Whether somebody awaits an event. */
  #awaited = false;
  #lostWorkers = 0;
  #heartbeat = new Heartbeat();
  #closed = false;
  #isResting = false;

  /** `failed` is called, once, if the processor cannot start or dies; all threads are ended then. */
  constructor(host: DeviceHost, layout: SharedLayout, files: ThreadFiles, failed: (error: Error) => void) {
    this.#host = host;
    this.#layout = layout;
    this.#files = files;
    this.#failed = failed;
    this.#processor = this.#startProcessor();
    this.#workers.push(this.#startFirst());
    host.setKeepAlive((on) => {
      this.#awaited = on;
      this.#processor.keepAlive(on);
    });
    host.onPump(() => this.#endCondemned());
    host.onPump(() => this.#lookAfterProcessor());
    host.onPump(() => this.#startOthers());
    if (!threadsAreIndependent()) host.onBlock(() => this.#refuseVainSleep());
  }

  /** Resolves when all threads run, or the pool is closed. */
  started(): Promise<void> {
    if (this.#closed || (this.#starting.size === 0 && this.#isComplete)) return Promise.resolve();
    for (const thread of this.#starting) thread.keepAlive(true);
    return new Promise((resolve) => this.#whenStarted.push(resolve));
  }

  /** Makes the processor look around. */
  ring(): void {
    ringProcessor(this.#host.control.words, this.#layout.processor);
  }

  /** Resolves when all have ended. */
  close(): Promise<unknown> {
    this.#closed = true;
    // Threads that rest are nobody's any more.
    const threads = this.#isResting ? [] : [this.#processor, ...this.#workers];
    if (!this.#isResting) this.#tellToEnd();
    // Those that run a kernel would look at the signal too late, or never.
    const ended = Promise.all(threads.map((thread) => thread.terminate()));
    this.#starting.clear();
    this.#tellStarted();
    return ended;
  }

  #tellToEnd(): void {
    const { words } = this.#host.control;
    const { processor, pool } = this.#layout;
    Atomics.store(words, processor + processorWords.shutdown, 1);
    Atomics.add(words, processor + processorWords.bell, 1);
    Atomics.notify(words, processor + processorWords.bell);
    Atomics.add(words, pool + poolWords.signal, 1);
    Atomics.notify(words, pool + poolWords.signal);
  }

  /**
   * Whether all run and, if there is nothing to do, could end and be started anew. In a page's worker they could not: it would
   * have to be back in its event loop first.
   */
  get mayRest(): boolean {
    if (this.#closed || this.#isResting || !this.#isComplete || this.#lostWorkers > 0) return false;
    if (this.#ending.size > 0 || this.#whenStarted.length > 0) return false;
    return this.#startedWords.every((word) => this.#isSet(word)) && (threadsAreIndependent() || !mayBlock());
  }

  get isResting(): boolean {
    return this.#isResting;
  }

  /** Lets all threads end. There must be nothing to do, and {@link mayRest}. */
  rest(): void {
    this.#isResting = true;
    for (const thread of [this.#processor, ...this.#workers]) thread.dismiss();
    this.#workers = [];
    this.#starting.clear();
    this.#tellToEnd();
    // All commands have ended, but what was posted of that may not have been heard.
    this.#host.events.replaceMessage();
  }

  /**
   * Starts threads in the place of those that rest; `handOver` makes what they are to know ready for them.
   * @throws OpenCLError CL_OUT_OF_RESOURCES if the system lets the others not end
   */
  wake(handOver: () => void): void {
    for (const word of this.#startedWords) this.#waitUntilClear(word);
    const { words } = this.#host.control;
    const { processor } = this.#layout;
    for (const word of ['shutdown', 'beat', 'newQueues'] as const) {
      Atomics.store(words, processor + processorWords[word], 0);
    }
    this.#heartbeat = new Heartbeat();
    this.#isResting = false;
    handOver();
    this.#processor = this.#startProcessor();
    this.#processor.keepAlive(this.#awaited);
    this.#workers.push(this.#startFirst());
  }

  /** The words in which processor and workers say that they run. */
  get #startedWords(): number[] {
    const { processor, workers, workerCount } = this.#layout;
    const ofWorkers = Array.from(
      { length: workerCount },
      (_, index) => workers + index * workerWords.size + workerWords.started,
    );
    return [processor + processorWords.started, ...ofWorkers];
  }

  #isSet(word: number): boolean {
    return Atomics.load(this.#host.control.words, word) !== 0;
  }

  /** They were told long ago, or a moment ago. */
  #waitUntilClear(word: number): void {
    const until = now() + longestLeave;
    while (this.#isSet(word)) {
      if (mayBlock()) Atomics.wait(this.#host.control.words, word, 1, 50);
      if (now() < until) continue;
      throw new OpenCLError('CL_OUT_OF_RESOURCES', 'the compute threads that ended cannot be replaced');
    }
  }

  get #isComplete(): boolean {
    return this.#workers.length + this.#lostWorkers >= this.#layout.workerCount;
  }

  /**
   * Starts the workers but the first, once the processor and that one run: a thread takes some 25 ms to start, and so the
   * first launch need not share the machine with all of them.
   */
  #startOthers(): boolean {
    if (this.#isComplete || this.#closed || this.#isResting) return false;
    const { words } = this.#host.control;
    const { processor, workers, workerCount } = this.#layout;
    const first = this.#workers[0]!;
    const isRunning =
      Atomics.load(words, processor + processorWords.started) !== 0 &&
      Atomics.load(words, workers + workerWords.started) !== 0;
    if (!isRunning && (this.#starting.has(this.#processor) || this.#starting.has(first))) return false;
    try {
      for (let index = 1; index < workerCount; index += 1) this.#workers.push(this.#startWorker(index));
    } catch (error) {
      if (!(error instanceof OpenCLError)) throw error;
      // The system gives no more threads: those that there are do the work.
      this.#lostWorkers += workerCount - this.#workers.length;
    }
    return true;
  }

  #startProcessor(): Thread {
    return this.#start(this.#files.processor, 0, (error) => this.#processorFailed(error));
  }

  /** The first worker, without which the processor is of no use. */
  #startFirst(): Thread {
    try {
      return this.#startWorker(0);
    } catch (error) {
      void this.#processor.terminate();
      this.#closed = true;
      throw error;
    }
  }

  #startWorker(index: number): Thread {
    return this.#start(this.#files.worker, index, () => this.#workerFailed(index));
  }

  /** @throws OpenCLError CL_OUT_OF_HOST_MEMORY if there is no room for one more thread */
  #start(file: ThreadFile | URL, index: number, failed: (error: Error) => void): Thread {
    const start: ThreadStart = {
      control: this.#host.control.memory!,
      memory: this.#host.memory.memory,
      layout: this.#layout,
      index,
    };
    const thread = startThread(file, start, {
      message: () => {
        this.#settle(thread);
        this.#host.pump();
      },
      failed: (error) => {
        this.#settle(thread);
        if (!this.#closed) failed(error);
      },
    });
    this.#starting.add(thread);
    if (this.#whenStarted.length > 0) thread.keepAlive(true);
    return thread;
  }

  /** A thread runs (its first message says so) or never will. */
  #settle(thread: Thread): void {
    if (!this.#starting.delete(thread)) return;
    if (this.#whenStarted.length > 0) thread.keepAlive(this.#awaited && thread === this.#processor);
    this.#startOthers();
    if (this.#starting.size === 0) this.#tellStarted();
  }

  #tellStarted(): void {
    const tell = this.#whenStarted;
    this.#whenStarted = [];
    for (const resolve of tell) resolve();
  }

  /**
   * The host is about to sleep in a page's worker, whose threads neither start nor end meanwhile. Throws if it could
   * sleep for ever.
   */
  #refuseVainSleep(): boolean {
    if (!mayBlock() || this.#isResting) return false;
    const running = (thread: Thread) => !this.#starting.has(thread);
    if (this.#ending.size > 0) {
      throw new OpenCLError(
        'CL_INVALID_OPERATION',
        'a kernel beyond its time-out is being stopped, which this thread must not block: await queue.finished()',
      );
    }
    if (!running(this.#processor) || !this.#workers.some(running)) {
      throw new OpenCLError(
        'CL_INVALID_OPERATION',
        'the compute threads have not started yet: await queue.ready() before the first blocking call',
      );
    }
    return false;
  }

  #processorFailed(error: Error): void {
    if (this.#closed) return;
    this.close();
    this.#failed(error);
  }

  /** Notices the processor's death where no event of the thread is heard of: while the host is blocked. */
  #lookAfterProcessor(): boolean {
    if (this.#closed || this.#isResting) return false;
    const { words } = this.#host.control;
    const { processor } = this.#layout;
    if (Atomics.load(words, processor + processorWords.died) !== 0) {
      const said = this.#host.events.text(words[processor + processorWords.lastWords]!);
      this.#processorFailed(new Error(said ?? 'internal error'));
      return true;
    }
    const beat = Atomics.load(words, processor + processorWords.beat);
    const state = beat === 0 ? 'starting' : words[processor + processorWords.busy] ? 'copying' : 'working';
    if (this.#heartbeat.isAlive(beat, patience[state], () => this.ring())) return false;
    this.#processorFailed(new Error(beat === 0 ? 'it does not start' : 'it does not answer any more'));
    return true;
  }

  /** A worker could not start, or ended without being told to. */
  #workerFailed(index: number): void {
    const { words } = this.#host.control;
    const self = this.#layout.workers + index * workerWords.size;
    if (Atomics.exchange(words, self + workerWords.started, 0) !== 0) {
      // One that was condemned meanwhile is replaced with the others.
      if (Atomics.load(words, self + workerWords.kill) !== 0) return;
      Atomics.store(
        words,
        self + workerWords.diedIn,
        Math.max(0, Atomics.exchange(words, self + workerWords.current, 0)),
      );
      Atomics.add(words, this.#layout.processor + processorWords.deaths, 1);
      this.#workers[index] = this.#startWorker(index);
      this.ring();
      return;
    }
    this.#lostWorkers += 1;
    if (this.#lostWorkers < this.#layout.workerCount) return;
    Atomics.store(words, this.#layout.processor + processorWords.lost, 1);
    this.ring();
  }

  /** Ends the workers that the processor has condemned. */
  #endCondemned(): boolean {
    const { words } = this.#host.control;
    let any = false;
    for (let index = 0; index < this.#workers.length; index += 1) {
      const self = this.#layout.workers + index * workerWords.size;
      const kill = self + workerWords.kill;
      const since = this.#ending.get(index);
      if (since !== undefined) {
        if (threadsAreIndependent() && now() - since > threadEndingTime) this.#replace(index, since);
        // Machine code comes back when it sees the word, and nobody ends a thread that is in it.
      } else if (Atomics.load(words, kill) === -1 && Atomics.load(words, self + workerWords.inCode) === 0) {
        any = true;
        const time = now();
        this.#ending.set(index, time);
        void this.#workers[index]!.terminate().then(() => this.#replace(index, time));
      }
    }
    return any;
  }

  #replace(index: number, since: number): void {
    if (this.#closed || this.#ending.get(index) !== since) return;
    this.#ending.delete(index);
    const { words } = this.#host.control;
    const self = this.#layout.workers + index * workerWords.size;
    Atomics.store(words, self + workerWords.current, 0);
    Atomics.store(words, self + workerWords.started, 0);
    Atomics.store(words, self + workerWords.kill, 2);
    this.#starting.delete(this.#workers[index]!);
    this.#workers[index] = this.#startWorker(index);
    this.#host.events.replaceMessage();
    this.ring();
  }
}
