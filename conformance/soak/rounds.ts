/**
 * The rounds of a soak: each uses the API in one manner, at random, and knows what must come of it. They share one context, which lives as
 * long as the soak does; `contexts` makes others, and ends them in every manner.
 */
import {
  CL,
  type CLBuffer,
  type CLCommandQueue,
  type CLContext,
  type CLEvent,
  type CLKernel,
  createContext,
} from 'millrace/opencl';
import type { Random } from '../../test/support/random.ts';
import { buildFor, endAll, enqueueAll, makeLanes } from '../faults/workload.ts';
import type { Tally } from './tally.ts';

const source = `
kernel void count(global int *counters) { atomic_inc(counters + get_global_id(0)); }
kernel void scale(global int *p, int by) { p[get_global_id(0)] *= by; }
kernel void tint(write_only image2d_t out, uint value) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imageui(out, at, (uint4)(at.x, at.y, value, 255));
}`;

export interface House {
  readonly context: CLContext;
  readonly queues: readonly CLCommandQueue[];
  readonly counters: CLBuffer;
  readonly scratch: CLBuffer;
  readonly kernels: Readonly<Record<'count' | 'scale' | 'tint', CLKernel>>;
  readonly tally: Tally;
}

/** Counters, each of which every launch of `count` adds one to. */
const cells = 16;

export function openHouse(tally: Tally): House {
  const context = createContext();
  const program = context.createProgram(source);
  program.build();
  const queues = [0, 1, 2, 3].map((index) =>
    context.createCommandQueue(null, index % 2 ? CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0),
  );
  const kernels = {
    count: program.createKernel('count'),
    scale: program.createKernel('scale'),
    tint: program.createKernel('tint'),
  };
  const counters = context.createBuffer(CL.MEM_COPY_HOST_PTR, new Int32Array(cells));
  kernels.count.setArg(0, counters);
  return { context, queues, counters, scratch: context.createBuffer(0, 4096), kernels, tally };
}

type Round = (house: House, random: Random) => Promise<void>;

const isComplete = (status: number): boolean => status === CL.COMPLETE;

/** Thousands of small commands in four queues that wait for each other, their events kept, released, watched or dropped. */
const bulk: Round = async ({ queues, counters, scratch, kernels, tally }, random) => {
  const total = 1000 + random.below(7000);
  const oneWatched = 1 + random.below(200);
  let [launched, called] = [0, 0];
  let previous: CLEvent | undefined;
  for (let index = 0; index < total; index += 1) {
    const queue = random.pick(queues);
    const event = tally.command();
    const waits = previous && random.below(6) === 0 ? [previous] : null;
    const kind = random.below(16);
    if (kind < 3) {
      queue.enqueueNDRangeKernel(kernels.count, 1, null, [cells], [random.pick([1, 4, 16])], waits, event);
      launched += 1;
    } else if (kind === 3) queue.enqueueBarrierWithWaitList(waits, event);
    else if (kind === 4) queue.enqueueCopyBuffer(scratch, scratch, 0, 2048, 1024, waits, event);
    else if (kind === 5 && index % 8 === 0) {
      queue.enqueueNativeKernel(() => (called += 1), [], [], [], waits, event);
      called -= 1;
    } else if (kind < 10) queue.enqueueMarkerWithWaitList(waits, event);
    else queue.enqueueFillBuffer(scratch, Int32Array.of(index), 0, 64, waits, event);
    if (random.below(oneWatched) === 0) tally.watch(event, isComplete);
    if (previous && random.below(40) > 0) previous.release();
    previous = event;
  }
  for (const queue of queues) {
    if (random.below(2) === 0) await queue.finished();
    else queue.finish();
  }
  for (const queue of queues) await queue.finished();
  previous?.release();
  const found = new Int32Array(cells);
  queues[0]!.enqueueReadBuffer(counters, true, 0, cells * 4, found);
  queues[0]!.enqueueFillBuffer(counters, Int32Array.of(0), 0, cells * 4);
  queues[0]!.finish();
  tally.commands += 2;
  const wrong = found.findIndex((value) => value !== launched);
  if (wrong >= 0) throw new Error(`${launched} launches added up to ${found[wrong]} in cell ${wrong}`);
  if (called !== 0) throw new Error(`${called} calls of native kernels too many`);
};

