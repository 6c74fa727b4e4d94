/**
 * An event as the host holds it: a slot of the context's event table, and what the API reports about it.
 *
 * Programs that drop the events of their commands may make millions of them without ever leaving a loop, so that no finalizer runs. So
 * the event of a command that has ended well keeps its times itself and gives the slot back ({@link GivenEvents}); should it be
 * needed again, there is a new one.
 */
import type { Context } from './context.ts';
import { type EventTime, eventTime, waitListError } from './event-table.ts';
import type { CommandQueue } from './queue.ts';
import { executionStatus, OpenCLError, statusName } from './status.ts';

export class RuntimeEvent {
  readonly context: Context;
  /** Undefined for user events. */
  readonly queue: CommandQueue | undefined;
  /** CL_COMMAND_*. */
  readonly commandType: number;
  #slot: number;
  /** By {@link EventTime} + 1: of a command that has ended well, whose slot others may have now. */
  #times: readonly number[] | undefined;
  #released = false;
  #isWatched = false;
  /** Those who sleep know it by its slot. */
  #waiting = 0;
  #done: Promise<void> | undefined;

  /** Takes over one reference of the slot. */
  constructor(context: Context, queue: CommandQueue | undefined, commandType: number, slot: number) {
    this.context = context;
    this.queue = queue;
    this.commandType = commandType;
    this.#slot = slot;
    if (context.releasesAll) return;
    if (queue) context.given.add(this);
    else this.#watch();
  }

  /** In the context's event table. */
  get slot(): number {
    if (this.#times) this.#takeSlot(this.#times);
    return this.#slot;
  }

  /** One that a program drops without releasing gives its slot back when it is collected. */
  #watch(): void {
    this.#isWatched = true;
    this.context.watchEvent(this, this.#slot);
  }

  /** Gives the slot back if the command has ended well. Whether nothing has to be done about this event any more. */
  letGo(): boolean {
    const { context } = this;
    if (this.#released || this.#isWatched || context.closed) return true;
    if (this.#waiting > 0) return false;
    const { events } = context;
    const status = events.status(this.#slot);
    if (status > executionStatus.complete) return false;
    // What an error was is known by the slot.
    if (status < executionStatus.complete) this.#watch();
    else {
      this.#times = eventTimes.map((which) => events.time(this.#slot, which));
      events.release(this.#slot);
    }
    return true;
  }

  /** A slot again, of a command that has ended. */
  #takeSlot(times: readonly number[]): void {
    const { events } = this.context;
    this.#times = undefined;
    this.#slot = events.allocate(1);
    events.complete(this.#slot, executionStatus.complete);
    for (const [index, which] of eventTimes.entries()) events.setTime(this.#slot, which, times[index]!);
    this.#watch();
  }

  /** CL_QUEUED (3), CL_SUBMITTED, CL_RUNNING, CL_COMPLETE (0), or the negative code of an error. */
  get status(): number {
    const status = this.#times ? executionStatus.complete : this.context.events.status(this.#slot);
    // What a command has printed is out before anybody learns of its end.
    if (status <= executionStatus.complete) this.context.printing.flush();
    return status;
  }

  get isDone(): boolean {
    return this.status <= executionStatus.complete;
  }

  /** Nanoseconds on a clock of the process; 0n for a state not reached. */
  time(which: EventTime): bigint {
    const time = this.#times?.[eventTimes.indexOf(which)] ?? this.context.events.time(this.#slot, which);
    return BigInt(Math.round(time));
  }

  /** Why the command failed, in words; undefined if it did not. */
  get errorMessage(): string | undefined {
    const { status } = this;
    if (status >= executionStatus.complete) return undefined;
    const said = this.context.events.message(this.#slot);
    if (said !== undefined) return said;
    return status === waitListError
      ? 'an event in the wait list of this command failed'
      : `the command failed with ${statusName(status)}`;
  }

  /** The command's failure as an error; undefined if it did not fail. Who asks is told: see {@link noticeFailure}. */
  get error(): OpenCLError | undefined {
    const { status } = this;
    if (status >= executionStatus.complete) return undefined;
    this.noticeFailure();
    return new OpenCLError(status, this.errorMessage!);
  }

  /** If the command has failed, the program is being told: a call that waits for the whole queue need not tell it again. */
  noticeFailure(): void {
    if (this.status < executionStatus.complete) this.queue?.forgetFailure(this.#slot);
  }

  /** Resolves when the command is complete; rejects with an OpenCLError when it fails. */
  get done(): Promise<void> {
    this.#done ??= new Promise((resolve, reject) => {
      this.context.notifications.whenDone(this.slot, () => {
        const { error } = this;
        if (error) reject(error);
        else if (this.isDone) resolve();
        else
          reject(new OpenCLError('CL_INVALID_CONTEXT', 'the context was released before the command ended'));
      });
    });
    return this.#done;
  }

  /** Sleeps until the command has ended, well or not. Who waits is told how by the event: see {@link noticeFailure}. */
  wait(): void {
    this.block();
    this.noticeFailure();
  }

  /** The same for those who do not look at this event. */
  block(): void {
    this.#waiting += 1;
    try {
      this.context.notifications.block(this.slot, this.queue?.device.eagerWait);
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Calls `then` once the command has ended; see Notifications. */
  whenDone(then: () => void): void {
    this.context.notifications.whenDone(this.slot, then);
  }

  /** Calls `then` once the command has reached an execution status or passed it; see Notifications. */
  whenReached(status: number, then: () => void): void {
    if (status === executionStatus.complete) this.context.notifications.whenDone(this.slot, then);
    else this.context.notifications.whenReached(this.slot, status, then);
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    if (this.#isWatched) this.context.forgetEvent(this);
    if (!this.context.closed && !this.#times) this.context.releaseEvent(this.#slot);
  }
}

const eventTimes: readonly EventTime[] = Object.values(eventTime);

/** So many events are looked at together. */
const fewGiven = 1024;

/** The events of commands that have not been released and hold a slot. */
export class GivenEvents {
  #events: RuntimeEvent[] = [];
  #enough = fewGiven;

  add(event: RuntimeEvent): void {
    this.#events.push(event);
    if (this.#events.length >= this.#enough) this.lookAround();
  }

  /** Those of commands that have ended are left to the program, without a slot. */
  lookAround(): void {
    this.#events = this.#events.filter((event) => !event.letGo());
    this.#enough = Math.max(fewGiven, 2 * this.#events.length);
  }

  /** The same where it is worth while: all commands have ended, and perhaps no more will come. */
  tidy(): void {
    if (this.#enough > fewGiven) this.lookAround();
  }

  /** The context has ended. */
  clear(): void {
    this.#events = [];
  }
}

/** An event that the program itself completes (OpenCL 1.2, 5.9). `commandType` is CL_COMMAND_USER. */
export function createUserEvent(context: Context, commandType: number): RuntimeEvent {
  const slot = context.events.allocate(1);
  context.events.submit(slot);
  context.addUserEvent(slot);
  return new RuntimeEvent(context, undefined, commandType, slot);
}

/** Ends a user event. True unless it had ended before. */
export function completeUserEvent(event: RuntimeEvent, status: number): boolean {
  if (event.isDone) return false;
  event.context.removeUserEvent(event.slot);
  event.context.events.complete(event.slot, status);
  return true;
}

export { eventTime };
