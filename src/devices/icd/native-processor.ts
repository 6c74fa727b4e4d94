/**
 * A native device's own thread. It owns the driver's context and queues, reads the command streams, hands the driver
 * what may run, and completes events when the driver has. Drivers cannot ring our bells, so while something runs in the
 * driver the thread looks every now and then: at once again for some microseconds, then after naps that stay short
 * against the time already waited.
 *
 * The readers of in-order and out-of-order queues are those of the wasm device. Order within an in-order queue is the
 * driver's; all other waiting is done here, so the driver never sees an event of ours.
 */
import { ControlMemory } from '../../runtime/control-memory.ts';
import { EventTable, eventTime } from '../../runtime/event-table.ts';
import { now } from '../../runtime/host.ts';
import { roundUp } from '../../runtime/range-allocator.ts';
import { executionStatus, OpenCLError, statusCodes, statusName } from '../../runtime/status.ts';
import { copyRectangle } from '../../runtime/transfer.ts';
import { commandKind } from '../wasm/command-stream.ts';
import { Dependencies, type Pending } from '../wasm/dependencies.ts';
import { InOrderQueue } from '../wasm/in-order-queue.ts';
import { OutOfOrderQueue } from '../wasm/out-of-order-queue.ts';
import type { CommandEngine, QueueReader } from '../wasm/processor.ts';
import { queueWords } from '../wasm/shared-layout.ts';
import { BufferCopies } from './buffer-copies.ts';
import { BufferViews } from './buffer-views.ts';
import { DeviceClock } from './device-clock.ts';
import { type Driver, loadDriver } from './driver.ts';
import { DriverCommands } from './driver-commands.ts';
import { type DeviceMemoryAccess, type Range, rangeAt } from './memory-access.ts';
import {
  access,
  copyPayload,
  type NativeStart,
  processorWords,
  rangeWords,
  rectanglePayload,
  requestKind,
  requestWords,
  setWide,
  wideAt,
} from './native-layout.ts';

const outOfOrderProperty = 1;
const profilingProperty = 2;
const info = { executionStatus: 0x11d3, queued: 0x1280, submit: 0x1281, start: 0x1282, end: 0x1283 } as const;

/**
 * How long (nanoseconds) the thread looks again and again before it takes naps: on a processor it takes time away from the
 * kernel, on other devices it takes nothing that they need.
 */
const eagerTime = { processor: 60e3, other: 2e6 } as const;
/** How many commands of an in-order queue the driver is given ahead, so that it need not wait for this thread. */
const chainLength = 512;
/** A nap's share of the time waited so far, and its bounds in milliseconds. */
const napShare = 1 / 32;
const shortestNap = 0.02;
const longestNap = 1;

/** How long (nanoseconds) a marker may take by which the driver's clock is learnt. */
const markerTime = 1e6;

/** A command in the driver. */
interface Running {
  readonly command: Pending;
  /** The driver's event. */
  readonly event: number;
  /** Before and after it was enqueued; nanoseconds. */
  readonly before: number;
  readonly after: number;
  /** When it became the oldest of its queue. */
  since: number;
  /** Nanoseconds that it may take from then; 0 for ever. */
  readonly timeout: number;
  /** What is to be copied back at the end. */
  readonly publishes: readonly Range[];
}

/** A queue's end in the driver. */
interface DriverQueue {
  readonly reader: QueueReader;
  readonly outOfOrder: boolean;
  /** Handle; 0 when there is none (again). */
  handle: number;
  needsFlush: boolean;
  readonly running: Running[];
}

export class NativeProcessor implements CommandEngine {
  readonly control: ControlMemory;
  readonly events: EventTable;
  readonly dependencies: Dependencies;
  readonly #start: NativeStart;
  readonly #driver: Driver;
  readonly #context: number;
  readonly #memory: DeviceMemoryAccess;
  readonly #commands: DriverCommands;
  readonly #clock = new DeviceClock();
  readonly #queues = new Map<QueueReader, DriverQueue>();
  /** Driver's queues and events of commands that exceeded their time-out: they cannot be stopped. */
  readonly #abandoned: { readonly queue: number; readonly event: number }[] = [];
  readonly #answer = new Int32Array(2);
  readonly #error = new Int32Array(1);
  #runningCount = 0;

