/**
 * The command processor: a thread that owns the queues of a context on the wasm device. It reads their command streams,
 * finds out what may run, prepares launches for the workers, does copies and fills itself, and watches the time
 * that launches take.
 */

import { ControlMemory } from '../../runtime/control-memory.ts';
import { EventTable, eventTime } from '../../runtime/event-table.ts';
import { now } from '../../runtime/host.ts';
import { endOfEncoded, runEncodedCommand } from '../../runtime/memory-commands.ts';
import { bufferUpTo } from '../../runtime/shared-growth.ts';
import { statusCodes } from '../../runtime/status.ts';
import { systemThread } from '../../runtime/system-threads.ts';
import { describeWaiting } from '../../runtime/waiting-launches.ts';
import { commandKind, memoryKindOf } from './command-stream.ts';
import { Dependencies, type Pending } from './dependencies.ts';
import { LaunchCosts } from './launch-costs.ts';
import { launchPayload } from './launch-payload.ts';
import { LaunchTable } from './launch-table.ts';
import { NestedScheduler } from './nested/scheduler.ts';
import { WaitingLaunches } from './nested/waiting.ts';
import { takeNewQueues } from './new-queues.ts';
import {
  launchBlockBytes,
  launchSlots,
  launchState,
  launchWords,
  processorWords,
  type ThreadStart,
  workerWords,
} from './shared-layout.ts';

/** How often the processor looks at its bell before it sleeps: some ten microseconds. */
const spins = 1500;
/** Nanoseconds between a launch's time-out and the end of the threads that are still in it. */
const grace = 20e6;
/** Nanoseconds for which nothing must be left that could complete a launch before it fails. */
const stuckTime = 100e6;
const noDeadline = Number.POSITIVE_INFINITY;

/** A queue, as the processor's loop sees it. */
export interface QueueReader {
  /** Starts what can start; true if something happened. */
  advance(): boolean;
  /** A launch of this queue has ended. */
  launchEnded(command: Pending): void;
  /** If it is released and everything is done, gives up its record for good and says true. */
  retire(): boolean;
}

/** What a queue reader needs of the thread that runs it; other devices' threads read their queues with the same readers. */
export type CommandEngine = Pick<
  Processor,
  'control' | 'events' | 'dependencies' | 'prepare' | 'execute' | 'complete'
>;

interface RunningLaunch {
  readonly command: Pending;
  /** Nanoseconds that it may run; 0 for ever. */
  readonly timeout: number;
  /** When the threads in it will be ended; set once it has timed out. */
  killAt: number;
  /** Since when nothing has been left that could complete it; 0 if something is. */
  stuckSince: number;
}

export class Processor {
  readonly control: ControlMemory;
  readonly events: EventTable;
  readonly launches: LaunchTable;
  readonly dependencies: Dependencies;
  readonly #start: ThreadStart;
  readonly #queues: QueueReader[] = [];
  readonly #costs = new LaunchCosts();
  readonly #nested: NestedScheduler;
  readonly #waiting: WaitingLaunches;
  readonly #running = new Array<RunningLaunch | undefined>(launchSlots).fill(undefined);
  #runningCount = 0;
  #deaths = 0;
  /** Condemned workers, with the launch slot each one died in. */
  readonly #condemned = new Map<number, number>();
  /** Slots whose launches have failed because a worker ended that may have had a chunk of them. */
  readonly #bereaved = new Set<number>();
  #memory: Uint8Array;

  constructor(start: ThreadStart, postToHost: () => void) {
    this.#start = start;
    this.control = ControlMemory.attach(start.control);
    this.events = new EventTable(this.control, postToHost);
    this.launches = new LaunchTable(this.control, this.events, start.layout);
    this.#nested = new NestedScheduler(this.control, start.memory, start.layout, this.launches);
    this.#waiting = new WaitingLaunches(this.control, start.layout, this.launches, this.#nested);
    this.dependencies = new Dependencies(this.events);
    this.#memory = new Uint8Array(start.memory.buffer);
  }

  /** Returns when the context is gone. An error is a mistake of ours; the host is told before it ends the thread. */
  run(): void {
    try {
      this.#loop();
    } catch (error) {
      const { words } = this.control;
      const { processor } = this.#start.layout;
      const what = error instanceof Error ? error.message : String(error);
      words[processor + processorWords.lastWords] = this.events.writeMessage(what);
      Atomics.store(words, processor + processorWords.died, 1);
      this.events.wakeHost();
      throw error;
    }
  }

