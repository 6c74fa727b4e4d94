/** Which elements of a buffer a stream is: all of them, or a part with steps from row to row. */

/** Sizes in x, y, z and w; x is the fastest, and dimensions that a stream has not are 1. */
export type Sizes = readonly [number, number, number, number];

export class Shape {
  readonly rank: number;
  readonly sizes: Sizes;
  /** From one element to the next in each dimension, counted in elements; the first is 1. */
  readonly steps: Sizes;
  readonly start: number;
  #argument: Uint32Array<ArrayBuffer> | undefined;

  private constructor(rank: number, sizes: Sizes, steps: Sizes, start: number) {
    this.rank = rank;
    this.sizes = sizes;
    this.steps = steps;
    this.start = start;
  }

  /** All of a buffer. `sizes` has one number a dimension, x first. */
  static whole(sizes: readonly number[]): Shape {
    const [x = 1, y = 1, z = 1, w = 1] = sizes;
    return new Shape(sizes.length, [x, y, z, w], [1, x, x * y, x * y * z], 0);
  }

  /** The part from one point to before another, both inside. */
  part(start: Sizes, end: Sizes): Shape {
    const { steps } = this;
    const sizes = end.map((to, axis) => to - start[axis]!) as unknown as Sizes;
    const first = start.reduce((sum, from, axis) => sum + from * steps[axis]!, this.start);
    return new Shape(this.rank, sizes, steps, first);
  }

  /** The same elements with dimensions of size 1 on the fast side, until there are `rank`. */
  slower(rank: number): Shape {
    const shift = rank - this.rank;
    if (shift <= 0) return this;
    const move = (from: Sizes, filled: number): Sizes =>
      [0, 1, 2, 3].map((axis) => (axis < shift ? filled : from[axis - shift]!)) as unknown as Sizes;
    return new Shape(rank, move(this.sizes, 1), move(this.steps, 1), this.start);
  }

  get count(): number {
    return this.sizes.reduce((product, size) => product * size, 1);
  }

  /** Whether the elements lie one behind the other. */
  get isContiguous(): boolean {
    let expected = 1;
    for (const [axis, size] of this.sizes.entries()) {
      if (size === 1) continue;
      if (this.steps[axis] !== expected) return false;
      expected *= size;
    }
    return true;
  }

  sameSizes(other: Shape): boolean {
    return this.sizes.every((size, axis) => size === other.sizes[axis]);
  }

  /** Whether the ranges of two shapes of one buffer meet; where they do in an interlaced way is not looked at. */
  overlaps(other: Shape): boolean {
    return this.start <= other.#last && other.start <= this.#last && this.#meetsInAllDimensions(other);
  }

  get #last(): number {
    return this.sizes.reduce((sum, size, axis) => sum + (size - 1) * this.steps[axis]!, this.start);
  }

  /** Parts of one stream have its steps, so they can be compared dimension by dimension. */
  #meetsInAllDimensions(other: Shape): boolean {
    if (this.steps.some((step, axis) => step !== other.steps[axis])) return true;
    const origins = (shape: Shape): number[] => {
      let rest = shape.start;
      const found = [0, 0, 0, 0];
      for (let axis = 3; axis >= 0; axis -= 1) {
        const step = this.steps[axis]!;
        if (axis > 0 && step === this.steps[axis - 1]) continue;
        found[axis] = Math.floor(rest / step);
        rest %= step;
      }
      return found;
    };
    const mine = origins(this);
    const its = origins(other);
    return this.sizes.every(
      (size, axis) => mine[axis]! < its[axis]! + other.sizes[axis]! && its[axis]! < mine[axis]! + size,
    );
  }

  /** As kernels take it: see src/brook/emit/storage.ts. Not to be changed. */
  get argument(): Uint32Array<ArrayBuffer> {
    const [, y, z, w] = this.steps;
    this.#argument ??= Uint32Array.of(...this.sizes, y, z, w, this.start);
    return this.#argument;
  }
}
