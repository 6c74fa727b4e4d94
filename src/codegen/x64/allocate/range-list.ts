/** What is assigned to one register or spill slot: ranges in order that do not meet. */
import type { Ranges } from './liveness.ts';

export class RangeList {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  /** The first place, of those from `from` on, whose end is behind the position. */
  #find(position: number, from: number): number {
    let low = from;
    let high = this.#ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#ends[middle]! > position) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  meets(ranges: Ranges): boolean {
    const starts = this.#starts;
    let at = 0;
    for (let index = 0; index < ranges.length; index += 2) {
      at = this.#find(ranges[index]!, at);
      if (at === starts.length) return false;
      if (starts[at]! < ranges[index + 1]!) return true;
    }
    return false;
  }

  add(ranges: Ranges): void {
    if (ranges.length > 16 && ranges.length * 2 > this.#starts.length) {
      this.#merge(ranges);
      return;
    }
    for (let index = 0; index < ranges.length; index += 2) {
      const at = this.#find(ranges[index]!, 0);
      this.#starts.splice(at, 0, ranges[index]!);
      this.#ends.splice(at, 0, ranges[index + 1]!);
    }
  }

  #merge(ranges: Ranges): void {
    const starts = this.#starts.slice();
    const ends = this.#ends.slice();
    this.#starts.length = 0;
    this.#ends.length = 0;
    for (let i = 0, j = 0; i < starts.length || j < ranges.length; ) {
      if (j === ranges.length || (i < starts.length && starts[i]! < ranges[j]!)) {
        this.#starts.push(starts[i]!);
        this.#ends.push(ends[i]!);
        i += 1;
      } else {
        this.#starts.push(ranges[j]!);
        this.#ends.push(ranges[j + 1]!);
        j += 2;
      }
    }
  }
}

/** Whether two lists in order have a position in common. */
export function rangesMeet(a: Ranges, b: Ranges): boolean {
  if (a.length === 0 || b.length === 0) return false;
  // Of two of which one is long, most lies before the other one.
  let i = firstBehind(a, b[0]!);
  let j = firstBehind(b, a[0]!);
  while (i < a.length && j < b.length) {
    if (a[i + 1]! <= b[j]!) i += 2;
    else if (b[j + 1]! <= a[i]!) j += 2;
    else return true;
  }
  return false;
}

/** Where the first range is that ends behind the position. */
function firstBehind(ranges: Ranges, position: number): number {
  let low = 0;
  let high = ranges.length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[2 * middle + 1]! > position) high = middle;
    else low = middle + 1;
  }
  return 2 * low;
}

/** Two lists in order as one. */
export function mergeRanges(a: Ranges, b: Ranges): number[] {
  const result: number[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const isFirst = j === b.length || (i < a.length && a[i]! < b[j]!);
    const start = isFirst ? a[i]! : b[j]!;
    const end = isFirst ? a[i + 1]! : b[j + 1]!;
    if (isFirst) i += 2;
    else j += 2;
    const last = result.length - 1;
    if (last > 0 && result[last]! >= start) result[last] = Math.max(result[last]!, end);
    else result.push(start, end);
  }
  return result;
}
