/** What a profile says of threads: on two of them, on the one that there is without shared memory, and what the rings keep. */
import { startProfiling, summarise } from 'millrace';
import { CL, type CLContext, type CLDeviceQueue, createContext, getPlatforms } from 'millrace/opencl';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { VisitLog, VisitRings, visitRecords } from '../../../src/devices/wasm/thread-visits.ts';
import { ControlMemory } from '../../../src/runtime/control-memory.ts';
import { EventTable } from '../../../src/runtime/event-table.ts';
import type { ThreadVisit } from '../../../src/runtime/thread-watch.ts';

// Before the device is made.
vi.hoisted(() => {
  process.env['MILLRACE_THREADS'] = '2';
});

const source = `
kernel void twice(global int *data) { data[get_global_id(0)] *= 2; }

// Ends when two work-groups have come here, which one thread alone cannot do.
kernel void meet(volatile global int *data) {
  atomic_inc(data);
  while (atomic_add(data, 0) < 2);
}

kernel void leads(global int *data) {
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1024), ^{
    for (int i = 0; i < 100; ++i) data[get_global_id(0)] ^= i;
  });
}`;

const platform = getPlatforms()[0]!;
const [wasm] = platform.getDevices(CL.DEVICE_TYPE_CPU);
const [interpreter] = platform.getDevices(CL.DEVICE_TYPE_CUSTOM);
const contexts: CLContext[] = [];

afterAll(() => {
  for (const context of contexts) context.releaseAll();
});

async function open(context: CLContext) {
  contexts.push(context);
  const list = [CL.QUEUE_PROPERTIES, CL.QUEUE_ON_DEVICE | CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0];
  const deviceQueue = context.createCommandQueueWithProperties(null, list) as CLDeviceQueue;
  context.setDefaultDeviceCommandQueue(deviceQueue.device, deviceQueue);
  const queue = context.createCommandQueue(null, 0, { timeout: 20_000 });
  const program = context.createProgram(source);
  program.build(null, '-cl-std=CL2.0');
  await queue.ready();
  return {
    launch(name: string, global: number, local: number) {
      const kernel = program.createKernel(name);
      const buffer = context.createBuffer(CL.MEM_READ_WRITE, 4096);
      queue.enqueueFillBuffer(buffer, Int32Array.of(0), 0, 4096);
      kernel.setArg(0, buffer);
      queue.enqueueNDRangeKernel(kernel, 1, null, [global], [local]);
      queue.finish();
    },
  };
}

describe('a profile of two threads', () => {
  it('has when each worked for which launch, and nothing of what ran unseen', async () => {
    const { launch } = await open(createContext([wasm!]));
    launch('meet', 2, 1);
    const profiler = startProfiling();
    launch('meet', 2, 1);
    for (let round = 0; round < 20; round += 1) launch('twice', 1024, 8);
    const profile = profiler.stop();
    launch('meet', 2, 1);

    const { devices, commands, missedSpans } = profile;
    expect([devices[0]!.units, missedSpans]).toEqual([2, 0]);
    const launches = commands.filter(({ kernel }) => kernel !== undefined);
    expect(launches).toHaveLength(21);
    for (const { threads, started, ended } of launches) {
      // Who takes the first work-groups says when the launch began.
      expect(threads![0]!.started).toBe(started);
      for (const span of threads!) {
        expect([started, span.started, span.ended, ended]).toEqual(
          [started, span.started, span.ended, ended].sort((a, b) => a - b),
        );
      }
    }
    for (const thread of [0, 1]) {
      const spans = launches.flatMap(({ threads }) => threads!.filter((span) => span.thread === thread));
      const overlapping = spans.filter((span, index) => index > 0 && span.started < spans[index - 1]!.ended);
      expect(overlapping).toEqual([]);
    }
    const [first, second] = launches[0]!.threads!;
    expect([first!.thread, second!.thread].sort()).toEqual([0, 1]);
    expect(second!.started).toBeLessThanOrEqual(first!.ended);
    const busy = summarise(profile).rows.find(({ name }) => name === 'meet')!.threadsBusy!;
    expect(busy).toBeGreaterThan(0);
    expect(busy).toBeLessThanOrEqual(1);
    expect(commands.filter(({ kernel, threads }) => kernel === undefined && threads)).toEqual([]);
  });

  it('has all of it for each of two who watch', async () => {
    const { launch } = await open(createContext([wasm!]));
    const [outer, inner] = [startProfiling(), startProfiling()];
    launch('meet', 2, 1);
    const short = inner.stop();
    launch('meet', 2, 1);
    const counts = (profile: typeof short) =>
      profile.commands.flatMap(({ kernel, threads }) => (kernel ? [threads?.length] : []));
    expect(counts(short)).toEqual([2]);
    expect(counts(outer.stop())).toEqual([2, 2]);
  });
});

