/**
 * The launches that a launch leads to (OpenCL 2.0, 6.13.17), on one thread: which of them may begin, which events they
 * wait for and end, and when all of them are complete. The interpreter and devices without threads run by it; what the functions of
 * src/ir/device-queues.ts mean stands here.
 */

import { enqueueFlags, profilingExecutionTime, queueStatus } from '../ir/device-queues.ts';
import type { EnqueueRequest, LaunchScheduler } from '../ir/interpreter/launch-scheduler.ts';
import { mostDeviceEvents } from './device-events.ts';
import { describeStuck, markerTitle, userEventTitle, type WaitingLaunch } from './waiting-launches.ts';

/** The queues that a device has for its kernels. */
export interface DeviceQueues {
  /** The number of the default queue; 0 for none. */
  readonly defaultQueue: number;
  /** How many launches of a queue may be waiting or running; undefined for what is no queue. */
  capacityOf(queue: number): number | undefined;
}

const states = { complete: 0, running: 1, submitted: 2, queued: 3 } as const;
/** What a launch ends with that waited for an event that failed. */
const failedWait = -14;

interface Event {
  readonly isUser: boolean;
  /** The launch that completes it; of a user event undefined. */
  maker: Launch<unknown> | undefined;
  status: number;
  references: number;
  readonly waiting: Launch<unknown>[];
  /** Nanoseconds: when it began, ended, and was complete with all that it led to. */
  started: number;
  ended: number;
  completed: number;
  /** Where its times are wanted. */
  readonly captures: number[];
}

interface Launch<T> {
  /** Undefined for a marker. */
  readonly body: T | undefined;
  readonly queue: number;
  readonly parent: Launch<T> | undefined;
  readonly event: Event | undefined;
  /** What must happen before it begins. */
  waits: number;
  /** The events among that. */
  readonly waitsFor: Event[];
  /** It waited for an event that failed, and does not run. */
  failed: boolean;
  /** Itself and its children, as long as they are not complete. */
  pending: number;
  /** Children that begin when it has run. */
  readonly deferred: Launch<T>[];
}

export class NestedLaunches<T> implements LaunchScheduler<T> {
  readonly #queues: DeviceQueues;
  readonly #now: () => number;
  readonly #writeTimes: (place: number, execution: bigint, completion: bigint) => void;
  readonly #root: Launch<T>;
  /** The launch whose work-items run. */
  #current: Launch<T>;
  readonly #ready: Launch<T>[] = [];
  #nextReady = 0;
  /** Those that wait for the work-group that runs. */
  #forGroup: Launch<T>[] = [];
  readonly #events = new Map<number, Event>();
  #lastEvent = 0;
  readonly #counts = new Map<number, number>();
  /** Launches that have not begun and waited for events when they were made. */
  readonly #waiting = new Set<Launch<T>>();

  /**
   * @param now the time in nanoseconds
   * @param writeTimes takes what capture_event_profiling_info asked for
   */
  constructor(
    queues: DeviceQueues,
    now: () => number,
    writeTimes: (place: number, execution: bigint, completion: bigint) => void,
  ) {
    this.#queues = queues;
    this.#now = now;
    this.#writeTimes = writeTimes;
    this.#root = launchOf<T>(undefined, 0, undefined, undefined);
    this.#current = this.#root;
  }

  get defaultQueue(): number {
    return this.#queues.defaultQueue;
  }

  /** All launches that there were are complete. */
  get isComplete(): boolean {
    return this.#root.pending === 0;
  }

