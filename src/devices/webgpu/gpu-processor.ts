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
  launchPayload,
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
import { takeNewQueues } from '../wasm/new-queues.ts';
import type { CommandEngine, QueueReader } from '../wasm/processor.ts';
import { CommandTimes } from './command-times.ts';
import type { GpuDevice } from './gpu-api.ts';
import { GpuEncoding } from './gpu-encoding.ts';
import { type Begun, GpuLaunches, type Launch } from './gpu-launches.ts';
import type { GpuProgramCode, GpuStart } from './gpu-layout.ts';
import { GpuMemory } from './gpu-memory.ts';
import { GpuScreens, isScreen } from './gpu-screens.ts';
import { GpuShaders } from './gpu-shaders.ts';
import type { TimerReading } from './gpu-timers.ts';
import { type Dispatched, learn, wantedTime } from './launch-costs.ts';

/** How many commands of an in-order queue the device is given ahead. */
const chainLength = 512;
/** Nanoseconds for which the thread looks again and again while something is under way; then it naps so many milliseconds. */
const eager = 2e6;
const nap = 1;
const deviceGone = statusCodes.CL_DEVICE_NOT_AVAILABLE;

/** While so many submissions are under way, what comes is collected, */
const submissionsAhead = 2;
/** but for so many dispatches. */
const mostCollected = 128;
/** Launches of more parts have no times of their own. */
const mostTimedParts = 16;

/** A command in the device. */
interface Running {
  readonly command: Pending;
  readonly launch: Launch;
  /** Its copies are brought back at the end. */
  readonly isEager: boolean;
  /** Milliseconds; 0 for none. */
  readonly timeout: number;
  /** Among the timers of its submission. */
  readonly timer: number | undefined;
  /** It has started: of a long range, of which a piece has been submitted before. */
  readonly isBegun?: boolean;
}

/** What has been submitted at once. Commands are those that end with it. */
interface Submission {
  readonly commands: readonly Running[];
  readonly times: TimerReading | undefined;
  readonly dispatched: readonly Dispatched[];
  /** When it was submitted, and how long it may take from when it begins: nanoseconds. */
  readonly since: number;
  readonly allowed: number;
}

export class GpuProcessor implements CommandEngine {
  readonly control: ControlMemory;
  readonly events: EventTable;
  readonly dependencies: Dependencies;
  readonly #start: GpuStart;
  readonly #device: GpuDevice;
  readonly #encoding: GpuEncoding;
  readonly #shaders: GpuShaders;
  readonly #launches: GpuLaunches;
  readonly #memory: GpuMemory;
  readonly #screens: GpuScreens;
  readonly #times: CommandTimes;
  readonly #queues: QueueReader[] = [];
  readonly #profiling = new Set<QueueReader>();
  /** Commands encoded since the last submission, and how many of each queue are in the device. */
  #encoded: Running[] = [];
  /** A launch of a long range of which a piece is in the device, and the time when it began. */
  #partial: { readonly running: Running; readonly since: number } | undefined;
  /** Oldest first. */
  readonly #submissions: Submission[] = [];
  /** When the last submission was done. */
  #lastDone = 0;
  readonly #inDevice = new Map<QueueReader, number>();
  /** Queues of which a command is done here, by promises. */
  readonly #occupied = new Set<QueueReader>();
  #finishing: Promise<void> = Promise.resolve();
  #underWay = 0;
  #wake: (() => void) | undefined;
  #hasNews = false;
  /** Why the device is gone. */
  #lost: string | undefined;
  /** Resolves when the device is gone. */
  readonly #gone: Promise<void>;
  #tellGone: () => void = () => {};
  /** What took too long, for which the device was given up. */
  #timedOut: Submission | undefined;

