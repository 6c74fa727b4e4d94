/** A profile as rows for a picture; the records are written by hand, and so is what becomes of them. */
import { expect, it } from 'vitest';
import type { CommandRecord, Profile } from '../../../src/tools/profile/profile.ts';
import { timelineOf } from '../../../src/tools/profile/timeline.ts';

const command = (
  queue: number,
  times: readonly [number, number, number, number],
  more: Partial<CommandRecord> = {},
): CommandRecord => {
  const [queued, submitted, started, ended] = times;
  return {
    device: 0,
    queue,
    kind: 'kernel',
    kernel: 'blur',
    bytes: 0,
    status: 0,
    queued,
    submitted,
    started,
    ended,
    ...more,
  };
};

it('has a row for builds, one for each queue, more for what ran at the same time, and one for each thread', () => {
  const profile: Profile = {
    devices: [{ name: 'Threads', units: 2 }],
    builds: [{ device: 0, kind: 'build', kernels: ['blur', 'edge'], started: 5, ended: 50 }],
    commands: [
      command(1, [60, 62, 70, 90], { global: [64, 8], local: [8, 8] }),
      command(1, [61, 63, 80, 95], { kind: 'write buffer', kernel: undefined, bytes: 4096 }),
      command(2, [65, 66, 100, 120], { status: -5, threads: [{ thread: 1, started: 100, ended: 120 }] }),
      command(1, [67, 68, 90, 99], {
        threads: [
          { thread: 1, started: 90, ended: 98 },
          { thread: 0, started: 92, ended: 99 },
        ],
      }),
    ],
    unfinished: 0,
    missed: 0,
    missedSpans: 0,
    calls: [],
    missedCalls: 0,
  };
  const { rows, start, end } = timelineOf(profile);
  expect([start, end]).toEqual([5, 120]);
  expect(
    rows.map(({ label, items }) => [label, items.map(({ name, started }) => `${name} ${started}`)]),
  ).toEqual([
    ['builds', ['build blur, edge 5']],
    ['queue 1', ['blur 70', 'blur 90']],
    // The write began while the first launch ran.
    ['queue 1 (2)', ['write buffer 80']],
    ['queue 2', ['blur 100']],
    ['thread 1', ['blur 92']],
    ['thread 2', ['blur 90', 'blur 100']],
  ]);
  const details = rows.flatMap(({ items }) => items.map(({ kind, detail }) => [kind, detail]));
  expect(details).toEqual([
    ['build', ''],
    ['kernel', '64 x 8 work-items, groups of 8 x 8'],
    ['kernel', ''],
    ['transfer', '4096 bytes'],
    ['kernel', 'failed: -5'],
    ['kernel', 'for queue 1'],
    ['kernel', 'for queue 1'],
    ['kernel', 'for queue 2'],
  ]);
});

it('of nothing is empty', () => {
  const nothing = {
    devices: [],
    builds: [],
    commands: [],
    unfinished: 0,
    missed: 0,
    missedSpans: 0,
    calls: [],
    missedCalls: 0,
  };
  expect(timelineOf(nothing)).toEqual({ rows: [], start: 0, end: 0 });
});
