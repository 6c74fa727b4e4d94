/**
 * What devices with memory of their own remember of their copy of a buffer: which bytes the host has newer (they go to the device
 * before the next command), and which the device has (they come back when the host needs them). No byte is in both sets: commands of
 * several queues may work on different parts of a buffer at once.
 */

/** Bytes [start, end) of a buffer. */
export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** Some of a buffer's bytes. */
export class ByteSet {
  /** In order, with bytes between them that are not in the set. */
  #parts: readonly Interval[];

  constructor(parts: readonly Interval[] = []) {
    this.#parts = parts;
  }

  get parts(): readonly Interval[] {
    return this.#parts;
  }

  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  /** How many bytes there are. */
  get size(): number {
    return this.#parts.reduce((sum, { start, end }) => sum + end - start, 0);
  }

  /** Whether it has one of these bytes. */
  overlaps(start: number, end: number): boolean {
    return this.#parts.some((part) => part.start < end && start < part.end);
  }

  /** Whether it has all of these bytes. */
  covers(start: number, end: number): boolean {
    return this.#parts.some((part) => part.start <= start && end <= part.end);
  }

  /** Those of its parts, or pieces of them, that are among these bytes. */
  within(start: number, end: number): Interval[] {
    return this.#parts
      .filter((part) => part.start < end && start < part.end)
      .map((part) => ({ start: Math.max(part.start, start), end: Math.min(part.end, end) }));
  }

  add(start: number, end: number): void {
    if (end <= start || this.covers(start, end)) return;
    const joined = this.#parts.filter((part) => part.start <= end && start <= part.end);
    const whole = {
      start: Math.min(start, joined[0]?.start ?? start),
      end: Math.max(end, joined.at(-1)?.end ?? end),
    };
    this.#parts = [
      ...this.#parts.filter((part) => part.end < start),
      whole,
      ...this.#parts.filter((part) => part.start > end),
    ];
  }

  remove(start: number, end: number): void {
    if (end <= start || !this.overlaps(start, end)) return;
    this.#parts = this.#parts.flatMap((part) =>
      [
        { start: part.start, end: Math.min(part.end, start) },
        { start: Math.max(part.start, end), end: part.end },
      ].filter((piece) => piece.start < piece.end),
    );
  }

  /** Adds these bytes but those that one of the other sets has, and what shares a unit of so many bytes with them. */
  addBut(start: number, end: number, others: readonly ByteSet[], unit = 1): void {
    // Nearly always: launches come here again and again.
    if (others.every((other) => other.isEmpty)) {
      this.add(start, end);
      return;
    }
    const added = new ByteSet(end > start ? [{ start, end }] : []);
    for (const other of others) {
      for (const part of other.parts) {
        added.remove(part.start - (part.start % unit), Math.ceil(part.end / unit) * unit);
      }
    }
    for (const part of added.parts) this.add(part.start, part.end);
  }

  /** Makes it empty. @returns what it had */
  take(): readonly Interval[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }
}

export interface NewerBytes {
  readonly hostNewer: ByteSet;
  readonly deviceNewer: ByteSet;
}

/** Of a copy of so many bytes that has nothing yet. */
export function newerOnHost(size: number): NewerBytes {
  return { hostNewer: new ByteSet([{ start: 0, end: size }]), deviceNewer: new ByteSet() };
}
