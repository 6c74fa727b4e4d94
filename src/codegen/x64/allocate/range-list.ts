/** What is assigned to one register or spill slot: ranges in order that do not meet. */
import type { Range } from './liveness.ts';

export class RangeList {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  /** The first place whose end is behind the position. */
  #find(position: number): number {
    let low = 0;
    let high = this.#ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#ends[middle]! > position) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  meets(ranges: readonly Range[]): boolean {
    for (const { start, end } of ranges) {
      const at = this.#find(start);
      if (at < this.#starts.length && this.#starts[at]! < end) return true;
    }
    return false;
  }

  add(ranges: readonly Range[]): void {
    if (ranges.length > 8 && ranges.length * 4 > this.#starts.length) {
      this.#merge(ranges);
      return;
    }
    for (const { start, end } of ranges) {
      const at = this.#find(start);
      this.#starts.splice(at, 0, start);
      this.#ends.splice(at, 0, end);
    }
  }

  #merge(ranges: readonly Range[]): void {
    const all = this.#starts.map((start, index) => ({ start, end: this.#ends[index]! }));
    all.push(...ranges);
    all.sort((a, b) => a.start - b.start);
    this.#starts.length = 0;
    this.#ends.length = 0;
    for (const { start, end } of all) {
      this.#starts.push(start);
      this.#ends.push(end);
    }
  }
}

/** Whether two lists in order have a position in common. */
export function rangesMeet(a: readonly Range[], b: readonly Range[]): boolean {
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i]!.end <= b[j]!.start) i += 1;
    else if (b[j]!.end <= a[i]!.start) j += 1;
    else return true;
  }
  return false;
}

/** Two lists in order, of which none meets the other, as one. */
export function mergeRanges(a: readonly Range[], b: readonly Range[]): Range[] {
  const all = [...a, ...b].sort((x, y) => x.start - y.start);
  const result: Range[] = [];
  for (const { start, end } of all) {
    const last = result.at(-1);
    if (last && last.end === start) last.end = end;
    else result.push({ start, end });
  }
  return result;
}
