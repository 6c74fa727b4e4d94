/** The kernels as a part of the bench: measures them one after another, with a progress line, and prints the table. */
import { deviceProblems } from 'millrace';
import { benchKernels, kernelSets } from '../kernels/index.ts';
import { median } from '../measure.ts';
import type { BenchDevice } from './bench-device.ts';
import type { BenchKernel, Size } from './bench-kernel.ts';
import {
  type DeviceResult,
  geometricMean,
  type KernelResult,
  measureKernel,
  ratioOf,
} from './measure-kernels.ts';
import { tableHead, tableRow } from './table.ts';

/** Kernels in sets, by what a set is called: each has a mean of its own. */
export type KernelSets = Readonly<Record<string, readonly BenchKernel[]>>;

export interface KernelsRequest {
  /** The kernels to choose from; by default those of bench/kernels. */
  readonly sets?: KernelSets;
  /** Names of kernels or parts of them; empty for all. */
  readonly only: readonly string[];
  readonly devices: readonly BenchDevice[];
  readonly size: Size;
  readonly rounds: number;
}

/** What goes into results.json. */
export interface KernelsReport {
  readonly size: Size;
  readonly rounds: number;
  /** By the name that the results use: the version of each. */
  readonly devices: Readonly<Record<string, string>>;
  readonly kernels: readonly KernelResult[];
  /** Of the ratios of event times, by the other device. */
  readonly geometricMeans: Readonly<Record<string, number>>;
  /** The same for each set of kernels, where there are several, with how many have a ratio. */
  readonly sets?: Readonly<Record<string, Readonly<Record<string, { mean: number; kernels: number }>>>>;
}

/** The kernels that a name of `--only` means: one of exactly that name, else all that have it in theirs. */
export function kernelsCalled(
  names: readonly string[],
  all: readonly BenchKernel[] = benchKernels,
): BenchKernel[] {
  if (names.length === 0) return [...all];
  const means = (name: string): readonly BenchKernel[] => {
    const exact = all.filter((kernel) => kernel.name === name);
    const part = name.toLowerCase();
    return exact.length > 0 ? exact : all.filter((kernel) => kernel.name.toLowerCase().includes(part));
  };
  const meant = new Set(names.flatMap((name) => means(name)));
  return all.filter((kernel) => meant.has(kernel));
}

/** Measures, prints each kernel's row, and last the geometric means, one line for each other device. */
export function runKernels(request: KernelsRequest): KernelsReport {
  const { devices, sets = kernelSets } = request;
  if (!devices.some(({ isOurs }) => !isOurs)) {
    console.log(`no other device to compare with: ${deviceProblems().join('; ') || 'none was asked for'}`);
  }
  const names = devices.map(({ name }) => name);
  const times = 'times on the device (and as the host sees them)';
  const chosen = kernelsCalled(request.only, Object.values(sets).flat());
  const nameWidth = Math.max(...chosen.map(({ name }) => name.length), 22);
  console.log(`\nKernels: medians of ${request.rounds} rounds, ${times}\n  ${tableHead(names, nameWidth)}`);
  const results: KernelResult[] = [];
  const say = progressLine();
  for (const kernel of chosen) {
    const result = measureKernel(kernel, devices, request, say);
    results.push(result);
    say('');
    console.log(`  ${tableRow(result, names, nameWidth)}`);
  }
  const report = reportOf(request, devices, results, sets);
  summarise(report);
  for (const device of devices) device.release();
  return report;
}

function reportOf(
  { size, rounds }: KernelsRequest,
  devices: readonly BenchDevice[],
  kernels: readonly KernelResult[],
  sets: KernelSets,
): KernelsReport {
  const means: Record<string, number> = {};
  const bySet: Record<string, Record<string, { mean: number; kernels: number }>> = {};
  for (const { name: device, isOurs } of devices) {
    if (isOurs) continue;
    const ratiosOf = (results: readonly KernelResult[]): number[] =>
      results.flatMap((result) => ratioOf(result, device) ?? []);
    const ratios = ratiosOf(kernels);
    if (ratios.length > 0) means[device] = geometricMean(ratios);
    for (const [set, members] of Object.entries(sets)) {
      const own = ratiosOf(kernels.filter(({ name }) => members.some((member) => member.name === name)));
      if (own.length === 0 || own.length === ratios.length) continue;
      bySet[set] = { ...bySet[set], [device]: { mean: geometricMean(own), kernels: own.length } };
    }
  }
  return {
    size,
    rounds,
    devices: Object.fromEntries(devices.map(({ name, version }) => [name, version])),
    kernels,
    geometricMeans: means,
    ...(Object.keys(bySet).length > 0 ? { sets: bySet } : {}),
  };
}