  stuck(titleOf: (body: T) => string): string {
    return describeStuck(this.#waitingLaunches(titleOf));
  }

  /** The launches that wait for events, and for which. */
  #waitingLaunches(titleOf: (body: T) => string): WaitingLaunch[] {
    const nameOf = ({ body }: Launch<T>): string => (body === undefined ? markerTitle : titleOf(body));
    return [...this.#waiting].map((launch) => ({
      title: nameOf(launch),
      waitsFor: launch.waitsFor
        .filter(({ status }) => status > 0)
        .map(({ maker }) => (maker ? nameOf(maker as Launch<T>) : userEventTitle)),
    }));
  }

  // ------------------------------------------------------------------------------------- what kernels call

  /** A status, and the event where one was wanted. */
  enqueue({ queue, flags, waits, wantsEvent, body }: EnqueueRequest<T>): { status: number; event: number } {
    const refused = (status: number) => ({ status, event: 0 });
    const capacity = this.#queues.capacityOf(queue);
    if (capacity === undefined) return refused(queueStatus.invalidQueue);
    const events = waits?.map((handle) => this.#events.get(handle));
    if (events === undefined || events.includes(undefined)) return refused(queueStatus.invalidWaitList);
    if (!Object.values(enqueueFlags).some((one) => one === flags)) return refused(queueStatus.enqueueFailure);
    const count = this.#counts.get(queue) ?? 0;
    if (count >= capacity) return refused(queueStatus.queueFull);
    const handle = wantsEvent ? this.#newEvent(false) : 0;
    if (handle === undefined) return refused(queueStatus.eventAllocationFailure);
    this.#counts.set(queue, count + 1);
    const own = this.#events.get(handle);
    const launch = launchOf(body, queue, this.#current, own);
    if (own) own.maker = launch as Launch<unknown>;
    this.#current.pending += 1;
    for (const event of events) this.#awaitEvent(launch, event!);
    if (flags === enqueueFlags.waitKernel) this.#current.deferred.push(launch);
    else if (flags === enqueueFlags.waitWorkGroup) this.#forGroup.push(launch);
    else this.#release(launch);
    return { status: queueStatus.success, event: handle };
  }

  /** 0 if there are too many. */
  createUserEvent(): number {
    return this.#newEvent(true) ?? 0;
  }

  retain(handle: number): void {
    const event = this.#events.get(handle);
    if (event) event.references += 1;
  }

  releaseEvent(handle: number): void {
    const event = this.#events.get(handle);
    if (!event) return;
    event.references -= 1;
    if (event.references === 0) this.#events.delete(handle);
  }

  isValid(handle: number): boolean {
    return this.#events.has(handle);
  }

  /** Only events of the user's making, and only once. */
  setStatus(handle: number, status: number): void {
    const event = this.#events.get(handle);
    if (event?.isUser && event.status > 0 && status <= 0) this.#endEvent(event, status);
  }

  capture(handle: number, what: number, place: number): void {
    const event = this.#events.get(handle);
    if (!event || event.isUser || what !== profilingExecutionTime) return;
    event.captures.push(place);
    if (event.status <= 0) this.#writeCaptures(event);
  }

  // --------------------------------------------------------------------------------------- what runs them

  /** The launch that is to run now; it is current from here on. Undefined if none can. */
  next(): T | undefined {
    for (;;) {
      const launch = this.#ready[this.#nextReady];
      if (!launch) return undefined;
      this.#nextReady += 1;
      if (this.#nextReady > 1024 && this.#nextReady * 2 > this.#ready.length) {
        this.#ready.splice(0, this.#nextReady);
        this.#nextReady = 0;
      }
      this.#current = launch;
      if (launch.event) {
        launch.event.started = this.#now();
        launch.event.status = states.running;
      }
      if (launch.body !== undefined && !launch.failed) return launch.body;
      this.ended();
    }
  }

  /** A work-group of the current launch has run. */
  groupEnded(): void {
    const launches = this.#forGroup;
    if (launches.length === 0) return;
    this.#forGroup = [];
    for (const launch of launches) this.#release(launch);
  }

  /** The current launch has run. */
  ended(): void {
    const launch = this.#current;
    this.groupEnded();
    if (launch.event) launch.event.ended = this.#now();
    if (launch !== this.#root) this.#counts.set(launch.queue, this.#counts.get(launch.queue)! - 1);
    for (const child of launch.deferred.splice(0)) this.#release(child);
    let done: Launch<T> | undefined = launch;
    while (done) {
      done.pending -= 1;
      if (done.pending > 0) return;
      if (done.event) this.#endEvent(done.event, done.failed ? failedWait : states.complete);
      done = done.parent;
    }
  }

  #release(launch: Launch<T>): void {
    launch.waits -= 1;
    if (launch.waits > 0) return;
    this.#waiting.delete(launch);
    if (launch.event) launch.event.status = states.submitted;
    this.#ready.push(launch);
  }

  #awaitEvent(launch: Launch<T>, event: Event): void {
    if (event.status < 0) launch.failed = true;
    if (event.status <= 0) return;
    launch.waits += 1;
    launch.waitsFor.push(event);
    this.#waiting.add(launch);
    event.waiting.push(launch as Launch<unknown>);
  }

  #newEvent(isUser: boolean): number | undefined {
    if (this.#events.size >= mostDeviceEvents) return undefined;
    this.#lastEvent += 1;
    this.#events.set(this.#lastEvent, {
      isUser,
      maker: undefined,
      status: isUser ? states.submitted : states.queued,
      references: 1,
      waiting: [],
      started: 0,
      ended: 0,
      completed: 0,
      captures: [],
    });
    return this.#lastEvent;
  }

  #endEvent(event: Event, status: number): void {
    event.status = status;
    event.completed = this.#now();
    this.#writeCaptures(event);
    for (const launch of event.waiting.splice(0) as Launch<T>[]) {
      if (status < 0) launch.failed = true;
      this.#release(launch);
    }
  }

  #writeCaptures({ captures, started, ended, completed }: Event): void {
    // No command takes no time.
    const execution = BigInt(Math.max(1, Math.round(ended - started)));
    const completion = BigInt(Math.max(1, Math.round(completed - started)));
    for (const place of captures.splice(0)) this.#writeTimes(place, execution, completion);
  }
}

function launchOf<T>(
  body: T | undefined,
  queue: number,
  parent: Launch<T> | undefined,
  event: Event | undefined,
): Launch<T> {
  return { body, queue, parent, event, waits: 1, waitsFor: [], failed: false, pending: 1, deferred: [] };
}
