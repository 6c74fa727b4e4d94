/**
 * Records commands and builds while a program runs. It holds the event of each command and looks at it now and then, so that
 * no thread is woken for the profile's sake; a command's record is made when it is seen to have ended.
 */
import { type CommandBody, deviceChoosesLocal } from '../../runtime/command.ts';
import type { Context } from '../../runtime/context.ts';
import type { Device, OpenDevice } from '../../runtime/device.ts';
import { eventTime } from '../../runtime/event-table.ts';
import { now } from '../../runtime/host.ts';
import { bytesMovedBy, isMemoryCommand } from '../../runtime/memory-commands.ts';
import type { CommandObserver, ObservedBuild } from '../../runtime/observe.ts';
import type { CommandQueue } from '../../runtime/queue.ts';
import type { ApiCall, CallListener } from './api-call.ts';
import { hostActions, kindOf } from './command-kinds.ts';
import type { BuildRecord, CommandRecord, DeviceRecord, Profile } from './profile.ts';
import { WatchedThreads } from './watched-threads.ts';

/** What is known of a command when it is enqueued. */
type EnqueuedCommand = Omit<
  CommandRecord,
  'queued' | 'submitted' | 'started' | 'ended' | 'threads' | 'status'
>;

interface Pending {
  readonly context: Context;
  /** Held. */
  readonly slot: number;
  readonly command: EnqueuedCommand;
  /** Of launches: the threads that may work for it, if the device tells of them. */
  readonly threads: WatchedThreads | undefined;
}

/** After so many commands it is read what threads have noted, which they overwrite in time. */
const commandsBetweenReads = 64;

/** So many commands are kept if nobody says otherwise. Their trace is some 200 MB, and a viewer has enough of it. */
export const defaultLimit = 250_000;

export class Recorder implements CommandObserver, CallListener {
  readonly #began = now();
  readonly #limit: number;
  readonly #devices: DeviceRecord[] = [];
  readonly #deviceNumbers = new Map<Device, number>();
  readonly #queueNumbers = new WeakMap<CommandQueue, number>();
  #queues = 0;
  #pending: Pending[] = [];
  /** How many pending commands there must be before it is worth looking at them. */
  #enough = 64;
  readonly #commands: CommandRecord[] = [];
  readonly #builds: BuildRecord[] = [];
  readonly #calls: ApiCall[] = [];
  #missedCalls = 0;
  readonly #watched = new Map<OpenDevice, WatchedThreads>();
  #unread = 0;
  #missedSpans = 0;
  #missed = 0;
  #unfinished = 0;

  /** @param limit how many commands are kept, and how many calls */
  constructor(limit = defaultLimit) {
    this.#limit = limit;
  }

