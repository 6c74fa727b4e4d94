/**
 * An OpenCL driver through Millrace against the same driver from C (native/driver.c), in turn. Times are from the
 * enqueue call to the end of finish, as a host sees them.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { deviceProblems } from 'millrace';
import { CL, type CLContext, createContext, getPlatforms } from 'millrace/opencl';
import { median, type Row } from './measure.ts';

const root = new URL('../../', import.meta.url);
const saxpyFile = fileURLToPath(new URL('samples/saxpy/saxpy.cl', root));
const matmulFile = fileURLToPath(new URL('samples/matrix-multiplication/matrix-multiplication.cl', root));
const saxpyElements = 64 << 20;
const matmulSize = 512;
/** Each side runs so many times in turn, with `rounds` launches each. */
const turns = 3;
const rounds = 5;

/** Measures; or says why not, in words. */
export async function measureNative(): Promise<Row[] | string> {
  const device = getPlatforms()[1]?.getDevices()[0];
  if (!device) return deviceProblems().join('; ') || 'there is no OpenCL driver';
  const folder = mkdtempSync(join(tmpdir(), 'millrace-native-'));
  try {
    const program = buildDriver(folder);
    if (program === undefined)
      return 'cc or the OpenCL headers are missing (Debian: gcc opencl-headers ocl-icd-opencl-dev)';
    const c = (...words: string[]): number[] => {
      const text = execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
      return text.trim().split('\n').map(Number);
    };
    return measureAgainst(createContext(device), c);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function buildDriver(folder: string): string | undefined {
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

function measureAgainst(context: CLContext, c: (...words: string[]) => number[]): Row[] {
  const rows: Row[] = [];
  const compare = (name: string, unit: 'ms' | 'us', ours: () => number[], theirs: () => number[]): void => {
    const times: [number[], number[]] = [[], []];
    for (let turn = 0; turn < turns; turn += 1) {
      times[0].push(...ours());
      times[1].push(...theirs());
    }
    rows.push({ name, value: median(times[0]), unit, against: { name: 'C', value: median(times[1]) } });
  };
  const saxpy = saxpyLaunch(context);
  compare(
    'saxpy, 64M floats',
    'ms',
    () => timed(rounds, saxpy),
    () => c('saxpy', saxpyFile, String(saxpyElements), String(rounds + 1)).slice(1),
  );
  const matmul = matmulLaunch(context);
  compare(
    'matmul_naive, 512 x 512',
    'ms',
    () => timed(rounds, matmul),
    () => c('matmul', matmulFile, String(matmulSize), String(rounds + 1)).slice(1),
  );
  const { queue, launch } = emptyLaunch(context);
  const wait = (): void => {
    launch();
    queue.finish();
  };
  const micro = (times: readonly number[]): number[] => times.map((time) => time * 1000);
  compare(
    'an empty launch, waited for',
    'us',
    () => micro(timed(2000, wait)).slice(200),
    () => c('launch', '2000').slice(200),
  );
  const stream = (): [number, number] => {
    const count = 5000;
    let calls = 0;
    const start = performance.now();
    for (let round = 0; round < count; round += 1) {
      const before = performance.now();
      launch();
      calls += performance.now() - before;
    }
    queue.finish();
    return [((performance.now() - start) / count) * 1000, (calls / count) * 1000];
  };
  compare(
    'one of 5000 launches in flight',
    'us',
    () => [stream()[0]],
    () => [c('stream', '5000')[0]!],
  );
  compare(
    'the call that enqueues it',
    'us',
    () => [stream()[1]],
    () => [c('stream', '5000')[1]!],
  );
  context.releaseAll();
  return rows;
}

/** Milliseconds of each of so many runs, after some that do not count. */
function timed(count: number, run: () => void): number[] {
  // Graphics cards need some time at work before they run at full speed.
  const begun = performance.now();
  while (performance.now() - begun < 200) run();
  return Array.from({ length: count }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
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
    queue.enqueueNDRangeKernel(kernel, 1, null, [saxpyElements]);
    queue.finish();
  };
}

function matmulLaunch(context: CLContext): () => void {
  const queue = context.createCommandQueue();
  const program = context.createProgram(readFileSync(matmulFile, 'utf8'));
  program.build();
  const kernel = program.createKernel('matmul_naive');
  kernel.setArg(0, Uint32Array.of(matmulSize));
  for (let index = 1; index < 4; index += 1)
    kernel.setArg(index, floats(context, matmulSize ** 2, index % 3));
  return () => {
    queue.enqueueNDRangeKernel(kernel, 2, null, [matmulSize, matmulSize]);
    queue.finish();
  };
}

function emptyLaunch(context: CLContext) {
  const queue = context.createCommandQueue();
  const program = context.createProgram('kernel void empty(void) {}');
  program.build();
  const kernel = program.createKernel('empty');
  return { queue, launch: () => queue.enqueueNDRangeKernel(kernel, 1, null, [1], [1]) };
}
