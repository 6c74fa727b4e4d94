// Times a kernel and its reference by the same rule, so that the two can be compared: the best of a few runs,
// since the first run of anything in JavaScript or WebAssembly is made with code that is not optimised yet.
import { deviceMilliseconds, type Launch } from './device.ts';
import type { SampleSize } from './sample.ts';

const mostRuns = 5;
const enoughMilliseconds = 400;

/** What the best run took: on the device, and as the host saw it. */
export interface KernelTime {
  readonly milliseconds: number;
  readonly wall: number;
}

/**
 * Runs launches up to five times, fewer once 400 ms are spent, and once at size `small`. `prepare` puts back
 * what a run changes (the unsorted keys of a sort) and is not counted.
 */
export async function timeKernel(
  size: SampleSize,
  run: () => Promise<readonly Launch[]>,
  prepare?: () => Promise<unknown>,
): Promise<KernelTime> {
  let milliseconds = Number.POSITIVE_INFINITY;
  let wall = Number.POSITIVE_INFINITY;
  let spent = 0;
  for (let i = 0; i < runsFor(size) && spent < enoughMilliseconds; i++) {
    await prepare?.();
    const started = performance.now();
    const launches = await run();
    const took = performance.now() - started;
    let onDevice = 0;
    for (const launch of launches) onDevice += deviceMilliseconds(launch);
    milliseconds = Math.min(milliseconds, onDevice);
    wall = Math.min(wall, took);
    spent += took;
  }
  return { milliseconds, wall };
}

/**
 * The same for calls of stream kernels: `run` makes them and waits. Streams tell no times of their device, so both times are the
 * host's.
 */
export async function timeCalls(size: SampleSize, run: () => unknown): Promise<KernelTime> {
  // The first call builds the kernels.
  if (size === 'full') await run();
  let wall = Number.POSITIVE_INFINITY;
  let spent = 0;
  for (let i = 0; i < runsFor(size) && spent < enoughMilliseconds; i++) {
    const started = performance.now();
    await run();
    const took = performance.now() - started;
    wall = Math.min(wall, took);
    spent += took;
  }
  return { milliseconds: wall, wall };
}

/** Runs a reference by the rule of timeKernel; gives its result and its best time in milliseconds. */
export function timeReference<T>(size: SampleSize, run: () => T): { result: T; milliseconds: number } {
  let started = performance.now();
  const result = run();
  let best = performance.now() - started;
  let spent = best;
  for (let i = 1; i < runsFor(size) && spent < enoughMilliseconds; i++) {
    started = performance.now();
    run();
    const took = performance.now() - started;
    best = Math.min(best, took);
    spent += took;
  }
  return { result, milliseconds: best };
}

function runsFor(size: SampleSize): number {
  return size === 'small' ? 1 : mostRuns;
}
