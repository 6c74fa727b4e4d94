/** Names with numbers behind them, for what has the same name as something else: `x.2`, `x.3`. */

export class FreeNames {
  readonly #isTaken: (name: string) => boolean;
  readonly #first: number;
  /** Where to go on, so that many of one name do not all begin with the first number. Names are never given back. */
  readonly #next = new Map<string, number>();

  constructor(isTaken: (name: string) => boolean, first = 2) {
    this.#isTaken = isTaken;
    this.#first = first;
  }

  /** A name that is not taken: the first with a number. */
  find(name: string): string {
    let number = this.#next.get(name) ?? this.#first;
    while (this.#isTaken(`${name}.${number}`)) number += 1;
    this.#next.set(name, number);
    return `${name}.${number}`;
  }
}