  /** @throws OpenCLError if the driver gives no context */
  constructor(start: NativeStart, postToHost: () => void) {
    this.#start = start;
    this.control = ControlMemory.attach(start.control);
    this.events = new EventTable(this.control, postToHost);
    this.dependencies = new Dependencies(this.events);
    const driver = loadDriver();
    if (typeof driver === 'string') throw new OpenCLError('CL_DEVICE_NOT_AVAILABLE', driver);
    this.#driver = driver;
    const devices = BigUint64Array.of(BigInt(start.device));
    this.#context = driver.clCreateContext(null, 1, devices, 0, 0, this.#error);
    if (this.#error[0] !== 0) {
      throw new OpenCLError(this.#error[0]!, `the driver makes no context: ${statusName(this.#error[0]!)}`);
    }
    const base = driver.addressOf(new Uint8Array(start.memory.buffer));
    this.#memory = start.zeroCopy
      ? new BufferViews(driver, this.#context, base)
      : new BufferCopies(driver, this.#context, start.device, base);
    this.#commands = new DriverCommands(driver, this.#memory, base, start.zeroCopy);
  }

  /** Returns when the context is gone and nothing runs in the driver any more. */
  run(): void {
    const { words } = this.control;
    const { processor } = this.#start;
    const bell = processor + processorWords.bell;
    Atomics.store(words, processor + processorWords.started, 1);
    const eager = this.#start.zeroCopy ? eagerTime.processor : eagerTime.other;
    let waitingSince = now();
    for (;;) {
      const seen = Atomics.load(words, bell);
      if (this.#pass()) {
        waitingSince = now();
        continue;
      }
      if (Atomics.load(words, processor + processorWords.shutdown) !== 0) break;
      const waited = now() - waitingSince;
      // While something runs every turn looks at the driver; else only the bell can bring news.
      if (waited < (this.#runningCount > 0 ? eager : eagerTime.processor)) continue;
      const nap = Math.min(longestNap, Math.max(shortestNap, (waited / 1e6) * napShare));
      Atomics.store(words, processor + processorWords.asleep, 1);
      Atomics.wait(words, bell, seen, this.#runningCount > 0 ? nap : Number.POSITIVE_INFINITY);
      Atomics.store(words, processor + processorWords.asleep, 0);
      if (this.#runningCount === 0) waitingSince = now();
    }
    this.#close();
  }

  /** See Processor.prepare: puts a command into the driver's queue, behind `previous` by the driver's own order. */
  prepare(command: Pending, timeout: number, _previous: number): number {
    const queue = this.#queues.get(command.queue)!;
    const { payload } = command;
    const eager = payload[1] !== 0;
    // What is stuck behind a command that never ends could not be saved, and copies are moved between commands.
    if (queue.running.length > 0 && !queue.outOfOrder && (timeout > 0 || eager)) return -1;
    this.dependencies.own(command.event);
    if (queue.handle === 0) {
      const error = this.#openQueue(queue);
      if (error !== 0) {
        this.#failLater(command, error);
        return 0;
      }
    }
    this.events.submit(command.event);
    const before = now();
    const { event, written } = this.#commands.enqueue(queue.handle, payload);
    const after = now();
    if (event < 0) {
      this.#failLater(command, event);
      return 0;
    }
    queue.needsFlush = true;
    queue.running.push({
      command,
      event,
      before,
      after,
      since: before,
      timeout: timeout * 1e6,
      publishes: eager && !this.#start.zeroCopy ? written : [],
    });
    this.#runningCount += 1;
    return 0;
  }

  /** See Processor.execute. */
  execute(command: Pending): boolean {
    const { event, kind, payload } = command;
    this.events.submit(event);
    this.events.start(event);
    let status: number = statusCodes.CL_SUCCESS;
    if (kind === commandKind.copy) status = this.#copyHere(payload);
    else if (kind === commandKind.copyRectangle) status = this.#copyRectangleHere(payload);
    else status = this.#synchronise(payload);
    if (kind === commandKind.host && status === statusCodes.CL_SUCCESS) {
      this.events.callHost(event);
      return false;
    }
    this.complete(command, status);
    return true;
  }

  /** Ends a command that the driver has no part in. */
  complete(command: Pending, status: number, message = 0): void {
    this.events.complete(command.event, status, message);
    this.dependencies.ended(command.event);
    this.events.release(command.event);
  }

  #pass(): boolean {
    let progress = this.#answerRequests();
    if (this.#takeNewQueues()) progress = true;
    if (this.#failed.length > 0) {
      for (const { command, status } of this.#failed.splice(0)) this.#fail(command, status);
      progress = true;
    }
    if (this.#runningCount > 0) {
      for (const queue of this.#queues.values()) if (this.#lookAt(queue)) progress = true;
    }
    if (this.dependencies.lookAround()) progress = true;
    for (const [reader, queue] of this.#queues) {
      if (reader.advance()) progress = true;
      if (queue.needsFlush) {
        queue.needsFlush = false;
        this.#driver.clFlush(queue.handle);
      }
      if (reader.retire()) {
        if (queue.handle !== 0) this.#driver.clReleaseCommandQueue(queue.handle);
        this.#queues.delete(reader);
      }
    }
    if (this.dependencies.hasNews || this.#failed.length > 0) progress = true;
    return progress;
  }

  /** Commands that the driver refused: they fail in the next turn, since their reader is still at them. */
  readonly #failed: { readonly command: Pending; readonly status: number }[] = [];

  #failLater(command: Pending, status: number): void {
    this.#failed.push({ command, status });
  }

  #fail(command: Pending, status: number): void {
    const message = this.events.writeMessage(`the driver refused the command with ${statusName(status)}`);
    this.complete(command, status, message);
    command.queue.launchEnded(command);
  }

  #takeNewQueues(): boolean {
    const { words } = this.control;
    const list = this.#start.processor + processorWords.newQueues;
    if (Atomics.load(words, list) === 0) return false;
    let record = Atomics.exchange(words, list, 0);
    while (record !== 0) {
      this.control.reach(record + queueWords.size);
      const next = this.control.words[record + queueWords.link]!;
      const outOfOrder = this.control.words[record + queueWords.outOfOrder] !== 0;
      const reader = outOfOrder
        ? new OutOfOrderQueue(this, record)
        : new InOrderQueue(this, record, chainLength);
      this.#queues.set(reader, { reader, outOfOrder, handle: 0, needsFlush: false, running: [] });
      record = next;
    }
    return true;
  }

  #openQueue(queue: DriverQueue): number {
    // With copies, transfers rely on the order of the driver's queue.
    const free = queue.outOfOrder && this.#start.outOfOrder && this.#start.zeroCopy;
    const properties = profilingProperty | (free ? outOfOrderProperty : 0);
    queue.handle = this.#driver.clCreateCommandQueue(
      this.#context,
      this.#start.device,
      properties,
      this.#error,
    );
    if (this.#error[0] !== 0) {
      queue.handle = 0;
      return this.#error[0]!;
    }
    this.#compareClocks(queue.handle);
    return 0;
  }

  /** Learns the driver's clock from some markers; a first launch, which may compile the kernel, would be a poor witness. */
  #compareClocks(queue: number): void {
    for (let round = 0; round < 4; round += 1) {
      const before = now();
      if (this.#driver.clEnqueueMarkerWithWaitList(queue, 0, null, this.#answer) !== 0) return;
      const after = now();
      const event = wideAt(this.#answer, 0);
      this.#driver.clFlush(queue);
      // Its times are told only once it is complete; a driver that takes long over nothing is not waited for.
      while (this.#statusOf(event) > executionStatus.complete && now() - after < markerTime);
      const queued = this.#profiled(event, info.queued);
      if (queued > 0) this.#clock.learn(before, after, queued);
      this.#driver.clReleaseEvent(event);
    }
  }

  /** Completes what has ended in the driver. */
  #lookAt(queue: DriverQueue): boolean {
    const { running } = queue;
    let progress = false;
    for (let index = 0; index < running.length; ) {
      const entry = running[index]!;
      const status = this.#statusOf(entry.event);
      if (status > executionStatus.complete) {
        if (status === executionStatus.running && this.events.status(entry.command.event) > status) {
          this.events.start(entry.command.event);
        }
        if (entry.timeout > 0 && now() - entry.since > entry.timeout) {
          this.#abandon(queue, index);
          progress = true;
          continue;
        }
        if (!queue.outOfOrder) break;
        index += 1;
        continue;
      }
      running.splice(index, 1);
      this.#runningCount -= 1;
      this.#ended(entry, status);
      if (running[index] && !queue.outOfOrder) running[index]!.since = now();
      progress = true;
    }
    return progress;
  }

  #ended(entry: Running, driverStatus: number): void {
    const { command, event } = entry;
    let status = driverStatus;
    for (const range of entry.publishes) {
      if (status === 0) status = this.#memory.publish(range);
    }
    this.#setTimes(entry);
    this.#driver.clReleaseEvent(event);
    const message =
      status < 0 ? this.events.writeMessage(`the driver ended the command with ${statusName(status)}`) : 0;
    this.complete(command, status, message);
    command.queue.launchEnded(command);
  }

  #setTimes(entry: Running): void {
    const { event, command, before, after } = entry;
    const queued = this.#profiled(event, info.queued);
    const start = this.#profiled(event, info.start);
    const end = this.#profiled(event, info.end);
    // Drivers without these times leave those that we took ourselves.
    if (queued === 0 || start === 0 || end === 0) return;
    this.#clock.learn(before, after, queued);
    // How long it took is exact; when it was is known as well as the clocks are.
    const ended = this.#clock.convert(end, before + (end - start));
    const started = ended - (end - start);
    const submitted = this.#clock.convert(this.#profiled(event, info.submit) || queued, before);
    this.events.setTime(command.event, eventTime.submitted, Math.min(submitted, started));
    this.events.setTime(command.event, eventTime.started, started);
    this.events.setTime(command.event, eventTime.ended, ended);
  }

  /** One of the times of a complete command on the driver's clock; 0 if it has none. */
  #profiled(event: number, name: number): number {
    const status = this.#driver.clGetEventProfilingInfo(event, name, 8, this.#answer, null);
    return status === 0 ? wideAt(this.#answer, 0) : 0;
  }

  /** Gives up a command that takes too long; the queue goes on in a new one of the driver. */
  #abandon(queue: DriverQueue, index: number): void {
    const [entry] = queue.running.splice(index, 1);
    this.#runningCount -= 1;
    this.#abandoned.push({ queue: queue.outOfOrder ? 0 : queue.handle, event: entry!.event });
    if (!queue.outOfOrder) queue.handle = 0;
    const { command, timeout } = entry!;
    const message = this.events.writeMessage(
      `the command was given up: it took longer than the time-out of ${timeout / 1e6} ms. Kernels on this device cannot be stopped, so it may still run`,
    );
    this.complete(command, statusCodes.CL_OUT_OF_RESOURCES, message);
    command.queue.launchEnded(command);
  }

  #statusOf(event: number): number {
    const status = this.#driver.clGetEventInfo(event, info.executionStatus, 4, this.#answer, null);
    return status === 0 ? this.#answer[0]! : status;
  }

  /** A copy between ranges that overlap, which drivers refuse. Nothing of the queue runs now. */
  #copyHere(payload: Int32Array): number {
    const source = rangeAt(payload, copyPayload.source);
    const target = rangeAt(payload, copyPayload.target);
    const bytes = wideAt(payload, copyPayload.bytes);
    const status = this.#memory.publish(source) || this.#memory.publish(target);
    if (status !== 0) return status;
    const from = source.address + source.offset;
    new Uint8Array(this.#start.memory.buffer).copyWithin(target.address + target.offset, from, from + bytes);
    this.#memory.hostChanged(target);
    return 0;
  }

  /** Rows from staging memory to a buffer of which the device has a copy. Nothing of the queue runs now. */
  #copyRectangleHere(payload: Int32Array): number {
    const source = rangeAt(payload, rectanglePayload.source);
    const target = rangeAt(payload, rectanglePayload.target);
    const status = this.#memory.publish(source) || this.#memory.publish(target);
    if (status !== 0) return status;
    const number = (index: number): number => wideAt(payload, rectanglePayload.numbers + 2 * index);
    const memory = new Uint8Array(this.#start.memory.buffer);
    const rectangle = (range: Range, pitch: number) => ({
      start: range.address + range.offset,
      rowPitch: number(pitch),
      slicePitch: number(pitch + 1),
    });
    copyRectangle(memory, rectangle(target, 2), memory, rectangle(source, 0), [
      number(4),
      number(5),
      number(6),
    ]);
    this.#memory.hostChanged(target);
    return 0;
  }

  /** Brings the host's bytes up to date that a host command or a marker is about to read or change. */
  #synchronise(payload: Int32Array): number {
    for (let at = 0; at < payload.length; at += rangeWords.count) {
      const range = rangeAt(payload, at);
      const status = this.#memory.publish(range);
      if (status !== 0) return status;
      if (range.access & access.writes) this.#memory.hostChanged(range);
    }
    return 0;
  }

  #answerRequests(): boolean {
    const { words } = this.control;
    const list = this.#start.processor + processorWords.requests;
    if (Atomics.load(words, list) === 0) return false;
    let request = Atomics.exchange(words, list, 0);
    const requests: number[] = [];
    while (request !== 0) {
      this.control.reach(request + requestWords.data);
      requests.push(request);
      request = this.control.words[request + requestWords.link]!;
    }
    for (const next of requests.reverse()) this.#answerRequest(next);
    return true;
  }

