/**
 * A compute thread: takes chunks of work-groups from active launches and runs them, one work-group from start to end at
 * a time. Between launches it looks for new ones for some microseconds and then sleeps. It never returns to its event
 * loop; everything it needs comes through shared memory.
 */
import { ControlMemory } from '../../runtime/control-memory.ts';
import { EventTable } from '../../runtime/event-table.ts';
import { now } from '../../runtime/host.ts';
import { bufferUpTo } from '../../runtime/shared-growth.ts';
import { statusCodes } from '../../runtime/status.ts';
import { systemThread } from '../../runtime/system-threads.ts';
import { startOfChunk } from './launch-chunks.ts';
import { LaunchTable } from './launch-table.ts';
import { type InstantiateKernels, type KernelEntry, ModuleCache, readAccessNotes } from './module-cache.ts';
import { queueImports } from './nested/imports.ts';
import { NestedScheduler } from './nested/scheduler.ts';
import { nestedLaunch } from './nested/words.ts';
import {
  launchBlockBytes,
  launchSlots,
  launchState,
  launchWords,
  mostNoted,
  poolWords,
  processorWords,
  type ThreadStart,
  workerWords,
} from './shared-layout.ts';
import { VisitLog } from './thread-visits.ts';
import { trapMessage } from './trap-message.ts';

/** What the word `current` says during a call that must not be cut short. */
const uncut = -2;

/** Thrown through a kernel whose chunk is no longer its thread's. */
export const condemned = {};

/** How often a worker looks at the signal before it sleeps: some ten microseconds. */
const spins = 2000;

/**
 * The work-groups of a chunk: the first, and the first behind them.
 * @param at the words of a launch
 * @param fields where in these its division is kept
 */
function groupsOf(
  chunk: number,
  words: Int32Array,
  at: number,
  fields: typeof launchWords | typeof nestedLaunch,
): readonly [first: number, end: number] {
  const shape = {
    groups: words[at + fields.groups]!,
    groupsPerChunk: words[at + fields.groupsPerChunk]!,
    wholeChunks: words[at + fields.wholeChunks]!,
  };
  return [startOfChunk(chunk, shape), startOfChunk(chunk + 1, shape)];
}

/** @param instantiate makes kernels of modules; how that is done for machine code devices/native says */
export function runWorker(
  start: ThreadStart,
  postToHost: () => void,
  instantiate?: InstantiateKernels,
): void {
  new Worker(start, postToHost, instantiate).run();
}

class Worker {
  readonly #control: ControlMemory;
  readonly #events: EventTable;
  readonly #launches: LaunchTable;
  readonly #nested: NestedScheduler;
  readonly #modules: ModuleCache;
  readonly #visits: VisitLog;
  readonly #start: ThreadStart;
  /** This worker's words. */
  readonly #self: number;
  /** What its word `current` says while a kernel runs. */
  #running = 0;

  constructor(start: ThreadStart, postToHost: () => void, instantiate?: InstantiateKernels) {
    this.#start = start;
    this.#control = ControlMemory.attach(start.control);
    this.#events = new EventTable(this.#control, postToHost);
    this.#launches = new LaunchTable(this.#control, this.#events, start.layout);
    this.#nested = new NestedScheduler(this.#control, start.memory, start.layout, this.#launches);
    const imports = queueImports(
      () => this.#nested,
      (call) => this.#uncut(call),
    );
    this.#modules = new ModuleCache(this.#control, start.memory, imports, instantiate);
    const visits = start.layout.pool + poolWords.visits;
    this.#visits = new VisitLog(this.#control, this.#events, visits, start.index);
    this.#self = start.layout.workers + start.index * workerWords.size;
  }

