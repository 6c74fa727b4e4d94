/**
 * A WebGPU device's own thread. It owns WebGPU's device, reads the command streams, encodes what may run, and completes events when
 * the device has. While nothing is under way it sleeps on its bell, as the threads of other devices do; while something is, it
 * must come back to its event loop, for WebGPU tells everything by promises.
 *
 * The readers of in-order and out-of-order queues are those of the wasm device. All queues share WebGPU's one queue, which runs
 * what it is given in order; commands that the device has no part in (copies, host commands) are done here, in the context's
 * memory, once what they need has come back.
 */
import { ControlMemory } from '../../runtime/control-memory.ts';
import { EventTable } from '../../runtime/event-table.ts';
import { later, now } from '../../runtime/host.ts';
import { statusCodes } from '../../runtime/status.ts';
import { copyRectangle, fillPattern } from '../../runtime/transfer.ts';
import { type Range, rangeAt } from '../icd/memory-access.ts';
import {
  access,
  copyPayload,
  fillPayload,
  operation,
  processorWords,
  rangeWords,
  rectanglePayload,
  requestKind,
  requestWords,
  setWide,
  wideAt,
} from '../icd/native-layout.ts';
import { commandKind } from '../wasm/command-stream.ts';
import { Dependencies, type Pending } from '../wasm/dependencies.ts';
import { InOrderQueue } from '../wasm/in-order-queue.ts';
import { OutOfOrderQueue } from '../wasm/out-of-order-queue.ts';
import type { CommandEngine, QueueReader } from '../wasm/processor.ts';
import { queueWords } from '../wasm/shared-layout.ts';
import type { GpuDevice } from './gpu-api.ts';
import { GpuLaunches, type Printed } from './gpu-launches.ts';
import type { GpuProgramCode, GpuStart } from './gpu-layout.ts';
import { GpuMemory } from './gpu-memory.ts';

/** How many commands of an in-order queue the device is given ahead. */
const chainLength = 512;
/** Nanoseconds for which the thread looks again and again while something is under way; then it naps so many milliseconds. */
const eager = 2e6;
const nap = 1;

/** A command in the device. */
interface Running {
  readonly command: Pending;
  /** What is to be brought back at the end. */
  readonly publishes: readonly Range[];
  readonly printed: Printed | undefined;
  readonly timeout: number;
}

export class GpuProcessor implements CommandEngine {
  readonly control: ControlMemory;
  readonly events: EventTable;
  readonly dependencies: Dependencies;
  readonly #start: GpuStart;
  readonly #device: GpuDevice;
  readonly #launches: GpuLaunches;
  readonly #memory: GpuMemory;
  readonly #queues: QueueReader[] = [];
  /** Commands encoded since the last flush, and how many of each queue are in the device. */
  #encoded: Running[] = [];
  readonly #inDevice = new Map<QueueReader, number>();
  /** Queues of which a command is done here, by promises. */
  readonly #occupied = new Set<QueueReader>();
  #finishing: Promise<void> = Promise.resolve();
  #underWay = 0;
  #wake: (() => void) | undefined;
  #hasNews = false;
  /** Why the device is gone. */
  #lost: string | undefined;
  #deadline = Number.POSITIVE_INFINITY;