describe.each([
  ['two threads', () => createContext([wasm!]), [0, 1]],
  ['one thread', () => createContext([wasm!], { shared: false }), [0]],
] as const)('a profile of %s', (_, make, numbers) => {
  it('has what the kernels of a launch launch, which may go on after it has ended', async () => {
    const { launch } = await open(make());
    const profiler = startProfiling();
    launch('leads', 1, 1);
    const { commands } = profiler.stop();
    const { threads, started, ended } = commands.find(({ kernel }) => kernel === 'leads')!;
    for (const span of threads!) {
      expect(numbers).toContain(span.thread);
      expect(span.started).toBeGreaterThanOrEqual(started);
      expect(span.ended).toBeGreaterThanOrEqual(span.started);
    }
    const last = Math.max(...threads!.map((span) => span.ended));
    // On one thread a launch ends with what it led to, and each has a slice at least.
    if (numbers.length > 1) expect(last).toBeGreaterThan(ended);
    else expect([threads!.length >= 2, last <= ended]).toEqual([true, true]);
  });
});

it('a profile of a device without threads says nothing of any', async () => {
  const { launch } = await open(createContext([interpreter!]));
  const profiler = startProfiling();
  launch('twice', 64, 8);
  const { commands, missedSpans } = profiler.stop();
  expect(commands.filter(({ kernel }) => kernel).map(({ threads }) => threads)).toEqual([undefined]);
  expect(missedSpans).toBe(0);
});

describe('the rings of visits', () => {
  function rings() {
    const control = ControlMemory.create(false);
    const events = new EventTable(control, () => {});
    const place = control.allocate(4);
    const log = new VisitLog(control, events, place, 1);
    const host = new VisitRings(control, place, 2);
    return { control, log, host, event: events.allocate(1), events };
  }

  const all = (watch: ReturnType<VisitRings['watch']>) => {
    const visits: ThreadVisit[] = [];
    const lost = watch.read((visit) => visits.push(visit));
    return { visits, lost };
  };

  it('are not there, and nothing is written, while nobody watches', () => {
    const { log, host, event, control } = rings();
    const used = control.used;
    log.begin(event, 5);
    log.extend();
    expect(control.used).toBe(used);
    const watch = host.watch();
    expect(all(watch).visits).toEqual([]);
    watch.end();
    watch.end();
    log.begin(event, 5);
    log.extend();
    const next = host.watch();
    expect(all(next).visits).toEqual([]);
    log.begin(event, 7);
    expect(all(next).visits.map(({ started, ended }) => [started, ended])).toEqual([[7, 0]]);
    // The first has ended once only.
    const third = host.watch();
    third.end();
    log.begin(event, 8);
    expect(all(next).visits.map(({ started }) => started)).toEqual([7, 8]);
  });

  it('tell of a visit again that goes on, and of another after a pause or for another launch', () => {
    const { log, host, event, events } = rings();
    const watch = host.watch();
    log.begin(event, 5);
    expect(all(watch).visits).toMatchObject([{ thread: 1, event, started: 5, ended: 0 }]);
    log.extend();
    log.goOn(event);
    const [again, ...none] = all(watch).visits;
    expect(again).toMatchObject({ thread: 1, started: 5 });
    expect(again!.ended).toBeGreaterThan(0);
    expect(none).toEqual([]);
    log.pause();
    log.extend();
    log.goOn(event);
    expect(all(watch).visits).toHaveLength(2);
    const other = events.allocate(1);
    log.goOn(other);
    expect(all(watch).visits.map((visit) => visit.event)).toEqual([event, other]);
  });

  it('tell how much was overwritten, and since when nothing was', () => {
    const { log, host, event } = rings();
    const watch = host.watch();
    for (let at = 1; at <= visitRecords + 10; at += 1) log.begin(event, at);
    const { visits, lost } = all(watch);
    // One record is always left to the writer.
    expect(visits.map(({ started }) => started)).toEqual(
      Array.from({ length: visitRecords - 1 }, (_, index) => index + 12),
    );
    expect(lost).toEqual({ count: 11, before: 12 });
    log.begin(event, 9999);
    expect(all(watch).lost).toEqual({ count: 0, before: 0 });
  });
});
