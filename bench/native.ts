/**
 * OpenCL drivers through Millrace against the same drivers from C (native/driver.c). Both sides are warm and take short
 * turns with the same kernels, sizes and kind of queue; the driver chooses the local size for both.
 *
 * Times of launches are from the enqueue call to the end of finish, as a host sees them: the median of those that follow
 * each other, and the first one after a pause, when all threads sleep. The *call* is what the thread that enqueues pays:
 * the time of a loop of enqueue calls that nobody waits for, divided by their number.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { deviceProblems } from 'millrace';
import { CL, type CLContext, type CLDevice, createContext, getPlatforms } from 'millrace/opencl';
import { median, type Row } from './measure.ts';

const root = new URL('../../', import.meta.url);
const saxpyFile = fileURLToPath(new URL('samples/saxpy/saxpy.cl', root));
const matmulFile = fileURLToPath(new URL('samples/matrix-multiplication/matrix-multiplication.cl', root));
const saxpyElements = 64 << 20;
/** Rows of the square matrices, so that a launch takes some milliseconds at least. */
const matmulSize = { gpu: 2048, other: 512 } as const;
/** How often the sides take turns. */
const turns = 15;
/** Turns that do not count; graphics cards need some time at work before they run at full speed. */
const warmUps = 5;
/** Launches a turn: of those that take long, of empty ones that are waited for one by one, and in flight together. */
const launches = 5;
const waited = 300;
const inFlight = 1000;
/** What a call may cost more than from C, in microseconds. */
const callGoal = 2;

/** The program in C: give it a line, get the figures. */
type Ask = (line: string) => Promise<number[]>;

