/**
 * What this machine can do with Millrace's default device, measured by four small kernels on all its threads: products and sums
 * that do not wait for each other, in floating point and in integers; a copy of long arrays; and sums over a short one again and
 * again. It takes half a second or so; kept-peaks.ts keeps the result.
 */

import { compile, devices, type Program } from '../../api/javascript/compile.ts';
import type { DeviceBuffer } from '../../api/javascript/device-buffer.ts';
import type { LaunchTimes } from '../../api/javascript/kernel.ts';
import type { MachinePeaks } from '../../model/roofline.ts';
import { machineModule } from '../../runtime/host.ts';

export interface MeasuredPeaks extends MachinePeaks {
  /** The processor's name, where it is known. */
  readonly machine: string;
  readonly threads: number;
  /** When the newest of the figures was measured, in ISO 8601. */
  readonly measured: string;
}

/** Hears before each step what is measured next, and which part of the whole is done, 0 to 1. */
export type PeaksProgress = (done: number, next: string) => void;

/** Chains that do not wait for each other. The compiler makes two of each; with more, registers would run out. */
const chains = 7;
const chainTurns = 256;
const chainItems = 8192;
/** Floats of each of the two arrays that are copied: 16 MiB. */
const copyFloats = 4 * 1024 * 1024;
/** The short array: 16 rows of a work-group's width, 16 KiB. */
const rows = 16;
const rowWidth = 256;
const rereadTurns = 64;
const rereadItems = 65_536;
/** Milliseconds to go on with each of the kernels, and launches that each has at least, for a busy machine. */
const timeEach = 75;
const fewestLaunches = 40;

function chainKernel(name: string, type: string): string {
  const each = (text: (index: number) => string, between: string): string =>
    Array.from({ length: chains }, (_, index) => text(index)).join(between);
  return `kernel void ${name}(global ${type} *out, ${type} a, ${type} b, int turns) {
  size_t i = get_global_id(0);
  ${type} ${each((index) => `x${index} = out[i] + ${index}`, ', ')};
  for (int turn = 0; turn < turns; turn++) {
    ${each((index) => `x${index} = x${index} * a + b;`, '\n    ')}
  }
  out[i] = ${each((index) => `x${index}`, ' + ')};
}
`;
}

const source = `${chainKernel('float_chains', 'float')}
${chainKernel('integer_chains', 'int')}
kernel void copy_array(global const float *in, global float *out) {
  size_t i = get_global_id(0);
  out[i] = in[i];
}

// Each turn begins a row later, so that what is read is not known from the turn before.
kernel __attribute__((reqd_work_group_size(${rowWidth}, 1, 1)))
void reread(global const float *in, global float *out, int turns) {
  int column = get_local_id(0);
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (int turn = 0; turn < turns; turn++) {
    s0 += in[(turn & ${rows - 1}) * ${rowWidth} + column];
    s1 += in[(turn + 4 & ${rows - 1}) * ${rowWidth} + column];
    s2 += in[(turn + 8 & ${rows - 1}) * ${rowWidth} + column];
    s3 += in[(turn + 12 & ${rows - 1}) * ${rowWidth} + column];
  }
  out[get_global_id(0)] = s0 + s1 + s2 + s3;
}
`;

/** The processor's name, where it is known. */
export function machineName(): string {
  const os = machineModule('node:os') as { cpus(): readonly { readonly model: string }[] } | undefined;
  return os?.cpus()[0]?.model.trim() || 'this machine';
}

/** Measures them now. On a machine that has other things to do they come out too low. */
export async function measurePeaks(progress: PeaksProgress = () => {}): Promise<MeasuredPeaks> {
  progress(0, 'floating-point operations');
  const program = await compile(source, { name: 'machine-peaks.cl' });
  try {
    const floatOperations = await measureChains(program, 'float_chains', new Float32Array([0.5, 1]));
    progress(0.25, 'integer operations');
    const integerOperations = await measureChains(program, 'integer_chains', new Int32Array([3, 1]));
    progress(0.5, 'caches');
    const cacheBytes = await measureReread(program);
    progress(0.75, 'memory');
    const memoryBytes = await measureCopy(program);
    return {
      machine: machineName(),
      threads: deviceThreads(),
      floatOperations,
      integerOperations,
      memoryBytes,
      cacheBytes,
      measured: new Date().toISOString(),
    };
  } finally {
    program.release();
  }
}

/** Threads of the device that is measured. */
export function deviceThreads(): number {
  return devices({ drivers: false })[0]!.info.maxComputeUnits;
}

/** Operations a second; `factors` are what the chains multiply by and add. */
function measureChains(program: Program, name: string, factors: Float32Array | Int32Array): Promise<number> {
  const kernel = program.kernel(name);
  const out = program.buffer(new Float32Array(chainItems));
  const range = { global: [chainItems] };
  return fastest([out], 2 * chains * chainTurns * chainItems, () =>
    kernel(range, out, factors[0]!, factors[1]!, chainTurns),
  );
}

function measureCopy(program: Program): Promise<number> {
  const kernel = program.kernel('copy_array');
  const [from, to] = [program.buffer(copyFloats * 4), program.buffer(copyFloats * 4)];
  return fastest([from, to], 2 * 4 * copyFloats, () => kernel({ global: [copyFloats] }, from, to));
}

function measureReread(program: Program): Promise<number> {
  const kernel = program.kernel('reread');
  const from = program.buffer(new Float32Array(rows * rowWidth));
  const to = program.buffer(rereadItems * 4);
  return fastest([from, to], 4 * 4 * rereadTurns * rereadItems, () =>
    kernel({ global: [rereadItems] }, from, to, rereadTurns),
  );
}

/**
 * How much of `work` a second the fastest launch did. Launches take a millisecond or so, so that on a busy machine some are
 * left alone.
 */
async function fastest(
  buffers: readonly DeviceBuffer[],
  work: number,
  launch: () => Promise<LaunchTimes>,
): Promise<number> {
  try {
    const begin = performance.now();
    let best = Number.POSITIVE_INFINITY;
    for (let count = 0; count < fewestLaunches || performance.now() - begin < timeEach; count += 1) {
      const { started, ended } = await launch();
      // A clock may stand still for a while.
      best = Math.min(best, Math.max(Number(ended - started), 1));
    }
    return work / (best / 1e9);
  } finally {
    for (const buffer of buffers) buffer.release();
  }
}
