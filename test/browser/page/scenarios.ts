/**
 * What the browser tests do with Millrace, in a page's window or in a worker of it. Each scenario gives back plain data,
 * which the test on Node's side judges.
 */
import { compile, devices, local } from 'millrace';
import { CL, type CLCommandQueue, CLEvent, type CLKernel, createContext } from 'millrace/opencl';
import { runCalSamples } from '../../../samples/cal.ts';
import { failure } from './failures.ts';
import { glFormatScenarios } from './gl-format-scenarios.ts';
import { glScenarios } from './gl-scenarios.ts';

const source = `
kernel void saxpy(float a, global const float *x, global const float *y, global float *z) {
  size_t i = get_global_id(0);
  z[i] = a * x[i] + y[i];
}
kernel void group_sums(global const int *in, global int *out, local int *tile) {
  int l = get_local_id(0);
  tile[l] = in[get_global_id(0)];
  for (int width = get_local_size(0) / 2; width > 0; width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < width) tile[l] += tile[l + width];
  }
  if (l == 0) out[get_group_id(0)] = tile[0];
}
kernel void increment(global int *counter) { counter[get_global_id(0)] += 1; }
kernel void work(global float *out, int rounds) {
  float x = get_global_id(0);
  for (int i = 0; i < rounds; i++) x = x * 0.999f + 1.0f;
  out[get_global_id(0)] = x;
}
kernel void speak(int lines) {
  for (int i = 0; i < lines; i++) printf("%d: ", i) + printf("%.2f\\n", i * 0.25f);
  printf("end");
}
kernel void endless(global volatile int *flag) { while (flag[0] == 0) flag[1] += 1; }
`;

/** What the place allows. */
function surroundings() {
  return {
    isolated: globalThis.crossOriginIsolated,
    sharedArrayBuffer: typeof SharedArrayBuffer !== 'undefined',
    window: typeof document !== 'undefined',
    devices: devices().map((device) => device.id),
    threads: devices()[0]!.info.maxComputeUnits,
    hardware: navigator.hardwareConcurrency,
  };
}

async function saxpy(count: number, device = 'wasm') {
  const program = await compile(source, { device: devices().find(({ id }) => id === device) });
  const x = Float32Array.from({ length: count }, (_, i) => i);
  const y = new Float32Array(count).fill(0.5);
  const z = new Float32Array(count);
  const times = await program.kernel('saxpy')({ global: [count] }, 2, x, y, z);
  program.release();
  const { queued, submitted, started, ended } = times;
  return {
    wrong: z.reduce((wrong, value, i) => (value === 2 * i + 0.5 ? wrong : wrong + 1), 0),
    timesInOrder: queued <= submitted && submitted <= started && started <= ended,
  };
}

/** What a kernel prints, on the console and to a function. */
async function printing() {
  const logged: string[] = [];
  const { log } = console;
  console.log = (line: string) => logged.push(line);
  try {
    const plain = await compile(source);
    await plain.kernel('speak')({ global: [1] }, 2);
    // What has no line's end is out a turn of the event loop later.
    await new Promise((resolve) => setTimeout(resolve, 50));
    plain.release();
  } finally {
    console.log = log;
  }
  let taken = '';
  const print = (text: string) => {
    taken += text;
  };
  const program = await compile(source, { print });
  await program.kernel('speak')({ global: [1] }, 1);
  program.release();
  return { logged, taken };
}

/** Sums of 1 to 1024 by groups of 64, through local memory and barriers in a loop. */
async function barriers() {
  const program = await compile(source);
  const numbers = Int32Array.from({ length: 1024 }, (_, i) => i + 1);
  const sums = new Int32Array(16);
  await program.kernel('group_sums')({ global: [1024], local: [64] }, numbers, sums, local(64 * 4));
  program.release();
  return [...sums];
}

/** So many launches one after another on the same buffer, awaited only at the end. */
async function manyLaunches(count: number) {
  const program = await compile(source);
  const counter = program.buffer(new Int32Array(100));
  const increment = program.kernel('increment');
  const calls = [];
  for (let i = 0; i < count; i++) calls.push(increment({ global: [100] }, counter));
  const times = await Promise.all(calls);
  const values = new Set(await counter.read(Int32Array));
  program.release();
  return {
    values: [...values],
    timesInOrder: times.every(
      (time, i) =>
        time.queued <= time.submitted &&
        time.submitted <= time.started &&
        time.started <= time.ended &&
        (i === 0 || times[i - 1]!.queued <= time.queued),
    ),
  };
}

/** Writes, maps, changes through the mapping, runs, reads. */
async function bufferUse() {
  const program = await compile(source);
  const buffer = program.buffer(8 * 4);
  await buffer.write(Int32Array.of(0, 10, 20, 30, 40, 50, 60, 70));
  const mapped = buffer.map(Int32Array);
  mapped[0] = -5;
  await program.kernel('increment')({ global: [8] }, buffer);
  const throughMapping = [...mapped];
  const read = [...(await buffer.read(Int32Array, 1, 3))];
  const sharedBytes = !(mapped.buffer instanceof ArrayBuffer);
  program.release();
  return { throughMapping, read, sharedBytes };
}