  #loop(): void {
    const { words } = this.control;
    const { processor } = this.#start.layout;
    const bell = processor + processorWords.bell;
    words[processor + processorWords.systemThread] = systemThread();
    Atomics.store(words, processor + processorWords.started, 1);
    for (;;) {
      const seen = Atomics.load(words, bell);
      Atomics.add(words, processor + processorWords.beat, 1);
      if (this.#pass()) continue;
      if (Atomics.load(words, processor + processorWords.shutdown) !== 0) break;
      let turn = 0;
      while (turn < spins && Atomics.load(words, bell) === seen) turn += 1;
      if (turn < spins) continue;
      if (this.#mayBeStuck) this.#failStuck();
      Atomics.store(words, processor + processorWords.asleep, 1);
      Atomics.wait(words, bell, seen, this.#patience());
      Atomics.store(words, processor + processorWords.asleep, 0);
    }
    Atomics.store(words, processor + processorWords.started, 0);
    Atomics.notify(words, processor + processorWords.started);
  }

  /**
   * Puts a launch command into a slot, behind `previous` (a slot, or -1 to start at once). Gives the slot, or -1 if
   * none is free now.
   */
  prepare(command: Pending, timeout: number, previous: number): number {
    const slot = this.#findSlot();
    if (slot < 0) return -1;
    const { words } = this.control;
    const { payload } = command;
    const base = this.launches.base(slot);
    this.#noteCost(base);
    const block = this.#start.layout.blocks + slot * launchBlockBytes;
    const bytes = new Uint8Array(
      payload.buffer,
      payload.byteOffset + launchPayload.block * 4,
      (payload.length - launchPayload.block) * 4,
    );
    this.#bytes(block + bytes.length).set(bytes, block);
    words[base + launchWords.event] = command.event;
    words[base + launchWords.module] = payload[launchPayload.module]!;
    words[base + launchWords.moduleId] = payload[launchPayload.moduleId]!;
    words[base + launchWords.kernel] = payload[launchPayload.kernel]!;
    words[base + launchWords.block] = block;
    words[base + launchWords.area] = payload[launchPayload.area]!;
    words[base + launchWords.areaStride] = payload[launchPayload.areaStride]!;
    const groups = payload[launchPayload.groups]!;
    const kernel = {
      moduleId: payload[launchPayload.moduleId]!,
      kernel: payload[launchPayload.kernel]!,
    };
    const asked = {
      groups,
      groupsPerChunk: payload[launchPayload.groupsPerChunk]!,
      chunks: payload[launchPayload.chunks]!,
      wholeChunks: payload[launchPayload.wholeChunks]!,
    };
    const mayWait = payload[launchPayload.mayWait] !== 0;
    const division = mayWait ? asked : this.#costs.divide(kernel, asked, this.#start.layout.workerCount);
    words[base + launchWords.groups] = groups;
    words[base + launchWords.groupsPerChunk] = division.groupsPerChunk;
    words[base + launchWords.chunks] = division.chunks;
    words[base + launchWords.wholeChunks] = division.wholeChunks;
    words[base + launchWords.busy] = 0;
    words[base + launchWords.successor] = 0;
    words[base + launchWords.failed] = 0;
    words[base + launchWords.message] = 0;
    words[base + launchWords.pending] = 1;
    words[base + launchWords.deferred] = 0;
    words[base + launchWords.next] = 0;
    words[base + launchWords.remaining] = division.chunks;
    this.#running[slot] = { command, timeout: timeout * 1e6, killAt: noDeadline, stuckSince: 0 };
    this.#runningCount += 1;
    this.dependencies.own(command.event);
    this.events.submit(command.event);
    Atomics.store(words, base + launchWords.state, launchState.prepared);
    if (previous < 0) this.launches.activate(slot);
    else this.launches.chain(previous, slot);
    return slot;
  }

  /** A slot for a launch, or -1. Then the bell rings when there is one: a launch ends, or a worker leaves one that has ended. */
  #findSlot(): number {
    const slot = this.launches.findFree();
    if (slot >= 0) return slot;
    Atomics.store(this.control.words, this.#start.layout.processor + processorWords.slotWanted, 1);
    // Those that have just left it do not ring.
    return this.launches.findFree();
  }

  /** Notes what the launch has cost that was in a slot; nobody looks at it any more. */
  #noteCost(base: number): void {
    const { words } = this.control;
    const busy = Atomics.load(words, base + launchWords.busy);
    if (busy === 0 || Atomics.load(words, base + launchWords.failed) !== 0) return;
    const kernel = {
      moduleId: words[base + launchWords.moduleId]!,
      kernel: words[base + launchWords.kernel]!,
    };
    this.#costs.note(kernel, words[base + launchWords.groups]!, busy);
  }

  /**
   * Runs a command that is not a launch. True if it is complete; false for a host command, which is not when this
   * returns: {@link Dependencies.await} tells when.
   */
  execute(command: Pending): boolean {
    const { event, payload } = command;
    this.events.submit(event);
    this.events.start(event);
    if (command.kind === commandKind.host) {
      this.events.callHost(event);
      return false;
    }
    const busy = this.#start.layout.processor + processorWords.busy;
    Atomics.store(this.control.words, busy, 1);
    this.#transfer(command.kind, payload);
    Atomics.store(this.control.words, busy, 0);
    this.complete(command, statusCodes.CL_SUCCESS);
    return true;
  }

  /** Ends a command that did not go through a launch slot. */
  complete(command: Pending, status: number): void {
    this.events.complete(command.event, status);
    this.dependencies.ended(command.event);
    this.events.release(command.event);
  }

  #transfer(kind: number, payload: Int32Array): void {
    const moves = memoryKindOf(kind);
    if (moves) runEncodedCommand(moves, this.#bytes(endOfEncoded(moves, payload)), payload);
  }

  #pass(): boolean {
    let progress = this.#takeNewQueues();
    if (this.#runningCount > 0 && this.#retire()) progress = true;
    if (this.dependencies.lookAround()) progress = true;
    for (let index = 0; index < this.#queues.length; index += 1) {
      const queue = this.#queues[index]!;
      if (queue.advance()) progress = true;
      if (queue.retire()) {
        this.#queues.splice(index, 1);
        index -= 1;
      }
    }
    if (this.dependencies.hasNews) progress = true;
    if (this.#runningCount > 0) this.#watchTime();
    if (this.#condemned.size > 0 && this.#buryWorkers()) progress = true;
    if (this.#accountForDeaths()) progress = true;
    if (this.#bereaved.size > 0 && this.#endBereaved()) progress = true;
    return progress;
  }

  #takeNewQueues(): boolean {
    const list = this.#start.layout.processor + processorWords.newQueues;
    return takeNewQueues(this, list, undefined, ({ reader }) => this.#queues.push(reader));
  }

  /** Takes note of launches that have ended. */
  #retire(): boolean {
    const { words } = this.control;
    let progress = false;
    for (let slot = 0; slot < launchSlots; slot += 1) {
      const running = this.#running[slot];
      if (!running || this.launches.state(slot) !== launchState.done) continue;
      this.#running[slot] = undefined;
      this.#runningCount -= 1;
      const { command } = running;
      this.dependencies.ended(command.event);
      this.events.release(command.event);
      Atomics.store(words, this.launches.base(slot) + launchWords.state, launchState.free);
      command.queue.launchEnded(command);
      progress = true;
    }
    return progress;
  }

  /** Fails launches that run too long, and condemns the workers that do not leave them. */
  #watchTime(): void {
    const lost = Atomics.load(this.control.words, this.#start.layout.processor + processorWords.lost) !== 0;
    for (let slot = 0; slot < launchSlots; slot += 1) {
      const running = this.#running[slot];
      if (!running || this.launches.state(slot) !== launchState.active) continue;
      if (lost)
        this.launches.fail(slot, statusCodes.CL_DEVICE_NOT_AVAILABLE, 'no compute thread could start');
      if (running.timeout === 0) continue;
      const started = this.events.time(running.command.event, eventTime.started);
      if (started === 0) continue;
      const time = now();
      if (running.killAt !== noDeadline) {
        if (time >= running.killAt) this.#condemn(slot, running);
      } else if (time > started + running.timeout) {
        running.killAt = time + grace;
        const waiting = describeWaiting(this.#waiting.describe(slot));
        const why = `it ran longer than the time-out of ${running.timeout / 1e6} ms`;
        this.launches.fail(
          slot,
          statusCodes.CL_OUT_OF_RESOURCES,
          `the kernel was stopped: ${why}${waiting && `; ${waiting}`}`,
        );
      }
    }
  }

  #condemn(slot: number, running: RunningLaunch): void {
    const { words } = this.control;
    const { workers, workerCount } = this.#start.layout;
    let any = false;
    for (let worker = 0; worker < workerCount; worker += 1) {
      const self = workers + worker * workerWords.size;
      if (Atomics.compareExchange(words, self + workerWords.current, slot + 1, -1) !== slot + 1) continue;
      this.#condemned.set(worker, slot);
      Atomics.store(words, self + workerWords.kill, -1);
      any = true;
    }
    running.killAt = now() + grace;
    if (any) this.events.wakeHost();
    // Its own work-groups have run, and so has what it led to, but for what waits for events that nobody completes.
    else if (
      this.launches.isAtEnd(slot) &&
      !this.#waiting.failUserEvents(slot) &&
      this.#waiting.abandon(slot)
    )
      this.launches.complete(slot);
  }

  get #mayBeStuck(): boolean {
    return this.#runningCount > 0 && this.#waiting.mayBe;
  }

  /** Fails launches that wait, with something that they led to, for events that nothing is left to complete. */
  #failStuck(): void {
    this.#running.forEach((running, slot) => {
      if (!running || this.launches.state(slot) !== launchState.active) return;
      if (!this.#waiting.isStuck(slot)) {
        running.stuckSince = 0;
        return;
      }
      const time = now();
      running.stuckSince ||= time;
      if (time < running.stuckSince + stuckTime) return;
      this.launches.fail(slot, statusCodes.CL_OUT_OF_RESOURCES, this.#waiting.whyStuck(slot));
      if (!this.#waiting.failUserEvents(slot) && this.#waiting.abandon(slot)) this.launches.complete(slot);
    });
  }

  /** Accounts for the chunks of workers that the host has ended. */
  #buryWorkers(): boolean {
    const { words } = this.control;
    let progress = false;
    for (const [worker, slot] of this.#condemned) {
      const kill = this.#start.layout.workers + worker * workerWords.size + workerWords.kill;
      if (Atomics.compareExchange(words, kill, 2, 0) !== 2) continue;
      this.#condemned.delete(worker);
      this.#leaveFor(worker, slot);
      progress = true;
    }
    return progress;
  }

  /** Fails launches that lost a chunk with the thread that ran it. */
  #accountForDeaths(): boolean {
    const { words } = this.control;
    const { processor, workers, workerCount } = this.#start.layout;
    const deaths = Atomics.load(words, processor + processorWords.deaths);
    if (deaths === this.#deaths) return false;
    this.#deaths = deaths;
    for (let worker = 0; worker < workerCount; worker += 1) {
      const self = workers + worker * workerWords.size;
      const slot = Atomics.load(words, self + workerWords.diedIn) - 1;
      if (slot < 0) continue;
      if (this.launches.state(slot) === launchState.active) {
        this.launches.fail(
          slot,
          statusCodes.CL_OUT_OF_RESOURCES,
          'a compute thread ended while it ran the kernel',
        );
        const launch = Atomics.exchange(words, self + workerWords.diedInNested, 0);
        if (launch !== 0) this.#nested.leave(launch);
        this.#bereaved.add(slot);
      }
      Atomics.store(words, self + workerWords.diedIn, 0);
    }
    return true;
  }

  /**
   * Whether the worker that ended had a chunk nobody can tell. But when no other is at the launch any more, the chunks that have not
   * been left are those that were lost.
   */
  #endBereaved(): boolean {
    let progress = false;
    for (const slot of this.#bereaved) {
      const isActive = this.launches.state(slot) === launchState.active;
      if (isActive && this.launches.isVisited(slot, false)) continue;
      this.#bereaved.delete(slot);
      if (isActive) this.launches.endFailed(slot);
      progress = true;
    }
    return progress;
  }

