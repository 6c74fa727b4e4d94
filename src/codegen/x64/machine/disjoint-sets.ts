/** Sets of numbers from 0 on that are joined one by one: union-find. Each number is a set of its own at first. */
export class DisjointSets {
  readonly #parents: number[];

  /** @param count the numbers there are already */
  constructor(count = 0) {
    this.#parents = Array.from({ length: count }, (_, number) => number);
  }

  /** A new number. */
  add(): number {
    return this.#parents.push(this.#parents.length) - 1;
  }

  /** The number that stands for a number's set. */
  find(number: number): number {
    const parents = this.#parents;
    let at = number;
    while (parents[at] !== at) {
      // The way is half as long the next time.
      parents[at] = parents[parents[at]!]!;
      at = parents[at]!;
    }
    return at;
  }

  /** Joins the sets of two numbers; that of `into` stands for both. */
  join(into: number, other: number): void {
    this.#parents[this.find(other)] = this.find(into);
  }
}
