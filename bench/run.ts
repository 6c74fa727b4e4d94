/**
 * `npm run bench`: what Millrace costs and gains, each figure measured here and now on this machine. Parts compare one
 * thing each; the last one, `kernels`, runs the kernels of bench/kernels on every device (frame/).
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Command, InvalidArgumentError, Option } from 'commander';
import { requestDevice } from 'millrace';
import { measureArrays } from './arrays.ts';
import { measureBrook } from './brook.ts';
import { measureBuildTime } from './build-time.ts';
import { measureChecker } from './checker.ts';
import { measureClangLoops } from './clang-loops.ts';
import { measureCommands } from './commands.ts';
import { measureDawn } from './dawn.ts';
import { measureDeviceEnqueue } from './device-enqueue.ts';
import { measureFirstRun } from './first-run.ts';
import { type BenchDevice, benchDevices, findDevice } from './frame/bench-device.ts';
import type { BenchKernel } from './frame/bench-kernel.ts';
import { drawChart } from './frame/chart.ts';
import { type KernelSets, type KernelsReport, kernelsCalled, runKernels } from './frame/kernels-part.ts';
import { drawLines } from './frame/line-chart.ts';
import { NoBuildError, otherCheckout } from './frame/other-checkout.ts';
import { measureFrontEnd } from './front-end.ts';
import { measureIl } from './il.ts';
import { measureKernelBuilds } from './kernel-builds.ts';
import { largeSets } from './kernels/index.ts';
import { measureLaunchTime } from './launch-time.ts';
import { measureLibraries } from './libraries.ts';
import { printTable, type Row } from './measure.ts';
import { measureMpi, mpiChart } from './mpi.ts';
import { measureNative } from './native.ts';
import { measurePageLoad } from './page-load.ts';
import { measurePlan } from './plan.ts';
import { measureSamples } from './samples.ts';
import { measureScaling } from './scaling.ts';
import { measureSharedMemory } from './shared-memory.ts';
import { suiteKernels, suites } from './suites/index.ts';
import { measureWebGpu } from './webgpu.ts';
import { measureWorkGroupFunctions } from './work-group-functions.ts';

// What newer Nodes have without a flag: multiplying and adding in one instruction, as the `millrace` command does too.
if (Number.parseInt(process.versions.node, 10) < 22) setFlagsFromString('--experimental-wasm-relaxed-simd');

// Steady states are measured, which only optimised code is; first runs take what users get (frame/bench-device.ts).
process.env['MILLRACE_TIERS'] ??= '0';

interface Part {
  readonly title: string;
  /** @param against another build's device, for parts that can compare with it */
  readonly measure: (against?: BenchDevice) => Promise<Row[] | string>;
  /** It compares with another build's device if there is one. */
  readonly takesOther?: true;
  /** Measured in a process of its own, with one compute thread or with all. */
  readonly alone?: 'one thread' | 'all threads';
}

