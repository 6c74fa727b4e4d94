/**
 * How many wavefronts a SIMD engine has in flight when they come in work-groups: a group is there as a whole or not at all, so
 * that its size, the registers of its work-items and its local memory each limit how many fit (the occupancy that profilers of
 * later cards show). Only RV770 has groups with memory of their own (guide, 1.2.5).
 */
import type { Chip } from '../codegen/r600/chips.ts';
import { mostWavefronts, wavefronts } from './occupancy.ts';

/** Bytes of memory that the groups of a SIMD engine share (RV770 as it was published; the guide's 64 bytes for each of 256 threads). */
const localMemory = 16 * 1024;

export interface GroupNeeds {
  /** Of a work-item. */
  readonly registers: number;
  /** Work-items of a group. */
  readonly groupSize: number;
  /** Of a group. */
  readonly localBytes: number;
}

export type OccupancyLimit = 'registers' | 'local memory' | 'wavefronts';

export interface Occupancy {
  /** Wavefronts of one group. */
  readonly perGroup: number;
  /** Groups that are in flight at a time; 0 if not even one fits. */
  readonly groups: number;
  readonly wavefronts: number;
  /** Of the most that a SIMD engine holds: 0 to 1. */
  readonly fraction: number;
  /** What allows no more groups. */
  readonly limit: OccupancyLimit;
}

/** The occupancy of a SIMD engine by groups of one kernel. */
export function groupOccupancy(
  { registers, groupSize, localBytes }: GroupNeeds,
  { wavefront }: Chip,
): Occupancy {
  const perGroup = Math.max(1, Math.ceil(groupSize / wavefront));
  const limits: readonly (readonly [OccupancyLimit, number])[] = [
    ['wavefronts', Math.floor(mostWavefronts / perGroup)],
    ['registers', Math.floor(wavefronts(registers) / perGroup)],
    ['local memory', localBytes === 0 ? mostWavefronts : Math.floor(localMemory / localBytes)],
  ];
  let [limit, groups] = limits[0]!;
  for (const [name, count] of limits) if (count < groups) [limit, groups] = [name, count];
  const inFlight = groups * perGroup;
  return { perGroup, groups, wavefronts: inFlight, fraction: inFlight / mostWavefronts, limit };
}

/** What is changed in a chart; the rest stays as the kernel has it. */
export type OccupancyAxis = 'groupSize' | 'registers' | 'localBytes';

/** The places of a chart along an axis. */
const axes: Readonly<Record<OccupancyAxis, readonly number[]>> = {
  groupSize: Array.from({ length: 16 }, (_, index) => 64 * (index + 1)),
  registers: Array.from({ length: 31 }, (_, index) => 4 * (index + 1)),
  localBytes: Array.from({ length: 33 }, (_, index) => 512 * index),
};

export interface OccupancyPoint {
  readonly at: number;
  readonly occupancy: Occupancy;
}

/** Wavefronts along an axis, as tools for profiling draw them; the kernel's own place is among the points. */
export function occupancyAlong(
  axis: OccupancyAxis,
  needs: GroupNeeds,
  chip: Chip,
): readonly OccupancyPoint[] {
  const places = [...new Set([...axes[axis], needs[axis]])].sort((a, b) => a - b);
  return places.map((at) => ({ at, occupancy: groupOccupancy({ ...needs, [axis]: at }, chip) }));
}