async function compileError() {
  return failure(() => compile('kernel void k(global int *a) {\n  a[0] = b;\n}\n', { name: 'k.cl' }));
}

/** An endless kernel with a time-out; then whether the device still works. */
async function endlessKernel(timeout: number, items: number) {
  const program = await compile(source, { timeout });
  const flag = program.buffer(new Int32Array(2));
  const began = performance.now();
  const error = await failure(() => program.kernel('endless')({ global: [items], local: [1] }, flag));
  const milliseconds = performance.now() - began;
  // Nobody may still be writing when the call has failed.
  const count = (await flag.read(Int32Array, 1, 1))[0]!;
  await new Promise((resolve) => setTimeout(resolve, 100));
  const later = (await flag.read(Int32Array, 1, 1))[0]!;
  const counter = new Int32Array(1000);
  await program.kernel('increment')({ global: [1000] }, counter);
  program.release();
  return {
    error,
    milliseconds,
    stillWriting: later !== count,
    after: counter.every((value) => value === 1),
  };
}

/** A launch of so many work-groups that takes a while, and how often a timer fired in the meantime. */
async function longLaunch(groups: number, rounds: number, timeout = 0) {
  const program = await compile(source, { timeout });
  const out = program.buffer(groups * 16 * 4);
  let fired = 0;
  let longestGap = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    fired++;
    longestGap = Math.max(longestGap, performance.now() - last);
    last = performance.now();
  }, 4);
  const began = performance.now();
  const error = await failure(() =>
    program.kernel('work')({ global: [groups * 16], local: [16] }, out, rounds),
  );
  const milliseconds = performance.now() - began;
  clearInterval(timer);
  program.release();
  return { milliseconds, fired, longestGap, error };
}

/** A host program in the OpenCL API; `finish` says how it waits. */
async function openCL(waiting: 'promise' | 'callback' | 'blocking') {
  const context = createContext();
  const queue = context.createCommandQueue(null, CL.QUEUE_PROFILING_ENABLE);
  if (waiting === 'blocking') await queue.ready();
  const kernel = buildKernel(context, 'increment');
  const data = Int32Array.from({ length: 256 }, (_, i) => i * 3);
  const buffer = context.createBuffer(CL.MEM_READ_WRITE, data.byteLength);
  queue.enqueueWriteBuffer(buffer, false, 0, data.byteLength, data);
  kernel.setArg(0, buffer);
  queue.enqueueNDRangeKernel(kernel, 1, null, [256], [64]);
  queue.enqueueNDRangeKernel(kernel, 1, null, [256], null);
  const result = new Int32Array(256);
  const event = new CLEvent();
  if (waiting === 'blocking') {
    queue.enqueueReadBuffer(buffer, true, 0, result.byteLength, result, null, event);
    queue.finish();
  } else {
    queue.enqueueReadBuffer(buffer, false, 0, result.byteLength, result, null, event);
    if (waiting === 'promise') await event.done;
    else await new Promise<void>((resolve) => event.setCallback(CL.COMPLETE, () => resolve()));
    await queue.finished();
  }
  const mapping = new CLEvent();
  const mapped = queue.enqueueMapBuffer(
    buffer,
    waiting === 'blocking',
    CL.MAP_READ,
    0,
    result.byteLength,
    null,
    mapping,
  );
  if (waiting !== 'blocking') await mapping.done;
  const sameBytes = mapped.every(
    (byte, i) => byte === new Uint8Array(result.buffer, result.byteOffset, result.byteLength)[i],
  );
  queue.enqueueUnmapMemObject(buffer, mapped);
  await queue.finished();
  const times = [CL.PROFILING_COMMAND_QUEUED, CL.PROFILING_COMMAND_END].map((name) =>
    event.getProfilingInfo(name),
  ) as [bigint, bigint];
  context.releaseAll();
  return {
    wrong: result.reduce((wrong, value, i) => (value === i * 3 + 2 ? wrong : wrong + 1), 0),
    sameBytes,
    timesInOrder: times[0] <= times[1],
  };
}

/** The errors of blocking calls, made while a launch of some length is under way. */
async function blockingCalls() {
  const context = createContext();
  const queue = context.createCommandQueue();
  await queue.ready();
  const kernel = buildKernel(context, 'work');
  const buffer = context.createBuffer(CL.MEM_READ_WRITE, 64 * 4);
  const result = new Float32Array(64);
  kernel.setArg(0, buffer);
  kernel.setArg(1, 2_000_000);
  const launch = () => {
    const event = new CLEvent();
    queue.enqueueNDRangeKernel(kernel, 1, null, [64], [1], null, event);
    return event;
  };
  launch();
  const finish = await failure(() => queue.finish());
  launch();
  const read = await failure(() => queue.enqueueReadBuffer(buffer, true, 0, 256, result));
  const last = launch();
  await last.done;
  context.releaseAll();
  return { finish, read };
}

