/**
 * A command queue of a context on one of its devices: gives commands their events and hands them to the device's
 * end of the queue.
 */
import type { RuntimeBuffer } from './buffer.ts';
import type { CommandBody } from './command.ts';
import type { Context, QueueMark } from './context.ts';
import type { Device, DeviceQueue } from './device.ts';
import { RuntimeEvent } from './event.ts';
import { waitListError } from './event-table.ts';
import { commandObserver } from './observe.ts';
import { executionStatus, type OpenCLError, statusCodes } from './status.ts';

export interface CommandQueueOptions {
  readonly outOfOrder?: boolean | undefined;
  /** Milliseconds that one launch may run; 0, the default, for ever. */
  readonly timeout?: number | undefined;
  /** Whether the times of commands will be asked for; default true. */
  readonly profiling?: boolean | undefined;
}

/** So many failures are kept; programs that never ask are not told of more. */
const mostFailures = 64;

/** Longer wait lists are gathered by markers, so that a command always fits into a chunk of its stream. */
const longestWaitList = 512;

export class CommandQueue {
  readonly context: Context;
  readonly device: Device;
  readonly outOfOrder: boolean;
  readonly #native: DeviceQueue;
  #submitted = 0;
  /** The event of the newest command, held; 0 if there is none. */
  #last = 0;
  #mark: QueueMark | undefined;
  #isReleased = false;
  /** What is to be done when the last command of a released queue has ended. */
  readonly #atEnd: (() => void)[] = [];
  /** Of commands that failed and of which nobody has been told, oldest first. */
  #failures: { readonly slot: number; readonly error: OpenCLError }[] = [];