  command(queue: CommandQueue, type: number, body: CommandBody | undefined, slot: number, bytes: number) {
    if (body?.kind === 'marker' && isInternalMarker(type)) return;
    if (this.#commands.length + this.#pending.length >= this.#limit) {
      this.#missed += 1;
      return;
    }
    const { context } = queue;
    const command: EnqueuedCommand = {
      device: this.#numberOf(queue.device),
      queue: this.#queueNumber(queue),
      kind: kindOf(type, body),
      bytes: body ? bytesMoved(body) : bytes,
      ...(body?.kind === 'launch' ? launchFacts(body) : {}),
    };
    context.events.retain(slot);
    const threads = body?.kind === 'launch' ? this.#threadsOf(context, queue.device) : undefined;
    threads?.expect(slot);
    this.#pending.push({ context, slot, command, threads });
    this.#unread += 1;
    if (this.#unread >= commandsBetweenReads) this.#readThreads();
    if (this.#pending.length < this.#enough) return;
    this.#lookAround();
    // What is left is not looked at again for each new command.
    this.#enough = Math.max(64, 2 * this.#pending.length);
  }

  build({ device, kind, kernels, started, ended }: ObservedBuild): void {
    const [from, to] = [this.#time(started), this.#time(ended)];
    this.#builds.push({ device: this.#numberOf(device), kind, kernels, started: from, ended: to });
  }

  ended(call: ApiCall): void {
    if (this.#calls.length >= this.#limit) this.#missedCalls += 1;
    else this.#calls.push({ ...call, started: this.#time(call.started), ended: this.#time(call.ended) });
  }

  /** What there is so far. */
  profile(): Profile {
    this.#lookAround();
    return {
      devices: [...this.#devices],
      commands: [...this.#commands],
      builds: [...this.#builds],
      calls: [...this.#calls],
      unfinished: this.#unfinished + this.#pending.length,
      missed: this.#missed,
      missedCalls: this.#missedCalls,
      missedSpans: this.#missedSpans,
    };
  }

  /** Has no thread note anything for this profile any more. What there is can still be asked for. */
  close(): void {
    for (const threads of this.#watched.values()) threads.abandon();
    this.#watched.clear();
  }

  /** Records pending commands that have ended. */
  #lookAround(): void {
    const done = new Set(this.#pending.filter(({ context, slot }) => context.events.isDone(slot)));
    // Whatever threads have noted about these is there now.
    this.#readThreads();
    this.#pending = this.#pending.filter((pending) => {
      const { context, slot, command, threads } = pending;
      const { events } = context;
      if (!done.has(pending)) {
        if (!context.closed) return true;
        // It was abandoned with its context.
        this.#unfinished += 1;
        return false;
      }
      const status = events.status(slot);
      const queued = this.#time(events.time(slot, eventTime.queued));
      const submitted = Math.max(queued, this.#time(events.time(slot, eventTime.submitted)));
      const started = Math.max(submitted, this.#time(events.time(slot, eventTime.started)));
      const ended = Math.max(started, this.#time(events.time(slot, eventTime.ended)));
      const completed = Math.max(ended, this.#time(events.time(slot, eventTime.completed)));
      const spans = threads?.spansOf(slot, (time) =>
        Math.min(Math.max(started, this.#time(time)), completed),
      );
      const noted = spans ? { threads: spans } : {};
      this.#commands.push({ ...command, queued, submitted, started, ended, ...noted, status });
      if (!context.closed) events.release(slot);
      return false;
    });
  }

  /** Watches the threads of a device from its first launch on. */
  #threadsOf(context: Context, device: Device): WatchedThreads | undefined {
    const open = context.opened(device);
    let threads = this.#watched.get(open);
    if (!threads && open.watchThreads) {
      threads = new WatchedThreads(context, open.watchThreads());
      this.#watched.set(open, threads);
    }
    return threads;
  }

  #readThreads(): void {
    this.#unread = 0;
    for (const [open, threads] of this.#watched) {
      this.#missedSpans += threads.read();
      if (!threads.context.closed) continue;
      threads.end();
      this.#watched.delete(open);
    }
  }

  /** Whole nanoseconds from the beginning of the profile. */
  #time(nanoseconds: number): number {
    return Math.max(0, Math.round(nanoseconds - this.#began));
  }

  #numberOf(device: Device): number {
    let number = this.#deviceNumbers.get(device);
    if (number === undefined) {
      number = this.#devices.length;
      this.#deviceNumbers.set(device, number);
      this.#devices.push({ name: device.info.name, units: device.info.maxComputeUnits });
    }
    return number;
  }

  #queueNumber(queue: CommandQueue): number {
    let number = this.#queueNumbers.get(queue);
    if (number === undefined) {
      this.#queues += 1;
      number = this.#queues;
      this.#queueNumbers.set(queue, number);
    }
    return number;
  }
}

/**
 * Whether a marker is the runtime's own: it waits for others, or ends what the host thread has done on devices with copies, which
 * is a command before it (src/runtime/host-function.ts).
 */
function isInternalMarker(type: number): boolean {
  return type === 0 || hostActions.includes(type);
}

function launchFacts(
  body: Extract<CommandBody, { kind: 'launch' }>,
): Pick<CommandRecord, 'kernel' | 'global' | 'local'> {
  const { kernel, dimensions, global, local } = body;
  return {
    kernel: kernel.name,
    global: global.slice(0, dimensions),
    ...(local === deviceChoosesLocal ? {} : { local: local.slice(0, dimensions) }),
  };
}

function bytesMoved(body: CommandBody): number {
  if (isMemoryCommand(body)) return bytesMovedBy(body);
  return body.kind === 'host' ? (body.bytes ?? 0) : 0;
}