/** A blocking call in the same turn of the event loop as the queue. */
async function blockAtOnce() {
  const context = createContext();
  const queue = context.createCommandQueue();
  const buffer = context.createBuffer(CL.MEM_READ_WRITE, 16);
  queue.enqueueFillBuffer(buffer, Int32Array.of(7), 0, 16);
  const error = await failure(() => queue.finish());
  context.releaseAll();
  return error;
}

/** Blocks while a kernel runs into its time-out; then goes on without blocking, and blocks again. */
async function blockBehindEndlessKernel() {
  const context = createContext();
  const queue = context.createCommandQueue(null, 0, { timeout: 100 });
  await queue.ready();
  const kernel = buildKernel(context, 'endless');
  const flag = context.createBuffer(CL.MEM_COPY_HOST_PTR, new Int32Array(2));
  kernel.setArg(0, flag);
  const event = new CLEvent();
  queue.enqueueNDRangeKernel(kernel, 1, null, [8], [1], null, event);
  const blocking = await failure(() => queue.finish());
  const launch = await failure(() => event.done);
  await queue.ready();
  const after = await failure(() => {
    queue.enqueueReadBuffer(flag, true, 0, 8, new Int32Array(2));
  });
  context.releaseAll();
  return { blocking, launch, after };
}

function buildKernel(context: ReturnType<typeof createContext>, name: string): CLKernel {
  const program = context.createProgram(source);
  program.build();
  return program.createKernel(name);
}

/** Milliseconds: import to first result, and the median of launches that are awaited one by one. */
async function latencies(launches: number) {
  const began = performance.now();
  const program = await compile(source);
  const compiled = performance.now();
  const counter = program.buffer(new Int32Array(1));
  const increment = program.kernel('increment');
  await increment({ global: [1] }, counter);
  const first = performance.now();
  const waits: number[] = [];
  for (let i = 0; i < launches; i++) {
    const start = performance.now();
    await increment({ global: [1] }, counter);
    waits.push(performance.now() - start);
  }
  const pipelined = performance.now();
  const calls = [];
  for (let i = 0; i < launches; i++) calls.push(increment({ global: [1] }, counter));
  await Promise.all(calls);
  const perPipelined = (performance.now() - pipelined) / launches;
  const again = performance.now();
  (await compile(`${source}\n// again`)).release();
  const warmCompile = performance.now() - again;
  program.release();
  waits.sort((a, b) => a - b);
  return {
    compile: compiled - began,
    firstLaunch: first - compiled,
    median: waits[launches >> 1]!,
    worst: waits.at(-1)!,
    perPipelined,
    warmCompile,
  };
}

/** What a sample of CAL prints. */
async function calSample(name: string): Promise<string[]> {
  const lines: string[] = [];
  await runCalSamples([name], (line) => lines.push(line));
  return lines.slice(1);
}

/** More contexts than may have idle threads, used in turn; what they count, which is `rounds` each. They are dropped in the end. */
async function contextsInTurn(count: number, rounds: number) {
  const hosts = Array.from({ length: count }, () => {
    const context = createContext();
    const program = context.createProgram(source);
    const buffer = context.createBuffer(CL.MEM_READ_WRITE, new Int32Array(4));
    let queue: CLCommandQueue | undefined;
    const make = () => {
      queue ??= context.createCommandQueue();
      return queue;
    };
    return { program, buffer, queue: make };
  });
  for (const { program } of hosts) await new Promise((resolve) => program.build(null, '', resolve));
  for (let round = 0; round < rounds; round += 1) {
    for (const { program, buffer, queue } of hosts) {
      const kernel = program.createKernel('increment');
      kernel.setArg(0, buffer);
      queue().enqueueNDRangeKernel(kernel, 1, null, [4], null);
      await queue().finished();
    }
  }
  const counts: number[] = [];
  for (const { buffer, queue } of hosts) {
    const read = new CLEvent();
    const values = new Int32Array(4);
    queue().enqueueReadBuffer(buffer, false, 0, 16, values, null, read);
    await read.done;
    counts.push(...values);
  }
  return { least: Math.min(...counts), most: Math.max(...counts) };
}

export const scenarios = {
  surroundings,
  contextsInTurn,
  saxpy,
  printing,
  barriers,
  manyLaunches,
  bufferUse,
  compileError,
  endlessKernel,
  longLaunch,
  openCL,
  blockingCalls,
  blockAtOnce,
  blockBehindEndlessKernel,
  latencies,
  calSample,
  ...glScenarios,
  ...glFormatScenarios,
} as const;

export type Scenarios = typeof scenarios;
