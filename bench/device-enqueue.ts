/**
 * Kernels that launch kernels: what a launch costs where each leads to the next, and where one kernel enqueues many; and
 * a breadth-first search in which the device goes from level to level by itself, against a sequential one in C (native/breadth-first.c).
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { CL, type CLBuffer, type CLContext, type CLKernel, createContext } from 'millrace/opencl';
import { firstDevices } from './frame/bench-device.ts';
import { median, type Row } from './measure.ts';

const source = `
void down(volatile global int *ends, int left) {
  if (left == 0) { ends[0] += 1; return; }
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ down(ends, left - 1); });
}
kernel void chain(volatile global int *ends, int length) { down(ends, length); }

kernel void many(volatile global int *ends, int count) {
  for (int i = 0; i < count; i++)
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ atomic_inc(ends); });
}

// counts: how many vertices there are in the two lists, which are the last level found and the next in turn.
void expand(global const int *first, global const int *to, global int *distance,
            global const int *level, global int *next, volatile global int *count, int depth) {
  int vertex = level[get_global_id(0)];
  for (int edge = first[vertex]; edge < first[vertex + 1]; edge++) {
    int other = to[edge];
    if (distance[other] < 0 && atomic_cmpxchg((volatile global int *)distance + other, -1, depth) == -1)
      next[atomic_inc(count)] = other;
  }
}
void step(global const int *first, global const int *to, global int *distance,
          global int *level, global int *next, volatile global int *counts, int depth) {
  int here = depth & 1;
  int found = counts[here];
  if (found == 0) return;
  counts[1 - here] = 0;
  queue_t queue = get_default_queue();
  clk_event_t done;
  enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(found), 0, NULL, &done,
                 ^{ expand(first, to, distance, level, next, counts + 1 - here, depth + 1); });
  enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &done, NULL,
                 ^{ step(first, to, distance, next, level, counts, depth + 1); });
  release_event(done);
}
kernel void search(global const int *first, global const int *to, global int *distance,
                   global int *level, global int *next, global int *counts) {
  level[0] = 0;
  distance[0] = 0;
  counts[0] = 1;
  step(first, to, distance, level, next, counts, 0);
}`;

/** Few, so that a run is shorter than a turn of the system's scheduler. */
const chainLength = 400;
const launches = 400;
const vertices = 1_000_000;
const edges = 10_000_000;
/** Of the search, and of what is over in a millisecond; and those that do not count. */
const rounds = 15;
const shortRounds = 60;
const warmUps = 5;
const root = new URL('../../', import.meta.url);

interface Graph {
  readonly first: Int32Array;
  readonly to: Int32Array;
}

export async function measureDeviceEnqueue(): Promise<Row[] | string> {
  const [device] = firstDevices();
  const context = createContext(device);
  const properties = CL.QUEUE_ON_DEVICE | CL.QUEUE_ON_DEVICE_DEFAULT | CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
  context.createCommandQueueWithProperties(null, [CL.QUEUE_PROPERTIES, properties, 0]);
  const program = context.createProgram(source);
  program.build(null, '-cl-std=CL2.0');
  const rows: Row[] = [];
  const ends = context.createBuffer(CL.MEM_READ_WRITE, 4);
  for (const [name, count, title] of [
    ['chain', chainLength, 'a launch in a chain, each enqueueing the next'],
    ['many', launches, 'a launch among many that one kernel enqueues'],
  ] as const) {
    const kernel = program.createKernel(name);
    kernel.setArg(0, ends);
    kernel.setArg(1, count);
    const times = run(context, kernel, shortRounds).map((ms) => (ms * 1000) / count);
    rows.push({ name: title, value: Math.min(...times), unit: 'us', goal: 20 });
  }
  const search = await measureSearch(context, program.createKernel('search'));
  context.releaseAll();
  return [...rows, ...search];
}