/** Measures every driver's devices; or says why not, in words. */
export async function measureNative(): Promise<Row[] | string> {
  const platforms = getPlatforms().slice(1);
  if (platforms.length === 0) return deviceProblems().join('; ') || 'there is no OpenCL driver';
  const folder = mkdtempSync(join(tmpdir(), 'millrace-native-'));
  try {
    const program = buildDriver(folder);
    if (program === undefined)
      return 'cc or the OpenCL headers are missing (Debian: gcc opencl-headers ocl-icd-opencl-dev)';
    const rows: Row[] = [];
    for (const [platformIndex, platform] of platforms.entries()) {
      for (const [deviceIndex, device] of platform.getDevices().entries()) {
        const isGpu = (Number(device.getInfo(CL.DEVICE_TYPE)) & CL.DEVICE_TYPE_GPU) !== 0;
        const size = isGpu ? matmulSize.gpu : matmulSize.other;
        const { ask, end } = startDriver(program, platformIndex, deviceIndex, size);
        rows.push(...(await measureAgainst(device, ask, size)));
        await end();
      }
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The program built here, or the one that MILLRACE_NATIVE_DRIVER names. */
function buildDriver(folder: string): string | undefined {
  const given = process.env['MILLRACE_NATIVE_DRIVER'];
  if (given) return given;
  const program = join(folder, 'driver');
  const source = fileURLToPath(new URL('bench/native/driver.c', root));
  for (const library of ['-lOpenCL', '-l:libOpenCL.so.1']) {
    try {
      execFileSync('cc', ['-O2', '-o', program, source, library], { stdio: 'ignore' });
      return program;
    } catch {
      // The next one.
    }
  }
  return undefined;
}

function startDriver(
  program: string,
  platform: number,
  device: number,
  size: number,
): { ask: Ask; end: () => Promise<void> } {
  const words = [String(platform), String(device), saxpyFile, String(saxpyElements), matmulFile];
  const child = spawn(program, [...words, String(size)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    ask: async (line) => {
      child.stdin.write(`${line}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`bench/native/driver.c ended at '${line}'`);
      return String(value).split(' ').map(Number);
    },
    end: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

async function measureAgainst(device: CLDevice, ask: Ask, size: number): Promise<Row[]> {
  const context = createContext(device);
  const name = String(device.getInfo(CL.DEVICE_NAME));
  const rows: Row[] = [];
  const add = (what: string, unit: 'ms' | 'us', [ours, theirs]: Sides, column = 0): void => {
    const [mine, other] = [ours, theirs].map((times) => times.map((figures) => figures[column]!));
    rows.push({
      name: what,
      unit,
      value: median(mine!),
      against: { name: 'C', value: median(other!) },
      least: [Math.min(...mine!), Math.min(...other!)],
    });
  };
  const compare = async (
    what: string,
    unit: 'ms' | 'us',
    count: number,
    command: string,
    run: () => void,
  ) => {
    const scale = unit === 'ms' ? 1000 : 1;
    const sides = await takeTurns(
      () => timed(count, run).map((time) => time / scale),
      async () => (await ask(`${command} ${count}`)).map((time) => time / scale),
    );
    add(what, unit, sides);
    add(`${what}, after a pause`, unit, sides, 1);
  };
  await compare('saxpy, 64M floats', 'ms', launches, 'saxpy', saxpyLaunch(context));
  await compare(`matmul_naive, ${size} x ${size}`, 'ms', launches, 'matmul', matmulLaunch(context, size));
  const { queue, launch } = emptyLaunch(context);
  await compare('an empty launch, waited for', 'us', waited, 'launch', () => {
    launch();
    queue.finish();
  });
  const stream = (): number[] => {
    const start = performance.now();
    for (let round = 0; round < inFlight; round += 1) launch();
    const enqueued = performance.now();
    queue.finish();
    return [enqueued - start, performance.now() - start].map((time) => (time / inFlight) * 1000);
  };
  const streams = await takeTurns(stream, () => ask(`stream ${inFlight}`));
  add(`one of ${inFlight} launches in flight`, 'us', streams, 1);
  add('the call that enqueues it', 'us', streams);
  const call = rows.at(-1)!;
  rows.push({
    name: 'what that call costs more than from C',
    unit: 'us',
    value: call.value - call.against!.value,
    goal: callGoal,
  });
  context.releaseAll();
  return rows.map((row) => ({ ...row, name: `${name}: ${row.name}` }));
}

/** Figures of each turn of Millrace and of C. */
type Sides = readonly [number[][], number[][]];

async function takeTurns(ours: () => number[], theirs: () => Promise<number[]>): Promise<Sides> {
  const sides: Sides = [[], []];
  for (let turn = -warmUps; turn < turns; turn += 1) {
    const mine = ours();
    const other = await theirs();
    if (turn < 0) continue;
    sides[0].push(mine);
    sides[1].push(other);
  }
  return sides;
}

/** Microseconds of so many runs in a row: the median, and the first. */
function timed(count: number, run: () => void): [number, number] {
  const times = Array.from({ length: count }, () => {
    const start = performance.now();
    run();
    return (performance.now() - start) * 1000;
  });
  return [median(times), times[0]!];
}

function floats(context: CLContext, count: number, value: number) {
  const data = new Float32Array(count);
  for (let index = 0; index < count; index += 1) data[index] = value + (index % 7);
  return context.createBuffer(CL.MEM_READ_WRITE | CL.MEM_COPY_HOST_PTR, data.byteLength, data);
}

function saxpyLaunch(context: CLContext): () => void {
  const queue = context.createCommandQueue();
  const program = context.createProgram(readFileSync(saxpyFile, 'utf8'));
  program.build();
  const kernel = program.createKernel('saxpy');
  kernel.setArg(0, Float32Array.of(2));
  for (let index = 1; index < 4; index += 1) kernel.setArg(index, floats(context, saxpyElements, index % 3));
  kernel.setArg(4, Uint32Array.of(saxpyElements));
  return () => {
    queue.enqueueNDRangeKernel(kernel, 1, null, [saxpyElements], null, null, null);
    queue.finish();
  };
}

function matmulLaunch(context: CLContext, size: number): () => void {
  const queue = context.createCommandQueue();
  const program = context.createProgram(readFileSync(matmulFile, 'utf8'));
  program.build();
  const kernel = program.createKernel('matmul_naive');
  kernel.setArg(0, Uint32Array.of(size));
  for (let index = 1; index < 4; index += 1) kernel.setArg(index, floats(context, size ** 2, index % 3));
  return () => {
    queue.enqueueNDRangeKernel(kernel, 2, null, [size, size], null, null, null);
    queue.finish();
  };
}

function emptyLaunch(context: CLContext) {
  const queue = context.createCommandQueue();
  const program = context.createProgram('kernel void empty(void) {}');
  program.build();
  const kernel = program.createKernel('empty');
  return { queue, launch: () => queue.enqueueNDRangeKernel(kernel, 1, null, [1], [1], null, null) };
}
