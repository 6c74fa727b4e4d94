/**
 * A context: a queue for programs and one for copies, the handles by which it knows resources, the modules that are loaded
 * into it, what is bound to their names, and its events.
 */
import type { CommandQueue } from '../../runtime/queue.ts';
import { OpenCLError } from '../../runtime/status.ts';
import type { Command } from './command.ts';
import * as C from './constants.ts';
import type { Counter } from './counters.ts';
import type { CalDevice } from './device.ts';
import { badHandle, CalError } from './error.ts';
import { CalObject } from './handles.ts';
import type { Module } from './module.ts';
import { orFailed, type Resource } from './resource.ts';

/** A resource as a context knows it. */
export class Mem extends CalObject {
  readonly context: CalContext;
  readonly resource: Resource;

  constructor(context: CalContext, resource: Resource) {
    super();
    this.context = context;
    this.resource = resource;
  }
}

/** So many commands wait at most for a flush before they are dispatched anyhow. */
const longestQueue = 256;

/** Events are numbers: that of the context above, and below the command's place among its commands. */
const placeBits = 20;
const places = 1 << placeBits;
const contextNumbers = 1 << (31 - placeBits);
let contextsMade = 0;

export class CalContext extends CalObject {
  readonly device: CalDevice;
  readonly mems = new Set<Mem>();
  readonly modules = new Set<Module>();
  readonly counters = new Set<Counter>();
  readonly queue: CommandQueue;
  #copyQueue: CommandQueue | undefined;
  #deferred: Command[] = [];
  /** Commands that may not have ended, and those that failed, by their place. */
  readonly #open = new Map<number, Command>();
  #issued = 0;
  readonly #number: number;

  constructor(device: CalDevice) {
    super();
    this.device = device;
    this.queue = device.newQueue();
    contextsMade += 1;
    this.#number = contextsMade % contextNumbers;
  }

  get copyQueue(): CommandQueue {
    this.#copyQueue ??= this.device.newQueue();
    return this.#copyQueue;
  }

  /** Takes a program's run, which waits for a flush; gives its event. */
  defer(command: Command): number {
    this.#deferred.push(command);
    const event = this.#newEvent(command);
    if (this.#deferred.length >= longestQueue) this.flush();
    return event;
  }

  /** Takes a copy, which begins at once, but not before programs in the queue that use its memory; gives its event. */
  begin(command: Command): number {
    if (this.#deferred.some((earlier) => earlier.conflictsWith(command.uses))) this.flush();
    command.dispatch();
    return this.#newEvent(command);
  }

  /** Dispatches what waits in the queue, if some of it uses a resource. */
  flushFor(resource: Resource): void {
    if (this.#deferred.some(({ uses }) => uses.some((use) => use.resource === resource))) this.flush();
  }

  /** Dispatches what waits in the queue. */
  flush(): void {
    const commands = this.#deferred;
    this.#deferred = [];
    for (const command of commands) command.dispatch();
  }

  /**
   * Dispatches what waits and says whether the event's command has ended.
   * @throws CalError CAL_RESULT_BAD_HANDLE, or CAL_RESULT_ERROR if its command failed
   */
  isEventDone(event: number): boolean {
    const command = this.#commandOf(event);
    this.flush();
    if (!command) return true;
    if (!command.isDone) return false;
    if (command.failure !== undefined) throw new CalError(C.CAL_RESULT_ERROR, command.failure);
    this.#open.delete(event % places);
    return true;
  }

  /**
   * Sleeps until the commands of all events have ended.
   * @throws CalError CAL_RESULT_BAD_HANDLE, or CAL_RESULT_ERROR if one failed or this thread may not sleep
   */
  waitForEvents(events: readonly number[]): void {
    const commands = events.map((event) => this.#commandOf(event));
    this.flush();
    for (const command of commands) orFailed(() => command?.wait());
    for (const event of events) this.isEventDone(event);
  }

  /** Resolves when the event's command has ended. @throws CalError CAL_RESULT_BAD_HANDLE */
  async eventEnded(event: number): Promise<void> {
    const command = this.#commandOf(event);
    this.flush();
    await command?.ended;
  }

  /** Undefined if it ended well and was forgotten. */
  #commandOf(event: number): Command | undefined {
    const place = event % places;
    const isOwn = Number.isInteger(event) && Math.floor(event / places) === this.#number;
    const wasIssued = place > 0 && (place <= this.#issued || this.#issued >= places);
    if (!isOwn || !wasIssued) throw badHandle(`${event} is no event of the context`);
    return this.#open.get(place);
  }

  #newEvent(command: Command): number {
    this.#issued += 1;
    let place = this.#issued % places;
    // 0 is no event.
    if (place === 0) {
      this.#issued += 1;
      place = 1;
    }
    this.#open.set(place, command);
    if (this.#open.size > 2 * longestQueue) this.#forget();
    return this.#number * places + place;
  }

  /** Those that nobody asks for would be kept for ever. */
  #forget(): void {
    for (const [place, command] of this.#open) {
      if (command.isDone && command.failure === undefined) this.#open.delete(place);
    }
  }

  /** Ends it: its commands are completed, as far as this thread may wait, then everything is let go. */
  destroy(): void {
    this.flush();
    for (const queue of [this.queue, this.#copyQueue]) {
      try {
        for (const command of this.#open.values()) command.wait();
        queue?.finish();
      } catch (error) {
        if (!(error instanceof OpenCLError)) throw error;
        // This thread may not sleep: the device ends the commands by itself, and memory is freed after them.
      }
      queue?.release();
    }
    for (const module of this.modules) module.release();
    for (const mem of this.mems) mem.resource.mems.delete(mem);
    this.modules.clear();
    this.mems.clear();
  }
}
