/**
 * Typed arrays as operands. What a routine touches of them is copied to the device and, if it writes, back. Parts of the same memory
 * that overlap (two rows of one matrix, with a stride) are one copy, so that each write is seen.
 */
import type { DeviceBuffer } from '../api/javascript/device-buffer.ts';
import type { Program } from '../api/javascript/program.ts';
import type { Bound, Use } from './core.ts';
import { isMemory } from './operand.ts';

export interface HostRange {
  readonly array: Float32Array | Float64Array | Uint8Array;
  readonly buffer: DeviceBuffer;
  readonly isWritten: boolean;
}

interface Wanted {
  readonly memory: ArrayBufferLike;
  start: number;
  end: number;
  isWritten: boolean;
  isRead: boolean;
}

export interface BoundRanges {
  readonly made: readonly HostRange[];
  /** By the index of the operand; undefined for those in device memory. */
  readonly bound: readonly (Bound | undefined)[];
}

export function bindHostArrays(program: Program, uses: readonly Use[]): BoundRanges {
  const wanted = uses.map((use): Wanted | undefined => {
    if (isMemory(use.data)) return undefined;
    const { buffer, byteOffset, BYTES_PER_ELEMENT: bytes } = use.data;
    const start = byteOffset + use.first * bytes;
    const { isWritten, isOverwritten = false } = use;
    return { memory: buffer, start, end: start + use.count * bytes, isWritten, isRead: !isOverwritten };
  });
  const merged = mergedRanges(wanted.filter((range) => range !== undefined));
  const made = merged.map(({ memory, start, end, isWritten, isRead }): HostRange => {
    const array = new Uint8Array(memory, start, end - start);
    const content = isRead ? array : end - start;
    return { array, isWritten, buffer: program.buffer(end > start ? content : 8) };
  });
  const bound = wanted.map((range, index) => {
    if (!range) return undefined;
    const m = merged.findIndex(
      ({ memory, start, end }) => memory === range.memory && start <= range.start && range.end <= end,
    );
    const { BYTES_PER_ELEMENT: bytes } = uses[index]!.data as Float32Array;
    return { memory: made[m]!.buffer, offset: (range.start - merged[m]!.start) / bytes };
  });
  return { made, bound };
}

/** Ranges of which none overlaps another. What only touches stays as it is. */
function mergedRanges(ranges: readonly Wanted[]): Wanted[] {
  const result: Wanted[] = [];
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    const other = result.findLast(({ memory }) => memory === range.memory);
    if (other && (range.start < other.end || range.start === other.start)) {
      other.end = Math.max(other.end, range.end);
      other.isWritten ||= range.isWritten;
      // One of them may be a part of the other.
      other.isRead = true;
    } else result.push({ ...range });
  }
  return result;
}
