/** Sets of numbers from 0 on that are joined one by one: union-find. Each number is a set of its own at first. */
export class DisjointSets {
  #parents: Int32Array;
  #count: number;

  /** @param count the numbers there are already */
  constructor(count = 0) {
    this.#parents = new Int32Array(Math.max(count, 64));
    for (let number = 0; number < count; number += 1) this.#parents[number] = number;
    this.#count = count;
  }

  /** A new number. */
  add(): number {
    const number = this.#count;
    this.#count += 1;
    if (number === this.#parents.length) {
      const longer = new Int32Array(2 * number);
      longer.set(this.#parents);
      this.#parents = longer;
    }
    this.#parents[number] = number;
    return number;
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