/** Events of the host, some of which fail, before trees of commands: an error comes to all that wait, and to no other. */
const gates: Round = async ({ context, queues, tally, scratch }, random) => {
  const opened = Array.from({ length: 1 + random.below(5) }, () => {
    const gate = context.createUserEvent();
    const status = random.below(3) === 0 ? -1 - random.below(60) : CL.COMPLETE;
    return { gate, status };
  });
  const due: { event: CLEvent; fails: boolean }[] = [];
  // In order a failed command does not fail what comes after it, but order is no wait list: only those count here.
  const [, free, , otherFree] = queues;
  for (let index = random.below(60); index >= 0; index -= 1) {
    const before = due.length > 0 && random.below(2) === 0 ? random.pick(due) : undefined;
    const gate = random.pick(opened);
    const event = tally.command();
    const waits = [gate.gate, ...(before ? [before.event] : [])];
    const queue = random.pick([free!, otherFree!]);
    if (random.below(2) === 0) queue.enqueueMarkerWithWaitList(waits, event);
    else queue.enqueueFillBuffer(scratch, Int32Array.of(1), 0, 64, waits, event);
    const fails = gate.status < 0 || before?.fails === true;
    tally.watch(event, (status) => status < 0 === fails);
    due.push({ event, fails });
  }
  free!.flush();
  otherFree!.flush();
  for (const { gate, status } of opened) gate.setStatus(status);
  for (const { event, fails } of due) {
    const failed = await event.done.then(
      () => false,
      () => true,
    );
    if (failed !== fails) throw new Error(`a command ${failed ? 'failed' : 'ended well'} behind its gates`);
  }
  for (const { event } of due) if (random.below(3) > 0) event.release();
  for (const { gate } of opened) if (random.below(3) > 0) gate.release();
};

/** Buffers, parts of them and images that come and go, written, mapped, scaled, copied and read. */
const memory: Round = async ({ context, queues, kernels, tally }, random) => {
  const queue = random.pick(queues.filter((_, index) => index % 2 === 0));
  const length = 16 * (4 + random.below(2000));
  const model = Int32Array.from({ length }, () => random.below(1000));
  const buffer = context.createBuffer(CL.MEM_COPY_HOST_PTR, model);
  const half = (length / 2) & ~15;
  const start = half * 4 - ((half * 4) % 128);
  const part = buffer.createSubBuffer(CL.MEM_READ_WRITE, start, length * 4 - start);
  const by = 1 + random.below(9);
  kernels.scale.setArg(0, part);
  kernels.scale.setArg(1, by);
  const items = (length * 4 - start) / 4;
  queue.enqueueNDRangeKernel(kernels.scale, 1, null, [items], null, null, tally.command());
  for (let index = start / 4; index < length; index += 1) model[index]! *= by;
  const mapped = queue.enqueueMapBuffer(buffer, true, CL.MAP_READ | CL.MAP_WRITE, 0, length * 4);
  const words = new Int32Array(mapped.buffer, mapped.byteOffset, length);
  const at = random.below(length);
  words[at] = model[at] = random.below(1000);
  queue.enqueueUnmapMemObject(buffer, mapped, null, tally.command());
  const found = new Int32Array(length);
  queue.enqueueReadBuffer(buffer, true, 0, length * 4, found, null, tally.command());
  tally.commands += 1;
  const wrong = found.findIndex((value, index) => value !== model[index]);
  if (wrong >= 0) throw new Error(`element ${wrong} of ${length} is ${found[wrong]}, not ${model[wrong]}`);
  const [width, height] = [1 + random.below(60), 1 + random.below(40)];
  const format = { channelOrder: CL.RGBA, channelType: CL.UNSIGNED_INT8 };
  const description = { type: CL.MEM_OBJECT_IMAGE2D, width, height };
  const image = context.createImage(CL.MEM_READ_WRITE, format, description);
  const value = random.below(256);
  kernels.tint.setArg(0, image);
  kernels.tint.setArg(1, value);
  queue.enqueueNDRangeKernel(kernels.tint, 2, null, [width, height], null, null, tally.command());
  const pixels = new Uint8Array(width * height * 4);
  queue.enqueueReadImage(image, true, [0, 0, 0], [width, height, 1], 0, 0, pixels, null, tally.command());
  const [x, y] = [random.below(width), random.below(height)];
  const pixel = [...pixels.subarray(4 * (y * width + x), 4 * (y * width + x) + 4)];
  if (pixel.join() !== [x, y, value, 255].join())
    throw new Error(`pixel ${x}, ${y} of ${width} x ${height} is ${pixel}, not ${[x, y, value, 255]}`);
  part.release();
  if (random.below(4) > 0) buffer.release();
  if (random.below(4) > 0) image.release();
};

