/**
 * A profile in the Trace Event Format that Perfetto (ui.perfetto.dev) and chrome://tracing open: a process for each device, a
 * track for each queue with what it ran, beside it one with what was enqueued, and an arrow from the one to the other; then a
 * track for each thread with the launches that it worked for. Behind the devices the host has a process with the calls that it made. Commands of a queue that ran at the same time have tracks of their own.
 * `args` of builds, commands and calls and `otherData` hold the whole profile, so that read-trace.ts gets it back.
 */
import { type ApiCall, callText } from './api-call.ts';
import { lanesOf } from './lanes.ts';
import type { BuildRecord, CommandRecord, Profile } from './profile.ts';
import { durationOf, nameOf } from './summary.ts';
import { byThread, type CommandSpan } from './thread-spans.ts';

/** An event; times are microseconds with three digits behind the point. */
export interface TraceEvent {
  /** X: something that lasts; s and f: an arrow's ends; M: the name of a process or a track. */
  readonly ph: 'X' | 's' | 'f' | 'M';
  readonly name: string;
  readonly cat?: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly id?: number;
  /** An arrow's end points to what is under way at its time. */
  readonly bp?: 'e';
  readonly args?: Readonly<Record<string, unknown>>;
}

export interface Trace {
  readonly traceEvents: readonly TraceEvent[];
  readonly displayTimeUnit: 'ns';
  readonly otherData: {
    readonly format: typeof traceFormat;
    readonly devices: Profile['devices'];
    readonly unfinished: number;
    readonly missed: number;
    readonly missedSpans: number;
    readonly missedCalls: number;
  };
}

/** What `otherData.format` says in a trace that holds a profile. */
export const traceFormat = 'millrace-profile-1';

/** Nanoseconds that the enqueueing of a command is drawn with: how long the call took is not known. */
const enqueueWidth = 1000;

export function profileTrace(profile: Profile): Trace {
  const traceEvents: TraceEvent[] = [];
  let arrows = 0;
  const nextArrow = () => {
    arrows += 1;
    return arrows;
  };
  profile.devices.forEach(({ name }, device) => {
    const tracks = new ProcessTracks(traceEvents, device + 1, name, nextArrow);
    tracks.addBuilds(profile.builds.filter((build) => build.device === device));
    const commands = profile.commands.filter((command) => command.device === device);
    for (const [queue, its] of byQueue(commands)) tracks.addQueue(queue, its);
    byThread(commands).forEach((spans, thread) => {
      tracks.addThread(thread, spans);
    });
  });
  if (profile.calls.length > 0) {
    const tracks = new ProcessTracks(traceEvents, profile.devices.length + 1, 'host program', nextArrow);
    for (const thread of [...new Set(profile.calls.map((call) => call.thread))].sort((a, b) => a - b)) {
      tracks.addCalls(
        thread,
        profile.calls.filter((call) => call.thread === thread),
      );
    }
  }
  return {
    traceEvents,
    displayTimeUnit: 'ns',
    otherData: {
      format: traceFormat,
      devices: profile.devices,
      unfinished: profile.unfinished,
      missed: profile.missed,
      missedSpans: profile.missedSpans,
      missedCalls: profile.missedCalls,
    },
  };
}

function byQueue(commands: readonly CommandRecord[]): [queue: number, commands: CommandRecord[]][] {
  const queues = new Map<number, CommandRecord[]>();
  for (const command of commands) {
    const its = queues.get(command.queue);
    if (its) its.push(command);
    else queues.set(command.queue, [command]);
  }
  return [...queues].sort(([a], [b]) => a - b);
}

/** Adds the events of one device, or of the host, to those of a trace. */
class ProcessTracks {
  readonly #events: TraceEvent[];
  readonly #pid: number;
  readonly #nextArrow: () => number;
  #tracks = 0;

  constructor(events: TraceEvent[], pid: number, name: string, nextArrow: () => number) {
    this.#events = events;
    this.#pid = pid;
    this.#nextArrow = nextArrow;
    this.#describe('process_name', 0, { name });
  }

