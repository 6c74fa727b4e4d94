/** A launch under the roofs of the machine, in words. */
import { type RooflineBound, type RooflinePoint, rooflinePoint } from '../../model/roofline.ts';
import { counted } from '../../source/counted.ts';
import type { CountedLaunch } from './count-launch.ts';
import type { MeasuredPeaks } from './machine-peaks.ts';

/** A launch that was counted and timed on a machine. */
export interface Roofline {
  readonly kernel: string;
  readonly counts: CountedLaunch;
  /** Of the fastest launch. */
  readonly seconds: number;
  readonly peaks: MeasuredPeaks;
  readonly point: RooflinePoint;
}

/** @param seconds what the fastest of some launches took */
export function rooflineOf(
  kernel: string,
  counts: CountedLaunch,
  seconds: number,
  peaks: MeasuredPeaks,
): Roofline {
  return { kernel, counts, seconds, peaks, point: rooflinePoint(counts, seconds, peaks) };
}

/** Some lines: the machine, the launch, how near it is to which roof. */
export function rooflineText({ kernel, counts, seconds, peaks, point }: Roofline): string {
  const { machine, threads, measured, floatOperations, integerOperations, memoryBytes, cacheBytes } = peaks;
  const { workItems, sampledItems } = counts;
  const each = (count: number): string => figure(count / workItems);
  const sample = sampledItems < workItems ? `, counted in ${sampledItems} of them` : '';
  const ratio = `operations a byte: ${figure(point.caches.intensity)} asked for, ${figure(point.memory.intensity)} of memory`;
  const lines = [
    `machine    ${machine}, ${counted(threads, 'thread')}, measured ${measured.slice(0, 10)}`,
    `  peaks    ${giga(floatOperations)} GFLOP/s, ${giga(integerOperations)} G integer operations/s, memory ${giga(memoryBytes)} GB/s, caches ${giga(cacheBytes)} GB/s`,
    `kernel     ${kernel}: ${workItems} work-items in ${figure(seconds * 1000)} ms (the fastest launch)`,
    `  an item  ${each(counts.floatOperations)} floating-point and ${each(counts.integerOperations)} integer operations, ${each(counts.bytesLoaded)} bytes loaded, ${each(counts.bytesStored)} stored${sample}`,
    `  ${ratio}`,
    `  attained ${giga(point.attained)} ${operationsUnit(point.operations)}, memory ${giga(point.memory.attained)} GB/s, caches ${giga(point.caches.attained)} GB/s`,
    `  bound    ${boundText(point)}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** Each roof, what the launch came to under it, and how much of it that is: for a table, in words. */
export interface RooflineRow {
  readonly roof: RooflineBound;
  readonly peak: string;
  readonly attained: string;
  /** Empty where the roof is no limit for this launch. */
  readonly share: string;
  /** Operations for each byte that the roof's memory brings; empty for arithmetic. */
  readonly intensity: string;
  readonly isBound: boolean;
}

export function rooflineRows({ peaks, point }: Roofline): readonly RooflineRow[] {
  const unit = operationsUnit(point.operations);
  const percent = (share: number): string =>
    share > 0 && share < 0.005 ? 'under 1%' : `${Math.round(share * 100)}%`;
  const ofBytes = (roof: 'memory' | 'caches', peak: number): RooflineRow => {
    const { attained, intensity, isPassed } = point[roof];
    return {
      roof,
      peak: `${giga(peak)} GB/s`,
      attained: `${giga(attained)} GB/s`,
      share: isPassed ? '' : percent(attained / peak),
      intensity: figure(intensity),
      isBound: point.bound === roof,
    };
  };
  return [
    {
      roof: 'arithmetic',
      peak: `${giga(point.peak)} ${unit}`,
      attained: `${giga(point.attained)} ${unit}`,
      share: percent(point.attained / point.peak),
      intensity: '',
      isBound: point.bound === 'arithmetic',
    },
    ofBytes('memory', peaks.memoryBytes),
    ofBytes('caches', peaks.cacheBytes),
  ];
}

/** What limits the launch, how near it is to that, and what is no limit for it. */
export function boundText({ bound, share, memory, caches }: RooflinePoint): string {
  const notes = [
    memory.isPassed ? '; the buffers were in caches already' : '',
    caches.isPassed ? '; work-items share what they load' : '',
  ].join('');
  const percent = `${Math.round(share * 100)}% of that roof`;
  return `${bound}, at ${percent}${notes}`;
}

/** What a billion operations a second are called. */
export function operationsUnit(operations: RooflinePoint['operations']): string {
  return operations === 'integer' ? 'G integer operations/s' : 'GFLOP/s';
}

function giga(perSecond: number): string {
  return figure(perSecond / 1e9);
}

/** Three figures, or all of a whole number. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return 'none';
  if (Number.isInteger(value) || value >= 1000) return String(Math.round(value));
  return String(Number(value.toPrecision(3)));
}