  constructor(context: Context, device: Device, options: CommandQueueOptions = {}) {
    this.context = context;
    this.device = device;
    this.outOfOrder = options.outOfOrder ?? false;
    this.#native = context.opened(device).createQueue({
      outOfOrder: this.outOfOrder,
      timeout: options.timeout || context.timeout,
      profiling: (options.profiling ?? true) || commandObserver() !== undefined,
    });
    context.queues.add(this);
  }

  /**
   * Hands a command to the device. The result is the caller's to release. `uses` stay allocated until it is done;
   * `prepare` is told the event's slot before the device is.
   */
  enqueue(
    type: number,
    body: CommandBody,
    waits: readonly RuntimeEvent[],
    uses: readonly (RuntimeBuffer | undefined)[] = [],
    prepare?: (slot: number) => void,
  ): RuntimeEvent {
    return new RuntimeEvent(this.context, this, type, this.#hand(type, body, waits, uses, 3, prepare));
  }

  /** The same for a command whose event nobody asks for, which is cheaper. */
  enqueueUnseen(
    type: number,
    body: CommandBody,
    waits: readonly RuntimeEvent[],
    uses: readonly (RuntimeBuffer | undefined)[],
  ): void {
    this.#hand(type, body, waits, uses, 2);
  }

  /** Gives the slot of the command's event, with so many holders: the device, this queue, and perhaps the caller. */
  #hand(
    type: number,
    body: CommandBody,
    waits: readonly RuntimeEvent[],
    uses: readonly (RuntimeBuffer | undefined)[],
    holders: 2 | 3,
    prepare?: (slot: number) => void,
  ): number {
    const { events } = this.context;
    let slots = this.#waitSlots(waits);
    if (slots.length === 0 && this.#waitsForNone(body, waits)) slots = [this.#endedSlot()];
    const slot = events.allocate(holders);
    prepare?.(slot);
    commandObserver()?.command(this, type, body, slot, 0);
    try {
      this.#native.submit({ body, event: slot, waits: slots });
    } catch (error) {
      for (const wait of slots) events.release(wait);
      events.complete(slot, statusCodes.CL_OUT_OF_RESOURCES);
      for (let left: number = holders; left > 0; left -= 1) events.release(slot);
      throw error;
    }
    this.#submitted += 1;
    this.#mark = undefined;
    const mark = uses.length > 0 ? this.mark() : undefined;
    for (const buffer of uses) buffer?.use(mark!);
    if (this.#last !== 0) events.release(this.#last);
    this.#last = slot;
    return slot;
  }

  /**
   * An event for something that the host does itself, here and now, if nothing that it waits for has failed: `act`, which moves
   * so many bytes.
   */
  completed(type: number, waits: readonly RuntimeEvent[], bytes = 0, act?: () => void): RuntimeEvent {
    const { events } = this.context;
    const slot = events.allocate(1);
    const failed = waits.some((wait) => wait.status < executionStatus.complete);
    if (!failed && act) {
      events.start(slot);
      act();
    }
    events.complete(slot, failed ? waitListError : executionStatus.complete);
    commandObserver()?.command(this, type, undefined, slot, bytes);
    return new RuntimeEvent(this.context, this, type, slot);
  }

  /** See DeviceQueue. */
  get owner(): number {
    return this.#native.owner;
  }

  /** The command of an event has failed. */
  addFailure(slot: number, error: OpenCLError): void {
    this.#failures.push({ slot, error });
    if (this.#failures.length > mostFailures) this.#failures.shift();
  }

  /** Somebody has been told of it. */
  forgetFailure(slot: number): void {
    this.context.lookForFailures();
    // Slots are used again: it is the latest.
    const index = this.#failures.findLastIndex((failure) => failure.slot === slot);
    if (index >= 0) this.#failures.splice(index, 1);
  }

  /** The first failure of a command of which nobody has been told, if there is one; all of them are forgotten. */
  takeFailure(): OpenCLError | undefined {
    this.context.lookForFailures();
    const first = this.#failures[0]?.error;
    if (first) this.#failures = [];
    return first;
  }

  /**
   * Waits for what a blocking command of an in-order queue waits for, before it is enqueued.
   * @throws OpenCLError what an earlier command failed with, if nobody has been told; CL_INVALID_OPERATION
   */
  settle(waits: readonly RuntimeEvent[]): void {
    if (this.outOfOrder) return;
    this.finish();
    // Of these the command itself tells.
    for (const wait of waits) wait.wait();
    if (waits.some((wait) => wait.status < executionStatus.complete)) return;
    const failure = this.takeFailure();
    if (failure) throw failure;
  }

  /** Whether a command enqueued now would have nothing to wait for. */
  isReady(waits: readonly RuntimeEvent[]): boolean {
    return this.isIdle && waits.every((wait) => wait.isDone);
  }

  get isIdle(): boolean {
    if (this.#last === 0) return true;
    const isIdle = this.outOfOrder
      ? this.#native.completed() === this.#submitted
      : this.context.events.isDone(this.#last);
    if (isIdle) this.context.printing.flush();
    return isIdle;
  }

  /** The point after all commands so far. */
  mark(): QueueMark {
    this.#mark ??= { queue: this, count: this.#submitted };
    return this.#mark;
  }

  hasPassed(count: number): boolean {
    return this.#native.completed() >= count;
  }

  /**
   * Whether all commands so far have ended, well or not, as their events tell. The device counts a command some time after it has told
   * of its end; see {@link hasPassed}.
   */
  get isOver(): boolean {
    return !this.context.events.hasOpen(this.owner);
  }

  flush(): void {
    this.#native.flush();
  }

  /** Resolves when the device's threads run. Only a worker of a page must wait for that, before it first blocks. */
  async ready(): Promise<void> {
    await this.#native.ready?.();
  }

  /**
   * Sleeps until all commands have ended.
   * @throws OpenCLError CL_INVALID_OPERATION where this thread may not sleep
   */
  finish(): void {
    if (this.isIdle) return;
    const end = this.#endEvent();
    try {
      end.block();
    } finally {
      end.release();
    }
    this.context.given.tidy();
  }

  /** Resolves when all commands enqueued so far have ended, well or not. */
  finished(): Promise<void> {
    return new Promise((resolve) => this.whenFinished(resolve));
  }

  /** Calls `then` when all commands enqueued so far have ended: at once if there are none. */
  whenFinished(then: () => void): void {
    if (this.isIdle) {
      then();
      return;
    }
    const end = this.#endEvent();
    end.whenDone(() => {
      end.release();
      this.context.given.tidy();
      then();
    });
  }

  /** The same for a queue that may have been released: then when its last command has ended. */
  whenEmpty(then: () => void): void {
    if (!this.context.queues.has(this)) then();
    else if (this.#isReleased) this.#atEnd.push(then);
    else this.whenFinished(then);
  }

  /** No more commands will come. Those enqueued still run. */
  release(): void {
    // Waiting for the end may take one more command.
    this.whenFinished(() => this.#forget());
    this.#isReleased = true;
    this.#native.release();
  }

  /** The same for a queue that nobody can reach: no process lives on for what is still in it. */
  drop(): void {
    const end = this.mark();
    this.#isReleased = true;
    this.#native.release();
    this.context.runAfter([end], () => this.#forget());
  }

  #forget(): void {
    if (!this.context.queues.delete(this) || this.context.closed) return;
    if (this.#last !== 0) this.context.events.release(this.#last);
    this.#last = 0;
    for (const task of this.#atEnd.splice(0)) task();
  }

  /** An event that ends when all commands so far have. */
  #endEvent(): RuntimeEvent {
    const { events } = this.context;
    if (this.outOfOrder) return this.enqueue(0, { kind: 'marker' }, []);
    events.retain(this.#last);
    return new RuntimeEvent(this.context, this, 0, this.#last);
  }

  /**
   * Whether a command must not be taken, for its empty wait list, for one that waits for all before it: there was a list, of events
   * that are over, or it is no marker of a program's.
   */
  #waitsForNone(body: CommandBody, waits: readonly RuntimeEvent[]): boolean {
    if (!this.outOfOrder) return false;
    if (body.kind === 'barrier') return waits.length > 0;
    return body.kind === 'marker' && (waits.length > 0 || body.gathers === false);
  }

  /** An event that is over, for the device to release. */
  #endedSlot(): number {
    const { events } = this.context;
    const slot = events.allocate(1);
    events.complete(slot, executionStatus.complete);
    return slot;
  }

  /** The slots a command must look at, each retained; those that are complete need no look. */
  #waitSlots(waits: readonly RuntimeEvent[]): number[] {
    if (waits.length === 0) return noSlots;
    const { events } = this.context;
    let open = waits.filter((wait) => wait.status !== executionStatus.complete);
    while (open.length > longestWaitList) {
      const gathered: RuntimeEvent[] = [];
      for (let from = 0; from < open.length; from += longestWaitList) {
        gathered.push(this.enqueue(0, { kind: 'marker' }, open.slice(from, from + longestWaitList)));
      }
      open = gathered;
    }
    return open.map((wait) => {
      events.retain(wait.slot);
      return wait.slot;
    });
  }
}

const noSlots: number[] = [];
