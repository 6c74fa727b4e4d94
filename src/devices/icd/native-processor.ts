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
import { EventTable } from '../../runtime/event-table.ts';
import { now } from '../../runtime/host.ts';
import { roundUp } from '../../runtime/range-allocator.ts';
import { bufferUpTo } from '../../runtime/shared-growth.ts';
import { OpenCLError, statusCodes, statusName } from '../../runtime/status.ts';
import { copyRectangle } from '../../runtime/transfer.ts';
import { commandKind } from '../wasm/command-stream.ts';
import { Dependencies, type Pending } from '../wasm/dependencies.ts';
import { takeNewQueues } from '../wasm/new-queues.ts';
import type { CommandEngine, QueueReader } from '../wasm/processor.ts';
import { BufferCopies } from './buffer-copies.ts';
import { BufferViews } from './buffer-views.ts';
import { DeviceClock } from './device-clock.ts';
import { type Driver, loadDriver } from './driver.ts';
import { DriverCommands } from './driver-commands.ts';
import { DriverQueue, type DriverQueueHost } from './driver-queue.ts';
import { type DeviceMemoryAccess, endOf, type Range, rangeAt } from './memory-access.ts';
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

const commandExecutionStatus = 0x11d3;

/** How many commands of an in-order queue the driver is given ahead, so that it need not wait for this thread. */
const chainLength = 512;
/** A nap's share of the time waited so far, and its bounds in milliseconds. */
const napShare = 1 / 32;
const shortestNap = 0.02;
const longestNap = 1;