/** A program that was never built before, and is not needed afterwards. */
const programs: Round = async ({ context, queues, scratch, tally }, random) => {
  const [factor, term] = [random.below(2 ** 31), random.below(2 ** 31)];
  const text = `kernel void k(global int *p) { int i = get_global_id(0); p[i] = (i * ${factor}) ^ ${term}; }`;
  const program = context.createProgram(text);
  program.build();
  const kernel = program.createKernel('k');
  kernel.setArg(0, scratch);
  const queue = queues[0]!;
  queue.enqueueNDRangeKernel(kernel, 1, null, [64], null, null, tally.command());
  const found = new Int32Array(64);
  queue.enqueueReadBuffer(scratch, true, 0, 256, found, null, tally.command());
  const wrong = found.findIndex((value, index) => value !== (Math.imul(index, factor) ^ term));
  if (wrong >= 0) throw new Error(`${text}: element ${wrong} is ${found[wrong]}`);
  if (random.below(4) === 0) return;
  kernel.release();
  program.release();
};

/** CL_QUEUE_PROPERTIES with the queue that kernels use by default. */
const deviceQueue = [0x1093, 0b1101, 0];

/** A context of its own, with launches that lead to others, ended as a whole, piece by piece, or not at all. */
const contexts: Round = async ({ tally }, random) => {
  const context = createContext();
  context.createCommandQueueWithProperties(null, deviceQueue);
  const program = buildFor(context, true);
  const lanes = makeLanes(context, 1 + random.below(3));
  const commands = 1 + random.below(60);
  enqueueAll(lanes, { context, program, random, commands, hasQueues: true });
  tally.commands += commands;
  const ending = await endAll(lanes, random.below(2) === 0);
  if (ending !== 'right') throw new Error('commands failed in which nothing went wrong');
  const manner = random.below(3);
  if (manner === 0) context.releaseAll();
  else if (manner === 1) {
    const all = lanes.flatMap(({ queue, buffers, events }) => [queue, ...buffers, ...events]);
    for (const one of [...all, program, context]) if (random.below(10) > 0) one.release();
  }
};

/**
 * How often each comes: contexts and programs cost most. Threads have little other garbage than programs, so V8 collects it once in 1,200 to 2,700
 * of them; there must be several thousand in an hour, or one such wave looks like a leak.
 */
export const rounds: readonly (readonly [name: string, weight: number, round: Round])[] = [
  ['bulk', 12, bulk],
  ['gates', 8, gates],
  ['memory', 8, memory],
  ['programs', 10, programs],
  ['contexts', 1, contexts],
];
