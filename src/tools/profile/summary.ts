/** What a profile comes to: rows by device, kernel and kind of command, and how much ran at the same time. */
import type { CommandRecord, Profile } from './profile.ts';

/** The commands of one device that run one kernel, or are of one other kind. Times in nanoseconds. */
export interface SummaryRow {
  readonly device: number;
  /** The kernel, or the kind of command. */
  readonly name: string;
  readonly isKernel: boolean;
  readonly count: number;
  readonly failed: number;
  /** From start to end. */
  readonly total: number;
  readonly mean: number;
  readonly min: number;
  readonly max: number;
  /** Of the time of all commands of the profile, 0 to 1. */
  readonly share: number;
  /** Mean time from queued to start. */
  readonly waited: number;
  readonly bytes: number;
  /** Undefined where nothing was moved or no time was measured. */
  readonly bytesPerSecond: number | undefined;
  /**
   * Of launches: the share of the device's compute units, 0 to 1, that have a work-group to run, if all groups take the same
   * time; weighted by the time of the launches. Undefined where the device chose the groups.
   */
  readonly occupancy: number | undefined;
  /**
   * Of launches: the share of the device's threads, 0 to 1, that worked for them from their start to their end, as measured.
   * Undefined where the device does not tell, or no time was measured.
   */
  readonly threadsBusy: number | undefined;
}

export interface Summary {
  /** The longest first. */
  readonly rows: readonly SummaryRow[];
  /** From the first command's queueing to the last one's end. */
  readonly wall: number;
  /** While at least one command ran. */
  readonly busy: number;
  /** While at least two ran. */
  readonly overlap: number;
}

export function summarise(profile: Profile): Summary {
  const { commands, devices } = profile;
  const groups = new Map<string, CommandRecord[]>();
  for (const command of commands) {
    const key = JSON.stringify([command.device, nameOf(command), command.kernel !== undefined]);
    const group = groups.get(key);
    if (group) group.push(command);
    else groups.set(key, [command]);
  }
  const all = commands.reduce((sum, command) => sum + durationOf(command), 0);
  const rows = [...groups.values()].map((group) => rowOf(group, devices[group[0]!.device]!.units, all));
  rows.sort((a, b) => b.total - a.total || b.count - a.count);
  return { rows, wall: wallOf(commands), ...concurrency(commands) };
}

/** The kernel of a launch, the kind of any other command. */
export function nameOf({ kernel, kind }: CommandRecord): string {
  return kernel ?? kind;
}

/** Nanoseconds from start to end. */
export function durationOf({ started, ended }: CommandRecord): number {
  return ended - started;
}

function rowOf(group: readonly CommandRecord[], units: number, all: number): SummaryRow {
  const first = group[0]!;
  const count = group.length;
  let [total, waited, bytes, failed, min, max] = [0, 0, 0, 0, Number.POSITIVE_INFINITY, 0];
  for (const command of group) {
    const duration = durationOf(command);
    total += duration;
    min = Math.min(min, duration);
    max = Math.max(max, duration);
    waited += command.started - command.queued;
    bytes += command.bytes;
    if (command.status < 0) failed += 1;
  }
  return {
    device: first.device,
    name: nameOf(first),
    isKernel: first.kernel !== undefined,
    count,
    failed,
    total,
    mean: total / count,
    min,
    max,
    share: all > 0 ? total / all : 0,
    waited: waited / count,
    bytes,
    bytesPerSecond: bytes > 0 && total > 0 ? (bytes * 1e9) / total : undefined,
    occupancy: meanOccupancy(group, units),
    threadsBusy: threadsBusy(group, units),
  };
}

function meanOccupancy(group: readonly CommandRecord[], units: number): number | undefined {
  let [weighted, weight] = [0, 0];
  for (const command of group) {
    const occupancy = occupancyOf(command, units);
    if (occupancy === undefined) continue;
    // Launches too short for the clock count, too, if there are no others.
    const share = durationOf(command) || 1;
    weighted += occupancy * share;
    weight += share;
  }
  return weight > 0 ? weighted / weight : undefined;
}

/** See {@link SummaryRow.occupancy}, of one launch. */
function occupancyOf({ global, local }: CommandRecord, units: number): number | undefined {
  if (!global || !local || units < 1) return undefined;
  const groups = global.reduce((product, size, axis) => product * Math.ceil(size / local[axis]!), 1);
  return groups / (Math.ceil(groups / units) * units);
}

/** See {@link SummaryRow.threadsBusy}. What its kernels launched may go on after a launch has ended, and is not counted there. */
function threadsBusy(group: readonly CommandRecord[], units: number): number | undefined {
  let [worked, room] = [0, 0];
  for (const command of group) {
    if (!command.threads) continue;
    room += units * durationOf(command);
    for (const { started, ended } of command.threads) {
      worked += Math.max(0, Math.min(ended, command.ended) - Math.max(started, command.started));
    }
  }
  return room > 0 ? worked / room : undefined;
}

function wallOf(commands: readonly CommandRecord[]): number {
  let [from, to] = [Number.POSITIVE_INFINITY, 0];
  for (const { queued, ended } of commands) {
    from = Math.min(from, queued);
    to = Math.max(to, ended);
  }
  return commands.length > 0 ? to - from : 0;
}

/** How long at least one command ran, and at least two. */
function concurrency(commands: readonly CommandRecord[]): {
  readonly busy: number;
  readonly overlap: number;
} {
  const starts = Float64Array.from(commands, ({ started }) => started).sort();
  const ends = Float64Array.from(commands, ({ ended }) => ended).sort();
  let [busy, overlap, running, at, next, before] = [0, 0, 0, 0, 0, 0];
  while (at < ends.length) {
    // At the same moment those that end go first.
    const isEnd = next >= starts.length || ends[at]! <= starts[next]!;
    const time = isEnd ? ends[at]! : starts[next]!;
    if (running >= 1) busy += time - before;
    if (running >= 2) overlap += time - before;
    before = time;
    if (isEnd) at += 1;
    else next += 1;
    running += isEnd ? -1 : 1;
  }
  return { busy, overlap };
}
