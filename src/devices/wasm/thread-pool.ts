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
import { hasEnded } from '../../runtime/system-threads.ts';
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

/** Nanoseconds between two looks at whether workers live, and how many find one that does not start before it counts as dead. */
const lookTime = 500e6;
const startLooks = 60;
/** So many threads in one place that end within so many nanoseconds of their start, one after another, and there is no other. */
const mostEarlyEnds = 8;
const earlyTime = 5e9;

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
  /** Whether the workers but the first have been started, or tried to. */
  #hasOthers = false;
  /** Workers that could not be started, by their places. */
  readonly #lostWorkers = new Set<number>();
  #lastLook = 0;
  /** Per place when its worker was started, and how many before have ended early. */
  readonly #starts: { time: number; earlyEnds: number }[] = [];
  /** How many looks have found a worker not started yet. */
  readonly #vainLooks = new Map<Thread, number>();
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
    host.onPump(() => this.#lookAfterWorkers());
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
   * Whether all that were started run and, if there is nothing to do, could end and be started anew. In a page's worker they could
   * not: it would have to be back in its event loop first. Workers but the first may be missing: a program that makes a
   * context and enqueues nothing never starts them.
   */
  get mayRest(): boolean {
    if (this.#closed || this.#isResting || this.#lostWorkers.size > 0) return false;
    if (this.#ending.size > 0 || this.#whenStarted.length > 0) return false;
    const started = this.#startedWords.slice(0, 1 + this.#workers.length);
    return started.every(([word]) => this.#isSet(word)) && (threadsAreIndependent() || !mayBlock());
  }

  get isResting(): boolean {
    return this.#isResting;
  }

  /** Lets all threads end. There must be nothing to do, and {@link mayRest}. */
  rest(): void {
    this.#isResting = true;
    for (const thread of [this.#processor, ...this.#workers]) thread.dismiss();
    this.#workers = [];
    this.#hasOthers = false;
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
    for (const [word, system] of this.#startedWords) this.#waitUntilClear(word, system);
    const { words } = this.#host.control;
    const { processor } = this.#layout;
    for (const word of ['shutdown', 'beat', 'newQueues', 'systemThread'] as const) {
      Atomics.store(words, processor + processorWords[word], 0);
    }
    this.#heartbeat = new Heartbeat();
    this.#isResting = false;
    handOver();
    this.#processor = this.#startProcessor();
    this.#processor.keepAlive(this.#awaited);
    this.#workers.push(this.#startFirst());
  }

  /** The words in which processor and workers say that they run, and those with the system's numbers of them. */
  get #startedWords(): (readonly [started: number, system: number])[] {
    const { processor, workerCount } = this.#layout;
    const ofWorkers = Array.from({ length: workerCount }, (_, index) => {
      const self = this.#wordsOf(index);
      return [self + workerWords.started, self + workerWords.systemThread] as const;
    });
    return [[processor + processorWords.started, processor + processorWords.systemThread], ...ofWorkers];
  }

  #isSet(word: number): boolean {
    return Atomics.load(this.#host.control.words, word) !== 0;
  }

  /** They were told long ago, or a moment ago. */
  #waitUntilClear(word: number, system: number): void {
    const until = now() + longestLeave;
    while (this.#isSet(word)) {
      if (mayBlock()) Atomics.wait(this.#host.control.words, word, 1, 50);
      // One that has ended on its way out clears nothing.
      if (hasEnded(Atomics.load(this.#host.control.words, system))) return;
      if (now() < until) continue;
      throw new OpenCLError('CL_OUT_OF_RESOURCES', 'the compute threads that ended cannot be replaced');
    }
  }

  get #isComplete(): boolean {
    return this.#hasOthers;
  }

  /**
   * Starts the workers but the first, once the processor and that one run: a thread takes some 25 ms to start, and so the
   * first launch need not share the machine with all of them.
   */
  #startOthers(): boolean {
    if (this.#isComplete || this.#closed || this.#isResting) return false;
    const { processor, workerCount } = this.#layout;
    // A host that sleeps hears of neither, but sees their words.
    const isSettled = (thread: Thread, started: number): boolean =>
      !this.#starting.has(thread) || this.#isSet(started);
    if (!isSettled(this.#processor, processor + processorWords.started)) return false;
    if (!isSettled(this.#workers[0]!, this.#wordsOf(0) + workerWords.started)) return false;
    try {
      this.#hasOthers = true;
      for (let index = 1; index < workerCount; index += 1) this.#workers.push(this.#startWorker(index));
    } catch (error) {
      if (!(error instanceof OpenCLError)) throw error;
      // The system gives no more threads: those that there are do the work.
      for (let index = this.#workers.length; index < workerCount; index += 1) this.#lose(index);
    }
    return true;
  }

  /** There is no worker in this place, nor will be. */
  #lose(index: number): void {
    this.#lostWorkers.add(index);
    if (this.#lostWorkers.size < this.#layout.workerCount) return;
    Atomics.store(this.#host.control.words, this.#layout.processor + processorWords.lost, 1);
    this.ring();
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
    const { words } = this.#host.control;
    const self = this.#wordsOf(index);
    this.#starts[index] = { time: now(), earlyEnds: this.#starts[index]?.earlyEnds ?? 0 };
    for (const word of ['current', 'nested', 'visiting', 'delicate', 'systemThread'] as const)
      Atomics.store(words, self + workerWords[word], 0);
    const thread = this.#start(this.#files.worker, index, () => {
      if (this.#workers[index] === thread) this.#workerFailed(index);
    });
    return thread;
  }

  /** Starts another worker in the place of one that has ended. */
  #startAnother(index: number): void {
    try {
      this.#workers[index] = this.#startWorker(index);
    } catch (error) {
      if (!(error instanceof OpenCLError)) throw error;
      this.#lose(index);
    }
  }

  /** Where the words of a worker begin. */
  #wordsOf(index: number): number {
    return this.#layout.workers + index * workerWords.size;
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
    if (this.#isTimeToLook() && hasEnded(Atomics.load(words, processor + processorWords.systemThread))) {
      this.#processorFailed(new Error('it has ended'));
      return true;
    }
    const beat = Atomics.load(words, processor + processorWords.beat);
    const state = beat === 0 ? 'starting' : words[processor + processorWords.busy] ? 'copying' : 'working';
    if (this.#heartbeat.isAlive(beat, patience[state], () => this.ring())) return false;
    this.#processorFailed(new Error(beat === 0 ? 'it does not start' : 'it does not answer any more'));
    return true;
  }

  #isTimeToLook(): boolean {
    return now() - this.#lastLook >= lookTime;
  }

  /** Notices the ends of workers where no event of a thread is heard of: while the host is blocked. */
  #lookAfterWorkers(): boolean {
    if (this.#closed || this.#isResting || !this.#isTimeToLook()) return false;
    this.#lastLook = now();
    let any = false;
    for (const [index, thread] of this.#workers.entries()) {
      if (this.#ending.has(index) || this.#lostWorkers.has(index) || !this.#isDead(index, thread)) continue;
      void thread.terminate();
      this.#starting.delete(thread);
      this.#workerFailed(index);
      any = true;
      if (this.#closed) break;
    }
    return any;
  }

  #isDead(index: number, thread: Thread): boolean {
    const self = this.#wordsOf(index);
    if (hasEnded(Atomics.load(this.#host.control.words, self + workerWords.systemThread))) return true;
    if (this.#isSet(self + workerWords.started)) {
      this.#vainLooks.delete(thread);
      return false;
    }
    if (!threadsAreIndependent()) return false;
    const looks = (this.#vainLooks.get(thread) ?? 0) + 1;
    this.#vainLooks.set(thread, looks);
    if (looks <= startLooks) return false;
    this.#vainLooks.delete(thread);
    return true;
  }

  /** A worker could not start, or ended without being told to. */
  #workerFailed(index: number): void {
    const { words } = this.#host.control;
    const self = this.#wordsOf(index);
    if (Atomics.exchange(words, self + workerWords.started, 0) !== 0) {
      // One that was condemned meanwhile is replaced with the others.
      if (Atomics.load(words, self + workerWords.kill) !== 0) return;
      if (words[self + workerWords.delicate] !== 0) {
        this.#processorFailed(new Error('a compute thread ended in the middle'));
        return;
      }
      const current = Math.max(0, Atomics.load(words, self + workerWords.current));
      const diedIn = current || Atomics.load(words, self + workerWords.visiting);
      if (current > 0) words[self + workerWords.diedInNested] = words[self + workerWords.nested]!;
      Atomics.store(words, self + workerWords.diedIn, diedIn);
      // Nobody need come after it here.
      Atomics.store(words, self + workerWords.visiting, 0);
      Atomics.add(words, this.#layout.processor + processorWords.deaths, 1);
      const start = this.#starts[index]!;
      start.earlyEnds = now() - start.time < earlyTime ? start.earlyEnds + 1 : 0;
      if (start.earlyEnds < mostEarlyEnds) this.#startAnother(index);
      else this.#lose(index);
      // It may have been about to post.
      this.#host.events.replaceMessage();
      this.ring();
      return;
    }
    this.#lose(index);
  }

  /** Ends the workers that the processor has condemned. */
  #endCondemned(): boolean {
    const { words } = this.#host.control;
    let any = false;
    for (let index = 0; index < this.#workers.length; index += 1) {
      const self = this.#wordsOf(index);
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
    const self = this.#wordsOf(index);
    words[self + workerWords.diedInNested] = words[self + workerWords.nested]!;
    Atomics.store(words, self + workerWords.started, 0);
    Atomics.store(words, self + workerWords.kill, 2);
    this.#starting.delete(this.#workers[index]!);
    this.#startAnother(index);
    this.#host.events.replaceMessage();
    this.ring();
  }
}