  addBuilds(builds: readonly BuildRecord[]): void {
    const track = this.#lanes('builds');
    lanesOf(builds).forEach((lane, index) => {
      const { kind, kernels, started, ended } = builds[index]!;
      const name = kernels.length === 1 ? `${kind} ${kernels[0]}` : kind;
      this.#add('X', name, 'build', track(lane), started, {
        dur: microseconds(ended - started),
        args: { kind, kernels, started, ended },
      });
    });
  }

  addQueue(queue: number, commands: readonly CommandRecord[]): void {
    const ordered = [...commands].sort((a, b) => a.queued - b.queued);
    const widths = enqueueWidths(ordered);
    const enqueued = this.#track(`queue ${queue}: enqueued`);
    const track = this.#lanes(`queue ${queue}`);
    lanesOf(ordered).forEach((lane, index) => {
      const command = ordered[index]!;
      const name = nameOf(command);
      const runs = track(lane);
      const { device: _, ...args } = command;
      this.#add('X', name, 'enqueue', enqueued, command.queued, {
        dur: microseconds(widths[index]!),
      });
      this.#add('X', name, 'command', runs, command.started, {
        dur: microseconds(durationOf(command)),
        args,
      });
      // Viewers find no place for an arrow at something that takes no time.
      if (durationOf(command) === 0) return;
      const id = this.#nextArrow();
      this.#add('s', name, 'flow', enqueued, command.queued, { id });
      this.#add('f', name, 'flow', runs, command.started, { id, bp: 'e' });
    });
  }

  addThread(thread: number, spans: readonly CommandSpan[]): void {
    const track = this.#lanes(`thread ${thread + 1}`);
    lanesOf(spans).forEach((lane, index) => {
      const { command, started, ended } = spans[index]!;
      this.#add('X', nameOf(command), 'thread', track(lane), started, {
        dur: microseconds(ended - started),
        args: { queue: command.queue },
      });
    });
  }

  /** Calls that give promises may overlap. */
  addCalls(thread: number, calls: readonly ApiCall[]): void {
    const ordered = [...calls].sort((a, b) => a.index - b.index);
    const track = this.#lanes(thread === 0 ? 'calls' : `calls of thread ${thread}`);
    lanesOf(ordered).forEach((lane, index) => {
      const call = ordered[index]!;
      const { started, ended, name } = call;
      this.#add('X', name, 'call', track(lane), started, {
        dur: microseconds(ended - started),
        args: { text: callText(call), ...call },
      });
    });
  }

  #add(
    ph: 'X' | 's' | 'f',
    name: string,
    cat: string,
    tid: number,
    nanoseconds: number,
    more: Partial<TraceEvent>,
  ): void {
    this.#events.push({ ph, name, cat, pid: this.#pid, tid, ts: microseconds(nanoseconds), ...more });
  }

  /** Gives the track of each lane, made when it is first asked for. */
  #lanes(name: string): (lane: number) => number {
    const tracks: number[] = [];
    return (lane) => {
      tracks[lane] ??= this.#track(lane === 0 ? name : `${name} (${lane + 1})`);
      return tracks[lane];
    };
  }

  #track(name: string): number {
    this.#tracks += 1;
    this.#describe('thread_name', this.#tracks, { name });
    this.#describe('thread_sort_index', this.#tracks, { sort_index: this.#tracks });
    return this.#tracks;
  }

  #describe(name: string, tid: number, args: Readonly<Record<string, unknown>>): void {
    this.#events.push({ ph: 'M', name, pid: this.#pid, tid, ts: 0, args });
  }
}

/** As wide as there is room up to the next one; of those that a coarse clock puts at the same time, each. */
function enqueueWidths(commands: readonly CommandRecord[]): number[] {
  const widths = commands.map(() => enqueueWidth);
  for (let index = commands.length - 2; index >= 0; index -= 1) {
    const room = commands[index + 1]!.queued - commands[index]!.queued;
    widths[index] = room === 0 ? widths[index + 1]! : Math.min(enqueueWidth, room);
  }
  return widths;
}

function microseconds(nanoseconds: number): number {
  return nanoseconds / 1000;
}
