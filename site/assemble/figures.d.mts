/** A table of kernels: times in milliseconds, and PoCL's time over ours. */
export interface MeasuredTable {
  readonly heading: string;
  readonly rows: readonly { kernel: string; ours: number; theirs: number; ratio: number }[];
}
export function measuredTables(text: string): MeasuredTable[];