  constructor(start: GpuStart, device: GpuDevice, postToHost: () => void) {
    this.#start = start;
    this.#device = device;
    this.control = ControlMemory.attach(start.control);
    this.events = new EventTable(this.control, postToHost);
    this.#times = new CommandTimes(this.events);
    this.dependencies = new Dependencies(this.events);
    const flush = (): void => this.#flush();
    this.#encoding = new GpuEncoding(device, flush);
    this.#shaders = new GpuShaders(device, (pipeline) => this.#begin(() => pipeline));
    this.#gone = new Promise((resolve) => {
      this.#tellGone = resolve;
    });
    this.#memory = new GpuMemory(device, start.memory, flush, this.#gone);
    this.#screens = new GpuScreens(device, this.#memory);
    this.#launches = new GpuLaunches(device, this.#shaders, this.#encoding, this.#memory);
    this.#begin(() => this.#launches.start());
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
        this.#watchTime();
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
      if (reader.retire()) {
        this.#queues.splice(index, 1);
        this.#profiling.delete(reader);
      }
    }
    this.#submit();
    return progress || this.dependencies.hasNews;
  }

  /** Submits what has been encoded, unless the device has enough to do and there may be more. */
  #submit(): void {
    if (this.#partial) {
      if (this.#submissions.length === 0) this.#continue(this.#partial);
      return;
    }
    if (this.#submissions.length >= submissionsAhead && this.#encoding.dispatches < mostCollected) return;
    this.#flush();
  }

  #takeNewQueues(): boolean {
    const list = this.#start.processor + processorWords.newQueues;
    return takeNewQueues(this, list, chainLength, ({ reader, profiling }) => {
      if (profiling) this.#profiling.add(reader);
      this.#queues.push(reader);
    });
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
    if (this.#occupied.has(queue) || this.#partial) return -1;
    const isEager = payload[1] !== 0;
    const isLaunch = payload[0] === operation.launch;
    let begun: Begun | undefined;
    if (isLaunch && this.#lost) begun = { kind: 'refused', status: deviceGone, message: this.#lost };
    else if (isLaunch) begun = this.#beginLaunch(payload, isEager);
    else if (!isEager && !this.#lost) begun = this.#launches.beginTransfer(payload);
    if (!begun) {
      if ((this.#inDevice.get(queue) ?? 0) > 0) return -1;
      this.#doHere(command, () => this.#transfer(payload), true);
      return 0;
    }
    if (begun.kind === 'later') return -1;
    if (begun.kind === 'refused') {
      this.#fail(command, begun.status, begun.message);
      return 0;
    }
    this.dependencies.own(command.event);
    this.events.submit(command.event);
    this.#inDevice.set(queue, (this.#inDevice.get(queue) ?? 0) + 1);
    const { timers } = this.#encoding;
    const { left, block, draw } = begun.launch;
    const isTimed =
      !draw && timers !== undefined && left.length <= mostTimedParts && this.#profiling.has(queue);
    if (isTimed && timers.isFull) this.#flush();
    // The pair of times is one of the submission that has the launch.
    if (isTimed) this.#encoding.makeRoom(block.length, left.length);
    const timer = isTimed ? timers.take() : undefined;
    const running = { command, launch: begun.launch, isEager, timeout, timer };
    if (this.#launches.encode(begun.launch, timer)) {
      this.#encoded.push(running);
      if (draw) {
        // The canvas gives its texture for this task.
        this.#flush();
        this.#begin(() => this.#screens.presented());
      } else if (this.#launches.expected > wantedTime) this.#flush();
    } else {
      // What is left waits for the end of this piece, by which its cost is known. A pair of times ends with a submission.
      this.#partial = { running: { ...running, timer: undefined, isBegun: true }, since: now() };
      this.#flush();
      this.events.start(command.event);
    }
    return 0;
  }

  #beginLaunch(payload: Int32Array, isEager: boolean): Begun {
    const program = wideAt(payload, launchPayload.kernel);
    if (isScreen(program)) return this.#screens.begin(program, payload, isEager);
    return this.#launches.begin(payload, isEager);
  }

  /** The next piece of a long range, once the last one is done. */
  #continue({ running, since }: { readonly running: Running; readonly since: number }): void {
    const { timeout, launch } = running;
    if (this.#lost === undefined && timeout > 0 && now() - since > timeout * 1e6) {
      this.#partial = undefined;
      launch.left.length = 0;
      this.#begin(async () => {
        await this.#finishing;
        const message = this.events.writeMessage(`a launch took longer than its time-out, ${timeout} ms`);
        this.#ended(running.command, statusCodes.CL_OUT_OF_RESOURCES, message);
      });
      return;
    }
    if (this.#launches.encode(launch, undefined)) {
      this.#partial = undefined;
      this.#encoded.push(running);
    }
    this.#flush();
  }

  /** Submits what has been encoded, and completes it when it is done. */
  #flush(): void {
    // The device may begin at once.
    const since = now();
    const submitted = this.#encoding.submit();
    if (!submitted) return;
    const commands = this.#encoded;
    this.#encoded = [];
    const { dispatched, expected } = this.#launches.take();
    const timeouts = commands.map(({ timeout }) => timeout);
    if (this.#partial) timeouts.push(this.#partial.running.timeout);
    const longest = timeouts.every((each) => each > 0) ? Math.max(0, ...timeouts) : 0;
    const allowed = longest === 0 ? Number.POSITIVE_INFINITY : longest * 1e6 + 4 * expected;
    const submission = { commands, times: submitted.times, dispatched, since, allowed };
    this.#submissions.push(submission);
    // One that runs in pieces began with the first of them.
    for (const { command, isBegun } of commands) if (!isBegun) this.events.start(command.event, since);
    const done = this.#device.queue.onSubmittedWorkDone();
    this.#begin(() => {
      this.#finishing = this.#finishing.then(async () => {
        // What never ends is not waited for.
        await Promise.race([done, this.#gone]);
        await this.#finish(submission);
      });
      return this.#finishing;
    });
  }

  async #finish(submission: Submission): Promise<void> {
    const { commands, times, dispatched, since } = submission;
    const end = now();
    if (this.#lost === undefined && dispatched.length > 0) {
      learn(dispatched, end - Math.max(since, this.#lastDone));
    }
    this.#lastDone = end;
    this.#submissions.splice(this.#submissions.indexOf(submission), 1);
    await this.#unlessLost(async () => {
      const told = commands
        .filter(({ command }) => this.#profiling.has(command.queue))
        .map(({ command: { event }, timer }) => ({ event, timer }));
      this.#times.tell(told, { since, end }, await times?.read());
    });
    for (const { command, launch, isEager } of commands) {
      const { printed, written } = launch;
      await this.#unlessLost(async () => {
        if (isEager) for (const range of written) await this.#memory.publish(range);
        if (printed) await this.#memory.read(printed.buffer, 0, printed.address, printed.size);
      });
      printed?.buffer.destroy();
      if (this.#lost === undefined) this.#ended(command, statusCodes.CL_SUCCESS);
      else {
        const isCause = this.#timedOut === submission;
        const status = isCause ? statusCodes.CL_OUT_OF_RESOURCES : deviceGone;
        this.#ended(command, status, this.events.writeMessage(this.#lost));
      }
    }
  }

  /** Does something with the device; what fails says that it is gone. */
  async #unlessLost(work: () => Promise<void>): Promise<void> {
    if (this.#lost !== undefined) return;
    try {
      await work();
    } catch (error) {
      this.#lose((error as Error).message);
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
        status = this.#lost === undefined ? statusCodes.CL_OUT_OF_RESOURCES : deviceGone;
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
    await this.#memory.giveUp(target);
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
    await this.#memory.giveUp(target);
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

  #lose(text: string): void {
    const { words } = this.control;
    const { processor } = this.#start;
    if (this.#lost || Atomics.load(words, processor + processorWords.shutdown) !== 0) return;
    this.#lost = text;
    this.#tellGone();
    Atomics.store(words, processor + processorWords.deviceLost, this.events.writeMessage(text));
    this.events.wakeHost();
    // What is left of a long range has nowhere to go.
    const { command } = this.#partial?.running ?? {};
    this.#partial = undefined;
    if (command) {
      this.#begin(async () => {
        await this.#finishing;
        const status = this.#timedOut ? statusCodes.CL_OUT_OF_RESOURCES : deviceGone;
        this.#ended(command, status, this.events.writeMessage(text));
      });
    }
    this.#news();
  }

  /** A dispatch cannot be stopped: what takes too long costs the device. */
  #watchTime(): void {
    const [oldest] = this.#submissions;
    if (!oldest || this.#lost) return;
    if (now() < Math.max(oldest.since, this.#lastDone) + oldest.allowed) return;
    // Destroying it would wait for what does not end: that is left to the end of the context.
    this.#timedOut = oldest;
    this.#lose('a launch took longer than its time-out, and its device was given up');
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
      case requestKind.openScreen:
        this.#begin(() => this.#openScreen(request));
        return;
      case requestKind.releaseScreen:
        this.#screens.release(wideAt(words, request + requestWords.handle));
        break;
      case requestKind.releaseProgram:
        this.#shaders.forget(wideAt(words, request + requestWords.handle));
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

  async #openScreen(request: number): Promise<void> {
    let status: number = statusCodes.CL_SUCCESS;
    const number = wideAt(this.control.words, request + requestWords.handle);
    try {
      await Promise.race([this.#screens.open(number), this.#gone]);
    } catch (error) {
      status = statusCodes.CL_OUT_OF_RESOURCES;
      const { words } = this.control;
      words[request + requestWords.message] = this.events.writeMessage((error as Error).message);
    }
    this.#answer(request, this.#lost === undefined ? status : deviceGone);
  }

  async #build(request: number, bytes: number): Promise<void> {
    const start = (request + requestWords.data) * 4;
    this.control.reach((start + bytes + 3) >> 2);
    const text = new TextDecoder().decode(this.control.bytes.slice(start, start + bytes));
    const { kernels } = JSON.parse(text) as GpuProgramCode;
    const given = wideAt(this.control.words, request + requestWords.handle);
    const loaded = this.#lost ?? (await this.#shaders.load(kernels, given === 0 ? undefined : given));
    const { words } = this.control;
    if (typeof loaded === 'string') {
      words[request + requestWords.message] = this.events.writeMessage(loaded);
      const isLost = this.#lost !== undefined;
      this.#answer(request, isLost ? deviceGone : statusCodes.CL_BUILD_PROGRAM_FAILURE);
      return;
    }
    setWide(words, request + requestWords.handle, loaded);
    this.#answer(request, statusCodes.CL_SUCCESS);
  }
}
