/**
 * What devices with memory of their own remember of their copy of a buffer: which bytes the host has newer (they go to the device
 * before the next command), and which the device has (they come back when the host needs them). At most one of the two is not
 * empty: who is about to write brings the other side's bytes over first.
 */

/** Bytes [start, end) of a buffer; empty if end is 0. */
export interface Interval {
  start: number;
  end: number;
}

export interface NewerBytes {
  readonly hostNewer: Interval;
  readonly deviceNewer: Interval;
}

/** Of a copy of so many bytes that has nothing yet. */
export function newerOnHost(size: number): NewerBytes {
  return { hostNewer: { start: 0, end: size }, deviceNewer: { start: 0, end: 0 } };
}

/** Makes the interval reach over these bytes too. */
export function extend(interval: Interval, start: number, end: number): void {
  interval.start = interval.end === 0 ? start : Math.min(interval.start, start);
  interval.end = Math.max(interval.end, end);
}