/** Milliseconds of each round. */
function run(context: CLContext, kernel: CLKernel, counted: number, before = () => {}): number[] {
  const queue = context.createCommandQueue();
  const times: number[] = [];
  for (let round = 0; round < counted + warmUps; round++) {
    before();
    const start = performance.now();
    queue.enqueueNDRangeKernel(kernel, 1, null, [1], [1]);
    queue.finish();
    times.push(performance.now() - start);
  }
  queue.release();
  return times.slice(warmUps);
}

async function measureSearch(context: CLContext, kernel: CLKernel): Promise<Row[]> {
  const graph = randomGraph();
  const reference = await searchInC(graph);
  const queue = context.createCommandQueue();
  const bufferOf = (data: Int32Array): CLBuffer =>
    context.createBuffer(CL.MEM_READ_WRITE | CL.MEM_COPY_HOST_PTR, data.byteLength, data);
  const none = new Int32Array(vertices).fill(-1);
  const distance = bufferOf(none);
  const counts = bufferOf(new Int32Array(2));
  const lists = [bufferOf(none), bufferOf(none)] as const;
  [bufferOf(graph.first), bufferOf(graph.to), distance, ...lists, counts].forEach((one, index) => {
    kernel.setArg(index, one);
  });
  const times = run(context, kernel, rounds, () => {
    queue.enqueueWriteBuffer(distance, true, 0, none.byteLength, none);
  });
  const found = new Int32Array(vertices);
  queue.enqueueReadBuffer(distance, true, 0, found.byteLength, found);
  const reached = found.filter((steps) => steps >= 0);
  const sum = reached.reduce((all, steps) => all + steps, 0);
  if (reference && (reached.length !== reference.found || sum !== reference.sum)) {
    throw new Error('the search of the device finds other distances than that in C');
  }
  const name = `breadth-first search, ${vertices / 1e6} M vertices and ${edges / 1e6} M edges`;
  if (!reference) return [{ name, value: Math.min(...times), unit: 'ms' }];
  const inC = Math.min(...reference.times);
  return [
    {
      name,
      value: median(times),
      unit: 'ms',
      against: { name: 'gcc -O3', value: median(reference.times) },
      least: [Math.min(...times), inC],
      goal: 2 * inC,
    },
  ];
}

/** Edges between vertices that a simple generator chooses: the same each time. */
function randomGraph(): Graph {
  let state = 12345;
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * vertices);
  };
  const from = Int32Array.from({ length: edges }, next);
  const first = new Int32Array(vertices + 1);
  for (const vertex of from) first[vertex + 1]! += 1;
  for (let vertex = 0; vertex < vertices; vertex++) first[vertex + 1]! += first[vertex]!;
  const places = first.slice();
  const to = new Int32Array(edges);
  for (const vertex of from) {
    to[places[vertex]!] = next();
    places[vertex]! += 1;
  }
  return { first, to };
}

/** Undefined where there is no C compiler. */
async function searchInC({
  first,
  to,
}: Graph): Promise<{ times: number[]; found: number; sum: number } | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-search-'));
  try {
    const program = join(folder, 'search');
    const text = fileURLToPath(new URL('bench/native/breadth-first.c', root));
    try {
      execFileSync('gcc', ['-O3', '-march=native', text, '-o', program], { stdio: 'ignore' });
    } catch {
      return undefined;
    }
    const file = join(folder, 'graph');
    writeFileSync(
      file,
      Buffer.concat([Int32Array.of(vertices, edges), first, to].map((part) => Buffer.from(part.buffer))),
    );
    const child = spawn(program, [file], { stdio: ['pipe', 'pipe', 'ignore'] });
    child.stdin.end('\n'.repeat(rounds));
    const lines: number[][] = [];
    for await (const line of createInterface({ input: child.stdout }))
      lines.push(line.split(' ').map(Number));
    return { times: lines.map(([ms]) => ms!), found: lines[0]![1]!, sum: lines[0]![2]! };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