const parts: Readonly<Record<string, Part>> = {
  build: { title: 'Build time: from source to a kernel that can be launched', measure: measureBuildTime },
  builds: {
    title: 'Build time of the measured kernels, never seen, and with a first run at the small size',
    measure: measureKernelBuilds,
    takesOther: true,
  },
  'first-run': {
    title: 'Large kernels, never seen, from source to the end of a first run',
    measure: measureFirstRun,
    takesOther: true,
  },
  'front-end': {
    title: 'Front end: from text to the checked tree, and what the library adds',
    measure: measureFrontEnd,
  },
  launch: { title: 'Launch time: an empty kernel', measure: measureLaunchTime },
  commands: {
    title:
      'Commands in great numbers: 200,000 launches on one queue until all are complete, and what waiting ones take',
    measure: measureCommands,
    alone: 'all threads',
  },
  clang: {
    title:
      'Scalar code on one thread against clang -O2 for wasm32 without SIMD (below 1: Millrace is faster)',
    measure: measureClangLoops,
    alone: 'one thread',
  },
  samples: {
    title: 'Samples against plain JavaScript (below 1: Millrace is faster)',
    measure: measureSamples,
  },
  arrays: {
    title:
      'Arrays (millrace/array), 2^20 floats, against loops in plain JavaScript (below 1: Millrace is faster)',
    measure: measureArrays,
  },
  libraries: {
    title:
      'BLAS and Fourier transforms against OpenBLAS and FFTW with as many threads (goals: 0.3 of the speed, machine code 0.7 and 0.5; two devices 0.9 of the sum)',
    measure: measureLibraries,
    alone: 'all threads',
  },
  mpi: {
    title:
      'Programs over ranks of MPI: what a command costs, how much of the ranks is used, and a prediction',
    measure: measureMpi,
  },
  groups: {
    title: 'Work-group functions against local memory and barriers, on one thread (goal: below 0.33)',
    measure: measureWorkGroupFunctions,
    alone: 'one thread',
  },
  shared: {
    title: 'Fine-grained shared memory: host and running kernel',
    measure: measureSharedMemory,
  },
  enqueue: {
    title: 'Kernels that launch kernels, on one thread',
    measure: measureDeviceEnqueue,
    alone: 'one thread',
  },
  checker: {
    title: 'The checker against the same kernels without it, on one thread (goal: below 20)',
    measure: measureChecker,
    alone: 'one thread',
  },
  brook: {
    title: 'Stream kernels of Brook+ against OpenCL C, on one thread (goal: below 1.1)',
    measure: measureBrook,
    alone: 'one thread',
  },
  il: {
    title: 'Products of matrices in AMD IL against OpenCL C, on one thread (goal: at most 1)',
    measure: measureIl,
    alone: 'one thread',
  },
  page: {
    title: 'The playground in Chromium, from a server on this machine, nothing in its cache',
    measure: measurePageLoad,
  },
  plan: {
    title: "The planner's choice against the fastest of scalar, vectorised and coarsened code, on one thread",
    measure: measurePlan,
    alone: 'one thread',
  },
  scaling: {
    title: 'Kernels that only compute, with all threads against one',
    measure: measureScaling,
  },
  native: {
    title: 'An OpenCL driver through Millrace against the same driver from C',
    measure: measureNative,
  },
  dawn: {
    title: 'WebGPU without Millrace: an empty shader',
    measure: measureDawn,
    alone: 'all threads',
  },
  webgpu: {
    title: 'Launches and copies on WebGPU: an empty kernel, chains, transfers, first results',
    measure: measureWebGpu,
    alone: 'all threads',
  },
};

function positive(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('write a whole number from 1');
  return Number(text);
}

interface Options {
  readonly only?: readonly string[];
  readonly device?: readonly string[];
  readonly against?: string;
  readonly suite?: readonly string[];
  readonly large?: true;
  readonly rounds?: number;
  readonly quick?: true;
  readonly json: string;
  readonly chart?: string;
  readonly rows?: true;
}

const resultsFile = fileURLToPath(new URL('../../bench/results.json', import.meta.url));
const command = new Command('bench')
  .description('Measures Millrace on this machine, prints tables and writes the results as JSON.')
  .option(
    '--only <names...>',
    `parts (${Object.keys(parts).join(', ')}, kernels), or kernels by a part of their names`,
  )
  .option(
    '--device <names...>',
    'devices for the kernels, by a part of their names, webgpu and native among them (default: wasm and all drivers)',
  )
  .option(
    '--against <checkout>',
    'another checkout of Millrace, built: its wasm device beside this one instead of drivers (parts: builds, first-run, kernels)',
  )
  .option(
    '--suite <name and checkout...>',
    `another project's kernels (${Object.keys(suites).join(', ')}) instead of ours, read from a checkout of it: --suite shoc ../shoc`,
  )
  .option('--rounds <count>', 'timed rounds of each kernel (default: 7; with --quick 3)', positive)
  .option('--large', 'kernels at sizes that keep a graphics card busy, instead of the others')
  .option('--quick', 'the kernels alone, at smaller sizes')
  .option('--json <file>', 'where the results go', resultsFile)
  .option(
    '--chart <file>',
    'draw the kernels of the results as SVG (with --suite: those of suites; with --only mpi: its prediction), and measure nothing',
  )
  .addOption(new Option('--rows', 'print the rows of --only and nothing else').hideHelp())
  .parse();
