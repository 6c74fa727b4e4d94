/** Whole numbers between two bounds, and lists of ranges of bytes. */

/** Both ends belong to it. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Bytes from `start` to before `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export const exactly = (value: number): Interval => ({ low: value, high: value });

export const join = (a: Interval, b: Interval): Interval => ({
  low: Math.min(a.low, b.low),
  high: Math.max(a.high, b.high),
});

/** What is in both; an empty one has its ends in the wrong order. */
export const meet = (a: Interval, b: Interval): Interval => ({
  low: Math.max(a.low, b.low),
  high: Math.min(a.high, b.high),
});

export const isEmpty = ({ low, high }: Interval): boolean => low > high;

export const overlaps = (a: Range, b: Range): boolean => a.start < b.end && b.start < a.end;

/** Sorted, with those that touch made one. */
export function union(ranges: readonly Range[]): Range[] {
  const sorted = ranges.filter(({ start, end }) => start < end).sort((a, b) => a.start - b.start);
  const result: Range[] = [];
  for (const range of sorted) {
    const last = result.at(-1);
    if (last && range.start <= last.end)
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
    else result.push(range);
  }
  return result;
}
