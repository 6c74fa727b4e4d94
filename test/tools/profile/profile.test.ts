/** Summary, table, trace and comparison of profiles whose records are written by hand, as are the expected numbers. */
import { describe, expect, it } from 'vitest';
import { compareProfiles, comparisonTable } from '../../../src/tools/profile/compare.ts';
import { lanesOf } from '../../../src/tools/profile/lanes.ts';
import type { CommandRecord, Profile } from '../../../src/tools/profile/profile.ts';
import { readTrace, TraceError } from '../../../src/tools/profile/read-trace.ts';
import { summarise } from '../../../src/tools/profile/summary.ts';
import { profileTable } from '../../../src/tools/profile/table.ts';
import { profileTrace } from '../../../src/tools/profile/trace.ts';
import { bytesText, ratioText, timeText } from '../../../src/tools/profile/units.ts';
import { traceProblems } from './trace-rules.ts';

/** Times in microseconds. */
function command(
  facts: Partial<CommandRecord> & {
    readonly times: readonly [queued: number, started: number, ended: number];
  },
): CommandRecord {
  const { times, ...rest } = facts;
  const [queued, started, ended] = times.map((time) => 1000 * time) as [number, number, number];
  return {
    device: 0,
    queue: 1,
    kind: 'marker',
    bytes: 0,
    status: 0,
    queued,
    submitted: queued,
    started,
    ended,
    ...rest,
  };
}

const kernel = { kind: 'kernel', kernel: 'blur' };

/** Two threads with one queue, on which two launches overlap for 100 µs, and a driver's device with another. */
const profile: Profile = {
  devices: [
    { name: 'Threads', units: 2 },
    { name: 'Driver', units: 1 },
  ],
  commands: [
    command({ kind: 'write buffer', bytes: 1_000_000, times: [0, 0, 100] }),
    // 3 groups on 2 threads: the second round has only one, so 3 of 4 places are taken.
    command({
      ...kernel,
      global: [300],
      local: [100],
      times: [50, 100, 300],
      threads: [
        { thread: 0, started: 100_000, ended: 300_000 },
        { thread: 1, started: 110_000, ended: 190_000 },
        // What the launch's kernels launched, after its own end.
        { thread: 1, started: 290_000, ended: 350_000 },
      ],
    }),
    // 2 x 2 groups fill both threads twice.
    command({ ...kernel, global: [16, 16], local: [8, 8], times: [60, 200, 500], status: -5 }),
    command({ times: [60, 500, 500] }),
    command({ device: 1, queue: 2, kind: 'read buffer', bytes: 2048, times: [400, 550, 700] }),
  ],
  builds: [
    { device: 0, kind: 'build', kernels: ['blur', 'sharpen'], started: 1000, ended: 13_345_000 },
    { device: 0, kind: 'compile', kernels: ['blur'], started: 5000, ended: 9000 },
    { device: 1, kind: 'build', kernels: [], started: 0, ended: 10 },
  ],
  unfinished: 1,
  missed: 7,
  missedSpans: 3,
  calls: [],
  missedCalls: 0,
};

/** A table's lines as lists of cells. */
const cells = (table: string): string[][] => table.split('\n').map((line) => line.trim().split(/ {2,}/));