const options = command.opts<Options>();

const names = options.only ?? [];
const partNames = names.filter((name) => parts[name] || name === 'kernels');
const kernelNames = names.filter((name) => !partNames.includes(name));
if (options.large && options.suite) command.error('--large and --suite each choose the kernels: give one');
const suiteSets: KernelSets | undefined = options.large
  ? largeSets
  : options.suite && options.chart === undefined
    ? readSuites(options.suite)
    : undefined;
for (const name of kernelNames) {
  const all = suiteSets && Object.values(suiteSets).flat();
  if (kernelsCalled([name], all).length === 0) command.error(`there is no part and no kernel '${name}'`);
}

/** The kernels of `--suite`: names and checkouts in turn. */
function readSuites(words: readonly string[]): KernelSets {
  const sets: Record<string, readonly BenchKernel[]> = {};
  for (let at = 0; at < words.length; at += 2) {
    const [name, checkout] = [words[at]!, words[at + 1]];
    if (!suites[name])
      command.error(`there is no suite '${name}': known are ${Object.keys(suites).join(', ')}`);
    if (checkout === undefined)
      command.error(`write where a checkout of ${name} lies: --suite ${name} FOLDER`);
    try {
      sets[name] = suiteKernels(name, checkout!);
    } catch (error) {
      command.error(error instanceof Error ? error.message : String(error));
    }
  }
  return sets;
}

/**
 * Runs a part of this program in a process of its own. With one compute thread it stays on one processor where the system
 * can pin it: both sides of a comparison then feel the same neighbours, whichever thread they run on.
 */