  #answerRequest(request: number): void {
    const { words } = this.control;
    const first = words[request + requestWords.first]!;
    const second = words[request + requestWords.second]!;
    const kind = words[request + requestWords.kind];
    let status = 0;
    if (kind === requestKind.build) {
      status = this.#build(request, first, second);
    } else if (kind === requestKind.releaseProgram) {
      this.control.reach(request + requestWords.data + first * 3);
      for (let index = 0; index < first; index += 1) {
        const at = request + requestWords.data + index * 3;
        this.#commands.forgetKernel(this.control.words[at]!);
        this.#driver.clReleaseKernel(wideAt(this.control.words, at + 1));
      }
      this.#driver.clReleaseProgram(wideAt(words, request + requestWords.handle));
    } else {
      this.#memory.forget(first);
    }
    const event = words[request + requestWords.event]!;
    words[request + requestWords.status] = status;
    Atomics.store(words, request + requestWords.state, 1);
    Atomics.notify(words, request + requestWords.state);
    if (event !== 0) {
      this.events.complete(event, statusCodes.CL_SUCCESS);
      this.events.release(event);
    }
  }

  #build(request: number, sourceBytes: number, optionBytes: number): number {
    const start = (request + requestWords.data) * 4;
    const options = start + roundUp(sourceBytes, 4);
    this.control.reach((options + optionBytes) >> 2);
    const { bytes } = this.control;
    const source = bytes.subarray(start, start + sourceBytes);
    const strings = BigUint64Array.of(BigInt(this.#driver.addressOf(source)));
    const lengths = BigUint64Array.of(BigInt(sourceBytes));
    const program = this.#driver.clCreateProgramWithSource(this.#context, 1, strings, lengths, this.#error);
    if (this.#error[0] !== 0) return this.#error[0]!;
    setWide(this.control.words, request + requestWords.handle, program);
    const devices = BigUint64Array.of(BigInt(this.#start.device));
    const text = bytes.subarray(options, options + optionBytes);
    return this.#driver.clBuildProgram(program, 1, devices, text, 0, 0);
  }

  /** Waits for the driver to leave the context's memory, by naps, in which the thread can be ended. */
  #close(): void {
    const entries = [...this.#queues.values()].flatMap((queue) => queue.running.map(({ event }) => event));
    const open = [...entries, ...this.#abandoned.map(({ event }) => event)];
    const pause = new Int32Array(new SharedArrayBuffer(4));
    for (const event of open) {
      while (this.#statusOf(event) > executionStatus.complete) Atomics.wait(pause, 0, 0, longestNap);
      this.#driver.clReleaseEvent(event);
    }
    this.#memory.close();
    for (const { handle } of this.#queues.values()) {
      if (handle !== 0) this.#driver.clReleaseCommandQueue(handle);
    }
    for (const { queue } of this.#abandoned) if (queue !== 0) this.#driver.clReleaseCommandQueue(queue);
    this.#driver.clReleaseContext(this.#context);
  }
}
