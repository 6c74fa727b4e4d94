/**
 * One command queue's end in the driver: hands it commands and finds out when they have ended.
 *
 * A driver's event costs as much as a small launch, and so does asking for it. In an in-order queue a command that
 * nobody holds but this thread (no event in the program, no wait list) gets none: it has ended when a later one has.
 * When the newest command is such a one, a marker takes its place as the one to look at.
 */
import { type EventTable, eventTime } from '../../runtime/event-table.ts';
import { now } from '../../runtime/host.ts';
import { statusCodes, statusName } from '../../runtime/status.ts';
import type { Dependencies, Pending } from '../wasm/dependencies.ts';
import type { QueueReader } from '../wasm/processor.ts';
import type { DeviceClock } from './device-clock.ts';
import type { Driver } from './driver.ts';
import type { DriverCommands } from './driver-commands.ts';
import type { Range } from './memory-access.ts';
import { wideAt } from './native-layout.ts';

const outOfOrderProperty = 1;
const profilingProperty = 2;
const executionStatus = { running: 1, complete: 0 } as const;
const info = { queued: 0x1280, submit: 0x1281, start: 0x1282, end: 0x1283 } as const;

/** How long (nanoseconds) a marker may take by which the driver's clock is learnt. */
const markerTime = 1e6;
/** Of so many commands that nobody looks at, one gets an event all the same, so that buffers are freed in time. */
const longestUnobserved = 32;

/** What a queue needs of its thread. */
export interface DriverQueueHost {
  readonly driver: Driver;
  /** Handles of the driver's context and device. */
  readonly context: number;
  readonly device: number;
  readonly events: EventTable;
  readonly dependencies: Dependencies;
  readonly commands: DriverCommands;
  readonly clock: DeviceClock;
  /** CL_QUEUED ... CL_COMPLETE or the error code of a driver's event. */
  statusOf(event: number): number;
  /** Brings what a command has written back to the host's memory; a CL error code. */
  publish(range: Range): number;
  /** A command has ended that has written these bytes: what was brought back before its end may not have had all of them. */
  written(range: Range): void;
  /** Commands of which the driver's queue or event can be given back only when they end, if ever. */
  readonly abandoned: { readonly queue: number; readonly event: number }[];
}

export interface DriverQueueOptions {
  /** The reader hands out commands that may overtake each other. */
  readonly outOfOrder: boolean;
  /** The driver's queue is out of order too. */
  readonly driverOutOfOrder: boolean;
  /** Somebody may ask for the times of commands. */
  readonly profiling: boolean;
}

/** A command in the driver. */
interface Running {
  readonly command: Pending;
  /** The driver's event; 0 for a command that nobody looks at. */
  readonly event: number;
  /** Before and after it was enqueued; nanoseconds. Kept for those with a time-out or with profiling. */
  readonly before: number;
  readonly after: number;
  /** When it became the oldest of its queue. */
  since: number;
  /** Nanoseconds that it may take from then; 0 for ever. */
  readonly timeout: number;
  readonly written: readonly Range[];
  /** What it has written is copied back at its end. */
  readonly publishes: boolean;
}

/** A command that the driver refused, and the last one that it had of the queue before, if that matters. */
interface Refused {
  readonly command: Pending;
  readonly status: number;
  readonly last: Running | undefined;
}

export class DriverQueue {
  readonly reader: QueueReader;
  readonly #host: DriverQueueHost;
  readonly #options: DriverQueueOptions;
  readonly #answer = new Int32Array(2);
  readonly #error = new Int32Array(1);
  /** Oldest first. */
  readonly #running: Running[] = [];
  /** Commands that the driver refused: they fail in a later turn, since their reader is still at them. */
  #failed: Refused[] = [];
  /** Handle; 0 when there is none (again). */
  #handle = 0;
  #needsFlush = false;
  /** How many commands at the end of `#running` have no event, and the event of the marker behind them. */
  #unobserved = 0;
  #marker = 0;

  constructor(reader: QueueReader, host: DriverQueueHost, options: DriverQueueOptions) {
    this.reader = reader;
    this.#host = host;
    this.#options = options;
  }

  /** Commands in the driver. */
  get runningCount(): number {
    return this.#running.length;
  }

  get hasFailures(): boolean {
    return this.#failed.some((refused) => this.#isDue(refused));
  }

