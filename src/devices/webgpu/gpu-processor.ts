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
import { now } from '../../runtime/host.ts';
import { statusCodes } from '../../runtime/status.ts';
import { launchPayload, operation, processorWords, wideAt } from '../icd/native-layout.ts';
import { commandKind } from '../wasm/command-stream.ts';
import { Dependencies, type Pending } from '../wasm/dependencies.ts';
import { takeNewQueues } from '../wasm/new-queues.ts';
import type { CommandEngine, QueueReader } from '../wasm/processor.ts';
import { CommandTimes } from './command-times.ts';
import type { GpuDevice } from './gpu-api.ts';
import { GpuEncoding } from './gpu-encoding.ts';
import { GpuHostCommands } from './gpu-host-commands.ts';
import { type Begun, GpuLaunches, type Launch } from './gpu-launches.ts';
import type { GpuStart } from './gpu-layout.ts';
import { GpuMemory } from './gpu-memory.ts';
import { GpuRequests, type RequestsHost } from './gpu-requests.ts';
import { GpuScreens, isScreen } from './gpu-screens.ts';
import { GpuShaders } from './gpu-shaders.ts';
import type { TimerReading } from './gpu-timers.ts';
import { type Dispatched, learn, wantedTime } from './launch-costs.ts';
import { UnderWay } from './under-way.ts';

/** How many commands of an in-order queue the device is given ahead. */
const chainLength = 512;
/** Nanoseconds for which the thread looks again and again while something is under way; then it naps. */
const eager = 2e6;
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
  readonly #hostCommands: GpuHostCommands;
  readonly #requests: GpuRequests;
  readonly #underWay = new UnderWay(({ message }) => this.#lose(message));
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
    this.#shaders = new GpuShaders(device, (pipeline) => this.#underWay.begin(() => pipeline));
    this.#gone = new Promise((resolve) => {
      this.#tellGone = resolve;
    });
    const owed = <T>(promise: Promise<T>): Promise<T> => this.#underWay.owed(promise);
    this.#memory = new GpuMemory(device, start.memory, flush, { gone: this.#gone, owed });
    this.#screens = new GpuScreens(device, this.#memory);
    this.#hostCommands = new GpuHostCommands(start.memory, this.#memory);
    this.#launches = new GpuLaunches(device, this.#shaders, this.#encoding, this.#memory);
    this.#requests = new GpuRequests(this.#requestsHost(), start.processor);
    this.#underWay.begin(() => this.#launches.start());
    void device.lost.then(({ reason, message }) => this.#lose(`the device is lost (${reason}): ${message}`));
    device.onuncapturederror = ({ error }) => this.#lose(error.message);
  }

  #requestsHost(): RequestsHost {
    const lost = (): string | undefined => this.#lost;
    return {
      control: this.control,
      events: this.events,
      shaders: this.#shaders,
      screens: this.#screens,
      memory: this.#memory,
      get lost() {
        return lost();
      },
      gone: this.#gone,
      begin: (work) => this.#underWay.begin(work),
    };
  }

  // ------------------------------------------------------------------------------------------------- loop

  /** Ends when the context is gone or the process ends, and the device owes nothing any more. */
  async run(): Promise<void> {
    const { words } = this.control;
    const { processor } = this.#start;
    const bell = processor + processorWords.bell;
    Atomics.store(words, processor + processorWords.started, 1);
    const shutdown = (): number => Atomics.load(words, processor + processorWords.shutdown);
    let waitingSince = now();
    for (;;) {
      const seen = Atomics.load(words, bell);
      Atomics.add(words, processor + processorWords.beat, 1);
      this.#underWay.looks();
      if (shutdown() === 2) break;
      if (this.#pass()) {
        waitingSince = now();
        continue;
      }
      if (shutdown() !== 0) break;
      if (this.#underWay.isAny) {
        await this.#underWay.nap(now() - waitingSince < eager);
        this.#watchTime();
        continue;
      }
      Atomics.store(words, processor + processorWords.asleep, 1);
      Atomics.wait(words, bell, seen);
      Atomics.store(words, processor + processorWords.asleep, 0);
      waitingSince = now();
    }
    this.#tellGone();
    // Destroying it waits for what it does, deaf to a process that ends: what never ends must not be waited for there.
    await this.#underWay.settle();
    this.#device.destroy();
  }

  #pass(): boolean {
    let progress = this.#requests.answer();
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
      this.#doHere(command, () => this.#hostCommands.transfer(payload), true);
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
        this.#underWay.begin(() => Promise.race([this.#screens.presented(), this.#gone]));
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
      this.#underWay.begin(async () => {
        await this.#finishing;
        const message = this.events.writeMessage(`a launch took longer than its time-out, ${timeout} ms`);
        this.#ended(running.command, statusCodes.CL_OUT_OF_RESOURCES, message);
      });
      return;
    }
    // Who has read other parts of the buffers meanwhile has brought back what the pieces before have written.
    for (const range of launch.written) this.#memory.written(range);
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
    const done = this.#underWay.owed(this.#device.queue.onSubmittedWorkDone());
    this.#underWay.begin(() => {
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
    const isTold = times || commands.some(({ command }) => this.#profiling.has(command.queue));
    if (isTold)
      await this.#unlessLost(async () => {
        const told = commands
          .filter(({ command }) => this.#profiling.has(command.queue))
          .map(({ command: { event }, timer }) => ({ event, timer }));
        this.#times.tell(told, { since, end }, await times?.read());
      });
    for (const { command, launch, isEager } of commands) {
      const { printed, written } = launch;
      if (isEager || printed)
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
    this.#underWay.begin(async () => {
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
    this.#underWay.begin(async () => {
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
        if (kind === commandKind.copy) return this.#hostCommands.copy(payload);
        if (kind === commandKind['copy-rectangle']) return this.#hostCommands.copyRectangle(payload);
        return this.#hostCommands.synchronise(payload);
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
      this.#underWay.begin(async () => {
        await this.#finishing;
        const status = this.#timedOut ? statusCodes.CL_OUT_OF_RESOURCES : deviceGone;
        this.#ended(command, status, this.events.writeMessage(text));
      });
    }
    this.#underWay.news();
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
}
