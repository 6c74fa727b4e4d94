/**
 * Hands out ranges of an address space: first fit over a sorted list of free ranges, which join again when freed.
 * Device memory and control memory of a context are divided by it, always on the host thread.
 */

/** Every range starts at, and takes up, a multiple of this many bytes: the largest OpenCL alignment (long16, double16). */
export const rangeAlignment = 128;

export class RangeAllocator {
  /** Start and size of each free range, by ascending start; no two touch. */
  readonly #starts: number[] = [];
  readonly #sizes: number[] = [];
  readonly #taken = new Map<number, number>();
  #end: number;
  #used = 0;

  /** An empty space that begins at `start`, a multiple of {@link rangeAlignment}; {@link extend} makes room. */
  constructor(start: number) {
    this.#end = start;
  }

  /** Bytes handed out and not freed. */
  get used(): number {
    return this.#used;
  }

  /** The end of the space. */
  get end(): number {
    return this.#end;
  }

  /** Adds [end, newEnd) to the space. */
  extend(newEnd: number): void {
    const from = this.#end;
    this.#end = newEnd;
    this.#insert(from, newEnd - from);
  }

  /** Adds [start, end), which must lie behind the space; what is between the two is nobody's. */
  add(start: number, end: number): void {
    this.#end = end;
    this.#insert(start, end - start);
  }

  /** The start of a free range of `bytes` bytes (0 counts as 1), now taken; undefined if there is none. */
  allocate(bytes: number): number | undefined {
    const size = roundUp(Math.max(bytes, 1), rangeAlignment);
    const sizes = this.#sizes;
    for (let index = 0; index < sizes.length; index += 1) {
      const free = sizes[index]!;
      if (free < size) continue;
      const start = this.#starts[index]!;
      if (free === size) {
        this.#starts.splice(index, 1);
        sizes.splice(index, 1);
      } else {
        this.#starts[index] = start + size;
        sizes[index] = free - size;
      }
      this.#taken.set(start, size);
      this.#used += size;
      return start;
    }
    return undefined;
  }

  /** How far {@link extend} must move the end so that `bytes` fit. */
  endFor(bytes: number): number {
    const last = this.#starts.length - 1;
    const tail = last >= 0 && this.#starts[last]! + this.#sizes[last]! === this.#end ? this.#sizes[last]! : 0;
    return this.#end - tail + roundUp(Math.max(bytes, 1), rangeAlignment);
  }

  /** Gives back a range by its start. */
  free(start: number): void {
    const size = this.#taken.get(start);
    if (size === undefined) throw new Error(`range ${start} is not taken`);
    this.#taken.delete(start);
    this.#used -= size;
    this.#insert(start, size);
  }

  #insert(start: number, size: number): void {
    if (size <= 0) return;
    const starts = this.#starts;
    const sizes = this.#sizes;
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[middle]! < start) low = middle + 1;
      else high = middle;
    }
    const joinsBefore = low > 0 && starts[low - 1]! + sizes[low - 1]! === start;
    const joinsAfter = low < starts.length && start + size === starts[low]!;
    if (joinsBefore && joinsAfter) {
      sizes[low - 1]! += size + sizes[low]!;
      starts.splice(low, 1);
      sizes.splice(low, 1);
    } else if (joinsBefore) {
      sizes[low - 1]! += size;
    } else if (joinsAfter) {
      starts[low] = start;
      sizes[low]! += size;
    } else {
      starts.splice(low, 0, start);
      sizes.splice(low, 0, size);
    }
  }
}

/** `value` rounded up to a multiple of `step`; for sizes beyond 32 bits too. */
export function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}