export class NativeProcessor implements CommandEngine {
  readonly control: ControlMemory;
  readonly events: EventTable;
  readonly dependencies: Dependencies;
  readonly #start: NativeStart;
  readonly #driver: Driver;
  readonly #context: number;
  readonly #memory: DeviceMemoryAccess;
  readonly #commands: DriverCommands;
  readonly #queues = new Map<QueueReader, DriverQueue>();
  readonly #queueHost: DriverQueueHost;
  readonly #error = new Int32Array(1);
  readonly #status = new Int32Array(new SharedArrayBuffer(4));
  readonly #statusAddress: number;
  /** Something is in the driver. */
  #isRunning = false;

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
    this.#commands = new DriverCommands(driver, this.#context, this.#memory, base, start.zeroCopy);
    this.#statusAddress = driver.addressOf(this.#status);
    this.#queueHost = {
      driver,
      context: this.#context,
      device: start.device,
      events: this.events,
      dependencies: this.dependencies,
      commands: this.#commands,
      clock: new DeviceClock(),
      statusOf: (event) => this.#statusOf(event),
      publish: (range) => {
        this.#busy(1);
        const status = this.#memory.publish(range);
        this.#busy(0);
        return status;
      },
      written: (range) => this.#memory.written(range),
      abandoned: [],
    };
  }

  /** Returns when the context is gone and nothing runs in the driver any more. */
  run(): void {
    const { words } = this.control;
    const { processor } = this.#start;
    const bell = processor + processorWords.bell;
    Atomics.store(words, processor + processorWords.started, 1);
    let waitingSince = now();
    for (;;) {
      const seen = Atomics.load(words, bell);
      Atomics.add(words, processor + processorWords.beat, 1);
      if (this.#pass()) {
        waitingSince = now();
        continue;
      }
      if (Atomics.load(words, processor + processorWords.shutdown) !== 0) break;
      const waited = now() - waitingSince;
      if (waited < this.#start.eagerTime) continue;
      const nap = Math.min(longestNap, Math.max(shortestNap, (waited / 1e6) * napShare));
      Atomics.store(words, processor + processorWords.asleep, 1);
      Atomics.wait(words, bell, seen, this.#isRunning ? nap : Number.POSITIVE_INFINITY);
      Atomics.store(words, processor + processorWords.asleep, 0);
      if (!this.#isRunning) waitingSince = now();
    }
    this.#close();
  }

  /** See Processor.prepare: puts a command into the driver's queue, behind `previous` by the driver's own order. */
  prepare(command: Pending, timeout: number, _previous: number): number {
    const queue = this.#queues.get(command.queue)!;
    const eager = command.payload[1] !== 0;
    // Copies are moved between commands.
    if (queue.mustWait(timeout, eager)) return -1;
    this.#busy(1);
    queue.enqueue(command, timeout, eager && !this.#start.zeroCopy);
    this.#busy(0);
    return 0;
  }

  /** See Processor.execute. */
  execute(command: Pending): boolean {
    const { event, kind, payload } = command;
    this.events.submit(event);
    this.events.start(event);
    let status: number = statusCodes.CL_SUCCESS;
    this.#busy(1);
    if (kind === commandKind.copy) status = this.#copyHere(payload);
    else if (kind === commandKind['copy-rectangle']) status = this.#copyRectangleHere(payload);
    else status = this.#synchronise(payload);
    this.#busy(0);
    if (kind === commandKind.host && status === statusCodes.CL_SUCCESS) {
      this.events.callHost(event);
      return false;
    }
    this.complete(command, status);
    return true;
  }

  /** Says whether the thread is about to make calls that may take long: compiling, copying. */
  #busy(value: 0 | 1): void {
    Atomics.store(this.control.words, this.#start.processor + processorWords.busy, value);
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
    for (const queue of this.#queues.values()) if (queue.lookAt()) progress = true;
    if (this.dependencies.lookAround()) progress = true;
    this.#isRunning = false;
    for (const [reader, queue] of this.#queues) {
      if (reader.advance()) progress = true;
      queue.flush();
      if (queue.runningCount > 0) this.#isRunning = true;
      if (queue.hasFailures) progress = true;
      if (reader.retire()) {
        queue.release();
        this.#queues.delete(reader);
      }
    }
    return progress || this.dependencies.hasNews;
  }

  #takeNewQueues(): boolean {
    const list = this.#start.processor + processorWords.newQueues;
    return takeNewQueues(this, list, chainLength, ({ reader, outOfOrder, profiling }) => {
      const options = {
        outOfOrder,
        // With copies, transfers rely on the order of the driver's queue.
        driverOutOfOrder: outOfOrder && this.#start.outOfOrder && this.#start.zeroCopy,
        profiling,
      };
      this.#queues.set(reader, new DriverQueue(reader, this.#queueHost, options));
    });
  }

  #statusOf(event: number): number {
    const error = this.#driver.clGetEventInfo(event, commandExecutionStatus, 4, this.#statusAddress, 0);
    return error === 0 ? this.#status[0]! : error;
  }

  /** A copy between ranges that overlap, which drivers refuse. Nothing of the queue runs now. */
  #copyHere(payload: Int32Array): number {
    const source = rangeAt(payload, copyPayload.source);
    const target = rangeAt(payload, copyPayload.target);
    const bytes = wideAt(payload, copyPayload.bytes);
    const status = this.#memory.publish(source) || this.#memory.publish(target);
    if (status !== 0) return status;
    const from = source.address + source.offset;
    this.#bytesOf(source, target).copyWithin(target.address + target.offset, from, from + bytes);
    this.#memory.hostChanged(target);
    return 0;
  }

  /** The context's memory, all of two ranges within it. */
  #bytesOf(source: Range, target: Range): Uint8Array {
    return new Uint8Array(bufferUpTo(this.#start.memory, Math.max(endOf(source), endOf(target))));
  }

  /** Rows from staging memory to a buffer of which the device has a copy. Nothing of the queue runs now. */
  #copyRectangleHere(payload: Int32Array): number {
    const source = rangeAt(payload, rectanglePayload.source);
    const target = rangeAt(payload, rectanglePayload.target);
    const status = this.#memory.publish(source) || this.#memory.publish(target);
    if (status !== 0) return status;
    const number = (index: number): number => wideAt(payload, rectanglePayload.numbers + 2 * index);
    const memory = this.#bytesOf(source, target);
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
    this.#busy(1);
    for (const next of requests.reverse()) this.#answerRequest(next);
    this.#busy(0);
    return true;
  }

  #answerRequest(request: number): void {
    const { words } = this.control;
    const first = words[request + requestWords.first]!;
    const second = words[request + requestWords.second]!;
    const kind = words[request + requestWords.kind];
    let status = 0;
    if (kind === requestKind.build || kind === requestKind.buildBinary) {
      status = this.#build(request, first, second, kind === requestKind.buildBinary);
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

  #build(request: number, sourceBytes: number, optionBytes: number, isBinary: boolean): number {
    const start = (request + requestWords.data) * 4;
    const options = start + roundUp(sourceBytes, 4);
    this.control.reach((options + optionBytes) >> 2);
    const { bytes } = this.control;
    const source = bytes.subarray(start, start + sourceBytes);
    const strings = BigUint64Array.of(BigInt(this.#driver.addressOf(source)));
    const lengths = BigUint64Array.of(BigInt(sourceBytes));
    const devices = BigUint64Array.of(BigInt(this.#start.device));
    const driver = this.#driver;
    const program = isBinary
      ? driver.clCreateProgramWithBinary(this.#context, 1, devices, lengths, strings, null, this.#error)
      : driver.clCreateProgramWithSource(this.#context, 1, strings, lengths, this.#error);
    if (this.#error[0] !== 0) return this.#error[0]!;
    setWide(this.control.words, request + requestWords.handle, program);
    const text = bytes.subarray(options, options + optionBytes);
    return driver.clBuildProgram(program, 1, devices, text, 0, 0);
  }

  /** Waits for the driver to leave the context's memory, by naps, in which the thread can be ended. */
  #close(): void {
    const { abandoned } = this.#queueHost;
    const pause = new Int32Array(new SharedArrayBuffer(4));
    const leave = (queue: DriverQueue | undefined, events: readonly number[]): void => {
      for (const event of events) {
        while (this.#statusOf(event) > statusCodes.CL_SUCCESS) Atomics.wait(pause, 0, 0, longestNap);
        this.#driver.clReleaseEvent(event);
      }
      queue?.release();
    };
    const queues = [...this.#queues.values()];
    for (const queue of queues) leave(queue, queue.takeEvents());
    leave(
      undefined,
      abandoned.map(({ event }) => event),
    );
    this.#memory.close();
    this.#commands.close();
    for (const { queue } of abandoned) if (queue !== 0) this.#driver.clReleaseCommandQueue(queue);
    this.#driver.clReleaseContext(this.#context);
  }
}