describe('the summary of a profile', () => {
  const { rows, wall, busy, overlap } = summarise(profile);

  it('has a row for each kernel and each other kind of command, with sums and means', () => {
    expect(rows.map(({ name, count, failed }) => [name, count, failed])).toEqual([
      ['blur', 2, 1],
      ['read buffer', 1, 0],
      ['write buffer', 1, 0],
      ['marker', 1, 0],
    ]);
    expect(rows[0]).toMatchObject({ total: 500_000, mean: 250_000, min: 200_000, max: 300_000 });
    expect(rows[0]!.waited).toBe((50_000 + 140_000) / 2);
    expect(rows[0]!.share).toBeCloseTo(500 / 750, 12);
  });

  it('has the rate of transfers and the occupancy of launches', () => {
    expect(rows[2]!.bytesPerSecond).toBeCloseTo(1e10, 0);
    expect(rows[0]!.bytesPerSecond).toBeUndefined();
    expect(rows[0]!.occupancy).toBeCloseTo((0.75 * 200 + 1 * 300) / 500, 12);
    expect(rows[2]!.occupancy).toBeUndefined();
  });

  it('has how busy the threads were with the launches of which that is known, up to their end', () => {
    expect(rows[0]!.threadsBusy).toBeCloseTo((200 + 80 + 10) / (2 * 200), 12);
    expect(rows[2]!.threadsBusy).toBeUndefined();
  });

  it('tells how long commands ran, and two at once', () => {
    expect({ wall, busy, overlap }).toEqual({ wall: 700_000, busy: 650_000, overlap: 100_000 });
  });

  it('counts three at once as an overlap once', () => {
    const three = [
      command({ times: [0, 0, 10] }),
      command({ times: [0, 2, 9] }),
      command({ times: [0, 4, 6] }),
    ];
    expect(summarise({ ...profile, commands: three })).toMatchObject({ busy: 10_000, overlap: 7000 });
  });

  it('has nothing in it where there were no commands', () => {
    expect(summarise({ ...profile, commands: [] })).toEqual({ rows: [], wall: 0, busy: 0, overlap: 0 });
  });
});

describe('the table', () => {
  it('says all of it', () => {
    expect(cells(profileTable(profile))).toEqual([
      ['Threads (2 compute units)'],
      [
        'command',
        'count',
        'total',
        'mean',
        'min',
        'max',
        'share',
        'waited',
        'moved',
        'rate',
        'occupancy',
        'threads busy',
      ],
      ['blur (1 failed)', '2', '500 µs', '250 µs', '200 µs', '300 µs', '66.7%', '95.0 µs', '90.0%', '72.5%'],
      ['write buffer', '1', '100 µs', '100 µs', '100 µs', '100 µs', '13.3%', '0 ns', '977 KiB', '10.0 GB/s'],
      ['marker', '1', '0 ns', '0 ns', '0 ns', '0 ns', '0.0%', '440 µs'],
      ['build of blur, sharpen: 13.3 ms'],
      ['compile of blur: 4.00 µs'],
      [''],
      ['Driver (1 compute unit)'],
      ['command', 'count', 'total', 'mean', 'min', 'max', 'share', 'waited', 'moved', 'rate'],
      [
        'read buffer',
        '1',
        '150 µs',
        '150 µs',
        '150 µs',
        '150 µs',
        '20.0%',
        '150 µs',
        '2.00 KiB',
        '13.7 MB/s',
      ],
      ['build that failed, or of no kernel: 10 ns'],
      [''],
      [
        '700 µs from the first command to the end of the last; commands ran in 92.9% of it, two or more at once in 14.3%',
      ],
      ['1 had not ended'],
      ['7 more are not in the profile: it was full'],
      [
        "what threads did was overwritten 3 times before it was read: 'threads busy' leaves out the launches that this may belong to",
      ],
      [''],
    ]);
  });

  it('puts numbers under each other', () => {
    const lines = profileTable(profile).split('\n');
    const [heading, , written] = [lines[1]!, lines[2]!, lines[3]!];
    expect(written.indexOf('977 KiB') + '977 KiB'.length).toBe(heading.indexOf('moved') + 'moved'.length);
  });

  it('is a line where nothing ran', () => {
    const empty = {
      devices: [],
      commands: [],
      builds: [],
      unfinished: 0,
      missed: 0,
      missedSpans: 0,
      calls: [],
      missedCalls: 0,
    };
    expect(profileTable(empty)).toBe('no command has ended\n');
  });

  it.each([
    [0, '0 ns'],
    [999.4, '999 ns'],
    [999.6, '1.00 µs'],
    [12_345, '12.3 µs'],
    [99_960, '100 µs'],
    [999_700, '1.00 ms'],
    [61_000_000_000, '61.0 s'],
    [5_000_000_000_000, '5000 s'],
  ])('writes %d ns as %s', (time, text) => expect(timeText(time)).toBe(text));

  it('writes bytes in steps of 1024, and ratios', () => {
    expect([1023, 1024, 65536, 1 << 30].map(bytesText)).toEqual([
      '1023 B',
      '1.00 KiB',
      '64.0 KiB',
      '1.00 GiB',
    ]);
    expect([0.0123, 0.5, 12].map(ratioText)).toEqual(['0.012x', '0.50x', '12.00x']);
  });
});

