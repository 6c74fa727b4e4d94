/** The kernels as a part of the bench: measures them one after another, with a progress line, and prints the table. */
import { deviceProblems } from 'millrace';
import { benchKernels } from '../kernels/index.ts';
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

export interface KernelsRequest {
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
}

/** The kernels that a name of `--only` means: one of exactly that name, else all that have it in theirs. */
export function kernelsCalled(names: readonly string[]): BenchKernel[] {
  if (names.length === 0) return [...benchKernels];
  const means = (name: string): readonly BenchKernel[] => {
    const exact = benchKernels.filter((kernel) => kernel.name === name);
    const part = name.toLowerCase();
    return exact.length > 0
      ? exact
      : benchKernels.filter((kernel) => kernel.name.toLowerCase().includes(part));
  };
  const meant = new Set(names.flatMap((name) => means(name)));
  return benchKernels.filter((kernel) => meant.has(kernel));
}

/** Measures, prints each kernel's row, and last the geometric means, one line for each other device. */
export function runKernels(request: KernelsRequest): KernelsReport {
  const { devices } = request;
  if (!devices.some(({ isOurs }) => !isOurs)) {
    console.log(`no other device to compare with: ${deviceProblems().join('; ') || 'none was asked for'}`);
  }
  const names = devices.map(({ name }) => name);
  const times = 'times on the device (and as the host sees them)';
  console.log(`\nKernels: medians of ${request.rounds} rounds, ${times}\n  ${tableHead(names)}`);
  const results: KernelResult[] = [];
  const say = progressLine();
  for (const kernel of kernelsCalled(request.only)) {
    const result = measureKernel(kernel, devices, request, say);
    results.push(result);
    say('');
    console.log(`  ${tableRow(result, names)}`);
  }
  const report = reportOf(request, devices, results);
  summarise(report);
  for (const device of devices) device.release();
  return report;
}

function reportOf(
  { size, rounds }: KernelsRequest,
  devices: readonly BenchDevice[],
  kernels: readonly KernelResult[],
): KernelsReport {
  const means: Record<string, number> = {};
  for (const { name, isOurs } of devices) {
    const ratios = kernels.flatMap((result) => ratioOf(result, name) ?? []);
    if (!isOurs && ratios.length > 0) means[name] = geometricMean(ratios);
  }
  return {
    size,
    rounds,
    devices: Object.fromEntries(devices.map(({ name, version }) => [name, version])),
    kernels,
    geometricMeans: means,
  };
}

function summarise({ devices, kernels, geometricMeans }: KernelsReport): void {
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
  for (const [device, mean] of Object.entries(geometricMeans)) {
    const count = kernels.filter((result) => ratioOf(result, device) !== undefined).length;
    console.log(`geometric mean vs ${devices[device]}: ${mean.toFixed(2)} over ${count} kernels`);
  }
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