function summarise({ devices, kernels, geometricMeans, sets = {} }: KernelsReport): void {
  for (const { name, failures } of kernels) {
    for (const [device, why] of Object.entries(failures)) {
      console.log(`  ${name} failed on ${device}: ${why.trim().split('\n')[0]}`);
    }
  }
  const spoilt = spoiltBy(kernels);
  if (spoilt !== undefined) console.log(spoilt);
  const drivers = Object.keys(geometricMeans);
  summariseTimes('build in a cold cache', kernels, drivers, ({ build }) => build);
  summariseTimes('with a first run, small', kernels, drivers, ({ firstRun }) => firstRun);
  summariseFirstRuns(kernels);
  for (const [device, mean] of Object.entries(geometricMeans)) {
    const ratios = kernels.flatMap((result) => {
      const ratio = ratioOf(result, device);
      return ratio === undefined ? [] : [{ name: result.name, ratio }];
    });
    const losers = ratios.filter(({ ratio }) => ratio < 1).sort((a, b) => a.ratio - b.ratio);
    if (losers.length > 0) {
      const list = losers.map(({ name, ratio }) => `${name} ${ratio.toFixed(2)}`).join(', ');
      console.log(`slower than ${devices[device]}: ${list}`);
    }
    for (const [set, means] of Object.entries(sets)) {
      const own = means[device];
      if (own) console.log(`geometric mean of ${set}: ${own.mean.toFixed(2)} over ${own.kernels} kernels`);
    }
    console.log(`geometric mean vs ${devices[device]}: ${mean.toFixed(2)} over ${ratios.length} kernels`);
  }
}

/** How long ours take from a source never seen to the first result, at the small size: the median, and the kernel that takes longest. */
function summariseFirstRuns(kernels: readonly KernelResult[]): void {
  const times = kernels.flatMap(({ name, devices }) => {
    const time = devices.find(({ device }) => device === 'Millrace')?.firstRun;
    return time === undefined ? [] : [{ name, time }];
  });
  if (times.length === 0) return;
  const longest = times.reduce((most, each) => (each.time > most.time ? each : most));
  const middle = median(times.map(({ time }) => time)).toFixed(1);
  console.log(
    `first runs of ours: median ${middle} ms, longest ${longest.time.toFixed(1)} ms (${longest.name})`,
  );
}

/** Other programs may have this part of the processors' time before the figures are said to be theirs, too. */
const tolerated = 0.1;

/** What to know of figures that other programs had a hand in; undefined if they had not. */
export function spoiltBy(kernels: readonly KernelResult[]): string | undefined {
  const spoilt = kernels.filter(({ others = 0 }) => others > tolerated);
  if (spoilt.length === 0) return undefined;
  const percent = ({ others = 0 }: KernelResult): string => `${Math.round(others * 100)} %`;
  const [most] = [...spoilt].sort((a, b) => (b.others ?? 0) - (a.others ?? 0));
  const which =
    spoilt.length === kernels.length ? 'each kernel' : `${spoilt.length} of ${kernels.length} kernels`;
  return `other programs took more than ${tolerated * 100} % of the processors beside ${which}, at most ${percent(most!)} (${most!.name}): measure again without them`;
}

function summariseTimes(
  what: string,
  kernels: readonly KernelResult[],
  drivers: readonly string[],
  timeOf: (result: DeviceResult) => number | undefined,
): void {
  const times = kernels.flatMap(({ devices: on }) => {
    const [ours, ...others] = ['Millrace', ...drivers].map((name) => {
      const found = on.find(({ device }) => device === name);
      return found && timeOf(found);
    });
    return others.flatMap((other) => (ours && other ? [{ ours, other, ratio: other / ours }] : []));
  });
  if (times.length === 0) return;
  const least = Math.min(...times.map(({ ratio }) => ratio)).toFixed(1);
  const [ours, other] = [median(times.map(({ ours }) => ours)), median(times.map(({ other }) => other))];
  console.log(
    `${what}, medians: ours ${ours.toFixed(1)} ms, theirs ${other.toFixed(1)} ms; at least ${least} times as fast`,
  );
}

/** Overwrites one line of a terminal; elsewhere there is none. */
function progressLine(): (what: string) => void {
  if (!process.stderr.isTTY) return () => {};
  return (what) => process.stderr.write(`\r\x1b[K${what}`);
}