describe('lanes', () => {
  it('keep what overlaps apart, and use a lane again once it is free', () => {
    const spans = [
      { started: 0, ended: 10 },
      { started: 5, ended: 20 },
      { started: 10, ended: 12 },
      { started: 11, ended: 13 },
      { started: 12, ended: 12 },
    ];
    expect(lanesOf(spans)).toEqual([0, 1, 0, 2, 0]);
  });
});

describe('the trace', () => {
  const trace = profileTrace(profile);

  it('follows the rules of the format', () => {
    expect(traceProblems(JSON.parse(JSON.stringify(trace)))).toEqual([]);
  });

  it('has a process for each device and a track for each queue and thread, and more where commands overlap', () => {
    const names = trace.traceEvents.filter(({ name }) => name === 'process_name' || name === 'thread_name');
    expect(names.map(({ pid, args }) => `${pid} ${args?.['name']}`)).toEqual([
      '1 Threads',
      '1 builds',
      '1 builds (2)',
      '1 queue 1: enqueued',
      '1 queue 1',
      '1 queue 1 (2)',
      '1 thread 1',
      '1 thread 2',
      '2 Driver',
      '2 builds',
      '2 queue 2: enqueued',
      '2 queue 2',
    ]);
  });

  it('has commands where they ran, in microseconds, and an arrow from where they were enqueued', () => {
    const blurs = trace.traceEvents.filter(({ name, cat }) => name === 'blur' && cat === 'command');
    expect(blurs.map(({ ts, dur }) => [ts, dur])).toEqual([
      [100, 200],
      [200, 300],
    ]);
    expect(blurs[0]!.tid).not.toBe(blurs[1]!.tid);
    const threads = trace.traceEvents.filter(({ cat }) => cat === 'thread');
    expect(threads.map(({ name, ts, dur }) => [name, ts, dur])).toEqual([
      ['blur', 100, 200],
      ['blur', 110, 80],
      ['blur', 290, 60],
    ]);
    expect(new Set(threads.map(({ tid }) => tid)).size).toBe(2);
    const arrows = trace.traceEvents.filter(({ name, cat }) => name === 'blur' && cat === 'flow');
    expect(arrows.map(({ ph, ts }) => [ph, ts])).toEqual([
      ['s', 50],
      ['f', 100],
      ['s', 60],
      ['f', 200],
    ]);
  });

  it('gives the profile back, in the order of queues', () => {
    const read = readTrace(JSON.stringify(trace));
    expect(read.devices).toEqual(profile.devices);
    expect(read.commands).toEqual(profile.commands);
    expect(read.builds).toEqual(profile.builds);
    expect(read.missedSpans).toBe(3);
    expect(profileTable(read)).toBe(profileTable(profile));
  });

  it('breaks the rules if somebody spoils it', () => {
    const spoilt = (change: (events: Record<string, unknown>[]) => void): string => {
      const copy = JSON.parse(JSON.stringify(trace)) as { traceEvents: Record<string, unknown>[] };
      change(copy.traceEvents);
      return traceProblems(copy).join('; ');
    };
    const find = (events: Record<string, unknown>[], ph: string) =>
      events.find((event) => event['ph'] === ph)!;
    expect(spoilt((events) => Object.assign(find(events, 'X'), { dur: -1 }))).toContain('dur is -1');
    expect(spoilt((events) => delete find(events, 'X')['ts'])).toContain('ts is undefined');
    expect(spoilt((events) => delete find(events, 's')['name'])).toContain('no name');
    expect(spoilt((events) => events.splice(events.indexOf(find(events, 'f')), 1))).toContain('1 s and 0 f');
    expect(spoilt((events) => Object.assign(find(events, 's'), { ts: 99 }))).toContain('is at nothing');
    expect(spoilt((events) => events.shift())).toContain('process 1 has no name');
    const merged = spoilt((events) => {
      const blurs = events.filter(({ name, cat }) => name === 'blur' && cat === 'command');
      blurs[1]!['tid'] = blurs[0]!['tid'];
    });
    expect(merged).toContain('overlaps another');
  });
});