  constructor(start: GpuStart, device: GpuDevice, postToHost: () => void) {
    this.#start = start;
    this.#device = device;
    this.control = ControlMemory.attach(start.control);
    this.events = new EventTable(this.control, postToHost);
    this.dependencies = new Dependencies(this.events);
    this.#launches = new GpuLaunches(device, (pipeline) => this.#begin(() => pipeline));
    this.#memory = new GpuMemory(device, start.memory, () => this.#flush());
    this.#launches.memory = this.#memory;
    void device.lost.then(({ reason, message }) => this.#lose(`the device is lost (${reason}): ${message}`));
    device.onuncapturederror = ({ error }) => this.#lose(error.message);
  }

  // ------------------------------------------------------------------------------------------------- loop

  /** Ends when the context is gone. */
  async run(): Promise<void> {
    const { words } = this.control;
    const { processor } = this.#start;
    const bell = processor + processorWords.bell;
    Atomics.store(words, processor + processorWords.started, 1);
    let waitingSince = now();
    for (;;) {
      const seen = Atomics.load(words, bell);
      Atomics.add(words, processor + processorWords.beat, 1);
      this.#hasNews = false;
      if (this.#pass()) {
        waitingSince = now();
        continue;
      }
      if (Atomics.load(words, processor + processorWords.shutdown) !== 0) break;
      if (this.#underWay > 0) {
        await this.#nap(now() - waitingSince < eager);
        if (now() > this.#deadline) this.#timeOut();
        continue;
      }
      Atomics.store(words, processor + processorWords.asleep, 1);
      Atomics.wait(words, bell, seen);
      Atomics.store(words, processor + processorWords.asleep, 0);
      waitingSince = now();
    }
    this.#device.destroy();
  }

  #news(): void {
    this.#hasNews = true;
    this.#wake?.();
  }

  /** Until something has happened in WebGPU, or for a moment: the bell cannot wake who is in the event loop. */
  #nap(isEager: boolean): Promise<void> {
    if (this.#hasNews) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (isEager) later(resolve);
      else setTimeout(resolve, nap);
    });
  }

  #pass(): boolean {
    let progress = this.#answerRequests();
    if (this.#takeNewQueues()) progress = true;
    if (this.dependencies.lookAround()) progress = true;
    for (const [index, reader] of [...this.#queues.entries()].reverse()) {
      if (reader.advance()) progress = true;
      if (reader.retire()) this.#queues.splice(index, 1);
    }
    this.#flush();
    return progress || this.dependencies.hasNews;
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
      this.#queues.push(
        outOfOrder ? new OutOfOrderQueue(this, record) : new InOrderQueue(this, record, chainLength),
      );
      record = next;
    }
    return true;
  }

  /** Does something by promises, during which the thread does not sleep. */
  #begin(work: () => Promise<void>): void {
    this.#underWay += 1;
    void work().then(
      () => this.#done(),
      (error: Error) => {
        this.#lose(error.message);
        this.#done();
      },
    );
  }

  #done(): void {
    this.#underWay -= 1;
    this.#news();
  }

  // --------------------------------------------------------------------------------------------- commands

  /** See Processor.prepare: encodes a launch, behind all that is in the device. */
  prepare(command: Pending, timeout: number, _previous: number): number {
    const { queue, payload } = command;
    if (this.#occupied.has(queue)) return -1;
    if (payload[0] !== operation.launch) {
      if ((this.#inDevice.get(queue) ?? 0) > 0) return -1;
      this.#doHere(command, () => this.#transfer(payload), true);
      return 0;
    }
    if (this.#lost !== undefined) {
      this.#fail(command, statusCodes.CL_DEVICE_NOT_AVAILABLE, this.#lost);
      return 0;
    }
    const isEager = payload[1] !== 0;
    const encoded = this.#launches.encode(payload, isEager);
    if (encoded.kind === 'later') return -1;
    if (encoded.kind === 'refused') {
      this.#fail(command, encoded.status, encoded.message);
      return 0;
    }
    this.dependencies.own(command.event);
    this.events.submit(command.event);
    this.#inDevice.set(queue, (this.#inDevice.get(queue) ?? 0) + 1);
    const publishes = isEager ? encoded.written : [];
    this.#encoded.push({ command, publishes, printed: encoded.printed, timeout });
    if (timeout > 0) this.#deadline = Math.min(this.#deadline, now() + timeout * 1e6);
    return 0;
  }

  /** Submits what has been encoded, and completes it when it is done. */
  #flush(): void {
    if (!this.#launches.flush()) return;
    const batch = this.#encoded;
    this.#encoded = [];
    for (const { command } of batch) this.events.start(command.event);
    const submitted = this.#device.queue.onSubmittedWorkDone();
    this.#begin(() => {
      this.#finishing = this.#finishing.then(async () => {
        await submitted;
        await this.#finish(batch);
      });
      return this.#finishing;
    });
  }

  async #finish(batch: readonly Running[]): Promise<void> {
    this.#deadline = Number.POSITIVE_INFINITY;
    for (const { command, publishes, printed } of batch) {
      if (this.#lost === undefined) {
        for (const range of publishes) await this.#memory.publish(range);
        if (printed) await this.#memory.read(printed.buffer, 0, printed.address, printed.size);
      }
      printed?.buffer.destroy();
      const message = this.#lost === undefined ? 0 : this.events.writeMessage(this.#lost);
      this.#ended(command, message === 0 ? statusCodes.CL_SUCCESS : statusCodes.CL_OUT_OF_RESOURCES, message);
    }
  }

  #ended(command: Pending, status: number, message = 0): void {
    const { queue } = command;
    this.#inDevice.set(queue, (this.#inDevice.get(queue) ?? 1) - 1);
    this.complete(command, status, message);
    queue.launchEnded(command);
  }

  /** Fails in the next turn: its reader is still at it. */
  #fail(command: Pending, status: number, text: string): void {
    this.dependencies.own(command.event);
    this.events.submit(command.event);
    this.#inDevice.set(command.queue, (this.#inDevice.get(command.queue) ?? 0) + 1);
    const message = this.events.writeMessage(text);
    this.#begin(async () => {
      await this.#finishing;
      this.#ended(command, status, message);
    });
  }

  /** A command that is done in the context's memory, for which its bytes must come back first. */
  #doHere(command: Pending, work: () => Promise<number>, isLaunch: boolean): void {
    const { queue, event } = command;
    this.#occupied.add(queue);
    if (isLaunch) {
      this.dependencies.own(event);
      this.#inDevice.set(queue, (this.#inDevice.get(queue) ?? 0) + 1);
    }
    this.events.submit(event);
    this.events.start(event);
    this.#begin(async () => {
      let status: number = statusCodes.CL_SUCCESS;
      let message = 0;
      try {
        status = await work();
      } catch (error) {
        status = statusCodes.CL_OUT_OF_RESOURCES;
        message = this.events.writeMessage(this.#lost ?? (error as Error).message);
      }
      this.#occupied.delete(queue);
      if (isLaunch) this.#ended(command, status, message);
      else if (command.kind === commandKind.host && status === statusCodes.CL_SUCCESS)
        this.events.callHost(event);
      // The reader hears of it as of an event of somebody else.
      else this.events.complete(event, status, message);
    });
  }

  /** See Processor.execute. The event's end is heard of later. */
  execute(command: Pending): boolean {
    const { kind, payload } = command;
    this.#doHere(
      command,
      () => {
        if (kind === commandKind.copy) return this.#copy(payload);
        if (kind === commandKind['copy-rectangle']) return this.#copyRectangle(payload);
        return this.#synchronise(payload);
      },
      false,
    );
    return false;
  }

  /** See Processor.complete. */
  complete(command: Pending, status: number, message = 0): void {
    this.events.complete(command.event, status, message);
    this.dependencies.ended(command.event);
    this.events.release(command.event);
  }

  get #bytes(): Uint8Array {
    return new Uint8Array(this.#start.memory.buffer);
  }

  #transfer(payload: Int32Array): Promise<number> {
    switch (payload[0]) {
      case operation.copy:
        return this.#copy(payload);
      case operation.copyRectangle:
        return this.#copyRectangle(payload);
      default:
        return this.#fill(payload);
    }
  }

  async #copy(given: Int32Array): Promise<number> {
    const payload = given.slice();
    const source = rangeAt(payload, copyPayload.source);
    const target = rangeAt(payload, copyPayload.target);
    const bytes = wideAt(payload, copyPayload.bytes);
    await this.#memory.publish(source);
    await this.#memory.publish(target);
    const from = source.address + source.offset;
    this.#bytes.copyWithin(target.address + target.offset, from, from + bytes);
    this.#memory.hostChanged(target);
    return statusCodes.CL_SUCCESS;
  }

  async #copyRectangle(given: Int32Array): Promise<number> {
    const payload = given.slice();
    const source = rangeAt(payload, rectanglePayload.source);
    const target = rangeAt(payload, rectanglePayload.target);
    await this.#memory.publish(source);
    await this.#memory.publish(target);
    const number = (index: number): number => wideAt(payload, rectanglePayload.numbers + 2 * index);
    const rectangle = (range: Range, pitch: number) => ({
      start: range.address + range.offset,
      rowPitch: number(pitch),
      slicePitch: number(pitch + 1),
    });
    const region = [number(4), number(5), number(6)] as const;
    copyRectangle(this.#bytes, rectangle(target, 2), this.#bytes, rectangle(source, 0), region);
    this.#memory.hostChanged(target);
    return statusCodes.CL_SUCCESS;
  }

  async #fill(given: Int32Array): Promise<number> {
    const payload = given.slice();
    const target = rangeAt(payload, fillPayload.target);
    await this.#memory.publish(target);
    const pattern = new Uint8Array(
      payload.buffer,
      fillPayload.pattern * 4,
      payload[fillPayload.patternBytes]!,
    );
    fillPattern(this.#bytes, target.address + target.offset, wideAt(payload, fillPayload.bytes), pattern);
    this.#memory.hostChanged(target);
    return statusCodes.CL_SUCCESS;
  }

  /** Brings the host's bytes up to date that a host command or a marker is about to read or change. */
  async #synchronise(given: Int32Array): Promise<number> {
    const payload = given.slice();
    for (let at = 0; at < payload.length; at += rangeWords.count) {
      const range = rangeAt(payload, at);
      await this.#memory.publish(range);
      if (range.access & access.writes) this.#memory.hostChanged(range);
    }
    return statusCodes.CL_SUCCESS;
  }

  // --------------------------------------------------------------------------------------------- failures

  #lose(why: string): void {
    this.#lost ??= why;
    this.#news();
  }

  /** A kernel that takes too long cannot be stopped but with its device. */
  #timeOut(): void {
    this.#deadline = Number.POSITIVE_INFINITY;
    this.#lose('a launch took longer than its time-out, and was ended with the device');
    this.#device.destroy();
  }

  // --------------------------------------------------------------------------------------------- requests

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
    switch (words[request + requestWords.kind]) {
      case requestKind.build:
        this.#begin(() => this.#build(request, first));
        return;
      case requestKind.releaseProgram:
        this.#launches.forget(wideAt(words, request + requestWords.handle));
        break;
      default:
        this.#memory.forget(first);
    }
    this.#answer(request, statusCodes.CL_SUCCESS);
  }

  #answer(request: number, status: number): void {
    const { words } = this.control;
    const event = words[request + requestWords.event]!;
    words[request + requestWords.status] = status;
    Atomics.store(words, request + requestWords.state, 1);
    Atomics.notify(words, request + requestWords.state);
    if (event !== 0) {
      this.events.complete(event, statusCodes.CL_SUCCESS);
      this.events.release(event);
    }
  }

  async #build(request: number, bytes: number): Promise<void> {
    const start = (request + requestWords.data) * 4;
    this.control.reach((start + bytes + 3) >> 2);
    const text = new TextDecoder().decode(this.control.bytes.slice(start, start + bytes));
    const { kernels } = JSON.parse(text) as GpuProgramCode;
    const loaded = this.#lost ?? (await this.#launches.load(kernels));
    const { words } = this.control;
    if (typeof loaded === 'string') {
      words[request + requestWords.message] = this.events.writeMessage(loaded);
      const isLost = this.#lost !== undefined;
      this.#answer(
        request,
        isLost ? statusCodes.CL_DEVICE_NOT_AVAILABLE : statusCodes.CL_BUILD_PROGRAM_FAILURE,
      );
      return;
    }
    setWide(words, request + requestWords.handle, loaded);
    this.#answer(request, statusCodes.CL_SUCCESS);
  }
}