function inOwnProcess(name: string, threads: 'one thread' | 'all threads'): Row[] | string {
  const words = [process.execPath, fileURLToPath(import.meta.url), '--only', name, '--rows'];
  const isOne = threads === 'one thread';
  const mayPin = isOne && spawnSync('taskset', ['--version']).status === 0;
  const pinned = mayPin ? ['taskset', '-c', '0', ...words] : words;
  const text = execFileSync(pinned[0]!, pinned.slice(1), {
    encoding: 'utf8',
    env: { ...process.env, ...(isOne ? { MILLRACE_THREADS: '1' } : {}) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(text) as Row[] | string;
}

/** The device of `--against`. Neither build is to see what the other one left in the build cache. */
async function openOther(folder: string | undefined): Promise<BenchDevice | undefined> {
  if (folder === undefined) return undefined;
  process.env['MILLRACE_CACHE'] = '0';
  try {
    return await otherCheckout(folder);
  } catch (error) {
    if (error instanceof NoBuildError) command.error(error.message);
    throw error;
  }
}

/** Devices that are there only once they are asked for. */
const askedFor = ['webgpu', 'native'] as const;

/** What `get` gives; a message in the place of a stack if it fails. Figures without a device that was named would not be what was asked for. */
async function orEnd<T>(get: () => T | Promise<T>): Promise<T> {
  try {
    return await get();
  } catch (error) {
    return command.error(error instanceof Error ? error.message : String(error));
  }
}

async function openDevices(wanted: readonly string[]): Promise<BenchDevice[]> {
  for (const id of askedFor) if (wanted.includes(id)) await requestDevice(id);
  return benchDevices(wanted);
}

async function measureParts(
  wanted: readonly string[],
  against?: BenchDevice,
): Promise<Record<string, Row[] | string>> {
  const results: Record<string, Row[] | string> = {};
  for (const name of wanted) {
    const part = parts[name]!;
    if (against && !part.takesOther) command.error(`the part '${name}' does not compare two builds`);
    const rows = part.alone ? inOwnProcess(name, part.alone) : await part.measure(against);
    results[name] = rows;
    if (typeof rows === 'string') console.log(`\n${part.title}\n  skipped: ${rows}`);
    else printTable(part.title, rows);
  }
  return results;
}

interface Results {
  readonly machine: { readonly node: string; readonly processor: string; readonly threads: number };
  readonly results: Readonly<Record<string, Row[] | string>>;
  readonly kernels?: KernelsReport | undefined;
  /** The kernels of `--suite`. */
  readonly suites?: KernelsReport | undefined;
  /** The kernels of `--large`. */
  readonly large?: KernelsReport | undefined;
}

/** A quick or partial run leaves the rest of the file as it was. */
function save(file: string, found: Omit<Results, 'machine'>, isWhole: boolean): void {
  const machine = { node: process.version, processor: cpus()[0]?.model ?? '', threads: cpus().length };
  const before =
    !isWhole && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : undefined;
  const all: Results = {
    machine,
    results: { ...before?.results, ...found.results },
    kernels: found.kernels ?? before?.kernels,
    suites: found.suites ?? before?.suites,
    large: found.large ?? before?.large,
  };
  writeFileSync(file, `${JSON.stringify(all, undefined, 2)}\n`);
}

function kernelsOf({ suites: ofSuites, kernels }: Results): string {
  const report = options.suite ? ofSuites : kernels;
  if (!report) command.error(`${options.json} has no such kernels: run the bench first`);
  return drawChart(report!);
}

function predictionOf({ results: { mpi } }: Results): string {
  if (!Array.isArray(mpi)) command.error(`${options.json} has no figures of MPI: run --only mpi first`);
  return drawLines(mpiChart(mpi as Row[]));
}

if (options.rows) {
  console.log(JSON.stringify(await parts[names[0]!]!.measure()));
} else if (options.chart !== undefined) {
  const results = JSON.parse(readFileSync(options.json, 'utf8')) as Results;
  writeFileSync(options.chart, partNames.includes('mpi') ? predictionOf(results) : kernelsOf(results));
  console.log(`${options.chart} drawn from ${options.json}`);
} else {
  const against = await openOther(options.against);
  const wantedParts =
    names.length > 0
      ? partNames.filter((name) => parts[name])
      : options.quick || suiteSets
        ? []
        : Object.keys(parts).filter((name) => !against || parts[name]!.takesOther);
  const withKernels =
    names.length === 0 || suiteSets !== undefined || kernelNames.length > 0 || partNames.includes('kernels');
  const wanted = options.device ?? (against ? ['wasm'] : []);
  // Before the parts, which take minutes. The others are not there yet: parts would take them for drivers.
  await orEnd(() => wanted.filter((name) => !askedFor.some((id) => id === name)).map(findDevice));
  const results = await measureParts(wantedParts, against);
  const devices = withKernels ? await orEnd(() => openDevices(wanted)) : [];
  const kernels = withKernels
    ? runKernels({
        ...(suiteSets ? { sets: suiteSets } : {}),
        only: kernelNames,
        devices: against ? [...devices, against] : devices,
        size: options.quick ? 'quick' : 'full',
        rounds: options.rounds ?? (options.quick ? 3 : 7),
      })
    : undefined;
  // The file is what the README's chart is drawn from: a comparison of builds goes only where --json says.
  if (!against || options.json !== resultsFile) {
    const isWhole = names.length === 0 && !options.quick && !against && !suiteSets;
    save(
      options.json,
      { results, [options.large ? 'large' : suiteSets ? 'suites' : 'kernels']: kernels },
      isWhole,
    );
  }
  // A driver that gets another project's kernel wrong is no fault of ours.
  const counts = (device: string): boolean => !suiteSets || device === 'Millrace';
  if (kernels?.kernels.some(({ failures }) => Object.keys(failures).some(counts))) process.exitCode = 1;
}
// The devices' threads would keep the process alive.
process.exit();