describe('reading a trace', () => {
  const good = JSON.stringify(profileTrace(profile));

  it.each([
    ['no JSON', 'saxpy', 'it is no JSON'],
    ['a list', '[]', 'the trace is no object'],
    ["somebody else's", '{"traceEvents":[]}', 'no trace of millrace run --profile'],
    ['no events', good.replace('"traceEvents"', '"events"'), 'traceEvents is no list'],
    [
      'an unknown device',
      good.replace('"pid":1,"tid":4,"ts":0,"dur":100,', '"pid":9,"tid":4,"ts":0,"dur":100,'),
      'no device',
    ],
    ['a time that is none', good.replace('"ended":100000', '"ended":"late"'), 'ended is no number'],
    ['an end before the start', good.replace('"ended":300000', '"ended":1'), 'ended before it started'],
    ['a time before the beginning', good.replace('"queued":50000', '"queued":-1'), 'queued is -1'],
    ['sizes that are none', good.replace('"global":[300]', '"global":[0]'), 'global of a command'],
    ['a thread that is none', good.replace('"thread":1', '"thread":2'), 'thread of a span is 2, of 2'],
    ['a span that ends too early', good.replace('"ended":190000', '"ended":9'), 'ended is 9'],
    ['sizes that do not fit', good.replace('"local":[100]', '"local":[10,10]'), 'other dimensions'],
  ])('says what is wrong with %s', (_, text, message) => {
    expect(text).not.toBe(good);
    expect(() => readTrace(text)).toThrow(TraceError);
    expect(() => readTrace(text)).toThrow(message);
  });
});

describe('the comparison', () => {
  /** On one device, the launches half as long, and a fill in the place of the write. */
  const after: Profile = {
    ...profile,
    devices: [{ name: 'Other', units: 4 }],
    commands: [
      command({ kind: 'fill buffer', bytes: 4096, times: [0, 0, 10] }),
      command({ ...kernel, times: [10, 10, 110] }),
      command({ ...kernel, times: [10, 110, 260] }),
      command({ kind: 'read buffer', bytes: 2048, times: [300, 300, 450] }),
    ],
  };

  it('has what both do, most changed first', () => {
    const rows = compareProfiles(profile, after);
    expect(rows.map(({ name, before, after }) => [name, before?.total, after?.total])).toEqual([
      ['blur', 500_000, 250_000],
      ['write buffer', 100_000, undefined],
      ['fill buffer', undefined, 10_000],
      ['marker', 0, undefined],
      ['read buffer', 150_000, 150_000],
    ]);
  });

  it('is printed with the quotients', () => {
    const lines = cells(comparisonTable(profile, after));
    const blur = [
      'blur',
      '2',
      '2',
      '250 µs',
      '125 µs',
      '0.50x',
      '200 µs',
      '100 µs',
      '0.50x',
      '500 µs',
      '250 µs',
      '0.50x',
    ];
    expect(lines[2]).toEqual(blur);
    expect(lines[3]).toEqual([
      'write buffer',
      '1',
      '-',
      '100 µs',
      '-',
      '-',
      '100 µs',
      '-',
      '-',
      '100 µs',
      '-',
      '-',
    ]);
    expect(lines).toContainEqual([
      'from the first command to the end of the last: A 700 µs, B 450 µs, B/A 0.64x',
    ]);
    expect(lines).toContainEqual(['while commands ran: A 650 µs, B 410 µs, B/A 0.63x']);
  });

  it('puts the same kernel on two devices together', () => {
    const both = {
      ...profile,
      commands: [
        command({ ...kernel, times: [0, 0, 10] }),
        command({ ...kernel, device: 1, queue: 2, times: [0, 0, 30] }),
      ],
    };
    expect(compareProfiles(both, both)).toEqual([
      {
        name: 'blur',
        isKernel: true,
        before: { count: 2, total: 40_000, mean: 20_000, min: 10_000 },
        after: { count: 2, total: 40_000, mean: 20_000, min: 10_000 },
      },
    ]);
  });
});