  /** In order, a command does not end before those ahead of it, though it fails. */
  #isDue({ last }: Refused): boolean {
    return last === undefined || !this.#running.includes(last);
  }

  #fail(command: Pending, status: number): void {
    this.#failed.push({ command, status, last: this.#options.outOfOrder ? undefined : this.#running.at(-1) });
  }

  /** Whether a command must wait until those before it have ended: what is stuck behind one that never ends is lost. */
  mustWait(timeout: number, eager: boolean): boolean {
    return this.#running.length > 0 && !this.#options.outOfOrder && (timeout > 0 || eager);
  }

  /** Hands a command to the driver. `publishes`: what it writes comes back at its end. `timeout` in milliseconds. */
  enqueue(command: Pending, timeout: number, publishes: boolean): void {
    const { events, dependencies, commands } = this.#host;
    const error = this.#handle === 0 ? this.#open() : 0;
    if (error !== 0) {
      this.#fail(command, error);
      return;
    }
    const observed =
      this.#options.outOfOrder ||
      timeout > 0 ||
      publishes ||
      this.#unobserved >= longestUnobserved ||
      !events.isHeldOnce(command.event);
    if (observed) {
      dependencies.own(command.event);
      events.submit(command.event);
    }
    const timed = observed && (timeout > 0 || this.#options.profiling);
    const before = timed ? now() : 0;
    const { event, status, written } = commands.enqueue(this.#handle, command.payload, observed);
    const after = timed ? now() : 0;
    if (status !== 0) {
      this.#fail(command, status);
      return;
    }
    this.#needsFlush = true;
    if (observed) {
      this.#unobserved = 0;
      this.#dropMarker();
    } else {
      this.#unobserved += 1;
    }
    this.#running.push({
      command,
      event,
      before,
      after,
      since: before,
      timeout: timeout * 1e6,
      written,
      publishes,
    });
  }

  /** Sends what has been enqueued on its way. The newest command must be one that can be looked at. */
  flush(): void {
    if (!this.#needsFlush) return;
    this.#needsFlush = false;
    const { driver } = this.#host;
    if (this.#unobserved > 0) {
      this.#dropMarker();
      if (driver.clEnqueueMarkerWithWaitList(this.#handle, 0, null, this.#answer) !== 0) {
        this.#needsFlush = true;
        return;
      }
      this.#marker = wideAt(this.#answer, 0);
    }
    driver.clFlush(this.#handle);
  }

  /** Completes what has ended in the driver, and what it refused. True if there was something. */
  lookAt(): boolean {
    const ended = this.#options.outOfOrder ? this.#lookAtEach() : this.#lookInOrder();
    const due = this.#failed.filter((refused) => this.#isDue(refused));
    if (due.length > 0) this.#failed = this.#failed.filter((refused) => !due.includes(refused));
    for (const { command, status } of due) this.#refuse(command, status);
    return ended || due.length > 0;
  }

  /** Gives the driver's queue back. */
  release(): void {
    this.#dropMarker();
    if (this.#handle !== 0) this.#host.driver.clReleaseCommandQueue(this.#handle);
    this.#handle = 0;
  }

  /** Hands over the driver's events of what runs, for a thread that leaves. */
  takeEvents(): number[] {
    this.flush();
    const events = this.#running.map(({ event }) => event).filter((event) => event !== 0);
    if (this.#marker !== 0) events.push(this.#marker);
    this.#marker = 0;
    this.#running.length = 0;
    return events;
  }

  #lookInOrder(): boolean {
    const running = this.#running;
    let done = 0;
    while (done < running.length) {
      let next = done;
      while (next < running.length && running[next]!.event === 0) next += 1;
      const entry = running[next];
      if (!entry && this.#marker === 0) break;
      const status = this.#host.statusOf(entry?.event ?? this.#marker);
      if (status > executionStatus.complete) {
        if (entry) this.#stillRunning(entry, status, next - done);
        if (entry && this.#exceeded(entry)) {
          // Only commands without a time-out go unobserved, so this is the oldest.
          running.splice(0, done + 1);
          this.#abandon(entry);
          return true;
        }
        break;
      }
      for (; done < next; done += 1) this.#forget(running[done]!);
      if (!entry) {
        this.#dropMarker();
        this.#unobserved = 0;
        break;
      }
      done += 1;
      this.#ended(entry, status);
      const following = running[done];
      if (following && following.timeout > 0) following.since = now();
    }
    if (done > 0) running.splice(0, done);
    return done > 0;
  }

  #lookAtEach(): boolean {
    const running = this.#running;
    let progress = false;
    for (let index = 0; index < running.length; ) {
      const entry = running[index]!;
      const status = this.#host.statusOf(entry.event);
      const isDone = status <= executionStatus.complete;
      if (!isDone) this.#stillRunning(entry, status, 0);
      if (!isDone && !this.#exceeded(entry)) {
        index += 1;
        continue;
      }
      running.splice(index, 1);
      progress = true;
      if (isDone) this.#ended(entry, status);
      else this.#abandon(entry);
    }
    return progress;
  }

  /** `before`: how many earlier commands are not known to have ended. */
  #stillRunning(entry: Running, status: number, before: number): void {
    const { events } = this.#host;
    if (status === executionStatus.running && before === 0 && events.status(entry.command.event) > status) {
      events.start(entry.command.event);
    }
  }

  #exceeded(entry: Running): boolean {
    return entry.timeout > 0 && now() - entry.since > entry.timeout;
  }

  /** A command has ended that nobody looks at. */
  #forget({ command, written }: Running): void {
    for (const range of written) this.#host.written(range);
    this.#host.events.release(command.event);
    command.queue.launchEnded(command);
  }

  #ended(entry: Running, driverStatus: number): void {
    const { command, event } = entry;
    const { driver, events } = this.#host;
    let status = driverStatus;
    for (const range of entry.written) {
      this.#host.written(range);
      if (entry.publishes && status === 0) status = this.#host.publish(range);
    }
    if (this.#options.profiling) this.#setTimes(entry);
    driver.clReleaseEvent(event);
    const message =
      status < 0 ? events.writeMessage(`the driver ended the command with ${statusName(status)}`) : 0;
    this.#complete(command, status, message);
  }

  #refuse(command: Pending, status: number): void {
    const text = `the driver refused the command with ${statusName(status)}`;
    this.#complete(command, status, this.#host.events.writeMessage(text));
  }

  #complete(command: Pending, status: number, message: number): void {
    const { events, dependencies } = this.#host;
    events.complete(command.event, status, message);
    dependencies.ended(command.event);
    events.release(command.event);
    command.queue.launchEnded(command);
  }

  #dropMarker(): void {
    if (this.#marker !== 0) this.#host.driver.clReleaseEvent(this.#marker);
    this.#marker = 0;
  }

  /** Gives up a command that takes too long; the queue goes on in a new one of the driver. */
  #abandon({ command, event, timeout }: Running): void {
    const { outOfOrder } = this.#options;
    this.#host.abandoned.push({ queue: outOfOrder ? 0 : this.#handle, event });
    if (!outOfOrder) this.#handle = 0;
    const message = this.#host.events.writeMessage(
      `the command was given up: it took longer than the time-out of ${timeout / 1e6} ms. Kernels on this device cannot be stopped, so it may still run`,
    );
    this.#complete(command, statusCodes.CL_OUT_OF_RESOURCES, message);
  }

  #open(): number {
    const { driver, context, device } = this.#host;
    const { profiling, driverOutOfOrder } = this.#options;
    const properties = (profiling ? profilingProperty : 0) | (driverOutOfOrder ? outOfOrderProperty : 0);
    this.#handle = driver.clCreateCommandQueue(context, device, properties, this.#error);
    if (this.#error[0] !== 0) {
      this.#handle = 0;
      return this.#error[0]!;
    }
    if (profiling) this.#compareClocks();
    return 0;
  }

  /** Learns the driver's clock from some markers; a first launch, which may compile the kernel, would be a poor witness. */
  #compareClocks(): void {
    const { driver, clock } = this.#host;
    for (let round = 0; round < 4; round += 1) {
      const before = now();
      if (driver.clEnqueueMarkerWithWaitList(this.#handle, 0, null, this.#answer) !== 0) return;
      const after = now();
      const event = wideAt(this.#answer, 0);
      driver.clFlush(this.#handle);
      // Its times are told only once it is complete; a driver that takes long over nothing is not waited for.
      while (this.#host.statusOf(event) > executionStatus.complete && now() - after < markerTime);
      const queued = this.#profiled(event, info.queued);
      if (queued > 0) clock.learn(before, after, queued);
      driver.clReleaseEvent(event);
    }
  }

  #setTimes({ event, command, before, after }: Running): void {
    const { clock, events } = this.#host;
    const queued = this.#profiled(event, info.queued);
    const start = this.#profiled(event, info.start);
    const end = this.#profiled(event, info.end);
    // Drivers without these times leave those that we took ourselves.
    if (queued === 0 || start === 0 || end === 0) return;
    clock.learn(before, after, queued);
    // How long it took is exact; when it was is known as well as the clocks are.
    const ended = clock.convert(end, before + (end - start));
    const started = ended - (end - start);
    const submitted = clock.convert(this.#profiled(event, info.submit) || queued, before);
    events.setTime(command.event, eventTime.submitted, Math.min(submitted, started));
    events.setTime(command.event, eventTime.started, started);
    events.setTime(command.event, eventTime.ended, ended);
    events.setTime(command.event, eventTime.completed, ended);
  }

  /** One of the times of a complete command on the driver's clock; 0 if it has none. */
  #profiled(event: number, name: number): number {
    const status = this.#host.driver.clGetEventProfilingInfo(event, name, 8, this.#answer, null);
    return status === 0 ? wideAt(this.#answer, 0) : 0;
  }
}
