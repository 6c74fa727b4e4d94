/**
 * The machine's peaks from one run to the next. They are kept beside the cache of builds, for this machine, this number of threads
 * and this Millrace; a page, which has no disk, keeps them as it likes. Measured on a busy machine they are too low, and would stay
 * so: they can be measured again, and of each figure the better one stays, for nothing makes a machine faster than it is.
 */

import { buildCache, producer } from '../../build/cache/build-cache.ts';
import { keyOf } from '../../build/cache/hash.ts';
import type { MachinePeaks } from '../../model/roofline.ts';
import {
  deviceThreads,
  type MeasuredPeaks,
  machineName,
  measurePeaks,
  type PeaksProgress,
} from './machine-peaks.ts';
import { figure } from './report.ts';

export interface PeaksOptions {
  readonly progress?: PeaksProgress | undefined;
}

/** Peaks that were measured again. */
export interface RemeasuredPeaks {
  /** What was kept, if anything was. */
  readonly before: MeasuredPeaks | undefined;
  readonly now: MeasuredPeaks;
  /** The better of both, which is kept from now on. */
  readonly peaks: MeasuredPeaks;
}

/** The peaks of this machine: as they were kept, or measured now. */
export async function machinePeaks({ progress }: PeaksOptions = {}): Promise<MeasuredPeaks> {
  const kept = readKept();
  if (kept) return kept;
  const peaks = await measurePeaks(progress);
  keep(peaks);
  return peaks;
}

/** Measures the peaks of this machine, whatever was kept. */
export async function remeasurePeaks({ progress }: PeaksOptions = {}): Promise<RemeasuredPeaks> {
  const before = readKept();
  const now = await measurePeaks(progress);
  const peaks = betterPeaks(before, now);
  keep(peaks);
  return { before, now, peaks };
}

const figures = [
  'floatOperations',
  'integerOperations',
  'memoryBytes',
  'cacheBytes',
] as const satisfies readonly (keyof MachinePeaks)[];

/** Of each figure the higher; only `now` if `before` is of another machine or another number of threads. */
export function betterPeaks(before: MeasuredPeaks | undefined, now: MeasuredPeaks): MeasuredPeaks {
  if (!before || before.machine !== now.machine || before.threads !== now.threads) return now;
  if (figures.every((name) => before[name] >= now[name])) return before;
  const best = figures.map((name) => [name, Math.max(before[name], now[name])]);
  return { ...now, ...(Object.fromEntries(best) as unknown as MachinePeaks) };
}

/** What {@link remeasurePeaks} came to, a line for each figure. */
export function remeasuredText({ before, now, peaks }: RemeasuredPeaks): string {
  const line = (title: string, name: keyof MachinePeaks, unit: string): string => {
    const giga = (of: MachinePeaks) => `${figure(of[name] / 1e9)} ${unit}`;
    const first = `  ${title.padEnd(8)} ${giga(now)}`;
    if (!before) return first;
    return peaks[name] > before[name]
      ? `${first}, kept instead of ${giga(before)}`
      : `${first}; ${giga(before)} stays, which is no less`;
  };
  const lines = [
    'peaks measured again, of each figure the better is kept:',
    line('floats', 'floatOperations', 'GFLOP/s'),
    line('integers', 'integerOperations', 'G integer operations/s'),
    line('memory', 'memoryBytes', 'GB/s'),
    line('caches', 'cacheBytes', 'GB/s'),
  ];
  return `${lines.join('\n')}\n`;
}

/** Peaks out of the JSON text of some; undefined if it is anything else. */
export function readPeaks(text: string): MeasuredPeaks | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof json !== 'object' || json === null) return undefined;
  const { machine, threads, measured, ...rest } = json as Record<string, unknown>;
  const isPositive = (value: unknown) => typeof value === 'number' && value > 0;
  const isWhole =
    typeof machine === 'string' &&
    isPositive(threads) &&
    typeof measured === 'string' &&
    !Number.isNaN(Date.parse(measured)) &&
    figures.every((name) => isPositive(rest[name]));
  return isWhole ? (json as MeasuredPeaks) : undefined;
}

function readKept(): MeasuredPeaks | undefined {
  const kept = buildCache()?.read(keptKey());
  return kept && readPeaks(new TextDecoder().decode(kept));
}

function keep(peaks: MeasuredPeaks): void {
  buildCache()?.write(keptKey(), new TextEncoder().encode(JSON.stringify(peaks)));
}

function keptKey(): string {
  return keyOf(['peaks', producer(), machineName(), String(deviceThreads())]);
}