  /** Accounts for the chunk that a worker had when it was ended. */
  #leaveFor(worker: number, slot: number): void {
    const { words } = this.control;
    const nested = this.#start.layout.workers + worker * workerWords.size + workerWords.diedInNested;
    const launch = Atomics.exchange(words, nested, 0);
    if (launch !== 0) {
      this.#nested.leave(launch);
      return;
    }
    this.launches.leave(slot, 1);
  }

  /** Milliseconds to sleep at most. */
  #patience(): number {
    // Nobody rings when a worker leaves a launch.
    if (this.#bereaved.size > 0) return 1;
    let until = this.#mayBeStuck ? now() + stuckTime : noDeadline;
    for (const running of this.#running) {
      if (!running || running.timeout === 0) continue;
      const started = this.events.time(running.command.event, eventTime.started);
      const deadline = running.killAt !== noDeadline ? running.killAt : (started || now()) + running.timeout;
      until = Math.min(until, deadline);
    }
    return until === noDeadline ? until : Math.max(1, (until - now()) / 1e6 + 1);
  }

  /** Device memory, seen at least up to `end`. */
  #bytes(end: number): Uint8Array {
    if (end > this.#memory.length) this.#memory = new Uint8Array(bufferUpTo(this.#start.memory, end));
    return this.#memory;
  }
}