  run(): void {
    const { words } = this.#control;
    const { pool, processor } = this.#start.layout;
    const signal = pool + poolWords.signal;
    words[this.#self + workerWords.systemThread] = systemThread();
    Atomics.store(words, this.#self + workerWords.started, 1);
    for (;;) {
      const seen = Atomics.load(words, signal);
      let worked = this.#visitNested();
      for (let slot = 0; slot < launchSlots; slot += 1) {
        if (this.#launches.state(slot) === launchState.active && this.#visit(slot)) worked = true;
      }
      if (worked) continue;
      this.#visits.pause();
      if (Atomics.load(words, processor + processorWords.shutdown) !== 0) break;
      let turn = 0;
      while (turn < spins && Atomics.load(words, signal) === seen) turn += 1;
      if (turn < spins) continue;
      Atomics.add(words, pool + poolWords.sleepers, 1);
      Atomics.wait(words, signal, seen);
      Atomics.sub(words, pool + poolWords.sleepers, 1);
    }
    Atomics.store(words, this.#self + workerWords.started, 0);
    Atomics.notify(words, this.#self + workerWords.started);
  }

  /** Runs chunks of a launch while there are any. True if there was one. */
  #visit(slot: number): boolean {
    const { words } = this.#control;
    const visiting = this.#self + workerWords.visiting;
    Atomics.store(words, visiting, slot + 1);
    let worked = false;
    if (this.#launches.state(slot) === launchState.active) {
      // The time is taken before the first chunk is: the system may let this thread wait then, while others run all the rest, and a
      // launch must not seem shorter for that.
      const since = this.#launches.isUntouched(slot) ? now() : 0;
      let chunk = this.#launches.take(slot);
      worked = chunk >= 0;
      const base = this.#launches.base(slot);
      const event = words[base + launchWords.event]!;
      if (chunk === 0) this.#events.start(event, since);
      if (worked) {
        const begun = chunk === 0 ? since : now();
        this.#visits.begin(event, begun);
        while (chunk >= 0) {
          this.#runChunk(slot, chunk);
          chunk = this.#launches.take(slot);
        }
        const nanoseconds = Math.min(mostNoted, Math.ceil(now() - begun));
        Atomics.add(words, base + launchWords.busy, nanoseconds);
      }
    }
    Atomics.store(words, visiting, 0);
    const wanted = this.#start.layout.processor + processorWords.slotWanted;
    if (Atomics.load(words, wanted) !== 0) {
      Atomics.store(words, wanted, 0);
      this.#launches.ringProcessor();
    }
    return worked;
  }

  #runChunk(slot: number, chunk: number): void {
    const { words } = this.#control;
    const base = this.#launches.base(slot);
    const [first, end] = groupsOf(chunk, words, base, launchWords);
    this.#runGroups(slot, 0, words[base + launchWords.kernel]!, words[base + launchWords.block]!, first, end);
    this.#visits.extend();
    this.#isDelicate = true;
    this.#launches.leave(slot, 1);
    this.#isDelicate = false;
  }

  /** Whether this thread is in the middle of what no other could finish: if it ends there, the device is lost. */
  set #isDelicate(is: boolean) {
    this.#control.words[this.#self + workerWords.delicate] = is ? 1 : 0;
  }

  /** Runs chunks of launches that kernels have made. True if there was a launch. */
  #visitNested(): boolean {
    if (!this.#nested.isUsed) return false;
    this.#isDelicate = true;
    const launch = this.#nested.take();
    if (launch === 0) {
      this.#isDelicate = false;
      return false;
    }
    const { words } = this.#control;
    let mayPassOn = this.#start.layout.workerCount > 1;
    for (let chunk = this.#nested.chunkOf(launch); chunk >= 0; chunk = this.#nested.chunkOf(launch)) {
      if (mayPassOn) this.#nested.passOn(launch);
      mayPassOn = false;
      const slot = words[launch + nestedLaunch.slot]!;
      this.#visits.goOn(words[this.#launches.base(slot) + launchWords.event]!);
      const [first, end] = groupsOf(chunk, words, launch, nestedLaunch);
      const kernel = words[launch + nestedLaunch.kernel]!;
      const block = words[launch + nestedLaunch.block]!;
      this.#runGroups(slot, launch, kernel, block, first, end);
      this.#visits.extend();
    }
    this.#nested.leave(launch);
    this.#isDelicate = false;
    return true;
  }

  /** Runs work-groups of a slot's launch, or (`launch`, else 0) of one that it led to. */
  #runGroups(slot: number, launch: number, kernel: number, block: number, first: number, end: number): void {
    const { words } = this.#control;
    const base = this.#launches.base(slot);
    const current = this.#self + workerWords.current;
    words[this.#self + workerWords.nested] = launch;
    this.#running = slot + 1;
    Atomics.store(words, current, slot + 1);
    this.#isDelicate = false;
    let entries: readonly KernelEntry[] = [];
    try {
      entries = this.#modules.entries(words[base + launchWords.module]!, words[base + launchWords.moduleId]!);
      this.#nested.begin(slot, launch, entries);
      const area =
        (words[base + launchWords.area]! >>> 0) + words[base + launchWords.areaStride]! * this.#start.index;
      entries[kernel]!.run(block, first, end, area | 0);
    } catch (error) {
      if (error === condemned) this.#waitForEnd();
      const what = trapMessage(
        error,
        () => readAccessNotes(this.#control, words[base + launchWords.module]!),
        launch === 0 ? kernel : undefined,
        () => this.#launchBlock(block >>> 0),
      );
      // What it has led to fails it, too.
      const inside = launch === 0 ? '' : `${entries[kernel]?.nested?.code.title ?? '?'}: `;
      this.#isDelicate = true;
      this.#launches.fail(
        slot,
        statusCodes.CL_OUT_OF_RESOURCES,
        `kernel '${entries[words[base + launchWords.kernel]!]?.name ?? '?'}' failed: ${inside}${what}`,
      );
    }
    this.#isDelicate = launch !== 0 || this.#nested.isHolding;
    if (Atomics.compareExchange(words, current, slot + 1, 0) !== slot + 1) this.#waitForEnd();
    this.#nested.chunkEnded();
    this.#isDelicate = launch !== 0;
  }

  #launchBlock(address: number): Int32Array {
    const buffer = bufferUpTo(this.#start.memory, address + launchBlockBytes);
    return new Int32Array(buffer, address, launchBlockBytes >> 2);
  }

  /** A call of a kernel that changes what all threads share, and must not be cut short by the end of this thread. */
  #uncut(call: () => number): number {
    const { words } = this.#control;
    const current = this.#self + workerWords.current;
    if (Atomics.compareExchange(words, current, this.#running, uncut) !== this.#running) throw condemned;
    this.#isDelicate = true;
    try {
      return call();
    } finally {
      Atomics.store(words, current, this.#running);
      this.#isDelicate = this.#nested.isHolding;
    }
  }

  /** Condemned for running too long: the chunk is no longer ours, and this thread is about to be ended. */
  #waitForEnd(): never {
    const { words } = this.#control;
    const current = this.#self + workerWords.current;
    for (;;) Atomics.wait(words, current, Atomics.load(words, current), 1000);
  }
}
