/**
 * A profile as rows for a picture: for each device its builds, for each queue its commands, those that ran at the same time in
 * rows of their own, and for each thread the launches that it worked for.
 */
import { lanesOf } from './lanes.ts';
import type { Profile } from './profile.ts';
import { nameOf } from './summary.ts';
import { byThread, type CommandSpan } from './thread-spans.ts';

export interface TimelineItem {
  /** The kernel, or the kind of command. */
  readonly name: string;
  readonly kind: 'kernel' | 'transfer' | 'build';
  /** Nanoseconds from the profile's beginning; of builds and of what threads did the first three are equal. */
  readonly queued: number;
  readonly submitted: number;
  readonly started: number;
  readonly ended: number;
  /** Sizes, bytes and errors, in words; empty if there is nothing to add. */
  readonly detail: string;
}

export interface TimelineRow {
  /** `queue 1`; `queue 1 (2)` for what ran beside the row before; `thread 1`. */
  readonly label: string;
  /** In the order in which they started. */
  readonly items: readonly TimelineItem[];
}

export interface Timeline {
  readonly rows: readonly TimelineRow[];
  /** From the first queueing or build to the last end. */
  readonly start: number;
  readonly end: number;
}

export function timelineOf(profile: Profile): Timeline {
  const rows = profile.devices.flatMap(({ name }, device) => {
    const prefix = profile.devices.length > 1 ? `${name}: ` : '';
    const builds = profile.builds
      .filter((build) => build.device === device)
      .map(({ kind, kernels, started, ended }): TimelineItem => {
        const what = kernels.length === 0 ? '' : ` ${kernels.join(', ')}`;
        const times = { queued: started, submitted: started, started, ended };
        return { name: `${kind}${what}`, kind: 'build', detail: '', ...times };
      });
    const queues = [...new Set(ofDevice(profile, device).map(({ queue }) => queue))].sort((a, b) => a - b);
    return [
      ...rowsOf(`${prefix}builds`, builds),
      ...queues.flatMap((queue) => rowsOf(`${prefix}queue ${queue}`, itemsOf(profile, device, queue))),
      ...byThread(ofDevice(profile, device)).flatMap((spans, thread) =>
        rowsOf(`${prefix}thread ${thread + 1}`, spans.map(threadItem)),
      ),
    ];
  });
  const items = rows.flatMap((row) => row.items);
  const start = items.reduce((least, { queued }) => Math.min(least, queued), Number.POSITIVE_INFINITY);
  const end = items.reduce((most, { ended }) => Math.max(most, ended), 0);
  return { rows, start: Number.isFinite(start) ? start : 0, end };
}

function ofDevice({ commands }: Profile, device: number) {
  return commands.filter((command) => command.device === device);
}

function itemsOf(profile: Profile, device: number, queue: number): TimelineItem[] {
  return ofDevice(profile, device)
    .filter((command) => command.queue === queue)
    .map((command): TimelineItem => {
      const { kernel, global, local, bytes, queued, submitted, started, ended, status } = command;
      const detail = [
        global && global.length > 0 ? `${global.join(' x ')} work-items` : '',
        local && local.length > 0 ? `groups of ${local.join(' x ')}` : '',
        bytes > 0 ? `${bytes} bytes` : '',
        status < 0 ? `failed: ${status}` : '',
      ];
      return {
        name: nameOf(command),
        kind: kernel === undefined ? 'transfer' : 'kernel',
        queued,
        submitted,
        started,
        ended,
        detail: detail.filter((part) => part !== '').join(', '),
      };
    });
}

function threadItem({ command, started, ended }: CommandSpan): TimelineItem {
  const times = { queued: started, submitted: started, started, ended };
  return { name: nameOf(command), kind: 'kernel', detail: `for queue ${command.queue}`, ...times };
}

function rowsOf(label: string, items: readonly TimelineItem[]): TimelineRow[] {
  const rows: TimelineItem[][] = [];
  lanesOf(items).forEach((lane, index) => {
    rows[lane] ??= [];
    rows[lane].push(items[index]!);
  });
  return rows.map((row, lane) => ({
    label: lane === 0 ? label : `${label} (${lane + 1})`,
    items: row.sort((a, b) => a.started - b.started),
  }));
}
