/**
 * Measures kernels on several devices in one run: every device's result is checked before it is timed, the devices take
 * turns, and what counts is each one's median.
 */
import { performance } from 'node:perf_hooks';
import { median } from '../measure.ts';
import type { BenchDevice, FirstRun, PreparedCase, RunTime } from './bench-device.ts';
import type { BenchKernel, Size, Work } from './bench-kernel.ts';
import { OtherPrograms } from './other-programs.ts';

/** A kernel on a device. */
export interface DeviceResult {
  readonly device: string;
  /** Build options beside the kernel's own: of several the ones with the shortest time were taken. */
  readonly options: string;
  /** Medians, in milliseconds. */
  readonly event: number;
  readonly wall: number;
  /** From source to kernels in a cold cache, the median of three; not measured in quick runs. */
  readonly build?: number | undefined;
  /** The same and on to the end of the first run at the small size, when all that was put off has been done. */
  readonly firstRun?: number | undefined;
  /** Every round's event time. */
  readonly rounds: readonly number[];
}

export interface KernelResult {
  readonly name: string;
  readonly size: string;
  readonly work: Work;
  readonly devices: readonly DeviceResult[];
  /** Devices that cannot run it, and why. */
  readonly failures: Readonly<Record<string, string>>;
  /** From 0 to 1: the part of the processors' time that other programs took while it ran. */
  readonly others?: number;
}

export interface MeasureOptions {
  readonly size: Size;
  /** At least so many timed rounds. */
  readonly rounds: number;
  /** Only with the kernel's own build options, and without first runs. So are all quick runs. */
  readonly plainly?: boolean;
}

/** Every device is given the choice: what a beginner builds with, and all permissions at once. */
const buildChoices = ['', '-cl-fast-relaxed-math'];
/**
 * Engines replace their first code while it runs, and short launches take longer to get there than five runs: a device is warm after so
 * many runs, if they took so long, and in any case after the longest time. The same for every device.
 */
const warmRuns = 5;
const warmMilliseconds = { full: 150, quick: 50 };
const longestWarmUp = { full: 400, quick: 50 };

/** @param say is told what is going on, for progress lines */
export function measureKernel(
  kernel: BenchKernel,
  devices: readonly BenchDevice[],
  { size, rounds, plainly = size === 'quick' }: MeasureOptions,
  say: (what: string) => void = () => {},
): KernelResult {
  const benchCase = kernel.prepare(size);
  const failures: Record<string, string> = {};
  const others = new OtherPrograms();
  const contestants: { device: BenchDevice; options: string; prepared: PreparedCase; times: RunTime[] }[] =
    [];
  for (const device of devices) {
    say(`${kernel.name}: checking ${device.name}`);
    const candidates = plainly ? [''] : buildChoices;
    let best: { options: string; prepared: PreparedCase; time: number } | undefined;
    for (const options of candidates) {
      let prepared: PreparedCase | undefined;
      try {
        prepared = device.prepare(kernel, benchCase, options);
        prepared.run();
        const wrong = prepared.check();
        if (wrong !== undefined) throw new Error(`wrong result: ${wrong}`);
        const made = prepared;
        const time = others.during(() => warmUp(made, size));
        if (best && best.time <= time) {
          prepared.release();
        } else {
          best?.prepared.release();
          best = { options, prepared, time };
        }
      } catch (error) {
        prepared?.release();
        // Relaxed arithmetic that gives wrong results is no option.
        if (options === '') failures[device.name] = error instanceof Error ? error.message : String(error);
      }
    }
    if (best) contestants.push({ device, ...best, times: [] });
  }
  say(`${kernel.name}: measuring`);
  others.during(() => {
    for (let round = 0; round < rounds; round += 1) {
      // Whoever is first in a round is slower: caches and threads come from another one's run. So that is somebody else each time.
      const first = round % contestants.length;
      for (const { prepared, times } of [...contestants.slice(first), ...contestants.slice(0, first)])
        times.push(prepared.run());
    }
  });
  for (const { prepared } of contestants) prepared.release();
  const first = new Map<BenchDevice, readonly FirstRun[]>();
  if (!plainly) {
    const small = kernel.prepare('quick');
    for (const { device } of contestants) {
      const times = Array.from({ length: 3 }, () => device.firstRun(kernel, small));
      first.set(device, times);
    }
  }
  const medianOf = (device: BenchDevice, part: keyof FirstRun): number | undefined => {
    const times = first.get(device);
    return times && median(times.map((time) => time[part]));
  };
  return {
    name: kernel.name,
    size: benchCase.size,
    work: benchCase.work,
    failures,
    others: others.share,
    devices: contestants.map(({ device, options, times }) => ({
      device: device.name,
      options,
      event: median(times.map(({ event }) => event)),
      wall: median(times.map(({ wall }) => wall)),
      build: medianOf(device, 'built'),
      firstRun: medianOf(device, 'ran'),
      rounds: times.map(({ event }) => event),
    })),
  };
}

/** Runs until the device is warm; the shortest event time. */
function warmUp(prepared: PreparedCase, size: Size): number {
  const begun = performance.now();
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; ; run += 1) {
    const passed = performance.now() - begun;
    if (run > 0 && passed >= longestWarmUp[size]) break;
    if (run >= warmRuns && passed >= warmMilliseconds[size]) break;
    best = Math.min(best, prepared.run().event);
  }
  return best;
}

/** How many times faster Millrace is than another device, by event times; undefined if one of them has no time. */
export function ratioOf(result: KernelResult, other: string): number | undefined {
  const ours = result.devices.find(({ device }) => device === 'Millrace');
  const theirs = result.devices.find(({ device }) => device === other);
  return ours && theirs && theirs.event / ours.event;
}

export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}
